//! Operations computed lane by lane, because they are rare or do not vectorise.
//!
//! All take three operands, zero-extended, and a constant that says which variant.

use super::float::{NAN32, canonical, flush};

/// Bits and signedness packed in the constant: bits in the low byte, bit 8 for signed.
pub(crate) fn int(bits: u32, signed: bool) -> u64 {
    u64::from(bits) | u64::from(signed) << 8
}

fn mask(ty: u64) -> u64 {
    u64::MAX >> (64 - (ty & 0xff).clamp(1, 64))
}

/// The value of type `ty` in the low bits of `value`.
fn extend(value: u64, ty: u64) -> i128 {
    let bits = ty & 0xff;
    if ty & 0x100 != 0 {
        let shift = 64 - bits.clamp(1, 64);
        i128::from((value << shift) as i64 >> shift)
    } else {
        i128::from(value & mask(ty))
    }
}

macro_rules! integer {
    ($($name:ident |$a:ident, $b:ident, $c:ident, $ty:ident| $body:expr;)*) => {$(
        pub(crate) fn $name(a: u64, b: u64, c: u64, $ty: u64) -> u64 {
            let ($a, $b, $c) = (extend(a, $ty), extend(b, $ty), extend(c, $ty));
            let result: i128 = $body;
            result as u64 & mask($ty)
        }
    )*};
}

integer! {
    add |a, b, _c, ty| a + b;
    sub |a, b, _c, ty| a - b;
    mul |a, b, _c, ty| (a as i64 as i128).wrapping_mul(b as i64 as i128);
    mul_hi |a, b, _c, ty| if ty & 0x100 != 0 { (a * b) >> (ty & 0xff) } else { ((a as u128 * b as u128) >> (ty & 0xff)) as i128 };
    mad |a, b, c, ty| (a as i64 as i128).wrapping_mul(b as i64 as i128).wrapping_add(c);
    mad_hi |a, b, c, ty| if ty & 0x100 != 0 { ((a * b) >> (ty & 0xff)) + c } else { ((a as u128 * b as u128) >> (ty & 0xff)) as i128 + c };
    // Division by zero gives all ones, as the GPU's routine does; the remainder is the dividend.
    div |a, b, _c, ty| if b == 0 { -1 } else { a / b };
    rem |a, b, _c, ty| if b == 0 { a } else { a % b };
    neg |a, _b, _c, ty| -a;
    abs |a, _b, _c, ty| a.abs();
    min |a, b, _c, ty| a.min(b);
    max |a, b, _c, ty| a.max(b);
    sad |a, b, c, ty| c + (a - b).abs();
    add_sat |a, b, _c, ty| (a + b).clamp(i128::from(i32::MIN), i128::from(i32::MAX));
    sub_sat |a, b, _c, ty| (a - b).clamp(i128::from(i32::MIN), i128::from(i32::MAX));
    mad_hi_sat |a, b, c, ty| (((a * b) >> (ty & 0xff)) + c).clamp(i128::from(i32::MIN), i128::from(i32::MAX));
}

/// `.wide` products of 16-bit values.
pub(crate) fn mul_wide16(a: u64, b: u64, _: u64, ty: u64) -> u64 {
    u64::from((extend(a, ty) * extend(b, ty)) as u32)
}

pub(crate) fn mad_wide16(a: u64, b: u64, c: u64, ty: u64) -> u64 {
    ((extend(a, ty) * extend(b, ty)) as u32).wrapping_add(c as u32).into()
}

/// 24-bit products; bit 16 of the constant asks for the high part (bits 47…16).
pub(crate) fn mad24(a: u64, b: u64, c: u64, ty: u64) -> u64 {
    let narrow = (ty & 0x100) | 24;
    let product = extend(a, narrow) * extend(b, narrow);
    let part = if ty >> 16 & 1 == 1 { product >> 16 } else { product };
    (part as u32).wrapping_add(c as u32).into()
}

pub(crate) fn shl16(a: u64, b: u64, _: u64, _: u64) -> u64 {
    if b > 15 { 0 } else { (a << b) & 0xffff }
}

pub(crate) fn shr16(a: u64, b: u64, _: u64, ty: u64) -> u64 {
    (extend(a, ty) >> b.min(16)) as u64 & 0xffff
}

/// Funnel shift; bit 0: right, bit 1: clamp the amount to 32 (else wrap).
pub(crate) fn funnel(a: u64, b: u64, c: u64, mode: u64) -> u64 {
    let amount = if mode & 2 != 0 { c.min(32) } else { c & 31 };
    let both = b << 32 | a;
    let shifted = if mode & 1 != 0 { both >> amount } else { ((u128::from(both) << amount) >> 32) as u64 };
    shifted & 0xffff_ffff
}

pub(crate) fn popc(a: u64, _: u64, _: u64, _: u64) -> u64 {
    a.count_ones().into()
}

pub(crate) fn clz(a: u64, _: u64, _: u64, ty: u64) -> u64 {
    u64::from(a.leading_zeros()) - (64 - (ty & 0xff))
}

pub(crate) fn brev(a: u64, _: u64, _: u64, ty: u64) -> u64 {
    a.reverse_bits() >> (64 - (ty & 0xff))
}

/// Bit 16 of the constant: `.shiftamt`.
pub(crate) fn bfind(a: u64, _: u64, _: u64, ty: u64) -> u64 {
    let bits = ty & 0xff;
    let value = extend(a, ty);
    let value = if value < 0 { !value } else { value } as u64;
    match value.checked_ilog2() {
        None => 0xffff_ffff,
        Some(position) if ty >> 16 & 1 == 1 => bits - 1 - u64::from(position),
        Some(position) => position.into(),
    }
}

pub(crate) fn bfe(a: u64, b: u64, c: u64, ty: u64) -> u64 {
    let bits = ty & 0xff;
    let (position, length) = (b & 0xff, c & 0xff);
    let signed = ty & 0x100 != 0;
    let sign_at = (position + length).saturating_sub(1).min(bits - 1);
    let sign = signed && length != 0 && a >> sign_at & 1 == 1;
    let field = if position >= bits { 0 } else { (a & mask(ty)) >> position };
    let kept = length.min(bits.saturating_sub(position));
    let low = if kept >= 64 { u64::MAX } else { (1 << kept) - 1 };
    let filled = if sign { !low } else { 0 };
    (field & low | filled) & mask(ty)
}

pub(crate) fn bfi(a: u64, b: u64, c: u64, packed: u64) -> u64 {
    // c holds position and length, packed by the lowering: position in the low word.
    let (position, length) = (c & 0xff, c >> 32 & 0xff);
    let bits = packed & 0xff;
    if position >= bits || length == 0 {
        return b;
    }
    let length = length.min(bits - position);
    let low = if length >= 64 { u64::MAX } else { (1 << length) - 1 };
    let field = low << position;
    (b & !field | (a << position) & field) & mask(packed)
}

pub(crate) fn lop3(a: u64, b: u64, c: u64, table: u64) -> u64 {
    (0..8).filter(|entry| table >> entry & 1 == 1).fold(0, |out, entry| {
        let pick = |value: u64, bit: u64| if entry >> bit & 1 == 1 { value } else { !value };
        out | (pick(a, 2) & pick(b, 1) & pick(c, 0) & 0xffff_ffff)
    })
}

pub(crate) fn prmt(a: u64, b: u64, c: u64, mode: u64) -> u64 {
    let all = (a & 0xffff_ffff) | b << 32;
    let byte = |index: u64| all >> (8 * (index & 7)) & 0xff;
    let low = c & 3;
    (0..4u64).fold(0, |out, i| {
        let value = match mode {
            0 => {
                let selector = c >> (4 * i) & 15;
                let value = byte(selector);
                if selector & 8 == 0 {
                    value
                } else if value & 0x80 != 0 {
                    0xff
                } else {
                    0
                }
            }
            1 => byte(low + i),
            2 => byte(low.wrapping_sub(i)),
            3 => byte(low),
            4 => byte(low.max(i)),
            5 => byte(low.min(i)),
            _ => byte((low & 1) * 2 + (i & 1)),
        };
        out | value << (8 * i)
    })
}

pub(crate) fn fns(a: u64, b: u64, c: u64, _: u64) -> u64 {
    let (word, base, count) = (a as u32, (b as u32) & 31, c as i32);
    let mut found = 0;
    let mut at = i64::from(base);
    let step = if count < 0 { -1 } else { 1 };
    if count == 0 {
        return if word >> base & 1 == 1 { base.into() } else { 0xffff_ffff };
    }
    while (0..32).contains(&at) {
        if word >> at & 1 == 1 {
            found += 1;
            if found == i64::from(count).abs() {
                return at as u64;
            }
        }
        at += step;
    }
    0xffff_ffff
}

/// Bit 0: a signed; bit 1: b signed; bits 8–9: 0 for dp4a, 1 for dp2a.lo, 2 for dp2a.hi.
pub(crate) fn dot(a: u64, b: u64, c: u64, mode: u64) -> u64 {
    let part = |value: u64, bits: u64, index: u64, signed: bool| {
        extend(value >> (bits * index), bits | u64::from(signed) << 8) as i64
    };
    let (sa, sb) = (mode & 1 != 0, mode & 2 != 0);
    let sum: i64 = match mode >> 8 {
        0 => (0..4).map(|i| part(a, 8, i, sa) * part(b, 8, i, sb)).sum(),
        half => (0..2).map(|i| part(a, 16, i, sa) * part(b, 8, i + 2 * (half - 1), sb)).sum(),
    };
    (sum as u32).wrapping_add(c as u32).into()
}

pub(crate) fn copysign32(a: u64, b: u64, _: u64, _: u64) -> u64 {
    (a & 0x8000_0000) | (b & 0x7fff_ffff)
}

pub(crate) fn copysign64(a: u64, b: u64, _: u64, _: u64) -> u64 {
    (a & 1 << 63) | (b & !(1 << 63))
}

/// `testp`: 0 finite, 1 infinite, 2 number, 3 not a number, 4 normal, 5 subnormal. Gives 0 or 1.
pub(crate) fn testp32(a: u64, _: u64, _: u64, kind: u64) -> u64 {
    let value = f32::from_bits(a as u32);
    class(kind, value.is_finite(), value.is_nan(), value.is_normal(), value.is_subnormal())
}

/// As [`testp32`].
pub(crate) fn testp64(a: u64, _: u64, _: u64, kind: u64) -> u64 {
    let value = f64::from_bits(a);
    class(kind, value.is_finite(), value.is_nan(), value.is_normal(), value.is_subnormal())
}

fn class(kind: u64, finite: bool, nan: bool, normal: bool, subnormal: bool) -> u64 {
    u64::from(match kind {
        0 => finite,
        1 => !finite && !nan,
        2 => !nan,
        3 => nan,
        4 => normal,
        _ => subnormal,
    })
}

/// Approximate functions of one operand: bits 0–3 which, bit 4 `.ftz`.
///
/// Computed in double precision and rounded once, so the result lies within the error that the PTX ISA
/// documents for each, but is not the GPU's to the bit.
pub(crate) fn approximate32(a: u64, _: u64, _: u64, mode: u64) -> u64 {
    let ftz = mode & 16 != 0;
    let input = if ftz { flush(a as u32) } else { a as u32 };
    let x = f64::from(f32::from_bits(input));
    let y = match mode & 15 {
        0 => x.sin(),
        1 => x.cos(),
        2 => x.exp2(),
        3 => x.log2(),
        4 => x.tanh(),
        5 => 1.0 / x.sqrt(),
        6 => x.sqrt(),
        _ => 1.0 / x,
    };
    let bits = canonical(y as f32);
    u64::from(if ftz { flush(bits) } else { bits })
}

/// Source and destination of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    Int { bits: u32, signed: bool },
    F32,
    F64,
}

impl Number {
    fn pack(self) -> u64 {
        match self {
            Self::Int { bits, signed } => int(bits, signed),
            Self::F32 => 0x201,
            Self::F64 => 0x202,
        }
    }

    fn unpack(packed: u64) -> Self {
        match packed & 0x3ff {
            0x201 => Self::F32,
            0x202 => Self::F64,
            ty => Self::Int { bits: (ty & 0xff) as u32, signed: ty & 0x100 != 0 },
        }
    }
}

/// Rounding of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Round {
    Nearest = 0,
    Zero = 1,
    Down = 2,
    Up = 3,
}

/// The constant of [`convert`]. `integral` rounds a float to a float that is a whole number.
pub(crate) fn conversion(
    to: Number,
    from: Number,
    round: Round,
    integral: bool,
    sat: bool,
    ftz: bool,
    width: u32,
) -> u64 {
    to.pack()
        | from.pack() << 10
        | (round as u64) << 20
        | u64::from(integral) << 24
        | u64::from(sat) << 25
        | u64::from(ftz) << 26
        | u64::from(width) << 32
}

fn round_whole(x: f64, round: u64) -> f64 {
    match round {
        0 => x.round_ties_even(),
        1 => x.trunc(),
        2 => x.floor(),
        _ => x.ceil(),
    }
}

/// Rounds to single precision in the given direction; `exact` compares the exact value with a double.
fn round_f32(nearest: f32, round: u64, compare: impl Fn(f64) -> std::cmp::Ordering) -> f32 {
    use std::cmp::Ordering::{Greater, Less};
    let exact_against = compare(f64::from(nearest));
    let toward_up = match round {
        0 => return nearest,
        1 => nearest < 0.0 || (nearest == 0.0 && exact_against == Less),
        2 => false,
        _ => true,
    };
    match exact_against {
        Less if !toward_up => nearest.next_down(),
        Greater if toward_up => nearest.next_up(),
        _ => nearest,
    }
}

/// `cvt` between integers and floats of 32 and 64 bits.
pub(crate) fn convert(a: u64, _: u64, _: u64, spec: u64) -> u64 {
    let (to, from) = (Number::unpack(spec), Number::unpack(spec >> 10));
    let round = spec >> 20 & 3;
    let (integral, sat, ftz) = (spec >> 24 & 1 == 1, spec >> 25 & 1 == 1, spec >> 26 & 1 == 1);
    let register = spec >> 32;
    match (to, from) {
        (Number::Int { bits, signed }, Number::Int { bits: from_bits, signed: from_signed }) => {
            let value = extend(a, int(from_bits, from_signed));
            let value = if sat { clamp(value, bits, signed) } else { value };
            extend(value as u64, int(bits, signed)) as u64 & mask(register)
        }
        (Number::Int { bits, signed }, from) => {
            let x = match from {
                Number::F32 => f64::from(f32::from_bits(if ftz { flush(a as u32) } else { a as u32 })),
                _ => f64::from_bits(a),
            };
            let value = if x.is_nan() {
                if from == Number::F64 || bits == 64 { 1i128 << (bits - 1) } else { 0 }
            } else {
                clamp(round_whole(x, round) as i128, bits, signed)
            };
            extend(value as u64, int(bits, signed)) as u64 & mask(register)
        }
        (Number::F32, Number::Int { bits, signed }) => {
            let value = extend(a, int(bits, signed));
            let result = round_f32(value as f32, round, |against| value.cmp(&(against as i128)));
            finish32(result, sat, ftz)
        }
        (Number::F64, Number::Int { bits, signed }) => {
            let value = extend(a, int(bits, signed));
            let nearest = value as f64;
            let result = match (value.cmp(&(nearest as i128)), round) {
                (std::cmp::Ordering::Less, 2) => nearest.next_down(),
                (std::cmp::Ordering::Less, 1) if value > 0 => nearest.next_down(),
                (std::cmp::Ordering::Greater, 3) => nearest.next_up(),
                (std::cmp::Ordering::Greater, 1) if value < 0 => nearest.next_up(),
                _ => nearest,
            };
            result.to_bits()
        }
        (Number::F32, Number::F32) => {
            let bits = if ftz { flush(a as u32) } else { a as u32 };
            let x = f32::from_bits(bits);
            finish32(if integral { round_whole(f64::from(x), round) as f32 } else { x }, sat, ftz)
        }
        (Number::F32, Number::F64) => {
            let x = f64::from_bits(a);
            let result =
                round_f32(x as f32, round, |against| x.partial_cmp(&against).unwrap_or(std::cmp::Ordering::Equal));
            finish32(result, sat, ftz)
        }
        (Number::F64, Number::F32) => {
            let bits = if ftz { flush(a as u32) } else { a as u32 };
            finish64(f64::from(f32::from_bits(bits)), sat)
        }
        (Number::F64, Number::F64) => {
            let x = f64::from_bits(a);
            finish64(if integral { round_whole(x, round) } else { x }, sat)
        }
    }
}

fn clamp(value: i128, bits: u32, signed: bool) -> i128 {
    if signed { value.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { value.clamp(0, (1 << bits) - 1) }
}

fn finish32(value: f32, sat: bool, ftz: bool) -> u64 {
    let bits = if value.is_nan() { NAN32 } else { value.to_bits() };
    let bits = if ftz { flush(bits) } else { bits };
    u64::from(if sat { super::float::saturate(bits) } else { bits })
}

fn finish64(value: f64, sat: bool) -> u64 {
    let value = if !sat {
        value
    } else if value > 0.0 {
        value.min(1.0)
    } else {
        0.0
    };
    value.to_bits()
}
