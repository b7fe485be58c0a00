//! `status`: prints the levels with their gates, best scores, pages read and predictions, and the next step.

use super::review;
use super::student::{Student, store_error};
use crate::prelude::*;
use jiff::tz::TimeZone;
use tutor_course::{Course, Level};
use tutor_progress::{Guesses, LevelProgress, Progress, now, pool, progress};
use tutor_tui::screens::gate::{in_exam, limits};
use unicode_width::UnicodeWidthStr;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one JSON document.
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let student = Student::open(globals)?;
    let record = student.store.record(&student.outline.course).map_err(|error| store_error(&error))?;
    let progress = progress(&student.outline, &record);
    let predictions = guesses(&student)?;
    if args.json {
        let mut document = document(&progress, &predictions, &student.outline.exam)?;
        document["review"] = serde_json::to_value(review::queue(&student, &pool(&student.course))?)?;
        output::json(&document)?;
    } else {
        print(&student.course, &progress, &predictions, globals.none())?;
    }
    Ok(Exit::Done)
}

/// Returns the predictions of each level, in order.
fn guesses(student: &Student) -> anyhow::Result<Vec<Guesses>> {
    let made = student.store.predictions(&student.course.id).map_err(|error| store_error(&error))?;
    let of_level = |level: &Level| {
        level.lesson.as_ref().map_or_else(|_| Guesses::default(), |lesson| Guesses::of(&level.id, lesson, &made))
    };
    Ok(student.course.levels.iter().map(of_level).collect())
}

/// Returns the progress with the predictions inside each level.
fn document(progress: &Progress, predictions: &[Guesses], exam: &str) -> serde_json::Result<serde_json::Value> {
    let mut document = serde_json::to_value(progress)?;
    if !exam.is_empty() {
        document["exam"] = exam.into();
    }
    let levels = document.get_mut("levels").and_then(serde_json::Value::as_array_mut);
    for (level, predictions) in levels.into_iter().flatten().zip(predictions) {
        if let Some(level) = level.as_object_mut() {
            if !exam.is_empty() {
                // Nothing in an exam is passed or failed.
                level.insert("passed".to_owned(), serde_json::Value::Null);
            }
            level.insert("predictions".to_owned(), serde_json::to_value(predictions)?);
        }
    }
    Ok(document)
}

fn print(course: &Course, progress: &Progress, predictions: &[Guesses], none: &str) -> anyhow::Result<()> {
    output::line(&course.title)?;
    let exam = !course.exam.is_empty();
    let rows = (progress.levels.iter().zip(predictions)).map(|(level, predictions)| {
        let pages = format!("{}/{}", level.pages.read, level.pages.total);
        let asks = exam && level.gated && level.questions > 0;
        let gate = if asks { in_exam(level) } else { gate(progress, level) };
        let gate = if level.under_way { t!("status-under-way", gate) } else { gate };
        let gate = [gate, limits(level, &now().to_zoned(TimeZone::system()))].join("  ");
        [level.title.clone(), pages, guessed(predictions, none), gate.trim_end().to_owned()]
    });
    let heads = [t!("status-level"), t!("status-pages"), t!("status-predictions"), t!("status-gate")];
    let rows: Vec<[String; 4]> = std::iter::once(heads).chain(rows).collect();
    let widest = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
    let widths = [widest(0), widest(1), widest(2)];
    for (number, row) in rows.iter().enumerate() {
        let number = if number == 0 { String::new() } else { number.to_string() };
        let cells: String = row.iter().zip(widths).map(|(cell, width)| format!("{}  ", pad(cell, width))).collect();
        output::line(format!("{number:>3} {cells}{}", row[3]).trim_end())?;
    }
    output::line(next(course, progress))?;
    Ok(())
}

fn next(course: &Course, progress: &Progress) -> String {
    let Some(next) = &progress.next else {
        return if course.exam.is_empty() { t!("status-done") } else { t!("seal-hand-in") };
    };
    let number = position(progress, &next.level);
    if next.exercise {
        return t!("status-next-exercise", level = number.to_string());
    }
    let Some(id) = &next.page else { return t!("status-next-gate", level = number.to_string()) };
    let regular: Vec<_> = course.level(&next.level).into_iter().flat_map(Level::regular_pages).collect();
    let page = regular.iter().zip(1..).find(|(page, _)| page.id.value == *id);
    let (title, at) = page.map_or((id.as_str(), 1), |(page, at)| (page.title.as_str(), at));
    let total = regular.len().max(1);
    t!("status-next-page", level = number.to_string(), page = at.to_string(), of = total.to_string(), title)
}

/// Returns text such as `5 of 6, 1 skipped`. Returns `none` if the level has no predictions or none was made.
fn guessed(predictions: &Guesses, none: &str) -> String {
    let Guesses { answered, right, skipped, .. } = *predictions;
    match (answered, skipped) {
        (0, 0) => none.to_owned(),
        (0, skipped) => t!("status-skipped", count = skipped),
        (answered, 0) => t!("status-right", right, of = answered),
        (answered, skipped) => t!("status-right-skipped", right, of = answered, skipped),
    }
}

fn gate(progress: &Progress, level: &LevelProgress) -> String {
    if let Some(by) = &level.unlocked_by {
        return t!("status-locked", level = position(progress, by).to_string());
    }
    if !level.gated {
        return t!("status-no-gate");
    }
    if level.questions == 0 {
        return t!("status-broken-gate");
    }
    if level.exercise_left() {
        return t!("status-exercise-left");
    }
    let (required, questions) = (level.required, level.questions);
    match (level.passed, &level.best) {
        (true, None) => t!("status-passed"),
        (true, Some(best)) => t!("status-passed-best", best = best.correct, of = best.questions),
        (false, None) => t!("status-needs", required, questions),
        (false, Some(best)) => {
            t!("status-needs-best", required, questions, best = best.correct, of = best.questions)
        }
    }
}

fn position(progress: &Progress, id: &str) -> usize {
    progress.levels.iter().position(|level| level.id == id).map_or(0, |at| at + 1)
}
