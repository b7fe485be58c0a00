//! The estimated time of a kernel that passed.
//!
//! The worker estimates after the judgement is shown, so that the judgement does not wait. An estimate is never a goal,
//! and gives no star.

use crate::prelude::*;
use tutor_exec::estimate::EstimateRequest;
use tutor_exec::protocol::{Reply, Shape};
use tutor_exec::results::LaunchResults;
use tutor_exercises::{Exercise, RACE};
use tutor_pictures::launch_id;
use tutor_support::figures::percent;

/// An estimate, or its progress.
#[derive(Debug)]
pub(super) struct Estimating {
    results: LaunchResults,
}

impl Estimating {
    /// Begins to estimate a kernel. Returns `None` if the constants of the GPU cannot be read.
    pub(super) fn begin(exercise: &Exercise, ptx: &str) -> Option<(Self, Effect)> {
        let request = exercise.estimate(launch_id(), ptx, EstimateRequest::of(None, Shape::square(RACE))?);
        let own = Self { results: LaunchResults::of(&request) };
        Some((own, Effect::StarLaunch(Box::new(request))))
    }

    /// Returns the effect that stops a running estimate.
    pub(super) fn stop(&self) -> Option<Effect> {
        self.results.is_running().then_some(Effect::CancelLaunch(self.results.id))
    }

    /// Describes the running step with its progress. Returns `None` if the estimate is over.
    pub(super) fn progress(&self) -> Option<String> {
        let running = self.results.is_running();
        running.then(|| format!("{} {}", t!("workshop-estimating"), percent(self.results.fraction())))
    }

    /// Handles a reply; true if it changed anything.
    pub(super) fn reply(&mut self, reply: &Reply) -> bool {
        self.results.apply(reply)
    }

    /// Returns the paragraphs of the report: a heading, the estimate, what holds the kernel back, and the error. There are
    /// none without an estimate, because the student did not ask for one.
    pub(super) fn paragraphs(&self) -> Vec<(Meaning, String)> {
        let found = self.results.programs.first().and_then(|found| found.estimated.as_ref()?.as_ref().ok());
        let Some(found) = found else { return Vec::new() };
        let mut lines = vec![(Meaning::Heading, t!("workshop-estimated"))];
        lines.push((Meaning::Text, found.brief(RACE).to_string()));
        lines.push((Meaning::Text, found.why().to_string()));
        lines.extend(found.gains().map(|gain| (Meaning::Muted, gain.to_string())));
        lines.push((Meaning::Muted, found.accuracy().to_string()));
        lines
    }
}
