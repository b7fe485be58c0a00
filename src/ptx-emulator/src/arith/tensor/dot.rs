/*! The arithmetic of a tensor core.

Computes a floating-point matrix product as an NVIDIA H200 does:

1. The products of a block are exact. A block is 32 bytes of a row of A and as much of a column of B. The exponent of a
   product is the sum of its factors' exponents. Its significand, in 1…4, is not normalised.
2. The products and the accumulator are shifted to the largest of their exponents. They are truncated, toward zero, to
   25 fraction bits, or 13 for the 8-bit formats of `wgmma`.
3. Their sum is exact and is rounded once: toward zero to single precision, or to the nearest half-precision number.

Zeros are ignored: a product with zero does not count for the largest exponent, and a sum of zero is +0. This exponent
is at least −133. Infinities and NaN follow the usual rules, and NaN is canonical.

So the order within a block does not matter. A term smaller than the largest one by a factor of 2²⁶ is lost, whatever
its sign. Fasi, Higham, Mikaitis and Pranesh, "Numerical behavior of NVIDIA tensor cores" (2021), found this structure
on earlier devices. The widths here were fitted to the H200's own answers, which are in `tests/fixtures`.
*/

#[cfg(target_arch = "x86_64")]
mod avx2;
mod rounding;
#[cfg(test)]
mod tests;

pub(crate) use rounding::half_nearest;

use super::Float;
#[cfg(target_arch = "x86_64")]
use crate::arith::lanes::has_fast;
use rounding::{accumulator, round, single_power};

/// Minimum of the largest exponent.
const MIN_EXPONENT: i32 = -133;

/// Number of columns computed at once.
const WIDE: usize = 8;

/// Exponents of the factors of [`near_block`]. Their products are normal numbers in single precision.
const NEAR: std::ops::RangeInclusive<i32> = -50..=60;

/// Decoded operands of a product. `exponents[i]` and `significands[i]` belong to the same element.
#[derive(Debug, Default)]
pub(crate) struct Matrix {
    pub(crate) exponents: Vec<i32>,
    pub(crate) significands: Vec<i32>,
    /// The values of the elements, if all of them are [`NEAR`] or zero.
    values: Vec<f32>,
    near: bool,
    /// The bits of the elements, for infinities and NaN.
    bits: Vec<u32>,
    /// Rows of A or columns of B that contain an infinity or NaN.
    special: Vec<bool>,
    any_special: bool,
}

/// The factors' formats, and how the products of a block are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sum {
    /// The formats of A and B.
    pub(crate) a: Float,
    pub(crate) b: Float,
    /// Products per block.
    pub(crate) block: usize,
    /// Fraction bits kept of each term.
    pub(crate) kept: i32,
    /// True if D is in half precision.
    pub(crate) half: bool,
    /// Fraction bits of D if it is in single precision.
    pub(crate) fraction: u32,
}

impl Matrix {
    /// Decodes A: `rows × depth` elements, row by row.
    pub(crate) fn set_rows(&mut self, sum: Sum, bits: &[u32], depth: usize) {
        let format = sum.a;
        self.set(format, bits);
        // A product has as many fraction bits as both factors together. Shift A once, so that each product has as many
        // bits as the sum keeps.
        let widen = sum.kept - (format.fraction_bits + sum.b.fraction_bits) as i32;
        self.significands.iter_mut().for_each(|significand| *significand <<= widen);
        let depth = depth.max(1);
        self.special.clear();
        self.special.resize(bits.len() / depth, false);
        if self.any_special {
            for (special, row) in self.special.iter_mut().zip(bits.chunks_exact(depth)) {
                *special = row.iter().any(|bits| format.special(*bits));
            }
        }
    }

    /// Decodes B: `depth × columns` elements, row by row.
    pub(crate) fn set_columns(&mut self, sum: Sum, bits: &[u32], columns: usize) {
        let format = sum.b;
        self.set(format, bits);
        self.special.clear();
        self.special.resize(columns, false);
        if self.any_special {
            for row in bits.chunks_exact(columns.max(1)) {
                for (special, bits) in self.special.iter_mut().zip(row) {
                    *special |= format.special(*bits);
                }
            }
        }
    }

    fn set(&mut self, format: Float, bits: &[u32]) {
        #[cfg(target_arch = "x86_64")]
        if has_fast() {
            // SAFETY: `has_fast` has just checked the CPU features.
            unsafe { self.set_fast(format, bits) };
            return;
        }
        self.set_in(format, bits);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    fn set_fast(&mut self, format: Float, bits: &[u32]) {
        self.set_in(format, bits);
    }

    #[inline(always)]
    fn set_in(&mut self, format: Float, bits: &[u32]) {
        // With the format as a constant, each format has a loop of its own that compiles to vectors.
        match format {
            Float::F16 => self.take_apart(bits, Float::F16),
            Float::BF16 => self.take_apart(bits, Float::BF16),
            Float::TF32 => self.take_apart(bits, Float::TF32),
            _ => self.take_apart(bits, format),
        }
        self.bits.clear();
        self.bits.extend_from_slice(bits);
    }

    #[inline(always)]
    fn take_apart(&mut self, bits: &[u32], format: Float) {
        self.exponents.resize(bits.len(), 0);
        self.significands.resize(bits.len(), 0);
        self.values.resize(bits.len(), 0.0);
        let (mut far, mut special) = (false, false);
        let unit = format.fraction_bits as i32;
        let parts = self.exponents.iter_mut().zip(&mut self.significands).zip(&mut self.values);
        for (bits, ((to_exponent, to_significand), value)) in bits.iter().zip(parts) {
            let (exponent, significand) = format.decode(*bits);
            (*to_exponent, *to_significand) = (exponent, significand);
            // Zero has the lowest exponent. The value of an element that is not near is not used.
            let near = exponent.clamp(*NEAR.start(), *NEAR.end());
            *value = significand as f32 * single_power(near - unit);
            far |= (near != exponent) & (significand != 0);
            special |= format.special(*bits);
        }
        (self.near, self.any_special) = (!far, special);
    }
}

/// Computes D = A·B + C. `c` contains the bits of C, row by row, and receives those of D. `columns` is a multiple of
/// eight. `place(row, k)` is the row of B for element `k` of a row of A: `k` itself if `DENSE`.
///
/// # Safety
/// The CPU has AVX2 if `FAST`.
#[inline(always)]
pub(crate) unsafe fn multiply<const FAST: bool, const DENSE: bool>(
    sum: Sum,
    a: &Matrix,
    b: &Matrix,
    columns: usize,
    c: &mut [u32],
    place: impl Fn(usize, usize) -> usize,
) {
    let depth = a.exponents.len().checked_div(c.len() / columns.max(1)).unwrap_or(0);
    let whole = Whole { sum, a, b, columns, depth };
    #[cfg(target_arch = "x86_64")]
    if FAST && DENSE && whole.near() && whole.plain() {
        // SAFETY: the caller guarantees the contract.
        unsafe {
            match sum.block.min(depth) {
                4 => return whole.near_rows::<4>(c, place),
                8 => return whole.near_rows::<8>(c, place),
                16 => return whole.near_rows::<16>(c, place),
                _ => {}
            }
        }
    }
    for (row, c) in c.chunks_exact_mut(columns.max(1)).enumerate() {
        for (chunk, c) in c.chunks_exact_mut(WIDE).enumerate() {
            let Some(c) = c.first_chunk_mut::<WIDE>() else { continue };
            // SAFETY: the caller guarantees the contract.
            unsafe { whole.chunk::<FAST>(row, chunk, c, &place) };
        }
    }
}

/// A matrix product: A is `rows × depth`, B is `depth × columns`, both row by row.
#[derive(Clone, Copy)]
struct Whole<'m> {
    sum: Sum,
    a: &'m Matrix,
    b: &'m Matrix,
    columns: usize,
    depth: usize,
}

impl Whole<'_> {
    /// True if all factors are near. The sum of a block's terms, each below 2^(kept + 2), must fit in 32 bits.
    #[inline(always)]
    fn near(&self) -> bool {
        self.a.near && self.b.near && !self.sum.half && self.sum.block <= 1 << (29 - self.sum.kept)
    }

    /// True if whole blocks are summed to single precision, without infinity and NaN.
    #[cfg(target_arch = "x86_64")]
    fn plain(&self) -> bool {
        let all = self.depth * self.columns;
        self.sum.fraction == 23
            && self.sum.kept == 25
            && !(self.a.any_special || self.b.any_special)
            && self.depth.is_multiple_of(self.sum.block.min(self.depth).max(1))
            && self.b.exponents.len().min(self.b.values.len()) >= all
    }

    /// Computes the product by blocks of `BLOCK` if all factors are near and dense. [`Self::chunk`] repeats the rare
    /// cases: results that may be subnormal, and sums that need more than 32 bits.
    ///
    /// # Safety
    /// The CPU has AVX2; [`Self::near`] and [`Self::plain`] are true, and a block has `BLOCK` products.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn near_rows<const BLOCK: usize>(self, c: &mut [u32], place: impl Fn(usize, usize) -> usize) {
        for (row, c) in c.chunks_exact_mut(self.columns.max(1)).enumerate() {
            let at = row * self.depth;
            let (ea, va) = (&self.a.exponents[at..at + self.depth], &self.a.values[at..at + self.depth]);
            for (chunk, c) in c.chunks_exact_mut(WIDE).enumerate() {
                let Some(c) = c.first_chunk_mut::<WIDE>() else { continue };
                // SAFETY: the caller guarantees the contract, and B has `depth` rows of `columns` columns.
                unsafe {
                    let eb = self.b.exponents.as_ptr().add(chunk * WIDE);
                    let vb = self.b.values.as_ptr().add(chunk * WIDE);
                    match avx2::near_chunk::<BLOCK>(ea, va, eb, vb, self.columns, c) {
                        Some(sums) => *c = sums,
                        None => self.rare_chunk(row, chunk, c, &place),
                    }
                }
            }
        }
    }

    /// # Safety
    /// The CPU has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[cold]
    #[inline(never)]
    unsafe fn rare_chunk(self, row: usize, chunk: usize, c: &mut [u32; WIDE], place: &impl Fn(usize, usize) -> usize) {
        // SAFETY: the caller guarantees the contract.
        unsafe { self.chunk::<true>(row, chunk, c, place) };
    }

    /// Computes eight columns of a row of D.
    ///
    /// # Safety
    /// The CPU has AVX2 if `FAST`.
    #[inline(always)]
    unsafe fn chunk<const FAST: bool>(
        self,
        row: usize,
        chunk: usize,
        c: &mut [u32; WIDE],
        place: &impl Fn(usize, usize) -> usize,
    ) {
        let Self { sum, a, b, columns, depth } = self;
        let at = row * depth;
        let (ea, sa) = (&a.exponents[at..at + depth], &a.significands[at..at + depth]);
        let va = &a.values[at..at + depth];
        let before = *c;
        for start in (0..depth).step_by(sum.block) {
            let end = (start + sum.block).min(depth);
            let eb = &b.exponents[chunk * WIDE..];
            let at = |k: usize| place(row, start + k) * columns;
            if self.near() {
                let vb = &b.values[chunk * WIDE..];
                // SAFETY: the caller guarantees the contract.
                unsafe { near_block::<FAST>(sum, &ea[start..end], &va[start..end], eb, vb, at, c) };
            } else {
                block(sum, &ea[start..end], &sa[start..end], eb, &b.significands[chunk * WIDE..], at, c);
            }
        }
        let plain = |bits: &u32| if sum.half { bits & 0x7c00 != 0x7c00 } else { bits & 0x7f80_0000 != 0x7f80_0000 };
        if a.any_special || b.any_special || !before.iter().all(plain) {
            for (i, c) in c.iter_mut().enumerate() {
                let column = chunk * WIDE + i;
                if a.special[row] || b.special[column] || !plain(&before[i]) {
                    let column_bits = (0..depth).map(|k| b.bits[place(row, k) * columns + column]);
                    *c = special(sum, &a.bits[at..at + depth], column_bits, before[i], *c);
                }
            }
        }
    }
}

/// Adds one block of a row of A and eight columns of B. `at` returns the start of the row of B for an element of A.
#[inline(always)]
fn block(sum: Sum, ea: &[i32], sa: &[i32], eb: &[i32], sb: &[i32], at: impl Fn(usize) -> usize, c: &mut [u32; WIDE]) {
    let (ec, sc) = accumulator(sum, c);
    let top = largest(&ec, ea, eb, &at);
    let mut total = [0f64; WIDE];
    let mut k = 0;
    while k < ea.len() {
        // Sixteen terms below 2²⁷ fit in 32 bits.
        let stop = (k + 16).min(ea.len());
        let mut part = [0i32; WIDE];
        while k < stop {
            let here = at(k);
            let (Some(eb), Some(sb)) = (eb[here..].first_chunk::<WIDE>(), sb[here..].first_chunk::<WIDE>()) else {
                break;
            };
            for i in 0..WIDE {
                let product = sa[k] * sb[i];
                let shift = (top[i] - (ea[k] + eb[i])).min(31) as u32;
                let size = product.unsigned_abs() >> shift;
                let sign = product >> 31;
                part[i] += (size as i32 ^ sign) - sign;
            }
            k += 1;
        }
        for i in 0..WIDE {
            total[i] += f64::from(part[i]);
        }
        if stop == ea.len() {
            break;
        }
        k = stop;
    }
    round(sum, &top, (&ec, &sc), &total, c);
}

/// Returns the factor for each column's products that makes the kept part of a product an integer. The exponent of a
/// near product is at least twice the lowest one. A column without products needs no scale.
#[inline(always)]
fn scales(sum: Sum, top: [i32; WIDE]) -> [f32; WIDE] {
    top.map(|top| single_power(sum.kept - top.max(2 * *NEAR.start())))
}

/// Computes [`block`] if all factors are near. The products are exact in single precision, and the conversion to
/// integers truncates them as the tensor core does.
///
/// # Safety
/// The CPU has AVX2 if `FAST`.
#[inline(always)]
unsafe fn near_block<const FAST: bool>(
    sum: Sum,
    ea: &[i32],
    va: &[f32],
    eb: &[i32],
    vb: &[f32],
    at: impl Fn(usize) -> usize,
    c: &mut [u32; WIDE],
) {
    let (ec, sc) = accumulator(sum, c);
    #[cfg(target_arch = "x86_64")]
    if FAST {
        // SAFETY: the caller guarantees AVX2.
        let (top, total) = unsafe {
            let top = avx2::largest(&ec, ea, eb, &at);
            (top, avx2::sums(&scales(sum, top), va, vb, &at))
        };
        return round(sum, &top, (&ec, &sc), &total.map(f64::from), c);
    }
    let top = largest(&ec, ea, eb, &at);
    let scale = scales(sum, top);
    let mut total = [0i32; WIDE];
    for (k, va) in va.iter().enumerate() {
        let Some(vb) = vb[at(k)..].first_chunk::<WIDE>() else { continue };
        for i in 0..WIDE {
            total[i] += (va * vb[i] * scale[i]) as i32;
        }
    }
    round(sum, &top, (&ec, &sc), &total.map(f64::from), c);
}

/// Returns the largest exponent of the accumulator and the products in each column.
#[inline(always)]
fn largest(ec: &[i32; WIDE], ea: &[i32], eb: &[i32], at: impl Fn(usize) -> usize) -> [i32; WIDE] {
    let mut top = ec.map(|exponent| exponent.max(MIN_EXPONENT));
    for (k, ea) in ea.iter().enumerate() {
        let Some(eb) = eb[at(k)..].first_chunk::<WIDE>() else { continue };
        for i in 0..WIDE {
            top[i] = top[i].max(ea + eb[i]);
        }
    }
    top
}

/// Computes D if an infinity or NaN takes part. `finite` is the result of the finite terms alone.
#[cold]
fn special(sum: Sum, a: &[u32], b: impl Iterator<Item = u32>, c: u32, finite: u32) -> u32 {
    let (nan, infinity, sign) = if sum.half { (0x7fff, 0x7c00, 0x8000) } else { (0x7fff_ffff, 0x7f80_0000, 1 << 31) };
    let (mut up, mut down) = (false, false);
    if c & infinity == infinity {
        if c & !sign != infinity {
            return nan;
        }
        (up, down) = (c & sign == 0, c & sign != 0);
    }
    for (a, b) in a.iter().zip(b) {
        if !sum.a.special(*a) && !sum.b.special(b) {
            continue;
        }
        if sum.a.nan(*a) || sum.b.nan(b) || sum.a.zero(*a) || sum.b.zero(b) {
            return nan;
        }
        let negative = sum.a.negative(*a) != sum.b.negative(b);
        up |= !negative;
        down |= negative;
    }
    match (up, down) {
        (true, true) => nan,
        (true, false) => infinity,
        (false, true) => infinity | sign,
        (false, false) => finite,
    }
}
