//! The memory traffic of a kernel by kind of access, for tables.

use crate::prelude::*;
use ptx_emulator::{Counts, LineCounts};

/// Cost of one kind of access, summed over all its instructions.
pub(crate) struct Cost {
    pub(crate) name: String,
    /// Unit of `cost` and `ideal`.
    pub(crate) unit: String,
    pub(crate) requests: u64,
    pub(crate) cost: u64,
    pub(crate) ideal: u64,
}

/// Returns the costs of loads and stores of global and shared memory, and of asynchronous copies, by their sectors of global memory.
pub(crate) fn costs(counts: &Counts) -> [Cost; 5] {
    type Measure = fn(&LineCounts) -> (u64, u64);
    let (sectors, wavefronts) = (t!("run-cli-sectors"), t!("run-cli-wavefronts"));
    let of_sectors: Measure = |line| (line.sectors, line.sectors_ideal);
    let of_wavefronts: Measure = |line| (line.wavefronts, line.wavefronts_ideal);
    [
        (t!("run-cli-global-loads"), &["ld.global"][..], &sectors, of_sectors),
        (t!("run-cli-global-stores"), &["st.global"], &sectors, of_sectors),
        (t!("run-cli-copies"), &["cp.async"], &sectors, of_sectors),
        // Tensor-core fragments have their own load and store instructions.
        (t!("run-cli-shared-loads"), &["ld.shared", "ldmatrix", "wmma.load"], &wavefronts, of_wavefronts),
        (t!("run-cli-shared-stores"), &["st.shared", "stmatrix", "wmma.store"], &wavefronts, of_wavefronts),
    ]
    .map(|(name, ops, unit, cost)| {
        let of_kind = |line: &&LineCounts| ops.iter().any(|op| line.op.starts_with(op)) && cost(line).0 > 0;
        let sum = |(requests, all, least), line: &LineCounts| {
            let (cost, ideal) = cost(line);
            (requests + line.requests, all + cost, least + ideal)
        };
        let (requests, cost, ideal) = counts.lines.iter().filter(of_kind).fold((0, 0, 0), sum);
        Cost { name, unit: unit.clone(), requests, cost, ideal }
    })
}
