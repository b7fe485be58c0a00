//! Moves data between registers and memory, once the addresses have been checked.

use crate::arith::{Registers, Width};
use crate::probes::AddressPattern;
use crate::probes::address_pattern::{Group, Spacing};
use crate::program::Access;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// How memory is accessed: shared memory belongs to one worker, global memory to all.
pub(crate) trait Reached {
    unsafe fn get8(p: *const u8) -> u8;
    unsafe fn get16(p: *const u8) -> u16;
    unsafe fn get32(p: *const u8) -> u32;
    unsafe fn get64(p: *const u8) -> u64;
    unsafe fn set8(p: *mut u8, value: u8);
    unsafe fn set16(p: *mut u8, value: u16);
    unsafe fn set32(p: *mut u8, value: u32);
    unsafe fn set64(p: *mut u8, value: u64);
    /// Reads eight consecutive words.
    unsafe fn get_words(p: *const u8) -> [u32; 8];
    unsafe fn set_words(p: *mut u8, value: [u32; 8]);
}

/// Memory that only this worker accesses.
pub(crate) struct Own;
/// Memory that other workers access, too; `FAST` if the CPU has AVX.
///
/// Every access is atomic, but racing blocks may reach the same bytes with atomics of different widths, and the vector
/// loads and stores are assembly. Rust's memory model defines neither. The processor determines the result of such a
/// race. On supported processors it is a mix of the bytes written. So a race can make a result incorrect, but it cannot
/// corrupt the emulator.
pub(crate) struct Common<const FAST: bool>;

/// Words of memory that other workers may write at the same time. The compiler does not merge several atomic loads into
/// one. The processor's vector load is atomic for each aligned word.
#[cfg(target_arch = "x86_64")]
pub(super) mod vector {
    use std::arch::asm;
    use std::arch::x86_64::{__m128i, __m256i};

    /// # Safety
    /// 16 readable bytes, aligned to 4.
    #[inline]
    #[target_feature(enable = "avx")]
    pub(in crate::machine) unsafe fn quad(p: *const u8) -> __m128i {
        let value: __m128i;
        // SAFETY: the caller guarantees 16 readable bytes. AVX is enabled.
        unsafe {
            asm!("vmovdqu {}, [{}]", out(xmm_reg) value, in(reg) p, options(readonly, nostack, preserves_flags));
        }
        value
    }

    /// # Safety
    /// 32 readable bytes, aligned to 4.
    #[inline]
    #[target_feature(enable = "avx")]
    pub(super) unsafe fn load(p: *const u8) -> [u32; 8] {
        let value: __m256i;
        // SAFETY: the caller guarantees 32 readable bytes. AVX is enabled.
        unsafe {
            asm!("vmovdqu {}, [{}]", out(ymm_reg) value, in(reg) p, options(readonly, nostack, preserves_flags));
            std::mem::transmute(value)
        }
    }

    /// # Safety
    /// 32 writable bytes, aligned to 4.
    #[inline]
    #[target_feature(enable = "avx")]
    pub(super) unsafe fn store(p: *mut u8, value: [u32; 8]) {
        // SAFETY: the caller guarantees 32 writable bytes. AVX is enabled.
        unsafe {
            let value: __m256i = std::mem::transmute(value);
            asm!("vmovdqu [{}], {}", in(reg) p, in(ymm_reg) value, options(nostack, preserves_flags));
        }
    }
}

macro_rules! own {
    ($get:ident, $set:ident, $ty:ty) => {
        #[inline(always)]
        unsafe fn $get(p: *const u8) -> $ty {
            // SAFETY: the caller has checked bounds and alignment.
            unsafe { p.cast::<$ty>().read() }
        }
        #[inline(always)]
        unsafe fn $set(p: *mut u8, value: $ty) {
            // SAFETY: as above.
            unsafe { p.cast::<$ty>().write(value) }
        }
    };
}
macro_rules! common {
    ($get:ident, $set:ident, $ty:ty, $atomic:ty) => {
        #[inline(always)]
        unsafe fn $get(p: *const u8) -> $ty {
            // SAFETY: the caller has checked bounds and alignment, and all accesses to this memory are atomic.
            unsafe { (*p.cast::<$atomic>()).load(Relaxed) }
        }
        #[inline(always)]
        unsafe fn $set(p: *mut u8, value: $ty) {
            // SAFETY: as above.
            unsafe { (*p.cast::<$atomic>()).store(value, Relaxed) }
        }
    };
}
impl Reached for Own {
    own!(get8, set8, u8);
    own!(get16, set16, u16);
    own!(get32, set32, u32);
    own!(get64, set64, u64);
    #[inline(always)]
    unsafe fn get_words(p: *const u8) -> [u32; 8] {
        // SAFETY: the caller has checked bounds and alignment.
        unsafe { p.cast::<[u32; 8]>().read() }
    }
    #[inline(always)]
    unsafe fn set_words(p: *mut u8, value: [u32; 8]) {
        // SAFETY: as above.
        unsafe { p.cast::<[u32; 8]>().write(value) }
    }
}
impl<const FAST: bool> Reached for Common<FAST> {
    common!(get8, set8, u8, AtomicU8);
    common!(get16, set16, u16, AtomicU16);
    common!(get32, set32, u32, AtomicU32);
    common!(get64, set64, u64, AtomicU64);
    #[inline(always)]
    unsafe fn get_words(p: *const u8) -> [u32; 8] {
        #[cfg(target_arch = "x86_64")]
        if FAST {
            // SAFETY: the caller has checked bounds and alignment, and `FAST` promises AVX.
            return unsafe { vector::load(p) };
        }
        // SAFETY: as above.
        std::array::from_fn(|i| unsafe { Self::get32(p.add(4 * i)) })
    }
    #[inline(always)]
    unsafe fn set_words(p: *mut u8, value: [u32; 8]) {
        #[cfg(target_arch = "x86_64")]
        if FAST {
            // SAFETY: as above.
            return unsafe { vector::store(p, value) };
        }
        for (i, value) in value.into_iter().enumerate() {
            // SAFETY: as above.
            unsafe { Self::set32(p.add(4 * i), value) };
        }
    }
}

pub(crate) fn sign(value: u64, size: u32, signed: bool) -> u64 {
    let shift = 64 - 8 * size;
    if signed { ((value << shift) as i64 >> shift) as u64 } else { value }
}

/// Returns a word for each lane of a whole warp; `start` is the location of the first lane's word.
///
/// # Safety
/// As for [`load`].
#[inline(always)]
pub(crate) unsafe fn words<M: Reached>(start: *const u8, pattern: &AddressPattern) -> [[u32; 8]; 4] {
    let at_lane = |lane: usize| start.wrapping_offset(pattern.relative[lane] as isize);
    let mut value = [[0u32; 8]; 4];
    // SAFETY: the caller guarantees the contract.
    unsafe {
        match pattern.spacing {
            Spacing::Same if pattern.bits == 0 => value = [[M::get32(start); 8]; 4],
            Spacing::Same => {
                for (g, value) in value.iter_mut().enumerate() {
                    *value = [M::get32(at_lane(8 * g)); 8];
                }
            }
            Spacing::Unit => {
                for (g, value) in value.iter_mut().enumerate() {
                    *value = M::get_words(at_lane(8 * g));
                }
            }
            Spacing::Mixed => {
                for (g, value) in value.iter_mut().enumerate() {
                    for (i, value) in value.iter_mut().enumerate() {
                        *value = M::get32(at_lane(8 * g + i));
                    }
                }
            }
        }
    }
    value
}

/// Runs a load; `start` is the location of the first active lane's bytes.
///
/// # Safety
/// Every lane's bytes are inside the memory and aligned. Inactive lanes have the relative address 0. The rows are
/// inside the file.
#[inline(always)]
pub(crate) unsafe fn load<M: Reached>(
    start: *const u8,
    pattern: &AddressPattern,
    access: &Access,
    file: Registers,
    mask: u32,
) {
    if access.size == 4 && !access.wide {
        for element in 0..access.lanes as usize {
            // SAFETY: the caller guarantees the contract.
            unsafe {
                let row = file.row(access.rows[element]).cast::<u32>();
                let from = start.add(4 * element);
                for g in 0..4 {
                    let r = &pattern.relative[8 * g..8 * g + 8];
                    let first = from.offset(r[0] as isize);
                    let mut value = [0u32; 8];
                    match pattern.groups[g] {
                        Group::Same => value = [M::get32(first); 8],
                        Group::Unit => value = M::get_words(first),
                        Group::Other => {
                            for (value, r) in value.iter_mut().zip(r) {
                                *value = M::get32(from.offset(*r as isize));
                            }
                        }
                    }
                    let to = row.add(8 * g).cast::<[u32; 8]>();
                    if mask != u32::MAX {
                        let old = *to;
                        for i in 0..8 {
                            value[i] = if mask & (1 << (8 * g + i)) != 0 { value[i] } else { old[i] };
                        }
                    }
                    *to = value;
                }
            }
        }
        return;
    }
    for element in 0..access.lanes as usize {
        for lane in (0..32).filter(|lane| mask & (1 << lane) != 0) {
            // SAFETY: the caller guarantees the contract.
            unsafe {
                let from = start.offset(pattern.relative[lane] as isize).add(access.size as usize * element);
                let value = match access.size {
                    1 => u64::from(M::get8(from)),
                    2 => u64::from(M::get16(from)),
                    4 => u64::from(M::get32(from)),
                    _ => M::get64(from),
                };
                let value = sign(value, access.size, access.signed);
                put(file, access, element, lane, value);
            }
        }
    }
}

/// Writes a lane of an access's register.
#[inline(always)]
pub(crate) fn put(file: Registers, access: &Access, element: usize, lane: usize, value: u64) {
    file.set_lane(access.rows[element], access.wide, lane, value);
}

/// Runs a store; `start` is the location of the first active lane's bytes.
///
/// # Safety
/// As for [`load`].
#[inline(always)]
pub(crate) unsafe fn store<M: Reached>(
    start: *mut u8,
    pattern: &AddressPattern,
    access: &Access,
    file: Registers,
    mask: u32,
) {
    let narrow = access.size == 4 && !access.wide;
    for element in 0..access.lanes as usize {
        // SAFETY: the caller guarantees the contract.
        unsafe {
            let row = file.at(access.rows[element], Width::of(access.wide));
            let to = start.add(access.size as usize * element);
            if narrow && mask == u32::MAX {
                for g in 0..4 {
                    if pattern.groups[g] == Group::Unit {
                        let first = to.offset(pattern.relative[8 * g] as isize);
                        M::set_words(first, row.add(8 * g).cast::<[u32; 8]>().read());
                        continue;
                    }
                    for lane in 8 * g..8 * g + 8 {
                        M::set32(to.offset(pattern.relative[lane] as isize), *row.add(lane));
                    }
                }
                continue;
            }
            let mut rest = mask;
            while rest != 0 {
                let lane = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let at = to.offset(pattern.relative[lane] as isize);
                let value = if access.wide { *row.cast::<u64>().add(lane) } else { u64::from(*row.add(lane)) };
                match access.size {
                    1 => M::set8(at, value as u8),
                    2 => M::set16(at, value as u16),
                    4 => M::set32(at, value as u32),
                    _ => M::set64(at, value),
                }
            }
        }
    }
}
