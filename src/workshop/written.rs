//! Types of `kernels/exercises/ID/exercise.yaml`, as an author writes them.

use ptx_emulator::HazardKind;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use tutor_course::At;
use tutor_exec::judge::{Count, CountGoal, Goal, JudgeShape};
use tutor_kernels::{Extent, Needs};

/// An exercise: `kernels/exercises/ID/exercise.yaml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExerciseFile {
    /// Id of the level that it belongs to.
    pub level: At<String>,
    /// Names that its folder had before: what students did under them is this exercise's.
    #[serde(default)]
    pub was: Vec<At<String>>,
    /// What the student does.
    pub kind: At<ExerciseKind>,
    /// At most 40 characters.
    pub title: String,
    /// Objectives of that level.
    #[serde(default)]
    pub objectives: Vec<At<String>>,
    /// The kernel of the catalogue whose contract this one has: parameters, block, grid, elements, tensor maps, needs.
    /// Counts are held against it.
    pub kernel: At<String>,
    /// The solution's file in this folder; the kernel's own source if absent.
    #[serde(default)]
    #[schemars(with = "String")]
    pub source: Option<At<String>>,
    /// The language of `source`.
    #[serde(default)]
    pub language: Language,
    /// Name of the function, if it is another than the kernel's.
    #[serde(default)]
    #[schemars(with = "String")]
    pub entry: Option<At<String>>,
    /// Threads of a block, if they are others than the kernel's.
    #[serde(default)]
    #[schemars(with = "[u32; 3]")]
    pub block: Option<[u32; 3]>,
    /// Formulas of the grid, if they are others than the kernel's.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub grid: Option<Vec<String>>,
    /// Dynamic shared memory of a block in bytes, a number or a formula of the constants, if it is another than the kernel's.
    #[serde(default)]
    #[schemars(with = "Extent")]
    pub shared_bytes: Option<At<Extent>>,
    /// Macros, if they are others than the kernel's.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, i32>")]
    pub constants: Option<BTreeMap<String, i32>>,
    /// What it is compiled for, if it is another than the kernel's, e.g. `sm_80`.
    #[serde(default)]
    #[schemars(with = "String")]
    pub arch: Option<At<String>>,
    /// What a shape must be, if it is something else than for the kernel.
    #[serde(default)]
    #[schemars(with = "Needs")]
    pub needs: Option<Needs>,
    /// Markdown: what is to be done. Not how.
    pub task: String,
    /// What is asked beyond right results and no hazards.
    #[serde(default)]
    pub goals: Goals,
    /// Of a repair: edits of the solution that break it.
    #[serde(default)]
    pub broken: Vec<Edit>,
    /// Of a repair: the text of the line at fault in the broken source, or of several that are right answers.
    #[serde(default)]
    #[schemars(with = "Lines")]
    pub line: Option<Lines>,
    /// Of a repair: the first goal that the broken kernel does not meet.
    #[serde(default)]
    #[schemars(with = "Goal")]
    pub symptom: Option<At<Goal>>,
    /// Of a repair: what the student chooses from; exactly one is right.
    #[serde(default)]
    pub cures: Vec<CureEntry>,
    /// Of a fill-in: the holes.
    #[serde(default)]
    pub holes: Vec<HoleEntry>,
    /// Of one to write: wrong solutions, each with the goal by which it fails.
    #[serde(default)]
    pub wrong: Vec<WrongEntry>,
    /// Of one to write: mutants of the solution that pass, each with the reason why that is right.
    #[serde(default)]
    pub survivors: Vec<Survivor>,
    /// Hints, the weakest first.
    #[serde(default)]
    pub hints: Vec<Hint>,
    /// What the next rung adds: shown after passing.
    #[serde(default)]
    pub next: String,
}

/// What a student does in an exercise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExerciseKind {
    /// Finds the line at fault in a kernel, and chooses the cure.
    Repair,
    /// Chooses what stands in the holes of a kernel.
    Fill,
    /// Writes what a starter leaves out.
    Write,
}

/// The language of a solution.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, serde::Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// CUDA C++, compiled by NVRTC.
    #[default]
    Cuda,
    /// PTX, which needs no compiler.
    Ptx,
}

/// What is asked beyond right results and no hazards.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Goals {
    /// Limits of counts; of global sectors and bytes also without being named here, what the reference has.
    #[serde(default)]
    pub counts: Vec<CountGoal>,
    /// Right results also with matrices of more than 2³¹ elements. They take addresses, and hardly any memory.
    #[serde(default)]
    pub far: bool,
    /// Launches beside those that every kernel must stand, where wrong texts go wrong that the others do not show.
    #[serde(default)]
    #[schemars(with = "Vec<JudgeShape>")]
    pub shapes: Vec<At<JudgeShape>>,
    /// What earns a star on a GPU. Never required.
    #[serde(default)]
    #[schemars(with = "Star")]
    pub star: Option<Star>,
}

/// What earns a star.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Star {
    /// A kernel of the catalogue.
    pub faster_than: At<String>,
    /// How many times as fast as it.
    #[serde(default = "one")]
    pub by: f64,
}

fn one() -> f64 {
    1.0
}

/// A change of a text.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// What is replaced; it occurs exactly once.
    pub find: At<String>,
    /// What stands there instead.
    pub put: String,
}

/// The text of one line, or of several.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Lines {
    /// One.
    One(String),
    /// Any of several.
    Several(Vec<String>),
}

/// A cure of a broken kernel.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CureEntry {
    /// Unique in the exercise.
    pub id: At<String>,
    /// What the student chooses.
    pub text: String,
    /// Whether it cures.
    #[serde(default)]
    pub right: bool,
    /// Edits of the broken source.
    pub edits: Vec<Edit>,
    /// Of a wrong one: the goal that is not met with it.
    #[serde(default)]
    #[schemars(with = "Goal")]
    pub fails: Option<At<Goal>>,
    /// Of a wrong one: the answer to who chose it.
    #[serde(default)]
    pub why: String,
}

/// A hole of a kernel.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HoleEntry {
    /// Unique in the exercise.
    pub id: At<String>,
    /// The question.
    pub ask: String,
    /// The text of the solution whose place it takes; it occurs exactly once.
    pub find: At<String>,
    /// What the student chooses from; one is the solution's own.
    pub fillings: Vec<Filling>,
}

/// What may stand in a hole.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Filling {
    /// Unique in the hole.
    pub id: At<String>,
    /// The code.
    pub text: String,
    /// The answer to who chose it, if it is to blame.
    #[serde(default)]
    pub why: String,
}

/// A wrong solution.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WrongEntry {
    /// Unique in the exercise.
    pub id: At<String>,
    /// The first goal that it does not meet.
    pub fails: At<Goal>,
    /// Edits of the solution.
    pub edits: Vec<Edit>,
}

/// A mutant that passes, and may.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Survivor {
    /// The line of the solution that was changed; it occurs once.
    pub find: At<String>,
    /// Why that does no harm.
    pub why: String,
}

/// A hint.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hint {
    /// Markdown.
    pub text: String,
    /// What must have gone wrong; anything if absent.
    #[serde(default)]
    #[schemars(with = "When")]
    pub when: Option<When>,
}

/// What a hint is for. All that is given must hold.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// The first goal that is not met.
    #[serde(default)]
    #[schemars(with = "Goal")]
    pub goal: Option<Goal>,
    /// The kind of the hazard.
    #[serde(default)]
    #[schemars(with = "HazardName")]
    pub hazard: Option<HazardName>,
    /// The kind of the fault.
    #[serde(default)]
    #[schemars(with = "FaultName")]
    pub fault: Option<FaultName>,
    /// What there is too much of.
    #[serde(default)]
    #[schemars(with = "Count")]
    pub count: Option<Count>,
}

/// The kinds of hazards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum HazardName {
    /// Read after write.
    Raw,
    /// Write after read.
    War,
    /// Write after write.
    Waw,
}

impl From<HazardName> for HazardKind {
    fn from(name: HazardName) -> Self {
        match name {
            HazardName::Raw => Self::Raw,
            HazardName::War => Self::War,
            HazardName::Waw => Self::Waw,
        }
    }
}

/// The kinds of faults that a student's kernel has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaultName {
    /// Outside of a matrix, or of shared memory.
    OutOfBounds,
    /// No multiple of the access's size.
    Misaligned,
    /// Threads of a block at different barriers.
    DivergentBarrier,
    /// A shuffle from a lane that does not come to it.
    AbsentLane,
    /// An `mbarrier` gets more arrivals than it counts, or somebody waits for what nobody brings.
    Mbarrier,
    /// It does not end: too many instructions.
    StepBudget,
    /// It does not end: all wait.
    Livelock,
    /// Nothing has written what is read.
    Uninitialised,
}
