//! Conversions (PTX ISA 9.7.9.21, 9.7.9.22).

use super::LoweringRule::{self, By};
use super::{Row, row};

const CONVERT: LoweringRule = By(|l, _, m, i| l.convert(m, i));
const NARROW: LoweringRule = By(|l, _, m, i| l.convert_narrow(m, i));

pub(super) const ROWS: &[Row] = &[
    row("cvt.INT8.INT8", "w t", 10, 10, CONVERT),
    row("cvt.sat.(s8).u8", "w t", 10, 10, CONVERT),
    row("cvt.sat.(u8|u16|u32|u64).s8", "w t", 10, 10, CONVERT),
    row("cvt.sat.(u8|s8|s16).u16", "w t", 10, 10, CONVERT),
    row("cvt.sat.(u8|s8|u16|u32|u64).s16", "w t", 10, 10, CONVERT),
    row("cvt.sat.(u8|s8|u16|s16|s32).u32", "w t", 10, 10, CONVERT),
    row("cvt.sat.(u8|s8|u16|s16|u32|u64).s32", "w t", 10, 10, CONVERT),
    row("cvt.sat.(u8|s8|u16|s16|u32|s32|s64).u64", "w t", 10, 10, CONVERT),
    row("cvt.sat.(u8|s8|u16|s16|u32|s32|u64).s64", "w t", 10, 10, CONVERT),
    row("cvt<.WHOLE{.ftz}{.sat}>.INT8.f32", "w t", 10, 10, CONVERT),
    row("cvt<.WHOLE{.sat}>.INT8.(f16|f64)", "w t", 10, 10, CONVERT),
    row("cvt.WHOLE.INT.bf16", "w t", 78, 90, CONVERT),
    row("cvt<.ROUND{.ftz}{.sat}>.f32.INT8", "w t", 10, 10, CONVERT),
    row("cvt<.ROUND{.sat}>.(f16|f64).INT8", "w t", 10, 10, CONVERT),
    row("cvt.ROUND.bf16.INT", "w t", 78, 90, CONVERT),
    row("cvt<{.WHOLE}{.ftz}{.sat}>.f32.f32", "w t", 10, 10, CONVERT),
    row("cvt<{.WHOLE}{.sat}>.(f16.f16|f64.f64)", "w t", 10, 10, CONVERT),
    row("cvt{.WHOLE}.bf16.bf16", "w t", 78, 90, CONVERT),
    row("cvt<.ROUND{.ftz}{.sat}>.(f16.f32|f32.f64)", "w t", 10, 10, CONVERT),
    row("cvt<.ROUND{.sat}>.f16.f64", "w t", 10, 10, CONVERT),
    row("cvt<.ROUND{.ftz}>.bf16.f32", "w t", 70, 80, CONVERT),
    row("cvt.ROUND.bf16.f64", "w t", 78, 90, CONVERT),
    row("cvt<.(rn|rz){.relu}{.satfinite}>.(f16|bf16).f32", "w t", 10, 10, CONVERT),
    row("cvt<{.ftz}{.sat}>.(f32.f16|f64.f32)", "w t", 10, 10, CONVERT),
    row("cvt{.sat}.f64.f16", "w t", 10, 10, CONVERT),
    row("cvt<{.ROUND}{.ftz}>.f32.bf16", "w t", 71, 80, CONVERT),
    row("cvt{.ROUND}.(f64.bf16|f16.bf16|bf16.f16)", "w t", 78, 90, CONVERT),
    row("cvt<.(rn|rz){.relu}{.satfinite}>.tf32.f32", "b32 t", 78, 90, CONVERT),
    row("cvt<.rna{.satfinite}>.tf32.f32", "b32 t", 70, 80, CONVERT),
    row("cvt<.(rn|rz){.relu}{.satfinite}>.(f16x2|bf16x2).f32", "b32 t t", 70, 80, CONVERT),
    row(
        "cvt<.rs{.relu}{.satfinite}>.(f16x2|bf16x2).f32",
        "b32 t t b32",
        87,
        100,
        By(|l, _, m, i| l.convert_random(m, i)),
    ),
    row("cvt<.rn.satfinite{.relu}>.(e4m3x2|e5m2x2|e2m3x2|e3m2x2).f32", "b16 t t", 78, 89, NARROW),
    row("cvt<.rn.satfinite{.relu}>.e2m1x2.f32", "b8 t t", 86, 100, NARROW),
    row("cvt<.rn.satfinite{.relu}>.(e4m3x2|e5m2x2).f16x2", "b16 t", 78, 89, NARROW),
    row("cvt<.rn.satfinite{.relu}>.(e2m3x2|e3m2x2|e2m1x2).f16x2", "b16 t", 0, 0, NARROW),
    row("cvt<.rn.satfinite{.relu}>.NARROW.bf16x2", "b16 t", 0, 0, NARROW),
    row("cvt<.(rz|rp){.satfinite}>.ue8m0x2.f32", "b16 t t", 86, 100, NARROW),
    row("cvt<.(rz|rp){.satfinite}>.ue8m0x2.bf16x2", "b16 t", 86, 100, NARROW),
    row("cvt<.rn{.relu}>.f16x2.(e4m3x2|e5m2x2|e2m3x2|e3m2x2)", "b32 b16", 78, 89, NARROW),
    row("cvt<.rn{.relu}>.f16x2.e2m1x2", "b32 b8", 86, 100, NARROW),
    row("cvt.rn.bf16x2.ue8m0x2", "b32 b16", 86, 100, NARROW),
    row("cvt.pack.sat.(u16|s16).s32", "b32 t t", 65, 72, By(|l, _, m, i| l.pack_integers(m, i))),
    row("cvt.pack.sat.(u8|s8|u4|s4|u2|s2).s32.b32", "b32 b32 b32 b32", 65, 72, By(|l, _, m, i| l.pack_integers(m, i))),
];
