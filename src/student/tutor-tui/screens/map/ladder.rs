/*! The ladder: each kernel's share of cuBLAS on a logarithmic scale, and the student's own runs.

A kernel whose speed must stay hidden ([`AppData::may_show_kernel_speed`]) is a silhouette. All silhouettes have the same height.
*/

use super::list::percent;
use crate::app_data::Rung;
use crate::prelude::*;
use tutor_support::figures::percentage;
use ui_kit::canvas::Dots;
use ui_kit::look::{draw, pad_left, split_top};

/// Minimum height of the ladder.
pub(super) const MIN_HEIGHT: u16 = 12;
/// Width of the scale at the left in cells.
const SCALE: u16 = 7;
/// Rows below the plot, for axis, levels and element types.
const BELOW: u16 = 3;
/// Minimum cells per rung; with fewer, the numbers of neighbours would touch.
const RUNG: u16 = 4;
/// Ends of the scale, as shares of cuBLAS.
const LOW: f64 = 0.005;
const HIGH: f64 = 2.0;
/// Height of a silhouette as a part of the plot.
const SILHOUETTE: u16 = 3;
/// Labelled shares, the most important first. A label too close to a previous one is left out.
const TICKS: [f64; 7] = [1.0, 0.1, 0.01, 0.5, 0.05, 0.2, 0.02];

/// True if there is a ladder to draw and the screen is wide enough.
pub(super) fn fits(context: &Context) -> bool {
    let rungs = context.data.ladder.len() as u16;
    rungs > 0 && context.size.width >= SCALE + 4 + RUNG * rungs
}

/// Draws the ladder into `area`, if it fits.
pub(super) fn draw_in(frame: &mut Frame, area: Rect, cursor: usize, context: &Context) {
    let (data, look) = (context.data, &context.look);
    if area.height < MIN_HEIGHT || !fits(context) {
        return;
    }
    let (head, rest) = split_top(area, 3);
    draw(frame, head, heading(data, area.width, look));
    let plot = Plot::new(rest, data);
    let (grid, below) = split_top(rest, plot.rows);
    let mut cells = plot.canvas(data, look);
    plot.marks(&mut cells, data, look);
    let lines = cells.into_iter().enumerate().map(|(y, row)| {
        let mut spans = vec![look.span(Meaning::Muted, plot.scale(y as u16, look))];
        spans.extend(row);
        Line::from(spans)
    });
    draw(frame, grid, lines.collect());
    draw(frame, below, plot.axis(data, cursor, look));
}

fn heading(data: &AppData, width: u16, look: &Look) -> Vec<Line<'static>> {
    let n = data.shares_at.map_or_else(String::new, |n| n.to_string());
    let device = data.recorded_on.clone().unwrap_or_default();
    let left = vec![look.span(Meaning::Title, t!("map-ladder", n))];
    let right = vec![
        look.span(Meaning::Bar, look.sign("○ ", "o ").to_owned()),
        look.span(Meaning::Muted, t!("map-ladder-recorded", device)),
        look.span(Meaning::Accent, look.sign("   ● ", "   * ").to_owned()),
        look.span(Meaning::Muted, t!("map-ladder-yours")),
    ];
    let hidden = data.ladder.iter().filter(|rung| !data.may_show_kernel_speed(rung.level, &rung.kernel)).count();
    let promise = if hidden == 0 { String::new() } else { t!("map-ladder-hidden") };
    let promise = truncate(&promise, width.into(), look.ascii);
    vec![two_ends(left, right, width), Line::from(look.span(Meaning::Muted, promise)), Line::default()]
}

/// Returns `cells` cells of a silhouette.
pub(super) fn hidden(cells: usize, look: &Look) -> Span<'static> {
    look.span(Meaning::BarEmpty, look.sign("░", ".").repeat(cells))
}

struct Plot {
    rows: u16,
    columns: u16,
    /// Middle column of each rung.
    at: Vec<u16>,
}

impl Plot {
    fn new(area: Rect, data: &AppData) -> Self {
        let rows = area.height.saturating_sub(BELOW);
        let columns = area.width.saturating_sub(SCALE + 1);
        let count = data.ladder.len().max(1) as u32;
        let at = (0..count).map(|rung| ((2 * rung + 1) * u32::from(columns) / (2 * count)) as u16).collect();
        Self { rows, columns, at }
    }

    /// Returns the height of a share in the plot, from 0 at the bottom to 1 at the top.
    fn height(share: f64) -> f64 {
        ((share.max(LOW) / LOW).ln() / (HIGH / LOW).ln()).clamp(0.0, 1.0)
    }

    /// Returns the row of a share, with `steps` rows per cell.
    fn dot(&self, share: f64, steps: u16) -> u16 {
        let most = (self.rows * steps).saturating_sub(1);
        most - (Self::height(share) * f64::from(most)).round() as u16
    }

    /// Returns the scale in a row: `100 % ┤` at a labelled share, else only the line.
    fn scale(&self, row: u16, look: &Look) -> String {
        let mut taken: Vec<(u16, f64)> = Vec::new();
        for tick in TICKS {
            let at = self.dot(tick, 1);
            if taken.iter().all(|(other, _)| other.abs_diff(at) > 1) {
                taken.push((at, tick));
            }
        }
        match taken.iter().find(|(at, _)| *at == row) {
            Some((_, tick)) => {
                let tick = percentage(*tick, 0).to_string();
                format!("{} {}", pad_left(&tick, usize::from(SCALE) - 1), look.sign("┤", "+"))
            }
            None => format!("{}{}", " ".repeat(SCALE.into()), look.sign("│", "|")),
        }
    }

    /// Draws the line of cuBLAS, and dotted lines from rung to rung.
    fn canvas(&self, data: &AppData, look: &Look) -> Vec<Vec<Span<'static>>> {
        let (rows, columns) = (usize::from(self.rows), usize::from(self.columns));
        let blank = vec![Span::raw(" "); columns];
        let mut cells = vec![blank; rows];
        let cublas = usize::from(self.dot(1.0, 1)).min(rows.saturating_sub(1));
        if let Some(row) = cells.get_mut(cublas) {
            row.fill(look.span(Meaning::Border, look.sign("┄", "-").to_owned()));
        }
        if !look.ascii {
            let mut dots = Dots::new(columns, rows);
            for (one, other) in data.ladder.iter().zip(data.ladder.iter().skip(1)).zip(self.at.windows(2)).filter_map(
                |((one, other), at)| {
                    let shown = [one, other].iter().all(|rung| data.may_show_kernel_speed(rung.level, &rung.kernel))
                        && one.elements == other.elements;
                    shown.then_some(((one, at[0]), (other, at[1])))
                },
            ) {
                let end = |(rung, x): (&Rung, u16)| (f64::from(x) * 2.0 + 1.0, f64::from(self.dot(rung.share, 4)));
                dots.line(end(one), end(other));
            }
            for (column, row, sign) in dots.drawn() {
                cells[row][column] = look.span(Meaning::Bar, sign.to_string());
            }
        }
        let name = &data.cublas;
        let from = columns.saturating_sub(name.width() + 3);
        if let Some(row) = cells.get_mut(cublas) {
            for (cell, c) in row.iter_mut().skip(from).zip(format!(" {name} ").chars()) {
                *cell = look.span(Meaning::Muted, c.to_string());
            }
        }
        cells
    }

    /// Draws the rungs: recorded, the student's own, and hidden ones.
    fn marks(&self, cells: &mut [Vec<Span<'static>>], data: &AppData, look: &Look) {
        let mut put = |row: u16, column: u16, span: Span<'static>| {
            if let Some(cell) = cells.get_mut(usize::from(row)).and_then(|row| row.get_mut(usize::from(column))) {
                *cell = span;
            }
        };
        for (rung, at) in data.ladder.iter().zip(&self.at) {
            if !data.may_show_kernel_speed(rung.level, &rung.kernel) {
                for (row, column) in (self.rows - self.rows / SILHOUETTE..self.rows)
                    .flat_map(|row| (at.saturating_sub(1)..=at + 1).map(move |column| (row, column)))
                {
                    put(row, column, hidden(1, look));
                }
                continue;
            }
            let row = self.dot(rung.share, 1);
            let text = percent(rung.share).to_string();
            let from = at.saturating_sub(text.width() as u16 / 2);
            // Above the mark, or below it in the top row.
            let beside = row.checked_sub(1).unwrap_or(row + 1);
            for (x, c) in (from..).zip(text.chars()) {
                put(beside, x, look.span(Meaning::Strong, c.to_string()));
            }
            put(row, *at, look.span(Meaning::Bar, look.sign("○", "o").to_owned()));
            if let Some(own) = data.own_share(rung) {
                put(self.dot(own, 1), *at, look.span(Meaning::Accent, look.sign("●", "*").to_owned()));
            }
        }
    }

    /// Returns the lines below the plot: the axis with a tick per rung, the numbers of the levels, the element types.
    fn axis(&self, data: &AppData, cursor: usize, look: &Look) -> Vec<Line<'static>> {
        let margin = " ".repeat(SCALE.into());
        let mut axis: Vec<&str> = vec![look.sign("─", "-"); self.columns.into()];
        for at in &self.at {
            axis[usize::from(*at)] = look.sign("┬", "+");
        }
        let groups = |same: &dyn Fn(&Rung, &Rung) -> bool| -> Vec<(u16, u16, usize)> {
            let mut groups: Vec<(u16, u16, usize)> = Vec::new();
            for (at, rung) in data.ladder.iter().enumerate() {
                match groups.last_mut() {
                    Some((_, to, first)) if same(&data.ladder[*first], rung) => *to = self.at[at],
                    _ => groups.push((self.at[at], self.at[at], at)),
                }
            }
            groups
        };
        let mut numbers = vec![Span::raw(format!("{margin} "))];
        let mut x = 0;
        for (from, to, first) in groups(&|one, other| one.level == other.level) {
            let level = data.ladder[first].level;
            let text = (level + 1).to_string();
            let at = (usize::from(from + to) / 2).max(x);
            let meaning = if level == cursor { Meaning::Accent } else { Meaning::Muted };
            numbers.push(Span::raw(" ".repeat(at - x)));
            x = at + text.width();
            numbers.push(look.span(meaning, text));
        }
        let mut types = format!("{margin} ");
        let mut x = 0;
        for (from, to, first) in groups(&|one, other| one.elements == other.elements) {
            let (from, to) = (usize::from(from).max(x), usize::from(to));
            let name = format!(" {} ", data.ladder[first].elements.name());
            let dashes = (to + 1).saturating_sub(from + name.width());
            types.push_str(&" ".repeat(from - x));
            let (before, dash) = (dashes / 2, look.sign("─", "-"));
            types.push_str(&format!("{}{name}{}", dash.repeat(before), dash.repeat(dashes - before)));
            x = from + name.width() + dashes;
        }
        vec![
            Line::styled(format!("{margin}{}{}", look.sign("└", "+"), axis.concat()), look.style(Meaning::Muted)),
            Line::from(numbers),
            Line::styled(types, look.style(Meaning::Muted)),
        ]
    }
}
