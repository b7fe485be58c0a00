//! Carries out what the store is asked, and says how it went.

use crate::course::{Course, Level};
use crate::mastery::{AttemptError, Outline, Store, progress};
use crate::t;
use crate::tui::app::Msg;
use crate::tui::effect::Keep;
use crate::tui::screens::problem::ProblemPage;

/// Does one thing; what comes back tells the model how it went.
pub(in crate::tui) fn keep(store: &mut Store, course: &Course, keep: Keep) -> Vec<Msg> {
    let title = match &keep {
        Keep::Begin { .. } => t!("app-quiz-not-begun"),
        Keep::Change { .. } => t!("app-answer-not-kept"),
        Keep::Submit(_) => t!("app-not-handed-in"),
        _ => t!("app-progress-not-kept"),
    };
    let mut msgs = match carry_out(store, course, keep) {
        Ok(msgs) => msgs,
        Err(error) => {
            vec![Msg::Problem(ProblemPage { title, message: error.to_string(), help: error.help() })]
        }
    };
    if let Some(notice) = store.take_notice() {
        msgs.push(Msg::Problem(failed(&t!("app-about-progress"), &notice)));
    }
    msgs
}

/// A page about a failure of the store.
pub(super) fn failed(title: &str, error: &crate::mastery::StoreError) -> ProblemPage {
    ProblemPage { title: title.into(), message: error.to_string(), help: Some(error.help()) }
}

fn carry_out(store: &mut Store, course: &Course, keep: Keep) -> Result<Vec<Msg>, AttemptError> {
    let id = &course.id;
    match keep {
        Keep::PageOpened { level, page } => {
            store.page_opened(id, &level, &page)?;
            Ok(vec![stands(store, course)?])
        }
        Keep::PageRead { level, page } => {
            store.page_read(id, &level, &page)?;
            Ok(vec![stands(store, course)?])
        }
        Keep::Predicted { level, page, choice, correct } => {
            let made = crate::mastery::Prediction { choice, correct };
            store.predicted(id, &level, &page, made)?;
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
        Keep::Begin { level, kind } => {
            let Some(quiz) = course.level(&level).and_then(Level::quiz) else { return Ok(Vec::new()) };
            let begun = store.begin(&Outline::from(course), quiz, kind, None)?;
            Ok(vec![Msg::Begun(Box::new(begun)), stands(store, course)?])
        }
        Keep::Change { mut attempt, answer, flag, go_to } => {
            if let Some((slot, answer)) = answer {
                store.answer(&mut attempt, &slot, answer)?;
            }
            if let Some((slot, flagged)) = flag {
                store.flag(&mut attempt, &slot, flagged)?;
            }
            if let Some(position) = go_to {
                store.go_to(&mut attempt, position)?;
            }
            Ok(vec![Msg::Attempt(attempt)])
        }
        Keep::Submit(attempt) => {
            let Some(quiz) = course.level(&attempt.level).and_then(Level::quiz) else { return Ok(Vec::new()) };
            let outcome = store.submit(&Outline::from(course), quiz, &attempt)?;
            Ok(vec![Msg::Submitted(Box::new(outcome)), stands(store, course)?])
        }
    }
}

fn stands(store: &Store, course: &Course) -> Result<Msg, AttemptError> {
    let record = store.record(&course.id)?;
    Ok(Msg::Progress(Box::new(progress(&Outline::from(course), &record))))
}
