//! Opens the hazard stepper for the last verdict.

use super::ExerciseScreen;
use super::draft::{solution, source_of};
use ptx_emulator::HazardSpace;
use std::sync::Arc;
use tutor_exercises::{BROKEN, Exercise, Work};
use tutor_kernels::{Kernel, Source};
use tutor_pictures::{Hazard, Setting};

impl ExerciseScreen {
    /// Returns the stepper, which compares the kernel that has the hazard with the solution.
    ///
    /// `None` if there is no shared-memory hazard, or if the kernels lack line information.
    pub fn stepper(&self, exercise: &Exercise, setting: Setting) -> Option<Hazard> {
        self.finding()?.hazard.as_ref().filter(|hazard| hazard.space == HazardSpace::Shared)?;
        let texts = self.pack.as_ref()?.as_ref().ok()?;
        let (ptx, source) = match (&self.result, &exercise.work) {
            (Some(result), _) => (result.ptx.as_str(), source_of(exercise, &self.judgement()?.answer)?),
            (None, Work::Repair(repair)) => (texts.get(BROKEN)?.as_str(), repair.broken.text().to_owned()),
            (None, _) => return None,
        };
        let kernel = |ptx: &str, source: String| {
            let mut kernel: Kernel = exercise.kernel.clone();
            (kernel.title, kernel.ptx) = (exercise.title.clone(), Some(Arc::from(ptx)));
            kernel.source = Arc::new(Source::read(source).0);
            kernel
        };
        let right = kernel(texts.get(&exercise.solution())?, solution(exercise));
        Hazard::between(kernel(ptx, source), right, setting)
    }
}
