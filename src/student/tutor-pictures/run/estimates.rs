//! Estimated times and bounds, below a heading of their own.

use super::counted::{column, dash, heads, per_step, row};
use super::draw::{Cell, letter};
use super::model::Model;
use crate::prelude::*;
use tutor_exec::estimate::{Bound, Estimated};
use tutor_support::figures::{duration, percentage, speed_beside};

/// Cells of a time.
const TIME: usize = 9;
/// Minimum cells of a column with a bound and its share of the time in one row.
const BESIDE: usize = 14;
/// Rows of the table of bounds, with its heads and note.
const BOUNDS: usize = 9;

/// Returns the maximum number of rows that the estimates will take.
pub(super) fn expected(model: &Model) -> usize {
    model.estimated_on.as_ref().map_or(0, |_| 3 + BOUNDS + 3 * model.kernels.len())
}

pub(super) fn estimates(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    let any = model.found().iter().any(|found| found.estimated.is_some());
    let Some(device) = model.estimated_on.as_ref().filter(|_| any) else { return };
    sheet.rule(&t!("run-estimated", device, n = model.n));
    let names = model.kernels.iter().map(|kernel| kernel.name.width()).max().unwrap_or(0);
    let names = names.min(usize::from(sheet.width) / 3);
    let speeds = model.found().iter().filter_map(|found| found.estimated.as_ref()?.as_ref().ok()?.gflops);
    let fastest = speeds.fold(model.fastest(), f64::max);
    let mut shown: Option<&Estimated> = None;
    for (at, (kernel, found)) in model.kernels.iter().zip(model.found()).enumerate() {
        let mut row = vec![
            look.span(Meaning::Accent, format!(" {} ", letter(model, at))),
            look.span(Meaning::Strong, pad(&kernel.name, names)),
        ];
        match &found.estimated {
            None => continue,
            Some(Err(why)) => {
                row.push(look.span(Meaning::Muted, format!("  {}", look.sign("–", "-"))));
                sheet.row(row);
                sheet.text(Meaning::Muted, &format!("  {why}"));
            }
            Some(Ok(found)) => {
                let (time, interval) = (pad_left(&duration(found.median_ms), TIME), found.interval());
                row.push(look.span(Meaning::Text, format!(" {time}")));
                row.push(look.span(Meaning::Muted, format!("  ({interval})")));
                let speed = found.gflops.map(|gflops| vec![look.span(Meaning::Text, speed_beside(gflops, fastest))]);
                sheet.ends(row, speed.unwrap_or_default());
                sheet.text(Meaning::Muted, &format!("  {}", found.why()));
                if let Some(spills) = found.spills() {
                    sheet.text(Meaning::Muted, &format!("  {spills}"));
                }
                // The larger error stands for all.
                shown = shown.filter(|other| other.error.p90 >= found.error.p90).or(Some(found));
            }
        }
    }
    bounds(model, sheet);
    if let Some(shown) = shown {
        sheet.text(Meaning::Muted, &shown.accuracy().to_string());
    }
}

/// Adds the three bounds of each kernel with the share of the time for which each is busy, and marks the nearest one.
fn bounds(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    let of = |found: &Estimated| Some([found.data_pipe?.bound, found.issue_slots?, found.arithmetic?]);
    let estimated = model.found().iter().map(|found| found.estimated.as_ref()?.as_ref().ok());
    let all: Vec<Option<[Bound; 3]>> = estimated.map(|found| of(found?)).collect();
    if all.iter().all(Option::is_none) {
        return;
    }
    heads(model, sheet);
    let (beside, mark) = (column(sheet, all.len()) >= BESIDE, look.sign("▸", ">"));
    let busy = |bound: Bound| percentage(bound.busy, 0).to_string();
    for (at, name) in [t!("run-data-pipe"), t!("run-issue-slots"), t!("run-arithmetic")].iter().enumerate() {
        let cell = |bounds: &Option<[Bound; 3]>| -> Cell {
            let Some(bounds) = bounds else { return dash(look) };
            let bound = bounds[at];
            let nearest = bounds.iter().all(|other| other.per_32_multiply_adds <= bound.per_32_multiply_adds);
            let (sign, meaning) = if nearest { (mark, Meaning::Strong) } else { (" ", Meaning::Text) };
            let share = if beside { format!(" {}", pad_left(&busy(bound), 5)) } else { String::new() };
            let cycles = pad_left(&per_step(bound.per_32_multiply_adds), 5);
            vec![look.span(meaning, format!("{sign} {cycles}{share}"))]
        };
        row(sheet, (name, Meaning::Text), all.iter().map(cell).collect());
        if !beside {
            let cell = |bounds: &Option<[Bound; 3]>| {
                bounds.map_or_else(String::new, |bounds| format!("  {}", pad_left(&busy(bounds[at]), 5)))
            };
            let cells = all.iter().map(|bounds| vec![look.span(Meaning::Muted, cell(bounds))]).collect();
            row(sheet, (&format!("  {}", t!("run-busy")), Meaning::Muted), cells);
        }
    }
    sheet.text(Meaning::Muted, &t!("run-bounds-how", mark));
}
