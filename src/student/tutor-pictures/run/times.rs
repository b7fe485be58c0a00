//! Times of one source as bars with their results, and the emulator's results.

use super::Run;
use super::draw::{Cell, letter};
use super::model::{Model, Recorded, Time, TimeSource, Verdict};
use crate::prelude::*;
use tutor_exec::cublas_default_name;
use tutor_support::figures::{duration, percent, percentage, spark, speed, speed_beside};

/// Cells of a speed with its unit.
const SPEED: usize = 13;
/// Minimum cells of a bar.
const MIN_BAR: usize = 6;

/// Adds times of one source with their results, and speeds as bars to the same scale.
pub(super) fn times(run: &Run, sheet: &mut Sheet, bars: bool) {
    let look = sheet.look;
    let model = &run.model;
    let (left, right) = match model.source() {
        TimeSource::Live(live) => {
            let device = live.device.as_ref().map_or_else(String::new, |device| match &device.driver {
                Some(driver) => t!("run-device", device = device.name, driver),
                None => device.name.clone(),
            });
            let now = if model.running().is_some() {
                format!("{} {}", t!("run-live"), look.sign("●", "*"))
            } else {
                t!("run-measured")
            };
            (look.span(Meaning::Muted, device), look.span(Meaning::Right, now))
        }
        TimeSource::Recorded(Recorded(recording)) => {
            let here = if model.on_gpu() { t!("run-not-this-gpu") } else { t!("run-no-gpu") };
            let label = t!("run-recorded", device = recording.device, driver = recording.driver, date = recording.date);
            (look.span(Meaning::Warning, label), look.span(Meaning::Muted, here))
        }
        TimeSource::None => {
            if !model.on_gpu() {
                sheet.text(Meaning::Muted, &t!("run-no-time", n = model.n));
            }
            return;
        }
    };
    sheet.ends(vec![Span::raw(" "), left], vec![right]);
    let shown: Vec<Option<Time>> = (0..model.kernels.len()).map(|at| model.time(at)).collect();
    let names = model.kernels.iter().map(|kernel| kernel.name.width()).max().unwrap_or(0);
    let (cublas_title, default_title) = (model.cublas_title(), cublas_default_name(model.elements()).to_string());
    let names = names.max(cublas_title.width());
    let names = names.max(model.default_ms().map_or(0, |_| default_title.width())).min(usize::from(sheet.width) / 3);
    let (low, high) = model.bounds();
    for (at, kernel) in model.kernels.iter().enumerate() {
        match shown[at] {
            Some(time) => {
                let spread = format!(" {}{}", look.sign("±", "+-"), percentage(time.spread(), 1));
                time_row(sheet, &letter(model, at), &kernel.name, names, model, (time.median_ms, &spread), bars);
            }
            None => sheet.row(vec![
                look.span(Meaning::Accent, format!(" {} ", letter(model, at))),
                look.span(Meaning::Strong, pad(&kernel.name, names)),
                look.span(Meaning::Muted, format!("  {}", look.sign("–", "-"))),
            ]),
        }
        let mut pieces = Vec::new();
        if let Some(verdict) = model.verdict(at) {
            pieces.push(verdict_cell(verdict, look));
        }
        if let (Some(time), Some(cublas)) = (shown[at], model.cublas_beside(at)) {
            let text = t!("run-of-cublas", share = percent(cublas / time.median_ms), cublas = cublas_title);
            pieces.push(vec![look.span(Meaning::Muted, text)]);
        }
        if let (Some(time), Some(first)) = (shown[at].filter(|_| at > 0), shown[0]) {
            let wrong = model.verdict(at).is_some_and(|verdict| verdict.wrong > 0);
            pieces.push(vec![look.span(Meaning::Strong, compared(time.median_ms / first.median_ms, wrong))]);
        }
        if let Some(samples) = model.found().get(at).map(|found| &found.timed.samples)
            && model.running().is_some()
            && !samples.is_empty()
            && bars
        {
            pieces.push(vec![look.span(Meaning::Bar, spark(samples, low, high, 16, look.ascii))]);
        }
        in_pieces(sheet, pieces);
        if let Some(variant) = model.variant(at).filter(|_| shown[at].is_some()) {
            sheet.text(Meaning::Muted, &format!("  {variant}"));
        }
    }
    if let Some(ms) = model.cublas_ms() {
        time_row(sheet, " ", &cublas_title, names, model, (ms, ""), bars);
    }
    if let Some(ms) = model.default_ms() {
        time_row(sheet, " ", &default_title, names, model, (ms, ""), bars);
    }
    if let Some(text) = model.host_cost() {
        sheet.text(Meaning::Muted, &text);
    }
    let past = |at: usize| Some(model.cublas_beside(at)? / shown[at]?.median_ms > 1.05);
    if (0..shown.len()).any(|at| past(at) == Some(true)) {
        sheet.text(Meaning::Muted, &t!("run-past-cublas"));
    }
    if let Some((best, ms)) = model.best(&run.rivals, &run.runs) {
        let text = t!("run-best", title = best.title, time = duration(ms), speed = speed(model.gflops(ms)));
        sheet.text(Meaning::Muted, &text);
    }
}

/// Adds a time: `a [32][32]   9.801 ms ±0.0 %  ███████   1.753 TFLOP/s`. Bar and interval are left out if they do not
/// fit.
fn time_row(
    sheet: &mut Sheet,
    letter: &str,
    name: &str,
    names: usize,
    model: &Model,
    (ms, spread): (f64, &str),
    bars: bool,
) {
    let (look, fastest) = (sheet.look, model.fastest());
    let width = usize::from(sheet.width);
    let mut spans = vec![
        look.span(Meaning::Accent, format!(" {letter} ")),
        look.span(Meaning::Strong, pad(name, names)),
        look.span(Meaning::Strong, format!(" {}", pad_left(&duration(ms), 9))),
    ];
    let mut left = width.saturating_sub(3 + names + 10 + SPEED + 3);
    // The interval is in its own column, so that all bars begin at the same column.
    if left > 9 + MIN_BAR {
        spans.push(look.span(Meaning::Muted, pad(spread, 8)));
        left -= 8;
    }
    spans.push(Span::raw(" "));
    if bars && left >= MIN_BAR {
        let bar = look.bar(model.gflops(ms) / fastest, left as u16).into_iter().map(|part| {
            // The empty part of the bar is blank here.
            if part.style == look.style(Meaning::BarEmpty) { Span::raw(" ".repeat(part.content.width())) } else { part }
        });
        spans.extend(bar);
    }
    spans.push(look.span(Meaning::Text, format!(" {}", pad_left(&speed_beside(model.gflops(ms), fastest), SPEED))));
    sheet.row(spans);
}

/// Adds pieces to one row with dots between them. Pieces that do not fit go to the next rows.
fn in_pieces(sheet: &mut Sheet, pieces: Vec<Cell>) {
    let look = sheet.look;
    let room = usize::from(sheet.width).saturating_sub(1);
    let cells = |spans: &[Span]| spans.iter().map(Span::width).sum::<usize>();
    let mut row: Cell = vec![Span::raw("   ")];
    for piece in pieces {
        if row.len() > 1 && cells(&row) + 3 + cells(&piece) > room {
            sheet.row(std::mem::replace(&mut row, vec![Span::raw("   ")]));
        }
        if row.len() > 1 {
            row.push(look.span(Meaning::Muted, " · "));
        }
        row.extend(piece);
    }
    if row.len() > 1 {
        sheet.row(row);
    }
}

/// Returns `✔ all 262,144 right` or `✘ 16,285 of 262,144 wrong`.
fn verdict_cell(verdict: Verdict, look: &Look) -> Cell {
    let of = verdict.of;
    if verdict.wrong == 0 {
        return vec![look.right(), look.span(Meaning::Right, format!(" {}", t!("run-all-right", of)))];
    }
    vec![look.wrong(), look.span(Meaning::Wrong, format!(" {}", t!("run-wrong", wrong = verdict.wrong, of)))]
}

fn compared(ratio: f64, wrong: bool) -> String {
    let text = match ratio {
        ratio if (ratio - 1.0).abs() < 0.01 => t!("run-the-same"),
        ratio if ratio > 1.0 => t!("run-slower", ratio = format!("{ratio:.2}")),
        ratio => t!("run-faster", ratio = format!("{:.2}", 1.0 / ratio)),
    };
    if wrong { t!("run-but-wrong", compared = text) } else { text }
}

/// Adds the emulator's results at its own size.
pub(super) fn emulated(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    if model.live().is_some() || model.found().iter().all(|found| found.verification.is_none()) {
        return;
    }
    sheet.rule(&t!("run-emulated", n = model.found_n()));
    let names = model.kernels.iter().map(|kernel| kernel.name.width()).max().unwrap_or(0);
    let mut wrong = false;
    for (at, kernel) in model.kernels.iter().enumerate() {
        let Some(verdict) = model.compared(at) else { continue };
        wrong |= verdict.wrong > 0;
        let mut row = vec![
            look.span(Meaning::Accent, format!(" {} ", letter(model, at))),
            look.span(Meaning::Text, format!("{}  ", pad(&kernel.name, names))),
        ];
        row.extend(verdict_cell(verdict, look));
        sheet.row(row);
    }
    if wrong && model.running().is_none() {
        sheet.text(Meaning::Note, &t!("run-again"));
    }
}
