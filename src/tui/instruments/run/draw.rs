/*! The screen of a run.

```text
 run ▸ tiled 32×32 by column                                          n = 2 048
 recorded on NVIDIA H200, driver 580.159.04, 2026-11-21             no GPU here
 a [32][32]    9.801 ms ±0.0 %  ████████████████████████████████  1.753 TFLOP/s
   ✔ all 4 194 304 right · 3.57 % of cuBLAS
 b [32][33]    2.469 ms ±0.0 %  ████████                          6.959 TFLOP/s
   ✔ all 4 194 304 right · 14.2 % of cuBLAS · 3.97× faster
   cuBLAS      349.4 µs         █▏                                49.16 TFLOP/s
 ─ on the emulator, n = 512: every element compared ───────────────────────────
 a [32][32]  ✔ all 262 144 right
 b [32][33]  ✔ all 262 144 right
 ─ counted, n = 512: for each 32 multiply-adds ────────────────────────────────
                                    a [32][32]             b [32][33]
 shared loads, wavefronts           33.00                  2.00
   for each request                 ▲ 16.50                ✔ 1.00
```
*/

use super::super::sheet::Sheet;
use super::Run;
use super::count::{Cost, Figure, excesses, figure, label, step};
use super::model::{Found, Model, Phase, Recorded, Source, Time, Verdict};
use crate::course::CountRow;
use crate::figures::{duration, grouped, percent, spark, speed};
use crate::kernels::Elements;
use crate::t;
use crate::tui::look::{Look, pad, pad_left, truncate};
use crate::tui::theme::Meaning;
use ratatui::text::Span;
use unicode_width::UnicodeWidthStr;

type Cell = Vec<Span<'static>>;

/// Cells of a speed with its unit.
const SPEED: usize = 13;
/// Narrowest bar that is worth its place.
const NARROWEST_BAR: usize = 6;

/// All rows, as many as there are; `bars` only where somebody sees them.
pub(super) fn sheet<'l>(run: &Run, look: &'l Look<'l>, width: u16, bars: bool) -> Sheet<'l> {
    let mut sheet = Sheet::new(look, width);
    let model = &run.model;
    let n = vec![look.span(Meaning::Accent, format!("n = {}", grouped(model.n.into())))];
    sheet.title(&t!("run-name"), &title(model), n);
    if model.phase == Phase::Idle {
        plan(model, &mut sheet);
        return sheet;
    }
    times(run, &mut sheet, bars);
    emulated(model, &mut sheet);
    if run.totals {
        totals(model, &mut sheet);
    } else {
        steps(model, &mut sheet);
    }
    if run.why {
        why(model, &mut sheet);
    }
    state(model, &mut sheet, bars);
    sheet
}

/// What is run, in a few words.
fn title(model: &Model) -> String {
    match model.kernels.as_slice() {
        [one] => one.title.clone(),
        _ if !model.shared.is_empty() => model.shared.clone(),
        many if many.len() > 2 => t!("run-several", count = many.len()),
        many => many.iter().map(|kernel| kernel.name.as_str()).collect::<Vec<_>>().join(" · "),
    }
}

/// The letter of a kernel, where several are compared.
fn letter(model: &Model, at: usize) -> String {
    match model.kernels.len() {
        0 | 1 => " ".to_owned(),
        _ => char::from(b'a' + (at as u8).min(25)).to_string(),
    }
}

/// What a launch will do, before the first one.
fn plan(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    let (n, launched) = (grouped(model.n.into()), grouped(model.launched_n().into()));
    let count = model.kernels.len();
    if model.on_emulator() {
        match model.recording() {
            Some(Recorded(recording)) => {
                let device = &recording.device;
                sheet.text(Meaning::Text, &t!("run-plan-recorded", device = device, n = n, date = recording.date));
            }
            None => sheet.text(Meaning::Text, &t!("run-plan-no-time", n = n)),
        }
        let text = match model.n == model.launched_n() {
            true => t!("run-plan-emulator", count = count, n = launched),
            false => t!("run-plan-smaller", count = count, n = launched, wanted = n),
        };
        sheet.text(Meaning::Text, &text);
    } else {
        let device = model.device.as_ref().map_or_else(|| t!("run-device-unknown"), |device| device.name.clone());
        sheet.text(Meaning::Text, &t!("run-plan-gpu", count = count, device = device, n = n));
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
        sheet.text(Meaning::Muted, &t!("run-why-no-gpu", why = why));
    }
}

/// Times, bars to one scale, and what was right: of one source.
fn times(run: &Run, sheet: &mut Sheet, bars: bool) {
    let look = sheet.look;
    let model = &run.model;
    let (left, right) = match model.source() {
        Source::Live(live) => {
            let driver = live.device.driver.as_ref();
            let device = driver.map_or_else(
                || live.device.name.clone(),
                |driver| t!("run-device", device = live.device.name, driver = driver),
            );
            let now = if model.running().is_some() {
                format!("{} {}", t!("run-live"), look.sign("●", "*"))
            } else {
                t!("run-measured")
            };
            (look.span(Meaning::Muted, device), look.span(Meaning::Right, now))
        }
        Source::Recorded(Recorded(recording)) => {
            let here = if model.on_gpu() { t!("run-not-this-gpu") } else { t!("run-no-gpu") };
            let label = t!(
                "run-recorded",
                device = recording.device,
                driver = recording.driver,
                date = recording.date
            );
            (look.span(Meaning::Warning, label), look.span(Meaning::Muted, here))
        }
        Source::None => {
            if !model.on_gpu() {
                sheet.text(Meaning::Muted, &t!("run-no-time", n = grouped(model.n.into())));
            }
            return;
        }
    };
    sheet.ends(vec![Span::raw(" "), left], vec![right]);
    let shown: Vec<Option<Time>> = (0..model.kernels.len()).map(|at| model.time(at)).collect();
    let slowest = shown.iter().flatten().map(|time| time.median_ms).fold(model.cublas_ms().unwrap_or(0.0), f64::max);
    let names = model.kernels.iter().map(|kernel| kernel.name.width()).max().unwrap_or(0);
    let names = names.max(model.cublas_title().width()).min(usize::from(sheet.width) / 3);
    let (low, high) = model.bounds();
    for (at, kernel) in model.kernels.iter().enumerate() {
        match shown[at] {
            Some(time) => {
                let spread = format!(" {}{:.1} %", look.sign("±", "+-"), time.spread() * 100.0);
                time_row(sheet, &letter(model, at), &kernel.name, names, model, (time.median_ms, &spread, slowest), bars);
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
        if let (Some(time), Some(cublas)) = (shown[at], model.cublas_ms()) {
            let text = t!("run-of-cublas", share = percent(cublas / time.median_ms), cublas = model.cublas_title());
            pieces.push(vec![look.span(Meaning::Muted, text)]);
        }
        if let (Some(time), Some(first)) = (shown[at].filter(|_| at > 0), shown[0]) {
            let wrong = model.verdict(at).is_some_and(|verdict| verdict.wrong > 0);
            pieces.push(vec![look.span(Meaning::Strong, compared(time.median_ms / first.median_ms, wrong))]);
        }
        if let Some(timed) = model.live.as_ref().and_then(|live| live.columns.get(at))
            && model.running().is_some()
            && !timed.samples.is_empty()
            && bars
        {
            pieces.push(vec![look.span(Meaning::Bar, spark(&timed.samples, low, high, 16, look.ascii))]);
        }
        in_pieces(sheet, pieces);
    }
    if let Some(ms) = model.cublas_ms() {
        time_row(sheet, " ", model.cublas_title(), names, model, (ms, "", slowest), bars);
    }
    if let Some((best, ms)) = model.best(&run.rivals, &run.runs) {
        let text = t!("run-best", title = best.title, time = duration(ms), speed = speed(model.gflops(ms)));
        sheet.text(Meaning::Muted, &text);
    }
}

/// `a [32][32]   9.801 ms ±0.0 %  ███████   1.753 TFLOP/s`, without bar or interval where they have no room.
fn time_row(
    sheet: &mut Sheet,
    letter: &str,
    name: &str,
    names: usize,
    model: &Model,
    (ms, spread, slowest): (f64, &str, f64),
    bars: bool,
) {
    let look = sheet.look;
    let width = usize::from(sheet.width);
    let mut spans = vec![
        look.span(Meaning::Accent, format!(" {letter} ")),
        look.span(Meaning::Strong, pad(name, names)),
        look.span(Meaning::Strong, format!(" {}", pad_left(&duration(ms), 9))),
    ];
    let mut left = width.saturating_sub(3 + names + 10 + SPEED + 3);
    // The interval has a column of its own, so that bars begin below each other.
    if left > 9 + NARROWEST_BAR {
        spans.push(look.span(Meaning::Muted, pad(spread, 8)));
        left -= 8;
    }
    spans.push(Span::raw(" "));
    if bars && left >= NARROWEST_BAR {
        let share = if slowest > 0.0 { ms / slowest } else { 0.0 };
        let bar = look.bar(share, left as u16).into_iter().map(|part| {
            // A scale needs no rail: what is not bar is blank.
            if part.style == look.style(Meaning::BarEmpty) { Span::raw(" ".repeat(part.content.width())) } else { part }
        });
        spans.extend(bar);
    }
    spans.push(look.span(Meaning::Text, format!(" {}", pad_left(&speed(model.gflops(ms)), SPEED))));
    sheet.row(spans);
}

/// Pieces in one row, a dot between them; those that have no room go to rows below.
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

/// `✔ all 262 144 right` or `✘ 16 285 of 262 144 wrong`.
fn verdict_cell(verdict: Verdict, look: &Look) -> Cell {
    let of = grouped(verdict.of);
    if verdict.wrong == 0 {
        return vec![look.right(), look.span(Meaning::Right, format!(" {}", t!("run-all-right", of = of)))];
    }
    vec![look.wrong(), look.span(Meaning::Wrong, format!(" {}", t!("run-wrong", wrong = grouped(verdict.wrong), of = of)))]
}

fn compared(ratio: f64, wrong: bool) -> String {
    let text = match ratio {
        ratio if (ratio - 1.0).abs() < 0.01 => t!("run-the-same"),
        ratio if ratio > 1.0 => t!("run-slower", ratio = format!("{ratio:.2}")),
        ratio => t!("run-faster", ratio = format!("{:.2}", 1.0 / ratio)),
    };
    if wrong { t!("run-but-wrong", compared = text) } else { text }
}

/// What the emulator found right or wrong: its own results, at its own size.
fn emulated(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    let columns = &model.emulated.columns;
    if columns.iter().all(|found| found.verification.is_none()) {
        return;
    }
    sheet.rule(&t!("run-emulated", n = grouped(model.emulated.n.into())));
    let names = model.kernels.iter().map(|kernel| kernel.name.width()).max().unwrap_or(0);
    let mut wrong = false;
    for (at, (kernel, found)) in model.kernels.iter().zip(columns).enumerate() {
        let Some(verification) = &found.verification else { continue };
        let verdict = Verdict::from(verification);
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

/// Cells of the labels of the table.
fn labels(sheet: &Sheet) -> usize {
    let width = usize::from(sheet.width);
    if width >= 70 { 34 } else { 27 }.min(width / 2)
}

/// Cells of one of so many columns of the table.
fn column(sheet: &Sheet, columns: usize) -> usize {
    usize::from(sheet.width).saturating_sub(labels(sheet) + 2) / columns.max(1)
}

/// A row of the table: label, then a cell for each kernel.
fn row(sheet: &mut Sheet, (label, meaning): (&str, Meaning), cells: Vec<Cell>) {
    let look = sheet.look;
    let each = column(sheet, cells.len());
    let mut spans = vec![look.span(meaning, format!(" {}", pad(&truncate(label, labels(sheet).saturating_sub(1), look.ascii), labels(sheet))))];
    for cell in cells {
        spans.extend(fit(cell, each, look.ascii));
    }
    sheet.row(spans);
}

/// Cuts or pads spans to `width` cells, the last of them blank.
fn fit(cell: Cell, width: usize, ascii: bool) -> Cell {
    let mut left = width.saturating_sub(1);
    let mut out = Vec::new();
    for span in cell {
        let text = truncate(&span.content, left, ascii);
        left -= text.width().min(left);
        out.push(Span::styled(text, span.style));
    }
    out.push(Span::raw(" ".repeat(left + 1)));
    out
}

fn dash(look: &Look) -> Cell {
    vec![look.span(Meaning::Muted, look.sign("–", "-").to_owned())]
}

/// The kernels' names above their columns.
fn heads(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    if model.kernels.len() < 2 {
        return;
    }
    let each = column(sheet, model.kernels.len());
    // Where a name would be cut, the letter says which kernel it is.
    let named = model.kernels.iter().all(|kernel| kernel.name.width() + 3 <= each);
    let head = |(at, kernel): (usize, &super::model::Compared)| {
        let name = if named { kernel.name.clone() } else { String::new() };
        vec![look.span(Meaning::Accent, format!("{} ", letter(model, at))), look.span(Meaning::Strong, name)]
    };
    row(sheet, ("", Meaning::Muted), model.kernels.iter().enumerate().map(head).collect());
}

/// Two digits behind the point, and two that matter where the number is small.
fn per_step(value: f64) -> String {
    match value {
        v if v == 0.0 || v >= 0.095 => format!("{v:.2}"),
        v if v >= 0.0095 => format!("{v:.3}"),
        v => format!("{v:.4}"),
    }
}

/// What 32 multiply-adds cost, whatever the grid, the block and the width of the loads.
fn steps(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    let columns = &model.emulated.columns;
    if columns.iter().all(|found| found.counts.is_none()) {
        return;
    }
    let n = model.emulated.n;
    sheet.rule(&t!("run-counted", n = grouped(n.into())));
    heads(model, sheet);
    let mut wider = false;
    for &kind in &model.rows {
        let (name, unit) = label(kind);
        let figures: Vec<Option<Figure>> = columns.iter().map(|found| figure(found, kind)).collect();
        if !matches!(kind, CountRow::Intensity | CountRow::Hazards) {
            let costs: Vec<Option<(Cost, f64)>> = (figures.iter().zip(columns))
                .map(|(figure, found)| match figure {
                    Some(Figure::Cost(cost)) => Some((*cost, step(found.counts.as_ref()?, n, cost.cost))),
                    _ => None,
                })
                .collect();
            let label = t!("run-step-row", what = name, unit = unit);
            let cell = |cost: &Option<(Cost, f64)>| match cost {
                None => dash(look),
                Some((Cost { requests: 0, .. }, _)) => vec![look.span(Meaning::Muted, t!("run-none"))],
                Some((_, step)) => vec![look.span(Meaning::Strong, per_step(*step))],
            };
            row(sheet, (&label, Meaning::Text), costs.iter().map(cell).collect());
            let cell = |cost: &Option<(Cost, f64)>| match cost {
                None | Some((Cost { requests: 0, .. }, _)) => Vec::new(),
                Some((cost, _)) => request_cell(*cost, look, column(sheet, costs.len())),
            };
            let cells = costs.iter().map(cell).collect();
            row(sheet, (&format!("  {}", t!("run-request-row")), Meaning::Muted), cells);
            if let Some(Some((first, step))) = costs.first() {
                let more = |(cost, each): &(Cost, f64)| cost.each() > first.each() * 1.01 && each * 1.01 < *step;
                wider |= costs.iter().flatten().any(more);
            }
        } else {
            let cells = figures.iter().map(|figure| figure_cell(figure.as_ref(), look)).collect();
            row(sheet, (&name, Meaning::Text), cells);
        }
    }
    cycles(model, sheet);
    if wider {
        sheet.text(Meaning::Note, &t!("run-wider"));
    }
    let loads = |found: &Found| matches!(figure(found, CountRow::SharedLoads), Some(Figure::Cost(cost)) if cost.requests == 0);
    let tensor = model.elements() != Elements::F32;
    if tensor && model.rows.contains(&CountRow::SharedLoads) && columns.iter().any(loads) {
        sheet.text(Meaning::Note, &t!("run-wgmma-reads"));
    }
}

/// `▲ 16.50, best 1.00`: for each request, and what would be best if there is room.
fn request_cell(cost: Cost, look: &Look, width: usize) -> Cell {
    let (each, best) = (format!("{:.2}", cost.each()), format!("{:.2}", cost.best()));
    let mut cell = if cost.cost > cost.ideal {
        vec![look.warning(), look.span(Meaning::Warning, format!(" {each}"))]
    } else {
        vec![look.right(), look.span(Meaning::Right, format!(" {each}"))]
    };
    let best = format!(", {}", t!("run-at-best", best = best));
    if cost.cost > cost.ideal && each.width() + best.width() + 3 <= width {
        cell.push(look.span(Meaning::Muted, best));
    }
    cell
}

fn figure_cell(figure: Option<&Figure>, look: &Look) -> Cell {
    match figure {
        None | Some(Figure::Cost(_)) => dash(look),
        Some(Figure::Intensity(intensity)) => vec![look.span(Meaning::Strong, format!("{intensity:.2}"))],
        Some(Figure::Hazards(kinds)) if kinds.is_empty() => {
            vec![look.right(), look.span(Meaning::Right, format!(" {}", t!("run-none")))]
        }
        Some(Figure::Hazards(kinds)) => {
            let kinds = kinds.iter().map(|(kind, times)| format!("{} {}×", format!("{kind:?}").to_uppercase(), grouped(*times)));
            let kinds: Vec<String> = kinds.collect();
            vec![look.warning(), look.span(Meaning::Warning, format!(" {}", kinds.join(", ")))]
        }
    }
}

/// The cycles that a multiprocessor spends for a step, from the time, beside the lines that the step looks up.
fn cycles(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    let loads = |kind: &CountRow| matches!(kind, CountRow::GlobalLoads | CountRow::SharedLoads);
    let Some(clock) = model.clock().filter(|_| model.rows.iter().any(loads)) else { return };
    let (columns, n) = (&model.emulated.columns, model.emulated.n);
    let looked_up: Vec<Option<f64>> = (columns.iter())
        .map(|found| found.counts.as_ref().map(|counts| step(counts, n, counts.totals.global_load_lines)))
        .collect();
    let cell = |lines: &Option<f64>| match lines {
        None => dash(look),
        Some(lines) => vec![look.span(Meaning::Strong, per_step(*lines))],
    };
    if looked_up.iter().flatten().any(|lines| *lines > 0.0) {
        row(sheet, (&t!("run-lines"), Meaning::Text), looked_up.iter().map(cell).collect());
    }
    let spent: Vec<Option<f64>> =
        (0..columns.len()).map(|at| Some(clock.cycles(model.gflops(model.time(at)?.median_ms)))).collect();
    let label = match model.source() {
        Source::Live(_) => t!("run-cycles"),
        _ => t!("run-cycles-recorded", n = grouped(model.n.into())),
    };
    row(sheet, (&label, Meaning::Text), spent.iter().map(cell).collect());
    let text = t!("run-cycles-how", count = clock.multiprocessors, mhz = grouped(clock.mhz.into()));
    sheet.text(Meaning::Muted, &text);
    // More wavefronts than cycles cannot be: the assembler has made fewer loads of them.
    let fused = |(found, spent): (&Found, &Option<f64>)| {
        let Some(Figure::Cost(cost)) = figure(found, CountRow::SharedLoads) else { return false };
        let (Some(counts), Some(spent)) = (&found.counts, spent) else { return false };
        step(counts, n, cost.cost) > spent * 1.05
    };
    if columns.iter().zip(&spent).any(fused) {
        sheet.text(Meaning::Note, &t!("run-fused"));
    }
}

/// Requests and what they cost, of all blocks that were counted.
fn totals(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    let columns = &model.emulated.columns;
    if columns.iter().all(|found| found.counts.is_none()) {
        return;
    }
    sheet.rule(&t!("run-totals", n = grouped(model.emulated.n.into())));
    for (at, (kernel, found)) in model.kernels.iter().zip(columns).enumerate() {
        let Some(counts) = &found.counts else { continue };
        let blocks = t!("run-blocks", counted = grouped(counts.blocks_counted), blocks = grouped(counts.blocks));
        sheet.ends(
            vec![
                look.span(Meaning::Accent, format!(" {} ", letter(model, at))),
                look.span(Meaning::Strong, kernel.name.clone()),
            ],
            vec![look.span(Meaning::Muted, blocks)],
        );
        for &kind in &model.rows {
            let (name, unit) = label(kind);
            let text = match figure(found, kind) {
                Some(Figure::Cost(Cost { requests: 0, .. })) => t!("run-none"),
                Some(Figure::Cost(Cost { requests, cost, .. })) => {
                    let (requests, cost) = (grouped(requests), grouped(cost));
                    t!("run-total", requests = requests, arrow = look.sign("→", ">"), cost = cost, unit = unit)
                }
                _ => continue,
            };
            sheet.row(vec![
                look.span(Meaning::Muted, format!("   {}", pad(&name, 16))),
                look.span(Meaning::Text, text),
            ]);
        }
    }
}

/// The source lines that cost more than they must.
fn why(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    sheet.rule(&t!("run-why"));
    for (at, (kernel, found)) in model.kernels.iter().zip(&model.emulated.columns).enumerate() {
        let excesses = excesses(found);
        if found.counts.is_none() {
            continue;
        }
        sheet.row(vec![
            look.span(Meaning::Accent, format!(" {} ", letter(model, at))),
            look.span(Meaning::Strong, kernel.name.clone()),
        ]);
        if excesses.is_empty() {
            let text = t!("run-nothing-above");
            sheet.row(vec![Span::raw("   "), look.right(), look.span(Meaning::Text, format!(" {text}"))]);
        }
        for excess in excesses.iter().take(3) {
            let (cost, best) = (format!("{:.2}", excess.cost.each()), format!("{:.2}", excess.cost.best()));
            let unit = if excess.wavefronts { t!("run-wavefronts") } else { t!("run-sectors") };
            sheet.row(vec![
                Span::raw("   "),
                look.warning(),
                look.span(Meaning::Strong, format!(" {}:{} ", excess.file, excess.line)),
                look.span(Meaning::Text, t!("run-excess", op = excess.op, cost = cost, unit = unit, best = best)),
            ]);
        }
    }
}

/// What is going on, or what went wrong.
fn state(model: &Model, sheet: &mut Sheet, bars: bool) {
    let look = sheet.look;
    match &model.phase {
        Phase::Failed(message, help) => {
            let sign = look.sign("✘", "x");
            sheet.text(Meaning::Wrong, &format!("{sign} {message}"));
            if let Some(help) = help {
                sheet.text(Meaning::Text, help);
            }
        }
        Phase::Running(_) => {
            if let Some((doing, fraction)) = &model.progress {
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
        Phase::Over { cancelled: true } => sheet.text(Meaning::Muted, &t!("run-stopped")),
        Phase::Over { cancelled: false } | Phase::Idle => {}
    }
    for note in &model.notes {
        sheet.text(Meaning::Muted, note);
    }
}
