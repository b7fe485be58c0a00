/*! Standard output and standard error of the subcommands. Only this module prints.

`println!` panics when the reader is gone (`… | head`). These functions then drop what they would print, and the command goes on to
its exit code, which scripts rely on. A command that would never end asks [`reader_is_gone`].

This module cleans everything that it prints once more ([`tutor_support::text`]), even trusted text. A path, a course and a
worker's reply come from strangers, and a single mistake elsewhere must not let an escape sequence through. Text that
the program colours goes through [`painted`], which keeps only colours. JSON keeps every character, the dangerous ones
as `\u` escapes.
*/

use crate::prelude::*;
use course_check::render;
use ratatui::style::Style;
use serde_json::ser::Formatter;
use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use tutor_course::Problem;
use tutor_support::text;
use ui_kit::sheet::to_ascii;
use ui_kit::wrap::{hang, wrap_text};
use unicode_width::UnicodeWidthStr as _;

/// True if the user passed `--json`.
static JSON: AtomicBool = AtomicBool::new(false);
/// True if a document was printed.
static PRINTED: AtomicBool = AtomicBool::new(false);

/// True if lines are printed in ASCII, as far as they are not in another script.
static ASCII: AtomicBool = AtomicBool::new(false);

/// Makes later lines use only ASCII signs.
pub(crate) fn draw_in_ascii() {
    ASCII.store(true, Ordering::Relaxed);
}

/// Makes later failures print a JSON document, unless a document was printed before.
pub(crate) fn fail_as_json() {
    JSON.store(true, Ordering::Relaxed);
}

/// Standard output, which takes everything once its reader is gone.
struct Out(io::StdoutLock<'static>);

fn out() -> Out {
    Out(io::stdout().lock())
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}

/// True if nobody can read standard output any more: the other end of a pipe is closed, or the terminal is gone.
pub(crate) fn reader_is_gone() -> bool {
    #[cfg(unix)]
    {
        let mut out = libc::pollfd { fd: libc::STDOUT_FILENO, events: 0, revents: 0 };
        // SAFETY: `out` is one valid entry, and the call does not wait.
        unsafe { libc::poll(&raw mut out, 1, 0) == 1 && out.revents & (libc::POLLERR | libc::POLLHUP) != 0 }
    }
    #[cfg(not(unix))]
    false
}

/// Writes a line to standard output.
pub(crate) fn line(text: impl Display) -> io::Result<()> {
    let text = text::lines(&text.to_string()).to_string();
    let text = if ASCII.load(Ordering::Relaxed) { to_ascii(&text) } else { text };
    writeln!(out(), "{text}")
}

/// Writes a paragraph, wrapped to the width of the terminal. Its other lines are indented two blanks further than the first.
pub(crate) fn paragraph(text: impl Display) -> io::Result<()> {
    let text = text.to_string();
    let words = text.trim_start();
    let first = " ".repeat(text.len() - words.len());
    hung(&first, &format!("{first}  "), words)
}

/// Writes a text after `head`. If it is wider than the terminal, it is wrapped, and its other lines begin below its first word.
pub(crate) fn hanging(head: &str, text: impl Display) -> io::Result<()> {
    let text = text.to_string();
    match columns().filter(|columns| head.width() + text.width() > *columns) {
        Some(_) => hung(head, &" ".repeat(head.width()), &text),
        None => line(format!("{head}{text}").trim_end()),
    }
}

fn hung(first: &str, rest: &str, words: &str) -> io::Result<()> {
    let Some(columns) = columns() else { return line(format_args!("{first}{words}")) };
    let width = columns.saturating_sub(rest.len()).clamp(20, 1000) as u16;
    let wrapped = hang(wrap_text(words, Style::new(), width), &first.to_owned().into(), &rest.to_owned().into());
    wrapped.iter().try_for_each(line)
}

/// Writes a byte order mark to standard output, which begins a text in UTF-8. In the middle of a text, the mark is invisible, so
/// [`line()`] replaces it.
pub(crate) fn byte_order_mark() -> io::Result<()> {
    out().write_all("\u{feff}".as_bytes())
}

/// Writes text with the program's colours to standard output.
pub(crate) fn painted(text: &str) -> io::Result<()> {
    Cleaned(out()).write_all(text.as_bytes())
}

/// Writes a document as one line of JSON to standard output.
pub(crate) fn json(document: &impl Serialize) -> io::Result<()> {
    PRINTED.store(true, Ordering::Relaxed);
    let mut out = out();
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut out, Escaped))?;
    writeln!(out)
}

/// Writes a line to standard error, for progress and problems. Ignores a closed standard error.
pub(crate) fn note(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{}", text::lines(&text.to_string()));
}

/// Writes a file whole, and says so on standard error.
///
/// # Errors
/// With the file's name, if it cannot be written.
pub(crate) fn file(path: &Path, text: &str) -> anyhow::Result<()> {
    let file = path.display().to_string();
    tutor_support::write(path, text)
        .map_err(|why| anyhow::anyhow!(t!("results-unwritten", file = file.as_str(), why)))?;
    note(t!("cli-wrote", file));
    Ok(())
}

/// Writes a note about the result to standard error.
pub(crate) fn remark(text: impl Display) {
    note(t!("cli-note", text = text.to_string()));
}

/// Ends a command: flushes standard output. With `--json`, a failure that printed no document prints one first.
pub(crate) fn ended(exit: Exit) -> Exit {
    if exit != Exit::Done {
        let message = match exit {
            Exit::Interrupted => t!("cli-interrupted"),
            _ => t!("cli-failed"),
        };
        document(crate::kind_of(exit), &message, None, None);
    }
    out().flush().map_or_else(|error| unwritten(&error), |()| exit)
}

/// Reports that standard output cannot be written to.
pub(crate) fn unwritten(error: &io::Error) -> Exit {
    note(t!("cli-error", text = t!("cli-unwritten", why = error)));
    Exit::Usage
}

/// Prints an error document if `--json` is set and no document was printed before.
fn document(kind: &str, message: &str, help: Option<&str>, at: Option<&Problem>) {
    if JSON.load(Ordering::Relaxed) && !PRINTED.load(Ordering::Relaxed) {
        let error = serde_json::json!({
            "kind": kind, "message": message, "help": help,
            "file": at.map(|at| &at.file), "line": at.map(|at| at.line), "column": at.map(|at| at.column),
        });
        // If the reader is gone, the exit code still reports the failure.
        let _ = json(&serde_json::json!({ "ok": false, "error": error }));
    }
}

/// Reports why a command failed and what to do about it; with `--json`, also as a document with `kind`.
pub(crate) fn failure(exit: Exit, kind: &str, message: impl Display, help: Option<&str>) -> Exit {
    let message = message.to_string();
    document(kind, &message, help, None);
    note(t!("cli-error", text = message));
    if let Some(help) = help {
        note(format_args!("  {help}"));
    }
    exit
}

/// Reports a problem at a place in a file; with `--json`, also as a document.
pub(crate) fn problem(problem: &Problem) {
    document(problem.code, &problem.message, problem.help.as_deref(), Some(problem));
    note(render(problem, false));
}

/// A writer that keeps text and colours (ECMA-48, SGR) and replaces all other terminal control characters.
pub(crate) struct Cleaned<W>(pub(crate) W);

impl<W: Write> Write for Cleaned<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(coloured(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns text of several lines with its colours but without other control characters.
fn coloured(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return text::lines(text);
    }
    let mut parts = text.split('\u{1b}');
    let mut out = text::lines(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let numbers = part.strip_prefix('[').and_then(|rest| rest.split_once('m')).map(|(numbers, _)| numbers);
        let colour = numbers.is_some_and(|numbers| numbers.bytes().all(|byte| byte.is_ascii_digit() || byte == b';'));
        out.push(if colour { '\u{1b}' } else { '\u{fffd}' });
        out.push_str(&text::lines(part));
    }
    out.into()
}

/// A JSON formatter that writes one line and escapes forbidden characters. A parser reads the same strings back.
struct Escaped;

impl Formatter for Escaped {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, hidden)) = rest.char_indices().find(|(_, c)| text::is_forbidden(*c)) {
            writer.write_all(&rest.as_bytes()[..at])?;
            for unit in hidden.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[at + hidden.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }
}

/// Writes `label   text`. The label takes `width` cells after two blanks.
pub(crate) fn labelled(label: &str, width: usize, text: &str) -> io::Result<()> {
    hanging(&format!("  {} ", pad(label, width)), text)
}

/// Returns the number of columns to use: the terminal's, else that of `COLUMNS`. `None` if the width is unlimited.
pub(crate) fn columns() -> Option<usize> {
    let terminal = io::stdout().is_terminal().then(crossterm::terminal::size).and_then(Result::ok);
    let said = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.map(|(columns, _)| columns.into()).filter(|columns| *columns > 0).or_else(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}]52;c;ZQ==\u{7}b\u{9b}31m\u{202e}\u{200b}\u{7f}\u{e0041}\r\n";

    #[test]
    fn colours_pass_and_nothing_else_does() {
        assert_eq!(coloured("\u{1b}[0;31mred\u{1b}[0m\n"), "\u{1b}[0;31mred\u{1b}[0m\n");
        assert_eq!(coloured("\u{1b}[2J\u{1b}[31;1Hx\u{1b}"), "\u{fffd}[2J\u{fffd}[31;1Hx\u{fffd}");
        let cleaned = coloured(HOSTILE);
        assert!(!cleaned.contains(text::is_forbidden), "{cleaned:?}");
    }

    #[test]
    fn json_escapes_what_must_not_be_shown_and_reads_as_the_same_string() {
        let mut out = Vec::new();
        HOSTILE.serialize(&mut serde_json::Serializer::with_formatter(&mut out, Escaped)).unwrap();
        let written = String::from_utf8(out).unwrap();
        assert!(!written.contains(|c| text::is_forbidden(c) || c == '\n'), "{written}");
        assert!(written.contains("\\u009b31m\\u202e\\u200b\\u007f\\udb40\\udc41"), "{written}");
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), HOSTILE);
    }
}
