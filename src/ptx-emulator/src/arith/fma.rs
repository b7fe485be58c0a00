//! Fused multiply-add, also on platforms without an instruction for it or without a library that rounds once.

use super::soft::{F64, Round, Value};

/// True for the C library of mingw-w64. Without an FMA instruction, its `fma` uses the x87's 64 bits and rounds twice.
const ROUNDS_TWICE: bool = cfg!(all(windows, target_env = "gnu"));

/// Computes `a × b + c`, rounded once.
#[inline(always)]
pub(crate) fn fma(a: f32, b: f32, c: f32) -> f32 {
    // WebAssembly has no instruction, and its library takes a hundred times as long.
    if cfg!(target_family = "wasm") || ROUNDS_TWICE { in_double(a, b, c) } else { a.mul_add(b, c) }
}

/// Computes `a × b + c` in double precision, rounded once. The bits of a NaN are unspecified.
#[inline(always)]
pub(crate) fn fma64(a: f64, b: f64, c: f64) -> f64 {
    if ROUNDS_TWICE { in_whole_numbers(a, b, c) } else { a.mul_add(b, c) }
}

/// Computes eight sums `a × b + c`, each rounded once. The bits of a NaN are unspecified.
#[inline(always)]
pub(crate) fn fma8(a: [f32; 8], b: [f32; 8], c: [f32; 8]) -> [f32; 8] {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    if let Some(sums) = in_double8(a, b, c) {
        return sums;
    }
    std::array::from_fn(|i| fma(a[i], b[i], c[i]))
}

/// Rounds each exact product plus `c` to double precision, then to single precision. `None` if for one of them this may
/// differ from a single rounding: it is in the middle between two floats, or below the smallest normal float.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn in_double8(a: [f32; 8], b: [f32; 8], c: [f32; 8]) -> Option<[f32; 8]> {
    use std::arch::wasm32::*;
    let mut doubt = u64x2_splat(0);
    let mut sums = [0.0; 8];
    for at in [0, 4] {
        let low = [a, b, c].map(|of| f32x4(of[at], of[at + 1], of[at + 2], of[at + 3]));
        let high = low.map(|four| i64x2_shuffle::<1, 1>(four, four));
        let [low, high] = [low, high].map(|two| {
            let [a, b, c] = two.map(|x| f64x2_promote_low_f32x4(x));
            let sum = f64x2_add(f64x2_mul(a, b), c);
            let beyond = v128_and(sum, u64x2_splat(0x1fff_ffff));
            doubt = v128_or(doubt, i64x2_eq(beyond, u64x2_splat(0x1000_0000)));
            f32x4_demote_f64x2_zero(sum)
        });
        let sum = i64x2_shuffle::<0, 2>(low, high);
        let small = f32x4_lt(f32x4_abs(sum), f32x4_splat(f32::MIN_POSITIVE));
        // A sum that becomes zero was exact.
        doubt = v128_or(doubt, v128_and(small, f32x4_ne(sum, f32x4_splat(0.0))));
        sums[at] = f32x4_extract_lane::<0>(sum);
        sums[at + 1] = f32x4_extract_lane::<1>(sum);
        sums[at + 2] = f32x4_extract_lane::<2>(sum);
        sums[at + 3] = f32x4_extract_lane::<3>(sum);
    }
    (!v128_any_true(doubt)).then_some(sums)
}

fn in_whole_numbers(a: f64, b: f64, c: f64) -> f64 {
    let of = |value: f64| Value::of(value.to_bits(), F64);
    f64::from_bits(of(a).times(of(b)).plus(of(c), Round::Nearest).rounded(F64, Round::Nearest, f64::NAN.to_bits()))
}

/// Computes a fused multiply-add in double precision. There the product is exact, and the sum is rounded *to odd*: if
/// it is inexact, its last bit becomes one. Rounding this sum to single precision then equals rounding the exact sum
/// (S. Boldo and G. Melquiond, “Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd”,
/// IEEE Transactions on Computers 57(4), 2008).
fn in_double(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    // The exact rounding error of the sum (D. Knuth's two-sum).
    let from_c = sum - product;
    let lost = (product - (sum - from_c)) + (c - from_c);
    let bits = sum.to_bits();
    if !sum.is_finite() || lost == 0.0 || bits & 1 == 1 {
        return sum as f32;
    }
    let away = (lost > 0.0) == (sum > 0.0);
    f64::from_bits(if away { bits + 1 } else { bits - 1 }) as f32
}

#[cfg(test)]
mod tests {
    use super::{fma, fma64, in_double};
    use crate::arith::soft::{F32, Round, Value};

    #[test]
    fn both_precisions_are_rounded_once_on_every_platform() {
        // The exact sums are just above the middle between two numbers. Rounded to 64 bits first, they are exactly in
        // the middle.
        let (a, b) = (1.0 + 2f32.powi(-12), 1.0 + 2f32.powi(-12));
        assert_eq!(fma(a, b, 2f32.powi(-80)), 1.0 + 2f32.powi(-11) + f32::EPSILON);
        let (a, b) = (1.0 + 2f64.powi(-27), 1.0 + 2f64.powi(-26));
        assert_eq!(fma64(a, b, 2f64.powi(-120)), 1.0 + 2f64.powi(-26) + 2f64.powi(-27) + f64::EPSILON);
    }

    #[test]
    fn double_precision_gives_the_bits_of_the_fused_instruction() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 32) as u32
        };
        let special = [0, 1, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0x3f80_0001, 0x7f7f_ffff, 0x7f80_0000, 0x7fc0_0000];
        for case in 0..2_000_000 {
            let [mut a, mut b, mut c] = [next(), next(), next()];
            let pick = next();
            match case % 4 {
                // Close to each other, so that sums cancel.
                0 => {
                    a = 0x3f80_0000 | a >> 12;
                    b = 0x3f80_0000 | b >> 12;
                    c = ((-(f32::from_bits(a) * f32::from_bits(b))).to_bits()).wrapping_add(c % 5).wrapping_sub(2);
                }
                // Subnormal results.
                1 => (a, b, c) = (a & 0x9fff_ffff, b & 0x9fff_ffff, c & 0x807f_ffff),
                2 => {
                    a = special[pick as usize % special.len()] | a & 1 << 31;
                    c = special[(pick >> 8) as usize % special.len()] | c & 1 << 31;
                }
                _ => {}
            }
            let [x, y, z] = [a, b, c].map(f32::from_bits);
            let [u, v, w] = [a, b, c].map(|bits| Value::of(u64::from(bits), F32));
            let exact = u.times(v).plus(w, Round::Nearest).rounded(F32, Round::Nearest, u64::from(f32::NAN.to_bits()));
            let (found, wanted) = (in_double(x, y, z), f32::from_bits(exact as u32));
            assert!(found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan(), "{a:#x} {b:#x} {c:#x}");
        }
    }
}
