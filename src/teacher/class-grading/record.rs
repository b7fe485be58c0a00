//! The result of a submission: as the judge sees it, and as a record for storage and output.

use crate::platforms::names_in;
use serde::{Deserialize, Serialize};
use std::path::Path;
use tutor_exec::estimate::Estimated;
use tutor_exec::judge::{Cause, Goal, Verdict};
use tutor_exercises::{Judgement, goals};
use tutor_support::t;

/// How the judgement of a submission ended.
pub enum Outcome {
    Judged(Judgement),
    /// The submission is the starter code, or empty.
    Untouched,
    /// The file is unreadable or not an answer: a message.
    Refused(String),
    /// The submission exceeded the limit on time.
    Time,
    /// The submission exceeded the limit on memory.
    Memory,
    /// The process that judges it ends each time, although it can judge the solution.
    Crash {
        while_compiling: bool,
        why: String,
    },
    /// The submission could not be judged here through no fault of its own: a message.
    Unjudged(String),
}

/// The result of a submission in a form for storage and output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub file: String,
    /// The reason for the failure: a goal, `line`, `untouched`, `missing`, `refused`, `time`, `memory`, `crash` or `unjudged`.
    /// `None` if it passed.
    pub failed: Option<String>,
    /// A description of the first problem.
    pub message: Option<String>,
    pub help: Option<String>,
    /// Line in the submitted file.
    pub line: Option<u32>,
    /// Each goal, in order, with true if it is met.
    pub goals: Vec<(Goal, bool)>,
    pub star: Option<bool>,
    /// What the instructor should know about the kernel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    pub seconds: f64,
    /// Peak memory of the worker in bytes; 0 if the system does not report it.
    pub bytes: u64,
    /// The estimated time of a kernel that passed, for information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated: Option<Estimated>,
}

/// The goals that can give points; a star gives none.
const POINTS: [Goal; 5] = [Goal::Compiles, Goal::Runs, Goal::Results, Goal::Hazards, Goal::Counts];

impl Record {
    /// Returns the record of an outcome that took no time.
    pub fn new(file: String, outcome: &Outcome) -> Self {
        let judgement = match outcome {
            Outcome::Judged(judgement) => Some(judgement),
            _ => None,
        };
        let finding = judgement.and_then(|judgement| match &judgement.verdict {
            Verdict::Failed(finding) => Some(finding),
            Verdict::Passed => None,
        });
        Self {
            file,
            failed: outcome.failed().map(str::to_owned),
            message: outcome.message(),
            help: finding.and_then(|finding| Some(finding.help.as_ref()?.to_string())),
            line: finding.and_then(|finding| Some(finding.place.as_ref()?.1)),
            goals: outcome.goals(),
            star: judgement.and_then(|judgement| judgement.star),
            remark: None,
            seconds: 0.0,
            bytes: 0,
            estimated: None,
        }
    }

    /// Returns the record of a student who submitted no file of this type, but perhaps others, or several where only one can
    /// be graded.
    pub fn missing(path: &Path, extension: &str, handed_in: &[String]) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let others = names_in(path).or_else(|| path.symlink_metadata().is_ok().then(|| vec![name.clone()]));
        let outcome = Outcome::Refused(match (handed_in, others.as_deref()) {
            ([], None) => t!("grade-nothing", name),
            ([], Some([])) => t!("grade-missing", extension),
            ([], Some(all)) => {
                let files = all.iter().take(5).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                t!("grade-missing-but", extension, files, more = all.len().saturating_sub(5))
            }
            (all, _) => t!("grade-too-many", extension, files = all.len(), names = all.join(", ")),
        });
        Self { failed: Some("missing".to_owned()), ..Self::new(path.display().to_string(), &outcome) }
    }

    pub fn passed(&self) -> bool {
        self.failed.is_none()
    }

    pub fn is_unjudged(&self) -> bool {
        self.failed.as_deref() == Some("unjudged")
    }
}

impl Outcome {
    /// Returns each goal, in order, with true if it is met.
    fn goals(&self) -> Vec<(Goal, bool)> {
        let met: Vec<Goal> = match self {
            Self::Judged(judgement) if judgement.line_right != Some(false) && !wrote_nothing(judgement) => {
                let goals = goals(&judgement.verdict).into_iter();
                goals.filter(|(_, met)| *met == Some(true)).map(|(goal, _)| goal).collect()
            }
            _ => Vec::new(),
        };
        POINTS.into_iter().map(|goal| (goal, met.contains(&goal))).collect()
    }

    /// Returns the reason for the failure, as in [`Record::failed`].
    fn failed(&self) -> Option<&'static str> {
        match self {
            Self::Judged(judgement) => judgement.failed(),
            Self::Untouched => Some("untouched"),
            Self::Refused(_) => Some("refused"),
            Self::Crash { while_compiling: true, .. } => Some("compiles"),
            Self::Crash { .. } => Some("crash"),
            Self::Time => Some("time"),
            Self::Memory => Some("memory"),
            Self::Unjudged(_) => Some("unjudged"),
        }
    }

    /// Returns a description of the problem. `None` if it passed.
    fn message(&self) -> Option<String> {
        match self {
            Self::Judged(judgement) => match &judgement.verdict {
                Verdict::Failed(finding) => Some(finding.message.to_string()),
                Verdict::Passed if judgement.line_right == Some(false) => Some(t!("grade-line")),
                Verdict::Passed => None,
            },
            Self::Untouched => Some(t!("grade-untouched")),
            Self::Crash { why, .. } => Some(t!("grade-crash", why)),
            Self::Refused(message) | Self::Unjudged(message) => Some(message.clone()),
            Self::Time => Some(t!("grade-time")),
            Self::Memory => Some(t!("grade-memory")),
        }
    }
}

/// True if the kernel wrote no element of C, as an empty function does.
fn wrote_nothing(judgement: &Judgement) -> bool {
    matches!(&judgement.verdict, Verdict::Failed(finding) if finding.cause == Cause::Unwritten)
}
