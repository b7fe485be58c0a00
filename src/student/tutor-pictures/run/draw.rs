/*! Draws the screen of a run:

```text
 tiled 32×32 by column                                           n = 2048
 recorded on NVIDIA H200, driver 580.159.04, 2026-11-21             no GPU here
 a [32][32]    9.801 ms ±0.0 %  ████████████████████████████████  1.753 TFLOP/s
   ✔ all 4,194,304 right · 3.57 % of cuBLAS
 b [32][33]    2.469 ms ±0.0 %  ████████                          6.959 TFLOP/s
   ✔ all 4,194,304 right · 14.2 % of cuBLAS · 3.97× faster
   cuBLAS      349.4 µs         █▏                                49.16 TFLOP/s
 ─ on the emulator, n = 512: every element compared ───────────────────────────
 a [32][32]  ✔ all 262,144 right
 b [32][33]  ✔ all 262,144 right
 ─ counted, n = 512: for each 32 multiply-adds ────────────────────────────────
                                    a [32][32]             b [32][33]
 shared loads, wavefronts           33.00                  2.00
   for each request                 ▲ 16.50                ✔ 1.00
```
*/

use super::Run;
use super::model::{Model, Recorded};
use super::{counted, estimates, times};
use crate::prelude::*;
use tutor_exec::results::LaunchState;
use tutor_support::figures::percent;

pub(super) type Cell = Vec<Span<'static>>;

/// Returns all rows. `bars` is false for the line-by-line mode.
pub(super) fn sheet<'l>(run: &Run, look: &'l Look<'l>, width: u16, bars: bool) -> Sheet<'l> {
    let mut sheet = Sheet::new(look, width);
    let model = &run.model;
    let n = vec![look.span(Meaning::Accent, format!("n = {}", grouped(model.n.into())))];
    sheet.title(&title(model), n);
    if model.launch.is_none() {
        plan(model, &mut sheet);
        return sheet;
    }
    times::times(run, &mut sheet, bars);
    estimates::estimates(model, &mut sheet);
    times::emulated(model, &mut sheet);
    if run.totals {
        counted::totals(model, &mut sheet);
    } else {
        counted::steps(model, &mut sheet);
    }
    if run.why {
        counted::why(model, &mut sheet);
    }
    state(model, &mut sheet, bars);
    sheet
}

/// Returns how many rows a finished launch will need, as far as this is known: times, results, and the counts with
/// headings and notes.
pub(super) fn expected(model: &Model) -> u16 {
    let (kernels, counts) = (model.kernels.len(), model.rows.len());
    let (times, emulated, counted) = (2 + 2 * kernels + 1, 1 + kernels, 2 + 2 * counts + 4);
    (times + emulated + counted + estimates::expected(model)) as u16
}

/// Returns what is compared, before the student answers the page's question.
pub(super) fn before<'l>(run: &Run, look: &'l Look<'l>, width: u16) -> Sheet<'l> {
    let mut sheet = Sheet::new(look, width);
    let n = vec![look.span(Meaning::Accent, format!("n = {}", grouped(run.model.n.into())))];
    sheet.title(&title(&run.model), n);
    sheet.text(Meaning::Muted, &t!("run-before"));
    sheet
}

/// Returns the title: a kernel, or what is compared.
fn title(model: &Model) -> String {
    match model.kernels.as_slice() {
        [one] => one.title.clone(),
        _ if !model.shared.is_empty() => model.shared.clone(),
        many if many.len() > 2 => t!("run-several", count = many.len()),
        many => many.iter().map(|kernel| kernel.name.as_str()).collect::<Vec<_>>().join(" · "),
    }
}

/// Returns a kernel's letter, or a blank if there is only one kernel.
pub(super) fn letter(model: &Model, at: usize) -> String {
    match model.kernels.len() {
        0 | 1 => " ".to_owned(),
        _ => char::from(b'a' + (at as u8).min(25)).to_string(),
    }
}

/// Describes what a launch will do, before the first one.
fn plan(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    let (n, launched) = (model.n, model.launched_n());
    let count = model.kernels.len();
    if model.on_emulator() {
        match model.recording() {
            Some(Recorded(recording)) => {
                let device = &recording.device;
                sheet.text(Meaning::Text, &t!("run-plan-recorded", device, n, date = recording.date));
            }
            None => sheet.text(Meaning::Text, &t!("run-plan-no-time", n)),
        }
        let text = match model.n == model.launched_n() {
            true => t!("run-plan-emulator", count, n = launched),
            false => t!("run-plan-smaller", count, n = launched, wanted = n),
        };
        sheet.text(Meaning::Text, &text);
    } else {
        let device = model.device.as_ref().map_or_else(|| t!("run-device-unknown"), |device| device.name.clone());
        sheet.text(Meaning::Text, &t!("run-plan-gpu", count, device, n));
    }
    for (at, kernel) in model.kernels.iter().enumerate().filter(|_| count > 1) {
        sheet.row(vec![
            look.span(Meaning::Accent, format!(" {} ", letter(model, at))),
            look.span(Meaning::Text, kernel.title.clone()),
        ]);
    }
    if model.sizes().len() > 1 {
        let marks = (look.sign("‹", "<"), look.sign("›", ">"));
        sheet.text(Meaning::Muted, &t!("run-sizes", sizes = model.sizes_in_words(marks)));
    }
    if let Some(why) = model.why_not.as_ref().filter(|_| !model.on_gpu()) {
        sheet.text(Meaning::Muted, &t!("run-why-no-gpu", why));
    }
}

/// Adds progress, errors and notes.
fn state(model: &Model, sheet: &mut Sheet, bars: bool) {
    let look = sheet.look;
    let Some(launch) = &model.launch else { return };
    match &launch.state {
        LaunchState::Failed(error) => {
            sheet.error(&error.message);
            if let Some(help) = &error.help {
                sheet.text(Meaning::Text, &help.to_string());
            }
        }
        LaunchState::Running => {
            if let Some((doing, fraction)) = &launch.progress {
                let mut spans = vec![look.span(Meaning::Muted, format!(" {doing} "))];
                if bars {
                    spans.extend(look.bar(*fraction, 20));
                }
                spans.push(look.span(Meaning::Muted, format!(" {}", percent(*fraction))));
                sheet.row(spans);
            } else {
                sheet.text(Meaning::Muted, &t!("run-begins"));
            }
        }
        LaunchState::Over { cancelled: true } => sheet.text(Meaning::Muted, &t!("run-stopped")),
        LaunchState::Over { cancelled: false } => {}
    }
    for note in model.notes() {
        sheet.text(Meaning::Muted, &note);
    }
    printed(model, sheet);
}

/// Adds what the kernels printed, under its own heading.
fn printed(model: &Model, sheet: &mut Sheet) {
    let printed = model.printed();
    if printed.lines.is_empty() {
        return;
    }
    sheet.rule(&t!("run-printed"));
    for line in &printed.lines {
        let text = truncate(line, usize::from(sheet.width).saturating_sub(1), sheet.look.ascii);
        sheet.row(vec![sheet.look.span(Meaning::Text, format!(" {text}"))]);
    }
    if printed.more > 0 {
        sheet.text(Meaning::Muted, &t!("run-printed-more", lines = printed.more as u64));
    }
    if printed.cut > 0 {
        sheet.text(Meaning::Muted, &t!("run-printed-cut", bytes = printed.cut));
    }
}
