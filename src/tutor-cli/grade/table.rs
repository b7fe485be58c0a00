//! Prints the results in the chosen format.

use super::GradeFormat;
use crate::output;
use crate::support::excel::ExcelOption;
use crate::support::progress::ProgressLine;
use class_grading::{Platform, Record, Row, Submission, autolab, csv_head, grade_table, gradescope, junit, score};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io;
use tutor_exercises::{Exercise, Points, RACE};
use tutor_support::{t, text};

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

#[derive(Serialize)]
struct GradeDocument<'a> {
    exercise: &'a str,
    seed: u64,
    submissions: &'a [Row<'a>],
}

impl Table {
    pub(super) fn begin(
        (format, excel, estimates): (GradeFormat, ExcelOption, bool),
        submissions: Vec<Submission>,
        points: Points,
        seed: u64,
    ) -> io::Result<Self> {
        if format == GradeFormat::Csv {
            excel.begin()?;
            output::line(csv_head(estimates))?;
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
        while self.submissions.get(self.printed).is_some_and(|one| self.of_same(one).all(|found| found.is_some())) {
            self.print_row(self.printed)?;
            self.printed += 1;
        }
        let done = self.records.iter().flatten().count();
        self.line.show(&t!("grade-progress", done, of = self.records.len()));
        Ok(())
    }

    /// Prints what has not been printed yet: rows after a gap, and formats that are a single document. Returns true if
    /// a submission could not be judged.
    pub(super) fn end(mut self, exercise: &Exercise) -> anyhow::Result<bool> {
        self.line.clear();
        for at in self.printed..self.records.len() {
            self.print_row(at)?;
        }
        let rows: Vec<Row> = (0..self.records.len()).filter_map(|at| self.row(at)).collect();
        let (points, seed) = (self.points, self.seed);
        match (self.format, &*rows) {
            (GradeFormat::Human, _) => {
                let passed = rows.iter().filter(|row| row.passed).count();
                output::line(t!("grade-sum", passed, of = rows.len(), seed = seed.to_string()))?;
            }
            (GradeFormat::Json, _) => {
                output::json(&GradeDocument { exercise: &exercise.id, seed, submissions: &rows })?;
            }
            (GradeFormat::Junit, _) => output::line(junit(&exercise.id, seed, &rows))?,
            // A document would state a mark.
            (GradeFormat::Gradescope | GradeFormat::Autolab, [row, ..]) if row.is_unjudged() => {
                output::note(row.message.unwrap_or_default());
            }
            (GradeFormat::Gradescope, [row, ..]) => output::json(&gradescope(row, points, seed))?,
            (GradeFormat::Autolab, [row, ..]) => {
                let (message, scores) = autolab(row, points, seed);
                output::line(message)?;
                output::json(&scores)?;
            }
            (GradeFormat::Moodle, _) => Self::grades(Platform::Moodle, exercise, &rows)?,
            (GradeFormat::Canvas, _) => Self::grades(Platform::Canvas, exercise, &rows)?,
            (GradeFormat::Blackboard, _) => Self::grades(Platform::Blackboard, exercise, &rows)?,
            (GradeFormat::Csv, _) | (GradeFormat::Gradescope | GradeFormat::Autolab, []) => {}
        }
        Ok(rows.iter().any(Row::is_unjudged))
    }

    /// Prints the table of grades of a platform, and says whom it leaves out.
    fn grades(platform: Platform, exercise: &Exercise, rows: &[Row<'_>]) -> io::Result<()> {
        // The table has no column for them.
        let remarks =
            rows.iter().filter_map(|row| Some(format!("{}: {}", text::line(row.student), row.remark.as_ref()?)));
        remarks.collect::<BTreeSet<_>>().iter().for_each(output::note);
        let left_out: BTreeSet<&str> = rows.iter().filter(|row| row.id.is_empty()).map(|row| row.student).collect();
        if !left_out.is_empty() {
            output::note(t!("grade-no-id", students = left_out.into_iter().collect::<Vec<_>>().join(", ")));
        }
        output::line(grade_table(platform, &exercise.title, rows))
    }

    /// Prints the row of a submission, if it is known and the format has rows.
    fn print_row(&self, at: usize) -> io::Result<()> {
        let Some((row, Some(record))) = self.row(at).zip(self.records.get(at)) else { return Ok(()) };
        match self.format {
            GradeFormat::Human => {
                let (seconds, mib) = (format!("{:.1}", record.seconds), record.bytes >> 20);
                let points = format!("{}/{}", row.score, row.of);
                let (file, student) = (text::line(row.file), text::line(row.student));
                let more = [
                    row.remark.clone(),
                    (!row.similar.is_empty()).then(|| t!("grade-similar", students = row.similar.join(", "))),
                    row.estimated.map(|found| found.brief(RACE).to_string()),
                ];
                let state = [Some(state(&row)), more.into_iter().flatten().reduce(|a, b| format!("{a} {b}"))];
                let state = state.into_iter().flatten().collect::<Vec<_>>().join("  ");
                let (student, file) = (student.as_ref(), file.as_ref());
                output::line(t!("grade-row", student, file, points, seconds, mib, state = text::line(&state).as_ref()))
            }
            GradeFormat::Csv => output::line(row.csv(self.seed, self.estimates)),
            _ => Ok(()),
        }
    }

    fn row(&self, at: usize) -> Option<Row<'_>> {
        let one = self.submissions.get(at)?;
        Some(Row::new(one, self.records.get(at)?.as_ref()?, self.points, self.counts(one)))
    }

    /// Returns the records of all files of a student.
    fn of_same<'t>(&'t self, one: &'t Submission) -> impl DoubleEndedIterator<Item = Option<&'t Record>> {
        let same = move |other: &Submission| std::ptr::eq(one, other) || one.is_of(other);
        let all = self.submissions.iter().zip(&self.records).filter(move |(other, _)| same(other));
        all.map(|(_, record)| record.as_ref())
    }

    /// Returns which file of a student with several counts: the one with the most points, or the first of those. `None` until
    /// all are judged here.
    fn counts<'t>(&'t self, one: &'t Submission) -> Option<&'t str> {
        let judged = self.of_same(one).map(|record| record.filter(|record| !record.is_unjudged()));
        let all = judged.collect::<Option<Vec<&Record>>>()?;
        let best = all.iter().rev().max_by_key(|record| score(self.points, record).0)?;
        (all.len() == one.files && all.len() > 1).then_some(&best.file)
    }
}

/// Describes how a submission did in one line.
fn state(row: &Row) -> String {
    match (row.failed, row.message) {
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

#[cfg(test)]
mod tests {
    use super::head;

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
