//! The results of one kernel, in the form of `--json`.

use crate::prelude::*;
use crate::support::estimating::Estimate;
use ptx_emulator::{Counts, Hazard, Undefined};
use tutor_exec::protocol::Timing;
use tutor_exec::results::{Correctness, LaunchResults, ProgramResults};

#[derive(Debug, Default, Serialize)]
pub(super) struct KernelResult {
    /// True if every element is correct, and no hazard and no error of undefined behaviour was found.
    pub(super) verified: bool,
    pub(super) mismatches: Option<u64>,
    pub(super) max_rel_err: Option<f64>,
    pub(super) time: Option<Timing>,
    pub(super) counts: Option<Counts>,
    pub(super) hazards: Vec<Hazard>,
    /// Other undefined behaviour that was found.
    pub(super) undefined: Vec<Undefined>,
    /// The kernel's `printf` output, up to a limit.
    pub(super) printed: String,
    /// The estimated time, with `--estimate`, and where no time is known.
    #[serde(flatten)]
    pub(super) estimate: Option<Estimate>,
}

impl KernelResult {
    /// True if no hazard and no error of undefined behaviour was found.
    pub(super) fn is_determined(&self) -> bool {
        self.hazards.is_empty() && !self.undefined.iter().any(Undefined::is_error)
    }

    /// Returns what a launch found about its program number `at`.
    pub(super) fn of(results: &LaunchResults, at: usize) -> Self {
        let Some(found) = results.programs.get(at) else { return Self::default() };
        let ProgramResults { timed, verification, counts, .. } = found.clone();
        let alone = results.programs.len() == 1;
        let own = results.printed.iter().filter(|part| part.program.map_or(alone, |program| program == at));
        Self {
            verified: found.correctness() == Correctness::Right,
            mismatches: found.wrong_elements(),
            max_rel_err: verification.map(|found| found.max_rel_err),
            time: timed.timing,
            counts,
            hazards: found.hazards().to_vec(),
            undefined: found.undefined.clone(),
            printed: own.map(|part| part.text.as_str()).collect(),
            estimate: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_exec::protocol::{LaunchRequest, Program, Reply, Shape, Verification};

    #[test]
    fn a_result_is_verified_only_if_the_worker_says_so() {
        let verified = |verified| {
            let mut results = LaunchResults::of(&LaunchRequest::new(1, vec![Program::new("a")], Shape::square(1)));
            let verification = Verification { verified, mismatches: 0, ..Verification::default() };
            results.apply(&Reply::Verified { id: 1, program: 0, verification });
            KernelResult::of(&results, 0)
        };
        assert!(verified(true).verified);
        let unverified = verified(false);
        assert_eq!((unverified.verified, unverified.mismatches), (false, Some(1)));
    }
}
