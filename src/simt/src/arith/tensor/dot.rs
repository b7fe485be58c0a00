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

use super::{Float, ZERO};
#[cfg(target_arch = "x86_64")]
use crate::arith::lanes::has_fast;

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
        // A product has as many fraction bits as both factors together. Shift A once, so that products have the bits to
        // be kept.
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

/// Inner loops of [`near_block`]. From plain code, the compiler would make vectors of half the width.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{MIN_EXPONENT, NEAR, WIDE, ZERO};
    use std::arch::x86_64::*;

    /// # Safety
    /// The CPU has AVX2.
    #[inline(always)]
    pub(super) unsafe fn largest(ec: &[i32; WIDE], ea: &[i32], eb: &[i32], at: impl Fn(usize) -> usize) -> [i32; WIDE] {
        // SAFETY: the caller guarantees AVX2, and eight words have the size of the vector.
        unsafe {
            let mut top = _mm256_max_epi32(_mm256_loadu_si256(ec.as_ptr().cast()), _mm256_set1_epi32(MIN_EXPONENT));
            for (k, ea) in ea.iter().enumerate() {
                let Some(eb) = eb[at(k)..].first_chunk::<WIDE>() else { continue };
                let eb = _mm256_loadu_si256(eb.as_ptr().cast());
                top = _mm256_max_epi32(top, _mm256_add_epi32(_mm256_set1_epi32(*ea), eb));
            }
            std::mem::transmute::<__m256i, [i32; WIDE]>(top)
        }
    }

    /// Computes eight columns of a row of D by blocks of `BLOCK`, in 32-bit integers. Works like [`super::near_block`] and
    /// [`super::round`] with 25 bits kept of each term. Returns `None` if an accumulator is infinite or NaN, a sum has
    /// more bits, or a result might be subnormal.
    ///
    /// # Safety
    /// The CPU has AVX2. `eb` and `vb` point to eight columns with as many rows as `ea` and `va` have elements. The
    /// rows are `columns` apart.
    #[inline(always)]
    pub(super) unsafe fn near_chunk<const BLOCK: usize>(
        ea: &[i32],
        va: &[f32],
        eb: *const i32,
        vb: *const f32,
        columns: usize,
        c: &[u32; WIDE],
    ) -> Option<[u32; WIDE]> {
        const KEPT: i32 = 25;
        // SAFETY: the caller guarantees the contract, and eight words have the size of the vector.
        unsafe {
            let word = |value: i32| _mm256_set1_epi32(value);
            let (zero, fraction, infinite) = (_mm256_setzero_si256(), word(0x7f_ffff), word(0xff));
            let mut c = _mm256_loadu_si256(c.as_ptr().cast());
            let field = |c: __m256i| _mm256_and_si256(_mm256_srli_epi32::<23>(c), infinite);
            let mut rare = _mm256_cmpeq_epi32(field(c), infinite);
            let blocks = ea.chunks_exact(BLOCK).zip(va.chunks_exact(BLOCK)).enumerate();
            for (block, (ea, va)) in blocks {
                let (eb, vb) = (eb.add(block * BLOCK * columns), vb.add(block * BLOCK * columns));
                // The accumulator's exponent (the lowest one for zero), and its significand without a sign.
                let field = field(c);
                let below = _mm256_cmpeq_epi32(field, zero);
                let significand =
                    _mm256_or_si256(_mm256_and_si256(c, fraction), _mm256_andnot_si256(below, word(1 << 23)));
                let exponent = _mm256_sub_epi32(_mm256_sub_epi32(field, below), word(127));
                let none = _mm256_cmpeq_epi32(significand, zero);
                let exponent = _mm256_blendv_epi8(exponent, word(ZERO), none);
                let mut top = _mm256_max_epi32(exponent, word(MIN_EXPONENT));
                for (k, ea) in ea.iter().enumerate() {
                    let eb = _mm256_loadu_si256(eb.add(k * columns).cast());
                    top = _mm256_max_epi32(top, _mm256_add_epi32(word(*ea), eb));
                }
                // Units of the kept bits: those of the products and of the accumulator.
                let power =
                    |exponent| _mm256_castsi256_ps(_mm256_slli_epi32::<23>(_mm256_add_epi32(exponent, word(127))));
                let scale = power(_mm256_sub_epi32(word(KEPT), _mm256_max_epi32(top, word(2 * *NEAR.start()))));
                let mut total = zero;
                for (k, va) in va.iter().enumerate() {
                    let product = _mm256_mul_ps(_mm256_set1_ps(*va), _mm256_loadu_ps(vb.add(k * columns)));
                    total = _mm256_add_epi32(total, _mm256_cvttps_epi32(_mm256_mul_ps(product, scale)));
                }
                let shift = _mm256_add_epi32(_mm256_sub_epi32(top, exponent), word(30 - KEPT));
                let added = _mm256_srlv_epi32(_mm256_slli_epi32::<7>(significand), shift);
                let sign = _mm256_srai_epi32::<31>(c);
                let added = _mm256_sub_epi32(_mm256_xor_si256(added, sign), sign);
                let sum = _mm256_add_epi32(total, added);
                let beyond = _mm256_and_si256(_mm256_xor_si256(total, sum), _mm256_xor_si256(added, sum));
                // Round to the nearest 24-bit number, and go back by one if that was upwards.
                let size = _mm256_abs_epi32(sum);
                let nearest = _mm256_cvtepi32_ps(size);
                let back = _mm256_cvttps_epi32(nearest);
                let truncated = _mm256_add_epi32(_mm256_castps_si256(nearest), _mm256_cmpgt_epi32(back, size));
                let unit = _mm256_sub_epi32(_mm256_max_epi32(top, word(KEPT - 126)), word(KEPT));
                let result = _mm256_castps_si256(_mm256_mul_ps(_mm256_castsi256_ps(truncated), power(unit)));
                // A unit below 2^-126 was replaced by 2^-126, so these results are rare cases. With 2^-126, every number
                // except zero is normal.
                let small = _mm256_cmpgt_epi32(word(KEPT - 126), top);
                let small = _mm256_andnot_si256(_mm256_cmpeq_epi32(sum, zero), small);
                rare = _mm256_or_si256(rare, _mm256_or_si256(small, _mm256_or_si256(beyond, back)));
                c = _mm256_or_si256(result, _mm256_slli_epi32::<31>(_mm256_srli_epi32::<31>(sum)));
            }
            let done = _mm256_movemask_ps(_mm256_castsi256_ps(rare)) == 0;
            done.then(|| std::mem::transmute::<__m256i, [u32; WIDE]>(c))
        }
    }

    /// # Safety
    /// The CPU has AVX2.
    #[inline(always)]
    pub(super) unsafe fn sums(scale: &[f32; WIDE], va: &[f32], vb: &[f32], at: impl Fn(usize) -> usize) -> [i32; WIDE] {
        // SAFETY: the caller guarantees AVX2, and eight words have the size of the vector.
        unsafe {
            let scale = _mm256_loadu_ps(scale.as_ptr());
            let mut total = _mm256_setzero_si256();
            for (k, va) in va.iter().enumerate() {
                let Some(vb) = vb[at(k)..].first_chunk::<WIDE>() else { continue };
                let product = _mm256_mul_ps(_mm256_set1_ps(*va), _mm256_loadu_ps(vb.as_ptr()));
                total = _mm256_add_epi32(total, _mm256_cvttps_epi32(_mm256_mul_ps(product, scale)));
            }
            std::mem::transmute::<__m256i, [i32; WIDE]>(total)
        }
    }
}

/// Decodes the accumulators.
#[inline(always)]
fn accumulator(sum: Sum, c: &[u32; WIDE]) -> ([i32; WIDE], [i32; WIDE]) {
    let (mut ec, mut sc) = ([0i32; WIDE], [0i32; WIDE]);
    for i in 0..WIDE {
        (ec[i], sc[i]) = if sum.half {
            let (exponent, significand) = Float::F16.decode(c[i]);
            (exponent, significand << 13)
        } else {
            single(c[i])
        };
    }
    (ec, sc)
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

/// Adds the accumulators to the sums of the products, in units of 2^(top − kept), and rounds.
#[inline(always)]
fn round(
    sum: Sum,
    top: &[i32; WIDE],
    (ec, sc): (&[i32; WIDE], &[i32; WIDE]),
    total: &[f64; WIDE],
    c: &mut [u32; WIDE],
) {
    let mut exact = [0f64; WIDE];
    for i in 0..WIDE {
        let shift = (top[i] - ec[i] + 30 - sum.kept).min(31) as u32;
        let size = ((sc[i].unsigned_abs() << 7) >> shift) as i32;
        let sign = sc[i] >> 31;
        // Exact: fewer than 40 bits times a power of two, well inside double precision.
        exact[i] = (total[i] + f64::from((size ^ sign) - sign)) * power(top[i] - sum.kept);
    }
    if sum.half {
        *c = exact.map(half_nearest);
        return;
    }
    const MIN_NORMAL: f64 = f32::MIN_POSITIVE as f64;
    let small = |exact: &f64| (exact.abs() < MIN_NORMAL) & (*exact != 0.0);
    if exact.iter().fold(false, |any, exact| any | small(exact)) {
        *c = exact.map(|exact| {
            if small(&exact) { truncated_small(exact, sum.fraction) } else { truncated(exact, sum.fraction) }
        });
    } else {
        *c = exact.map(|exact| truncated(exact, sum.fraction));
    }
}

/// Returns exponent and signed significand, with 23 fraction bits, of a single-precision number.
#[inline(always)]
fn single(bits: u32) -> (i32, i32) {
    let exponent = (bits >> 23) & 0xff;
    let normal = u32::from(exponent != 0);
    let significand = (bits & 0x7f_ffff | normal << 23) as i32;
    let exponent = if significand == 0 { ZERO } else { (exponent + 1 - normal) as i32 - 127 };
    (exponent, if bits >> 31 == 1 { -significand } else { significand })
}

/// Returns 2 to the power of `exponent`, which must be in -1022…1023.
#[inline(always)]
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Returns 2 to the power of `exponent` in single precision; it must be in -126…127.
#[inline(always)]
fn single_power(exponent: i32) -> f32 {
    f32::from_bits(((exponent + 127) as u32) << 23)
}

/// Truncates `exact`, zero or normal, toward zero to a single-precision number with `fraction` fraction bits.
#[inline(always)]
fn truncated(exact: f64, fraction: u32) -> u32 {
    (f64::from_bits(exact.to_bits() & !((1u64 << (52 - fraction)) - 1)) as f32).to_bits()
}

/// Truncates a number that is subnormal in single precision.
#[cold]
fn truncated_small(exact: f64, fraction: u32) -> u32 {
    let unit = power(-126 - fraction as i32);
    // Zero has no sign. The addition leaves every other number unchanged.
    (((exact / unit).trunc() * unit) as f32 + 0.0).to_bits()
}

/// Returns the bits of the half-precision number nearest to `exact`, ties to even.
pub(crate) fn half_nearest(exact: f64) -> u32 {
    let sign = (exact.to_bits() >> 48 & 0x8000) as u32;
    let size = exact.abs();
    // Half way between the largest number and the next power of two.
    if size >= 65520.0 {
        return sign | 0x7c00;
    }
    let exponent = ((size.to_bits() >> 52) as i32 - 1023).max(-14);
    let units = (size * power(10 - exponent)).round_ties_even() as u32;
    // Zero has no sign.
    if units == 0 {
        return 0;
    }
    // A carry out of the fraction correctly goes into the exponent.
    sign | (units + (((exponent + 14) as u32) << 10))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes A·B + C of 16×32 and 32×8 elements with near factors and without, and returns whether all factors were
    /// near.
    fn both<const FAST: bool, const DENSE: bool>(sum: Sum, a: &[u32], b: &[u32], c: &[u32]) -> ([Vec<u32>; 2], bool) {
        let (mut left, mut right) = (Matrix::default(), Matrix::default());
        left.set_rows(sum, a, 32);
        right.set_columns(sum, b, 8);
        let near = left.near && right.near;
        let results = [near, false].map(|near| {
            left.near = near;
            let mut c = c.to_vec();
            // SAFETY: the caller sets `FAST` only if the CPU has the features.
            unsafe { multiply::<FAST, DENSE>(sum, &left, &right, 8, &mut c, |_, k| k) };
            c
        });
        (results, near)
    }

    #[test]
    fn the_largest_sums_of_32_bits_are_cut_as_others_are() {
        let sum = Sum { a: Float::BF16, b: Float::BF16, block: 16, kept: 25, half: false, fraction: 23 };
        let (mut a, b) = (vec![0x3fff; 16 * 32], vec![0x3fff; 32 * 8]);
        // One block of sixteen products, each 255² / 128².
        a.chunks_exact_mut(32).for_each(|row| row[16..].fill(0));
        let products = 16 * ((255 * 255) << (25 - 14));
        let c: Vec<u32> = (0..16 * 8)
            .map(|at| ((i64::from(i32::MAX - products) - 96 + at) as f32 * single_power(-25)).to_bits())
            .collect();
        let ([near, all], found) = both::<false, true>(sum, &a, &b, &c);
        assert!(found);
        assert_eq!(near, all);
        #[cfg(target_arch = "x86_64")]
        if has_fast() {
            assert_eq!(both::<true, true>(sum, &a, &b, &c).0, [all.clone(), all]);
        }
    }

    #[test]
    fn products_of_near_factors_have_the_bits_of_all_others() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        let single = |fraction| (25, fraction);
        let formats = [
            (Float::BF16, 16, single(23)),
            (Float::F16, 16, single(23)),
            (Float::TF32, 8, single(23)),
            (Float::E4M3, 32, (13, 13)),
            (Float::E5M2, 32, (13, 13)),
        ];
        for (format, block, (kept, fraction)) in formats {
            let sum = Sum { a: format, b: format, block, kept, half: false, fraction };
            let mut near = 0;
            for case in 0..200 {
                // Factors of about 2^middle, some of them zero, down to the smallest near ones.
                let middle = [0, -20, 30, -46, 55][case % 5];
                // In every seventh case, all factors are as large as their exponent allows, for the largest sums. In
                // the others, some are zero.
                let largest = case % 7 == 6;
                let mut factor = || {
                    let exponent = middle + if largest { 0 } else { (random() % 8) as i32 - 3 };
                    let fraction = if largest { 0x7f_ffff } else { random() & 0x7f_ffff };
                    let value = f32::from_bits(((127 + exponent) as u32) << 23 | fraction);
                    let value = if !largest && random() % 5 == 0 { 0.0 } else { value };
                    let negative = !largest && random() % 2 == 1;
                    let bits = (if negative { -value } else { value }).to_bits();
                    match format.bits {
                        32 => bits,
                        16 if format == Float::BF16 => bits >> 16,
                        // Finite numbers only: the lowest bit of the exponent is cleared.
                        all => random() & (u32::MAX >> (32 - all)) & !(1 << (format.fraction_bits)),
                    }
                };
                let mut a: Vec<u32> = (0..16 * 32).map(|_| factor()).collect();
                if case % 7 == 5 {
                    // All products are zero, so the smallest numbers stay unchanged.
                    a.fill(0);
                }
                let b: Vec<u32> = (0..32 * 8).map(|_| factor()).collect();
                let mut c: Vec<u32> =
                    (0..16 * 8).map(|at| if at % 3 == 0 { 0 } else { random() << 1 | at & 1 }).collect();
                if case % 2 == 1 {
                    // C is the negated result of the products alone, so that little or nothing is left.
                    let ([products, _], _) = both::<false, true>(sum, &a, &b, &[0; 16 * 8]);
                    c = products.iter().map(|bits| bits ^ 1 << 31).collect();
                }
                let (results, found) = both::<false, true>(sum, &a, &b, &c);
                assert_eq!(results[0], results[1], "{format:?}, case {case}");
                #[cfg(target_arch = "x86_64")]
                if has_fast() {
                    let same = [results[1].clone(), results[1].clone()];
                    assert_eq!(both::<true, false>(sum, &a, &b, &c).0, same, "{format:?}");
                    assert_eq!(both::<true, true>(sum, &a, &b, &c).0, same, "{format:?}");
                }
                near += usize::from(found);
            }
            assert!(near > 100, "{format:?}: {near}");
        }
    }
}
