//! Prints original and copy next to each other.

use super::Comparison;
use crate::emulate::undefined;
use crate::prelude::*;
use crate::run::describe;
use crate::run::result::KernelResult;
use crate::support::costs::costs;
use std::cmp::Ordering;
use tutor_exec::results::Correctness;
use tutor_support::figures::{duration, grouped, percent};

const LABEL: usize = 26;
const COLUMN: usize = 16;

/// A row of the table: name, the values of original and copy, and the change.
struct Row {
    name: String,
    cells: [String; 2],
    change: String,
}

impl Comparison {
    pub(super) fn print(&self, globals: &Globals) -> anyhow::Result<()> {
        let device = t!("run-cli-on", device = self.device.as_ref().map_or("", |device| &device.name));
        output::line(format_args!("{}  {}  {}  {device}", self.kernel, self.elements, self.shape))?;
        let head = Row { name: String::new(), cells: [t!("play-original"), t!("play-yours")], change: String::new() };
        for row in std::iter::once(head).chain(self.rows(globals.ascii)) {
            let [theirs, own] = row.cells;
            let [theirs, own] = [theirs, own].map(|cell| pad_left(&cell, COLUMN));
            let line = format!("  {} {theirs} {own}  {}", pad(&row.name, LABEL), row.change);
            output::line(line.trim_end())?;
        }
        let undefined = self.yours.undefined.iter().map(undefined::describe);
        for found in self.yours.hazards.iter().map(describe).chain(undefined) {
            output::line(format_args!("  {found}"))?;
        }
        if !self.yours.printed.is_empty() {
            output::line(format_args!("  {}", t!("run-cli-printed")))?;
            for line in self.yours.printed.lines() {
                output::line(format_args!("  | {line}"))?;
            }
        }
        let sides = [(t!("play-original"), &self.original.estimate), (t!("play-yours"), &self.yours.estimate)];
        let heading = sides.iter().find_map(|(_, estimate)| estimate.as_ref()?.heading());
        heading.map_or(Ok(()), output::line)?;
        for (name, estimate) in sides {
            estimate.as_ref().map_or(Ok(()), |estimate| estimate.print_row(&name, self.shape))?;
        }
        self.notes.iter().for_each(output::remark);
        let mark = match (self.verdict, globals.ascii) {
            (Correctness::Right, false) => "✔",
            (Correctness::Right, true) => "ok",
            (Correctness::NotCompared, _) => "·",
            (_, false) => "✘",
            (_, true) => "WRONG",
        };
        output::line(format_args!("{mark} {}", self.sentence()))?;
        Ok(())
    }

    fn rows(&self, ascii: bool) -> Vec<Row> {
        let sides = [&self.original, &self.yours];
        let result = |side: &KernelResult| match side.mismatches {
            None => t!("play-not-compared"),
            Some(0) => t!("play-right"),
            Some(wrong) => t!("play-wrong", wrong = grouped(wrong)),
        };
        let same = if ascii { "=" } else { "≡" };
        let plain = |name: String, cells: [String; 2]| Row {
            change: if cells[0] == cells[1] { String::new() } else { t!("play-differs") },
            name,
            cells,
        };
        let mut rows = vec![plain(t!("run-cli-result"), sides.map(result))];
        if let [Some(theirs), Some(own)] = [&self.original.counts, &self.yours.counts] {
            let mut number = |name: String, theirs: u64, own: u64| {
                if theirs > 0 || own > 0 {
                    rows.push(Row { name, cells: [theirs, own].map(grouped), change: change(theirs, own, same) });
                }
            };
            let hazards = sides.map(|side| side.hazards.len() as u64);
            number(t!("play-hazards"), hazards[0], hazards[1]);
            for (theirs, own) in costs(theirs).into_iter().zip(costs(own)) {
                number(format!("{}, {}", own.name, own.unit), theirs.cost, own.cost);
            }
            let [a, b] = [&theirs.totals, &own.totals];
            number(t!("play-global-bytes"), a.global_bytes, b.global_bytes);
            number(t!("play-barriers"), a.barriers, b.barriers);
            number(t!("play-instructions"), a.warp_instructions, b.warp_instructions);
        }
        if let [Some(theirs), Some(own)] = [self.original.time, self.yours.time] {
            let faster = self.speedup.unwrap_or(1.0);
            let ratio = format!("{:.2}", if faster < 1.0 { 1.0 / faster } else { faster });
            let change = match () {
                () if theirs.low_ms <= own.high_ms && own.low_ms <= theirs.high_ms => t!("play-time-same"),
                () if faster < 1.0 => t!("play-slower", ratio),
                () => t!("play-faster", ratio),
            };
            let cells = [duration(theirs.median_ms), duration(own.median_ms)];
            rows.push(Row { name: t!("run-cli-time"), cells, change });
        }
        rows
    }

    fn sentence(&self) -> String {
        match self.verdict {
            Correctness::Wrong => t!("play-verdict-wrong", wrong = grouped(self.yours.mismatches.unwrap_or(0))),
            Correctness::Hazard => t!("run-cli-by-luck"),
            Correctness::NotCompared => t!("play-verdict-not-compared"),
            Correctness::Right if !self.changed => t!("play-verdict-unchanged", file = &self.file),
            Correctness::Right => match self.speedup {
                None => t!("play-verdict-right"),
                Some(speedup) => t!("play-verdict-right-timed", ratio = format!("{speedup:.2}")),
            },
        }
    }
}

/// Describes how two counts differ: as a percentage below a factor of two, else as a factor.
fn change(theirs: u64, own: u64, same: &str) -> String {
    let (least, most) = (theirs.min(own), theirs.max(own));
    let ratio = most as f64 / least as f64;
    let share = || percent((most - least) as f64 / theirs as f64);
    match own.cmp(&theirs) {
        Ordering::Equal => same.to_owned(),
        Ordering::Less if own == 0 => t!("play-none"),
        Ordering::Greater if theirs == 0 => t!("play-new"),
        Ordering::Less if ratio < 2.0 => t!("play-fewer-share", share = share()),
        Ordering::Greater if ratio < 2.0 => t!("play-more-share", share = share()),
        Ordering::Less => t!("play-fewer", ratio = format!("{ratio:.2}")),
        Ordering::Greater => t!("play-more", ratio = format!("{ratio:.2}")),
    }
}
