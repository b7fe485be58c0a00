/*! The heat map.

```text
 sweep ▸ sgemm_sweep  n = 2048                        138 variants
 NVIDIA H200                                          measured just now
 loop order ‹k innermost›
 block tile       2x2        4x4        4x8        8x4        8x8
 32x32x32      ▂    812   ▄  1 950   ▅  2 480   ▅  2 410         ·
 64x64x16      ▃  1 204   ▅  2 813   ▇  3 960   ▇  3 904   █*4 212
 * best 64x64x16_8x8_k_innermost: 4 212 GFLOP/s, 8.3 % of cuBLAS
```
*/

use super::super::sheet::Sheet;
use super::Sweep;
use crate::figures::grouped;
use crate::exec::cublas_name;
use crate::exec::sweep::{Sweep as Measured, SweepPoint, Traffic};
use crate::kernels::{Kernel, Variants};
use crate::tui::look::{Look, truncate};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Span;

pub(super) fn draw(sweep: &Sweep, frame: &mut Frame, area: Rect, look: &Look) {
    let mut sheet = Sheet::new(look, area.width);
    let n = sweep.shown.as_ref().map_or(sweep.size, |shown| shown.n);
    let found = sweep.kernel.as_ref().and_then(|kernel| Some((kernel, kernel.variants.as_deref()?)));
    let Some((kernel, variants)) = found else {
        sheet.title("sweep", &sweep.id, Vec::new());
        sheet.text(Meaning::Warning, "There is no such kernel, or it comes in one variant.");
        sheet.draw(frame, area);
        return;
    };
    let count = look.span(Meaning::Muted, format!("{} variants", variants.possible().count()));
    sheet.title("sweep", &format!("{}  n = {n}", kernel.id), vec![count]);
    status(sweep, &mut sheet);
    if let Some((axis, (label, _))) = variants.axes.get(2).and_then(|axis| Some((axis, axis.values.get(sweep.panel)?))) {
        sheet.row(vec![
            look.span(Meaning::Muted, format!(" {} ", axis.name)),
            look.span(Meaning::Accent, look.sign("‹", "<").to_owned()),
            look.span(Meaning::Strong, label.clone()),
            look.span(Meaning::Accent, look.sign("›", ">").to_owned()),
        ]);
    }
    map(sweep, variants, &mut sheet);
    summary(sweep, kernel, &mut sheet);
    sheet.draw(frame, area);
}

fn status(sweep: &Sweep, sheet: &mut Sheet) {
    let look = sheet.look;
    let muted = |text: &str| look.span(Meaning::Muted, text.to_owned());
    let device = sweep.device.clone().unwrap_or_else(|| "device not known yet".to_owned());
    let timed = sweep.shown.as_ref().is_some_and(Measured::timed);
    let (left, right) = match (&sweep.shown, sweep.running) {
        (Some(shown), None) if sweep.recorded => {
            (look.span(Meaning::Warning, format!(" {}", shown.label())), muted("no GPU here"))
        }
        (_, Some(_)) => {
            let doing = sweep.progress.as_ref().map_or_else(String::new, |(doing, _)| doing.clone());
            let room = usize::from(sheet.width).saturating_sub(device.chars().count() + 4);
            (muted(&format!(" {device}")), look.span(Meaning::Accent, truncate(&doing, room, look.ascii)))
        }
        (Some(_), None) if timed => (muted(&format!(" {device}")), look.span(Meaning::Right, "measured just now")),
        (Some(_), None) => (muted(&format!(" {device}")), muted("counted, lower is better")),
        (None, None) => (muted(&format!(" {device}")), muted("not run yet")),
    };
    sheet.ends(vec![left], vec![right]);
    if let Some(why) = &sweep.failed {
        sheet.text(Meaning::Wrong, why);
    }
}

/// What a cell shows: GFLOP/s, or bytes asked of memory for each multiply-add.
fn value(point: &SweepPoint, timed: bool) -> Option<f64> {
    if timed { point.gflops } else { point.traffic.map(Traffic::bytes_per_fma) }
}

fn number(value: f64, timed: bool) -> String {
    if timed { grouped(value.round().max(0.0) as u64) } else { format!("{value:.2}") }
}

/// 0 for the worst and 1 for the best, logarithmic.
fn heat(shown: &Measured, timed: bool, of: f64) -> f64 {
    let values = || shown.points.iter().filter_map(|point| value(point, timed));
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    let part = ((of / low).ln() / (high / low).ln().max(1e-9)).clamp(0.0, 1.0);
    if timed { part } else { 1.0 - part }
}

const BARS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const PLAIN_BARS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];

fn map(sweep: &Sweep, variants: &Variants, sheet: &mut Sheet) {
    let look = sheet.look;
    let [rows, columns @ ..] = variants.axes.as_slice() else { return };
    let labels: Vec<&str> = match columns.first() {
        Some(axis) => axis.values.iter().map(|(label, _)| label.as_str()).collect(),
        None => vec![""],
    };
    let head = rows.values.iter().map(|(label, _)| label.chars().count()).chain([rows.name.chars().count()]).max();
    let head = head.unwrap_or(0) + 1;
    let width = (usize::from(sheet.width).saturating_sub(head + 2) / labels.len().max(1)).clamp(7, 13);
    let mut line = vec![look.span(Meaning::Muted, format!(" {:<head$}", rows.name))];
    line.extend(labels.iter().map(|label| look.span(Meaning::Muted, format!("{label:>width$}"))));
    sheet.row(line);
    for (row, (label, _)) in rows.values.iter().enumerate() {
        let mut line = vec![look.span(Meaning::Text, format!(" {label:<head$}"))];
        for column in 0..labels.len() {
            let wanted = [row, column, sweep.panel];
            let at = variants.points.iter().position(|p| p.place.iter().eq(wanted.iter().take(p.place.len())));
            line.push(cell(sweep, at, width, look));
        }
        sheet.row(line);
    }
}

fn cell(sweep: &Sweep, at: Option<usize>, width: usize, look: &Look) -> Span<'static> {
    let none = |sign: &str| look.span(Meaning::Muted, format!("{sign:>width$}"));
    let Some(shown) = &sweep.shown else { return none(look.sign("–", "-")) };
    let timed = shown.timed();
    let Some(point) = at.and_then(|at| shown.points.get(at)) else { return none("") };
    let Some(value) = value(point, timed) else {
        return none(if point.why.is_some() { look.sign("·", ".") } else { look.sign("–", "-") });
    };
    let heat = heat(shown, timed, value);
    let bars = if look.ascii { PLAIN_BARS } else { BARS };
    let bar = bars.get((heat * 7.0).round() as usize).copied().unwrap_or(" ");
    let best = shown.best().is_some_and(|best| best.variant == point.variant);
    let meaning = match (point.may_be_best(), best) {
        (false, _) => Meaning::Wrong,
        (_, true) => Meaning::Right,
        _ if heat > 0.75 => Meaning::Strong,
        _ if heat > 0.4 => Meaning::Text,
        _ => Meaning::Muted,
    };
    let mark = match (point.may_be_best(), best) {
        (false, _) => "!",
        (_, true) => "*",
        _ => "",
    };
    let text = format!("{mark}{}", number(value, timed));
    let room = width.saturating_sub(2);
    look.span(meaning, format!(" {bar}{text:>room$}"))
}

fn summary(sweep: &Sweep, kernel: &Kernel, sheet: &mut Sheet) {
    let Some(shown) = &sweep.shown else {
        let what = if sweep.emulated { "count what each asks of memory" } else { "time all of them on this GPU" };
        return sheet.text(Meaning::Muted, &format!("Launch it to {what}."));
    };
    let timed = shown.timed();
    let Some((best, value)) = shown.best().and_then(|best| Some((best, value(best, timed)?))) else { return };
    let share = shown.cublas.filter(|_| timed).map_or_else(String::new, |cublas| {
        format!(", {:.1} % of {}", 100.0 * value / cublas.gflops, cublas_name(kernel.elements))
    });
    let unit = if timed { "GFLOP/s" } else { "bytes of memory a multiply-add" };
    sheet.text(Meaning::Right, &format!("* best {}: {} {unit}{share}", best.variant, number(value, timed)));
}
