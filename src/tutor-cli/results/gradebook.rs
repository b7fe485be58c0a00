//! The gradebook: one row for each student.

use serde::Serialize;
use tutor_course::Course;
use tutor_progress::{AttemptKind, HandedAttempt, HandedIn};

/// The results of one student.
#[derive(Debug, Serialize)]
pub(super) struct Row<'a> {
    pub(super) student: &'a str,
    pub(super) levels: Vec<LevelRow<'a>>,
    /// Numbers of exercises passed, passed with a star, and begun.
    pub(super) exercises: [usize; 3],
    pub(super) pages: u32,
    /// What the instructor should know about the file, one sentence each.
    pub(super) remarks: &'a [String],
}

/// The results of one student in one level.
#[derive(Debug, Serialize)]
pub(super) struct LevelRow<'a> {
    pub(super) level: &'a str,
    /// Number of attempts at the gate.
    pub(super) attempts: usize,
    /// Highest number of correct answers, and the number of questions.
    pub(super) best: Option<[u32; 2]>,
    /// When the student first passed the gate.
    pub(super) first_pass: Option<&'a str>,
    pub(super) pages: u32,
    /// Numbers of predictions that were correct on the first try, and incorrect.
    pub(super) predictions: [u32; 2],
}

/// Returns one row per student, with one cell per level of the course.
pub(super) fn gradebook<'a>(course: &'a Course, class: &'a [HandedIn], remarks: &'a [Vec<String>]) -> Vec<Row<'a>> {
    class.iter().zip(remarks).map(|(work, remarks)| row(course, work, remarks)).collect()
}

fn row<'a>(course: &'a Course, work: &'a HandedIn, remarks: &'a [String]) -> Row<'a> {
    let levels = course.levels.iter().map(|level| {
        let gates: Vec<&HandedAttempt> = work
            .attempts
            .iter()
            .filter(|attempt| attempt.level == level.id && attempt.kind == AttemptKind::Gate)
            .collect();
        LevelRow {
            level: &level.id,
            attempts: gates.len(),
            best: gates.iter().max_by_key(|attempt| attempt.correct).map(|best| [best.correct, best.questions]),
            first_pass: gates
                .iter()
                .filter(|attempt| attempt.passed())
                .map(|attempt| attempt.submitted_at.as_str())
                .min(),
            pages: work.pages.get(&level.id).copied().unwrap_or_default(),
            predictions: work.predictions.get(&level.id).copied().unwrap_or_default(),
        }
    });
    let of = |wanted: fn(&tutor_progress::HandedExercise) -> bool| {
        work.exercises.values().filter(|exercise| wanted(exercise)).count()
    };
    Row {
        student: &work.student,
        levels: levels.collect(),
        exercises: [of(|exercise| exercise.passed), of(|exercise| exercise.starred), of(|exercise| exercise.tries > 0)],
        pages: work.pages.values().fold(0, |all, pages| all.saturating_add(*pages)),
        remarks,
    }
}
