//! Runs an operation on the 32 lanes of a warp: computes all lanes, eight at a time, and blends them by mask.
//!
//! Each operation is compiled twice, for AVX2 with FMA and for the baseline; [`choose`] picks one at load time. A chunk
//! of eight lanes is read completely before it is written, and registers never overlap partially. So a destination may
//! also be a source.

use super::registers::{Registers, blend};

/// Register file offsets, in words, of the operands that an instruction reads (`a`, `b`, `c`) and writes (`d`). All
/// ones means that there is no such operand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operands {
    pub(crate) d: u32,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) c: u32,
}

/// Size of an operand in the register file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    /// There is no such operand.
    Absent,
    /// A word with one bit per lane.
    Predicate,
    /// 32 lanes of 32 bits.
    Row,
    /// 32 lanes of 64 bits.
    Wide,
}

impl Width {
    /// Returns the width of a row: 64 bits per lane if `wide`, otherwise 32 bits.
    pub(crate) fn of(wide: bool) -> Self {
        if wide { Self::Wide } else { Self::Row }
    }

    /// Returns the size in words of the register file.
    pub(crate) fn words(self) -> u32 {
        match self {
            Self::Absent => 0,
            Self::Predicate => 1,
            Self::Row => 32,
            Self::Wide => 64,
        }
    }
}

/// The widths of `d`, `a`, `b` and `c`.
pub(crate) type Widths = [Width; 4];

/// Runs one instruction on a register file under a mask.
///
/// # Safety
/// The registers contain the operands in the widths of the [`Handler`], and the CPU has the features of the variant.
pub(crate) type Compute = unsafe fn(Registers, &Operands, u32);

/// The function that runs an instruction, and the widths that it needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Handler {
    pub(crate) run: Compute,
    pub(crate) widths: Widths,
}

/// The two variants of a handler.
#[derive(Clone, Copy)]
pub(crate) struct Variants {
    pub(crate) plain: Compute,
    pub(crate) fast: Compute,
}

/// True if the AVX2 and FMA variants run here: the CPU supports them, and `PTX_EMULATOR_SIMD` is not `off` (a switch
/// for testing). On other architectures, the compiler leaves these variants out.
pub(crate) fn has_fast() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        static KNOWN: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
        *KNOWN.get_or_init(|| {
            std::env::var_os("PTX_EMULATOR_SIMD").is_none_or(|value| value != "off")
                && std::arch::is_x86_feature_detected!("avx2")
                && std::arch::is_x86_feature_detected!("fma")
                && std::arch::is_x86_feature_detected!("bmi1")
                && std::arch::is_x86_feature_detected!("bmi2")
                && std::arch::is_x86_feature_detected!("lzcnt")
                && std::arch::is_x86_feature_detected!("popcnt")
        })
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// True if the emulator runs at full speed on this machine. Without AVX2 and FMA or NEON it takes about ten times as
/// long.
pub fn is_fast() -> bool {
    has_fast() || cfg!(target_arch = "aarch64")
}

/// Returns the variant for this CPU.
pub(crate) fn choose(variants: Variants) -> Compute {
    if has_fast() { variants.fast } else { variants.plain }
}

/// The type of a lane in a row.
pub(crate) trait Cell: Copy {
    /// Width of a row of this type.
    const WIDTH: Width;
    /// Reads lanes `8k..8k+8`.
    ///
    /// # Safety
    /// `row` starts a row of this type.
    unsafe fn read(row: *const u32, k: usize) -> [Self; 8];
    /// Writes lanes `8k..8k+8`.
    ///
    /// # Safety
    /// As for `read`.
    unsafe fn write(row: *mut u32, k: usize, value: [Self; 8]);
}

impl Cell for u32 {
    const WIDTH: Width = Width::Row;
    #[inline(always)]
    unsafe fn read(row: *const u32, k: usize) -> [Self; 8] {
        // SAFETY: the caller guarantees that the row has 32 words and k < 4.
        unsafe { row.add(8 * k).cast::<[u32; 8]>().read() }
    }
    #[inline(always)]
    unsafe fn write(row: *mut u32, k: usize, value: [Self; 8]) {
        // SAFETY: as above.
        unsafe { row.add(8 * k).cast::<[u32; 8]>().write(value) }
    }
}

impl Cell for u64 {
    const WIDTH: Width = Width::Wide;
    #[inline(always)]
    unsafe fn read(row: *const u32, k: usize) -> [Self; 8] {
        // SAFETY: the caller guarantees that the row has 32 double words, aligned to 128 bytes, and k < 4.
        unsafe { row.cast::<u64>().add(8 * k).cast::<[u64; 8]>().read() }
    }
    #[inline(always)]
    unsafe fn write(row: *mut u32, k: usize, value: [Self; 8]) {
        // SAFETY: as above.
        unsafe { row.cast::<u64>().add(8 * k).cast::<[u64; 8]>().write(value) }
    }
}

impl Cell for () {
    const WIDTH: Width = Width::Absent;
    #[inline(always)]
    unsafe fn read(_: *const u32, _: usize) -> [Self; 8] {
        [(); 8]
    }
    #[inline(always)]
    unsafe fn write(_: *mut u32, _: usize, _: [Self; 8]) {}
}

/// An operation on one lane.
pub(crate) trait Lane {
    type A: Cell;
    type B: Cell;
    type C: Cell;
    type D: Cell;
    fn lane(a: Self::A, b: Self::B, c: Self::C) -> Self::D;
}

/// A comparison on one lane.
pub(crate) trait Test {
    type A: Cell;
    fn test(a: Self::A, b: Self::A) -> bool;
}

#[inline(always)]
pub(crate) unsafe fn map<L: Lane>(file: Registers, on: &Operands, mask: u32) {
    // SAFETY: the caller follows the contract of `Compute`.
    unsafe {
        let (a, b) = (file.at(on.a, L::A::WIDTH), file.at(on.b, L::B::WIDTH));
        let (c, d) = (file.at(on.c, L::C::WIDTH), file.at(on.d, L::D::WIDTH));
        for k in 0..4 {
            let (x, y, z) = (L::A::read(a, k), L::B::read(b, k), L::C::read(c, k));
            let mut out = L::D::read(d, k);
            if mask == u32::MAX {
                for i in 0..8 {
                    out[i] = L::lane(x[i], y[i], z[i]);
                }
            } else {
                for i in 0..8 {
                    let new = L::lane(x[i], y[i], z[i]);
                    out[i] = if mask & (1 << (8 * k + i)) != 0 { new } else { out[i] };
                }
            }
            L::D::write(d, k, out);
        }
    }
}

/// Returns the sign bits of eight words.
///
/// # Safety
/// The CPU has AVX if `FAST`.
#[inline(always)]
unsafe fn signs<const FAST: bool>(words: [u32; 8]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if FAST {
        use std::arch::x86_64::{__m256, _mm256_movemask_ps};
        // SAFETY: the caller guarantees AVX, and eight words have the size of the vector.
        return unsafe { _mm256_movemask_ps(std::mem::transmute::<[u32; 8], __m256>(words)) as u32 };
    }
    words.iter().enumerate().fold(0, |bits, (i, word)| bits | word >> 31 << i)
}

#[inline(always)]
pub(crate) unsafe fn compare<T: Test, const FAST: bool>(file: Registers, on: &Operands, mask: u32) {
    // SAFETY: the caller follows the contract of `Compute`, and d is a predicate word.
    unsafe {
        let (a, b) = (file.at(on.a, T::A::WIDTH), file.at(on.b, T::A::WIDTH));
        let mut bits = 0u32;
        for k in 0..4 {
            let (x, y) = (T::A::read(a, k), T::A::read(b, k));
            let mut yes = [0u32; 8];
            for i in 0..8 {
                yes[i] = if T::test(x[i], y[i]) { u32::MAX } else { 0 };
            }
            bits |= signs::<FAST>(yes) << (8 * k);
        }
        blend(file.at(on.d, Width::Predicate), mask, bits);
    }
}

#[inline(always)]
pub(crate) unsafe fn select<C: Cell>(file: Registers, on: &Operands, mask: u32) {
    // SAFETY: the caller follows the contract of `Compute`, and c is a predicate word.
    unsafe {
        let (a, b, d) = (file.at(on.a, C::WIDTH), file.at(on.b, C::WIDTH), file.at(on.d, C::WIDTH));
        let choice = *file.at(on.c, Width::Predicate);
        for k in 0..4 {
            let (x, y, mut out) = (C::read(a, k), C::read(b, k), C::read(d, k));
            for i in 0..8 {
                let bit = 1 << (8 * k + i);
                let new = if choice & bit != 0 { x[i] } else { y[i] };
                out[i] = if mask & bit != 0 { new } else { out[i] };
            }
            C::write(d, k, out);
        }
    }
}

macro_rules! variants {
    ($body:ident $(, $fast_only:literal, $plain_only:literal)?; $bound:ident, $widths:expr, $fast:ident, $plain:ident, $make:ident) => {
        #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt"))]
        unsafe fn $fast<T: $bound>(file: Registers, on: &Operands, mask: u32) {
            // SAFETY: the caller guarantees the contract.
            unsafe { $body::<T $(, $fast_only)?>(file, on, mask) }
        }
        unsafe fn $plain<T: $bound>(file: Registers, on: &Operands, mask: u32) {
            // SAFETY: the caller guarantees the contract.
            unsafe { $body::<T $(, $plain_only)?>(file, on, mask) }
        }
        /// Returns the handler of an operation for this CPU.
        pub(crate) fn $make<T: $bound>() -> Handler {
            Handler { run: choose(Variants { plain: $plain::<T>, fast: $fast::<T> }), widths: $widths }
        }
    };
}
variants!(map; Lane, [T::D::WIDTH, T::A::WIDTH, T::B::WIDTH, T::C::WIDTH], map_fast, map_plain, lanes);
variants!(compare, true, false; Test, [Width::Predicate, T::A::WIDTH, T::A::WIDTH, Width::Absent], compare_fast, compare_plain, test);
variants!(select; Cell, [T::WIDTH, T::WIDTH, T::WIDTH, Width::Predicate], select_fast, select_plain, choice);

/// Defines operations: `Name(a: u32, b: u64) -> u32 { … }`.
macro_rules! define {
    ($($name:ident $([$($g:tt)*])? ($($arg:ident: $ty:ty),*) -> $out:ty $body:block)*) => {
        $(define!(@one $name ($($arg: $ty),*) -> $out $body);)*
    };
    (@one $name:ident ($a:ident: $ta:ty) -> $out:ty $body:block) => {
        define!(@full $name ($a: $ta, _b: (), _c: ()) -> $out $body);
    };
    (@one $name:ident ($a:ident: $ta:ty, $b:ident: $tb:ty) -> $out:ty $body:block) => {
        define!(@full $name ($a: $ta, $b: $tb, _c: ()) -> $out $body);
    };
    (@one $name:ident ($a:ident: $ta:ty, $b:ident: $tb:ty, $c:ident: $tc:ty) -> $out:ty $body:block) => {
        define!(@full $name ($a: $ta, $b: $tb, $c: $tc) -> $out $body);
    };
    (@full $name:ident ($a:ident: $ta:ty, $b:ident: $tb:ty, $c:ident: $tc:ty) -> $out:ty $body:block) => {
        pub(crate) struct $name;
        impl $crate::arith::lanes::Lane for $name {
            type A = $ta;
            type B = $tb;
            type C = $tc;
            type D = $out;
            #[inline(always)]
            fn lane($a: $ta, $b: $tb, $c: $tc) -> $out $body
        }
    };
}
pub(crate) use define;

/// Defines comparisons: `Name(a, b: u32) { … }`.
macro_rules! define_tests {
    ($($name:ident ($a:ident, $b:ident: $ty:ty) $body:block)*) => {$(
        pub(crate) struct $name;
        impl $crate::arith::lanes::Test for $name {
            type A = $ty;
            #[inline(always)]
            fn test($a: $ty, $b: $ty) -> bool $body
        }
    )*};
}
pub(crate) use define_tests;
