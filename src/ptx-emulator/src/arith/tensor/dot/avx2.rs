//! Inner loops of [`super::near_block`]. From plain code, the compiler would make vectors of half the width.

use super::{MIN_EXPONENT, NEAR, WIDE};
use crate::arith::tensor::ZERO;
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
            let significand = _mm256_or_si256(_mm256_and_si256(c, fraction), _mm256_andnot_si256(below, word(1 << 23)));
            let exponent = _mm256_sub_epi32(_mm256_sub_epi32(field, below), word(127));
            let none = _mm256_cmpeq_epi32(significand, zero);
            let exponent = _mm256_blendv_epi8(exponent, word(ZERO), none);
            let mut top = _mm256_max_epi32(exponent, word(MIN_EXPONENT));
            for (k, ea) in ea.iter().enumerate() {
                let eb = _mm256_loadu_si256(eb.add(k * columns).cast());
                top = _mm256_max_epi32(top, _mm256_add_epi32(word(*ea), eb));
            }
            // Units of the kept bits: those of the products and of the accumulator.
            let power = |exponent| _mm256_castsi256_ps(_mm256_slli_epi32::<23>(_mm256_add_epi32(exponent, word(127))));
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
