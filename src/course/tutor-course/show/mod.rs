//! The types of what a page shows: code, or an interactive picture with its initial values.

mod access;
mod integers;
mod launch;
mod multiprocessor;
mod tensor;
mod tiles;

pub use access::*;
pub use integers::*;
pub use launch::*;
pub use multiprocessor::*;
pub use tensor::*;
pub use tiles::*;

use crate::prelude::*;

/// The one element to look at on a page.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Show {
    /// A region of a kernel's source with notes.
    Code(CodeView),
    /// The library analogy: a student fetches books one at a time, or as many as fit on the desk.
    Library(LibraryScene),
    /// How the tiles of A and B move from step to step.
    TileWalk(TileWalk),
    /// Which thread loads which element of the tiles.
    CooperativeLoad(CooperativeLoad),
    /// The iteration space, and which thread computes which element of C.
    ThreadMap(ThreadMap),
    /// The sectors that one warp-wide global access touches.
    Coalescing(CoalescingView),
    /// The bank-conflict simulator.
    Banks(BankView),
    /// The hazard stepper.
    Hazard(HazardView),
    /// Launches one kernel, or compares several.
    Run(RunView),
    /// Compares every variant of a kernel, as a heat map.
    Sweep(SweepView),
    /// A roofline: arithmetic intensity and the device's limits.
    Roofline(RooflineView),
    /// Blocks on an SM, what limits them, and the waves of a grid.
    Occupancy(OccupancyView),
    /// The outer products of a thread's tile, one k after another.
    RegisterTile(RegisterTileView),
    /// Which lane of a warp holds which element of a matrix.
    Fragment(FragmentView),
    /// Numbers in FP32, TF32, FP16 and BF16, bit by bit, and the rounding error of their product.
    Formats(FormatsView),
    /// An integer or a small product by its residues, and the Chinese remainder theorem.
    Residues(ResiduesView),
    /// The error of an FP64 product from residues, by the number of moduli.
    Moduli(ModuliView),
    /// Numbers of a block that share a scale: MXFP4, NVFP4 and MXFP8.
    BlockScales(BlockScalesView),
    /// A ring of stages, step by step. The student can add a flaw.
    Ring(RingView),
    /// Load, wait and multiply over time, with one stage or several.
    Stages(StagesView),
    /// Recorded latency as a function of the size of the data.
    Hierarchy(HierarchyView),
    /// A box of a matrix, as a tensor map brings it into shared memory.
    TensorBox(TensorBoxView),
    /// The positions of a warp's lanes in its tile, and which lanes share words.
    WarpTile(WarpTileView),
    /// Which tiles of C are computed at the same time, and which strips they share.
    Raster(RasterView),
    /// A warp at a branch, and the instructions that it issues.
    Divergence(DivergenceView),
    /// Recorded multiply-adds per cycle, by number of warps and of independent sums.
    Ilp(IlpView),
    /// The variants of a kernel, ranked for a shape by the model that chooses among them.
    Choice(ChoiceView),
    /// Recorded error and speed of FP32 products, computed by the library and from products of bf16 parts.
    Frontier(FrontierView),
    /// The cycles of a simulated SM: which warps start instructions, and what the others wait for.
    Timeline(TimelineView),
    /// An exercise of the workshop, by its id: the task, and the student's progress.
    Exercise(At<String>),
}

impl Show {
    /// Returns the catalogue ids of the kernels that it shows or launches.
    pub fn kernels(&self) -> Vec<&At<String>> {
        match self {
            Self::Code(view) => vec![&view.kernel],
            Self::Banks(view) => view.kernel.iter().collect(),
            Self::Occupancy(view) => view.kernel.iter().collect(),
            Self::Hazard(view) => [&view.kernel, &view.correct].into_iter().chain(&view.delayed).collect(),
            Self::Run(view) => view.kernels.iter().collect(),
            Self::Sweep(view) => vec![&view.kernel],
            Self::Choice(view) => vec![&view.kernel],
            Self::Timeline(view) => vec![&view.kernel],
            Self::Roofline(view) => view.kernels.iter().collect(),
            _ => Vec::new(),
        }
    }
}
