//! `review`: asks the questions that are due today, with feedback after each, in the tutor.

use super::quiz::PlainText;
use super::student::{Student, attempt_error, store_error};
use super::tutor::{self, Taken};
use crate::prelude::*;
use anyhow::anyhow;
use tutor_course::QuizFile;
use tutor_progress::{Begun, Queue, now, pool};
use ui_kit::theme::Meaning;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print what is due as one JSON document, without asking questions.
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let mut student = Student::open(globals)?;
    let pool = pool(&student.course);
    if args.json {
        output::json(&queue(&student, &pool)?)?;
        return Ok(Exit::Done);
    }
    student.store.back_up();
    let course = student.outline.course.clone();
    let begun = student.store.begin_review(&course, &pool, now()).map_err(|error| attempt_error(&error))?;
    let Some(begun) = begun else {
        output::line(match queue(&student, &pool)?.next {
            None => t!("cli-review-nothing-learnt"),
            Some(next) => t!("cli-review-nothing", next = date(next)),
        })?;
        return Ok(Exit::Done);
    };
    if let Begun::Stale(why) = &begun {
        return Err(anyhow!("{} {}", why.message, why.help));
    }
    let Some(Taken { outcome, .. }) = tutor::take(globals, &mut student, begun, false)? else {
        return Ok(Exit::Interrupted);
    };
    student.print_notices();
    let queue = queue(&student, &pool)?;
    let (right, of) = (outcome.correct, outcome.questions);
    let text = match queue.next {
        _ if queue.due > 0 => t!("cli-review-more", right, of, due = queue.due),
        None => t!("cli-review-done", right, of),
        Some(next) => t!("cli-review-done-next", right, of, next = date(next)),
    };
    output::painted(&PlainText::new(globals)?.sentence(&text, Meaning::Accent))?;
    Ok(Exit::Done)
}

/// Returns the questions that are due now.
pub(super) fn queue(student: &Student, pool: &QuizFile) -> anyhow::Result<Queue> {
    let facts = student.store.graded(&student.outline.course).map_err(|error| store_error(&error))?;
    Ok(Queue::of(pool, &facts, now()))
}

fn date(at: jiff::Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}
