//! Carries out requests to the store, and reports the results as messages.

use crate::prelude::*;
use crate::screens::problem::ProblemPage;
use jiff::Timestamp;
use tutor_course::{Course, Level};
use tutor_progress::{AttemptError, Notice, Outline, Queue, REVIEW, Store, pool, progress};

/// Carries out one request on this thread. Returns the messages that report the result to the model.
pub fn keep(store: &mut Store, course: &Course, keep: &Keep) -> Vec<Msg> {
    let done = carry_out(store, course, keep.clone());
    how_it_went(store, keep, done)
}

pub(crate) fn how_it_went(store: &mut Store, keep: &Keep, done: Result<Vec<Msg>, AttemptError>) -> Vec<Msg> {
    let kept = done.is_ok();
    let mut msgs = Vec::new();
    if let Keep::Change { attempt, change } = keep
        && let Some((slot, _)) = &change.answer
    {
        msgs.push(Msg::Answered { attempt: attempt.id, slot: slot.clone(), kept });
    }
    msgs.extend(done.unwrap_or_else(|error| {
        let title = match keep {
            Keep::Begin { .. } | Keep::Review => t!("app-quiz-not-begun"),
            Keep::Change { .. } => t!("app-answer-not-kept"),
            Keep::Submit(_) => t!("app-not-handed-in"),
            Keep::Look | Keep::Tries { .. } => t!("app-progress-unreadable"),
            _ => t!("app-progress-not-kept"),
        };
        vec![Msg::Problem(ProblemPage { title, message: error.to_string(), help: error.help() })]
    }));
    msgs.extend(std::iter::from_fn(|| store.take_notice()).map(|notice| noticed(&notice)));
    msgs.push(Msg::Kept);
    msgs
}

/// Turns a notice into a message: a page that must be read, or a sentence on the last line.
pub fn noticed(notice: &Notice) -> Msg {
    if notice.in_passing() {
        return Msg::Say(notice.to_string());
    }
    let title = t!("app-about-progress");
    Msg::Problem(ProblemPage { title, message: notice.to_string(), help: Some(notice.help()) })
}

/// Returns the questions to review now.
fn queue(store: &Store, course: &Course) -> Result<Msg, AttemptError> {
    Ok(Msg::Review(Queue::of(&pool(course), &store.graded(&course.id)?, Timestamp::now())))
}

pub(crate) fn carry_out(store: &mut Store, course: &Course, keep: Keep) -> Result<Vec<Msg>, AttemptError> {
    let id = &course.id;
    match keep {
        Keep::Look => {
            let known = store.known(id)?;
            let queue = Queue::of(&pool(course), &known.graded, Timestamp::now());
            Ok(vec![Msg::Known(Box::new(known)), Msg::Review(queue)])
        }
        Keep::PageOpened { level, page } => {
            store.page_opened(id, &level, &page)?;
            Ok(vec![progress_msg(store, course)?])
        }
        Keep::PageRead { level, page } => {
            store.page_read(id, &level, &page)?;
            Ok(vec![progress_msg(store, course)?])
        }
        Keep::Predicted { level, page, choice, correct } => {
            let made = tutor_progress::Prediction { choice, correct };
            store.predicted(id, &level, &page, made)?;
            Ok(Vec::new())
        }
        Keep::Explained { level, page, explanation } => {
            store.explained(id, &level, &page, &explanation)?;
            Ok(Vec::new())
        }
        Keep::Ran(run) => {
            store.ran(&run)?;
            Ok(vec![Msg::BestRuns(store.best_runs()?)])
        }
        Keep::Draft { key, text } => {
            store.put_draft(id, &key, text.as_deref())?;
            Ok(Vec::new())
        }
        Keep::Tried { exercise, tried } => {
            store.tried(id, &exercise, &tried)?;
            Ok(vec![Msg::Worked(store.worked(id)?), tries(store, course, &exercise)?, progress_msg(store, course)?])
        }
        Keep::Hinted { exercise, hint } => {
            store.hinted(id, &exercise, hint)?;
            Ok(vec![Msg::Worked(store.worked(id)?)])
        }
        Keep::Tries { exercise } => Ok(vec![tries(store, course, &exercise)?]),
        Keep::Begin { level, kind } => {
            let Some(quiz) = course.level(&level).and_then(Level::quiz) else { return Ok(Vec::new()) };
            let begun = store.begin(&Outline::from(course), quiz, kind, None)?;
            Ok(vec![Msg::Begun(Box::new(begun)), progress_msg(store, course)?])
        }
        Keep::Review => match store.begin_review(id, &pool(course), Timestamp::now())? {
            Some(begun) => Ok(vec![Msg::Begun(Box::new(begun))]),
            None => Ok(vec![queue(store, course)?, Msg::Say(t!("app-nothing-due"))]),
        },
        Keep::Change { mut attempt, change } => {
            store.change(&mut attempt, change)?;
            Ok(Vec::new())
        }
        Keep::Submit(attempt) => {
            let pool = (attempt.level == REVIEW).then(|| pool(course));
            let of_level = course.level(&attempt.level).and_then(Level::quiz);
            let Some(quiz) = pool.as_ref().or(of_level) else { return Ok(Vec::new()) };
            let outcome = store.submit(&Outline::from(course), quiz, &attempt)?;
            // The level that the outcome unlocks is open before the outcome is shown, because Enter may follow immediately.
            Ok(vec![progress_msg(store, course)?, queue(store, course)?, Msg::Submitted(Box::new(outcome))])
        }
    }
}

/// Returns the last two judged solutions of an exercise, enough to compare them.
fn tries(store: &Store, course: &Course, exercise: &str) -> Result<Msg, AttemptError> {
    Ok(Msg::Tries { exercise: exercise.to_owned(), tries: store.tries(&course.id, exercise, 2)? })
}

fn progress_msg(store: &Store, course: &Course) -> Result<Msg, AttemptError> {
    let record = store.record(&course.id)?;
    Ok(Msg::Progress(Box::new(progress(&Outline::from(course), &record))))
}
