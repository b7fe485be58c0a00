/*! Draws the plot:

```text
 n = 1024                        NVIDIA H200, recorded, driver 580, 2026-11
   60.9k │         ⣀⠤⠒⠉───────────
 GFLOP/s │     ⣀⠤⠒⠉
         │ a⠤⠒⠉    b
         └────────────────────────
          0.125   1     14.2        FLOP/byte
 a naive          0.25 FLOP/byte     6058 GFLOP/s recorded
```
*/

use super::Roofline;
use super::model::{Axes, Limit, Point, Roof};
use crate::effect::message;
use crate::prelude::*;
use tutor_exec::results::LaunchResults;
use tutor_support::figures::{short, significant, speed};
use ui_kit::canvas::Dots;

/// Cells of the labels to the left of the plot.
const LABELS: usize = 9;

/// A plot of characters. Row 0 is at the top.
struct Plot {
    width: usize,
    height: usize,
    cells: Vec<(char, Meaning)>,
}

impl Plot {
    fn new(width: usize, height: usize) -> Self {
        Self { width, height, cells: vec![(' ', Meaning::Text); width * height] }
    }

    /// Returns the cell of a point. Coordinates are from 0 to 1, with the origin at the lower left.
    fn at(&self, x: f64, y: f64) -> (usize, usize) {
        let column = (x * (self.width - 1) as f64).round() as usize;
        let row = ((1.0 - y) * (self.height - 1) as f64).round() as usize;
        (column.min(self.width - 1), row.min(self.height - 1))
    }

    fn set(&mut self, (column, row): (usize, usize), sign: char, meaning: Meaning) {
        if let Some(cell) = self.cells.get_mut(row * self.width + column) {
            *cell = (sign, meaning);
        }
    }

    fn letter_at(&self, (column, row): (usize, usize)) -> bool {
        self.cells.get(row * self.width + column).is_some_and(|(sign, _)| sign.is_ascii_lowercase())
    }

    fn row(&self, row: usize, look: &Look) -> Vec<Span<'static>> {
        let mut cells = ui_kit::sheet::Cells::default();
        for (sign, meaning) in &self.cells[row * self.width..(row + 1) * self.width] {
            cells.push(&sign.to_string(), look.style(*meaning));
        }
        cells.done()
    }
}

pub(super) fn draw(roofline: &Roofline, frame: &mut Frame, area: Rect, look: &Look) {
    let mut sheet = Sheet::new(look, area.width);
    title(roofline, &mut sheet);
    // The axis takes two rows and the text up to four. The plot is more important than the text.
    let room = usize::from(area.height).saturating_sub(usize::from(sheet.height()) + roofline.points.len() + 2);
    let height = room.saturating_sub(4).max(room.saturating_sub(2).min(3)).min(36);
    let width = usize::from(area.width).saturating_sub(LABELS + 3).min(120);
    if let Some(roof) = roofline.roof.as_ref().filter(|_| height >= 3 && width >= 10) {
        plot(roof, &roofline.points, width, height, &mut sheet);
    } else if roofline.roof.is_some() {
        sheet.text(Meaning::Muted, &t!("roofline-no-room"));
    } else if height >= 1 {
        sheet.text(Meaning::Muted, &t!("roofline-no-roof"));
    }
    below(roofline, &mut sheet);
    sheet.draw(frame, area);
}

/// Returns all rows except the plot, for the line-by-line mode.
pub(super) fn in_words<'l>(roofline: &Roofline, look: &'l Look<'l>, width: u16) -> Sheet<'l> {
    let mut sheet = Sheet::new(look, width);
    title(roofline, &mut sheet);
    below(roofline, &mut sheet);
    sheet
}

fn title(roofline: &Roofline, sheet: &mut Sheet) {
    let source = match (&roofline.roof, &roofline.device) {
        (Some(roof), _) => t!("roofline-source", device = roof.device, driver = roof.driver, date = roof.date),
        (None, Some((device, _))) => t!("roofline-unmeasured", device),
        (None, None) => String::new(),
    };
    let n = format!("n = {}", grouped(roofline.size.into()));
    let names = || roofline.points.iter().map(|point| point.name.as_str()).collect::<Vec<_>>().join(" · ");
    let what = if roofline.shared.is_empty() { names() } else { roofline.shared.clone() };
    let look = sheet.look;
    sheet.title(&what, vec![look.span(Meaning::Accent, n)]);
    sheet.text(Meaning::Muted, &source);
}

fn below(roofline: &Roofline, sheet: &mut Sheet) {
    for (point, letter) in roofline.points.iter().zip('a'..) {
        describe(roofline, point, letter, sheet);
    }
    words(roofline, sheet);
}

fn plot(roof: &Roof, points: &[Point], width: usize, height: usize, sheet: &mut Sheet) {
    let look = sheet.look;
    let sign = |drawn: char, plain: char| if look.ascii { plain } else { drawn };
    let axes = Axes::around(roof, points);
    let mut plot = Plot::new(width, height);
    let y_of = |gflops: f64| Axes::place(axes.y, gflops);
    for column in 0..width {
        let x = column as f64 / (width - 1).max(1) as f64;
        let intensity = Axes::value(axes.x, x);
        let flat = intensity >= roof.balance();
        let (line, meaning) = if flat { (sign('─', '-'), Meaning::MatrixC) } else { ('/', Meaning::MatrixA) };
        let gflops = roof.at(intensity);
        if gflops >= axes.y.0 && (flat || look.ascii) {
            let at = plot.at(x, y_of(gflops));
            plot.set(at, line, meaning);
        }
    }
    if !look.ascii {
        // From the lower or left edge to the balance point.
        let from = axes.x.0.max(axes.y.0 / roof.gbytes);
        let dot = |intensity: f64| {
            let (x, y) = (Axes::place(axes.x, intensity), y_of(roof.at(intensity)));
            (x * (2 * width - 2) as f64, (1.0 - y) * (4 * height - 4) as f64 + 1.5)
        };
        let mut dots = Dots::new(width, height);
        dots.line(dot(from), dot(roof.balance()));
        for (column, row, sign) in dots.drawn() {
            plot.set((column, row), sign, Meaning::MatrixA);
        }
    }
    for (point, letter) in points.iter().zip('a'..) {
        let Some(intensity) = point.intensity else { continue };
        let x = Axes::place(axes.x, intensity);
        if let Some(speed) = point.speed {
            let mut at = plot.at(x, y_of(speed.gflops));
            while plot.letter_at(at) && at.0 + 1 < width {
                at.0 += 1;
            }
            plot.set(at, letter, Meaning::Accent);
        } else {
            // Without a time only the intensity is known, so a line goes from the axis to the roof.
            let (column, top) = plot.at(x, y_of(roof.at(intensity)));
            for row in top + 1..height {
                plot.set((column, row), sign('┊', ':'), Meaning::Muted);
            }
            plot.set((column, height - 1), letter, Meaning::Accent);
        }
    }
    let roof_row = plot.at(0.0, y_of(roof.gflops)).1;
    let decades: Vec<(usize, f64)> = (0..7)
        .map(|power| 10f64.powi(power))
        .filter(|g| *g > axes.y.0 && *g < axes.y.1)
        .map(|g| (plot.at(0.0, y_of(g)).1, g))
        .collect();
    for row in 0..height {
        let label = if row == roof_row {
            short(roof.gflops as u64)
        } else {
            let clear = row.abs_diff(roof_row) > 0;
            decades.iter().find(|(at, _)| *at == row && clear).map_or_else(String::new, |(_, g)| short(*g as u64))
        };
        let mut spans = vec![look.span(Meaning::Muted, format!("{} {}", pad_left(&label, LABELS - 1), sign('│', '|')))];
        spans.extend(plot.row(row, look));
        sheet.row(spans);
    }
    x_axis(roof, &axes, width, sheet);
}

/// Draws the lower edge with the balance point and the powers of ten.
fn x_axis(roof: &Roof, axes: &Axes, width: usize, sheet: &mut Sheet) {
    let look = sheet.look;
    let corner = look.sign("└", "+");
    let edge = look.sign("─", "-").repeat(width);
    sheet.row(vec![look.span(Meaning::Muted, format!("{}{corner}{edge}", pad_left("GFLOP/s ", LABELS)))]);
    let mut labels = vec![' '; width];
    let mut write = |value: f64, text: &str| {
        let at = (Axes::place(axes.x, value) * (width - 1) as f64).round() as usize;
        let free = labels.iter().skip(at.saturating_sub(1)).take(text.len() + 2).all(|c| *c == ' ');
        if free && at + text.len() <= width {
            for (slot, c) in labels[at..].iter_mut().zip(text.chars()) {
                *slot = c;
            }
        }
    };
    write(roof.balance(), &format!("{:.1}", roof.balance()));
    for (value, text) in [(0.1, "0.1"), (1.0, "1"), (10.0, "10"), (100.0, "100"), (1000.0, "1000")] {
        if value > axes.x.0 && value < axes.x.1 {
            write(value, text);
        }
    }
    let text: String = labels.into_iter().collect();
    sheet.row(vec![look.span(Meaning::Muted, format!("{}{text}", pad_left("FLOP/B ", LABELS + 1)))]);
}

fn describe(roofline: &Roofline, point: &Point, letter: char, sheet: &mut Sheet) {
    let look = sheet.look;
    let intensity = point.intensity.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
    let speed = match point.speed {
        Some(speed) => {
            let speed_of = self::speed(speed.gflops);
            if speed.live {
                t!("roofline-measured", speed = speed_of)
            } else {
                t!("roofline-recorded", speed = speed_of)
            }
        }
        None => t!("roofline-no-time"),
    };
    let longest = roofline.points.iter().map(|point| unicode_width::UnicodeWidthStr::width(point.name.as_str())).max();
    let name = usize::from(sheet.width).saturating_sub(42).clamp(8, longest.unwrap_or(0).max(8));
    let mut row = vec![
        look.span(Meaning::Accent, format!(" {letter} ")),
        look.span(Meaning::Strong, pad(&point.name, name)),
        look.span(Meaning::Text, format!(" {} FLOP/B  ", pad_left(&intensity, 5))),
        look.span(Meaning::Text, format!("{}  ", pad_left(&speed, 22))),
    ];
    let limit = match roofline.roof.as_ref().and_then(|roof| point.limit(roof)) {
        Some(Limit::Compute) => t!("roofline-arithmetic"),
        Some(Limit::Memory) => t!("roofline-memory"),
        _ => String::new(),
    };
    // If the remark does not fit, it is left out completely.
    let used: usize = row.iter().map(Span::width).sum();
    if used + unicode_width::UnicodeWidthStr::width(limit.as_str()) <= usize::from(sheet.width) {
        row.push(look.span(Meaning::Muted, limit));
    }
    sheet.row(row);
}

fn words(roofline: &Roofline, sheet: &mut Sheet) {
    let look = sheet.look;
    let failed = roofline.launch.as_ref().and_then(LaunchResults::error);
    if let Some(error) = failed {
        sheet.error(message(error));
    } else if let Some(launch) = roofline.running() {
        let mut row = vec![look.span(Meaning::Muted, format!(" {} ", t!("roofline-counting")))];
        row.extend(look.bar(launch.fraction(), 24));
        sheet.row(row);
    } else if roofline.points.iter().any(|point| point.intensity.is_none()) {
        sheet.text(Meaning::Muted, &t!("roofline-enter"));
    }
    if let Some(roof) = &roofline.roof {
        let above: Vec<String> = (roofline.points.iter().zip('a'..))
            .filter(|(point, _)| point.limit(roof) == Some(Limit::Caches))
            .map(|(_, letter)| letter.to_string())
            .collect();
        if !above.is_empty() {
            let text = t!("roofline-above", names = above.join(", "), count = above.len());
            sheet.text(Meaning::Note, &text);
        }
        let text = t!(
            "roofline-balance",
            speed = speed(roof.gflops),
            bandwidth = significant(roof.gbytes / 1000.0),
            balance = format!("{:.1}", roof.balance())
        );
        sheet.text(Meaning::Text, &text);
    }
}
