//! Integer arithmetic, shifts, bit fields (PTX ISA 9.7.1, 9.7.2, 9.7.8).

use super::LoweringRule::{self, By};
use super::{Lanes, Row, TypedModifiers, row};
use crate::arith::{Handler, integer as k, lanes, scalar};
use crate::program::Scalar;

const fn function(function: Scalar, variant: fn(&TypedModifiers<'_>) -> u64) -> LoweringRule {
    LoweringRule::Lanes(Lanes { function, variant, fast: |_| None })
}

/// A function that depends on the modifiers only through the type.
const fn of_type(function: Scalar) -> LoweringRule {
    LoweringRule::Lanes(Lanes { function, variant: |m| m.int(), fast: |_| None })
}

/// The same, with a handler for all lanes at once.
const fn fast(function: Scalar, fast: fn(&TypedModifiers<'_>) -> Option<Handler>) -> LoweringRule {
    LoweringRule::Lanes(Lanes { function, variant: |m| m.int(), fast })
}

/// Returns in bits 0 and 1 which of the two types are signed.
fn signs(m: &TypedModifiers<'_>) -> u64 {
    let signed = m.words.iter().filter(|word| matches!(**word, "u32" | "s32")).map(|word| u64::from(*word == "s32"));
    signed.enumerate().fold(0, |all, (at, signed)| all | signed << at)
}

const EXTENDED: LoweringRule = By(|l, name, m, i| l.extended(name, m, i));

pub(super) const ROWS: &[Row] = &[
    row("add.INT", "t t t", 10, 10, By(|l, _, m, i| l.add(m, i))),
    row("sub.INT", "t t t", 10, 10, fast(scalar::sub, |s| s.wide(lanes::<k::Sub32>(), lanes::<k::Sub64>()))),
    row("add.sat.s32", "t t t", 10, 10, of_type(scalar::add_sat)),
    row("sub.sat.s32", "t t t", 10, 10, of_type(scalar::sub_sat)),
    row("mul.lo.INT", "t t t", 10, 10, fast(scalar::mul, |s| s.wide(lanes::<k::Mul32>(), lanes::<k::Mul64>()))),
    row(
        "mul.hi.INT",
        "t t t",
        10,
        10,
        fast(scalar::mul_hi, |s| match s.ty {
            "s32" => Some(lanes::<k::MulHiS32>()),
            "u32" => Some(lanes::<k::MulHiU32>()),
            _ => None,
        }),
    ),
    row(
        "mul.wide.(u16|s16|u32|s32)",
        "2t t t",
        10,
        10,
        fast(scalar::mul_wide16, |s| match s.ty {
            "s32" => Some(lanes::<k::MulWideS32>()),
            "u32" => Some(lanes::<k::MulWideU32>()),
            _ => None,
        }),
    ),
    row("mad.lo.INT", "t t t t", 10, 10, fast(scalar::mad, |s| s.wide(lanes::<k::Mad32>(), lanes::<k::Mad64>()))),
    row("mad.hi.INT", "t t t t", 10, 10, of_type(scalar::mad_hi)),
    row("mad.hi.sat.s32", "t t t t", 10, 10, of_type(scalar::mad_hi_sat)),
    row(
        "mad.wide.(u16|s16|u32|s32)",
        "2t t t 2t",
        10,
        10,
        fast(scalar::mad_wide16, |s| match s.ty {
            "s32" => Some(lanes::<k::MadWideS32>()),
            "u32" => Some(lanes::<k::MadWideU32>()),
            _ => None,
        }),
    ),
    row("mul24.(lo|hi).SHORT", "t t t", 10, 10, function(scalar::mad24, |s| s.int() | u64::from(s.has("hi")) << 16)),
    row("mad24.(lo|hi).SHORT", "t t t t", 10, 10, function(scalar::mad24, |s| s.int() | u64::from(s.has("hi")) << 16)),
    row("mad24.hi.sat.s32", "t t t t", 10, 10, function(scalar::mad24_hi_sat, |_| 0)),
    row("sad.INT", "t t t t", 10, 10, of_type(scalar::sad)),
    row("div.INT", "t t t", 10, 10, of_type(scalar::div)),
    row("rem.INT", "t t t", 10, 10, of_type(scalar::rem)),
    row("abs.(s16|s32|s64)", "t t", 10, 10, fast(scalar::abs, |s| s.wide(lanes::<k::Abs32>(), lanes::<k::Abs64>()))),
    row("neg.(s16|s32|s64)", "t t", 10, 10, fast(scalar::neg, |s| s.wide(lanes::<k::Neg32>(), lanes::<k::Neg64>()))),
    row(
        "min.INT",
        "t t t",
        10,
        10,
        fast(scalar::min, |s| match s.signed {
            true => s.wide(lanes::<k::MinS32>(), lanes::<k::MinS64>()),
            false => s.wide(lanes::<k::MinU32>(), lanes::<k::MinU64>()),
        }),
    ),
    row(
        "max.INT",
        "t t t",
        10,
        10,
        fast(scalar::max, |s| match s.signed {
            true => s.wide(lanes::<k::MaxS32>(), lanes::<k::MaxS64>()),
            false => s.wide(lanes::<k::MaxU32>(), lanes::<k::MaxU64>()),
        }),
    ),
    row("min<.relu.s32>", "t t t", 80, 90, function(scalar::extreme_relu, |_| 0)),
    row("max<.relu.s32>", "t t t", 80, 90, function(scalar::extreme_relu, |_| 1)),
    row("add.(u16x2|s16x2)", "b32 b32 b32", 80, 90, function(scalar::two16, |s| two16(s, 0))),
    row("min.(u16x2|s16x2)", "b32 b32 b32", 80, 90, function(scalar::two16, |s| two16(s, 1))),
    row("max.(u16x2|s16x2)", "b32 b32 b32", 80, 90, function(scalar::two16, |s| two16(s, 2))),
    row("min<.relu.s16x2>", "b32 b32 b32", 80, 90, function(scalar::two16, |s| two16(s, 1))),
    row("max<.relu.s16x2>", "b32 b32 b32", 80, 90, function(scalar::two16, |s| two16(s, 2))),
    row("dp4a.SHORT.SHORT", "b32 b32 b32 b32", 50, 61, function(scalar::dot, signs)),
    row("dp2a.lo.SHORT.SHORT", "b32 b32 b32 b32", 50, 61, function(scalar::dot, |s| signs(s) | 1 << 8)),
    row("dp2a.hi.SHORT.SHORT", "b32 b32 b32 b32", 50, 61, function(scalar::dot, |s| signs(s) | 2 << 8)),
    // The video instructions that NVRTC and CUB write: `__vabsdiffu4`, `__vsadu4`, `SHL_ADD`, `SHR_ADD`.
    row("vabsdiff4.u32.u32.u32{.add}", "b32 b32 b32 b32", 30, 30, function(scalar::absdiff4, |s| s.has("add").into())),
    row("vshl.u32.u32.u32.clamp.add", "b32 b32 b32 b32", 20, 20, function(scalar::shift_add, |_| 0)),
    row("vshr.u32.u32.u32.clamp.add", "b32 b32 b32 b32", 20, 20, function(scalar::shift_add, |_| 1)),
    row("(add|sub).cc.LONG", "t t t", 12, 10, EXTENDED),
    row("(addc|subc){.cc}.LONG", "t t t", 12, 10, EXTENDED),
    row("mad.(lo|hi).cc.LONG", "t t t t", 30, 20, EXTENDED),
    row("madc.(lo|hi){.cc}.LONG", "t t t t", 30, 20, EXTENDED),
    row("shl.BITS", "t t b32", 10, 10, fast(scalar::shl16, |s| s.wide(lanes::<k::Shl32>(), lanes::<k::Shl64>()))),
    row(
        "shr.(BITS|INT)",
        "t t b32",
        10,
        10,
        fast(scalar::shr16, |s| match s.signed {
            true => s.wide(lanes::<k::ShrS32>(), lanes::<k::ShrS64>()),
            false => s.wide(lanes::<k::ShrU32>(), lanes::<k::ShrU64>()),
        }),
    ),
    row(
        "shf.(l|r).(wrap|clamp).b32",
        "t t t t",
        31,
        32,
        function(scalar::funnel, |s| u64::from(s.has("r")) | u64::from(s.has("clamp")) << 1),
    ),
    row("popc.(b32|b64)", "b32 t", 20, 20, of_type(scalar::popc)),
    row("clz.(b32|b64)", "b32 t", 20, 20, of_type(scalar::clz)),
    row("brev.(b32|b64)", "t t", 20, 20, of_type(scalar::brev)),
    row(
        "bfind{.shiftamt}.LONG",
        "b32 t",
        20,
        20,
        function(scalar::bfind, |s| s.int() | u64::from(s.has("shiftamt")) << 16),
    ),
    row("bfe.LONG", "t t b32 b32", 20, 20, of_type(scalar::bfe)),
    row("bfi.(b32|b64)", "t t t b32 b32", 20, 20, By(|l, _, m, i| l.bit_field_insert(m, i))),
    row("bmsk.(wrap|clamp).b32", "t t t", 76, 70, function(scalar::bmsk, |s| u64::from(s.has("clamp")) << 1)),
    row(
        "szext.(wrap|clamp).SHORT",
        "t t b32",
        76,
        70,
        function(scalar::szext, |s| u64::from(s.signed) | u64::from(s.has("clamp")) << 1),
    ),
    row("fns.b32", "t t t t", 60, 30, function(scalar::fns, |_| 0)),
    row("prmt.b32", "t t t t", 20, 20, function(scalar::prmt, |_| 0)),
    row(
        "prmt.b32.(f4e|b4e|rc8|ecl|ecr|rc16)",
        "t t t t",
        20,
        20,
        function(scalar::prmt, |s| 1 + s.among(&["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"])),
    ),
];

/// Encodes an operation on the two halves of a word: bits 0 and 1 are the operation, bit 2 is set for signed, bit 3
/// for `.relu`.
fn two16(m: &TypedModifiers<'_>, operation: u64) -> u64 {
    operation | u64::from(m.has("s16x2")) << 2 | u64::from(m.has("relu")) << 3
}
