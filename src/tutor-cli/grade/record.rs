//! The result of a submission: as the judge sees it, and as a record for storage and output.

use crate::support::limits::Exceeded;
use serde::{Deserialize, Serialize};
use std::path::Path;
use tutor_exec::estimate::Estimated;
use tutor_exec::judge::{Cause, Goal, Verdict};
use tutor_exercises::{Judgement, goals};
use tutor_support::t;

/// The result of a submission in a form for storage and output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) file: String,
    /// The reason for the failure: a goal, `line`, `untouched`, `missing`, `refused`, `time`, `memory`, `crash` or `unjudged`.
    /// `None` if it passed.
    pub(super) failed: Option<String>,
    /// A description of the first problem.
    pub(super) message: Option<String>,
    /// Advice about it.
    pub(super) help: Option<String>,
    /// Line in the submitted file.
    pub(super) line: Option<u32>,
    /// Each goal, in order, with true if it is met.
    pub(super) goals: Vec<(Goal, bool)>,
    pub(super) star: Option<bool>,
    pub(super) seconds: f64,
    /// Peak memory of the worker in bytes; 0 if the system does not report it.
    pub(super) bytes: u64,
    /// The estimated time of a kernel that passed, for information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) estimated: Option<Estimated>,
}

impl Record {
    /// Returns the record of a submission that could not be judged through no fault of its own.
    pub(super) fn unjudged(file: String, why: String) -> Self {
        Graded { file, outcome: Outcome::Unjudged(why), seconds: 0.0, bytes: 0, estimated: None }.into()
    }

    /// Returns the record of a student who submitted no file of this type, or several where only one can be graded.
    pub(super) fn missing(folder: &Path, extension: &str, handed_in: &[String]) -> Self {
        let outcome = Outcome::Refused(match handed_in {
            [] => t!("grade-missing", extension),
            all => t!("grade-too-many", extension, files = all.len(), names = all.join(", ")),
        });
        let file = folder.display().to_string();
        let record = Graded { file, outcome, seconds: 0.0, bytes: 0, estimated: None }.into();
        Self { failed: Some("missing".to_owned()), ..record }
    }

    pub(super) fn passed(&self) -> bool {
        self.failed.is_none()
    }

    pub(super) fn is_unjudged(&self) -> bool {
        self.failed.as_deref() == Some("unjudged")
    }
}

impl From<Graded> for Record {
    fn from(graded: Graded) -> Self {
        let judgement = match &graded.outcome {
            Outcome::Judged(judgement) => Some(judgement),
            _ => None,
        };
        let finding = judgement.and_then(|judgement| match &judgement.verdict {
            Verdict::Failed(finding) => Some(finding),
            Verdict::Passed => None,
        });
        Self {
            failed: graded.failed().map(str::to_owned),
            message: graded.message(),
            help: finding.and_then(|finding| Some(finding.help.as_ref()?.to_string())),
            line: finding.and_then(|finding| Some(finding.place.as_ref()?.1)),
            goals: graded.goals(),
            star: judgement.and_then(|judgement| judgement.star),
            seconds: graded.seconds,
            bytes: graded.bytes,
            estimated: graded.estimated,
            file: graded.file,
        }
    }
}

/// The result of a submission in the process that judged it.
pub(super) struct Graded {
    pub(super) file: String,
    pub(super) outcome: Outcome,
    pub(super) seconds: f64,
    /// Peak memory of the worker in bytes; 0 if the system does not report it.
    pub(super) bytes: u64,
    pub(super) estimated: Option<Estimated>,
}

pub(super) enum Outcome {
    Judged(Judgement),
    /// The submission is the starter code, or empty.
    Untouched,
    /// The file is unreadable or not an answer: a message.
    Refused(String),
    /// The submission exceeded a limit.
    Exceeded(Exceeded),
    /// The process that judges it ends each time, although it can judge the solution: true if it ends while it compiles,
    /// and a message.
    Crash(bool, String),
    /// The submission could not be judged here through no fault of its own: a message.
    Unjudged(String),
}

/// The goals that can give points; a star gives none.
const POINTS: [Goal; 5] = [Goal::Compiles, Goal::Runs, Goal::Results, Goal::Hazards, Goal::Counts];

impl Graded {
    /// Returns each goal, in order, with true if it is met.
    fn goals(&self) -> Vec<(Goal, bool)> {
        let met: Vec<Goal> = match &self.outcome {
            Outcome::Judged(judgement) if judgement.line_right == Some(false) || wrote_nothing(judgement) => Vec::new(),
            Outcome::Judged(judgement) => goals(&judgement.verdict)
                .into_iter()
                .filter(|(_, met)| *met == Some(true))
                .map(|(goal, _)| goal)
                .collect(),
            _ => Vec::new(),
        };
        POINTS.into_iter().map(|goal| (goal, met.contains(&goal))).collect()
    }

    /// Returns the reason for the failure, as in [`Record::failed`].
    fn failed(&self) -> Option<&'static str> {
        match &self.outcome {
            Outcome::Judged(judgement) => judgement.failed(),
            Outcome::Untouched => Some("untouched"),
            Outcome::Refused(_) => Some("refused"),
            Outcome::Crash(true, _) => Some("compiles"),
            Outcome::Crash(false, _) => Some("crash"),
            Outcome::Exceeded(Exceeded::Time) => Some("time"),
            Outcome::Exceeded(Exceeded::Memory) => Some("memory"),
            Outcome::Unjudged(_) => Some("unjudged"),
        }
    }

    /// Returns a description of the problem. `None` if it passed.
    fn message(&self) -> Option<String> {
        match &self.outcome {
            Outcome::Judged(judgement) => match &judgement.verdict {
                Verdict::Failed(finding) => Some(finding.message.to_string()),
                Verdict::Passed if judgement.line_right == Some(false) => Some(t!("grade-line")),
                Verdict::Passed => None,
            },
            Outcome::Untouched => Some(t!("grade-untouched")),
            Outcome::Crash(_, why) => Some(t!("grade-crash", why)),
            Outcome::Refused(message) | Outcome::Unjudged(message) => Some(message.clone()),
            Outcome::Exceeded(Exceeded::Time) => Some(t!("grade-time")),
            Outcome::Exceeded(Exceeded::Memory) => Some(t!("grade-memory")),
        }
    }
}

/// True if the kernel wrote no element of C, as an empty function does.
fn wrote_nothing(judgement: &Judgement) -> bool {
    matches!(&judgement.verdict, Verdict::Failed(finding) if finding.cause == Cause::Unwritten)
}
