//! Estimated times, below a heading of their own.

use super::draw::letter;
use super::model::Model;
use crate::prelude::*;
use tutor_exec::estimate::Estimated;
use tutor_support::figures::{duration, speed};

/// Cells of a time.
const TIME: usize = 9;

/// Returns the maximum number of rows that the estimates will take.
pub(super) fn expected(model: &Model) -> usize {
    model.estimated_on.as_ref().map_or(0, |_| 3 + 3 * model.kernels.len())
}

pub(super) fn estimates(model: &Model, sheet: &mut Sheet) {
    let look = sheet.look;
    let any = model.found().iter().any(|found| found.estimated.is_some());
    let Some(device) = model.estimated_on.as_ref().filter(|_| any) else { return };
    sheet.rule(&t!("run-estimated", device, n = model.n));
    let names = model.kernels.iter().map(|kernel| kernel.name.width()).max().unwrap_or(0);
    let names = names.min(usize::from(sheet.width) / 3);
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
                let speed = found.gflops.map(|gflops| vec![look.span(Meaning::Text, speed(gflops))]);
                sheet.ends(row, speed.unwrap_or_default());
                sheet.text(Meaning::Muted, &format!("  {}", found.why()));
                for gain in found.gains().take(1) {
                    sheet.text(Meaning::Muted, &format!("  {gain}"));
                }
                if let Some(spills) = found.spills() {
                    sheet.text(Meaning::Muted, &format!("  {spills}"));
                }
                // The larger error stands for all.
                shown = shown.filter(|other| other.error.p90 >= found.error.p90).or(Some(found));
            }
        }
    }
    if let Some(shown) = shown {
        sheet.text(Meaning::Muted, &shown.accuracy().to_string());
    }
}
