/*! Draws the picture:

```text
 error, relative to ||a|| ||b||                      largest of 64 elements
 ▸ K          256 ◂▸
   phi          0    (u - 0.5) · exp(0 · n)
   moduli      14
 1     ▁▁▁
 2^-8  ███ ▅▅▅ ▁▁▁
 2^-16 ███┄███┄███┄▅▅▅┄▁▁▁┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄FP32
 …
         2   3   4   5   6   7   8   9  10  11  12  13  14  15  16
 A plain FP32 sum has an error of 2^-24.0. With 7 moduli, the error is smaller.
```

A row is 8 bits of the error. A bar begins at the lower edge and ends at the error.
*/

use super::{Control, EDGE, FIRST, Moduli};
use crate::ozaki::{MODULI, largest_norm, product};
use crate::prelude::*;
use tutor_course::ModuliView;

/// Rows of the plot, and bits of the error in each.
const ROWS: usize = 8;
const BITS: f64 = 8.0;
/// Cells to the left of the plot and to its right.
const LEFT: usize = 7;
const RIGHT: usize = 6;
/// Rows above the plot: the title and the controls.
const TOP: u16 = 4;

impl DrawControls for Moduli {
    const KIND: &str = "moduli";
    const LAYOUT: ControlLayout = ControlLayout { label: 8, value: 6 };

    fn draw(&self, rows: &mut Rows<Control>) {
        let look = rows.look;
        rows.title(&t!("moduli-what"), vec![look.span(Meaning::Muted, t!("moduli-largest", count = EDGE * EDGE))]);
        let phi = ModuliView::RANGES[self.range];
        let data = look.span(Meaning::Muted, t!("moduli-data", phi));
        rows.number(Control::Length, "K", &ModuliView::LENGTHS[self.length].to_string(), Vec::new());
        rows.number(Control::Range, "phi", &phi.to_string(), vec![data]);
        rows.number(Control::Count, &t!("moduli-count"), &self.count.to_string(), Vec::new());
        bars(self, rows);
        for (name, error) in [("FP32", self.errors.fp32), ("FP64", self.errors.fp64)] {
            let error_of = power(error);
            let sentence = match self.reaches(error) {
                Some(count) => t!("moduli-reached", name, error = error_of, count),
                None => t!("moduli-not-reached", name, error = error_of, count = MODULI.len()),
            };
            rows.text(Meaning::Text, &sentence);
        }
        let used = &MODULI[..self.count];
        let (p, t) = (power(product(used) as f64), power(largest_norm(used)));
        rows.text(
            Meaning::Accent,
            &t!("moduli-chosen", count = self.count, p, t, error = power(self.error(self.count))),
        );
    }

    fn click(&mut self, (x, y): (u16, u16), width: u16) {
        let at = usize::from(x).checked_sub(LEFT).map(|x| x / cell(width));
        if let Some(at) = at.filter(|at| y >= TOP && usize::from(y - TOP) <= ROWS && *at < MODULI.len() - 1) {
            self.count = at + FIRST;
        }
    }
}

impl Moduli {
    /// Returns the error with a number of moduli.
    fn error(&self, count: usize) -> f64 {
        self.errors.moduli.get(count - FIRST).copied().unwrap_or(1.0)
    }
}

/// Returns the cells of a column.
fn cell(width: u16) -> usize {
    if usize::from(width) < LEFT + RIGHT + 4 * (MODULI.len() - 1) { 3 } else { 4 }
}

fn power(value: f64) -> String {
    format!("2^{:.1}", value.log2())
}

fn bars(picture: &Moduli, sheet: &mut Sheet) {
    let (look, cell) = (sheet.look, cell(sheet.width));
    let lines = [("FP32", picture.errors.fp32), ("FP64", picture.errors.fp64)];
    let row_of = |error: f64| ((-error.log2() / BITS).max(0.0) as usize).min(ROWS - 1);
    for row in 0..ROWS {
        let line = lines.iter().find(|(_, error)| row_of(*error) == row);
        let empty = if line.is_some() { look.sign("┄", "-") } else { " " };
        let mut cells = Cells::default();
        let edge = if row == 0 { "1".to_owned() } else { format!("2^-{}", row * BITS as usize) };
        cells.push(&pad(&format!(" {edge}"), LEFT), look.style(Meaning::Muted));
        for count in FIRST..=MODULI.len() {
            let error = picture.error(count);
            // Eighths of the row that the bar fills from its lower edge.
            let eighths = (BITS * (row + 1) as f64 + error.log2()).clamp(0.0, BITS).round() as usize;
            let meaning = match (eighths, error) {
                (0, _) => Meaning::Warning,
                _ if count == picture.count => Meaning::Accent,
                (_, error) if error <= picture.errors.fp64 => Meaning::Right,
                (_, error) if error <= picture.errors.fp32 => Meaning::Text,
                _ => Meaning::Muted,
            };
            let bar = match eighths {
                0 => empty,
                at => look.sign(["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][at - 1], if at < 4 { "." } else { "#" }),
            };
            cells.push(&bar.repeat(cell - 1), look.style(meaning));
            cells.push(empty, look.style(Meaning::Warning));
        }
        if let Some((name, _)) = line {
            cells.push(name, look.style(Meaning::Warning));
        }
        sheet.drawn(cells.done());
    }
    let mut axis = vec![Span::raw(" ".repeat(LEFT))];
    for count in FIRST..=MODULI.len() {
        let meaning = if count == picture.count { Meaning::Selected } else { Meaning::Muted };
        axis.push(look.span(meaning, pad_left(&count.to_string(), cell - 1)));
        axis.push(Span::raw(" "));
    }
    sheet.drawn(axis);
}
