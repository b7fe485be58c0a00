//! The kind and the progress of an exercise, in words and signs.

use crate::prelude::*;
use tutor_exercises::ExerciseKind;
use tutor_progress::Worked;

/// Returns the name of what the student does in an exercise.
pub fn kind_name(kind: ExerciseKind) -> String {
    match kind {
        ExerciseKind::Repair => t!("exercise-repair"),
        ExerciseKind::Fill => t!("exercise-fill"),
        ExerciseKind::Write => t!("exercise-write"),
    }
}

/// The student's progress in an exercise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExerciseState {
    New,
    /// This number of solutions has been submitted, and none has passed.
    Tried(u32),
    Passed,
    /// A solution has passed and was fast enough for a star.
    Starred,
}

impl ExerciseState {
    /// Returns the progress that the store has recorded.
    pub fn of(worked: &Worked) -> Self {
        match (worked.starred, worked.passed, worked.tries) {
            (true, ..) => Self::Starred,
            (_, true, _) => Self::Passed,
            (.., 0) => Self::New,
            (.., tries) => Self::Tried(tries),
        }
    }

    /// Returns the progress in a word or two.
    pub fn name(self) -> String {
        match self {
            Self::New => t!("exercise-new"),
            Self::Tried(tries) => t!("exercise-tried", tries),
            Self::Passed => t!("exercise-passed"),
            Self::Starred => t!("workshop-starred"),
        }
    }

    pub fn sign(self, look: &Look) -> Span<'static> {
        match self {
            Self::New => Span::raw(" "),
            Self::Tried(_) => look.span(Meaning::Muted, look.sign("○", "o").to_owned()),
            Self::Passed => look.right(),
            Self::Starred => look.span(Meaning::Right, look.sign("★", "*").to_owned()),
        }
    }
}
