/*! The rows of counts that a page shows, computed from the emulator's counts.

Costs are per *step* of 32 multiply-adds, so that kernels with different grids, blocks and load widths can be compared.
A warp-wide FMA instruction is one step.
*/

use crate::prelude::*;
use ptx_emulator::{Counts, HazardKind, LineCounts};
use tutor_course::CountRow;
use tutor_exec::results::ProgramResults;

/// The cost of requests to a memory.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Cost {
    /// Warp-wide requests of the blocks that were counted.
    pub(crate) requests: u64,
    /// Wavefronts or sectors that the requests took, and the minimum number for them.
    pub(crate) cost: u64,
    pub(crate) ideal: u64,
}

impl Cost {
    fn add(&mut self, requests: u64, cost: u64, ideal: u64) {
        *self = Self { requests: self.requests + requests, cost: self.cost + cost, ideal: self.ideal + ideal };
    }

    /// Returns the cost per request.
    pub(crate) fn each(self) -> f64 {
        self.cost as f64 / self.requests.max(1) as f64
    }

    /// Returns the minimum cost per request.
    pub(crate) fn best(self) -> f64 {
        self.ideal as f64 / self.requests.max(1) as f64
    }
}

/// A count row's value for one kernel.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Figure {
    /// The cost of requests to a memory.
    Cost(Cost),
    /// FLOP per byte.
    Intensity(f64),
    /// Kinds of hazards with the number of pairs of accesses.
    Hazards(Vec<(HazardKind, u64)>),
}

/// Returns a row's label and the unit of its cost.
pub(crate) fn label(row: CountRow) -> (String, String) {
    let (sectors, wavefronts) = (t!("run-sectors"), t!("run-wavefronts"));
    match row {
        CountRow::GlobalLoads => (t!("run-global-loads"), sectors),
        CountRow::GlobalStores => (t!("run-global-stores"), sectors),
        CountRow::SharedLoads => (t!("run-shared-loads"), wavefronts),
        CountRow::SharedStores => (t!("run-shared-stores"), wavefronts),
        CountRow::Intensity => (t!("run-intensity"), t!("run-flop-per-byte")),
        CountRow::Hazards => (t!("run-hazards"), String::new()),
    }
}

/// Scales a number from the counted blocks to the whole n×n product, and divides it by the number of steps. A step is
/// 32 multiply-adds.
pub(crate) fn step(counts: &Counts, n: u32, number: u64) -> f64 {
    let all = number as f64 * counts.blocks as f64 / counts.blocks_counted.max(1) as f64;
    all * 32.0 / f64::from(n).powi(3)
}

/// True if an instruction belongs to a row.
fn belongs(line: &LineCounts, row: CountRow) -> bool {
    match row {
        CountRow::GlobalLoads => line.loads_global(),
        CountRow::GlobalStores => line.stores_global(),
        CountRow::SharedLoads => line.loads_shared(),
        CountRow::SharedStores => line.stores_shared(),
        CountRow::Intensity | CountRow::Hazards => false,
    }
}

fn shared(row: CountRow) -> bool {
    matches!(row, CountRow::SharedLoads | CountRow::SharedStores)
}

/// Returns the value of a count row, once counted.
pub(crate) fn figure(found: &ProgramResults, row: CountRow) -> Option<Figure> {
    let counts = found.counts.as_ref()?;
    Some(match row {
        CountRow::Intensity => {
            let (flop, bytes) = (counts.totals.flop, counts.totals.global_bytes);
            Figure::Intensity((flop > 0 && bytes > 0).then(|| flop as f64 / bytes as f64)?)
        }
        CountRow::Hazards => {
            let mut kinds: Vec<(HazardKind, u64)> = Vec::new();
            for hazard in found.hazards.as_ref()? {
                match kinds.iter_mut().find(|(kind, _)| *kind == hazard.kind) {
                    Some((_, times)) => *times += hazard.occurrences,
                    None => kinds.push((hazard.kind, hazard.occurrences)),
                }
            }
            kinds.sort_unstable();
            Figure::Hazards(kinds)
        }
        row => {
            let mut sum = Cost::default();
            for line in counts.lines.iter().filter(|line| belongs(line, row)) {
                let (cost, ideal) = match shared(row) {
                    true => (line.wavefronts, line.wavefronts_ideal),
                    false => (line.sectors, line.sectors_ideal),
                };
                sum.add(line.requests, cost, ideal);
            }
            Figure::Cost(sum)
        }
    })
}

/// A source line that costs more than the minimum.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Excess {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) op: String,
    pub(crate) cost: Cost,
    pub(crate) wavefronts: bool,
}

/// Returns the source lines above their minimum, the largest excess first.
pub(crate) fn excesses(found: &ProgramResults) -> Vec<Excess> {
    let mut all: Vec<Excess> = Vec::new();
    for line in found.counts.iter().flat_map(|counts| &counts.lines).filter(|line| line.requests > 0) {
        let file = line.place.file.rsplit('/').next().unwrap_or_default();
        for (wavefronts, cost, ideal) in
            [(true, line.wavefronts, line.wavefronts_ideal), (false, line.sectors, line.sectors_ideal)]
        {
            if cost == 0 {
                continue;
            }
            let is = |known: &&mut Excess| {
                known.line == line.place.line
                    && known.file == file
                    && known.op == line.op
                    && known.wavefronts == wavefronts
            };
            match all.iter_mut().find(is) {
                Some(Excess { cost: sum, .. }) => sum.add(line.requests, cost, ideal),
                None => all.push(Excess {
                    file: file.to_owned(),
                    line: line.place.line,
                    op: line.op.clone(),
                    cost: Cost { requests: line.requests, cost, ideal },
                    wavefronts,
                }),
            }
        }
    }
    all.retain(|known| known.cost.cost > known.cost.ideal);
    all.sort_by_key(|known| std::cmp::Reverse(known.cost.cost - known.cost.ideal));
    all
}
