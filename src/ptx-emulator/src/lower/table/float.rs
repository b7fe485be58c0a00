//! Floating-point arithmetic (PTX ISA 9.7.3 to 9.7.5).

use super::LoweringRule::{self, By};
use super::{Row, row};

const FLOAT: LoweringRule = By(|l, name, m, i| l.float(name, m, i));
const HALF: LoweringRule = By(|l, name, m, i| l.half(name, m, i));
const PAIR: LoweringRule = By(|l, name, m, i| l.packed_single(name, m, i));
const MIXED: LoweringRule = By(|l, name, m, i| l.mixed(name, m, i));

pub(super) const ROWS: &[Row] = &[
    row("(add|sub|mul)<{.ROUND}{.ftz}{.sat}>.f32", "t t t", 10, 10, FLOAT),
    row("(fma|mad)<.ROUND{.ftz}{.sat}>.f32", "t t t t", 20, 20, FLOAT),
    row("div<.(approx|full){.ftz}>.f32", "t t t", 14, 10, FLOAT),
    row("div<.ROUND{.ftz}>.f32", "t t t", 20, 20, FLOAT),
    row("(rcp|sqrt)<.approx{.ftz}>.f32", "t t", 14, 10, FLOAT),
    row("(rcp|sqrt)<.ROUND{.ftz}>.f32", "t t", 20, 20, FLOAT),
    row("(rsqrt|sin|cos|ex2|lg2)<.approx{.ftz}>.f32", "t t", 14, 10, FLOAT),
    row("tanh.approx.f32", "t t", 70, 75, FLOAT),
    row("(neg|abs){.ftz}.f32", "t t", 10, 10, FLOAT),
    row("(min|max){.ftz}.f32", "t t t", 10, 10, FLOAT),
    row("(min|max)<{.ftz}.NaN>.f32", "t t t", 70, 80, FLOAT),
    row("(min|max)<{.ftz}{.NaN}.xorsign.abs>.f32", "t t t", 72, 86, FLOAT),
    row("(min|max)<{.ftz}{.NaN}{.abs}>.f32", "t t t t", 88, 100, FLOAT),
    row("copysign.(f32|f64)", "t t t", 20, 20, FLOAT),
    row("(add|sub|mul){.ROUND}.f64", "t t t", 10, 10, FLOAT),
    row("(fma|mad).ROUND.f64", "t t t t", 10, 10, FLOAT),
    row("div.ROUND.f64", "t t t", 10, 10, FLOAT),
    row("(rcp|sqrt).ROUND.f64", "t t", 10, 10, FLOAT),
    row("rsqrt.approx.f64", "t t", 14, 10, FLOAT),
    row("(rcp|rsqrt)<.approx.ftz>.f64", "t t", 21, 20, FLOAT),
    row("(neg|abs).f64", "t t", 10, 10, FLOAT),
    row("(min|max).f64", "t t t", 10, 10, FLOAT),
    row("(add|sub|mul)<{.ROUND}{.ftz}>.f32x2", "b64 b64 b64", 86, 100, PAIR),
    row("fma<.ROUND{.ftz}>.f32x2", "b64 b64 b64 b64", 86, 100, PAIR),
    row("(add|sub)<{.ROUND}{.sat}>.f32.(f16|bf16)", "b32 t b32", 86, 100, MIXED),
    row("fma<.ROUND{.sat}>.f32.(f16|bf16)", "b32 t t b32", 86, 100, MIXED),
    row("(add|sub|mul)<{.rn}{.ftz}{.sat}>.(f16|f16x2)", "t t t", 42, 53, HALF),
    row("(add|sub|mul){.rn}.(bf16|bf16x2)", "t t t", 78, 90, HALF),
    row("fma<.rn{.ftz}{.sat}>.(f16|f16x2)", "t t t t", 42, 53, HALF),
    row("fma<.rn{.ftz}.relu>.(f16|f16x2)", "t t t t", 70, 80, HALF),
    row("fma<.rn{.relu}>.(bf16|bf16x2)", "t t t t", 70, 80, HALF),
    row("fma<.rn.oob{.relu}>.HALF", "t t t t", 81, 90, HALF),
    row("(neg|abs){.ftz}.(f16|f16x2)", "t t", 60, 53, HALF),
    row("(neg|abs).(bf16|bf16x2)", "t t", 70, 80, HALF),
    row("(min|max)<{.ftz}{.NaN}{.xorsign.abs}>.(f16|f16x2)", "t t t", 70, 80, HALF),
    row("(min|max)<{.NaN}{.xorsign.abs}>.(bf16|bf16x2)", "t t t", 70, 80, HALF),
    row("ex2.approx.(f16|f16x2)", "t t", 70, 75, HALF),
    row("ex2<.approx.ftz>.(bf16|bf16x2)", "t t", 78, 90, HALF),
    row("tanh.approx.HALF", "t t", 70, 75, HALF),
];
