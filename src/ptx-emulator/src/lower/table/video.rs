//! Video instructions, scalar and parallel (PTX ISA 9.7.17).

use super::LoweringRule::{self, By};
use super::{Row, row};

const VIDEO: LoweringRule = By(|l, name, m, i| l.video(name, m, i));

pub(super) const ROWS: &[Row] = &[
    row("(vadd|vsub|vabsdiff|vmin|vmax).SHORT.SHORT.SHORT{.sat}", "b32 b32 b32 {b32}", 20, 20, VIDEO),
    row("(vadd|vsub|vabsdiff|vmin|vmax).SHORT.SHORT.SHORT{.sat}.(add|min|max)", "b32 b32 b32 b32", 20, 20, VIDEO),
    row("(vshl|vshr).SHORT.SHORT.u32{.sat}.(clamp|wrap)", "b32 b32 b32 {b32}", 20, 20, VIDEO),
    row("(vshl|vshr).SHORT.SHORT.u32{.sat}.(clamp|wrap).(add|min|max)", "b32 b32 b32 b32", 20, 20, VIDEO),
    row("vset.SHORT.SHORT.SIGNED", "b32 b32 b32 {b32}", 20, 20, VIDEO),
    row("vset.SHORT.SHORT.SIGNED.(add|min|max)", "b32 b32 b32 b32", 20, 20, VIDEO),
    row("vmad.SHORT.SHORT.SHORT{.po}{.sat}{.(shr7|shr15)}", "b32 b32 b32 b32", 20, 20, VIDEO),
    row("(vadd2|vsub2|vabsdiff2|vmin2|vmax2|vavrg2).SHORT.SHORT.SHORT{.(sat|add)}", "b32 b32 b32 b32", 30, 30, VIDEO),
    row("(vadd4|vsub4|vabsdiff4|vmin4|vmax4|vavrg4).SHORT.SHORT.SHORT{.(sat|add)}", "b32 b32 b32 b32", 30, 30, VIDEO),
    row("(vset2|vset4).SHORT.SHORT.SIGNED{.add}", "b32 b32 b32 b32", 30, 30, VIDEO),
];
