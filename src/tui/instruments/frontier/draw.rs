/*! The picture.

```text
 error against speed                                  recorded on NVIDIA H200
 ▸ way   6 products, promoted ◂▸
   n                     8192
 1e-3 │                                ·                          ■
 1e-4 │                                    ■
 1e-5 │          ○     ○
 1e-6 │■
 1e-7 │        ●  ◆
       50              100             200             400 TFLOP/s
 ■ library  ● promoted  ○ not
 6 products, promoted: 114 TFLOP/s, error 2.9e-7. On the frontier: …
 n = 1024, 4096, 8192: error 1.2e-7, 2.1e-7, 2.9e-7.
```

Both axes are logarithmic; lower and further right is better.
*/

use super::super::control::{Controls, Dials, Hit as Meets};
use super::super::sheet::{Cells, Sheet};
use super::Ways as Picture;
use super::model::{Field, Ways, all, called};
use crate::exec::frontier::{Frontier, Way};
use crate::t;
use crate::tui::look::{Look, pad_left};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use unicode_width::UnicodeWidthStr;

const CONTROLS: Controls = Controls { label: 6, value: 24 };
/// Cells left of the points.
const LEFT: usize = 7;
/// Rows of the points: one for each power of ten.
const HEIGHT: usize = 6;
/// Rows above the points: title, two fields.
const TOP: u16 = 3;
/// Of the upper edge and the lower one.
const ERRORS: (f64, f64) = (1e-2, 1e-7);
/// Of the left edge and the right one.
const SPEEDS: (f64, f64) = (40.0, 1000.0);

/// What a click can meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hit {
    /// A way, by its index.
    Way(usize),
    Field(Meets<Field>),
}

pub(super) fn draw(it: &Picture, frame: &mut Frame, area: Rect, look: &Look) {
    drawing(it, look, area.width).0.draw(frame, area);
}

/// Rows it needs at a width.
pub(super) fn height(it: &Picture, width: u16) -> u16 {
    super::super::plain(|look| drawing(it, look, width).0.len())
}

/// What is under a position.
pub(super) fn hit(it: &Picture, at: Position, area: Rect) -> Option<Hit> {
    let (x, y) = super::super::control::cell(at, area)?;
    let fields = super::super::plain(|look| drawing(it, look, area.width).1);
    if let Some(hit) = CONTROLS.hit(&fields, it.panel.chosen, (x, y)) {
        return Some(Hit::Field(hit));
    }
    let row = usize::from(y.checked_sub(TOP)?);
    let column = usize::from(x).checked_sub(LEFT)?;
    let here = |way: &Way| place(it.panel.dials, way, plot(area.width)) == (column, row);
    all().iter().position(here).map(Hit::Way)
}

/// Columns of the points.
fn plot(width: u16) -> usize {
    usize::from(width).saturating_sub(LEFT + 1).min(90)
}

/// Column and row of a way's point.
fn place(ways: Ways, way: &Way, columns: usize) -> (usize, usize) {
    let along = |value: f64, (first, last): (f64, f64)| ((value / first).ln() / (last / first).ln()).clamp(0.0, 1.0);
    let column = along(ways.speed(way), SPEEDS) * columns.saturating_sub(1) as f64;
    let row = along(ways.error(way), ERRORS) * (HEIGHT - 1) as f64;
    (column.round() as usize, row.round() as usize)
}

fn drawing<'l>(it: &Picture, look: &'l Look<'l>, width: u16) -> (Sheet<'l>, Vec<(Field, u16)>) {
    let ways = it.panel.dials;
    let (mut sheet, mut fields) = (Sheet::new(look, width), Vec::new());
    sheet.title(&t!("frontier-what"), vec![look.span(Meaning::Accent, recorded())]);
    for &field in Ways::FIELDS {
        fields.push((field, sheet.len()));
        let (name, value) = match field {
            Field::Way => (t!("frontier-way"), ways.looked_at().map(called).unwrap_or_default()),
            Field::Size => ("n".to_owned(), ways.n().to_string()),
        };
        sheet.row(CONTROLS.row(look, field == it.panel.chosen, &name, &value));
    }
    points(ways, &mut sheet);
    for said in words(ways) {
        sheet.text(Meaning::Text, &said);
    }
    (sheet, fields)
}

/// How a way is drawn.
fn sign(way: &Way, look: &Look) -> &'static str {
    match (way.products, way.promoted) {
        (None, _) => if look.ascii { "L" } else { "■" },
        (Some(_), true) => if look.ascii { "@" } else { "●" },
        (Some(_), false) => if look.ascii { "o" } else { "○" },
    }
}

fn points(ways: Ways, sheet: &mut Sheet) {
    let (look, columns) = (sheet.look, plot(sheet.width));
    for row in 0..HEIGHT {
        let mut cells = Cells::new();
        cells.push(&format!("{} │", pad_left(&format!("1e-{}", row + 2), LEFT - 2)), look.style(Meaning::Muted));
        for column in 0..columns {
            let here = |(_, way): &(usize, &Way)| place(ways, way, columns) == (column, row);
            // The chosen one hides the others that are drawn in the same cell.
            let found = all().iter().enumerate().filter(here).max_by_key(|(at, _)| *at == ways.way);
            match found {
                None => cells.push(" ", look.style(Meaning::Muted)),
                Some((at, way)) => {
                    let meaning = match (at == ways.way, ways.beaten_by(at)) {
                        (true, _) => Meaning::Accent,
                        (false, None) => Meaning::Strong,
                        (false, Some(_)) => Meaning::Muted,
                    };
                    cells.push(sign(way, look), look.style(meaning));
                }
            }
        }
        sheet.row(cells.done());
    }
    let mut axis = String::new();
    for speed in [50.0, 100.0, 200.0, 400.0, 800.0_f64] {
        let share = (speed / SPEEDS.0).ln() / (SPEEDS.1 / SPEEDS.0).ln();
        let at = (share * columns.saturating_sub(1) as f64).round() as usize;
        let label = format!("{speed:.0}");
        if at >= axis.width() && at + label.width() <= columns {
            axis = format!("{}{label}", crate::tui::look::pad(&axis, at));
        }
    }
    let unit = " TFLOP/s";
    if axis.width() + unit.width() <= columns {
        axis += unit;
    }
    sheet.row(vec![look.span(Meaning::Muted, format!("{}{axis}", " ".repeat(LEFT)))]);
}

fn recorded() -> String {
    let known = Frontier::built_in();
    t!("frontier-recorded", device = known.map_or("", |known| known.device.as_str()))
}

fn error(value: f64) -> String {
    format!("{value:.1e}")
}

/// What the chosen way says.
fn words(ways: Ways) -> Vec<String> {
    let Some((way, known)) = ways.looked_at().zip(Frontier::built_in()) else { return vec![t!("frontier-none")] };
    let mut said = vec![stands(ways, ways.way, way)];
    let errors: Vec<String> = way.error.iter().map(|value| error(*value)).collect();
    said.push(t!("frontier-grows", errors = errors.join(", "), uniform = error(way.uniform)));
    said.push(t!(
        "frontier-source",
        date = known.date.as_str(),
        driver = known.driver.as_str(),
        cublas = known.cublas.as_str()
    ));
    said
}

/// Speed and error of a way, and what beats it.
fn stands(ways: Ways, at: usize, way: &Way) -> String {
    let (name, speed, error) = (called(way), format!("{:.0}", ways.speed(way)), error(ways.error(way)));
    match ways.beaten_by(at) {
        None => t!("frontier-first", name = name, speed = speed, error = error),
        Some(other) => t!("frontier-beaten", name = name, speed = speed, error = error, other = called(other)),
    }
}

/// The picture in sentences.
pub(super) fn sentences(ways: Ways) -> Vec<String> {
    let mut all_said = vec![format!("{}, n = {}, {}.", t!("frontier-what"), ways.n(), recorded())];
    all_said.extend(all().iter().enumerate().map(|(at, way)| stands(ways, at, way)));
    all_said.extend(words(ways).into_iter().skip(1));
    all_said
}
