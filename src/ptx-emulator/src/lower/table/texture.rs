//! Textures and surfaces (PTX ISA 9.7.10, 9.7.11).

use super::LoweringRule::{self, By};
use super::{Row, row};

const SURFACE: LoweringRule = By(|l, name, m, i| l.surface(name, m, i));

pub(super) const ROWS: &[Row] = &[
    row("tex.GEOMETRY.v4.(f32|u32|s32).(f32|s32)", "…", 31, 20, By(|l, _, m, i| l.fetch(m, i))),
    row("tld4.(r|g|b|a).2d.v4.(f32|u32|s32).f32", "…", 31, 20, By(|l, _, m, i| l.gather(m, i))),
    row("(txq|suq).(width|height|depth|array_size).b32", "b32 [a]", 31, 20, By(|l, _, m, i| l.query(m, i))),
    row("suld.b.GEOMETRY{.(ca|cg|cs|cv)}{.(v2|v4)}.(b8|b16|b32).(trap|clamp|zero)", "…", 31, 20, SURFACE),
    row("suld.b.GEOMETRY{.(ca|cg|cs|cv)}{.v2}.b64.(trap|clamp|zero)", "…", 31, 20, SURFACE),
    row("sust.b.GEOMETRY{.(wb|cg|cs|wt)}{.(v2|v4)}.(b8|b16|b32).(trap|clamp|zero)", "…", 31, 20, SURFACE),
    row("sust.b.GEOMETRY{.(wb|cg|cs|wt)}{.v2}.b64.(trap|clamp|zero)", "…", 31, 20, SURFACE),
];
