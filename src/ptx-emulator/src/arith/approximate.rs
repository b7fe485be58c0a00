/*! The approximate functions.

A GPU computes them from tables in its multi-function unit. A few ordinary instructions around it scale and reduce the
operand. The emulator runs those as the GPU does, so that overflow, underflow, subnormal and very large operands give
the same results. It replaces the unit itself with the exact function, rounded once. Results stay within the errors that
the PTX ISA documents. They differ from an NVIDIA H200's by at most this much, over the operands of the conformance
suite. The unit is the last place, unless stated otherwise:

| form | difference |
|---|---|
| `rcp.approx` `sqrt.approx` `rsqrt.approx` `.f32` | 1 |
| `div.approx.f32` `div.full.f32` | 2 |
| `ex2.approx.f32` | 2 |
| `lg2.approx.f32` | 2, or 2⁻²² in absolute terms for operands between 1/2 and 2 |
| `sin.approx.f32` `cos.approx.f32` | 2⁻²⁰ in absolute terms |
| `tanh.approx.f32` | 2⁻¹⁰·⁹ in relative terms |
| `ex2.approx` `tanh.approx` of halves and bfloat16 | 1 |
| `rcp.approx.ftz.f64` `rsqrt.approx.ftz.f64` | 1 of the upper word; the lower word is zero |
| `rsqrt.approx.f64` | 1 |
*/

use super::float::{NAN32, canonical, flush};
use super::soft::{F32, Round, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Sin,
    Cos,
    Exp2,
    Log2,
    Tanh,
    Rsqrt,
    Sqrt,
    Rcp,
    /// `div.approx`.
    Quotient,
    /// `div.full`.
    FullQuotient,
}

const FUNCTIONS: [Function; 10] = [
    Function::Sin,
    Function::Cos,
    Function::Exp2,
    Function::Log2,
    Function::Tanh,
    Function::Rsqrt,
    Function::Sqrt,
    Function::Rcp,
    Function::Quotient,
    Function::FullQuotient,
];

/// Returns the constant of [`single`].
pub(crate) fn variant(function: Function, ftz: bool) -> u64 {
    function as u64 | u64::from(ftz) << 4
}

/// Models the multi-function unit: subnormal operands and results become zero.
fn unit(x: f32, compute: impl Fn(f64) -> f64) -> f32 {
    let x = f64::from(f32::from_bits(flush(x.to_bits())));
    f32::from_bits(flush(canonical(compute(x) as f32)))
}

const MIN_NORMAL: f32 = f32::MIN_POSITIVE;
/// 2¹²⁶: reciprocals of larger numbers are subnormal.
const LARGE: f32 = 8.507_059e37;
/// 2²⁴: this factor makes subnormal numbers normal.
const LIFT: f32 = 16_777_216.0;

/// Computes in single precision.
pub(crate) fn single(a: u64, b: u64, _: u64, spec: u64) -> u64 {
    let ftz = spec & 16 != 0;
    let number = |bits: u64| f32::from_bits(if ftz { flush(bits as u32) } else { bits as u32 });
    let (x, y) = (number(a), number(b));
    let reciprocal = |x: f32| unit(x, |x| 1.0 / x);
    let lifted = !ftz && x.abs() < MIN_NORMAL;
    let result = match FUNCTIONS[(spec & 15).min(9) as usize] {
        Function::Sin => unit(turns(x), |t| whole_turns(t, f64::sin)),
        Function::Cos => unit(turns(x), |t| whole_turns(t, f64::cos)),
        Function::Exp2 if !ftz && x < -126.0 => {
            let root = unit(x * 0.5, f64::exp2);
            root * root
        }
        Function::Exp2 => unit(x, f64::exp2),
        Function::Log2 if lifted => unit(x * LIFT, f64::log2) - 24.0,
        Function::Log2 => unit(x, f64::log2),
        // The unit cannot take subnormal operands. Each is its own hyperbolic tangent.
        Function::Tanh if x.abs() < MIN_NORMAL => x,
        Function::Tanh => unit(x, f64::tanh),
        Function::Rsqrt if lifted => unit(x * LIFT, |x| 1.0 / x.sqrt()) * 4096.0,
        Function::Rsqrt => unit(x, |x| 1.0 / x.sqrt()),
        Function::Sqrt if lifted => unit(x * LIFT, f64::sqrt) * (1.0 / 4096.0),
        Function::Sqrt => unit(x, f64::sqrt),
        Function::Rcp if ftz => reciprocal(x),
        Function::Rcp => {
            let scale = if x.abs() > LARGE {
                0.25
            } else if x.abs() < MIN_NORMAL {
                LIFT
            } else {
                1.0
            };
            scale * reciprocal(x * scale)
        }
        Function::Quotient if !ftz && y.abs() < MIN_NORMAL => reciprocal(y * LIFT) * (x * LIFT),
        Function::Quotient => reciprocal(y) * x,
        Function::FullQuotient if y.abs() > LARGE => {
            let scaled = |x: f32| if ftz { f32::from_bits(flush((x * 0.25).to_bits())) } else { x * 0.25 };
            reciprocal(scaled(y)) * scaled(x)
        }
        Function::FullQuotient if !ftz && y.abs() < MIN_NORMAL => reciprocal(y * LIFT) * (x * LIFT),
        Function::FullQuotient => reciprocal(y) * x,
    };
    let bits = canonical(result);
    u64::from(if ftz { flush(bits) } else { bits })
}

/// Returns an angle in turns as the GPU reduces it: by one product, rounded towards zero.
fn turns(x: f32) -> f32 {
    let per_radian = Value::of(0x3e22_f983, F32);
    let product = Value::of(x.to_bits().into(), F32).times(per_radian);
    f32::from_bits(product.rounded(F32, Round::Zero, NAN32.into()) as u32)
}

fn whole_turns(turns: f64, compute: impl Fn(f64) -> f64) -> f64 {
    // The fraction is exact, and quarters of a turn give exact results.
    let fraction = turns - turns.floor();
    let quarters = (fraction * 4.0).round();
    let value =
        compute((fraction * 4.0 - quarters) * std::f64::consts::FRAC_PI_2 + quarters * std::f64::consts::FRAC_PI_2);
    if value.abs() < 1e-15 { 0.0f64.copysign(if turns < 0.0 { -1.0 } else { 1.0 }) } else { value }
}

/// Computes `rcp.approx.ftz.f64`, or `rsqrt.approx.ftz.f64` if the constant is 1, from upper word to upper word.
pub(crate) fn upper_word(a: u64, _: u64, _: u64, root: u64) -> u64 {
    let bits = a & 0xffff_ffff_0000_0000;
    let x = f64::from_bits(if bits << 1 >> 53 == 0 { bits & 1 << 63 } else { bits });
    let value = if root == 1 { 1.0 / x.sqrt() } else { 1.0 / x };
    if value.is_nan() {
        return 0x7fff_ffff_0000_0000;
    }
    let bits = value.to_bits().wrapping_add(1 << 31) & 0xffff_ffff_0000_0000;
    if bits << 1 >> 53 == 0 { bits & 1 << 63 } else { bits }
}

/// Computes `rsqrt.approx.f64`.
pub(crate) fn rsqrt64(a: u64, _: u64, _: u64, _: u64) -> u64 {
    let x = f64::from_bits(a);
    let value = 1.0 / x.sqrt();
    if value.is_nan() && !x.is_nan() { 0xfff8_0000_0000_0000 } else { value.to_bits() }
}
