//! Draws the incorrect elements of C as a small map, because their pattern hints at the cause.

use crate::prelude::*;
use tutor_exec::judge::{Finding, MAX_WRONG};

/// Maximum rows and columns of the map in cells. A cell has two halves, one above the other.
const ROWS: u32 = 10;
const COLUMNS: u32 = 48;

/// Returns the map under its heading; nothing if no element is known to be incorrect, or all are.
pub(super) fn map(finding: &Finding, width: u16, look: &Look) -> Vec<Line<'static>> {
    let Some(shape) = finding.shape else { return Vec::new() };
    let all = u64::from(shape.m) * u64::from(shape.n);
    if finding.wrong.is_empty() || finding.wrong.len() as u64 == all {
        return Vec::new();
    }
    let columns = COLUMNS.min(u32::from(width).saturating_sub(4)).max(1);
    let halves = if look.ascii { ROWS } else { 2 * ROWS };
    // A half stands for `down` × `across` elements of C.
    let across = shape.n.div_ceil(columns).max(1);
    let down = shape.m.div_ceil(halves).max(1);
    let (wide, high) = (shape.n.div_ceil(across) as usize, shape.m.div_ceil(down) as usize);
    let mut wrong = vec![vec![0u32; wide]; high];
    for [row, column] in &finding.wrong {
        let half = wrong.get_mut((row / down) as usize).and_then(|row| row.get_mut((column / across) as usize));
        if let Some(half) = half {
            *half += 1;
        }
    }
    let heading = match (down, across, finding.wrong.len() >= MAX_WRONG) {
        (1, 1, _) => t!("workshop-map", m = shape.m, n = shape.n),
        (_, _, false) => t!("workshop-map-scaled", m = shape.m, n = shape.n, rows = down, columns = across),
        (_, _, true) => t!("workshop-map-first", most = MAX_WRONG, m = shape.m, n = shape.n),
    };
    let mut lines = vec![Line::from(look.span(Meaning::Muted, heading))];
    // The number of elements that a half stands for is smaller at the edges.
    let whole = |row: usize, column: usize| {
        let rows = down.min(shape.m.saturating_sub(row as u32 * down));
        rows * across.min(shape.n.saturating_sub(column as u32 * across))
    };
    let count = |row: usize, column: usize| wrong.get(row).map_or(0, |row| row[column]);
    let is_wrong = |row: usize, column: usize| count(row, column) > 0;
    let in_part = |row: usize, column: usize| is_wrong(row, column) && count(row, column) < whole(row, column);
    let step = if look.ascii { 1 } else { 2 };
    for row in (0..high).step_by(step) {
        let mut spans = vec![Span::raw("  ")];
        for column in 0..wide {
            let last = row + 1 >= high;
            let (sign, meaning) = match (is_wrong(row, column), is_wrong(row + 1, column)) {
                _ if in_part(row, column) || step == 2 && in_part(row + 1, column) => {
                    (look.sign("▒", "+"), Meaning::Wrong)
                }
                (true, _) if look.ascii => ("#", Meaning::Wrong),
                (false, _) if look.ascii => (".", Meaning::BarEmpty),
                (true, true) => ("█", Meaning::Wrong),
                (true, false) => ("▀", Meaning::Wrong),
                (false, true) => ("▄", Meaning::Wrong),
                (false, false) if last => ("˙", Meaning::BarEmpty),
                (false, false) => ("·", Meaning::BarEmpty),
            };
            spans.push(look.span(meaning, sign));
        }
        lines.push(Line::from(spans));
    }
    lines
}
