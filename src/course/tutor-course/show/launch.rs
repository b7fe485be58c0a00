//! Kernels to launch (a run, a sweep, a roofline, a hazard to step through), and the code of a kernel.

use crate::prelude::*;

/// Maximum size of a square matrix on a page: three such matrices take 3 GiB.
pub const MAX_SIZE: u32 = 16_384;

/// A region of a kernel file.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct CodeView {
    /// Catalogue id.
    pub kernel: At<String>,
    /// Region name; the whole file if absent.
    pub region: Option<At<String>>,
    /// Notes next to lines.
    #[serde(default)]
    pub notes: Vec<CodeNote>,
}

/// A note anchored to text in the shown code.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct CodeNote {
    /// Part of a line. The note belongs to the first line that contains it.
    pub at: At<String>,
    /// One short sentence.
    pub note: String,
}

/// Kernels to launch.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct RunView {
    /// One to four kernels. Two or more are compared; the first is the reference.
    #[schemars(length(min = 1, max = RunView::MAX_KERNELS))]
    pub kernels: Vec<At<String>>,
    /// Square size that is selected first.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub size: u32,
    /// Sizes to choose from.
    #[serde(default)]
    #[schemars(length(max = RunView::MAX_SIZES), inner(range(min = 1, max = MAX_SIZE)))]
    pub sizes: Vec<u32>,
    /// Counts to show in addition to the time.
    #[serde(default)]
    pub counts: Vec<CountRow>,
    /// True if each launch also estimates how busy the data pipe, the issue slots and the arithmetic are.
    #[serde(default)]
    pub bounds: bool,
}

impl RunView {
    /// Maximum number of kernels to compare.
    pub const MAX_KERNELS: usize = 4;
    /// Maximum number of sizes to choose from.
    pub const MAX_SIZES: usize = 12;
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
    /// FLOP per byte requested from global memory.
    Intensity,
    /// The hazards found.
    Hazards,
}

/// All variants of a kernel, launched alternately.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct SweepView {
    /// Catalogue id of a kernel with variants.
    pub kernel: At<String>,
    /// Square size on a GPU. The emulator counts at a smaller size.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub size: u32,
    /// If present, the student searches for a fast variant. Recorded times are hidden. Each measurement replays one, and takes
    /// its time from this budget in milliseconds.
    #[schemars(range(min = 1, max = SweepView::MAX_BUDGET))]
    pub budget_ms: Option<u32>,
}

impl SweepView {
    /// Maximum budget of a search, in milliseconds.
    pub const MAX_BUDGET: u32 = 100_000;
}

/// The variants of a kernel, ranked for a shape by the model that chooses among them.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct ChoiceView {
    /// Catalogue id of a kernel whose variants were measured.
    pub kernel: At<String>,
    /// Rows of C.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub m: u32,
    /// Columns of C.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub n: u32,
    /// Length of the dot products.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub k: u32,
}

/// The recorded method for FP32 products that is selected first.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct FrontierView {
    /// Square size. The nearest size that was timed is used.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub size: u32,
    /// Number of products of bf16 parts: 1, 3, 6 or 9.
    #[schemars(extend("enum" = [1, 3, 6, 9]))]
    pub products: u32,
    /// True if their sums are promoted.
    #[serde(default)]
    pub promoted: bool,
}

/// Arithmetic intensity of kernels against the device's limits.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct RooflineView {
    /// Kernels to show. Their intensity is computed from counts, their speed is from a run or from recorded times.
    #[schemars(length(min = 1, max = RooflineView::MAX_KERNELS))]
    pub kernels: Vec<At<String>>,
    /// Square size.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub size: u32,
}

impl RooflineView {
    /// Maximum number of kernels to show.
    pub const MAX_KERNELS: usize = 8;
}

/// A hazard to step through.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct HazardView {
    /// A kernel of the catalogue whose result is expected to be incorrect.
    pub kernel: At<String>,
    /// Its correct counterpart.
    pub correct: At<String>,
    /// A kernel with the same fault, which a delayed warp makes visible. "Run it" offers it.
    pub delayed: Option<At<String>>,
}
