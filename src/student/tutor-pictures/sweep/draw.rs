/*! Draws the heat map:

```text
 sgemm_sweep  n = 2048                        138 variants
 NVIDIA H200                                          measured just now
 loop order ‹k innermost›
 TFLOP/s         2x2         4x4         4x8         8x4         8x8
 32x32x32      0.812░░░░  ▸1.950▒▒▒▒   2.480▒▒▒▒   2.410▒▒▒▒       ·
 64x64x16      1.204░░░░   2.813▓▓▓▓   3.960▓▓▓▓   3.904▓▓▓▓  *4.212████
 ▸ 32x32x32, 4x4, k innermost: 1.950 TFLOP/s, 3.84 % of cuBLAS
 * best: 64x64x16_8x8_k_innermost, 4.212 TFLOP/s, 8.30 % of cuBLAS
```
*/

use super::{GOAL, Search, Sweep};
use crate::prelude::*;
use tutor_exec::results::LaunchResults;
use tutor_exec::sweep::{Sweep as Measured, SweepPoint, Traffic};
use tutor_kernels::{Kernel, Variants};
use tutor_support::figures::{percent, significant, speed};

pub(super) fn sheet<'l>(sweep: &Sweep, look: &'l Look<'l>, width: u16) -> Sheet<'l> {
    let mut sheet = Sheet::new(look, width);
    let n = sweep.shown.as_ref().map_or(sweep.size, |shown| shown.n);
    let found = sweep.kernel.as_ref().and_then(|kernel| Some((kernel, kernel.variants.as_deref()?)));
    let Some((kernel, variants)) = found else {
        sheet.title(&sweep.id, Vec::new());
        sheet.text(Meaning::Warning, &t!("sweep-no-variants"));
        return sheet;
    };
    let ms = |ms: f64| format!("{ms:.1}");
    let count = match &sweep.search {
        Some(search) => {
            look.span(Meaning::Accent, t!("sweep-budget", left = ms(search.left_ms()), budget = ms(search.budget_ms)))
        }
        None => look.span(Meaning::Muted, t!("sweep-variants", count = variants.possible().count())),
    };
    sheet.title(&format!("{}, n = {}", kernel.title, grouped(n.into())), vec![count]);
    status(sweep, &mut sheet);
    if let Some((axis, (label, _))) = variants.axes.get(2).and_then(|axis| Some((axis, axis.values.get(sweep.panel)?)))
    {
        sheet.row(vec![
            look.span(Meaning::Muted, format!(" {} ", axis.name)),
            look.span(Meaning::Accent, look.sign("‹", "<").to_owned()),
            look.span(Meaning::Strong, label.clone()),
            look.span(Meaning::Accent, look.sign("›", ">").to_owned()),
            look.span(Meaning::Muted, format!("  {}", t!("sweep-of", at = sweep.panel + 1, count = axis.values.len()))),
        ]);
    }
    map(sweep, variants, &mut sheet);
    selected(sweep, kernel, variants, &mut sheet);
    summary(sweep, kernel, &mut sheet);
    sheet
}

fn status(sweep: &Sweep, sheet: &mut Sheet) {
    let look = sheet.look;
    let muted = |text: &str| look.span(Meaning::Muted, text.to_owned());
    let device = sweep.launch.as_ref().and_then(|launch| Some(launch.device.as_ref()?.name.clone()));
    let device = device.or_else(|| sweep.device.clone()).unwrap_or_else(|| t!("sweep-device-unknown"));
    let timed = sweep.shown.as_ref().is_some_and(Measured::timed);
    let no_gpu = if sweep.search.is_some() { String::new() } else { t!("sweep-no-gpu") };
    let (left, right) = match (&sweep.shown, sweep.running()) {
        (Some(shown), None) if sweep.recorded => {
            (look.span(Meaning::Warning, format!(" {}", shown.label())), muted(&no_gpu))
        }
        (_, Some(launch)) => {
            let doing = launch.progress.as_ref().map_or_else(String::new, |(doing, _)| doing.to_string());
            let room = usize::from(sheet.width).saturating_sub(device.width() + 4);
            (muted(&format!(" {device}")), look.span(Meaning::Accent, truncate(&doing, room, look.ascii)))
        }
        (Some(_), None) if timed => (muted(&format!(" {device}")), look.span(Meaning::Right, t!("sweep-measured"))),
        (Some(_), None) => (muted(&format!(" {device}")), muted(&t!("sweep-counted"))),
        (None, None) => (muted(&format!(" {device}")), muted(&t!("sweep-not-run"))),
    };
    sheet.ends(vec![left], vec![right]);
    if let Some(error) = sweep.launch.as_ref().and_then(LaunchResults::error) {
        sheet.text(Meaning::Wrong, &error.message.to_string());
    }
}

/// Returns a cell's value: a speed in GFLOP/s, or bytes requested from memory per multiply-add.
fn value(point: &SweepPoint, timed: bool) -> Option<f64> {
    if timed { point.gflops } else { point.traffic.map(Traffic::bytes_per_fma) }
}

/// Returns the number in a cell. The unit is in the heading.
fn number(value: f64, timed: bool) -> String {
    if timed { significant(value / 1000.0) } else { format!("{value:.2}") }
}

/// Returns a value with its unit.
fn figure(value: f64, timed: bool) -> String {
    if timed { speed(value) } else { t!("sweep-bytes", bytes = format!("{value:.2}")) }
}

/// Returns the shade of a value: how much of the best one it reaches, in fifths. Bad variants do not change the others.
fn heat(best: f64, timed: bool, of: f64) -> usize {
    let share = if timed { of / best } else { best / of };
    ((share + 0.1) * 5.0) as usize
}

/// True if all values that are known are alike, so that none is the best.
fn alike(shown: &Measured, timed: bool) -> bool {
    let values = || shown.points.iter().filter_map(|point| value(point, timed));
    let (low, high) = values().fold((f64::INFINITY, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
    values().count() > 1 && high <= 1.01 * low
}

/// Signs and colours of the shades: below 30 % of the best one, below 50 %, 70 % and 90 %, and from there on.
const SHADES: [(&str, &str, Meaning); 5] = [
    (" ", " ", Meaning::Muted),
    ("░", ".", Meaning::BarEmpty),
    ("▒", ":", Meaning::MatrixA),
    ("▓", "+", Meaning::Bar),
    ("█", "#", Meaning::Right),
];
/// Cells of a number with its marks.
const NUMBER: usize = 7;

fn map(sweep: &Sweep, variants: &Variants, sheet: &mut Sheet) {
    let look = sheet.look;
    let [rows, columns @ ..] = variants.axes.as_slice() else { return };
    let labels: Vec<&str> = match columns.first() {
        Some(axis) => axis.values.iter().map(|(label, _)| label.as_str()).collect(),
        None => vec![""],
    };
    let unit = match sweep.shown.as_ref().map(Measured::timed) {
        Some(false) if sweep.search.is_none() => t!("sweep-unit-bytes"),
        _ => t!("sweep-unit-speed"),
    };
    let head = rows.values.iter().map(|(label, _)| label.width()).chain([unit.width()]).max();
    let head = head.unwrap_or(0) + 1;
    let width = (usize::from(sheet.width).saturating_sub(head + 2) / labels.len().max(1)).clamp(NUMBER + 1, 20);
    let mut line = vec![look.span(Meaning::Muted, format!(" {}", pad(&unit, head)))];
    // Shades follow each number, so the labels end where the numbers end.
    let heading = |label: &&str| format!("{}{}", pad_left(label, NUMBER), " ".repeat(width - NUMBER));
    line.extend(labels.iter().map(|label| look.span(Meaning::Muted, heading(label))));
    sheet.row(line);
    for (row, (label, _)) in rows.values.iter().enumerate() {
        let mut line = vec![look.span(Meaning::Text, format!(" {}", pad(label, head)))];
        for column in 0..labels.len() {
            let at = point_at(variants, [row, column, sweep.panel]);
            let here = sweep.cursor == (row, column);
            line.extend(cell(sweep, at, width, here, look));
        }
        sheet.row(line);
    }
}

/// Returns the index of the variant at a row, a column and a value of the third axis.
pub(super) fn point_at(variants: &Variants, wanted: [usize; 3]) -> Option<usize> {
    variants.points.iter().position(|point| point.place.iter().eq(wanted.iter().take(point.place.len())))
}

/// Returns a cell, the number and then its shade: `▸*1.718▓▓▓ `.
fn cell(sweep: &Sweep, at: Option<usize>, width: usize, here: bool, look: &Look) -> Vec<Span<'static>> {
    let shades = width.saturating_sub(NUMBER + 1);
    let cursor = if here { look.sign("▸", ">") } else { "" };
    let none = |sign: &str| {
        let text = pad_left(&format!("{cursor}{sign}"), NUMBER);
        vec![look.span(Meaning::Muted, format!("{text}{}", " ".repeat(shades + 1)))]
    };
    let Some(shown) = &sweep.shown else { return none(look.sign("–", "-")) };
    let timed = shown.timed();
    let Some(point) = at.and_then(|at| shown.points.get(at)) else { return none("") };
    let Some(value) = value(point, timed) else {
        let timed = |search: &Search| at.and_then(|at| search.recorded.points.get(at)?.time).is_some();
        return none(match &point.why {
            Some(_) if sweep.search.as_ref().is_some_and(timed) => look.sign("…", "~"),
            Some(_) => look.sign("·", "."),
            None => look.sign("–", "-"),
        });
    };
    let most = shown.best().and_then(|best| self::value(best, timed)).unwrap_or(value);
    let (drawn, ascii, colour) = SHADES[heat(most, timed, value).clamp(1, SHADES.len()) - 1];
    let shade = look.sign(drawn, ascii).repeat(shades);
    let best = number(value, timed) == number(most, timed) && !alike(shown, timed);
    let (meaning, mark) = match (point.may_be_best(), best) {
        (false, _) => (Meaning::Wrong, "!"),
        (_, true) => (Meaning::Right, "*"),
        _ => (Meaning::Text, ""),
    };
    let text = format!("{mark}{}", number(value, timed));
    let blank = " ".repeat(NUMBER.saturating_sub(text.width() + cursor.width()));
    vec![
        look.span(Meaning::Accent, format!("{blank}{cursor}")),
        look.span(meaning, text),
        look.span(colour, format!("{shade} ")),
    ]
}

/// Describes the variant under the cursor.
fn selected(sweep: &Sweep, kernel: &Kernel, variants: &Variants, sheet: &mut Sheet) {
    let Some(at) = point_at(variants, [sweep.cursor.0, sweep.cursor.1, sweep.panel]) else { return };
    let labels = variants.axes.iter().zip(&variants.points[at].place);
    let labels: Vec<&str> = labels.filter_map(|(axis, at)| Some(axis.values.get(*at)?.0.as_str())).collect();
    let name = labels.join(", ");
    let shown = sweep.shown.as_ref();
    let Some(point) = shown.and_then(|shown| shown.points.get(at)) else { return };
    let timed = shown.is_some_and(Measured::timed);
    let text = match (value(point, timed), &point.why) {
        (Some(value), _) => {
            let cublas =
                shown.and_then(|shown| Some((shown.cublas?, shown.against.name(kernel.elements)))).filter(|_| timed);
            let figure = figure(value, timed);
            match cublas {
                Some((cublas, title)) => {
                    let share = percent(value / cublas.gflops);
                    t!("sweep-here-share", name, figure, share, cublas = title)
                }
                None => t!("sweep-here", name, figure),
            }
        }
        (None, Some(why)) => t!("sweep-here", name, figure = why),
        (None, None) => t!("sweep-here", name, figure = t!("sweep-nothing-yet")),
    };
    let cursor = sheet.look.sign("▸", ">");
    sheet.text(Meaning::Text, &format!("{cursor} {text}"));
    if point.mismatches.unwrap_or(0) > 0 {
        sheet.text(Meaning::Wrong, &t!("sweep-wrong"));
    }
}

fn summary(sweep: &Sweep, kernel: &Kernel, sheet: &mut Sheet) {
    let Some(shown) = &sweep.shown else {
        let text = if sweep.emulated { t!("sweep-launch-counts") } else { t!("sweep-launch-times") };
        return sheet.text(Meaning::Muted, &text);
    };
    if let Some(search) = &sweep.search {
        judge(search, shown, sheet);
    }
    let timed = shown.timed();
    let Some((best, value)) = shown.best().and_then(|best| Some((best, value(best, timed)?))) else { return };
    if alike(shown, timed) {
        return sheet.text(Meaning::Strong, &t!("sweep-alike", figure = figure(value, timed)));
    }
    let share = shown.cublas.filter(|_| timed).map_or_else(String::new, |cublas| {
        t!("sweep-share", share = percent(value / cublas.gflops), cublas = shown.against.name(kernel.elements))
    });
    let text = t!("sweep-best", variant = best.variant, figure = figure(value, timed), share);
    sheet.text(Meaning::Right, &format!("* {text}"));
    if sweep.recorded && sweep.running().is_none() && sweep.search.is_none() {
        sheet.text(Meaning::Muted, &t!("sweep-launch-counts"));
    }
}

/// Says how the search goes, and judges it when it has reached the goal or spent its budget.
fn judge(search: &Search, shown: &Measured, sheet: &mut Sheet) {
    let reached = search.share(shown).unwrap_or(0.0);
    let (goal, share) = (percent(GOAL), percent(reached));
    let best = search.recorded.best().map_or("", |best| &best.variant);
    if reached >= GOAL {
        sheet.text(Meaning::Right, &t!("sweep-found", share, variant = best));
    } else if search.left_ms() <= 0.0 {
        sheet.text(Meaning::Wrong, &t!("sweep-spent", share, variant = best));
    } else {
        sheet.text(Meaning::Muted, &t!("sweep-search", goal));
    }
}
