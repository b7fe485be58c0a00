//! Types of `modules/course.yaml` and of a level's lesson file.

use super::claim::Claim;
use super::spanned::At;
use schemars::JsonSchema;
use serde::Deserialize;

/// `modules/course.yaml`: the levels in order and what opens the next.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CourseFile {
    /// Stable id of the course; progress is stored under it.
    pub id: At<String>,
    /// Shown on the course map.
    pub title: String,
    /// One sentence below the title.
    #[serde(default)]
    pub question: String,
    /// Language codes of the editions, the first being the original (`modules/`, `quizzes/`);
    /// the others live in `modules/CODE/` and `quizzes/CODE/` with the same file names and ids.
    pub languages: Vec<At<String>>,
    /// What passes a level.
    pub gate: Gate,
    /// In the order in which they open.
    pub levels: Vec<LevelEntry>,
}

/// The pass mark of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// 1 to 100.
    pub percent: At<u32>,
}

impl Gate {
    /// Correct answers needed of `questions`: `ceil(percent × questions / 100)`, in integers.
    pub fn required(self, questions: u32) -> u32 {
        (u64::from(self.percent.value) * u64::from(questions)).div_ceil(100) as u32
    }
}

/// One level in `course.yaml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LevelEntry {
    /// Stable id, e.g. `one-thread`.
    pub id: At<String>,
    /// Shown on the course map.
    pub title: String,
    /// The question that the level answers.
    pub question: String,
    /// File name in `modules/`.
    pub lesson: At<String>,
    /// File name in `quizzes/`. A level without one has no gate: it opens what the level before it opens.
    #[serde(default)]
    #[schemars(with = "String")]
    pub quiz: Option<At<String>>,
    /// Kernels whose recorded share of cuBLAS the map shows as the level's span: the slowest and the fastest.
    #[serde(default)]
    pub ladder: Vec<At<String>>,
}

/// A level's lesson file, `modules/NN-name.yaml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LessonFile {
    /// The level's id in `course.yaml`.
    pub level: At<String>,
    /// What a student can do afterwards; ids are referred to by pages and quiz slots.
    pub objectives: Vec<Objective>,
    /// Terms introduced here.
    #[serde(default)]
    pub glossary: Vec<Term>,
    /// In reading order.
    pub pages: Vec<Page>,
}

/// A learning objective.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Objective {
    /// Stable id.
    pub id: At<String>,
    /// "After this level you can …", without those words.
    pub text: String,
}

/// A glossary entry.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The term.
    pub term: String,
    /// One or two sentences.
    pub means: String,
}

/// One page: at most about 120 words and one thing to look at.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// Stable id, unique in the level.
    pub id: At<String>,
    /// Short; shown in the page list.
    pub title: String,
    /// What the page is for.
    pub tag: Tag,
    /// Objectives it serves.
    #[serde(default)]
    pub objectives: Vec<At<String>>,
    /// Markdown, shown first.
    #[serde(default)]
    pub text: String,
    /// Recall questions, each answered in the student's head, then revealed.
    #[serde(default)]
    pub recall: Vec<Recall>,
    /// A prediction to commit to before the rest of the page appears.
    #[serde(default)]
    pub predict: Option<Predict>,
    /// The thing to look at.
    #[serde(default)]
    pub show: Option<Show>,
    /// Markdown, shown after the prediction (or below `show`).
    #[serde(default)]
    pub after: String,
    /// What the page states and the machine can confirm.
    #[serde(default)]
    pub claims: Vec<At<Claim>>,
}

/// What a page is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tag {
    /// Active recall of earlier matter.
    Recall,
    /// A scene from life.
    Concrete,
    /// A picture of the data.
    Representational,
    /// The formula.
    Abstract,
    /// Reading code.
    Code,
    /// Playing with a simulator.
    Simulate,
    /// Stepping through a hazard.
    Hazard,
    /// Launching kernels.
    Run,
    /// Self-explanation.
    Why,
    /// Doing.
    Exercise,
    /// What was learnt.
    Summary,
    /// What comes next; also used for the learning goals at the start.
    Preview,
}

/// A question with an answer to reveal.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recall {
    /// Markdown.
    pub ask: String,
    /// Markdown.
    pub answer: String,
}

/// A prediction: choices, and what to say to whoever made each.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Predict {
    /// Markdown.
    pub ask: String,
    /// Two to six.
    pub choices: Vec<PredictChoice>,
}

/// A choice of a [`Predict`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PredictChoice {
    /// Short.
    pub text: String,
    /// Whether it is what happens.
    #[serde(default)]
    pub correct: bool,
    /// Speaks to this choice.
    pub reply: String,
}

/// The one thing to look at on a page.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Show {
    /// A region of a kernel's source with notes.
    Code(CodeView),
    /// The library scene: books fetched one by one or a desk-full at a time.
    Library(LibraryScene),
    /// The walk of the A tile and the B tile over t.
    TileWalk(TileWalk),
    /// Who loads which element of the tiles.
    CooperativeLoad(CooperativeLoad),
    /// The iteration space and which thread computes which element of C.
    ThreadMap(ThreadMap),
    /// The sectors that one warp-wide global access touches.
    Coalescing(CoalescingView),
    /// The bank-conflict simulator.
    Banks(BankView),
    /// The hazard stepper.
    Hazard(HazardView),
    /// Launching one kernel, or comparing several.
    Run(RunView),
    /// Every variant of a kernel compared, as a heat map.
    Sweep(SweepView),
    /// A roofline: arithmetic intensity against the device's limits.
    Roofline(RooflineView),
}

/// Every variant of a kernel, launched in turns.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepView {
    /// Catalogue id of a kernel that comes in variants.
    pub kernel: At<String>,
    /// Square size on a GPU; the emulator counts at a smaller one.
    pub size: u32,
}

/// A region of a kernel file.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeView {
    /// Catalogue id.
    pub kernel: At<String>,
    /// Region name; the whole file if absent.
    #[serde(default)]
    pub region: Option<At<String>>,
    /// Notes beside lines.
    #[serde(default)]
    pub notes: Vec<CodeNote>,
}

/// A note anchored to text in the shown code.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeNote {
    /// A piece of a line; the note goes to the first line that contains it.
    pub at: At<String>,
    /// One short sentence.
    pub note: String,
}

/// The library analogy.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LibraryScene {
    /// Books needed, e.g. 100.
    pub books: u32,
    /// Books the desk holds, e.g. 16.
    pub desk: u32,
}

/// Tiles walking over a small product.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TileWalk {
    /// Edge of the square matrices, in elements.
    pub n: u32,
    /// Edge of a tile, in elements.
    pub tile: u32,
}

/// Who loads what.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CooperativeLoad {
    /// Edge of the tile and of the block, e.g. 16.
    pub tile: u32,
}

/// Which thread computes which element of C.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThreadMap {
    /// Rows of C.
    pub m: u32,
    /// Columns of C.
    pub n: u32,
    /// Length of the dot product.
    pub k: u32,
}

/// Sectors of one request.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoalescingView {
    /// Leading dimension, in elements.
    pub pitch: u32,
    /// Bytes of an element: 4, 8 or 16.
    pub width: u32,
    /// Row as an expression in `lane`, `tx`, `ty`, `k`.
    pub row: At<String>,
    /// Column, likewise.
    pub column: At<String>,
    /// Block shape `[x, y]`.
    pub block: [u32; 2],
}

/// Start values of the bank-conflict simulator.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BankView {
    /// Rows of the shared array.
    pub rows: u32,
    /// Row length, in elements, without padding.
    pub pitch: u32,
    /// Elements of padding at the end of a row.
    #[serde(default)]
    pub pad: u32,
    /// Bytes of an element: 4, 8 or 16.
    #[serde(default = "four")]
    pub width: u32,
    /// `load` or `store`.
    #[serde(default)]
    pub access: AccessDirection,
    /// Row as an expression in `lane`, `tx`, `ty`, `k`.
    pub row: At<String>,
    /// Column, likewise.
    pub column: At<String>,
    /// Block shape `[x, y]`; the warp's lanes are its threads in x-major order.
    pub block: [u32; 2],
    /// Which warp of the block.
    #[serde(default)]
    pub warp: u32,
    /// Value of `k`.
    #[serde(default)]
    pub k: u32,
    /// Lanes that take part: the first so many.
    #[serde(default = "thirty_two")]
    pub lanes: u32,
    /// The real kernel that makes this access, if any (`k` in the simulator shows its counts).
    #[serde(default)]
    pub kernel: Option<At<String>>,
}

fn four() -> u32 {
    4
}

fn thirty_two() -> u32 {
    32
}

/// Load or store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccessDirection {
    /// Memory to register.
    #[default]
    Load,
    /// Register to memory.
    Store,
}

/// A hazard to step through.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HazardView {
    /// A kernel of the catalogue that is expected to be wrong.
    pub kernel: At<String>,
    /// Its correct counterpart.
    pub correct: At<String>,
    /// The same fault made plain by a delayed warp, offered by "run it".
    #[serde(default)]
    pub delayed: Option<At<String>>,
}

/// Kernels to launch.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunView {
    /// One to four; with two or more they are compared, the first being the reference.
    pub kernels: Vec<At<String>>,
    /// Size selected at first, square n.
    pub size: u32,
    /// Sizes to choose from.
    #[serde(default)]
    pub sizes: Vec<u32>,
    /// Count rows to show besides the time.
    #[serde(default)]
    pub counts: Vec<CountRow>,
}

/// A row of counts under a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CountRow {
    /// Global loads: requests and sectors.
    GlobalLoads,
    /// Global stores: requests and sectors.
    GlobalStores,
    /// Shared loads: requests and wavefronts.
    SharedLoads,
    /// Shared stores: requests and wavefronts.
    SharedStores,
    /// FLOP over global bytes asked for.
    Intensity,
    /// Hazards found.
    Hazards,
}

/// Arithmetic intensity of kernels against the device's limits.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RooflineView {
    /// Kernels to place; intensity is computed from counts, speed from a run or from recorded times.
    pub kernels: Vec<At<String>>,
    /// Square size.
    pub size: u32,
}
