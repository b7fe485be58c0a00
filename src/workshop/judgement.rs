//! What a try came to: what was handed in, what the judge says of it, and whether it is fast.

use super::exercise::{Exercise, Work};
use super::judging::Answer;
use crate::exec::judge::{Goal, Verdict};
use crate::exec::protocol::{LaunchRequest, Program, Shape, Target};
use crate::mastery::{Try, fresh_seed};
use crate::t;

/// Edge of the matrices that a star is raced on.
pub const RACE: u32 = 2048;

/// A judgement.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// What was handed in.
    pub answer: Answer,
    /// What the judge says.
    pub verdict: Verdict,
    /// Of a repair: whether the line is one at fault.
    pub line_right: Option<bool>,
    /// Whether it is fast enough; none if that was not measured.
    pub star: Option<bool>,
    /// What the star rests on: a sentence.
    pub faster: Option<String>,
}

impl Judgement {
    /// Of an answer; no time was measured.
    pub fn new(exercise: &Exercise, answer: Answer, verdict: Verdict) -> Self {
        let line_right = match (&exercise.work, &answer) {
            (Work::Repair(repair), Answer::Cure { line, .. }) => Some(repair.lines.contains(line)),
            _ => None,
        };
        Self { answer, verdict, line_right, star: None, faster: None }
    }

    /// Whether every goal is met, and the line is the right one.
    pub fn passed(&self) -> bool {
        self.verdict == Verdict::Passed && self.line_right != Some(false)
    }

    /// The first goal that is not met.
    pub fn failed(&self) -> Option<&'static str> {
        match &self.verdict {
            Verdict::Failed(finding) => Some(finding.goal.name()),
            Verdict::Passed if self.line_right == Some(false) => Some("line"),
            Verdict::Passed => None,
        }
    }

    /// As it is kept.
    pub fn tried(&self, answer: &str) -> Try {
        Try {
            answer: answer.to_owned(),
            failed: self.failed().map(str::to_owned),
            starred: self.passed() && self.star == Some(true),
        }
    }

    /// Takes the times of both kernels of a race into account, in ms, and whether all was right.
    pub fn raced(&mut self, exercise: &Exercise, [own, theirs]: [Option<f64>; 2], right: bool) {
        let (Some((rung, by)), Some(own), Some(theirs)) = (&exercise.star, own, theirs) else { return };
        let share = theirs / own;
        let ratio = format!("{share:.2}");
        self.star = Some(right && share >= *by);
        self.faster = Some(t!("exercise-star-measured", ratio = ratio, rung = rung, n = RACE));
    }
}

impl Exercise {
    /// The launch on a GPU that decides about the star; none if there is none to win.
    pub fn race(&self, id: u64, ptx: &str) -> Option<LaunchRequest> {
        let (rung, _) = self.star.as_ref()?;
        Some(LaunchRequest {
            id,
            programs: vec![self.program(ptx), Program::new(rung)],
            shape: Shape::square(RACE),
            alpha: 1.0,
            beta: 0.0,
            on: Target::Cuda,
            seed: fresh_seed(),
            time: true,
            seconds: 1.0,
            cublas: false,
            verify: true,
            counts: false,
            hazards: false,
        })
    }
}

/// What a goal is called.
pub fn goal_name(goal: Goal) -> String {
    match goal {
        Goal::Compiles => t!("exercise-goal-compiles"),
        Goal::Runs => t!("exercise-goal-runs"),
        Goal::Results => t!("exercise-goal-results"),
        Goal::Hazards => t!("exercise-goal-hazards"),
        Goal::Counts => t!("exercise-goal-counts"),
        Goal::Faster => t!("exercise-goal-faster"),
    }
}
