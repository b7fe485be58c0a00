//! Tensor cores (PTX ISA 9.7.14, 9.7.15).

use super::LoweringRule::{self, By};
use super::{Row, row};

const MATRICES: LoweringRule = By(|l, name, m, i| l.move_matrices(name == "stmatrix", m, i));
const MULTIPLY: LoweringRule = By(|l, _, m, i| l.multiply(m, i));
const WMMA: LoweringRule = By(|l, _, m, i| l.wmma(m, i));
const GROUP: LoweringRule = By(|l, _, m, i| l.warpgroup(m, i));

/// A row with four types, D's type first, has them in one modifier of several words.
pub(super) const ROWS: &[Row] = &[
    row("(ldmatrix|stmatrix).sync.aligned<.(x1|x2|x4).m8n8.b16{.trans}{.OWN}>", "…", 65, 75, MATRICES),
    row("movmatrix.sync.aligned.m8n8.trans.b16", "b32 b32", 78, 75, By(|l, _, _, i| l.transpose(i))),
    row(
        "mma.sync.aligned.m8n8k4.(row|col).(row|col).(f16.f16.f16.f16|f32.f16.f16.f16|f32.f16.f16.f32)",
        "…",
        64,
        70,
        MULTIPLY,
    ),
    row(
        "mma.sync.aligned.(m16n8k8|m16n8k16).row.col.(f16.f16.f16.f16|f32.f16.f16.f32|f32.bf16.bf16.f32)",
        "…",
        65,
        75,
        MULTIPLY,
    ),
    row("mma.sync.aligned.(m16n8k4|m16n8k8).row.col.f32.tf32.tf32.f32", "…", 70, 80, MULTIPLY),
    row("mma.sync.aligned.(m16n8k16|m16n8k32).row.col.f32.FP8.FP8.f32", "…", 84, 89, MULTIPLY),
    row("mma.sync.aligned.(m16n8k16|m16n8k32).row.col.f16.FP8.FP8.f16", "…", 87, 89, MULTIPLY),
    row(
        "mma.sync.aligned.(m8n8k16|m16n8k16|m16n8k32).row.col{.satfinite}.s32.(s8|u8).(s8|u8).s32",
        "…",
        65,
        75,
        MULTIPLY,
    ),
    row(
        "mma.sync.aligned.(m8n8k32|m16n8k32|m16n8k64).row.col{.satfinite}.s32.(s4|u4).(s4|u4).s32",
        "…",
        65,
        75,
        MULTIPLY,
    ),
    row("mma.sync.aligned.(m8n8k128|m16n8k128|m16n8k256).row.col.s32.b1.b1.s32.(and|xor).popc", "…", 70, 75, MULTIPLY),
    row("mma.sync.aligned.(m8n8k4|m16n8k4|m16n8k8|m16n8k16).row.col{.ROUND}.f64.f64.f64.f64", "…", 70, 80, MULTIPLY),
    row(
        "mma.(sp|sp::ordered_metadata).sync.aligned.(m16n8k16|m16n8k32).row.col.(f16.f16.f16.f16|f32.f16.f16.f32|f32.bf16.bf16.f32)",
        "…",
        71,
        80,
        MULTIPLY,
    ),
    row(
        "mma.(sp|sp::ordered_metadata).sync.aligned.(m16n8k8|m16n8k16).row.col.f32.tf32.tf32.f32",
        "…",
        71,
        80,
        MULTIPLY,
    ),
    row("mma.(sp|sp::ordered_metadata).sync.aligned.m16n8k64.row.col.f32.FP8.FP8.f32", "…", 84, 89, MULTIPLY),
    row(
        "mma.(sp|sp::ordered_metadata).sync.aligned.(m16n8k32|m16n8k64).row.col{.satfinite}.s32.(s8|u8).(s8|u8).s32",
        "…",
        71,
        80,
        MULTIPLY,
    ),
    row(
        "mma.(sp|sp::ordered_metadata).sync.aligned.(m16n8k64|m16n8k128).row.col{.satfinite}.s32.(s4|u4).(s4|u4).s32",
        "…",
        71,
        80,
        MULTIPLY,
    ),
    row("wmma.load.(a|b).sync.aligned.(row|col).WMMA16{.(global|OWN)}.(f16|bf16|s8|u8)", "…", 60, 70, WMMA),
    row("wmma.load.(a|b).sync.aligned.(row|col).m16n16k8{.(global|OWN)}.tf32", "…", 70, 80, WMMA),
    row("wmma.load.(a|b).sync.aligned.(row|col).m8n8k4{.(global|OWN)}.f64", "…", 70, 80, WMMA),
    row("wmma.load.(a.sync.aligned.row|b.sync.aligned.col).m8n8k32{.(global|OWN)}.(s4|u4)", "…", 63, 75, WMMA),
    row("wmma.load.(a.sync.aligned.row|b.sync.aligned.col).m8n8k128{.(global|OWN)}.b1", "…", 63, 75, WMMA),
    row("wmma.(load.c|store.d).sync.aligned.(row|col).WMMA16{.(global|OWN)}.(f16|f32|s32)", "…", 60, 70, WMMA),
    row("wmma.(load.c|store.d).sync.aligned.(row|col).m16n16k8{.(global|OWN)}.f32", "…", 70, 80, WMMA),
    row("wmma.(load.c|store.d).sync.aligned.(row|col).m8n8k4{.(global|OWN)}.f64", "…", 70, 80, WMMA),
    row("wmma.(load.c|store.d).sync.aligned.(row|col).(m8n8k32|m8n8k128){.(global|OWN)}.s32", "…", 63, 75, WMMA),
    row("wmma.mma.sync.aligned.(row|col).(row|col).WMMA16.(f16|f32){.f16.f16}.(f16|f32)", "…", 60, 70, WMMA),
    row("wmma.mma.sync.aligned.(row|col).(row|col).WMMA16.f32.bf16.bf16.f32", "…", 70, 80, WMMA),
    row("wmma.mma.sync.aligned.(row|col).(row|col).WMMA16.s32.(s8.s8|u8.u8).s32{.satfinite}", "…", 63, 72, WMMA),
    row("wmma.mma.sync.aligned.(row|col).(row|col).m16n16k8.f32.tf32.tf32.f32", "…", 70, 80, WMMA),
    row("wmma.mma.sync.aligned.(row|col).(row|col).m8n8k4<{.ROUND}.f64.f64.f64.f64>", "…", 70, 80, WMMA),
    row("wmma.mma.sync.aligned.row.col.m8n8k32.s32.(s4.s4|u4.u4).s32{.satfinite}", "…", 63, 75, WMMA),
    row("wmma.mma.(and|xor).popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", "…", 63, 75, WMMA),
    row("wgmma.(fence|commit_group).sync.aligned", "", 80, 90, GROUP),
    row("wgmma.wait_group.sync.aligned", "#", 80, 90, GROUP),
    row("wgmma.mma_async.sync.aligned.m64nFCOLSk16.(f16.f16.f16|f32.f16.f16|f32.bf16.bf16)", "…", 80, 90, GROUP),
    row("wgmma.mma_async.sync.aligned.m64nFCOLSk8.f32.tf32.tf32", "…", 80, 90, GROUP),
    row("wgmma.mma_async.sync.aligned.m64nFCOLSk32.(f16|f32).FP8.FP8", "…", 80, 90, GROUP),
    row(
        "wgmma.mma_async.sync.aligned.m64nICOLSk32<{.satfinite}.(s32.s8.s8|s32.s8.u8|s32.u8.s8|s32.u8.u8)>",
        "…",
        80,
        90,
        GROUP,
    ),
    row("wgmma.mma_async.sync.aligned.m64nICOLSk256.s32.b1.b1.and.popc", "…", 80, 90, GROUP),
    row("wgmma.mma_async.sp.sync.aligned.m64nFCOLSk32.(f16.f16.f16|f32.f16.f16|f32.bf16.bf16)", "…", 82, 90, GROUP),
    row("wgmma.mma_async.sp.sync.aligned.m64nFCOLSk16.f32.tf32.tf32", "…", 82, 90, GROUP),
    row("wgmma.mma_async.sp.sync.aligned.m64nFCOLSk64.(f16|f32).FP8.FP8", "…", 82, 90, GROUP),
    row(
        "wgmma.mma_async.sp.sync.aligned.m64nICOLSk64<{.satfinite}.(s32.s8.s8|s32.s8.u8|s32.u8.s8|s32.u8.u8)>",
        "…",
        82,
        90,
        GROUP,
    ),
];
