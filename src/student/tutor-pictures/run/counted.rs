//! The emulator's counts: per step, in total, and by source line.

use super::count::{Cost, Figure, excesses, figure, label, step};
use super::draw::{Cell, letter};
use super::model::{Model, TimeSource};
use crate::prelude::*;
use tutor_course::CountRow;
use tutor_exec::fault::hazard_letters;
use tutor_exec::results::ProgramResults;
use tutor_kernels::Elements;

/// Returns the number of cells of the table's labels.
fn labels(sheet: &Sheet) -> usize {
    let width = usize::from(sheet.width);
    if width >= 70 { 34 } else { 27 }.min(width / 2)
}

/// Returns the number of cells of each of `columns` columns of the table.
pub(super) fn column(sheet: &Sheet, columns: usize) -> usize {
    usize::from(sheet.width).saturating_sub(labels(sheet) + 2) / columns.max(1)
}

/// Adds a row of the table: a label, and a cell for each kernel.
pub(super) fn row(sheet: &mut Sheet, (label, meaning): (&str, Meaning), cells: Vec<Cell>) {
    let look = sheet.look;
    let each = column(sheet, cells.len());
    let mut spans = vec![look.span(
        meaning,
        format!(" {}", pad(&truncate(label, labels(sheet).saturating_sub(1), look.ascii), labels(sheet))),
    )];
    for cell in cells {
        spans.extend(fit(cell, each, look.ascii));
    }
    sheet.row(spans);
}

/// Truncates or pads spans to `width` cells, and leaves the last cell blank.
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

pub(super) fn dash(look: &Look) -> Cell {
    vec![look.span(Meaning::Muted, look.sign("–", "-").to_owned())]
}

/// Adds the kernels' names above their columns.
pub(super) fn heads(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    if model.kernels.len() < 2 {
        return;
    }
    let each = column(sheet, model.kernels.len());
    // If a name does not fit, there is only the kernel's letter.
    let named = model.kernels.iter().all(|kernel| kernel.name.width() + 3 <= each);
    let head = |(at, kernel): (usize, &super::model::Compared)| {
        let name = if named { kernel.name.clone() } else { String::new() };
        vec![look.span(Meaning::Accent, format!("{} ", letter(model, at))), look.span(Meaning::Strong, name)]
    };
    row(sheet, ("", Meaning::Muted), model.kernels.iter().enumerate().map(head).collect());
}

/// Returns a number with two decimals, or with more if it is small.
pub(super) fn per_step(value: f64) -> String {
    match value {
        v if v == 0.0 || v >= 0.095 => format!("{v:.2}"),
        v if v >= 0.0095 => format!("{v:.3}"),
        v => format!("{v:.4}"),
    }
}

/// Adds the cost of 32 multiply-adds, which does not depend on grid, block or load width.
pub(super) fn steps(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    let columns = model.found();
    if model.rows.is_empty() || columns.iter().all(|found| found.counts.is_none()) {
        return;
    }
    let n = model.found_n();
    sheet.rule(&t!("run-counted", n));
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
            let label = t!("run-step-row", what = name, unit);
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
            // If a column has no room for the minimum, the minimum gets its own row.
            let each = column(sheet, costs.len());
            let above = |cost: &Cost| cost.requests > 0 && cost.cost > cost.ideal;
            if costs.iter().flatten().any(|(cost, _)| above(cost) && !best_fits(*cost, each)) {
                let cell = |cost: &Option<(Cost, f64)>| match cost {
                    Some((cost, _)) if above(cost) => vec![look.span(Meaning::Muted, format!("  {:.2}", cost.best()))],
                    _ => Vec::new(),
                };
                let cells = costs.iter().map(cell).collect();
                row(sheet, (&format!("    {}", t!("run-best-row")), Meaning::Muted), cells);
            }
            if let Some(Some((first, step))) = costs.first() {
                let more = |(cost, each): &(Cost, f64)| cost.each() > first.each() * 1.01 && each * 1.01 < *step;
                wider |= costs.iter().flatten().any(more);
            }
        } else {
            let each = column(sheet, figures.len());
            let cells: Vec<Vec<Cell>> =
                figures.iter().map(|figure| figure_cells(figure.as_ref(), look, each)).collect();
            for at in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let name = if at == 0 { name.as_str() } else { "" };
                let row_of = |cells: &Vec<Cell>| cells.get(at).cloned().unwrap_or_default();
                row(sheet, (name, Meaning::Text), cells.iter().map(row_of).collect());
            }
        }
    }
    cycles(model, sheet);
    if wider {
        sheet.text(Meaning::Note, &t!("run-wider"));
    }
    let loads = |found: &ProgramResults| matches!(figure(found, CountRow::SharedLoads), Some(Figure::Cost(cost)) if cost.requests == 0);
    let tensor = model.elements() != Elements::F32;
    if tensor && model.rows.contains(&CountRow::SharedLoads) && columns.iter().any(loads) {
        sheet.text(Meaning::Note, &t!("run-wgmma-reads"));
    }
}

/// Returns the cost per request, and the minimum if there is room: `▲ 16.50, best 1.00`.
fn request_cell(cost: Cost, look: &Look, width: usize) -> Cell {
    let each = format!("{:.2}", cost.each());
    let (sign, meaning) = look.cost(cost.cost <= cost.ideal);
    let mut cell = vec![sign, look.span(meaning, format!(" {each}"))];
    if cost.cost > cost.ideal && best_fits(cost, width) {
        cell.push(look.span(Meaning::Muted, best_words(cost)));
    }
    cell
}

fn best_words(cost: Cost) -> String {
    format!(", {}", t!("run-at-best", best = format!("{:.2}", cost.best())))
}

/// True if a column has room for the cost per request and the minimum.
fn best_fits(cost: Cost, width: usize) -> bool {
    format!("{:.2}", cost.each()).width() + best_words(cost).width() + 3 <= width
}

/// Returns the cells of a figure, one below the other. Kinds of hazards that do not fit side by side are below each other.
fn figure_cells(figure: Option<&Figure>, look: &Look, width: usize) -> Vec<Cell> {
    let kinds = match figure {
        None | Some(Figure::Cost(_)) => return vec![dash(look)],
        Some(Figure::Intensity(intensity)) => {
            return vec![vec![look.span(Meaning::Strong, format!("{intensity:.2}"))]];
        }
        Some(Figure::Hazards(kinds)) => kinds,
    };
    let word =
        |(kind, times): &(ptx_emulator::HazardKind, u64)| format!("{} {}×", hazard_letters(*kind), grouped(*times));
    let words: Vec<String> = kinds.iter().map(word).collect();
    if words.is_empty() {
        return vec![vec![look.right(), look.span(Meaning::Right, format!(" {}", t!("run-none")))]];
    }
    let line = words.join(", ");
    let lines = if line.width() + 3 <= width { vec![line] } else { words };
    lines.into_iter().map(|text| vec![look.warning(), look.span(Meaning::Warning, format!(" {text}"))]).collect()
}

/// Adds the cycles that an SM spends per step, derived from the time, and the cache lines that loads look
/// up.
fn cycles(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    let loads = |kind: &CountRow| matches!(kind, CountRow::GlobalLoads | CountRow::SharedLoads);
    let Some(clock) = model.clock().filter(|_| model.rows.iter().any(loads)) else { return };
    let (columns, n) = (model.found(), model.found_n());
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
    // An SM starts at most four steps per cycle. If there are more, tensor cores did the multiply-adds.
    if spent.iter().flatten().any(|cycles| *cycles < 0.25) {
        return;
    }
    let label = match model.source() {
        TimeSource::Live(_) => t!("run-cycles"),
        _ => t!("run-cycles-recorded", n = model.n),
    };
    row(sheet, (&label, Meaning::Text), spent.iter().map(cell).collect());
    let text = t!("run-cycles-how", count = clock.multiprocessors, mhz = clock.mhz);
    sheet.text(Meaning::Muted, &text);
    // There cannot be more wavefronts than cycles, so the assembler must have merged loads.
    let fused = |(found, spent): (&ProgramResults, &Option<f64>)| {
        let Some(Figure::Cost(cost)) = figure(found, CountRow::SharedLoads) else { return false };
        let (Some(counts), Some(spent)) = (&found.counts, spent) else { return false };
        step(counts, n, cost.cost) > spent * 1.05
    };
    if model.rows.contains(&CountRow::SharedLoads) && columns.iter().zip(&spent).any(fused) {
        sheet.text(Meaning::Note, &t!("run-fused"));
    }
}

/// Adds the requests and their cost in all blocks that were counted.
pub(super) fn totals(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    let columns = model.found();
    if columns.iter().all(|found| found.counts.is_none()) {
        return;
    }
    sheet.rule(&t!("run-totals", n = model.found_n()));
    for (at, (kernel, found)) in model.kernels.iter().zip(columns).enumerate() {
        let Some(counts) = &found.counts else { continue };
        let blocks = t!("run-blocks", counted = counts.blocks_counted, blocks = counts.blocks);
        sheet.ends(
            vec![
                look.span(Meaning::Accent, format!(" {} ", letter(model, at))),
                look.span(Meaning::Strong, kernel.name.clone()),
            ],
            vec![look.span(Meaning::Muted, blocks)],
        );
        let before = sheet.height();
        for &kind in &model.rows {
            let (name, unit) = label(kind);
            let text = match figure(found, kind) {
                Some(Figure::Cost(Cost { requests: 0, .. })) => t!("run-none"),
                Some(Figure::Cost(Cost { requests, cost, .. })) => {
                    t!("run-total", requests, arrow = look.sign("→", ">"), cost, unit)
                }
                _ => continue,
            };
            sheet
                .row(vec![look.span(Meaning::Muted, format!("   {}", pad(&name, 16))), look.span(Meaning::Text, text)]);
        }
        if sheet.height() == before {
            sheet.text(Meaning::Muted, &t!("run-no-requests"));
        }
    }
}

/// Adds the source lines that cost more than the minimum.
pub(super) fn why(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    sheet.rule(&t!("run-why"));
    for (at, (kernel, found)) in model.kernels.iter().zip(model.found()).enumerate() {
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
                look.span(Meaning::Text, t!("run-excess", op = excess.op, cost, unit, best)),
            ]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_emulator::HazardKind;

    #[test]
    fn kinds_of_hazards_that_do_not_fit_side_by_side_are_below_each_other() {
        let figure = Figure::Hazards(vec![(HazardKind::Raw, 1_048_576), (HazardKind::War, 983_040)]);
        let cells = |width| {
            let text = |cell: Cell| cell.iter().map(|span| span.content.as_ref()).collect::<String>();
            ui_kit::look::with_mono_look(|look| figure_cells(Some(&figure), look, width))
                .into_iter()
                .map(text)
                .collect()
        };
        let (narrow, wide): (Vec<String>, Vec<String>) = (cells(24), cells(60));
        assert_eq!(narrow, ["▲ RAW 1,048,576×", "▲ WAR 983,040×"]);
        assert_eq!(wide, ["▲ RAW 1,048,576×, WAR 983,040×"]);
    }
}
