//! `cvt`: conversions between integers and floats of any width, and packed results.

use super::float::NAN32;
use super::half::{NAN16, relu, saturate};
use super::scalar::{extend, int, mask};
use super::soft::{BF16, F16, F32, F64, FloatFormat, Round, TF32, Value};

/// Type of a conversion's source or destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    Int { bits: u32, signed: bool },
    Float(FloatFormat),
}

/// The types that `cvt` accepts, by name.
const TYPES: [(&str, Number); 13] = [
    ("u8", Number::Int { bits: 8, signed: false }),
    ("s8", Number::Int { bits: 8, signed: true }),
    ("u16", Number::Int { bits: 16, signed: false }),
    ("s16", Number::Int { bits: 16, signed: true }),
    ("u32", Number::Int { bits: 32, signed: false }),
    ("s32", Number::Int { bits: 32, signed: true }),
    ("u64", Number::Int { bits: 64, signed: false }),
    ("s64", Number::Int { bits: 64, signed: true }),
    ("f16", Number::Float(F16)),
    ("bf16", Number::Float(BF16)),
    ("tf32", Number::Float(TF32)),
    ("f32", Number::Float(F32)),
    ("f64", Number::Float(F64)),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conversion {
    /// Index of the type in [`TYPES`].
    to: usize,
    from: usize,
    pub(crate) round: Round,
    /// The result is a float with an integral value.
    pub(crate) integral: bool,
    pub(crate) sat: bool,
    pub(crate) ftz: bool,
    pub(crate) relu: bool,
    /// A value that is too large becomes the largest finite number.
    pub(crate) satfinite: bool,
    /// Bits of the destination register.
    pub(crate) width: u32,
}

impl Conversion {
    /// Converts between two types, rounding to nearest.
    pub(crate) fn between(to: &str, from: &str) -> Option<Self> {
        let find = |name: &str| TYPES.iter().position(|(known, _)| *known == name);
        let (to, from) = (find(to)?, find(from)?);
        let (round, width) = (Round::Nearest, 32);
        Some(Self { to, from, round, integral: false, sat: false, ftz: false, relu: false, satfinite: false, width })
    }

    pub(crate) fn to(&self) -> Number {
        TYPES[self.to].1
    }

    pub(crate) fn from(&self) -> Number {
        TYPES[self.from].1
    }

    /// Returns the constant of [`convert`] and [`convert_two`].
    pub(crate) fn pack(&self) -> u64 {
        let flags = [self.integral, self.sat, self.ftz, self.relu, self.satfinite];
        let flags = flags.iter().enumerate().fold(0, |all, (at, flag)| all | u64::from(*flag) << at);
        self.to as u64 | (self.from as u64) << 4 | (self.round as u64) << 8 | flags << 11 | u64::from(self.width) << 16
    }

    fn unpack(spec: u64) -> Self {
        let index = |at: u32| ((spec >> at & 15) as usize).min(TYPES.len() - 1);
        let flag = |at: u32| spec >> (11 + at) & 1 == 1;
        Self {
            to: index(0),
            from: index(4),
            round: Round::from_bits(spec >> 8),
            integral: flag(0),
            sat: flag(1),
            ftz: flag(2),
            relu: flag(3),
            satfinite: flag(4),
            width: (spec >> 16 & 0xff) as u32,
        }
    }
}

fn nan_of(format: FloatFormat) -> u64 {
    match format {
        F64 => f64::NAN.to_bits(),
        F32 | TF32 => NAN32.into(),
        _ => NAN16,
    }
}

fn clamp(value: i128, bits: u32, signed: bool) -> i128 {
    if signed { value.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { value.clamp(0, (1 << bits) - 1) }
}

pub(crate) fn convert(a: u64, _: u64, _: u64, spec: u64) -> u64 {
    one(a, &Conversion::unpack(spec))
}

/// Converts two values to one register. The first goes into the upper half.
pub(crate) fn convert_two(a: u64, b: u64, _: u64, spec: u64) -> u64 {
    let how = Conversion::unpack(spec);
    one(a, &how) << 16 | one(b, &how)
}

fn one(a: u64, how: &Conversion) -> u64 {
    match (how.to(), how.from()) {
        (Number::Int { bits, signed }, Number::Int { bits: from_bits, signed: from_signed }) => {
            let value = extend(a, int(from_bits, from_signed));
            let value = if how.sat { clamp(value, bits, signed) } else { value };
            extend(value as u64, int(bits, signed)) as u64 & mask(how.width.into())
        }
        (Number::Int { bits, signed }, Number::Float(from)) => {
            let value = match Value::of(flushed(a, from, how.ftz), from).integer(how.round) {
                Some(value) => clamp(value, bits, signed),
                None if from == F64 || bits == 64 => 1i128 << (bits - 1),
                None => 0,
            };
            extend(value as u64, int(bits, signed)) as u64 & mask(how.width.into())
        }
        (Number::Float(to), Number::Int { bits, signed }) => {
            let value = extend(a, int(bits, signed));
            let value = Value::Finite { negative: value < 0, whole: value.unsigned_abs(), scale: 0 };
            finish(value, to, how)
        }
        (Number::Float(to), Number::Float(from)) => {
            if from.is_nan(a) && !how.sat && (to != TF32 || how.round == Round::Away) {
                return converted_nan(a, to, from, how);
            }
            let value = Value::of(flushed(a, from, how.ftz && to != F16), from);
            finish(if how.integral { value.whole(how.round) } else { value }, to, how)
        }
    }
}

/// Converts a NaN from float to float. To or from double precision, it keeps its sign and the upper payload bits and
/// becomes quiet. Single and half precision have only one NaN as a result.
fn converted_nan(a: u64, to: FloatFormat, from: FloatFormat, how: &Conversion) -> u64 {
    if to == TF32 && how.round == Round::Away {
        // `.satfinite` subtracts one unit in the last place from every NaN.
        return (a & 0xffff_e000) - if how.satfinite { 0x2000 } else { 0 };
    }
    if (to != F64 && from != F64) || (how.ftz && to == F64) {
        // In double precision it is the one of single precision, wider. The host's own conversion might change its bits.
        let nan = if to == F64 { 0x7fff_ffff_e000_0000 } else { nan_of(to) };
        return if from == BF16 && to == F32 && !how.ftz { a << 16 } else { nan };
    }
    let fraction = (a & ((1 << from.mantissa) - 1)) << (52 - from.mantissa) >> (52 - to.mantissa);
    let sign = if a & from.sign() != 0 { to.sign() } else { 0 };
    sign | to.infinity() | 1 << (to.mantissa - 1) | fraction
}

fn flushed(bits: u64, format: FloatFormat, ftz: bool) -> u64 {
    if ftz && format == F32 { format.flush(bits) } else { bits }
}

fn finish(value: Value, to: FloatFormat, how: &Conversion) -> u64 {
    if to == TF32 {
        // The ten mantissa bits are the top bits of a single-precision number's 23.
        return limited(value.rounded(to, how.round, u64::from(NAN32) >> 13), to, how) << 13;
    }
    limited(value.rounded(to, how.round, nan_of(to)), to, how)
}

fn limited(bits: u64, to: FloatFormat, how: &Conversion) -> u64 {
    let bits = flushed(bits, to, how.ftz);
    let bits = if how.satfinite && bits & (to.sign() - 1) == to.infinity() { bits - 1 } else { bits };
    if how.relu {
        relu(bits, to)
    } else if how.sat {
        saturate(bits, to)
    } else {
        bits
    }
}

/// Runs `cvt.pack.sat`. Bits 0–7 of the constant are the element's width. Bit 8 means signed. Bit 9 means that `c` is
/// shifted in.
pub(crate) fn pack_integers(a: u64, b: u64, c: u64, spec: u64) -> u64 {
    let bits = (spec & 0xff) as u32;
    let element = |value: u64| clamp(extend(value, int(32, true)), bits, spec >> 8 & 1 == 1) as u64 & mask(bits.into());
    let two = element(a) << bits | element(b);
    if spec >> 9 & 1 == 1 { (two | c << (2 * bits)) & 0xffff_ffff } else { two }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::half::tf32_of_single;

    #[test]
    fn the_short_way_to_tf32_gives_the_bits_of_the_long_one() {
        let how = Conversion { round: Round::Away, ..Conversion::between("tf32", "f32").unwrap() };
        let special = [
            0,
            1,
            0xfff,
            0x1000,
            0x1001,
            0x7f_efff,
            0x7f_f000,
            0x80_0000,
            0x7f7f_efff,
            0x7f7f_f000,
            0x7f80_0000,
            0x7f80_0001,
            0x7fc0_0000,
            0x7fff_ffff,
        ];
        let random = (0..20_000u64).map(|at| at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32);
        for bits in special.into_iter().chain(random).flat_map(|bits| [bits & 0x7fff_ffff, bits | 1 << 31]) {
            assert_eq!(u64::from(tf32_of_single(bits as u32)), one(bits, &how), "{bits:#x}");
        }
    }
}
