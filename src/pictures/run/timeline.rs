/*! The timeline of an estimate: which warp each scheduler started in each cycle, and what the others waited for.

```text
 timeline of sgemm_tiled, simulated, not measured                  cycle 10,261
 scheduler 0  0-1--2-3-----0-1-2-3--------
 scheduler 1  0---1-2-3-------------------
 ─ warps of scheduler 0 ───────────────────────────────────────────────────────
 0 block 0    #LLLLLLLLLLLLLLLL#SSSSSS
 1 block 0    LLLLLLBBBBBBBBBBBBBBBB#
 Warp 0 of block 0 waits for global memory (long scoreboard).
 Next: 44 sum += A_tile[ty][k] * B_tile[k][tx];
```
*/

use super::Run;
use crate::prelude::*;
use tutor_estimate::{CYCLES, Row, Stall, Timeline};
use tutor_exec::estimate::stall_sentence;

/// Cells before the cycles.
const LABEL: usize = 14;
/// Schedulers of a multiprocessor.
const SCHEDULERS: u32 = 4;
/// Instructions that are listed below the warps.
const NEXT: usize = 3;

/// Rows that the timeline needs at least.
pub(super) const ROWS: u16 = 16;

/// What the student looks at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cursor {
    /// Index of the kernel.
    pub(super) kernel: usize,
    cycle: usize,
    warp: usize,
}

impl Cursor {
    pub(super) fn of(kernel: usize) -> Self {
        Self { kernel, ..Self::default() }
    }

    pub(super) fn step(&mut self, forward: bool) {
        self.cycle = if forward { (self.cycle + 1).min(CYCLES - 1) } else { self.cycle.saturating_sub(1) };
    }

    /// Moves to the next or previous warp, in the order of the schedulers.
    pub(super) fn other_warp(&mut self, timeline: &Timeline, next: bool) {
        let order = order(timeline);
        let at = order.iter().position(|warp| *warp == self.warp).unwrap_or(0);
        let at = if next { (at + 1) % order.len().max(1) } else { (at + order.len().max(1) - 1) % order.len().max(1) };
        self.warp = order.get(at).copied().unwrap_or(0);
    }

    /// Moves to the cycle in which the warp begins its next wait. Begins again at the end.
    pub(super) fn next_stall(&mut self, timeline: &Timeline) {
        let Some(row) = timeline.warps.get(self.warp) else { return };
        let waits = |cycle: usize| row.at(cycle).filter(|stall| !matches!(stall, Stall::Selected | Stall::NotSelected));
        let begins = |cycle: &usize| waits(*cycle).is_some() && (*cycle == 0 || waits(*cycle) != waits(*cycle - 1));
        let after = (self.cycle + 1..CYCLES).find(begins);
        self.cycle = after.or_else(|| (0..CYCLES).find(begins)).unwrap_or(self.cycle);
    }
}

/// Returns the warps by scheduler.
fn order(timeline: &Timeline) -> Vec<usize> {
    let mut order: Vec<usize> = (0..timeline.warps.len()).collect();
    order.sort_by_key(|warp| (timeline.warps[*warp].scheduler, *warp));
    order
}

fn meaning(letter: char) -> Meaning {
    match letter {
        '#' => Meaning::Right,
        'L' | 'G' => Meaning::Warning,
        'S' | 'M' => Meaning::Accent,
        'B' => Meaning::Wrong,
        'P' | 'w' => Meaning::Note,
        _ => Meaning::Muted,
    }
}

/// Adds a row of cycles with the mark at the cursor.
fn cycles(sheet: &mut Sheet, label: Span<'static>, cells: &str, (first, count, cursor): (usize, usize, usize)) {
    let look = sheet.look;
    let mut spans = vec![label];
    for (cycle, letter) in cells.chars().enumerate().skip(first).take(count) {
        let meaning = if cycle == cursor { Meaning::Selected } else { meaning(letter) };
        spans.push(look.span(meaning, letter.to_string()));
    }
    sheet.row(spans);
}

/// Draws the timeline of the kernel under the cursor.
pub(super) fn timeline(run: &Run, cursor: Cursor, timeline: &Timeline, sheet: &mut Sheet, height: u16) {
    let look = sheet.look;
    let name = run.model.kernels.get(cursor.kernel).map_or("", |kernel| kernel.title.as_str());
    let cycle = t!("run-timeline-cycle", cycle = timeline.from + cursor.cycle as u64);
    sheet.title(&t!("run-timeline", kernel = name), vec![look.span(Meaning::Accent, cycle)]);
    let count = usize::from(sheet.width).saturating_sub(LABEL + 2).clamp(1, CYCLES);
    let first = cursor.cycle.saturating_sub(count / 2).min(CYCLES - count);
    let place = (first, count, cursor.cycle);
    let Some(chosen) = timeline.warps.get(cursor.warp) else { return };
    for scheduler in 0..SCHEDULERS {
        let of: Vec<&Row> = timeline.warps.iter().filter(|row| row.scheduler == scheduler).collect();
        let started = |cycle: usize| {
            let at = of.iter().position(|row| row.at(cycle) == Some(Stall::Selected));
            at.and_then(|at| char::from_digit(at as u32 % 36, 36)).unwrap_or('-')
        };
        let cells: String = (0..CYCLES).map(started).collect();
        let meaning = if scheduler == chosen.scheduler { Meaning::Strong } else { Meaning::Muted };
        let label = pad(&format!(" {}", t!("run-timeline-scheduler", number = scheduler)), LABEL);
        cycles(sheet, look.span(meaning, label), &cells, place);
    }
    sheet.rule(&t!("run-timeline-warps", number = chosen.scheduler));
    let of: Vec<usize> =
        order(timeline).into_iter().filter(|at| timeline.warps[*at].scheduler == chosen.scheduler).collect();
    let here = of.iter().position(|at| *at == cursor.warp).unwrap_or(0);
    // Below the warps are the sentence, the instructions and the legend.
    let rows = usize::from(height).saturating_sub(usize::from(sheet.len()) + NEXT + 4).clamp(1, of.len().max(1));
    let top = here.saturating_sub(rows / 2).min(of.len() - rows.min(of.len()));
    for (index, at) in of.iter().enumerate().skip(top).take(rows) {
        let row = &timeline.warps[*at];
        let number = char::from_digit(index as u32 % 36, 36).unwrap_or('.');
        let label = pad(&format!(" {number} {}", t!("run-timeline-block", number = row.block)), LABEL);
        let meaning = if *at == cursor.warp { Meaning::Strong } else { Meaning::Muted };
        cycles(sheet, look.span(meaning, label), &row.cells, place);
    }
    let does = stall_sentence(chosen.at(cursor.cycle));
    sheet.text(Meaning::Text, &t!("run-timeline-warp", warp = chosen.warp, block = chosen.block, does = does));
    let next = chosen.started.iter().filter(|(cycle, ..)| *cycle as usize >= cursor.cycle).take(NEXT);
    for (cycle, source, ptx) in next {
        let code = run.sources.get(cursor.kernel).and_then(|listing| listing.line(*source));
        let code = code.map_or_else(|| t!("run-timeline-ptx", line = *ptx), |code| format!("{source} {}", code.trim()));
        let text = format!(" {}: {code}", grouped(timeline.from + u64::from(*cycle)));
        let text = truncate(&text, usize::from(sheet.width).saturating_sub(1), look.ascii);
        sheet.row(vec![look.span(Meaning::Code, text)]);
    }
    sheet.text(Meaning::Muted, &t!("run-timeline-legend"));
}
