//! `review`: asks the questions that are due today, with feedback after each.

use super::quiz::{Dialogue, Paper};
use super::student::{Student, attempt_error, store_error};
use crate::prelude::*;
use anyhow::anyhow;
use jiff::Timestamp;
use std::io;
use tutor_course::QuizFile;
use tutor_progress::{Begun, Outcome, Queue, pool};
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
    let paper = Paper::of_stream(globals, false)?;
    let course = student.outline.course.clone();
    let begun = student.store.begin_review(&course, &pool, Timestamp::now()).map_err(|error| attempt_error(&error))?;
    let (attempt, resumed) = match begun {
        None => {
            let next = queue(&student, &pool)?.next;
            let text = match next {
                None => t!("cli-review-nothing-learnt"),
                Some(next) => t!("cli-review-nothing", next = date(next)),
            };
            output::line(&text)?;
            return Ok(Exit::Done);
        }
        Some(Begun::New(attempt)) => (attempt, false),
        Some(Begun::Resumed(attempt)) => (attempt, true),
        Some(Begun::Stale(why)) => return Err(anyhow!("{} {}", why.message, why.help)),
    };
    let mut out = output::Cleaned(io::stdout().lock());
    if resumed {
        output::note(t!("cli-quiz-going-on"));
    }
    let (store, outline) = (&mut student.store, &student.outline);
    let input = &mut io::stdin().lock();
    let done = Dialogue { store, outline, quiz: &pool, attempt, input, out: &mut out, paper: &paper }.run();
    drop(out);
    student.print_notices();
    let Some(outcome) = done? else {
        output::note(t!("cli-quiz-waits"));
        return Ok(Exit::Interrupted);
    };
    print_outcome(&student, &pool, &outcome, &paper)?;
    Ok(Exit::Done)
}

fn print_outcome(student: &Student, pool: &QuizFile, outcome: &Outcome, paper: &Paper) -> anyhow::Result<()> {
    let queue = queue(student, pool)?;
    let (right, of) = (outcome.correct, outcome.questions);
    let text = match queue.next {
        _ if queue.due > 0 => t!("cli-review-more", right, of, due = queue.due),
        None => t!("cli-review-done", right, of),
        Some(next) => t!("cli-review-done-next", right, of, next = date(next)),
    };
    output::painted(&format!("\n{}", paper.sentence(&text, Meaning::Accent)))?;
    Ok(())
}

/// Returns the questions that are due now.
pub(super) fn queue(student: &Student, pool: &QuizFile) -> anyhow::Result<Queue> {
    let facts = student.store.graded(&student.outline.course).map_err(|error| store_error(&error))?;
    Ok(Queue::of(pool, &facts, Timestamp::now()))
}

fn date(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}
