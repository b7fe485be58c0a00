/*! One file of a course, read as far as possible.

A file is read as a tree ([`tutor_support::yaml`]) and compared with the schema of its type (`super::shape`), which finds all
mistakes at once, with their places. If there are none, the tree is converted to its type.

A mistake does not make the whole file unusable. A page, variant, glossary entry or claim that does not match the schema is
left out ([`File::left_out`]), and the rest is read. A quiz slot is never left out, because then the gate would ask something
else.
*/

use super::limits::MAX_FILE_PROBLEMS;
use super::shape::{SchemaError, schema_errors};
use crate::prelude::*;
use crate::problem::Severity;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use tutor_support::text::{forbidden_places, without_forbidden};
use tutor_support::yaml::{self, Node};

/// One file, read as far as possible.
#[derive(Debug, Clone)]
pub struct File<T> {
    /// Path within the course, e.g. `modules/01-one-thread.yaml`.
    pub name: String,
    /// The whole text, with forbidden characters replaced.
    pub text: String,
    /// The content. `None` if there is an error and nothing can be left out to avoid it.
    pub value: Option<T>,
    /// The problems of its form.
    pub problems: Vec<Problem>,
    /// True if parts with errors were left out of `value`.
    pub left_out: bool,
    /// The text without the parts that were left out, if there are any.
    readable: Option<String>,
}

/// A type that a file can contain.
pub trait FileContent: DeserializeOwned + JsonSchema + Send + Sync {}

impl<T: DeserializeOwned + JsonSchema + Send + Sync> FileContent for T {}

/// A file that several levels may name, or why it cannot be read.
pub type ReadFile<T> = Result<Arc<File<T>>, ReadError>;

impl<T: FileContent> File<T> {
    /// Reads a file of a course.
    ///
    /// # Errors
    /// If the file cannot be read at all. Problems *in* the file are in [`File::problems`].
    pub fn read(source: &CourseSource, name: &str) -> Result<Self, ReadError> {
        Ok(Self::parse(name, source.read(name)?))
    }

    /// Parses a text as a file of a course.
    pub fn parse(name: &str, text: String) -> Self {
        let mut file = Self::parsed(name, text);
        file.problems.truncate(MAX_FILE_PROBLEMS);
        file
    }

    fn parsed(name: &str, text: String) -> Self {
        let problems = forbidden_places(&text).take(MAX_FILE_PROBLEMS).map(|place| {
            let fault = yaml::forbidden(place);
            Problem::error(fault.code, name, &fault.message).help(fault.help).at(&text, fault.line, fault.column, 1)
        });
        let problems: Vec<Problem> = problems.collect();
        // The rest of the file is read anyway.
        let text = if problems.is_empty() { text } else { without_forbidden(&text) };
        let mut file = Self { name: name.to_owned(), text, value: None, problems, left_out: false, readable: None };
        let tree = match yaml::read(&file.text) {
            Ok(tree) => tree,
            Err(fault) => {
                file.problems.push(Problem::of_yaml(name, &file.text, &fault));
                return file;
            }
        };
        let (retired, found): (Vec<_>, Vec<_>) = schema_errors::<T>(name, &file.text, &tree)
            .into_iter()
            .partition(|error| error.problem.severity == Severity::Warning);
        file.problems.extend(retired.into_iter().map(|error| error.problem));
        if found.is_empty() {
            match yaml::typed(&tree) {
                Ok(value) => file.value = Some(value),
                Err(fault) => file.problems.push(Problem::of_yaml(name, &file.text, &fault)),
            }
            return file;
        }
        file.left_out = true;
        file.readable = without(&file.text, &found);
        file.problems.extend(found.into_iter().map(|error| error.problem));
        // Further errors may follow from the missing parts, whose problem is already reported.
        file.value = file.readable.as_deref().and_then(|readable| yaml::read_typed(readable).ok());
        file
    }
}

impl<T> File<T> {
    /// Parses the file again and returns its tree, which has the places of everything that was not left out.
    pub fn tree(&self) -> Node {
        // The indices must agree with those of `value`. The line numbers are the same in both texts.
        let tree = yaml::read(self.readable.as_ref().unwrap_or(&self.text));
        tree.unwrap_or_else(|_| Node::nothing())
    }

    /// Returns the first problem: the reason why there is no content.
    pub fn reason(&self) -> Problem {
        self.problems.first().cloned().unwrap_or_else(|| Problem::error("yaml", &self.name, "The file cannot be read."))
    }
}

/// Removes the lines of all mistakes. Every other line keeps its number. `None` if a mistake cannot be removed.
fn without(text: &str, schema_errors: &[SchemaError]) -> Option<String> {
    let mut ranges = schema_errors.iter().map(|error| error.removable.clone()).collect::<Option<Vec<_>>>()?;
    ranges.sort_by_key(|range| range.start);
    let mut ranges = ranges.into_iter().peekable();
    let mut removed_until = 0;
    let kept = (1..).zip(text.lines()).map(|(number, line): (u32, &str)| {
        while let Some(range) = ranges.next_if(|range| range.start <= number) {
            removed_until = removed_until.max(range.end);
        }
        if number < removed_until { "" } else { line }
    });
    Some(kept.flat_map(|line| [line, "\n"]).collect())
}
