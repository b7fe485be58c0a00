//! Types of `kernels/exercises/ID/exercise.yaml`, as an author writes it.

use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use tutor_course::At;
use tutor_exec::judge::{Count, CountGoal, Engine, Goal, JudgeShape};
use tutor_kernels::{Extent, HazardName, Needs};

/// An exercise: `kernels/exercises/ID/exercise.yaml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ExerciseFile {
    /// Id of its level.
    pub level: At<String>,
    /// Former names of its folder. Progress under these names belongs to this exercise.
    #[serde(default)]
    pub was: Vec<At<String>>,
    /// The student's work.
    pub kind: At<ExerciseKind>,
    /// At most 40 characters.
    pub title: String,
    /// Ids of the level's objectives.
    #[serde(default)]
    pub objectives: Vec<At<String>>,
    /// The kernel of the catalogue whose contract applies: parameters, block, grid, elements, tensor maps, needs.
    /// Counts are compared with it.
    pub kernel: At<String>,
    /// The solution's file in this folder; the kernel's source if absent.
    pub source: Option<At<String>>,
    /// The language of `source`.
    #[serde(default)]
    pub language: Language,
    /// Name of the function, if it differs from the kernel's.
    pub entry: Option<At<String>>,
    /// Threads per block, if they differ from the kernel's.
    pub block: Option<[u32; 3]>,
    /// Formulas of the grid, if they differ from the kernel's.
    pub grid: Option<Vec<String>>,
    /// Dynamic shared memory per block in bytes, if it differs from the kernel's: a number or a formula of the
    /// constants.
    pub shared_bytes: Option<At<Extent>>,
    /// Macros, if they differ from the kernel's.
    pub constants: Option<BTreeMap<String, i32>>,
    /// Target architecture, if it differs from the kernel's, for example `sm_80`.
    pub arch: Option<At<String>>,
    /// Requirements on the shape, if they differ from the kernel's.
    pub needs: Option<Needs>,
    /// The task, in Markdown, without the solution's method.
    pub task: String,
    /// Goals in addition to correct results without hazards.
    #[serde(default)]
    pub goals: Goals,
    /// For a repair: edits of the solution that break it.
    #[serde(default)]
    pub broken: Vec<Edit>,
    /// For a repair: the text of the faulty line in the broken source, or of several lines that are correct answers.
    pub line: Option<At<Lines>>,
    /// For a repair: the first goal that the broken kernel misses.
    pub symptom: Option<At<Goal>>,
    /// For a repair: the cures to choose from. Exactly one is correct.
    #[serde(default)]
    pub cures: Vec<CureEntry>,
    /// For a fill-in: the holes.
    #[serde(default)]
    pub holes: Vec<HoleEntry>,
    /// For a kernel to write: incorrect solutions, each with the goal that it misses.
    #[serde(default)]
    pub wrong: Vec<WrongEntry>,
    /// For a kernel to write: other correct solutions. The judge must accept them, so they show that its limits are fair.
    #[serde(default)]
    pub right: Vec<RightEntry>,
    /// For a kernel to write: mutants of the solution that pass, each with the reason why it is correct.
    #[serde(default)]
    pub survivors: Vec<Survivor>,
    /// Points that `grade` gives for each goal that is met. Without this field: results 3, hazards 1, counts 1.
    pub points: Option<At<Points>>,
    /// Hints, from the weakest to the strongest.
    #[serde(default)]
    pub hints: Vec<Hint>,
    /// What the next rung of the ladder adds. Shown after passing.
    #[serde(default)]
    pub next: String,
    /// The report of the bug that the exercise retells. Exercises with a report form the series *Bugs that shipped*.
    pub found: Option<At<Found>>,
}

/// A public report of a bug.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, serde::Serialize, JsonSchema)]
pub struct Found {
    /// The program that had the bug.
    pub project: String,
    /// The day of the report: `YYYY-MM-DD`.
    pub date: String,
    /// The report's address, which begins with `https://`.
    pub link: String,
}

/// The student's work in an exercise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExerciseKind {
    /// Find the faulty line in a kernel, and choose the cure.
    Repair,
    /// Choose the code for the holes of a kernel.
    Fill,
    /// Write the code that a starter lacks.
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

/// Goals in addition to correct results without hazards.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Goals {
    /// Limits on counts. If they are not listed, global sectors and bytes are limited to 1.05 times the reference's counts,
    /// and the instructions of the longest warp to 6 times.
    pub counts: Vec<CountGoal>,
    /// Parts of the hardware that a kernel must use. It must issue at least a quarter of the solution's instructions.
    pub uses: Vec<Engine>,
    /// The exercise is about matrices of more than 2³¹ elements. The judge always tests them, except in a browser, which
    /// lacks the addresses and refuses to judge such an exercise.
    pub far: bool,
    /// Launches in addition to those that every kernel must pass, for faults that the others do not reveal.
    pub shapes: Vec<At<JudgeShape>>,
    /// What earns a star on a GPU. Never required.
    pub star: Option<Star>,
}

/// What earns a star.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Star {
    /// A kernel of the catalogue.
    pub faster_than: At<String>,
    /// The required speedup over that kernel.
    #[serde(default = "one")]
    pub by: f64,
}

fn one() -> f64 {
    1.0
}

/// A change of a text.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Edit {
    /// The text to replace, which must occur exactly once.
    pub find: At<String>,
    /// The replacement.
    pub put: String,
}

/// The text of one line, or of several lines.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Lines {
    /// One line.
    One(String),
    /// Any of several lines.
    Several(Vec<String>),
}

/// A proposed cure of a broken kernel.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct CureEntry {
    /// Unique in the exercise.
    pub id: At<String>,
    /// The text that the student chooses.
    pub text: String,
    /// True for the correct cure.
    #[serde(default)]
    pub right: bool,
    /// Edits of the broken source.
    pub edits: Vec<Edit>,
    /// For an incorrect cure: the goal that the kernel misses with it.
    pub fails: Option<At<Goal>>,
    /// For an incorrect cure: the reply to students who choose it.
    #[serde(default)]
    pub why: String,
}

/// A hole of a kernel.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct HoleEntry {
    /// Unique in the exercise.
    pub id: At<String>,
    /// The question.
    pub ask: String,
    /// The text of the solution that the hole replaces, which must occur exactly once.
    pub find: At<String>,
    /// The fillings to choose from. One equals the solution.
    pub fillings: Vec<Filling>,
}

/// Code for a hole.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Filling {
    /// Unique in the hole.
    pub id: At<String>,
    /// The code.
    pub text: String,
    /// The reply to students who choose it, if it is the cause of a failure.
    #[serde(default)]
    pub why: String,
}

/// An incorrect solution.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct WrongEntry {
    /// Unique in the exercise.
    pub id: At<String>,
    /// The first goal that it misses.
    pub fails: At<Goal>,
    /// Edits of the solution.
    pub edits: Vec<Edit>,
}

/// Another correct solution.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RightEntry {
    /// Unique among the correct solutions.
    pub id: At<String>,
    /// Edits of the solution.
    pub edits: Vec<Edit>,
}

/// The points for each goal. Compiling and running alone give none unless the author wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, serde::Serialize, JsonSchema)]
#[serde(default)]
pub struct Points {
    /// The compiler accepts it.
    #[schemars(range(max = 1000))]
    pub compiles: u32,
    /// Every launch ends.
    #[schemars(range(max = 1000))]
    pub runs: u32,
    /// Every element is correct.
    #[schemars(range(max = 1000))]
    pub results: u32,
    /// There is no race.
    #[schemars(range(max = 1000))]
    pub hazards: u32,
    /// It keeps the limits on counts.
    #[schemars(range(max = 1000))]
    pub counts: u32,
}

impl Points {
    /// Maximum points for a goal.
    pub const MOST: u32 = 1000;
}

/// A mutant that passes because it is correct.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Survivor {
    /// The mutated line of the solution, which must occur once.
    pub find: At<String>,
    /// Why the change is harmless.
    pub why: String,
}

/// A hint.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Hint {
    /// The text, in Markdown.
    pub text: String,
    /// The failure for which the hint is shown; any failure if absent.
    pub when: Option<When>,
}

/// The failure to which a hint applies. All given conditions must hold.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct When {
    /// The first unmet goal.
    pub goal: Option<Goal>,
    /// The kind of the hazard.
    pub hazard: Option<HazardName>,
    /// The kind of the fault.
    pub fault: Option<FaultName>,
    /// The count that exceeds its limit.
    pub count: Option<Count>,
}

/// The kinds of faults in a student's kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaultName {
    /// An access outside a matrix or shared memory.
    OutOfBounds,
    /// An address that is not a multiple of the access's size.
    Misaligned,
    /// Threads of a block at different barriers.
    DivergentBarrier,
    /// A shuffle from a lane that does not take part, or a mask with the wrong lanes.
    AbsentLane,
    /// An `mbarrier` gets more arrivals than it counts, or a thread waits for arrivals that never come.
    Mbarrier,
    /// The kernel does not end: it executes too many instructions.
    StepBudget,
    /// The kernel does not end: all its threads wait.
    Livelock,
    /// A read of memory that has not been written.
    Uninitialised,
}
