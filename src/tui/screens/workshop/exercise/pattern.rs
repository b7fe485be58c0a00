//! The wrong elements of C as a small map: where they are says what they have in common.

use crate::exec::judge::{Finding, MOST_WRONG};
use crate::t;
use crate::tui::look::Look;
use crate::tui::theme::Meaning;
use ratatui::text::{Line, Span};

/// Most rows and columns of the map, in cells; a cell holds two halves, one above the other.
const ROWS: u32 = 8;
const COLUMNS: u32 = 48;

/// The map under its heading; nothing if no elements are known to be wrong, or all of them may be.
pub(super) fn map(finding: &Finding, width: u16, look: &Look) -> Vec<Line<'static>> {
    let (Some(shape), false) = (finding.shape, finding.wrong.is_empty()) else { return Vec::new() };
    let columns = COLUMNS.min(u32::from(width).saturating_sub(4)).max(1);
    let halves = if look.ascii { ROWS } else { 2 * ROWS };
    // Elements of C that a half stands for: as many rows as columns, roughly.
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
    let heading = match (down, across, finding.wrong.len() >= MOST_WRONG) {
        (1, 1, _) => t!("workshop-map", m = shape.m, n = shape.n),
        (_, _, false) => t!("workshop-map-scaled", m = shape.m, n = shape.n, rows = down, columns = across),
        (_, _, true) => t!("workshop-map-first", most = MOST_WRONG, m = shape.m, n = shape.n),
    };
    let mut lines = vec![Line::from(look.span(Meaning::Muted, heading))];
    let is_wrong = |row: usize, column: usize| wrong.get(row).is_some_and(|row| row[column] > 0);
    let step = if look.ascii { 1 } else { 2 };
    for row in (0..high).step_by(step) {
        let mut spans = vec![Span::raw("  ")];
        for column in 0..wide {
            let last = row + 1 >= high;
            let (sign, meaning) = match (is_wrong(row, column), is_wrong(row + 1, column)) {
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
