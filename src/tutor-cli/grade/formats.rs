//! Prints the results in formats for people and for other programs.

use super::record::Record;
use super::students::Submission;
use super::{GradeFormat, marks};
use crate::output;
use crate::support::progress::ProgressLine;
use crate::support::{csv_cell, escaped};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use tutor_exec::estimate::Estimated;
use tutor_exec::judge::Goal;
use tutor_exercises::{Exercise, Points, RACE, goal_name};
use tutor_support::t;
use tutor_support::text;

/// The records of a class, in the order of its files. A table row is printed as soon as its record and all earlier
/// records exist.
pub(super) struct Table {
    format: GradeFormat,
    /// True if there is a column of estimated times.
    estimates: bool,
    submissions: Vec<Submission>,
    points: Points,
    seed: u64,
    records: Vec<Option<Record>>,
    printed: usize,
    line: ProgressLine,
}

impl Table {
    pub(super) fn begin(
        (format, estimates): (GradeFormat, bool),
        submissions: Vec<Submission>,
        points: Points,
        seed: u64,
    ) -> io::Result<Self> {
        if format == GradeFormat::Csv {
            let more = if estimates { ",estimated_ms" } else { "" };
            let names = "student,file,passed,failed,score,of,seconds,mib,line,seed,similar,remark,message";
            output::line(format_args!("{names}{more}"))?;
        }
        let records = std::iter::repeat_with(|| None).take(submissions.len()).collect();
        Ok(Self { format, estimates, submissions, points, seed, records, printed: 0, line: ProgressLine::at_once() })
    }

    /// Returns the submission with this number.
    pub(super) fn submission(&self, at: usize) -> Option<&Submission> {
        self.submissions.get(at)
    }

    /// Adds the record of file number `at`.
    pub(super) fn add(&mut self, at: usize, record: Record) -> io::Result<()> {
        if let Some(place) = self.records.get_mut(at) {
            *place = Some(record);
        }
        self.line.clear();
        while let Some(Some(_)) = self.records.get(self.printed) {
            self.print_row(self.printed)?;
            self.printed += 1;
        }
        let done = self.records.iter().flatten().count();
        self.line.show(&t!("grade-progress", done, of = self.records.len()));
        Ok(())
    }

    /// Prints what has not been printed yet: rows after a gap, and formats that are a single document. Returns the
    /// records.
    pub(super) fn end(mut self, exercise: &Exercise) -> anyhow::Result<Vec<Record>> {
        self.line.clear();
        for at in self.printed..self.records.len() {
            self.print_row(at)?;
        }
        let rows: Vec<Row> = (0..self.records.len()).filter_map(|at| self.row(at)).collect();
        match (self.format, &*rows) {
            (GradeFormat::Human, _) => {
                let passed = rows.iter().filter(|row| row.passed).count();
                output::line(t!("grade-sum", passed, of = rows.len(), seed = self.seed.to_string()))?;
            }
            (GradeFormat::Json, _) => {
                output::json(&GradeDocument { exercise: &exercise.id, seed: self.seed, submissions: &rows })?;
            }
            (GradeFormat::Junit, _) => output::line(junit(&exercise.id, self.seed, &rows).trim_end())?,
            // A document would state a mark.
            (GradeFormat::Gradescope | GradeFormat::Autolab, [row, ..]) if row.is_unjudged() => {
                output::note(row.message.unwrap_or_default());
            }
            (GradeFormat::Gradescope, [row, ..]) => output::json(&gradescope(row, self.points, self.seed))?,
            (GradeFormat::Autolab, [row, ..]) => {
                let said = row.message.map_or_else(|| t!("exercise-done"), str::to_owned);
                output::line(t!("grade-seeded", text = said, seed = self.seed.to_string()))?;
                // The names of the problems at Autolab, which accepts no others.
                let problems = row.goals.iter().filter(|(goal, _)| marks::of(self.points, *goal) > 0);
                let scores = problems.map(|(goal, met)| (goal.name(), scored(self.points, *goal, *met)));
                output::json(&BTreeMap::from([("scores", scores.collect::<BTreeMap<&str, u32>>())]))?;
            }
            (GradeFormat::Csv, _) | (GradeFormat::Gradescope | GradeFormat::Autolab, []) => {}
        }
        drop(rows);
        Ok(self.records.into_iter().flatten().collect())
    }

    /// Prints the row of a submission, if it is known and the format has rows.
    fn print_row(&self, at: usize) -> io::Result<()> {
        let Some((row, Some(graded))) = self.row(at).zip(self.records.get(at)) else { return Ok(()) };
        match self.format {
            GradeFormat::Human => {
                let (seconds, mib) = (format!("{:.1}", graded.seconds), graded.bytes >> 20);
                let points = format!("{}/{}", row.score, row.of);
                let (file, student) = (text::line(row.file), text::line(row.student));
                let more = [
                    row.remark.clone(),
                    (!row.similar.is_empty()).then(|| t!("grade-similar", students = row.similar.join(", "))),
                    row.estimated.map(|found| found.brief(RACE).to_string()),
                ];
                let state = [Some(state(graded)), more.into_iter().flatten().reduce(|a, b| format!("{a} {b}"))];
                let state = state.into_iter().flatten().collect::<Vec<_>>().join("  ");
                let (student, file) = (student.as_ref(), file.as_ref());
                output::line(t!("grade-row", student, file, points, seconds, mib, state = text::line(&state).as_ref()))
            }
            GradeFormat::Csv if self.estimates => {
                let ms = row.estimated.map(|found| format!("{:.4}", found.median_ms)).unwrap_or_default();
                output::line(format_args!("{},{ms}", csv(&row, self.seed)))
            }
            GradeFormat::Csv => output::line(csv(&row, self.seed)),
            _ => Ok(()),
        }
    }

    fn row(&self, at: usize) -> Option<Row<'_>> {
        let (graded, submission) = (self.records.get(at)?.as_ref()?, self.submissions.get(at)?);
        let (score, of) = marks::score(self.points, graded);
        let similar = |(name, percent): &(String, u32)| format!("{name} ({})", t!("app-percent", number = percent));
        Some(Row {
            student: &submission.student,
            file: &graded.file,
            passed: graded.passed(),
            failed: graded.failed.as_deref(),
            message: graded.message.as_deref(),
            line: graded.line,
            score,
            of,
            goals: &graded.goals,
            star: graded.star,
            seconds: (graded.seconds * 1000.0).round() / 1000.0,
            mib: (graded.bytes > 0).then(|| (graded.bytes as f64 / f64::from(1 << 20) * 10.0).round() / 10.0),
            estimated: graded.estimated.as_ref(),
            remark: submission.remark(),
            similar: submission.similar.iter().map(similar).collect(),
        })
    }
}

/// Describes how a submission did in one line.
fn state(graded: &Record) -> String {
    match (&graded.failed, &graded.message) {
        (Some(failed), Some(message)) => format!("{failed}: {}", head(message)),
        _ => t!("exercise-passed"),
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
    submissions: &'a [Row<'a>],
}

#[derive(Serialize)]
struct Row<'a> {
    student: &'a str,
    file: &'a str,
    passed: bool,
    /// As in [`Record::failed`].
    failed: Option<&'a str>,
    message: Option<&'a str>,
    /// Line in the submitted file.
    line: Option<u32>,
    score: u32,
    of: u32,
    #[serde(serialize_with = "by_name")]
    goals: &'a [(Goal, bool)],
    star: Option<bool>,
    seconds: f64,
    /// Peak memory of the worker process in MiB; null if the system does not report it.
    mib: Option<f64>,
    /// The estimated time of a kernel that passed, for information.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<&'a Estimated>,
    remark: Option<String>,
    /// Students with similar submissions.
    similar: Vec<String>,
}

impl Row<'_> {
    fn is_unjudged(&self) -> bool {
        self.failed == Some("unjudged")
    }
}

/// Writes the goals as an object, with true for each goal that is met.
fn by_name<S: Serializer>(goals: &&[(Goal, bool)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(goals.iter().map(|(goal, met)| (goal.name(), met)))
}

/// Returns the points that a goal gave.
fn scored(points: Points, goal: Goal, met: bool) -> u32 {
    if met { marks::of(points, goal) } else { 0 }
}

/// Returns a row of a CSV table (RFC 4180).
fn csv(row: &Row, seed: u64) -> String {
    let cells = [
        csv_cell(row.student),
        csv_cell(row.file),
        row.passed.to_string(),
        row.failed.unwrap_or_default().to_owned(),
        row.score.to_string(),
        row.of.to_string(),
        format!("{:.3}", row.seconds),
        row.mib.map(|mib| mib.to_string()).unwrap_or_default(),
        row.line.map(|line| line.to_string()).unwrap_or_default(),
        seed.to_string(),
        csv_cell(&row.similar.join(", ")),
        csv_cell(row.remark.as_deref().unwrap_or_default()),
        csv_cell(&row.message.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")),
    ];
    cells.join(",")
}

/// Returns a JUnit test suite. An unmet goal is a failure, and a submission that could not be judged is an error.
fn junit(exercise: &str, seed: u64, all: &[Row]) -> String {
    let errors = all.iter().filter(|row| row.is_unjudged()).count();
    let failures = all.iter().filter(|row| !row.passed).count() - errors;
    let time: f64 = all.iter().map(|row| row.seconds).sum();
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let name = escaped(exercise);
    let tests = all.len();
    let _ = writeln!(
        xml,
        "<testsuites>\n<testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" \
         time=\"{time:.3}\">\n<properties><property name=\"seed\" value=\"{seed}\"/></properties>"
    );
    for row in all {
        let (file, student, seconds) = (escaped(row.file), escaped(row.student), row.seconds);
        let _ = write!(xml, "<testcase classname=\"{name}.{student}\" name=\"{file}\" time=\"{seconds:.3}\"");
        match (&row.failed, &row.message) {
            (Some(failed), Some(message)) => {
                let kind = if row.is_unjudged() { "error" } else { "failure" };
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
    /// `text`, because a compiler quotes `<` and `&` of the source.
    output_format: &'static str,
    tests: Vec<Test>,
    extra_data: BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
struct Test {
    name: String,
    score: u32,
    max_score: u32,
    status: &'static str,
    output: String,
}

fn gradescope(row: &Row, points: Points, seed: u64) -> Results {
    let first = row.goals.iter().position(|(_, met)| !met);
    let said = row.message.map_or_else(|| t!("exercise-done"), str::to_owned);
    let tests = row.goals.iter().enumerate().map(|(at, (goal, met))| Test {
        name: goal_name(*goal),
        score: scored(points, *goal, *met),
        max_score: marks::of(points, *goal),
        status: if *met { "passed" } else { "failed" },
        output: if first == Some(at) { row.message.unwrap_or_default().to_owned() } else { String::new() },
    });
    Results {
        execution_time: row.seconds,
        output: t!("grade-seeded", text = said, seed = seed.to_string()),
        output_format: "text",
        tests: tests.collect(),
        extra_data: BTreeMap::from([("seed", seed)]),
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
