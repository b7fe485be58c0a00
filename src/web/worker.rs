//! Answers requests in a worker of the browser.

use crate::abi::post;
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use tutor_exec::Answering;
use tutor_exec::protocol::Reply;

thread_local! {
    static ANSWERING: RefCell<Answering> = RefCell::default();
}

/// Answers a request. Each answer is sent when it is known.
pub(crate) fn answer(json: &[u8]) {
    match serde_json::from_slice(json) {
        Ok(request) => {
            let send = |reply: Reply| {
                if let Ok(json) = serde_json::to_string(&reply) {
                    post(&json);
                }
            };
            // The page ends the worker to cancel a launch.
            ANSWERING.with_borrow_mut(|answering| answering.answer(&request, &AtomicBool::new(false), &send));
        }
        // Only the page writes requests.
        Err(error) => tracing_line(&error.to_string()),
    }
}

/// Writes a line for developers to the browser's console, through standard error.
fn tracing_line(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}
