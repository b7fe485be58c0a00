/*! A timeline as rows: which warp each scheduler started in each cycle, and what the others waited for.

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

use crate::prelude::*;
use sm_timing_model::{LETTERS, Row, Stall, Timeline};
use tutor_exec::estimate::stall_sentence;

/// Cells before the cycles.
const LABEL: usize = 14;
const SCHEDULERS: u32 = 4;
/// Instructions that are listed below the warps.
const NEXT: usize = 3;

/// Warps that are drawn at least.
const WARPS: usize = 3;
/// Rows that the timeline needs at least.
pub(crate) const ROWS: u16 = 16;

/// Returns a line of the kernel's source by its number.
pub(crate) type Code<'a> = &'a dyn Fn(u32) -> Option<&'a str>;

/// What the student looks at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    cycle: usize,
    warp: usize,
    /// True if only this warp is drawn.
    alone: bool,
}

impl Cursor {
    /// Begins at the first wait of a warp of the first block.
    pub(crate) fn at(timeline: &Timeline, warp: u32) -> Self {
        let warp = timeline.warps.iter().position(|row| row.block == 0 && row.warp == warp).unwrap_or(0);
        let mut found = Self { warp, cycle: LETTERS - 1, alone: false };
        found.next_stall(timeline);
        found
    }

    /// Returns the actions that change something.
    pub(crate) fn actions(&self, timeline: &Timeline) -> Vec<Action> {
        let mut actions = Vec::new();
        actions.extend((self.cycle > 0).then_some(Action::StepBack));
        actions.extend((self.cycle + 1 < LETTERS).then_some(Action::StepForward));
        if timeline.warps.len() > 1 {
            actions.extend([Action::Up, Action::Down]);
        }
        let mut next = *self;
        next.next_stall(timeline);
        actions.extend((next != *self).then_some(Action::NextStall));
        actions.push(Action::OneWarp);
        actions
    }

    /// Runs one of these actions.
    pub(crate) fn act(&mut self, action: Action, timeline: &Timeline) {
        match action {
            Action::StepForward => self.cycle = (self.cycle + 1).min(LETTERS - 1),
            Action::StepBack => self.cycle = self.cycle.saturating_sub(1),
            Action::NextStall => self.next_stall(timeline),
            Action::OneWarp => self.alone = !self.alone,
            _ => self.other_warp(timeline, action == Action::Down),
        }
    }

    /// Moves to the next or previous warp, in the order of the schedulers.
    fn other_warp(&mut self, timeline: &Timeline, next: bool) {
        let order = order(timeline);
        let at = order.iter().position(|warp| *warp == self.warp).unwrap_or(0);
        let at = if next { (at + 1) % order.len().max(1) } else { (at + order.len().max(1) - 1) % order.len().max(1) };
        self.warp = order.get(at).copied().unwrap_or(0);
    }

    /// Moves to the cycle in which the warp begins its next wait. Begins again at the end.
    fn next_stall(&mut self, timeline: &Timeline) {
        let Some(row) = timeline.warps.get(self.warp) else { return };
        let waits = |cycle: usize| row.at(cycle).filter(|stall| stall.waits());
        let begins = |cycle: &usize| waits(*cycle).is_some() && (*cycle == 0 || waits(*cycle) != waits(*cycle - 1));
        let after = (self.cycle + 1..LETTERS).find(begins);
        self.cycle = after.or_else(|| (0..LETTERS).find(begins)).unwrap_or(self.cycle);
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
        'P' | 'T' | 'w' => Meaning::Note,
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

/// Draws the timeline of a kernel in about [`ROWS`] and `spare` rows.
pub(crate) fn draw(kernel: &str, cursor: Cursor, timeline: &Timeline, code: Code<'_>, sheet: &mut Sheet, spare: u16) {
    let look = sheet.look;
    let cycle = t!("run-timeline-cycle", cycle = timeline.from + u64::from(timeline.step) * cursor.cycle as u64);
    sheet.title(&t!("run-timeline", kernel), vec![look.span(Meaning::Accent, cycle)]);
    let Some(chosen) = timeline.warps.get(cursor.warp) else { return };
    if cursor.alone {
        one(cursor, timeline, chosen, code, sheet, spare.into());
    } else {
        all(cursor, timeline, chosen, code, sheet, spare.into());
    }
    sheet.text(Meaning::Muted, &t!("run-timeline-legend", step = timeline.step));
}

/// Says what a warp does in the chosen cycle.
fn doing(cursor: Cursor, chosen: &Row, sheet: &mut Sheet) {
    let does = stall_sentence(chosen.at(cursor.cycle));
    sheet.text(Meaning::Text, &t!("run-timeline-warp", warp = chosen.warp, block = chosen.block, does));
}

/// Adds an instruction that a warp starts: its cycle, its waits and its line.
fn started(timeline: &Timeline, (cycle, source, ptx): (u32, u32, u32), waits: &str, code: Code<'_>, sheet: &mut Sheet) {
    let code = code(source);
    let code = code.map_or_else(|| t!("run-timeline-ptx", line = ptx), |code| format!("{source} {}", code.trim()));
    let text = format!(" {}: {waits}{code}", grouped(timeline.from + u64::from(cycle)));
    let text = truncate(&text, usize::from(sheet.width).saturating_sub(1), sheet.look.ascii);
    sheet.row(vec![sheet.look.span(Meaning::Code, text)]);
}

/// Draws the schedulers, the warps of one of them, and what the chosen warp starts next.
fn all(cursor: Cursor, timeline: &Timeline, chosen: &Row, code: Code<'_>, sheet: &mut Sheet, spare: usize) {
    let look = sheet.look;
    let count = usize::from(sheet.width).saturating_sub(LABEL + 2).clamp(1, LETTERS);
    let first = cursor.cycle.saturating_sub(count / 2).min(LETTERS - count);
    let place = (first, count, cursor.cycle);
    for scheduler in 0..SCHEDULERS {
        let of: Vec<&Row> = timeline.warps.iter().filter(|row| row.scheduler == scheduler).collect();
        let started = |cycle: usize| {
            let at = of.iter().position(|row| row.at(cycle) == Some(Stall::Selected));
            at.and_then(|at| char::from_digit(at as u32 % 36, 36)).unwrap_or('-')
        };
        let cells: String = (0..LETTERS).map(started).collect();
        let meaning = if scheduler == chosen.scheduler { Meaning::Strong } else { Meaning::Muted };
        let label = pad(&format!(" {}", t!("run-timeline-scheduler", number = scheduler)), LABEL);
        cycles(sheet, look.span(meaning, label), &cells, place);
    }
    if !timeline.tensor.trim().is_empty() {
        let label = pad(&format!(" {}", t!("run-timeline-tensor")), LABEL);
        cycles(sheet, look.span(Meaning::Muted, label), &timeline.tensor, place);
    }
    sheet.rule(&t!("run-timeline-warps", number = chosen.scheduler));
    let blocks = timeline.warps.iter().any(|row| row.block > 0);
    let of: Vec<usize> =
        order(timeline).into_iter().filter(|at| timeline.warps[*at].scheduler == chosen.scheduler).collect();
    let here = of.iter().position(|at| *at == cursor.warp).unwrap_or(0);
    let rows = (WARPS + spare).min(of.len());
    let top = here.saturating_sub(rows / 2).min(of.len() - rows.min(of.len()));
    for (index, at) in of.iter().enumerate().skip(top).take(rows) {
        let row = &timeline.warps[*at];
        let number = char::from_digit(index as u32 % 36, 36).unwrap_or('.');
        let own = t!("run-timeline-own", number = row.warp);
        let name = if blocks { t!("run-timeline-block", number = row.block) } else { own };
        let label = pad(&format!(" {number} {name}"), LABEL);
        let meaning = if *at == cursor.warp { Meaning::Strong } else { Meaning::Muted };
        cycles(sheet, look.span(meaning, label), &row.cells, place);
    }
    doing(cursor, chosen, sheet);
    let next = chosen.started.iter().filter(|(cycle, ..)| letter(timeline, *cycle) >= cursor.cycle).take(NEXT);
    next.for_each(|line| started(timeline, *line, "", code, sheet));
}

/// Draws one warp: all its cycles, and its instructions around the cursor, each with the cycles that it waited before.
fn one(cursor: Cursor, timeline: &Timeline, chosen: &Row, code: Code<'_>, sheet: &mut Sheet, spare: usize) {
    let count = usize::from(sheet.width).saturating_sub(2).clamp(1, LETTERS);
    for first in (0..LETTERS).step_by(count) {
        cycles(sheet, Span::raw(" "), &chosen.cells, (first, count, cursor.cycle));
    }
    doing(cursor, chosen, sheet);
    sheet.rule(&t!("run-timeline-starts", warp = chosen.warp));
    let rows = NEXT + spare;
    let here = chosen.started.partition_point(|(cycle, ..)| letter(timeline, *cycle) < cursor.cycle);
    let top = here.saturating_sub(rows / 2).min(chosen.started.len().saturating_sub(rows));
    for (index, line) in chosen.started.iter().enumerate().skip(top).take(rows) {
        let before = index.checked_sub(1).map_or(0, |before| letter(timeline, chosen.started[before].0));
        started(timeline, *line, &waits(chosen, timeline.step, before, letter(timeline, line.0)), code, sheet);
    }
}

/// Returns the index of the letter that stands for a cycle.
fn letter(timeline: &Timeline, cycle: u32) -> usize {
    (cycle / timeline.step.max(1)) as usize
}

/// Returns the waits of a warp between two letters of `step` cycles: `L 37 . 2`.
fn waits(row: &Row, step: u32, from: usize, until: usize) -> String {
    let mut runs: Vec<(char, u32)> = Vec::new();
    for letter in row.cells.chars().skip(from).take(until.saturating_sub(from)).filter(|letter| !"# ".contains(*letter))
    {
        match runs.last_mut() {
            Some((last, count)) if *last == letter => *count += step,
            _ => runs.push((letter, step)),
        }
    }
    runs.iter().map(|(letter, count)| format!("{letter} {count} ")).collect()
}
