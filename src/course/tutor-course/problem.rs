//! Problems of a course: what is wrong, where, and what to do.

use crate::prelude::*;
use std::fmt;
use tutor_support::yaml::Fault;

/// The severity of a [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Something does not work for a student.
    Error,
    /// Something works, but does not teach as well as it could.
    Warning,
}

/// A problem in a file. The field names are those of the command line's JSON.
///
/// All text is free of control characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub severity: Severity,
    /// Stable name of the rule, e.g. `unknown-field`.
    pub code: &'static str,
    /// Path relative to the course, e.g. `modules/01-one-thread.yaml`.
    pub file: String,
    /// Line, 1-based; 0 if the problem concerns the whole file.
    pub line: u32,
    /// Column in characters, 1-based; 0 if unknown.
    pub column: u32,
    /// Characters to underline, at least 1.
    #[serde(skip)]
    pub length: u32,
    /// What is wrong, as a sentence.
    pub message: String,
    pub help: Option<String>,
    /// The text of the line.
    pub snippet: Option<String>,
}

impl Problem {
    /// Makes an error in a file, without a place.
    pub fn error(code: &'static str, file: impl Into<String>, message: impl fmt::Display) -> Self {
        Self {
            severity: Severity::Error,
            code,
            file: text::line(&file.into()).into_owned(),
            line: 0,
            column: 0,
            length: 1,
            message: on_one_line(&message.to_string()),
            help: None,
            snippet: None,
        }
    }

    /// Makes a problem from a fault that the YAML reader found in `text`.
    pub fn of_yaml(file: &str, text: &str, fault: &Fault) -> Self {
        let mut problem = Self::error(fault.code, file, &fault.message);
        problem.help = Some(fault.help.to_owned()).filter(|help| !help.is_empty());
        problem.at(text, fault.line, fault.column, fault.length)
    }

    /// Makes a warning in a file, without a place.
    pub fn warning(code: &'static str, file: impl Into<String>, message: impl fmt::Display) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, file, message) }
    }

    #[must_use]
    pub fn help(mut self, help: impl AsRef<str>) -> Self {
        self.help = Some(on_one_line(help.as_ref()));
        self
    }

    /// Adds the place, and the line of `text` there.
    #[must_use]
    pub fn at(mut self, text: &str, line: u32, column: u32, length: u32) -> Self {
        self.line = line;
        self.column = column;
        self.length = length.max(1);
        let shown = (line as usize).checked_sub(1).and_then(|index| text.lines().nth(index));
        // A file with one endless line must not flood the terminal.
        self.snippet = shown.map(|line| text::lines(line).chars().take(300).collect());
        self
    }
}

fn on_one_line(sentence: &str) -> String {
    text::line(&sentence.replace(['\n', '\t'], " ")).into_owned()
}

impl fmt::Display for Problem {
    /// Formats as `file:line:column: message`, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
            if self.column > 0 {
                write!(f, ":{}", self.column)?;
            }
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for Problem {}
