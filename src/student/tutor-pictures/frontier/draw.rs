/*! Draws the picture:

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

use super::{Control, FrontierPicture, all, called};
use crate::prelude::*;
use tutor_exec::frontier::{Frontier, Way};

/// Cells to the left of the points.
const LEFT: usize = 7;
/// Rows of the plot: one per power of ten.
const HEIGHT: usize = 6;
/// Rows above the plot: a title and two controls.
const TOP: u16 = 3;
/// Errors at the upper and lower edge.
const ERRORS: (f64, f64) = (1e-2, 1e-7);
/// Speeds in TFLOP/s at the left and right edge.
const SPEEDS: (f64, f64) = (40.0, 1000.0);

impl DrawControls for FrontierPicture {
    const KIND: &str = "frontier";
    const LAYOUT: ControlLayout = ControlLayout { label: 6, value: 24 };

    fn draw(&self, rows: &mut Rows<Control>) {
        let look = rows.look;
        let device = Frontier::built_in().map_or("", |known| known.device.as_str());
        rows.title(&t!("frontier-what"), vec![look.span(Meaning::Accent, t!("frontier-recorded", device))]);
        let way = self.looked_at().map(called).unwrap_or_default();
        rows.number(Control::Way, &t!("frontier-way"), &way, Vec::new());
        rows.number(Control::Size, "n", &self.n().to_string(), Vec::new());
        points(*self, rows);
        for sentence in words(*self) {
            rows.text(Meaning::Text, &sentence);
        }
    }

    fn more(&self) -> Vec<String> {
        all().iter().enumerate().map(|(at, way)| describe_way(*self, at, way)).collect()
    }

    fn click(&mut self, (x, y): (u16, u16), width: u16) {
        let Some((column, row)) = x.checked_sub(LEFT as u16).zip(y.checked_sub(TOP)) else { return };
        let here = |way: &Way| place(*self, way, plot(width)) == (column.into(), row.into());
        self.way = all().iter().position(here).unwrap_or(self.way);
    }
}

/// Returns the number of columns of the plot.
fn plot(width: u16) -> usize {
    usize::from(width).saturating_sub(LEFT + 1).min(90)
}

/// Returns the column and the row at which a way is drawn.
fn place(ways: FrontierPicture, way: &Way, columns: usize) -> (usize, usize) {
    let along = |value: f64, (first, last): (f64, f64)| ((value / first).ln() / (last / first).ln()).clamp(0.0, 1.0);
    let column = along(ways.speed(way), SPEEDS) * columns.saturating_sub(1) as f64;
    let row = along(ways.error(way), ERRORS) * (HEIGHT - 1) as f64;
    (column.round() as usize, row.round() as usize)
}

fn sign(way: &Way, look: &Look) -> &'static str {
    match (way.products, way.promoted) {
        (None, _) => look.sign("■", "L"),
        (Some(_), true) => look.sign("●", "@"),
        (Some(_), false) => look.sign("○", "o"),
    }
}

fn points(ways: FrontierPicture, sheet: &mut Sheet) {
    let (look, columns) = (sheet.look, plot(sheet.width));
    for row in 0..HEIGHT {
        let mut cells = Cells::default();
        cells.push(&format!("{} │", pad_left(&format!("1e-{}", row + 2), LEFT - 2)), look.style(Meaning::Muted));
        for column in 0..columns {
            let here = |(_, way): &(usize, &Way)| place(ways, way, columns) == (column, row);
            // If several points share a cell, the chosen one is visible.
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
        sheet.drawn(cells.done());
    }
    let mut axis = String::new();
    for speed in [50.0, 100.0, 200.0, 400.0, 800.0_f64] {
        let share = (speed / SPEEDS.0).ln() / (SPEEDS.1 / SPEEDS.0).ln();
        let at = (share * columns.saturating_sub(1) as f64).round() as usize;
        let label = format!("{speed:.0}");
        if at >= axis.width() && at + label.width() <= columns {
            axis = format!("{}{label}", ui_kit::look::pad(&axis, at));
        }
    }
    let unit = " TFLOP/s";
    if axis.width() + unit.width() <= columns {
        axis += unit;
    }
    sheet.drawn(vec![look.span(Meaning::Muted, format!("{}{axis}", " ".repeat(LEFT)))]);
}

fn error(value: f64) -> String {
    format!("{value:.1e}")
}

fn words(ways: FrontierPicture) -> Vec<String> {
    let Some((way, known)) = ways.looked_at().zip(Frontier::built_in()) else { return vec![t!("frontier-none")] };
    let mut sentences = vec![describe_way(ways, ways.way, way)];
    let errors: Vec<String> = way.error.iter().map(|value| error(*value)).collect();
    sentences.push(t!("frontier-grows", errors = errors.join(", "), uniform = error(way.uniform)));
    sentences.push(t!(
        "frontier-source",
        date = known.date.as_str(),
        driver = known.driver.as_str(),
        cublas = known.cublas.as_str()
    ));
    sentences
}

/// Describes speed and error of a way, and the way that beats it, if any.
fn describe_way(ways: FrontierPicture, at: usize, way: &Way) -> String {
    let (name, speed, error) = (called(way), format!("{:.0}", ways.speed(way)), error(ways.error(way)));
    match ways.beaten_by(at) {
        None => t!("frontier-first", name, speed, error),
        Some(other) => t!("frontier-beaten", name, speed, error, other = called(other)),
    }
}
