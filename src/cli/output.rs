//! Standard output and standard error of the subcommands.
//!
//! `println!` panics when the reader has gone (`… | head`); these return the error, and
//! [`super::main`] ends quietly.

use serde::Serialize;
use std::fmt::Arguments;
use std::io::{self, Write};

/// Writes a line to standard output.
///
/// # Errors
/// If standard output cannot be written to.
pub(super) fn line(text: Arguments) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{text}")
}

/// Writes a document as one line of JSON to standard output.
///
/// # Errors
/// If standard output cannot be written to.
pub(super) fn json(document: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, document)?;
    writeln!(out)
}

/// Tells something on standard error, where progress and problems go. A closed one is no failure.
pub(super) fn note(text: Arguments) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
