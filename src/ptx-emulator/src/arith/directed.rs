//! Single and double precision, rounded towards zero, down or up.

use super::float::{NAN32, choose_nan64, saturate};
use super::soft::{F32, F64, FloatFormat, Round, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Sub,
    Mul,
    Fma,
    Div,
    Rcp,
    Sqrt,
}

const OPERATIONS: [Operation; 7] =
    [Operation::Add, Operation::Sub, Operation::Mul, Operation::Fma, Operation::Div, Operation::Rcp, Operation::Sqrt];

/// Packs an operation and its modifiers into the last argument of [`arithmetic32`] and [`arithmetic64`].
pub(crate) fn variant(operation: Operation, round: Round, ftz: bool, sat: bool) -> u64 {
    round as u64 | (operation as u64) << 4 | u64::from(ftz) << 8 | u64::from(sat) << 9
}

fn compute(operands: [u64; 3], spec: u64, format: FloatFormat, nan: u64) -> u64 {
    let round = Round::from_bits(spec);
    let operation = OPERATIONS[(spec >> 4 & 15).min(6) as usize];
    let ftz = spec >> 8 & 1 == 1;
    let [a, b, c] = operands.map(|bits| Value::of(if ftz { format.flush(bits) } else { bits }, format));
    let value = match operation {
        Operation::Add => a.plus(b, round),
        Operation::Sub => a.plus(b.negated(), round),
        Operation::Mul => a.times(b),
        Operation::Fma => a.times(b).plus(c, round),
        Operation::Div => a.over(b),
        Operation::Rcp => Value::Finite { negative: false, whole: 1, scale: 0 }.over(a),
        Operation::Sqrt => a.root(),
    };
    let bits = if ftz && operation == Operation::Div {
        // The division routine detects tiny results before it rounds them.
        value.rounded_normal(format, round, nan)
    } else {
        value.rounded(format, round, nan)
    };
    if ftz { format.flush(bits) } else { bits }
}

pub(crate) fn arithmetic32(a: u64, b: u64, c: u64, spec: u64) -> u64 {
    let bits = compute([a, b, c], spec, F32, NAN32.into());
    if spec >> 9 & 1 == 1 { saturate(bits as u32).into() } else { bits }
}

/// Computes two single-precision results.
pub(crate) fn arithmetic32x2(a: u64, b: u64, c: u64, spec: u64) -> u64 {
    let low = |bits: u64| bits & 0xffff_ffff;
    arithmetic32(low(a), low(b), low(c), spec) | arithmetic32(a >> 32, b >> 32, c >> 32, spec) << 32
}

pub(crate) fn arithmetic64(a: u64, b: u64, c: u64, spec: u64) -> u64 {
    let bits = compute([a, b, c], spec, F64, u64::MAX >> 1);
    // As in `float`, the operation determines which of several NaNs is the result.
    let [x, y, z] = match OPERATIONS[(spec >> 4 & 15).min(6) as usize] {
        Operation::Fma => [a, c, b],
        Operation::Div => [b, a, 0],
        _ => [a, b, c],
    };
    choose_nan64(f64::from_bits(bits), x, y, z)
}
