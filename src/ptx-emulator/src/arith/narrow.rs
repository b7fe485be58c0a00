//! Floats of eight, six and four bits, and 8-bit powers of two, as `cvt` packs and unpacks them.

use super::half::{NAN16, relu};
use super::soft::{BF16, F16, F32, FloatFormat, Round, Value};
use std::sync::LazyLock;

/// A narrow format. A value that is too large becomes the largest number, even in the format that has infinities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Narrow {
    E4m3,
    E5m2,
    E2m3,
    E3m2,
    E2m1,
}

const FORMATS: [(&str, Narrow); 5] = [
    ("e4m3x2", Narrow::E4m3),
    ("e5m2x2", Narrow::E5m2),
    ("e2m3x2", Narrow::E2m3),
    ("e3m2x2", Narrow::E3m2),
    ("e2m1x2", Narrow::E2m1),
];

impl Narrow {
    /// Returns the format for the PTX name of a pair of its elements.
    pub(crate) fn of(name: &str) -> Option<Self> {
        FORMATS.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }

    /// Returns the number of exponent bits and of mantissa bits.
    fn bits(self) -> (u32, u32) {
        match self {
            Self::E4m3 => (4, 3),
            Self::E5m2 => (5, 2),
            Self::E2m3 => (2, 3),
            Self::E3m2 => (3, 2),
            Self::E2m1 => (2, 1),
        }
    }

    /// Returns the bits of the largest number, and the bits that stand for NaN.
    fn limits(self) -> (u64, u64) {
        match self {
            Self::E4m3 => (0x7e, 0x7f),
            Self::E5m2 => (0x7b, 0x7f),
            Self::E2m3 | Self::E3m2 => (0x1f, 0x1f),
            Self::E2m1 => (0x7, 0x7),
        }
    }

    /// Returns the bits per element of a pair in a register. A six-bit element takes a byte.
    pub(crate) fn width(self) -> u32 {
        if self == Self::E2m1 { 4 } else { 8 }
    }

    fn encode(self, value: Value, relu: bool) -> u64 {
        let (exponent, mantissa) = self.bits();
        let (largest, nan) = self.limits();
        let (negative, size) = match value {
            Value::Nan => return nan,
            Value::Infinite { negative } => (negative, largest),
            Value::Finite { negative, whole: 0, .. } => (negative, 0),
            Value::Finite { negative, whole, scale } => {
                let bias = (1i32 << (exponent - 1)) - 1;
                let power = (scale + 127 - whole.leading_zeros() as i32 + bias).max(1);
                let last = power - bias - mantissa as i32;
                let places = Value::Finite { negative: false, whole, scale: scale - last }.integer(Round::Nearest);
                // A mantissa that is rounded up to the next power of two carries into the exponent.
                let size = i128::from(power - 1) << mantissa;
                (negative, size.saturating_add(places.unwrap_or(0)).min(largest.into()) as u64)
            }
        };
        if negative && relu { 0 } else { u64::from(negative) << (exponent + mantissa) | size }
    }

    fn decode(self, bits: u64) -> Value {
        let (exponent, mantissa) = self.bits();
        let negative = bits >> (exponent + mantissa) & 1 == 1;
        let size = bits & ((1 << (exponent + mantissa)) - 1);
        match self {
            Self::E4m3 if size == 0x7f => return Value::Nan,
            Self::E5m2 if size == 0x7c => return Value::Infinite { negative },
            Self::E5m2 if size > 0x7c => return Value::Nan,
            _ => {}
        }
        let (power, fraction) = (size >> mantissa, u128::from(size & ((1 << mantissa) - 1)));
        let whole = fraction | u128::from(power != 0) << mantissa;
        let scale = power.max(1) as i32 - ((1 << (exponent - 1)) - 1) - mantissa as i32;
        Value::Finite { negative, whole, scale }
    }
}

/// Returns the constant of [`pack`] and [`unpack`]. `source` is single precision, or the format of two numbers in a
/// register.
pub(crate) fn variant(format: Narrow, source: FloatFormat, relu: bool) -> u64 {
    let source = match source {
        F16 => 1,
        BF16 => 2,
        _ => 0,
    };
    format as u64 | source << 4 | u64::from(relu) << 8
}

/// Packs two values. The first one goes to the upper place.
pub(crate) fn pack(a: u64, b: u64, _: u64, spec: u64) -> u64 {
    let format = FORMATS[((spec & 7) as usize).min(4)].1;
    let (high, low) = match spec >> 4 & 3 {
        0 => (Value::of(a & 0xffff_ffff, F32), Value::of(b & 0xffff_ffff, F32)),
        source => {
            let half = if source == 1 { F16 } else { BF16 };
            (Value::of(a >> 16 & 0xffff, half), Value::of(a & 0xffff, half))
        }
    };
    let relu = spec >> 8 & 1 == 1;
    format.encode(high, relu) << format.width() | format.encode(low, relu)
}

/// For each format, the half of each element.
static HALVES: LazyLock<[[u16; 256]; 5]> = LazyLock::new(|| {
    FORMATS.map(|(_, format)| {
        std::array::from_fn(|bits| format.decode(bits as u64).rounded(F16, Round::Nearest, NAN16) as u16)
    })
});

/// Unpacks two values to halves.
pub(crate) fn unpack(a: u64, _: u64, _: u64, spec: u64) -> u64 {
    let number = ((spec & 7) as usize).min(4);
    let halves = &HALVES[number];
    let half = |bits: u64| {
        let bits = halves[bits as usize & 0xff].into();
        if spec >> 8 & 1 == 1 { relu(bits, F16) } else { bits }
    };
    half(a >> FORMATS[number].1.width()) << 16 | half(a)
}

/// Packs two powers of two. The source is two single-precision numbers, or two bfloat16 numbers in a register (bit 0 of
/// the constant). Their signs are ignored. Bit 1: round up; bit 2: `.satfinite`.
pub(crate) fn pack_powers(a: u64, b: u64, _: u64, spec: u64) -> u64 {
    let (high, low) = if spec & 1 == 1 { (a & 0xffff_0000, a << 16) } else { (a, b) };
    let power = |bits: u64| {
        let size = bits & 0x7fff_ffff;
        let power = size >> 23;
        // The smallest power is 2⁻¹²⁷. Everything below becomes that power.
        let up = spec & 2 != 0 && size & 0x7f_ffff != 0 && size > 0x40_0000 && power < 0xff;
        let power = power + u64::from(up);
        if spec & 4 != 0 && power == 0xff && size <= 0x7f80_0000 { 0xfe } else { power }
    };
    power(high) << 8 | power(low)
}

/// Unpacks two powers of two to bfloat16.
pub(crate) fn unpack_powers(a: u64, _: u64, _: u64, _: u64) -> u64 {
    let number = |power: u64| match power & 0xff {
        0xff => NAN16,
        0 => 0x40,
        power => power << 7,
    };
    number(a >> 8) << 16 | number(a)
}

/// Rounds a single-precision number to fewer bits at random: up if the truncated part and the random bits `b` together
/// carry. The constant contains the number of random bits and flags: bit 8 for bfloat16, 9 for `.relu`, 10 for
/// `.satfinite`.
pub(crate) fn random(a: u64, b: u64, _: u64, spec: u64) -> u64 {
    let format = if spec >> 8 & 1 == 1 { BF16 } else { F16 };
    let bits = spec & 0xff;
    let value = Value::of(a & 0xffff_ffff, F32);
    let down = value.rounded(format, Round::Zero, NAN16);
    let result = match (value, Value::of(down, format)) {
        (Value::Finite { whole, scale, .. }, Value::Finite { whole: kept, scale: place, .. }) => {
            // The truncated part, in units of the last place divided by the number of random values. Smaller parts are
            // lost.
            let size = Value::Finite { negative: false, whole, scale: scale - place + bits as i32 };
            let cut = size.integer(Round::Zero).unwrap_or(0) - ((kept as i128) << bits);
            let carries = (cut + i128::from(b & ((1 << bits) - 1))) >> bits != 0;
            down + u64::from(carries)
        }
        _ => down,
    };
    let infinite = result & (format.sign() - 1) == format.infinity();
    let result = if infinite && spec >> 10 & 1 == 1 { result - 1 } else { result };
    if spec >> 9 & 1 == 1 { relu(result, format) } else { result }
}
