//! Compares what a launch needs of an SM's parts with the estimate, and with what Nsight Compute counted.

use super::emulated::{count, counts};
use super::outcome::{Judged, Outcome, close, compare, short};
use super::runs::{NoRun, Runs};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;
use tutor_course::{At, BoundClaim, Count, Part, TimelineView};
use tutor_exec::estimate::Estimated;
use tutor_kernels::Catalog;

/// The GPU whose launches Nsight Compute counted.
const DEVICE: &str = "nvidia-h200";

/// A cause that names a bound, for the report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CauseRow {
    /// The kernel that the claim compares with, then the kernel itself.
    pub kernels: [String; 2],
    pub size: u32,
    pub bound: Part,
    /// Cycles per 32 multiply-adds that the bound needs.
    pub predicted: [f64; 2],
    /// Milliseconds.
    pub recorded: [f64; 2],
}

impl CauseRow {
    /// Returns how many times as long each kernel takes, as predicted and as recorded.
    pub fn ratios(&self) -> [f64; 2] {
        [self.predicted, self.recorded].map(|[to, of]| of / to)
    }
}

/// What Nsight Compute counted of one launch.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Profiled {
    kernel: String,
    /// Digest of the PTX without its last line, as for recorded machine code.
    ptx: String,
    n: u32,
    data_pipe_wavefronts: f64,
    of_shared_loads: f64,
    of_shared_stores: f64,
    warp_instructions: f64,
    data_pipe_percent: f64,
    issue_percent: f64,
    fma_percent: f64,
}

#[derive(Debug, Default, Deserialize)]
struct Profile {
    kernels: Vec<Profiled>,
}

impl Profile {
    /// Returns the counts of a kernel's current PTX at a size.
    fn of(id: &str, size: u32, catalog: &Catalog) -> Option<&'static Profiled> {
        static RECORDED: LazyLock<Profile> = LazyLock::new(|| {
            serde_json::from_str(include_str!("../../../../assets/recorded/data-pipe.json")).unwrap_or_default()
        });
        let digest = catalog.kernel(id)?.ptx_digest()?;
        RECORDED.kernels.iter().find(|of| of.kernel == id && of.n == size && of.ptx == digest)
    }
}

impl Profiled {
    /// Returns the cycles per 32 multiply-adds of a part, if that was counted.
    fn cycles(&self, part: Part) -> Option<f64> {
        let all = match part {
            Part::DataPipe => self.data_pipe_wavefronts,
            Part::SharedLoads => self.of_shared_loads,
            Part::SharedStores => self.of_shared_stores,
            Part::IssueSlots => self.warp_instructions / 4.0,
            _ => return None,
        };
        Some(all / (f64::from(self.n).powi(3) / 32.0))
    }

    fn percent(&self, part: Part) -> Option<f64> {
        match part {
            Part::DataPipe => Some(self.data_pipe_percent),
            Part::IssueSlots => Some(self.issue_percent),
            Part::Arithmetic => Some(self.fma_percent),
            _ => None,
        }
    }
}

fn estimate(id: &str, size: u32, catalog: &Catalog, runs: &mut Runs<'_>) -> Result<std::rc::Rc<Estimated>, NoRun> {
    let at = |value: &str| At { value: value.to_owned(), line: 0, column: 0 };
    let (variant, device) = (None, Some(at(DEVICE)));
    runs.estimated(&TimelineView { kernel: at(id), variant, size, device, blocks: None, warp: 0 }, catalog)
}

/// Returns the cycles per 32 multiply-adds that a launch needs of a part, and the share of the time that the part is busy.
fn estimated(id: &str, size: u32, part: Part, catalog: &Catalog, runs: &mut Runs<'_>) -> Result<(f64, f64), NoRun> {
    let found = estimate(id, size, catalog, runs)?;
    let bound = |of: tutor_exec::estimate::Bound| (of.per_32_multiply_adds, of.busy);
    let figures = found.data_pipe.map(|pipe| match part {
        Part::SharedLoads => (pipe.shared_loads, 0.0),
        Part::SharedStores => (pipe.shared_stores, 0.0),
        Part::GlobalLoads => (pipe.global_loads, 0.0),
        Part::GlobalStores => (pipe.global_stores, 0.0),
        Part::Copies => (pipe.copies, 0.0),
        Part::DataPipe => bound(pipe.bound),
        Part::IssueSlots => found.issue_slots.map_or((0.0, 0.0), bound),
        Part::Arithmetic => found.arithmetic.map_or((0.0, 0.0), bound),
    });
    figures.ok_or_else(|| NoRun::Skip("the estimate has no bounds.".to_owned()))
}

/// Returns the cycles per 32 multiply-adds that a launch needs of a part.
pub(super) fn needed(id: &str, size: u32, part: Part, catalog: &Catalog, runs: &mut Runs<'_>) -> Result<f64, NoRun> {
    estimated(id, size, part, catalog, runs).map(|(cycles, _)| cycles)
}

/// Says that the assembler fuses shared loads of a kernel, if it does: the machine takes another number of wavefronts than
/// the PTX. A kernel without an estimate uses tensor cores or clusters; the assembler fuses none of its loads.
pub(super) fn fused(id: &str, size: u32, catalog: &Catalog, runs: &mut Runs<'_>) -> Result<Option<String>, NoRun> {
    let Ok(machine) = needed(id, size, Part::SharedLoads, catalog, runs) else { return Ok(None) };
    let run = runs.emulated(id, size, catalog)?;
    let ptx = count(Count::SharedLoadWavefronts, counts(&run)?)? as f64 / (f64::from(size).powi(3) / 32.0);
    Ok((!close(ptx, machine, 0.02)).then(|| {
        let (ptx, machine) = (short(ptx), short(machine));
        format!(
            "the assembler fuses shared loads of `{id}`: per 32 multiply-adds, the PTX has {ptx} wavefronts, and the machine \
             code has {machine}. Name a bound as the cause, like `{{ bound: data_pipe }}`."
        )
    }))
}

pub(super) fn bound(claim: &BoundClaim, catalog: &Catalog, runs: &mut Runs<'_>) -> Judged {
    let BoundClaim { kernel, size, of, is, busy, within } = claim;
    let profiled = Profile::of(kernel, *size, catalog);
    let (cycles, share) = estimated(kernel, *size, *of, catalog, runs)?;
    if let Some(percent) = busy {
        let counted = profiled.and_then(|found| found.percent(*of)).map(|counted| (counted, "Nsight Compute counted"));
        let (found, by) = counted.unwrap_or((100.0 * share, "the estimate is"));
        return Ok(compare(*percent, found, *within, "% of the time", by));
    }
    let (is, unit) = (is.unwrap_or_default(), "cycles per 32 multiply-adds");
    let counted = profiled.and_then(|found| found.cycles(*of));
    match counted.map(|counted| compare(is, counted, *within, unit, "Nsight Compute counted")) {
        Some(failed @ Outcome::Failed(_)) => Ok(failed),
        _ => Ok(compare(is, cycles, *within, unit, "the estimate is")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nsight_compute_counted_is_of_the_kernels_as_they_are() {
        let catalog = Catalog::built_in();
        let tiled = Profile::of("sgemm_tiled", 2048, catalog).unwrap();
        assert!(close(tiled.cycles(Part::DataPipe).unwrap(), 1.9167, 0.001), "{tiled:?}");
        assert_eq!((tiled.percent(Part::DataPipe), tiled.cycles(Part::Copies)), (Some(93.22), None));
        assert_eq!(Profile::of("sgemm_tiled", 1024, catalog), None);
    }
}
