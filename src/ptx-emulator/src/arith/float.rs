//! Single- and double-precision operations over lanes, with the same bits as on the GPU.
//!
//! A single-precision operation whose result is NaN gives the canonical NaN `0x7fffffff`. Subnormal numbers are kept,
//! unless `.ftz` flushes them (operands and result) to zero of the same sign.

use super::fma::{fma, fma64};
use super::lanes::{define, define_tests};

/// The NaN that single-precision arithmetic produces.
pub(crate) const NAN32: u32 = 0x7fff_ffff;

#[inline(always)]
pub(crate) fn flush(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits }
}

#[inline(always)]
pub(crate) fn canonical(value: f32) -> u32 {
    if value.is_nan() { NAN32 } else { value.to_bits() }
}

/// Clamps to 0…1. NaN becomes 0.
#[inline(always)]
pub(crate) fn saturate(bits: u32) -> u32 {
    let value = f32::from_bits(bits);
    if value > 0.0 { if value < 1.0 { bits } else { 1.0f32.to_bits() } } else { 0 }
}

#[inline(always)]
fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// Runs a 32-bit operation on both halves of 64-bit operands.
#[inline(always)]
fn both(a: u64, b: u64, c: u64, one: impl Fn(u32, u32, u32) -> u32) -> u64 {
    let high = one((a >> 32) as u32, (b >> 32) as u32, (c >> 32) as u32);
    u64::from(one(a as u32, b as u32, c as u32)) | u64::from(high) << 32
}

#[inline(always)]
fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

#[inline(always)]
fn min32(a: u32, b: u32) -> u32 {
    let (x, y) = (f(a), f(b));
    if x.is_nan() {
        canonical(y)
    } else if y.is_nan() || x < y || (x == y && a >> 31 == 1) {
        a
    } else {
        b
    }
}

#[inline(always)]
fn max32(a: u32, b: u32) -> u32 {
    let (x, y) = (f(a), f(b));
    if x.is_nan() {
        canonical(y)
    } else if y.is_nan() || x > y || (x == y && a >> 31 == 0) {
        a
    } else {
        b
    }
}

/// Computes `min` or `max` of two or three values. Flags in the constant: bit 0 selects `max`, 1: NaN wins, 2:
/// `.xorsign.abs`, 3: `.ftz`, 4: three operands, 5: absolute values.
pub(crate) fn extreme(a: u64, b: u64, c: u64, spec: u64) -> u64 {
    let flag = |at: u32| spec >> at & 1 == 1;
    let size = |bits: u64| if flag(5) { bits as u32 & 0x7fff_ffff } else { bits as u32 };
    let two = |a: u32, b: u32| {
        let (a, b) = if flag(3) { (flush(a), flush(b)) } else { (a, b) };
        let sign = if flag(2) { (a ^ b) & 0x8000_0000 } else { 0 };
        let (a, b) = if flag(2) { (a & 0x7fff_ffff, b & 0x7fff_ffff) } else { (a, b) };
        if f(a).is_nan() && f(b).is_nan() || flag(1) && (f(a).is_nan() || f(b).is_nan()) {
            return NAN32;
        }
        sign | if flag(0) { max32(a, b) } else { min32(a, b) }
    };
    let first = two(size(a), size(b));
    u64::from(if flag(4) { two(first, size(c)) } else { first })
}

/// Returns the bits of a double-precision result. If it is NaN, returns the last of these operands that is NaN, made
/// quiet. The NaN of an invalid operation is negative.
#[inline(always)]
pub(crate) fn choose_nan64(result: f64, a: u64, b: u64, c: u64) -> u64 {
    let mut nan = 0xfff8_0000_0000_0000;
    for bits in [a, b, c] {
        nan = if d(bits).is_nan() { bits | 1 << 51 } else { nan };
    }
    if result.is_nan() { nan } else { result.to_bits() }
}

define! {
    FmaF32(a: u32, b: u32, c: u32) -> u32 { canonical(fma(f(a), f(b), f(c))) }
    FmaFtzF32(a: u32, b: u32, c: u32) -> u32 {
        flush(canonical(fma(f(flush(a)), f(flush(b)), f(flush(c)))))
    }
    AddF32(a: u32, b: u32) -> u32 { canonical(f(a) + f(b)) }
    AddFtzF32(a: u32, b: u32) -> u32 { flush(canonical(f(flush(a)) + f(flush(b)))) }
    SubF32(a: u32, b: u32) -> u32 { canonical(f(a) - f(b)) }
    SubFtzF32(a: u32, b: u32) -> u32 { flush(canonical(f(flush(a)) - f(flush(b)))) }
    MulF32(a: u32, b: u32) -> u32 { canonical(f(a) * f(b)) }
    MulFtzF32(a: u32, b: u32) -> u32 { flush(canonical(f(flush(a)) * f(flush(b)))) }
    DivF32(a: u32, b: u32) -> u32 { canonical(f(a) / f(b)) }
    DivFtzF32(a: u32, b: u32) -> u32 { flush(canonical(f(flush(a)) / f(flush(b)))) }
    RcpF32(a: u32) -> u32 { canonical(1.0 / f(a)) }
    RcpFtzF32(a: u32) -> u32 { flush(canonical(1.0 / f(flush(a)))) }
    SqrtF32(a: u32) -> u32 { canonical(f(a).sqrt()) }
    SqrtFtzF32(a: u32) -> u32 { flush(canonical(f(flush(a)).sqrt())) }
    NegF32(a: u32) -> u32 { canonical(-f(a)) }
    NegFtzF32(a: u32) -> u32 { canonical(-f(flush(a))) }
    AbsF32(a: u32) -> u32 { canonical(f(a & 0x7fff_ffff)) }
    AbsFtzF32(a: u32) -> u32 { canonical(f(flush(a) & 0x7fff_ffff)) }
    AddF32x2(a: u64, b: u64) -> u64 { both(a, b, 0, |a, b, _| canonical(f(a) + f(b))) }
    AddFtzF32x2(a: u64, b: u64) -> u64 { both(a, b, 0, |a, b, _| flush(canonical(f(flush(a)) + f(flush(b))))) }
    SubF32x2(a: u64, b: u64) -> u64 { both(a, b, 0, |a, b, _| canonical(f(a) - f(b))) }
    SubFtzF32x2(a: u64, b: u64) -> u64 { both(a, b, 0, |a, b, _| flush(canonical(f(flush(a)) - f(flush(b))))) }
    MulF32x2(a: u64, b: u64) -> u64 { both(a, b, 0, |a, b, _| canonical(f(a) * f(b))) }
    MulFtzF32x2(a: u64, b: u64) -> u64 { both(a, b, 0, |a, b, _| flush(canonical(f(flush(a)) * f(flush(b))))) }
    FmaF32x2(a: u64, b: u64, c: u64) -> u64 { both(a, b, c, |a, b, c| canonical(fma(f(a), f(b), f(c)))) }
    FmaFtzF32x2(a: u64, b: u64, c: u64) -> u64 {
        both(a, b, c, |a, b, c| flush(canonical(fma(f(flush(a)), f(flush(b)), f(flush(c))))))
    }
    MinF32(a: u32, b: u32) -> u32 { min32(a, b) }
    MaxF32(a: u32, b: u32) -> u32 { max32(a, b) }
    MinFtzF32(a: u32, b: u32) -> u32 { min32(flush(a), flush(b)) }
    MaxFtzF32(a: u32, b: u32) -> u32 { max32(flush(a), flush(b)) }
    SaturateF32(a: u32) -> u32 { saturate(a) }
    FlushF32(a: u32) -> u32 { flush(a) }
    FmaF64(a: u64, b: u64, c: u64) -> u64 { choose_nan64(fma64(d(a), d(b), d(c)), a, c, b) }
    AddF64(a: u64, b: u64) -> u64 { choose_nan64(d(a) + d(b), a, b, 0) }
    SubF64(a: u64, b: u64) -> u64 { choose_nan64(d(a) - d(b), a, b, 0) }
    MulF64(a: u64, b: u64) -> u64 { choose_nan64(d(a) * d(b), a, b, 0) }
    DivF64(a: u64, b: u64) -> u64 { choose_nan64(d(a) / d(b), b, a, 0) }
    RcpF64(a: u64) -> u64 { choose_nan64(1.0 / d(a), a, 0, 0) }
    SqrtF64(a: u64) -> u64 { choose_nan64(d(a).sqrt(), a, 0, 0) }
    NegF64(a: u64) -> u64 { if d(a).is_nan() { a | 1 << 51 } else { a ^ 1 << 63 } }
    AbsF64(a: u64) -> u64 { if d(a).is_nan() { a | 1 << 51 } else { a & !(1 << 63) } }
    MinF64(a: u64, b: u64) -> u64 {
        let (x, y) = (d(a), d(b));
        if x.is_nan() && y.is_nan() { b | 1 << 51 } else if x.is_nan() { b } else if y.is_nan() || x < y || (x == y && a >> 63 == 1) { a } else { b }
    }
    MaxF64(a: u64, b: u64) -> u64 {
        let (x, y) = (d(a), d(b));
        if x.is_nan() && y.is_nan() { b | 1 << 51 } else if x.is_nan() { b } else if y.is_nan() || x > y || (x == y && a >> 63 == 0) { a } else { b }
    }
}

define_tests! {
    EqF32(a, b: u32) { f(a) == f(b) }
    NeF32(a, b: u32) { f(a) < f(b) || f(a) > f(b) }
    LtF32(a, b: u32) { f(a) < f(b) }
    LeF32(a, b: u32) { f(a) <= f(b) }
    EquF32(a, b: u32) { f(a).is_nan() || f(b).is_nan() || f(a) == f(b) }
    NeuF32(a, b: u32) { f(a) != f(b) }
    LtuF32(a, b: u32) { f(a).is_nan() || f(b).is_nan() || f(a) < f(b) }
    LeuF32(a, b: u32) { f(a).is_nan() || f(b).is_nan() || f(a) <= f(b) }
    NumF32(a, b: u32) { !f(a).is_nan() && !f(b).is_nan() }
    NanF32(a, b: u32) { f(a).is_nan() || f(b).is_nan() }
    EqF64(a, b: u64) { d(a) == d(b) }
    NeF64(a, b: u64) { d(a) < d(b) || d(a) > d(b) }
    LtF64(a, b: u64) { d(a) < d(b) }
    LeF64(a, b: u64) { d(a) <= d(b) }
    EquF64(a, b: u64) { d(a).is_nan() || d(b).is_nan() || d(a) == d(b) }
    NeuF64(a, b: u64) { d(a) != d(b) }
    LtuF64(a, b: u64) { d(a).is_nan() || d(b).is_nan() || d(a) < d(b) }
    LeuF64(a, b: u64) { d(a).is_nan() || d(b).is_nan() || d(a) <= d(b) }
    NumF64(a, b: u64) { !d(a).is_nan() && !d(b).is_nan() }
    NanF64(a, b: u64) { d(a).is_nan() || d(b).is_nan() }
}
