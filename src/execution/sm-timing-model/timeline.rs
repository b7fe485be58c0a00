//! What each warp of an SM did in a short stretch of the simulation.

use super::parts::Stall;
use serde::{Deserialize, Serialize};

pub const LETTERS: usize = 256;
/// The letter of a time in which a warp has not begun or has ended, and in which no tensor core works.
const ABSENT: char = ' ';

/// A stretch of the simulation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeline {
    /// The first cycle, from the start of the launch's first wave.
    pub from: u64,
    /// Cycles per letter. A warp that starts several instructions in them has only one sign for that.
    pub step: u32,
    /// When a tensor core works: the letter of a start, else a space.
    pub tensor: String,
    /// The warps of the SM.
    pub warps: Vec<Row>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The scheduler that serves the warp, 0 to 3.
    pub scheduler: u32,
    /// Number of its block on the SM.
    pub block: u32,
    /// Number of the warp in its block.
    pub warp: u32,
    /// One [letter](Stall::letter) per step.
    pub cells: String,
    /// Cycle after the first, source line and PTX line of each instruction that the warp started. The source line may be 0.
    pub started: Vec<(u32, u32, u32)>,
}

impl Row {
    /// Returns what the warp did in a step. Returns `None` if it had not begun or had ended.
    pub fn at(&self, step: usize) -> Option<Stall> {
        let letter = self.cells.as_bytes().get(step).copied()?;
        Stall::ALL.into_iter().find(|stall| stall.letter() == char::from(letter))
    }
}

/// A time that a warp spent in one way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment {
    pub(crate) warp: usize,
    pub(crate) stall: Stall,
    pub(crate) from: f64,
    pub(crate) until: f64,
    /// Source and PTX line of a started instruction.
    pub(crate) lines: (u32, u32),
}

/// Records segments from some cycle on.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    from: Option<f64>,
    step: f64,
    segments: Vec<Segment>,
    /// When a tensor core worked.
    tensor: Vec<(f64, f64)>,
}

impl Recorder {
    /// Begins to record with `step` cycles per letter, unless it has begun.
    pub(crate) fn begin(&mut self, now: f64, step: f64) {
        (self.from, self.step) = (self.from.or(Some(now)), step);
    }

    /// True if it records what happens between these cycles.
    fn records(&self, from: f64, until: f64) -> bool {
        self.from.is_some_and(|own| until > own.max(from) && from < own + self.step * LETTERS as f64)
    }

    /// Adds a time in which a tensor core will work. It may still do so when the record begins.
    pub(crate) fn multiplies(&mut self, now: f64, from: f64, until: f64) {
        if self.from.is_none() {
            self.tensor.retain(|(_, until)| *until > now);
        }
        if self.from.is_none() || self.records(from, until) {
            self.tensor.push((from, until));
        }
    }

    pub(crate) fn add(&mut self, segment: Segment) {
        if self.records(segment.from, segment.until) {
            self.segments.push(segment);
        }
    }

    /// Returns the timeline of warps with these blocks, numbers and schedulers.
    pub(crate) fn timeline(mut self, warps: impl Iterator<Item = (usize, usize, usize)>) -> Option<Timeline> {
        let from = self.from?.ceil();
        let mut rows: Vec<(Row, Vec<char>)> = warps
            .map(|(block, warp, scheduler)| {
                let (scheduler, block, warp) = (scheduler as u32, block as u32, warp as u32);
                (Row { scheduler, block, warp, ..Row::default() }, vec![ABSENT; LETTERS])
            })
            .collect();
        let letter = |time: f64| (((time - from) / self.step).round().max(0.0) as usize).min(LETTERS);
        // A start is shown even if it is shorter than a letter.
        self.segments.sort_by_key(|segment| segment.stall == Stall::Selected);
        for Segment { warp, stall, from: begin, until, lines } in self.segments {
            let Some((row, cells)) = rows.get_mut(warp) else { continue };
            cells[letter(begin)..letter(until)].fill(stall.letter());
            if stall == Stall::Selected && begin >= from {
                let at = (begin - from) as u32;
                cells[(at / self.step as u32) as usize] = stall.letter();
                row.started.push((at, lines.0, lines.1));
            }
        }
        let rows = rows.into_iter().map(|(row, cells)| Row { cells: cells.into_iter().collect(), ..row });
        let mut tensor = [ABSENT; LETTERS];
        let works = self.tensor.into_iter().map(|(begin, until)| letter(begin)..letter(until));
        works.for_each(|letters| tensor[letters].fill(Stall::Selected.letter()));
        let (from, step, tensor) = (from as u64, self.step as u32, tensor.into_iter().collect());
        Some(Timeline { from, step, tensor, warps: rows.collect() })
    }
}
