//! What became of a submission: where it was judged, and as a record that travels and is printed.

use crate::session::Exceeded;
use serde::{Deserialize, Serialize};
use tutor_base::t;
use tutor_exec::judge::{Goal, Verdict};
use tutor_workshop::{Judgement, goals};

/// What became of a submission, as it is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) file: String,
    /// A goal, `line`, `refused`, `time`, `memory` or `unjudged`; nothing if it passed.
    pub(super) failed: Option<String>,
    /// What is wrong, in a sentence.
    pub(super) message: Option<String>,
    /// Of the submission's own file.
    pub(super) line: Option<u32>,
    /// Whether each goal is met, in order.
    pub(super) goals: Vec<(Goal, bool)>,
    pub(super) star: Option<bool>,
    pub(super) seconds: f64,
    /// The most memory that its worker had, in bytes; 0 where the system does not say.
    pub(super) bytes: u64,
}

impl Record {
    /// Of a submission that could not be judged, for a reason that is not its fault.
    pub(super) fn unjudged(file: String, why: String) -> Self {
        Graded { file, outcome: Outcome::Unjudged(why), seconds: 0.0, bytes: 0 }.into()
    }

    pub(super) fn passed(&self) -> bool {
        self.failed.is_none()
    }

    pub(super) fn is_unjudged(&self) -> bool {
        self.failed.as_deref() == Some("unjudged")
    }

    pub(super) fn score(&self) -> usize {
        self.goals.iter().filter(|(_, met)| *met).count()
    }
}

impl From<Graded> for Record {
    fn from(graded: Graded) -> Self {
        let judgement = match &graded.outcome {
            Outcome::Judged(judgement) => Some(judgement),
            _ => None,
        };
        let place = judgement.and_then(|judgement| match &judgement.verdict {
            Verdict::Failed(finding) => finding.place.as_ref(),
            Verdict::Passed => None,
        });
        Self {
            failed: graded.failed().map(str::to_owned),
            message: graded.message(),
            line: place.map(|(_, line)| *line),
            goals: graded.goals(),
            star: judgement.and_then(|judgement| judgement.star),
            seconds: graded.seconds,
            bytes: graded.bytes,
            file: graded.file,
        }
    }
}

/// What became of a submission, where it was judged.
pub(super) struct Graded {
    pub(super) file: String,
    pub(super) outcome: Outcome,
    pub(super) seconds: f64,
    /// The most memory that its worker had, in bytes; 0 where the system does not say.
    pub(super) bytes: u64,
}

pub(super) enum Outcome {
    Judged(Judgement),
    /// It is no answer, or cannot be read: a sentence.
    Refused(String),
    /// It took more than it may.
    Exceeded(Exceeded),
    /// Not the submission's fault: it cannot be judged here.
    Unjudged(String),
}

/// The goals that give a point each; a star gives none.
const POINTS: [Goal; 5] = [Goal::Compiles, Goal::Runs, Goal::Results, Goal::Hazards, Goal::Counts];

impl Graded {
    /// Whether each goal is met, in order, and what is wrong at the first that is not.
    fn goals(&self) -> Vec<(Goal, bool)> {
        let met: Vec<Goal> = match &self.outcome {
            Outcome::Judged(judgement) if judgement.line_right == Some(false) => Vec::new(),
            Outcome::Judged(judgement) => goals(&judgement.verdict)
                .into_iter()
                .filter(|(_, met)| *met == Some(true))
                .map(|(goal, _)| goal)
                .collect(),
            _ => Vec::new(),
        };
        POINTS.into_iter().map(|goal| (goal, met.contains(&goal))).collect()
    }

    /// What it fails by: a goal, `line`, `refused`, `time`, `memory` or `unjudged`; nothing if it passed.
    fn failed(&self) -> Option<&'static str> {
        match &self.outcome {
            Outcome::Judged(judgement) => judgement.failed(),
            Outcome::Refused(_) => Some("refused"),
            Outcome::Exceeded(Exceeded::Time) => Some("time"),
            Outcome::Exceeded(Exceeded::Memory) => Some("memory"),
            Outcome::Unjudged(_) => Some("unjudged"),
        }
    }

    /// What is wrong, in a sentence; nothing if it passed.
    fn message(&self) -> Option<String> {
        match &self.outcome {
            Outcome::Judged(judgement) => match &judgement.verdict {
                Verdict::Failed(finding) => Some(finding.message.clone()),
                Verdict::Passed if judgement.line_right == Some(false) => Some(t!("grade-line")),
                Verdict::Passed => None,
            },
            Outcome::Refused(message) | Outcome::Unjudged(message) => Some(message.clone()),
            Outcome::Exceeded(Exceeded::Time) => Some(t!("grade-time")),
            Outcome::Exceeded(Exceeded::Memory) => Some(t!("grade-memory")),
        }
    }
}
