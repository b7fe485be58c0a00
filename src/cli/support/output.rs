//! Standard output and standard error of the subcommands.
//!
//! `println!` panics when the reader has gone (`… | head`); these return the error, and
//! `cli::main` ends quietly.

use crate::cli::Exit;
use crate::t;
use crate::tui::look::pad;
use serde::Serialize;
use std::fmt::Arguments;
use std::io::{self, IsTerminal as _, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether `--json` was asked for.
static JSON: AtomicBool = AtomicBool::new(false);
/// Whether a document was printed.
static PRINTED: AtomicBool = AtomicBool::new(false);

/// From now on a failure is a document, too, unless one was printed.
pub(in crate::cli) fn fail_as_json() {
    JSON.store(true, Ordering::Relaxed);
}

/// Writes a line to standard output.
///
/// # Errors
/// If standard output cannot be written to.
pub(in crate::cli) fn line(text: Arguments) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{text}")
}

/// Writes a document as one line of JSON to standard output.
///
/// # Errors
/// If standard output cannot be written to.
pub(in crate::cli) fn json(document: &impl Serialize) -> io::Result<()> {
    PRINTED.store(true, Ordering::Relaxed);
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, document)?;
    writeln!(out)
}

/// Tells something on standard error, where progress and problems go. A closed one is no failure.
pub(in crate::cli) fn note(text: Arguments) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Tells something worth knowing beside the result, marked as such.
pub(in crate::cli) fn remark(text: impl AsRef<str>) {
    note(format_args!("{}", t!("cli-note", text = text.as_ref())));
}

/// Tells why a command cannot do what was asked, and what to do; with `--json` as a document of the `kind`, too.
pub(in crate::cli) fn failure(exit: Exit, kind: &str, message: &str, help: Option<&str>) -> Exit {
    if JSON.load(Ordering::Relaxed) && !PRINTED.load(Ordering::Relaxed) {
        let error = serde_json::json!({
            "kind": kind, "message": message, "help": help, "file": null, "line": null, "column": null
        });
        // Whoever has gone hears nothing; the exit code says it all the same.
        let _ = json(&serde_json::json!({ "ok": false, "error": error }));
    }
    note(format_args!("{}", t!("cli-error", text = message)));
    if let Some(help) = help {
        note(format_args!("  {help}"));
    }
    exit
}

/// Writes `label   text`, the label in `width` cells behind two blanks.
///
/// # Errors
/// If standard output cannot be written to.
pub(in crate::cli) fn labelled(label: &str, width: usize, text: &str) -> io::Result<()> {
    line(format_args!("{}", format!("  {} {text}", pad(label, width)).trim_end()))
}

/// Columns to write in: the terminal's, else what `COLUMNS` says; none where nothing bounds a line.
pub(in crate::cli) fn columns() -> Option<usize> {
    let terminal = io::stdout().is_terminal().then(crossterm::terminal::size).and_then(Result::ok);
    let said = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.map(|(columns, _)| columns.into()).filter(|columns| *columns > 0).or_else(said)
}
