/*! The screen of a run.

```text
 run ▸ tiled 16×16 vs padded                                        n = 2048
 NVIDIA H200, driver 580.95.05                                       live ●
                  tiled 16×16                    tiled 16×16, padded
 time             2.128 ms ±0.3 %                2.779 ms ±0.2 %
 GFLOP/s          8 074                          6 183
 of cuBLAS        16.7 % ███▎                    12.8 % ██▌
 last batches     ▂▂▁▂▂▂▁▂▂                      ▆▆▆▇▆▆▆
 result           ✔ all 4 194 304 right          ✔ all 4 194 304 right
 compared         the reference                  1.31× slower
 ─ counted, per PTX instruction (emulator, 4 of 16 384 blocks) ────────────────
 shared stores    256 → 256 wavefronts           256 → 512 wavefronts ▲ 2.00
```

Where columns would be too narrow, the kernels stand below each other, lettered.
*/

use crate::figures::{duration, grouped, percent, short, significant, spark};
use super::super::sheet::Sheet;
use super::Run;
use super::count::{Figure, excesses, figure, label};
use super::model::{Column, Model, Phase, Source};
use crate::course::CountRow;
use crate::kernels::Elements;
use crate::tui::look::{Look, truncate};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Span;
use unicode_width::UnicodeWidthStr;

/// Cells of the labels on the left.
const LABEL: usize = 17;
/// Narrowest column that holds a time with its interval.
const NARROWEST: usize = 21;

pub(super) fn draw(run: &Run, frame: &mut Frame, area: Rect, look: &Look) {
    let mut sheet = Sheet::new(look, area.width);
    let model = &run.model;
    let names: Vec<&str> = model.columns.iter().map(|column| column.title.as_str()).collect();
    sheet.title("run", &names.join(" vs "), vec![look.span(Meaning::Accent, format!("n = {}", model.n))]);
    device(model, &mut sheet);
    let width = usize::from(area.width).saturating_sub(LABEL + 1) / model.columns.len().max(1);
    if width >= NARROWEST {
        columns(run, &mut sheet, width, area.height);
    } else {
        stacked(run, &mut sheet);
    }
    counts(run, &mut sheet, width.max(8));
    if run.why {
        why(model, &mut sheet);
    }
    state(model, &mut sheet);
    sheet.draw(frame, area);
}

/// Where the numbers come from.
fn device(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    let name = match &model.device {
        Some(device) => match &device.driver {
            Some(driver) => format!(" {}, driver {driver}", device.name),
            None => format!(" {}", device.name),
        },
        None => " device not known yet".to_owned(),
    };
    let live = |sign: &'static str, plain: &'static str| look.span(Meaning::Right, look.sign(sign, plain).to_owned());
    let (left, right) = match (model.source(), model.running().is_some()) {
        (Source::Live, true) => (look.span(Meaning::Muted, name), live("live ●", "live *")),
        (Source::Live, false) => (look.span(Meaning::Muted, name), look.span(Meaning::Right, "measured just now")),
        (Source::Recorded(recording), _) => {
            (look.span(Meaning::Warning, format!(" {}", recording.label())), look.span(Meaning::Muted, if model.on_gpu() { "not on this GPU" } else { "no GPU here" }))
        }
        (Source::None, true) => (look.span(Meaning::Muted, name), look.span(Meaning::Muted, "running")),
        (Source::None, false) if model.on_gpu() => {
            (look.span(Meaning::Muted, name), look.span(Meaning::Muted, "not run yet"))
        }
        (Source::None, false) => {
            (look.span(Meaning::Muted, name), look.span(Meaning::Muted, "no time: none recorded at this n"))
        }
    };
    sheet.ends(vec![left], vec![right]);
}

type Cell = Vec<Span<'static>>;

/// A row of the table: label, then a cell for each kernel.
fn row(sheet: &mut Sheet, label: &str, cells: Vec<Cell>, width: usize) {
    let look = sheet.look;
    let mut spans = vec![look.span(Meaning::Muted, format!(" {label:<LABEL$}"))];
    for cell in cells {
        spans.extend(fit(cell, width, look.ascii));
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

fn columns(run: &Run, sheet: &mut Sheet, width: usize, height: u16) {
    let look = sheet.look;
    let model = &run.model;
    let each = |cell: &dyn Fn(&Column) -> Cell| model.columns.iter().map(cell).collect::<Vec<_>>();
    row(sheet, "", each(&|column| vec![look.span(Meaning::Strong, column.title.clone())]), width);
    if model.columns.iter().any(|column| column.elements != Elements::F32) {
        row(sheet, "elements", each(&|column| vec![look.span(Meaning::Text, column.elements.name())]), width);
    }
    row(sheet, "time", each(&|column| time(model, column, look)), width);
    row(sheet, "GFLOP/s", each(&|column| speed(model, column, look)), width);
    if model.cublas_ms().is_some() {
        let bar = (width.saturating_sub(10)).min(20) as u16;
        row(sheet, &format!("of {}", model.cublas.title), each(&|column| share(model, column, look, bar)), width);
    }
    if let Some((best, ms)) = model.best(&run.rivals, &run.runs) {
        let (label, is) = match model.source() {
            Source::Recorded(_) => ("of level's best", "the level's best"),
            _ => ("of best so far", "the best so far"),
        };
        let cell = |column: &Column| match model.time(column) {
            None => dash(look),
            Some(_) if column.kernel == best => vec![look.span(Meaning::Text, is)],
            Some(time) => {
                let share = percent(ms / time.median_ms);
                let full = format!("{share} of {best}");
                vec![look.span(Meaning::Text, if full.width() < width { full } else { share })]
            }
        };
        row(sheet, label, each(&cell), width);
    }
    if model.columns.iter().any(|column| !column.samples.is_empty()) {
        let (low, high) = model.bounds();
        let cell = |column: &Column| {
            vec![look.span(Meaning::Bar, spark(&column.samples, low, high, width.min(40) - 1, look.ascii))]
        };
        row(sheet, "last batches", each(&cell), width);
    }
    row(sheet, "result", each(&|column| result(model, column, look, width)), width);
    if model.columns.len() > 1 {
        row(sheet, "compared", each(&|column| compared(model, column, look)), width);
    }
    if let Some(ms) = model.cublas_ms().filter(|_| height >= 20) {
        let text = format!("{} GFLOP/s, {}", grouped(model.gflops(ms).round() as u64), duration(ms));
        row(sheet, &model.cublas.title, vec![vec![look.span(Meaning::Muted, text)]], width.max(40));
    }
}

/// Kernels below each other, for which there is no room side by side.
fn stacked(run: &Run, sheet: &mut Sheet) {
    let look = sheet.look;
    let model = &run.model;
    let (low, high) = model.bounds();
    for (column, letter) in model.columns.iter().zip('a'..) {
        let mut right = time(model, column, look);
        right.push(Span::raw("  "));
        right.extend(speed(model, column, look));
        right.push(look.span(Meaning::Muted, " GFLOP/s"));
        sheet.ends(
            vec![look.span(Meaning::Accent, format!(" {letter} ")), look.span(Meaning::Strong, column.title.clone())],
            right,
        );
        let mut left = vec![Span::raw("   ")];
        left.extend(result(model, column, look, 26));
        let mut right = Vec::new();
        if !column.samples.is_empty() {
            right.push(look.span(Meaning::Bar, spark(&column.samples, low, high, 12, look.ascii)));
            right.push(Span::raw("  "));
        }
        if model.cublas_ms().is_some() {
            right.extend(share(model, column, look, 0));
            right.push(look.span(Meaning::Muted, format!("of {}  ", model.cublas.title)));
        }
        right.extend(compared(model, column, look));
        sheet.ends(left, right);
    }
}

fn dash(look: &Look) -> Cell {
    vec![look.span(Meaning::Muted, look.sign("–", "-").to_owned())]
}

fn time(model: &Model, column: &Column, look: &Look) -> Cell {
    let Some(time) = model.time(column) else { return dash(look) };
    vec![
        look.span(Meaning::Strong, duration(time.median_ms)),
        look.span(Meaning::Muted, format!(" {}{:.1} %", look.sign("±", "+-"), time.spread() * 100.0)),
    ]
}

fn speed(model: &Model, column: &Column, look: &Look) -> Cell {
    let Some(time) = model.time(column) else { return dash(look) };
    vec![look.span(Meaning::Strong, grouped(model.gflops(time.median_ms).round() as u64))]
}

fn share(model: &Model, column: &Column, look: &Look, bar: u16) -> Cell {
    let (Some(time), Some(cublas)) = (model.time(column), model.cublas_ms()) else { return dash(look) };
    let share = cublas / time.median_ms;
    let mut cell = vec![look.span(Meaning::Text, format!("{} ", percent(share)))];
    cell.extend(look.bar(share, bar));
    cell
}

fn result(model: &Model, column: &Column, look: &Look, width: usize) -> Cell {
    let Some(result) = model.result(column) else { return dash(look) };
    if result.verified {
        let text = if width >= 25 { format!(" all {} right", grouped(result.elements)) } else { " all right".to_owned() };
        let mut cell = vec![look.right(), look.span(Meaning::Right, text)];
        if width >= 52 && column.verification.is_some() {
            let error = format!(", largest relative error {}", significant(result.max_rel_err));
            cell.push(look.span(Meaning::Muted, error));
        }
        return cell;
    }
    let text = if width >= 32 {
        format!(" {} of {} wrong", grouped(result.mismatches), grouped(result.elements))
    } else {
        format!(" {} wrong", grouped(result.mismatches))
    };
    vec![look.wrong(), look.span(Meaning::Wrong, text)]
}

fn compared(model: &Model, column: &Column, look: &Look) -> Cell {
    let Some(first) = model.columns.first() else { return dash(look) };
    if std::ptr::eq(first, column) {
        return vec![look.span(Meaning::Muted, "the reference")];
    }
    let (Some(one), Some(time)) = (model.time(first), model.time(column)) else { return dash(look) };
    let ratio = time.median_ms / one.median_ms;
    let text = match ratio {
        ratio if (ratio - 1.0).abs() < 0.01 => "the same within 1 %".to_owned(),
        ratio if ratio > 1.0 => format!("{ratio:.2}× slower"),
        ratio => format!("{:.2}× faster", 1.0 / ratio),
    };
    let wrong = model.result(column).is_some_and(|result| !result.verified);
    vec![look.span(Meaning::Text, if wrong { format!("{text}, but wrong") } else { text })]
}

fn counts(run: &Run, sheet: &mut Sheet, width: usize) {
    let look = sheet.look;
    let model = &run.model;
    if model.rows.is_empty() {
        return;
    }
    let counted = model.columns.iter().find_map(|column| column.counts.as_ref());
    let title = match counted {
        None => "to be counted by the emulator, per PTX instruction".to_owned(),
        Some(counts) if counts.blocks_counted < counts.blocks => format!(
            "counted, per PTX instruction (emulator, {} of {} blocks)",
            grouped(counts.blocks_counted),
            grouped(counts.blocks)
        ),
        Some(counts) => format!("counted, per PTX instruction (emulator, all {} blocks)", grouped(counts.blocks)),
    };
    sheet.rule(&title);
    for &kind in &model.rows {
        let (name, unit) = label(kind);
        let cells = model.columns.iter().map(|column| count_cell(column, kind, unit, look, width)).collect();
        row(sheet, name, cells, width);
    }
}

/// `524 288 → 1 048 576 wavefronts ▲ 2.00`, shorter where it must be.
fn count_cell(column: &Column, kind: CountRow, unit: &str, look: &Look, width: usize) -> Cell {
    match figure(column, kind) {
        None => dash(look),
        Some(Figure::Intensity(intensity)) => {
            vec![look.span(Meaning::Text, format!("{intensity:.2}{}", if width >= 16 { " FLOP/byte" } else { "" }))]
        }
        Some(Figure::Hazards(kinds)) if kinds.is_empty() => {
            vec![look.right(), look.span(Meaning::Right, " none")]
        }
        Some(Figure::Hazards(kinds)) => {
            let kinds: Vec<String> = kinds
                .iter()
                .map(|(kind, times)| format!("{} {}×", format!("{kind:?}").to_uppercase(), grouped(*times)))
                .collect();
            vec![look.warning(), look.span(Meaning::Warning, format!(" {}", kinds.join(", ")))]
        }
        Some(Figure::Cost { requests: 0, .. }) => vec![look.span(Meaning::Muted, "none")],
        Some(Figure::Cost { requests, cost, ideal }) => {
            let arrow = look.sign("→", ">");
            let long = format!("{} {arrow} {} {unit} ", grouped(requests), grouped(cost));
            let middle = format!("{} {arrow} {} ", grouped(requests), grouped(cost));
            let brief = format!("{} {arrow} {} ", short(requests), short(cost));
            let room = width.saturating_sub(7);
            let text = [long, middle, brief].into_iter().find(|text| text.width() <= room).unwrap_or_default();
            let each = format!(" {:.2}", cost as f64 / requests as f64);
            let mut cell = vec![look.span(Meaning::Text, text)];
            if cost > ideal {
                cell.extend([look.warning(), look.span(Meaning::Warning, each)]);
            } else {
                cell.extend([look.right(), look.span(Meaning::Right, each)]);
            }
            cell
        }
    }
}

/// The source lines that cost more than they must.
fn why(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    sheet.rule("what costs more than it must, for each request");
    for column in &model.columns {
        let excesses = excesses(column);
        if column.counts.is_none() {
            continue;
        }
        if excesses.is_empty() {
            sheet.row(vec![
                Span::raw(" "),
                look.right(),
                look.span(Meaning::Text, format!(" {}: nothing is above its ideal", column.title)),
            ]);
        }
        for excess in excesses.iter().take(3) {
            let requests = excess.requests.max(1) as f64;
            let (cost, ideal) = (excess.cost as f64 / requests, excess.ideal as f64 / requests);
            sheet.row(vec![
                Span::raw(" "),
                look.warning(),
                look.span(Meaning::Strong, format!(" {}:{} ", excess.file, excess.line)),
                look.span(Meaning::Text, format!("{}: {cost:.2} {}, ideal {ideal:.2}", excess.op, excess.unit)),
            ]);
        }
    }
}

/// What is going on, or what went wrong.
fn state(model: &Model, sheet: &mut Sheet) {
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
                spans.extend(look.bar(*fraction, 20));
                spans.push(look.span(Meaning::Muted, format!(" {:.0} %", fraction * 100.0)));
                sheet.row(spans);
            }
        }
        Phase::Over { cancelled: true } => sheet.text(Meaning::Muted, "Stopped. Space launches again."),
        Phase::Over { cancelled: false } => {}
        Phase::Idle => sheet.text(Meaning::Muted, "Space launches it."),
    }
    for note in &model.notes {
        sheet.text(Meaning::Muted, note);
    }
    if let Some(why) = model.why_not.as_ref().filter(|_| !model.on_gpu()) {
        sheet.text(Meaning::Muted, &format!("Why no GPU: {why}"));
    }
    let unchecked = !model.on_gpu() && model.device.is_some() && model.n > super::LARGEST_EMULATED;
    if unchecked && model.phase == (Phase::Over { cancelled: false }) {
        let most = super::LARGEST_EMULATED;
        sheet.text(Meaning::Muted, &format!("The emulator checks results up to n = {most} only: s changes the size."));
    }
}
