//! Compares a claim with an estimate, which `check` computes again.

use super::outcome::{Judged, Outcome, compare};
use super::recordings::{recording_of, row};
use super::runs::Runs;
use tutor_course::{EstimatedClaim, EstimatedFigure, TimelineView};
use tutor_exec::recorded::Recording;
use tutor_kernels::Catalog;

pub(super) fn estimated(claim: &EstimatedClaim, catalog: &Catalog, runs: &mut Runs<'_>) -> Judged {
    let (launch, found) = (&claim.launch, runs.estimated(&claim.launch, catalog)?);
    let (stated, is, what) = match &claim.states {
        EstimatedFigure::Waits(wait) => {
            let longest = found.longest_wait().map_or("none", |(stall, _)| stall.name());
            let differs =
                format!("The page claims that warps wait most for `{}`; by the estimate, `{longest}`.", wait.value);
            return Ok(if wait.value == longest { Outcome::Held } else { Outcome::Failed(differs) });
        }
        EstimatedFigure::Ms(stated) => (stated, found.median_ms, "ms"),
        EstimatedFigure::OneBlock(stated) => {
            let alone = runs.estimated(&TimelineView { blocks: Some(1), ..launch.clone() }, catalog)?;
            (stated, alone.median_ms / found.median_ms, "times with one block")
        }
        EstimatedFigure::OfRecorded(stated) => {
            let recording = recording_of(&found.device, Recording::built_in())?;
            let recorded = row(recording, &launch.kernel, launch.size, catalog)?.time.median_ms;
            (stated, found.median_ms / recorded, "of the recorded time")
        }
    };
    Ok(compare(*stated, is, claim.within, what, "the estimate is"))
}
