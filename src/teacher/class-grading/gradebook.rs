//! The gradebook: one row for each student.

use crate::csv::csv_row;
use crate::results::time;
use serde::Serialize;
use tutor_course::Course;
use tutor_progress::{AttemptKind, HandedAttempt, HandedIn};

/// The results of one student.
#[derive(Debug, Serialize)]
pub struct GradebookRow<'a> {
    pub student: &'a str,
    pub levels: Vec<LevelRow<'a>>,
    /// Numbers of exercises passed, passed with a star, and begun.
    pub exercises: [usize; 3],
    pub pages: u32,
    /// What the instructor should know about the file, one sentence each.
    pub remarks: &'a [String],
}

/// The results of one student in one level.
#[derive(Debug, Serialize)]
pub struct LevelRow<'a> {
    pub level: &'a str,
    /// Number of attempts at the gate.
    pub attempts: usize,
    /// Highest number of correct answers, and the number of questions.
    pub best: Option<[u32; 2]>,
    /// When the student first passed the gate.
    pub first_pass: Option<&'a str>,
    pub pages: u32,
    /// Numbers of predictions that were correct on the first try, and incorrect.
    pub predictions: [u32; 2],
}

/// Returns one row per student, with one cell per level of the course.
pub fn gradebook<'a>(course: &'a Course, class: &'a [HandedIn], remarks: &'a [Vec<String>]) -> Vec<GradebookRow<'a>> {
    class.iter().zip(remarks).map(|(work, remarks)| row(course, work, remarks)).collect()
}

fn row<'a>(course: &'a Course, work: &'a HandedIn, remarks: &'a [String]) -> GradebookRow<'a> {
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
                .filter_map(|text| Some((time(text)?, text)))
                .min()
                .map(|(_, text)| text),
            pages: work.pages.get(&level.id).copied().unwrap_or_default(),
            predictions: work.predictions.get(&level.id).copied().unwrap_or_default(),
        }
    });
    let of = |wanted: fn(&tutor_progress::HandedExercise) -> bool| {
        work.exercises.values().filter(|exercise| wanted(exercise)).count()
    };
    GradebookRow {
        student: &work.student,
        levels: levels.collect(),
        exercises: [of(|exercise| exercise.passed), of(|exercise| exercise.starred), of(|exercise| exercise.tries > 0)],
        pages: work.pages.values().fold(0, |all, pages| all.saturating_add(*pages)),
        remarks,
    }
}

/// Returns the gradebook as a CSV table (RFC 4180), with a line of column names.
pub fn gradebook_csv(course: &Course, rows: &[GradebookRow<'_>]) -> String {
    let mut head = vec!["student".to_owned()];
    for level in &course.levels {
        let id = &level.id;
        head.extend(["best", "of", "attempts", "first_pass", "pages"].map(|column| format!("{id}_{column}")));
    }
    head.extend(["exercises_passed", "exercises_starred", "exercises_begun", "pages", "remarks"].map(str::to_owned));
    let row = |row: &GradebookRow<'_>| {
        let mut cells = vec![row.student.to_owned()];
        for level in &row.levels {
            cells.extend(level.best.map(|best| best.map(|number| number.to_string())).unwrap_or_default());
            cells.extend([
                level.attempts.to_string(),
                level.first_pass.unwrap_or_default().to_owned(),
                level.pages.to_string(),
            ]);
        }
        cells.extend(row.exercises.map(|number| number.to_string()));
        cells.extend([row.pages.to_string(), row.remarks.join(" ")]);
        csv_row(cells)
    };
    std::iter::once(csv_row(head)).chain(rows.iter().map(row)).collect::<Vec<_>>().join("\n")
}
