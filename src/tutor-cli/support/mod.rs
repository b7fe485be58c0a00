//! Code that the subcommands share: general options, exit codes, standard output, and a worker for a command.

pub(super) mod bounds;
pub(super) mod costs;
mod csv;
pub(super) mod estimating;
mod files;
mod globals;
pub(super) mod help;
pub(super) mod language;
pub(super) mod limits;
pub(super) mod locale;
pub(super) mod output;
pub(super) mod paint;
pub(super) mod product;
pub(super) mod progress;
pub(super) mod session;
mod xml;

use std::sync::mpsc;
use std::time::Duration;

pub(super) use csv::csv_cell;
pub(super) use files::{files_in, is_leftover, read_handed_in};
pub(super) use globals::list_what_is_used;
pub use globals::{Exit, Globals};
pub use language::Lang;
pub(super) use tutor_support::text::read as read_text;
pub(crate) use xml::escaped;

/// Quotes a word for a shell, if that is necessary.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Sleeps for `time`.
pub(super) fn wait_for(time: Duration) {
    let (_keep, never) = mpsc::channel::<()>();
    let _ = never.recv_timeout(time);
}
