//! Carries out requests to the store, and reports the results as messages.

use crate::prelude::*;
use crate::screens::problem::ProblemPage;
use tutor_course::{Course, Level};
use tutor_progress::{AttemptError, Notice, Outline, Queue, REVIEW, Store, StoreError, now, pool, progress};

/// Carries out one request on this thread. Returns the messages that report the result to the model; the last one is
/// [`Msg::Saved`].
///
/// # Errors
/// If the request cannot be saved. Nothing has changed then, and the caller may try again.
pub fn carry_out(store: &mut Store, course: &Course, request: &StoreRequest) -> Result<Vec<Msg>, StoreError> {
    let reads = matches!(request, StoreRequest::Look | StoreRequest::Tries { .. });
    let mut msgs = match apply(store, course, request) {
        Ok(msgs) => msgs,
        Err(AttemptError::Store(error)) if !reads => return Err(error),
        // The map also shows what another tutor has stored.
        Err(error) => refused(request, &error).into_iter().chain(progress_msg(store, course)).collect(),
    };
    msgs.extend(std::iter::from_fn(|| store.take_notice()).map(|notice| noticed(&notice)));
    msgs.push(Msg::Saved);
    Ok(msgs)
}

/// Reports why a request was refused for good.
fn refused(request: &StoreRequest, error: &AttemptError) -> Vec<Msg> {
    let title = match request {
        StoreRequest::Begin { .. } | StoreRequest::Review => t!("app-quiz-not-begun"),
        StoreRequest::Submit { .. } => t!("app-not-handed-in"),
        StoreRequest::Look | StoreRequest::Tries { .. } => t!("app-progress-unreadable"),
        _ => t!("app-answer-not-kept"),
    };
    let over = match (request, error) {
        (StoreRequest::Change { attempt, .. } | StoreRequest::Submit { attempt, .. }, AttemptError::Over) => {
            Some(Msg::Over(*attempt))
        }
        _ => None,
    };
    let problem = ProblemPage { title, message: error.to_string(), help: error.help() };
    over.into_iter().chain([Msg::Problem(problem)]).collect()
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
    Ok(Msg::Review(Queue::of(&pool(course), &store.graded(&course.id)?, now())))
}

fn apply(store: &mut Store, course: &Course, request: &StoreRequest) -> Result<Vec<Msg>, AttemptError> {
    let id = &course.id;
    match request {
        StoreRequest::Look => {
            let known = store.known(id)?;
            let queue = Queue::of(&pool(course), &known.graded, now());
            Ok(vec![Msg::Known(Box::new(known)), Msg::Review(queue)])
        }
        StoreRequest::PageOpened { level, page } => {
            store.page_opened(id, level, page)?;
            Ok(vec![progress_msg(store, course)?])
        }
        StoreRequest::PageRead { level, page } => {
            store.page_read(id, level, page)?;
            Ok(vec![progress_msg(store, course)?])
        }
        StoreRequest::Predicted { level, page, choice, correct } => {
            let made = tutor_progress::Prediction { choice: *choice, correct: *correct };
            store.predicted(id, level, page, made)?;
            Ok(Vec::new())
        }
        StoreRequest::Explained { level, page, explanation } => {
            store.explained(id, level, page, explanation)?;
            Ok(Vec::new())
        }
        StoreRequest::Ran(run) => {
            store.ran(run)?;
            Ok(vec![Msg::BestRuns(store.best_runs()?)])
        }
        StoreRequest::Draft { key, text } => {
            store.put_draft(id, key, text.as_deref())?;
            Ok(Vec::new())
        }
        StoreRequest::Tried { exercise, tried } => {
            store.tried(id, exercise, tried)?;
            Ok(vec![Msg::Worked(store.worked(id)?), tries(store, course, exercise)?, progress_msg(store, course)?])
        }
        StoreRequest::Hinted { exercise, hint } => {
            store.hinted(id, exercise, *hint)?;
            Ok(vec![Msg::Worked(store.worked(id)?)])
        }
        StoreRequest::Tries { exercise } => Ok(vec![tries(store, course, exercise)?]),
        StoreRequest::Begin { level, kind } => {
            let Some(quiz) = course.level(level).and_then(Level::quiz) else { return Ok(Vec::new()) };
            let begun = store.begin(&Outline::from(course), quiz, *kind, None)?;
            Ok(vec![Msg::Begun(Box::new(begun)), progress_msg(store, course)?])
        }
        StoreRequest::Review => match store.begin_review(id, &pool(course), now())? {
            Some(begun) => Ok(vec![Msg::Begun(Box::new(begun))]),
            None => Ok(vec![queue(store, course)?, Msg::Say(t!("app-nothing-due"))]),
        },
        StoreRequest::Change { attempt, change } => {
            store.change(*attempt, change)?;
            Ok(Vec::new())
        }
        StoreRequest::Submit { attempt, level } => {
            let pool = (level == REVIEW).then(|| pool(course));
            let of_level = course.level(level).and_then(Level::quiz);
            let Some(quiz) = pool.as_ref().or(of_level) else { return Ok(Vec::new()) };
            let outcome = store.submit(&Outline::from(course), quiz, *attempt)?;
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
