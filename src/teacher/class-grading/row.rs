//! A result with its points, as tables and other programs need it.

use crate::csv::csv_row;
use crate::marks;
use crate::record::Record;
use crate::submissions::Submission;
use serde::{Serialize, Serializer};
use tutor_exec::estimate::Estimated;
use tutor_exec::judge::Goal;
use tutor_exercises::Points;
use tutor_support::t;

/// The result of a submission. The field names are those of the command line's JSON.
#[derive(Serialize)]
pub struct Row<'a> {
    pub student: &'a str,
    /// How the platform of an archive calls the student; empty without one.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub id: &'a str,
    pub file: &'a str,
    pub passed: bool,
    /// As in [`Record::failed`].
    pub failed: Option<&'a str>,
    pub message: Option<&'a str>,
    /// Line in the submitted file.
    pub line: Option<u32>,
    pub score: u32,
    pub of: u32,
    #[serde(serialize_with = "by_name")]
    pub goals: &'a [(Goal, bool)],
    pub star: Option<bool>,
    pub seconds: f64,
    /// Peak memory of the worker process in MiB; null if the system does not report it.
    pub mib: Option<f64>,
    /// The estimated time of a kernel that passed, for information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated: Option<&'a Estimated>,
    pub remark: Option<String>,
    pub similar: Vec<String>,
}

/// Writes the goals as an object, with true for each goal that is met.
fn by_name<S: Serializer>(goals: &&[(Goal, bool)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(goals.iter().map(|(goal, met)| (goal.name(), met)))
}

impl<'a> Row<'a> {
    /// `counts` is the file that counts, if the student has several and all are judged.
    pub fn new(submission: &'a Submission, record: &'a Record, points: Points, counts: Option<&str>) -> Self {
        let (score, of) = marks::score(points, record);
        let several = (submission.files > 1).then(|| match counts {
            Some(file) => t!("grade-several-counts", files = submission.files, file),
            None => t!("grade-several", files = submission.files),
        });
        let late = submission.late.then(|| t!("grade-late"));
        let remarks = [several, late, record.remark.clone()].into_iter().flatten();
        let similar = |(name, percent): &(String, u32)| format!("{name} ({})", t!("app-percent", number = percent));
        Self {
            student: &submission.student,
            id: &submission.id,
            file: &record.file,
            passed: record.passed(),
            failed: record.failed.as_deref(),
            message: record.message.as_deref(),
            line: record.line,
            score,
            of,
            goals: &record.goals,
            star: record.star,
            seconds: (record.seconds * 1000.0).round() / 1000.0,
            mib: (record.bytes > 0).then(|| (record.bytes as f64 / f64::from(1 << 20) * 10.0).round() / 10.0),
            estimated: record.estimated.as_ref(),
            remark: remarks.reduce(|one, other| one + " " + &other),
            similar: submission.similar.iter().map(similar).collect(),
        }
    }

    pub fn is_unjudged(&self) -> bool {
        self.failed == Some("unjudged")
    }

    /// Returns a row of a CSV table (RFC 4180) with the columns of [`csv_head`].
    pub fn csv(&self, seed: u64, estimates: bool) -> String {
        let mut cells = vec![
            self.student.to_owned(),
            self.file.to_owned(),
            self.passed.to_string(),
            self.failed.unwrap_or_default().to_owned(),
            self.score.to_string(),
            self.of.to_string(),
            format!("{:.3}", self.seconds),
            self.mib.map(|mib| mib.to_string()).unwrap_or_default(),
            self.line.map(|line| line.to_string()).unwrap_or_default(),
            seed.to_string(),
            self.similar.join(", "),
            self.remark.clone().unwrap_or_default(),
            self.message.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" "),
        ];
        if estimates {
            cells.push(self.estimated.map(|found| format!("{:.4}", found.median_ms)).unwrap_or_default());
        }
        csv_row(cells)
    }
}

/// Returns the names of the columns, with one of estimated times if there are `estimates`.
pub fn csv_head(estimates: bool) -> String {
    let names = "student,file,passed,failed,score,of,seconds,mib,line,seed,similar,remark,message";
    if estimates { format!("{names},estimated_ms") } else { names.to_owned() }
}
