//! The rows of counts: what the view asks for, out of what the emulator counted.

use super::model::Column;
use crate::course::CountRow;
use crate::simt::{HazardKind, LineCounts};

/// A count row's numbers for one kernel.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Figure {
    /// Requests, what they cost, and what they would cost at best.
    Cost { requests: u64, cost: u64, ideal: u64 },
    /// FLOP per byte.
    Intensity(f64),
    /// Kinds with the pairs of accesses found.
    Hazards(Vec<(HazardKind, u64)>),
}

/// Label of a row, and the unit of its cost.
pub(crate) fn label(row: CountRow) -> (&'static str, &'static str) {
    match row {
        CountRow::GlobalLoads => ("global loads", "sectors"),
        CountRow::GlobalStores => ("global stores", "sectors"),
        CountRow::SharedLoads => ("shared loads", "wavefronts"),
        CountRow::SharedStores => ("shared stores", "wavefronts"),
        CountRow::Intensity => ("intensity", "FLOP/byte"),
        CountRow::Hazards => ("hazards", ""),
    }
}

/// The figure of a count row, once counted.
pub(crate) fn figure(column: &Column, row: CountRow) -> Option<Figure> {
    let counts = column.counts.as_ref()?;
    let sum = |op: &str| {
        let mut total = (0, 0, 0);
        for line in counts.lines.iter().filter(|line| line.op.starts_with(op)) {
            let (cost, ideal) = cost(line);
            total = (total.0 + line.requests, total.1 + cost, total.2 + ideal);
        }
        Figure::Cost { requests: total.0, cost: total.1, ideal: total.2 }
    };
    Some(match row {
        CountRow::GlobalLoads => sum("ld.global"),
        CountRow::GlobalStores => sum("st.global"),
        CountRow::SharedLoads => sum("ld.shared"),
        CountRow::SharedStores => sum("st.shared"),
        CountRow::Intensity => {
            let bytes = counts.totals.global_bytes;
            Figure::Intensity(if bytes == 0 { 0.0 } else { counts.totals.flop as f64 / bytes as f64 })
        }
        CountRow::Hazards => {
            let mut kinds: Vec<(HazardKind, u64)> = Vec::new();
            for hazard in column.hazards.as_ref()? {
                match kinds.iter_mut().find(|(kind, _)| *kind == hazard.kind) {
                    Some((_, times)) => *times += hazard.occurrences,
                    None => kinds.push((hazard.kind, hazard.occurrences)),
                }
            }
            kinds.sort_unstable();
            Figure::Hazards(kinds)
        }
    })
}

/// Cost and ideal of an instruction: wavefronts in shared memory, sectors in global memory.
pub(crate) fn cost(line: &LineCounts) -> (u64, u64) {
    if line.op.contains("shared") {
        (line.wavefronts, line.wavefronts_ideal)
    } else {
        (line.sectors, line.sectors_ideal)
    }
}

/// A source line that costs more than it must.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Excess {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) op: String,
    pub(crate) requests: u64,
    pub(crate) cost: u64,
    pub(crate) ideal: u64,
    pub(crate) unit: &'static str,
}

/// Source lines above their ideal, the dearest first.
pub(crate) fn excesses(column: &Column) -> Vec<Excess> {
    let mut all: Vec<Excess> = Vec::new();
    for line in column.counts.iter().flat_map(|counts| &counts.lines).filter(|line| line.requests > 0) {
        let (one, ideal) = cost(line);
        let file = line.place.file.rsplit('/').next().unwrap_or_default();
        match all.iter_mut().find(|known| known.line == line.place.line && known.file == file && known.op == line.op) {
            Some(known) => {
                known.requests += line.requests;
                known.cost += one;
                known.ideal += ideal;
            }
            None => all.push(Excess {
                file: file.to_owned(),
                line: line.place.line,
                op: line.op.clone(),
                requests: line.requests,
                cost: one,
                ideal,
                unit: if line.op.contains("shared") { "wavefronts" } else { "sectors" },
            }),
        }
    }
    all.retain(|known| known.cost > known.ideal);
    all.sort_by_key(|known| std::cmp::Reverse(known.cost - known.ideal));
    all
}
