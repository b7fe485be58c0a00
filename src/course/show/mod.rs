//! Types of what a page shows: code, or an instrument with its start values.

mod access;
mod launch;
mod multiprocessor;
mod tensor;
mod tiles;

pub use access::*;
pub use launch::*;
pub use multiprocessor::*;
pub use tensor::*;
pub use tiles::*;

use schemars::JsonSchema;
use serde::Deserialize;
use tutor_base::yaml::At;

/// The one thing to look at on a page.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
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
    /// Blocks on a multiprocessor, what limits them, and the waves of a grid.
    Occupancy(OccupancyView),
    /// The outer product of a thread's tile, k by k.
    RegisterTile(RegisterTileView),
    /// Which lane of a warp holds which element of a matrix.
    Fragment(FragmentView),
    /// Numbers in FP32, TF32, FP16 and BF16, bit by bit, and what a product loses.
    Formats(FormatsView),
    /// A ring of stages, step by step, which can be broken.
    Ring(RingView),
    /// Load, wait and multiply over time, with one stage or several.
    Stages(StagesView),
    /// Recorded latency against the size of what is read.
    Hierarchy(HierarchyView),
    /// A box of a matrix, as a tensor map brings it into shared memory.
    TensorBox(TensorBoxView),
    /// Where the lanes of a warp stand in its tile, and which of them share words.
    WarpTile(WarpTileView),
    /// Which tiles of C are computed at the same time, and which strips they share.
    Raster(RasterView),
    /// A warp at a branch, and what it issues.
    Divergence(DivergenceView),
    /// Recorded multiply-adds in a cycle, by warps and by independent sums.
    Ilp(IlpView),
    /// The variants of a kernel for a shape, ranked by the model that chooses among them.
    Choice(ChoiceView),
    /// Recorded error against speed of FP32 products, by the library and by products of bf16 parts.
    Frontier(FrontierView),
    /// An exercise of the workshop, by its id: what is to be done, and how far the student is.
    Exercise(At<String>),
}

impl Show {
    /// The catalogue ids of the kernels that it shows or launches.
    pub fn kernels(&self) -> Vec<&str> {
        let ids: Vec<&At<String>> = match self {
            Self::Code(view) => vec![&view.kernel],
            Self::Banks(view) => view.kernel.iter().collect(),
            Self::Occupancy(view) => view.kernel.iter().collect(),
            Self::Hazard(view) => [&view.kernel, &view.correct].into_iter().chain(&view.delayed).collect(),
            Self::Run(view) => view.kernels.iter().collect(),
            Self::Sweep(view) => vec![&view.kernel],
            Self::Choice(view) => vec![&view.kernel],
            Self::Roofline(view) => view.kernels.iter().collect(),
            _ => Vec::new(),
        };
        ids.into_iter().map(|id| id.value.as_str()).collect()
    }
}
