//! Decodes the accumulators of a block, and rounds its sums.

use super::{Sum, WIDE};
use crate::arith::tensor::{Float, ZERO};

#[inline(always)]
pub(super) fn accumulator(sum: Sum, c: &[u32; WIDE]) -> ([i32; WIDE], [i32; WIDE]) {
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

/// Adds the accumulators to the sums of the products, in units of 2^(top − kept), and rounds.
#[inline(always)]
pub(super) fn round(
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
pub(super) fn single(bits: u32) -> (i32, i32) {
    let exponent = (bits >> 23) & 0xff;
    let normal = u32::from(exponent != 0);
    let significand = (bits & 0x7f_ffff | normal << 23) as i32;
    let exponent = if significand == 0 { ZERO } else { (exponent + 1 - normal) as i32 - 127 };
    (exponent, if bits >> 31 == 1 { -significand } else { significand })
}

/// Returns 2 to the power of `exponent`, which must be in -1022…1023.
#[inline(always)]
pub(super) fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Returns 2 to the power of `exponent` in single precision; it must be in -126…127.
#[inline(always)]
pub(super) fn single_power(exponent: i32) -> f32 {
    f32::from_bits(((exponent + 127) as u32) << 23)
}

/// Truncates `exact`, zero or normal, toward zero to a single-precision number with `fraction` fraction bits.
#[inline(always)]
pub(super) fn truncated(exact: f64, fraction: u32) -> u32 {
    (f64::from_bits(exact.to_bits() & !((1u64 << (52 - fraction)) - 1)) as f32).to_bits()
}

/// Truncates a number that is subnormal in single precision.
#[cold]
pub(super) fn truncated_small(exact: f64, fraction: u32) -> u32 {
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
