//! Integer, logic and move operations over lanes.

use super::lanes::{define, define_tests};

define! {
    Mov32(a: u32) -> u32 { a }
    Mov64(a: u64) -> u64 { a }
    Add32(a: u32, b: u32) -> u32 { a.wrapping_add(b) }
    Add64(a: u64, b: u64) -> u64 { a.wrapping_add(b) }
    Sub32(a: u32, b: u32) -> u32 { a.wrapping_sub(b) }
    Sub64(a: u64, b: u64) -> u64 { a.wrapping_sub(b) }
    Mul32(a: u32, b: u32) -> u32 { a.wrapping_mul(b) }
    Mul64(a: u64, b: u64) -> u64 { a.wrapping_mul(b) }
    MulHiS32(a: u32, b: u32) -> u32 { ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32 }
    MulHiU32(a: u32, b: u32) -> u32 { ((u64::from(a) * u64::from(b)) >> 32) as u32 }
    MulWideS32(a: u32, b: u32) -> u64 { (i64::from(a as i32) * i64::from(b as i32)) as u64 }
    MulWideU32(a: u32, b: u32) -> u64 { u64::from(a) * u64::from(b) }
    Mad32(a: u32, b: u32, c: u32) -> u32 { a.wrapping_mul(b).wrapping_add(c) }
    Mad64(a: u64, b: u64, c: u64) -> u64 { a.wrapping_mul(b).wrapping_add(c) }
    MadWideS32(a: u32, b: u32, c: u64) -> u64 { ((i64::from(a as i32) * i64::from(b as i32)) as u64).wrapping_add(c) }
    MadWideU32(a: u32, b: u32, c: u64) -> u64 { (u64::from(a) * u64::from(b)).wrapping_add(c) }
    And32(a: u32, b: u32) -> u32 { a & b }
    And64(a: u64, b: u64) -> u64 { a & b }
    Or32(a: u32, b: u32) -> u32 { a | b }
    Or64(a: u64, b: u64) -> u64 { a | b }
    Xor32(a: u32, b: u32) -> u32 { a ^ b }
    Xor64(a: u64, b: u64) -> u64 { a ^ b }
    Not16(a: u32) -> u32 { !a & 0xffff }
    Not32(a: u32) -> u32 { !a }
    Not64(a: u64) -> u64 { !a }
    Neg32(a: u32) -> u32 { a.wrapping_neg() }
    Neg64(a: u64) -> u64 { a.wrapping_neg() }
    Abs32(a: u32) -> u32 { (a as i32).wrapping_abs() as u32 }
    Abs64(a: u64) -> u64 { (a as i64).wrapping_abs() as u64 }
    MinS32(a: u32, b: u32) -> u32 { (a as i32).min(b as i32) as u32 }
    MaxS32(a: u32, b: u32) -> u32 { (a as i32).max(b as i32) as u32 }
    MinU32(a: u32, b: u32) -> u32 { a.min(b) }
    MaxU32(a: u32, b: u32) -> u32 { a.max(b) }
    MinS64(a: u64, b: u64) -> u64 { (a as i64).min(b as i64) as u64 }
    MaxS64(a: u64, b: u64) -> u64 { (a as i64).max(b as i64) as u64 }
    MinU64(a: u64, b: u64) -> u64 { a.min(b) }
    MaxU64(a: u64, b: u64) -> u64 { a.max(b) }
    Shl32(a: u32, b: u32) -> u32 { if b > 31 { 0 } else { a << (b & 31) } }
    ShrU32(a: u32, b: u32) -> u32 { if b > 31 { 0 } else { a >> (b & 31) } }
    ShrS32(a: u32, b: u32) -> u32 { (a as i32 >> b.min(31)) as u32 }
    Shl64(a: u64, b: u32) -> u64 { if b > 63 { 0 } else { a << (b & 63) } }
    ShrU64(a: u64, b: u32) -> u64 { if b > 63 { 0 } else { a >> (b & 63) } }
    ShrS64(a: u64, b: u32) -> u64 { (a as i64 >> b.min(63)) as u64 }
    WidenS32(a: u32) -> u64 { a as i32 as i64 as u64 }
    WidenU32(a: u32) -> u64 { u64::from(a) }
    Narrow64(a: u64) -> u32 { a as u32 }
    Join64(a: u32, b: u32) -> u64 { u64::from(a) | u64::from(b) << 32 }
}

define_tests! {
    Eq32(a, b: u32) { a == b }
    Ne32(a, b: u32) { a != b }
    LtS32(a, b: u32) { (a as i32) < b as i32 }
    LeS32(a, b: u32) { a as i32 <= b as i32 }
    LtU32(a, b: u32) { a < b }
    LeU32(a, b: u32) { a <= b }
    Eq64(a, b: u64) { a == b }
    Ne64(a, b: u64) { a != b }
    LtS64(a, b: u64) { (a as i64) < b as i64 }
    LeS64(a, b: u64) { a as i64 <= b as i64 }
    LtU64(a, b: u64) { a < b }
    LeU64(a, b: u64) { a <= b }
}
