//! What the recorded paths need of the data pipe and of the schedulers, counted without a simulation.

use super::device::Gpu;
use super::region::Regions;
use super::sm::SCHEDULERS;
use super::text::Kind;
use super::trace::{Path, Trace};
use std::ops::{AddAssign, Index};

/// Wavefronts of a barrier for each block that passes it. Nsight Compute counted them on an H200 on 29 November 2026.
const OF_BARRIER: f64 = 2.0;
/// Loads without a result that the assembler adds where a warp waits for its copies (`ptxas` 12.9).
const OF_WAIT: f64 = 3.0;
/// A path that is not recorded to its end goes on as it did from this share of its recorded part on.
const STEADY: f64 = 0.4;

/// What instructions need of an SM. The SM has a fixed amount per cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Wavefronts of shared loads. Loads that the assembler fuses are one.
    SharedLoads,
    /// Wavefronts of shared stores.
    SharedStores,
    /// Lines that global loads look up, a wavefront each.
    GlobalLoads,
    /// Lines of global stores, a wavefront each.
    GlobalStores,
    /// Wavefronts in which `cp.async` writes to shared memory.
    Copies,
    /// Wavefronts of barriers, and of the loads that the assembler adds where a warp waits for copies.
    Waits,
    /// Instructions of warps.
    Instructions,
    /// Cycles of an SM's pipes for floating-point arithmetic, or of its tensor cores.
    Arithmetic,
}

/// Amounts by [`Need`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Demand([f64; 8]);

impl Index<Need> for Demand {
    type Output = f64;

    fn index(&self, need: Need) -> &f64 {
        &self.0[need as usize]
    }
}

impl AddAssign for Demand {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, more)| *own += more);
    }
}

impl Demand {
    /// Returns the wavefronts of the data pipe.
    pub fn data_pipe(&self) -> f64 {
        self.0[..Need::Instructions as usize].iter().sum()
    }

    pub(crate) fn times(self, factor: f64) -> Self {
        Self(self.0.map(|amount| amount * factor))
    }

    fn need(&mut self, need: Need, amount: f64) {
        self.0[need as usize] += amount;
    }
}

/// Counts what the `resident` blocks need to their end. The part of a path that is not recorded repeats the last whole
/// rounds of the recorded one.
pub(crate) fn demand(gpu: &Gpu, regions: &Regions, trace: &Trace<'_>, resident: usize) -> Demand {
    let (mut all, mut cut) = (Demand::default(), false);
    for (streams, paths) in regions.streams.iter().zip(&trace.paths).take(resident) {
        for (stream, path) in streams.iter().zip(paths) {
            let parts: Vec<Demand> =
                stream.iter().map(|of| of_region(gpu, regions, trace, *of, path, paths.len())).collect();
            parts.iter().for_each(|part| all += *part);
            let recorded = path.events.len().min(regions.limit);
            let rest = path.executed.saturating_sub(recorded as u64);
            cut |= rest > 0;
            let Some(begin) = stream.iter().position(|(_, first)| f64::from(*first) >= STEADY * recorded as f64) else {
                continue;
            };
            let again = |at: &usize| *at > begin && stream[*at].0 == stream[begin].0;
            let end = (0..stream.len()).rev().find(again).unwrap_or(stream.len() - 1);
            let events = stream[end].1.saturating_sub(stream[begin].1).max(1);
            parts[begin..end].iter().for_each(|part| all += part.times(rest as f64 / f64::from(events)));
        }
    }
    if cut {
        // Results are stored at the end of a path, after what is recorded.
        let blocks = trace.stored.len().max(1) as f64;
        all.0[Need::GlobalStores as usize] = trace.stored.iter().sum::<u64>() as f64 / blocks * resident as f64;
    }
    all
}

/// Counts what a warp needs in one region, which begins with the event `first` of its path. Its block has `warps` warps.
fn of_region(
    gpu: &Gpu,
    regions: &Regions,
    trace: &Trace<'_>,
    (id, first): (u32, u32),
    path: &Path,
    warps: usize,
) -> Demand {
    let tensor = gpu.tensor.unwrap_or_default();
    let mut found = Demand::default();
    for node in &regions.all[id as usize].nodes {
        let event = path.events[(first + node.event) as usize];
        let (access, mark) = trace.of(event);
        found.need(Need::Instructions, f64::from(node.slots.max(1)));
        let (need, amount) = match node.kind {
            Kind::SharedLoad => (Need::SharedLoads, node.passes(access, mark)),
            Kind::SharedStore => (Need::SharedStores, node.passes(access, mark)),
            Kind::GlobalLoad { .. } => (Need::GlobalLoads, node.passes(access, mark)),
            Kind::GlobalStore => (Need::GlobalStores, node.passes(access, mark)),
            Kind::Copy => (Need::Copies, node.passes(access, mark)),
            // Two pipes of each scheduler add and multiply in single precision.
            Kind::Float => (Need::Arithmetic, gpu.interval.float / 2.0 / SCHEDULERS as f64),
            Kind::Double => (Need::Arithmetic, gpu.interval.double / SCHEDULERS as f64),
            Kind::DoubleMma => (Need::Arithmetic, gpu.double_mma() / SCHEDULERS as f64),
            Kind::Mma(halves) => (Need::Arithmetic, tensor.mma * f64::from(halves) / 2.0 / SCHEDULERS as f64),
            Kind::Wgmma(columns) => (Need::Arithmetic, tensor.wgmma * f64::from(columns) / 8.0 / SCHEDULERS as f64),
            Kind::Barrier(0) => (Need::Waits, OF_BARRIER / warps as f64),
            Kind::Barrier(count) => (Need::Waits, OF_BARRIER / f64::from(count)),
            Kind::Wait(_) => {
                found.need(Need::Instructions, OF_WAIT);
                (Need::Waits, OF_WAIT)
            }
            _ => continue,
        };
        found.need(need, amount);
    }
    found
}
