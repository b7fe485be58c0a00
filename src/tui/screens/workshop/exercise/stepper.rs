//! The hazard stepper of what was judged last.

use super::ExerciseScreen;
use super::chosen::{solution, source_of};
use crate::kernels::{Kernel, Source};
use crate::tui::instruments::{Hazard, Setting};
use crate::workshop::{AS_IT_IS, Exercise, Work};
use ptx_emulator::HazardSpace;
use std::sync::Arc;

impl ExerciseScreen {
    /// The stepper for the hazard that was found, beside the solution; none if there is no hazard between warps, or if the
    /// kernels do not say which of their lines do what.
    pub fn stepper(&self, exercise: &Exercise, setting: Setting) -> Option<Hazard> {
        self.finding()?.hazard.as_ref().filter(|hazard| hazard.space == HazardSpace::Shared)?;
        let texts = self.pack.as_ref()?.as_ref().ok()?;
        let (choice, source) = match (&self.told, &exercise.work) {
            (Some(told), _) => {
                let answer = &told.outcome.as_ref().ok()?.answer;
                (exercise.choice(answer)?, source_of(exercise, answer)?)
            }
            (None, Work::Repair(repair)) => (AS_IT_IS.to_owned(), repair.broken.text().to_owned()),
            (None, _) => return None,
        };
        let kernel = |ptx: &str, source: String| {
            let mut kernel: Kernel = exercise.kernel.clone();
            (kernel.title, kernel.ptx) = (exercise.title.clone(), Some(Arc::from(ptx)));
            kernel.source = Arc::new(Source::read(source).0);
            kernel
        };
        let right = kernel(texts.get(&exercise.solution())?, solution(exercise));
        Hazard::between(kernel(texts.get(&choice)?, source), right, setting)
    }
}
