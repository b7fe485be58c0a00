//! The judge's request and verdict: the goals, and what was found at the first unmet one.

use crate::fault::ExecError;
use crate::program::Program;
use crate::protocol::Shape;
use ptx_emulator::{FaultKind, Hazard, HazardKind, Rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tutor_support::text;
use tutor_support::words::Sentence;

/// See [`Request::Judge`](crate::protocol::Request::Judge).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgeRequest {
    /// Id chosen by the parent.
    pub id: u64,
    /// The kernel to judge.
    pub program: Program,
    /// The PTX of the same source without optimisation, if a compiler made the program's.
    #[serde(default)]
    pub unoptimised: Option<String>,
    /// The solution. Its counts at the same shape are the basis of the limits.
    pub reference: Program,
    /// The counts that have a limit.
    pub counts: Vec<CountGoal>,
    /// The engines that the kernel must use.
    pub uses: Vec<Engine>,
    /// True if only matrices with more than 2³¹ elements reveal the faults that the exercise is about. The judge always
    /// tests them if the system has the addresses. If it does not, such an exercise cannot be judged.
    pub far: bool,
    /// Shapes that the judge tests in addition to those for every kernel.
    pub shapes: Vec<JudgeShape>,
    /// Seed of the inputs, of the order of warps, and of one of the shapes.
    pub seed: u64,
}

/// A launch that an exercise adds, because the other launches do not reveal the faults of its incorrect solutions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeShape {
    /// Rows of A and C. If the kernel needs a multiple of some number, this and the next extents are rounded up to it.
    #[schemars(range(min = 1, max = 2048))]
    pub m: u32,
    /// Columns of B and C.
    #[schemars(range(min = 1, max = 2048))]
    pub n: u32,
    /// Columns of A and rows of B.
    #[schemars(range(min = 1, max = 40000))]
    pub k: u32,
    /// Unused elements between the rows of each matrix.
    #[serde(default)]
    #[schemars(range(max = 64))]
    pub gap: u32,
    /// The factor of the product.
    #[serde(default = "one")]
    pub alpha: f32,
    /// The factor of the old C.
    #[serde(default)]
    pub beta: f32,
}

fn one() -> f32 {
    1.0
}

impl JudgeShape {
    /// Maximum number of rows and of columns.
    pub const LARGEST: u32 = 2048;
    /// Maximum K, large enough for a K that overflows a 16-bit counter.
    pub const DEEPEST: u32 = 40_000;
    /// Maximum number of unused elements between rows.
    pub const WIDEST_GAP: u32 = 64;
}

/// A limit on a count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CountGoal {
    /// The count that the limit applies to.
    pub of: Count,
    /// The limit, as a multiple of the reference's count at the same shape.
    pub at_most: f64,
}

/// A count of memory requests or barriers, summed over a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Count {
    /// 32-byte sectors of global memory.
    GlobalSectors,
    /// Bytes that threads request from global memory.
    GlobalBytes,
    /// Wavefronts of shared memory.
    SharedWavefronts,
    /// Barriers that blocks pass.
    Barriers,
    /// Warp-wide accesses to local memory, where arrays are that the kernel indexes at run time.
    LocalAccesses,
    /// Instructions of the warp that executes most of them. It is large if the other warps leave the work to one.
    LongestWarp,
}

/// A part of the hardware that an exercise asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// Asynchronous copies of 4 to 16 bytes per thread: `cp.async`.
    AsyncCopy,
    /// The copy engine: `cp.async.bulk`.
    BulkCopy,
    /// The tensor cores: `mma`, `wmma` or `wgmma`.
    TensorCores,
}

impl Engine {
    /// True if an instruction without its types uses this engine.
    pub(super) fn runs(self, op: &str) -> bool {
        match self {
            Self::AsyncCopy => op.starts_with("cp.async") && !op.starts_with("cp.async.bulk"),
            Self::BulkCopy => op.starts_with("cp.async.bulk"),
            Self::TensorCores => op.starts_with("mma") || op.starts_with("wmma.mma") || op.starts_with("wgmma"),
        }
    }

    /// Returns the instruction's name for messages.
    pub(super) fn instruction(self) -> &'static str {
        match self {
            Self::AsyncCopy => "cp.async",
            Self::BulkCopy => "cp.async.bulk",
            Self::TensorCores => "mma",
        }
    }
}

/// A requirement on a kernel. The judge checks them in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// The kernel compiles, and has the required name and parameters.
    Compiles,
    /// Every launch ends without a fault.
    Runs,
    /// Every element is correct on every shape, and the kernel writes nothing else.
    Results,
    /// The kernel has no hazards and no other undefined behaviour: its result does not depend on the order of threads.
    Hazards,
    /// No count exceeds its limit.
    Counts,
    /// The kernel is faster than another one on a GPU. Never required.
    Faster,
}

impl Goal {
    /// All goals in order.
    pub const ALL: [Self; 6] = [Self::Compiles, Self::Runs, Self::Results, Self::Hazards, Self::Counts, Self::Faster];

    /// Returns its name in files and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compiles => "compiles",
            Self::Runs => "runs",
            Self::Results => "results",
            Self::Hazards => "hazards",
            Self::Counts => "counts",
            Self::Faster => "faster",
        }
    }
}

/// What the judge found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Verdict {
    /// Every goal up to [`Goal::Counts`] is met.
    Passed,
    /// The first goal that is not met.
    Failed(Box<Finding>),
}

/// Maximum number of lines of the kernel's output that are kept, and of their characters.
const MAX_PRINTED: (usize, usize) = (12, 2000);

/// A verdict, and what a student also wants to know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    pub verdict: Verdict,
    /// What knew the limits of a GPU: the assembler, with what the kernel takes, or tables.
    pub limits: Sentence,
    /// The beginning of what the kernel printed in the first launch that printed something.
    pub printed: String,
}

impl From<Verdict> for Judged {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, limits: Sentence::default(), printed: String::new() }
    }
}

/// Returns the beginning of a kernel's output, and a sign if more follows.
pub(super) fn beginning(output: &str) -> String {
    let lines: Vec<&str> = output.lines().take(MAX_PRINTED.0).collect();
    let begin: String = lines.join("\n").chars().take(MAX_PRINTED.1).collect();
    let more = if begin.len() < output.trim_end().len() { "\n…" } else { "" };
    text::lines(&begin).into_owned() + more
}

/// Why a goal is not met.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The unmet goal.
    pub goal: Goal,
    /// What was found, and where.
    pub message: Sentence,
    /// What it means, or where to look.
    pub help: Option<Sentence>,
    /// Source file and line of the problem, if known.
    pub place: Option<(String, u32)>,
    /// Extents of the launch that showed it.
    pub shape: Option<Shape>,
    /// The kind of problem, for hints.
    pub cause: Cause,
    /// The hazard, if that is the problem.
    pub hazard: Option<Hazard>,
    /// Row and column of the first incorrect elements of C, at most [`MAX_WRONG`].
    pub wrong: Vec<[u32; 2]>,
}

/// Maximum number of incorrect elements that a finding lists.
pub const MAX_WRONG: usize = 4096;

/// The kind of problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A problem without a category.
    Other,
    /// A fault of the launch.
    Fault(FaultKind),
    /// A hazard.
    Hazard(HazardKind),
    /// Other undefined behaviour.
    Undefined(Rule),
    /// A count that exceeds its limit.
    Count(Count),
    /// No element of C was written.
    Unwritten,
}

impl Finding {
    /// Makes a finding from the compiler's message and the location at the beginning of one of its lines.
    pub fn not_compiled(error: &ExecError) -> Self {
        let place = error.message.to_string().lines().find_map(|line| {
            let (place, _) = line.split_once("): ")?;
            let (file, line) = place.rsplit_once('(')?;
            Some((file.to_owned(), line.parse().ok()?))
        });
        let finding = Self::new(Goal::Compiles, Cause::Other, error.message.clone());
        Self { help: error.help.clone(), place, ..finding }
    }

    pub(super) fn new(goal: Goal, cause: Cause, message: impl Into<Sentence>) -> Self {
        Self {
            goal,
            message: message.into(),
            help: None,
            place: None,
            shape: None,
            cause,
            hazard: None,
            wrong: Vec::new(),
        }
    }

    #[must_use]
    pub(super) fn help(mut self, help: impl Into<Sentence>) -> Self {
        self.help = Some(help.into());
        self
    }

    #[must_use]
    pub(super) fn at(mut self, shape: Shape) -> Self {
        self.shape = Some(shape);
        self
    }
}
