//! Operations computed lane by lane, because they are rare or do not vectorise.
//!
//! All take three zero-extended operands and a constant that selects the variant.

/// Packs a type into a constant: the number of bits in the low byte, and bit 8 for signed.
pub(crate) fn int(bits: u32, signed: bool) -> u64 {
    u64::from(bits) | u64::from(signed) << 8
}

pub(crate) fn mask(ty: u64) -> u64 {
    u64::MAX >> (64 - (ty & 0xff).clamp(1, 64))
}

/// Returns the value of type `ty` in the low bits of `value`.
pub(crate) fn extend(value: u64, ty: u64) -> i128 {
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
    // Division by zero gives all ones for the quotient and the remainder, like the GPU's routine.
    div |a, b, _c, ty| if b == 0 { -1 } else { a / b };
    rem |a, b, _c, ty| if b == 0 { -1 } else { a % b };
    neg |a, _b, _c, ty| -a;
    abs |a, _b, _c, ty| a.abs();
    min |a, b, _c, ty| a.min(b);
    max |a, b, _c, ty| a.max(b);
    sad |a, b, c, ty| c + (a - b).abs();
    add_sat |a, b, _c, ty| (a + b).clamp(i128::from(i32::MIN), i128::from(i32::MAX));
    sub_sat |a, b, _c, ty| (a - b).clamp(i128::from(i32::MIN), i128::from(i32::MAX));
    mad_hi_sat |a, b, c, ty| (((a * b) >> (ty & 0xff)) + c).clamp(i128::from(i32::MIN), i128::from(i32::MAX));
}

/// Extends a value of a narrower type to 32 bits.
pub(crate) fn extend32(a: u64, _: u64, _: u64, ty: u64) -> u64 {
    u64::from(extend(a, ty) as u32)
}

/// Computes `.wide` products of 16-bit values.
pub(crate) fn mul_wide16(a: u64, b: u64, _: u64, ty: u64) -> u64 {
    u64::from((extend(a, ty) * extend(b, ty)) as u32)
}

pub(crate) fn mad_wide16(a: u64, b: u64, c: u64, ty: u64) -> u64 {
    ((extend(a, ty) * extend(b, ty)) as u32).wrapping_add(c as u32).into()
}

/// Computes 24-bit products. Bit 16 of the constant selects the high part (bits 47…16).
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

/// Runs a funnel shift. Bit 0: to the right; bit 1: clamp the amount to 32 (otherwise it wraps).
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

/// Runs `bfind`. Bit 16 of the constant: `.shiftamt`.
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
    // For 32-bit fields, only eight bits of position and length count. For 64-bit fields, all bits count.
    let within = if bits == 64 { u64::MAX } else { 0xff };
    let (position, length) = (b & within, c & within);
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
    // The lowering has packed position and length into `c`, with the position in the low word.
    let bits = packed & 0xff;
    let within = if bits == 64 { 0xffff_ffff } else { 0xff };
    let (position, length) = (c & within, c >> 32 & within);
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
    if count == i32::MIN {
        return 0;
    }
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

/// Runs `dp4a` and `dp2a`. Bit 0: a is signed; bit 1: b is signed; bits 8–9: 0 for dp4a, 1 for dp2a.lo, 2 for dp2a.hi.
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

/// Runs `vabsdiff4` on unsigned bytes: returns the four differences, or their sum plus c if `sum` is 1.
pub(crate) fn absdiff4(a: u64, b: u64, c: u64, sum: u64) -> u64 {
    let differences = std::array::from_fn(|i| (a as u32).to_le_bytes()[i].abs_diff((b as u32).to_le_bytes()[i]));
    let sums = differences.iter().fold(c as u32, |all, difference| all.wrapping_add(u32::from(*difference)));
    if sum == 1 { sums.into() } else { u32::from_le_bytes(differences).into() }
}

/// Shifts a 32-bit a by b bits, by at most 32, to the left, or to the right if `right` is 1, and adds c.
pub(crate) fn shift_add(a: u64, b: u64, c: u64, right: u64) -> u64 {
    let (a, by) = (u64::from(a as u32), u64::from(b as u32).min(32));
    let shifted = if right == 1 { a >> by } else { a << by };
    (shifted as u32).wrapping_add(c as u32).into()
}

pub(crate) fn copysign32(a: u64, b: u64, _: u64, _: u64) -> u64 {
    (a & 0x8000_0000) | (b & 0x7fff_ffff)
}

pub(crate) fn copysign64(a: u64, b: u64, _: u64, _: u64) -> u64 {
    (a & 1 << 63) | (b & !(1 << 63))
}

/// Runs `testp`: 0 finite, 1 infinite, 2 number, 3 not a number, 4 normal, 5 subnormal. Returns 0 or 1.
pub(crate) fn testp32(a: u64, _: u64, _: u64, kind: u64) -> u64 {
    let value = f32::from_bits(a as u32);
    class(kind, value.is_finite(), value.is_nan(), value.is_subnormal())
}

/// Runs `testp` in double precision, like [`testp32`] in single precision.
pub(crate) fn testp64(a: u64, _: u64, _: u64, kind: u64) -> u64 {
    let value = f64::from_bits(a);
    class(kind, value.is_finite(), value.is_nan(), value.is_subnormal())
}

fn class(kind: u64, finite: bool, nan: bool, subnormal: bool) -> u64 {
    u64::from(match kind {
        0 => finite,
        1 => !finite && !nan,
        2 => !nan,
        3 => nan,
        // Zero counts as normal.
        4 => finite && !subnormal,
        _ => subnormal,
    })
}

/// Computes on two 16-bit values. Bits 0–1 of the constant: 0 sum, 1 minimum, 2 maximum; bit 2: signed; bit 3: `.relu`.
pub(crate) fn two16(a: u64, b: u64, _: u64, mode: u64) -> u64 {
    let ty = int(16, mode & 4 != 0);
    let half = |shift: u32| {
        let (x, y) = (extend(a >> shift, ty), extend(b >> shift, ty));
        let value = match mode & 3 {
            0 => x + y,
            1 => x.min(y),
            _ => x.max(y),
        };
        (if mode & 8 != 0 { value.max(0) } else { value }) as u64 & 0xffff
    };
    half(0) | half(16) << 16
}

/// Computes `min` (0) and `max` (1) of signed 32-bit values, and replaces negative results with zero.
pub(crate) fn extreme_relu(a: u64, b: u64, _: u64, mode: u64) -> u64 {
    let (a, b) = (a as i32, b as i32);
    (if mode == 0 { a.min(b) } else { a.max(b) }).max(0) as u64
}

/// Extends the sign (bit 0 of the constant) or zeros above a width. Bit 1: the width is clamped instead of wrapped.
pub(crate) fn szext(a: u64, b: u64, _: u64, mode: u64) -> u64 {
    let width = if mode & 2 != 0 { b } else { b & 31 };
    match width {
        0 => 0,
        1..32 => extend(a, int(width as u32, mode & 1 != 0)) as u64 & 0xffff_ffff,
        _ => a,
    }
}

/// Makes a mask of `b` bits starting at bit `a`. Bit 1 of the constant: both are clamped instead of wrapped.
pub(crate) fn bmsk(a: u64, b: u64, _: u64, mode: u64) -> u64 {
    let (from, count) = if mode & 2 != 0 { (a.min(32), b.min(32)) } else { (a & 31, b & 31) };
    (((1 << count) - 1) << from) & 0xffff_ffff
}

/// Runs `mad24.hi.sat.s32`.
pub(crate) fn mad24_hi_sat(a: u64, b: u64, c: u64, _: u64) -> u64 {
    let sum = ((extend(a, int(24, true)) * extend(b, int(24, true))) >> 16) + extend(c, int(32, true));
    sum.clamp(i128::from(i32::MIN), i128::from(i32::MAX)) as u64 & 0xffff_ffff
}
