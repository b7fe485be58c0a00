//! Answers requests in a worker of the browser.

use crate::abi::post;
use crate::messages::Lines;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::io::Write as _;
use std::sync::atomic::AtomicBool;
use tutor_exec::Answering;
use tutor_exec::protocol::{Reply, Request};
use tutor_tui::highlight::Highlighter;
use ui_kit::code::Language;

/// A request to a worker.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Ask {
    Work(Request),
    Colour { file: String, ptx: bool, source: String },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    Reply(Reply),
    Coloured { file: String, lines: Lines },
}

thread_local! {
    static ANSWERING: RefCell<Answering> = RefCell::default();
    static HIGHLIGHTER: RefCell<Option<Highlighter>> = const { RefCell::new(None) };
}

/// Answers a request. Each answer is sent when it is known.
pub(crate) fn answer(json: &[u8]) {
    match serde_json::from_slice(json) {
        Ok(Ask::Work(request)) => {
            let send = |reply| say(&Answer::Reply(reply));
            // The page ends the worker to cancel a launch.
            ANSWERING.with_borrow_mut(|answering| answering.answer(&request, &AtomicBool::new(false), &send));
        }
        Ok(Ask::Colour { file, ptx, source }) => HIGHLIGHTER.with_borrow_mut(|highlighter| {
            let language = if ptx { Language::Ptx } else { Language::Cuda };
            let lines = highlighter.get_or_insert_default().highlight(language, &source);
            say(&Answer::Coloured { file, lines });
        }),
        // The page's console shows it to developers.
        Err(error) => drop(writeln!(std::io::stderr(), "{error}")),
    }
}

fn say(answer: &Answer) {
    if let Ok(json) = serde_json::to_string(answer) {
        post(&json);
    }
}
