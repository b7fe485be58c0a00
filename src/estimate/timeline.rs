//! What each warp of a multiprocessor did in each cycle of a short stretch of the simulation.

use super::sm::Stall;
use serde::{Deserialize, Serialize};

/// Cycles of a timeline.
pub const CYCLES: usize = 256;
/// The letter of a cycle in which a warp has not begun or has ended.
const ABSENT: char = ' ';

/// A stretch of the simulation, cycle by cycle.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeline {
    /// The first cycle, from the start of the launch's first wave.
    pub from: u64,
    /// The warps of the multiprocessor.
    pub warps: Vec<Row>,
}

/// What one warp did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The scheduler that serves the warp, 0 to 3.
    pub scheduler: u32,
    /// Number of its block on the multiprocessor.
    pub block: u32,
    /// Number of the warp in its block.
    pub warp: u32,
    /// One [letter](Stall::letter) per cycle.
    pub cells: String,
    /// Cycle, source line and PTX line of each instruction that the warp started. The source line may be 0.
    pub started: Vec<(u32, u32, u32)>,
}

impl Row {
    /// Returns what the warp did in a cycle. Returns `None` if it had not begun or had ended.
    pub fn at(&self, cycle: usize) -> Option<Stall> {
        let letter = self.cells.as_bytes().get(cycle).copied()?;
        Stall::ALL.into_iter().find(|stall| stall.letter() == char::from(letter))
    }
}

impl Stall {
    /// Returns the letter that stands for it in a timeline.
    pub fn letter(self) -> char {
        match self {
            Self::Selected => '#',
            Self::LongScoreboard => 'L',
            Self::ShortScoreboard => 'S',
            Self::Wait => 'w',
            Self::MioThrottle => 'M',
            Self::LgThrottle => 'G',
            Self::MathPipeThrottle => 'P',
            Self::Barrier => 'B',
            Self::NotSelected => '.',
        }
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
    segments: Vec<Segment>,
}

impl Recorder {
    /// Begins to record, unless it has begun.
    pub(crate) fn begin(&mut self, now: f64) {
        self.from = self.from.or(Some(now));
    }

    pub(crate) fn add(&mut self, segment: Segment) {
        let Some(from) = self.from else { return };
        if segment.until > from && segment.from < from + CYCLES as f64 && segment.until > segment.from {
            self.segments.push(segment);
        }
    }

    /// Returns the timeline of warps with these blocks, numbers and schedulers.
    pub(crate) fn timeline(self, warps: impl Iterator<Item = (usize, usize, usize)>) -> Option<Timeline> {
        let from = self.from?.ceil();
        let mut rows: Vec<(Row, Vec<char>)> = warps
            .map(|(block, warp, scheduler)| {
                let (scheduler, block, warp) = (scheduler as u32, block as u32, warp as u32);
                (Row { scheduler, block, warp, ..Row::default() }, vec![ABSENT; CYCLES])
            })
            .collect();
        for Segment { warp, stall, from: begin, until, lines } in self.segments {
            let Some((row, cells)) = rows.get_mut(warp) else { continue };
            let cycle = |time: f64| ((time - from).round().max(0.0) as usize).min(CYCLES);
            cells[cycle(begin)..cycle(until)].fill(stall.letter());
            if stall == Stall::Selected && begin >= from {
                row.started.push((cycle(begin) as u32, lines.0, lines.1));
            }
        }
        let rows = rows.into_iter().map(|(row, cells)| Row { cells: cells.into_iter().collect(), ..row });
        Some(Timeline { from: from as u64, warps: rows.collect() })
    }
}
