//! Lays out the tables of Markdown.

use super::super::wrap::{Run, wrap};
use crate::prelude::*;

/// Lays out a table. If it is too wide, the widest columns become narrower and their cells wrap.
pub(super) fn lines(rows: &[Vec<Vec<Run>>], width: u16, look: &Look) -> Vec<Line<'static>> {
    // A column takes at least one cell and two blanks.
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0).min(usize::from(width).div_ceil(3));
    let cell_width = |runs: &[Run]| runs.iter().map(|run| run.text.width()).sum::<usize>();
    let mut widths: Vec<usize> = (0..columns)
        .map(|c| rows.iter().filter_map(|row| row.get(c)).map(|cell| cell_width(cell)).max().unwrap_or(0).max(1))
        .collect();
    let room = usize::from(width).saturating_sub(2 * columns.saturating_sub(1)).max(columns);
    narrow(&mut widths, room);
    let mut out = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let cells: Vec<Vec<Line>> = (0..columns)
            .map(|c| row.get(c).map_or_else(Vec::new, |runs| wrap(&header(runs, at == 0, look), widths[c] as u16)))
            .collect();
        for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            let mut spans = Vec::new();
            for (c, cell) in cells.iter().enumerate() {
                let part = cell.get(line).cloned().unwrap_or_default();
                let gap = widths[c].saturating_sub(part.width()) + if c + 1 < columns { 2 } else { 0 };
                spans.extend(part.spans);
                spans.push(Span::raw(" ".repeat(gap)));
            }
            out.push(Line::from(spans));
        }
        if at == 0 {
            let rule = widths.iter().map(|w| look.sign("─", "-").repeat(*w)).collect::<Vec<_>>().join("  ");
            out.push(Line::styled(rule, look.style(Meaning::Border)));
        }
    }
    out
}

/// Narrows the widest columns until all fit. No column becomes narrower than two cells.
fn narrow(widths: &mut [usize], room: usize) {
    let all = |most: usize| widths.iter().map(|width| (*width).min(most)).sum::<usize>();
    let widest = widths.iter().copied().max().unwrap_or(0);
    if widest <= 2 || all(widest) <= room {
        return;
    }
    // Finds the largest maximum width at which all columns fit.
    let (mut fits, mut too_wide) = (2, widest);
    while too_wide - fits > 1 {
        let middle = fits.midpoint(too_wide);
        if all(middle) <= room { fits = middle } else { too_wide = middle }
    }
    let mut left = room.saturating_sub(all(fits));
    for width in widths.iter_mut().filter(|width| **width > fits) {
        // The first columns get the cells that are left, one each.
        *width = fits + usize::from(left > 0);
        left = left.saturating_sub(1);
    }
}

fn header(runs: &[Run], first: bool, look: &Look) -> Vec<Run> {
    let strong = look.style(Meaning::Strong);
    runs.iter()
        .map(|run| if first { Run { style: run.style.patch(strong), ..run.clone() } } else { run.clone() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_columns_of_a_table_are_cut_to_one_width() {
        let narrowed = |mut widths: Vec<usize>, room| {
            narrow(&mut widths, room);
            widths
        };
        assert_eq!(narrowed(vec![3, 40, 41], 23), [3, 10, 10]);
        assert_eq!(narrowed(vec![3, 40, 41], 24), [3, 11, 10]);
        assert_eq!(narrowed(vec![5, 6], 11), [5, 6]);
        assert_eq!(narrowed(vec![9, 9, 9], 1), [2, 2, 2]);
        assert_eq!(narrowed(vec![1, 2, 1], 1), [1, 2, 1]);
        assert_eq!(narrowed(vec![], 0), [0; 0]);
    }
}
