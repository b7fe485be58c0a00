//! Half precision and bfloat16, one value or two in a register.
//!
//! Every operation is computed in double precision so that rounding once more gives the correctly rounded result. Sums
//! that are not exact there are rounded to odd (Boldo and Melquiond, 2008).

use super::float::canonical as canonical32;
use super::lanes::define;
use super::soft::{BF16, F16, F64, FloatFormat, Round, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Sub,
    Mul,
    Fma,
    Neg,
    Abs,
    Min,
    Max,
    Exp2,
    Tanh,
}

const OPERATIONS: [Operation; 10] = [
    Operation::Add,
    Operation::Sub,
    Operation::Mul,
    Operation::Fma,
    Operation::Neg,
    Operation::Abs,
    Operation::Min,
    Operation::Max,
    Operation::Exp2,
    Operation::Tanh,
];

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    pub(crate) bfloat: bool,
    pub(crate) packed: bool,
    pub(crate) ftz: bool,
    pub(crate) sat: bool,
    pub(crate) relu: bool,
    /// A NaN operand of `min` and `max` gives NaN.
    pub(crate) nan: bool,
    pub(crate) xorsign: bool,
    /// An operand with the bits of the out-of-bounds NaN gives zero.
    pub(crate) oob: bool,
}

/// Returns the constant of [`arithmetic`].
pub(crate) fn variant(operation: Operation, flags: Flags) -> u64 {
    let all = [flags.bfloat, flags.packed, flags.ftz, flags.sat, flags.relu, flags.nan, flags.xorsign, flags.oob];
    all.iter().enumerate().fold(operation as u64, |spec, (at, flag)| spec | u64::from(*flag) << (8 + at))
}

/// The NaN that stands for an out-of-bounds element, without its sign.
const OUT_OF_BOUNDS: u64 = 0x7ff7;

/// The NaN that 16-bit arithmetic produces.
pub(crate) const NAN16: u64 = 0x7fff;

/// Computes one value, or two packed ones.
pub(crate) fn arithmetic(a: u64, b: u64, c: u64, spec: u64) -> u64 {
    let operation = OPERATIONS[(spec & 15).min(9) as usize];
    let flag = |at: u32| spec >> (8 + at) & 1 == 1;
    let flags = Flags {
        bfloat: flag(0),
        packed: flag(1),
        ftz: flag(2),
        sat: flag(3),
        relu: flag(4),
        nan: flag(5),
        xorsign: flag(6),
        oob: flag(7),
    };
    let half = |shift: u32| one(operation, [a, b, c].map(|bits| bits >> shift & 0xffff), flags) << shift;
    if flags.packed { half(0) | half(16) } else { half(0) }
}

fn one(operation: Operation, operands: [u64; 3], flags: Flags) -> u64 {
    use Operation as O;
    let format = if flags.bfloat { BF16 } else { F16 };
    let [a, b, c] = if flags.ftz { operands.map(|bits| format.flush(bits)) } else { operands };
    let [x, y, z] = [a, b, c].map(|bits| widen(bits, format));
    if flags.oob && [a, b].iter().any(|bits| bits & 0x7fff == OUT_OF_BOUNDS) {
        return 0;
    }
    let least = widen(1 << format.mantissa, format);
    let narrow = |value: f64| narrow(value, format);
    let bits = match operation {
        O::Add => narrow(odd_sum(x, y)),
        O::Sub => narrow(odd_sum(x, -y)),
        // A product that is subnormal before rounding is flushed.
        O::Mul if flags.ftz && (x * y).abs() < least => 0x8000 & (a ^ b),
        O::Mul => narrow(x * y),
        O::Fma => narrow(odd_sum(x * y, z)),
        O::Neg => return canonical(a ^ 0x8000, format),
        O::Abs => return canonical(a & 0x7fff, format),
        O::Min | O::Max => return extreme(a, b, operation == O::Min, flags, format),
        O::Exp2 => narrow(x.exp2()),
        O::Tanh => narrow(x.tanh()),
    };
    let bits = if flags.ftz { format.flush(bits) } else { bits };
    if flags.relu {
        relu(bits, format)
    } else if flags.sat {
        saturate(bits, format)
    } else {
        bits
    }
}

fn canonical(bits: u64, format: FloatFormat) -> u64 {
    if format.is_nan(bits) { NAN16 } else { bits }
}

/// Replaces negative values with zero. Keeps NaN.
pub(crate) fn relu(bits: u64, format: FloatFormat) -> u64 {
    if bits & format.sign() != 0 && !format.is_nan(bits) { 0 } else { bits }
}

/// Clamps to 0…1. NaN becomes 0.
pub(crate) fn saturate(bits: u64, format: FloatFormat) -> u64 {
    let one = (format.infinity() >> 1) & format.infinity();
    if format.is_nan(bits) || bits & format.sign() != 0 { 0 } else { bits.min(one) }
}

fn extreme(a: u64, b: u64, least: bool, flags: Flags, format: FloatFormat) -> u64 {
    let sign = if flags.xorsign { (a ^ b) & 0x8000 } else { 0 };
    let (a, b) = if flags.xorsign { (a & 0x7fff, b & 0x7fff) } else { (a, b) };
    // In this order, the bits are sorted like the values.
    let order = |bits: u64| if bits & 0x8000 != 0 { -((bits & 0x7fff) as i32) - 1 } else { bits as i32 };
    let bits = match (format.is_nan(a), format.is_nan(b)) {
        (true, true) => return NAN16,
        (true, false) | (false, true) if flags.nan => return NAN16,
        (true, false) => b,
        (false, true) => a,
        _ if (order(a) < order(b)) == least => a,
        _ => b,
    };
    bits | sign
}

/// Returns the exact value in double precision.
#[inline(always)]
pub(crate) fn widen(bits: u64, format: FloatFormat) -> f64 {
    if format.mantissa == 7 {
        return f64::from(f32::from_bits((bits as u32) << 16));
    }
    // The half's exponent and mantissa, read as a double, are too small by 2^(1023-15).
    let magnitude = f64::from_bits((bits & 0x7fff) << 42);
    let value = magnitude * f64::from_bits((1023 + 1008) << 52);
    let value = if bits & 0x7c00 == 0x7c00 { f64::from_bits(0x7ff0 << 48 | (bits & 0x3ff) << 42) } else { value };
    if bits & 0x8000 != 0 { -value } else { value }
}

/// Rounds to the nearest half or bfloat16.
pub(crate) fn narrow(value: f64, format: FloatFormat) -> u64 {
    Value::of(value.to_bits(), F64).rounded(format, Round::Nearest, NAN16)
}

/// Adds in double precision and rounds to odd. Rounding the sum again to fewer bits equals one rounding.
#[inline(always)]
pub(crate) fn odd_sum(x: f64, y: f64) -> f64 {
    let sum = x + y;
    let part = sum - x;
    // The rounding error of the sum (Knuth's TwoSum).
    let lost = (x - (sum - part)) + (y - part);
    if lost == 0.0 || !lost.is_finite() || sum.to_bits() & 1 == 1 {
        return sum;
    }
    if lost > 0.0 { sum.next_up() } else { sum.next_down() }
}

/// Converts a half to single precision. Bit 0 of the constant: bfloat16; bit 1: the upper half of the register; bit 2:
/// `.ftz`.
pub(crate) fn to_single(a: u64, _: u64, _: u64, spec: u64) -> u64 {
    let format = if spec & 1 == 1 { BF16 } else { F16 };
    let bits = a >> (8 * (spec & 2)) & 0xffff;
    let bits = if spec & 4 != 0 { format.flush(bits) } else { bits };
    u64::from((widen(bits, format) as f32).to_bits())
}

#[inline(always)]
fn single(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// Converts a half to single precision. NaN keeps its payload.
#[inline(always)]
fn single_of_f16(bits: u32) -> f32 {
    // As in `widen`, but the factor is 2^(127-15).
    let value = single((bits & 0x7fff) << 13) * single((127 + 112) << 23);
    let value = if bits & 0x7c00 == 0x7c00 { single(0x7f80_0000 | (bits & 0x3ff) << 13) } else { value };
    single(value.to_bits() | (bits & 0x8000) << 16)
}

/// Rounds to the nearest half.
#[inline(always)]
fn f16_of_single(value: f32) -> u32 {
    let bits = value.to_bits();
    let size = bits & 0x7fff_ffff;
    // Below 2^-14, adding one half aligns the last place of a half with the end of the mantissa.
    let small = (single(size) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    let moved = size.wrapping_sub(0x3800_0000);
    let usual = moved.wrapping_add(0xfff + (moved >> 13 & 1)) >> 13;
    let rounded = if size < 0x3880_0000 { small } else { usual };
    let rounded = if size >= 0x477f_f000 { 0x7c00 } else { rounded };
    if size > 0x7f80_0000 { 0x7fff } else { rounded | (bits >> 16 & 0x8000) }
}

/// Rounds to the nearest bfloat16.
#[inline(always)]
fn bf16_of_single(value: f32) -> u32 {
    let bits = value.to_bits();
    if value.is_nan() { 0x7fff } else { bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16 }
}

/// Adds in single precision and rounds to odd.
#[inline(always)]
fn odd_sum_single(x: f32, y: f32) -> f32 {
    let sum = x + y;
    let part = sum - x;
    let lost = (x - (sum - part)) + (y - part);
    let bits = sum.to_bits();
    // Round away from zero if the error has the sign of the sum.
    let away = (lost.to_bits() ^ bits) >> 31 == 0;
    let odd = if away { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
    let exact = lost == 0.0 || !lost.is_finite() || bits & 1 == 1;
    single(if exact { bits } else { odd })
}

/// Rounds to odd in single precision, so that a later rounding to bfloat16 equals one rounding.
#[inline(always)]
fn odd_single(value: f64) -> f32 {
    let near = value as f32;
    let bits = near.to_bits();
    let back = f64::from(near);
    let odd = if value.abs() > back.abs() { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
    let exact = back == value || !back.is_finite() || bits & 1 == 1;
    single(if exact { bits } else { odd })
}

#[inline(always)]
fn both(a: u32, b: u32, c: u32, one: impl Fn(u32, u32, u32) -> u32) -> u32 {
    one(a & 0xffff, b & 0xffff, c & 0xffff) | one(a >> 16, b >> 16, c >> 16) << 16
}

/// Runs `cvt.rna.tf32.f32`, which kernels apply to each element that they load. Adds half of the last place to the
/// magnitude and truncates the rest. A carry correctly goes into the exponent, and from the largest number to infinity.
/// NaN is only truncated.
#[inline(always)]
pub(super) fn tf32_of_single(bits: u32) -> u32 {
    let nan = bits & 0x7fff_ffff > 0x7f80_0000;
    bits.wrapping_add(if nan { 0 } else { 0x1000 }) & 0xffff_e000
}

#[inline(always)]
fn f16_op(a: u32, b: u32, compute: impl Fn(f32, f32) -> f32) -> u32 {
    // Single precision has more than twice the digits of a half, plus two, so rounding twice equals rounding once.
    both(a, b, 0, |a, b, _| f16_of_single(compute(single_of_f16(a), single_of_f16(b))))
}

#[inline(always)]
fn bf16_op(a: u32, b: u32, c: u32, compute: impl Fn(f64, f64, f64) -> f64) -> u32 {
    let wide = |bits: u32| f64::from(single(bits << 16));
    both(a, b, c, |a, b, c| bf16_of_single(odd_single(compute(wide(a), wide(b), wide(c)))))
}

define! {
    AddF16(a: u32, b: u32) -> u32 { f16_op(a, b, |x, y| x + y) }
    SubF16(a: u32, b: u32) -> u32 { f16_op(a, b, |x, y| x - y) }
    MulF16(a: u32, b: u32) -> u32 { f16_op(a, b, |x, y| x * y) }
    FmaF16(a: u32, b: u32, c: u32) -> u32 {
        both(a, b, c, |a, b, c| {
            f16_of_single(odd_sum_single(single_of_f16(a) * single_of_f16(b), single_of_f16(c)))
        })
    }
    AddBf16(a: u32, b: u32) -> u32 { bf16_op(a, b, 0, |x, y, _| odd_sum(x, y)) }
    SubBf16(a: u32, b: u32) -> u32 { bf16_op(a, b, 0, |x, y, _| odd_sum(x, -y)) }
    MulBf16(a: u32, b: u32) -> u32 { bf16_op(a, b, 0, |x, y, _| x * y) }
    FmaBf16(a: u32, b: u32, c: u32) -> u32 { bf16_op(a, b, c, |x, y, z| odd_sum(x * y, z)) }
    WidenF16(a: u32) -> u32 { canonical32(single_of_f16(a & 0xffff)) }
    WidenBf16(a: u32) -> u32 { a << 16 }
    NarrowF16(a: u32) -> u32 { f16_of_single(single(a)) }
    NarrowBf16(a: u32) -> u32 { bf16_of_single(single(a)) }
    NarrowTf32(a: u32) -> u32 { tf32_of_single(a) }
}
