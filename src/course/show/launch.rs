//! Launched kernels: a run, a sweep, a roofline, a hazard to step through; and a kernel's code.

use schemars::JsonSchema;
use serde::Deserialize;
use tutor_base::yaml::At;

/// Largest square matrix that a page may ask for: three of them take 3 GiB.
pub const MAX_SIZE: u32 = 16_384;

/// A region of a kernel file.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeNote {
    /// A piece of a line; the note goes to the first line that contains it.
    pub at: At<String>,
    /// One short sentence.
    pub note: String,
}

/// Kernels to launch.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunView {
    /// One to four; with two or more they are compared, the first being the reference.
    #[schemars(length(min = 1, max = RunView::MOST_KERNELS))]
    pub kernels: Vec<At<String>>,
    /// Size selected at first, square n.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub size: u32,
    /// Sizes to choose from.
    #[serde(default)]
    #[schemars(length(max = RunView::MOST_SIZES), inner(range(min = 1, max = MAX_SIZE)))]
    pub sizes: Vec<u32>,
    /// Count rows to show besides the time.
    #[serde(default)]
    pub counts: Vec<CountRow>,
}

impl RunView {
    /// Most kernels that are compared.
    pub const MOST_KERNELS: usize = 4;
    /// Most sizes to choose from.
    pub const MOST_SIZES: usize = 12;
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

/// Every variant of a kernel, launched in turns.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepView {
    /// Catalogue id of a kernel that comes in variants.
    pub kernel: At<String>,
    /// Square size on a GPU; the emulator counts at a smaller one.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub size: u32,
}

/// The variants of a kernel for a shape, ranked by the model that chooses among them.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChoiceView {
    /// Catalogue id of a kernel whose variants were measured.
    pub kernel: At<String>,
    /// Rows of C.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub m: u32,
    /// Columns of C.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub n: u32,
    /// Length of the sums.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub k: u32,
}

/// A way to compute an FP32 product that is looked at first, among those recorded.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrontierView {
    /// Square size; the nearest that was timed.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub size: u32,
    /// Products of bf16 parts: 1, 3, 6 or 9.
    #[schemars(range(min = 1, max = 9))]
    pub products: u32,
    /// Whether their sums are promoted.
    #[serde(default)]
    pub promoted: bool,
}

/// Arithmetic intensity of kernels against the device's limits.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RooflineView {
    /// Kernels to place; intensity is computed from counts, speed from a run or from recorded times.
    #[schemars(length(min = 1, max = RooflineView::MOST_KERNELS))]
    pub kernels: Vec<At<String>>,
    /// Square size.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub size: u32,
}

impl RooflineView {
    /// Most kernels that are placed.
    pub const MOST_KERNELS: usize = 8;
}

/// A hazard to step through.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
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
