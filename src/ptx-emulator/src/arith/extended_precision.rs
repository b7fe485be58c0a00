//! Sums with a carry, and their carry out. A difference is a sum with the complement and a carry.

use super::lanes::define;

define! {
    Add32(a: u32, b: u32, c: u32) -> u32 { a.wrapping_add(b).wrapping_add(c) }
    Add64(a: u64, b: u64, c: u32) -> u64 { a.wrapping_add(b).wrapping_add(c.into()) }
    Carry32(a: u32, b: u32, c: u32) -> u32 { ((u64::from(a) + u64::from(b) + u64::from(c)) >> 32) as u32 }
    Carry64(a: u64, b: u64, c: u32) -> u32 {
        let sum = a.wrapping_add(b);
        u32::from(sum < a) | u32::from(sum == u64::MAX && c == 1)
    }
}
