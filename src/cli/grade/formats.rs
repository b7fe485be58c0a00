//! Prints the results in formats for people and for other programs.

use super::GradeFormat;
use super::record::Record;
use crate::output;
use crate::support::progress::ProgressLine;
use crate::support::{csv_cell, escaped};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use tutor_base::t;
use tutor_base::text;
use tutor_workshop::{Exercise, goal_name};

/// The records of a class, in the order of its files. A table row is printed as soon as its record and all earlier
/// records exist.
pub(super) struct Table {
    format: GradeFormat,
    records: Vec<Option<Record>>,
    printed: usize,
    line: ProgressLine,
}

impl Table {
    pub(super) fn begin(format: GradeFormat, of: usize) -> io::Result<Self> {
        if format == GradeFormat::Csv {
            output::line("file,passed,failed,score,of,seconds,megabytes,line,message")?;
        }
        let records = std::iter::repeat_with(|| None).take(of).collect();
        Ok(Self { format, records, printed: 0, line: ProgressLine::at_once() })
    }

    /// Adds the record of file number `at`.
    pub(super) fn add(&mut self, at: usize, record: Record) -> io::Result<()> {
        if let Some(place) = self.records.get_mut(at) {
            *place = Some(record);
        }
        self.line.clear();
        while let Some(Some(next)) = self.records.get(self.printed) {
            print_row(self.format, next)?;
            self.printed += 1;
        }
        let done = self.records.iter().flatten().count();
        self.line.show(&t!("grade-progress", done = done, of = self.records.len()));
        Ok(())
    }

    /// Prints what has not been printed yet: rows after a gap, and formats that are a single document. Returns the
    /// records.
    pub(super) fn end(mut self, exercise: &Exercise, seed: u64) -> anyhow::Result<Vec<Record>> {
        self.line.clear();
        for record in self.records.iter().skip(self.printed).flatten() {
            print_row(self.format, record)?;
        }
        let all: Vec<Record> = self.records.into_iter().flatten().collect();
        match (self.format, &*all) {
            (GradeFormat::Human, _) => {
                let passed = all.iter().filter(|graded| graded.passed()).count();
                output::line(t!("grade-sum", passed = passed, of = all.len()))?;
            }
            (GradeFormat::Json, _) => {
                output::json(&GradeDocument {
                    exercise: &exercise.id,
                    seed,
                    submissions: all.iter().map(row).collect(),
                })?;
            }
            (GradeFormat::Junit, _) => output::line(junit(&exercise.id, &all).trim_end())?,
            (GradeFormat::Gradescope, [graded, ..]) => output::json(&gradescope(graded))?,
            (GradeFormat::Autolab, [graded, ..]) => {
                if let Some(message) = &graded.message {
                    output::line(message)?;
                }
                let scores = graded.goals.iter().map(|(goal, met)| (goal.name(), u32::from(*met))).collect();
                output::json(&BTreeMap::from([("scores", BTreeMap::<&str, u32>::from_iter::<Vec<_>>(scores))]))?;
            }
            (GradeFormat::Csv, _) | (GradeFormat::Gradescope | GradeFormat::Autolab, []) => {}
        }
        Ok(all)
    }
}

/// Prints the row of a submission, if the format has rows.
fn print_row(format: GradeFormat, graded: &Record) -> io::Result<()> {
    match format {
        GradeFormat::Human => {
            let (seconds, mib) = (format!("{:.1}", graded.seconds), graded.bytes >> 20);
            let state = match (&graded.failed, &graded.message) {
                (Some(failed), Some(message)) => format!("{failed}: {}", head(message)),
                _ => t!("exercise-passed"),
            };
            let file = text::line(&graded.file);
            let row = t!("grade-row", file = file.as_ref(), seconds = seconds, mib = mib, state = state);
            output::line(&row)
        }
        GradeFormat::Csv => output::line(csv(graded)),
        GradeFormat::Json | GradeFormat::Junit | GradeFormat::Gradescope | GradeFormat::Autolab => Ok(()),
    }
}

/// Returns the first line of a message, and also the second if the first ends with a colon.
fn head(message: &str) -> String {
    let mut lines = message.lines();
    match lines.next().unwrap_or_default() {
        first if first.ends_with(':') => format!("{first} {}", lines.next().unwrap_or_default().trim()),
        first => first.to_owned(),
    }
}

#[derive(Serialize)]
struct GradeDocument<'a> {
    exercise: &'a str,
    seed: u64,
    submissions: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    passed: bool,
    /// A goal, `line`, `refused`, `time`, `memory` or `unjudged`.
    failed: Option<&'a str>,
    message: Option<&'a str>,
    /// Line in the submitted file.
    line: Option<u32>,
    score: usize,
    of: usize,
    star: Option<bool>,
    seconds: f64,
    /// Peak memory of the worker process; null if the system does not report it.
    megabytes: Option<f64>,
}

fn row(graded: &Record) -> Row<'_> {
    Row {
        file: &graded.file,
        passed: graded.passed(),
        failed: graded.failed.as_deref(),
        message: graded.message.as_deref(),
        line: graded.line,
        score: graded.score(),
        of: graded.goals.len(),
        star: graded.star,
        seconds: (graded.seconds * 1000.0).round() / 1000.0,
        megabytes: (graded.bytes > 0).then(|| (graded.bytes as f64 / 1e5).round() / 10.0),
    }
}

/// Returns a row of a CSV table (RFC 4180).
fn csv(graded: &Record) -> String {
    let row = row(graded);
    let cells = [
        csv_cell(row.file),
        row.passed.to_string(),
        row.failed.unwrap_or_default().to_owned(),
        row.score.to_string(),
        row.of.to_string(),
        format!("{:.3}", row.seconds),
        row.megabytes.map(|megabytes| megabytes.to_string()).unwrap_or_default(),
        row.line.map(|line| line.to_string()).unwrap_or_default(),
        csv_cell(&row.message.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")),
    ];
    cells.join(",")
}

/// Returns a JUnit test suite. An unmet goal is a failure, and a submission that could not be judged is an error.
fn junit(exercise: &str, all: &[Record]) -> String {
    let errors = all.iter().filter(|graded| graded.is_unjudged()).count();
    let failures = all.iter().filter(|graded| !graded.passed()).count() - errors;
    let time: f64 = all.iter().map(|graded| graded.seconds).sum();
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let name = escaped(exercise);
    let tests = all.len();
    let _ = writeln!(
        xml,
        "<testsuites>\n<testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{time:.3}\">"
    );
    for graded in all {
        let (file, seconds) = (escaped(&graded.file), graded.seconds);
        let _ = write!(xml, "<testcase classname=\"{name}\" name=\"{file}\" time=\"{seconds:.3}\"");
        match (&graded.failed, &graded.message) {
            (Some(failed), Some(message)) => {
                let kind = if graded.is_unjudged() { "error" } else { "failure" };
                let message = escaped(message);
                let _ = writeln!(xml, "><{kind} type=\"{failed}\" message=\"{message}\"/></testcase>");
            }
            _ => xml.push_str("/>\n"),
        }
    }
    xml.push_str("</testsuite>\n</testsuites>\n");
    xml
}

/// The format of Gradescope's documentation, "Autograder specifications", section "Output format".
#[derive(Serialize)]
struct Results {
    execution_time: f64,
    output: String,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    name: String,
    score: u32,
    max_score: u32,
    status: &'static str,
    output: String,
}

fn gradescope(graded: &Record) -> Results {
    let goals = &graded.goals;
    let first = goals.iter().position(|(_, met)| !met);
    let tests = goals.iter().enumerate().map(|(at, (goal, met))| Test {
        name: goal_name(*goal),
        score: u32::from(*met),
        max_score: 1,
        status: if *met { "passed" } else { "failed" },
        output: if first == Some(at) { graded.message.clone().unwrap_or_default() } else { String::new() },
    });
    Results {
        execution_time: graded.seconds,
        output: graded.message.clone().unwrap_or_else(|| t!("exercise-done")),
        tests: tests.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_what_the_compiler_said_first() {
        assert_eq!(
            head("It does not compile:\n  a.cu(2): error: x\n\n1 error"),
            "It does not compile: a.cu(2): error: x"
        );
        assert_eq!(head("M 1: out of bounds.\nmore"), "M 1: out of bounds.");
        assert_eq!(head(""), "");
    }
}
