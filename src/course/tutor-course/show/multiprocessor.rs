//! What an SM does at the same time: blocks, stages, warps at a branch, independent sums.

use crate::access::MAX_BLOCK_THREADS;
use crate::prelude::*;

/// The resources that a block takes on an SM of the H200, and the waves of a grid.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct OccupancyView {
    /// A built-in kernel. Registers and shared memory are those recorded from its machine code for sm_90a.
    pub kernel: Option<At<String>>,
    /// Threads per block; the kernel's if absent.
    #[schemars(range(min = OccupancyView::THREADS[0], max = OccupancyView::THREADS[1]))]
    pub threads: Option<u32>,
    /// Registers per thread; the kernel's if absent.
    #[schemars(range(min = OccupancyView::REGISTERS[0], max = OccupancyView::REGISTERS[1]))]
    pub registers: Option<u32>,
    /// Shared memory per block, in bytes. If absent, the kernel's, or 0 without a kernel.
    #[schemars(range(min = OccupancyView::SHARED[0], max = OccupancyView::SHARED[1]))]
    pub shared: Option<u32>,
    /// Number of blocks in the grid.
    #[schemars(range(min = OccupancyView::BLOCKS[0], max = OccupancyView::BLOCKS[1]))]
    pub blocks: u32,
    /// Number of SMs of the device; 132 if absent.
    #[serde(default = "number::<132>")]
    #[schemars(range(min = OccupancyView::MULTIPROCESSORS[0], max = OccupancyView::MULTIPROCESSORS[1]))]
    pub multiprocessors: u32,
}

impl OccupancyView {
    /// Minimum and maximum number of threads per block.
    pub const THREADS: [u32; 2] = [1, MAX_BLOCK_THREADS];
    /// Minimum and maximum number of registers per thread.
    pub const REGISTERS: [u32; 2] = [1, 255];
    /// Minimum and maximum shared memory per block, in bytes.
    pub const SHARED: [u32; 2] = [0, 227 * 1024];
    /// Minimum and maximum number of blocks in the grid.
    pub const BLOCKS: [u32; 2] = [1, 100_000];
    /// Minimum and maximum number of SMs of the device.
    pub const MULTIPROCESSORS: [u32; 2] = [1, 256];
}

/// A ring of stages with a producer and two consumers.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct RingView {
    /// Number of stages.
    #[serde(default = "number::<4>")]
    #[schemars(range(min = RingView::STAGES[0], max = RingView::STAGES[1]))]
    pub stages: u32,
    /// The flaw that is shown first; none if absent.
    #[serde(default)]
    pub flaw: RingFlaw,
}

impl RingView {
    /// Minimum and maximum number of stages.
    pub const STAGES: [u32; 2] = [2, 4];
}

/// A flaw of a ring. The numbers are those in `assets/pictures/kernels/ring.cu`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RingFlaw {
    /// No flaw.
    #[default]
    None = 0,
    /// Consumers release a stage before they have read it.
    EarlyRelease,
    /// Consumers wait for the wrong parity.
    ConsumerParity,
    /// The producer waits for the wrong parity.
    ProducerParity,
    /// One consumer never releases a stage.
    MissingArrive,
}

/// Tiles that pass through stages.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct StagesView {
    /// Number of stages.
    #[schemars(range(min = StagesView::STAGES[0], max = StagesView::STAGES[1]))]
    pub stages: u32,
    /// Cycles from the request of a tile until it arrives.
    #[schemars(range(min = StagesView::CYCLES[0], max = StagesView::CYCLES[1]))]
    pub load: u32,
    /// Cycles for the multiply-adds of a tile.
    #[schemars(range(min = StagesView::CYCLES[0], max = StagesView::CYCLES[1]))]
    pub multiply: u32,
}

impl StagesView {
    /// Minimum and maximum number of stages.
    pub const STAGES: [u32; 2] = [1, 4];
    /// Minimum and maximum cycles for a load, and for the multiply-adds of a tile.
    pub const CYCLES: [u32; 2] = [16, 8192];
}

/// A branch in the code of a warp.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct DivergenceView {
    /// An expression in `lane`. Lanes for which it is not 0 take the first side.
    pub condition: At<String>,
    /// Number of additions on the first side.
    #[schemars(range(min = DivergenceView::STEPS[0], max = DivergenceView::STEPS[1]))]
    pub then: u32,
    /// Number of multiplications on the second side.
    #[serde(default, rename = "else")]
    #[schemars(range(min = DivergenceView::STEPS[0], max = DivergenceView::STEPS[1]))]
    pub otherwise: u32,
}

impl DivergenceView {
    /// Minimum and maximum number of steps on a side.
    pub const STEPS: [u32; 2] = [0, 64];
}

/// What each warp of an SM does in 256 cycles of a simulated launch.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct TimelineView {
    /// Catalogue id of a kernel that computes in FP32.
    pub kernel: At<String>,
    /// Name of one of its variants. If absent, the default one.
    pub variant: Option<String>,
    /// Square size.
    #[schemars(range(min = 1, max = TimelineView::MAX_SIZE))]
    pub size: u32,
    /// The GPU: `nvidia-h100`, the default, or `nvidia-h200`.
    pub device: Option<At<String>>,
    /// Blocks at once on an SM. If absent, as many as fit.
    #[schemars(range(min = TimelineView::BLOCKS[0], max = TimelineView::BLOCKS[1]))]
    pub blocks: Option<u32>,
    /// Number of the warp, in the first block, that is selected first.
    #[serde(default)]
    pub warp: u32,
}

impl TimelineView {
    /// Maximum square size. Larger launches take the simulation too long.
    pub const MAX_SIZE: u32 = 4096;
    /// Minimum and maximum number of blocks at once.
    pub const BLOCKS: [u32; 2] = [1, 32];

    /// Returns the name under which the catalogue finds the kernel or its variant.
    pub fn program(&self) -> String {
        self.variant.as_ref().map_or_else(|| self.kernel.value.clone(), |name| format!("{}@{name}", self.kernel.value))
    }
}

/// Warps of an SM and independent sums of a thread. The nearest measured numbers are used.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct IlpView {
    /// Number of warps on an SM.
    #[schemars(range(min = IlpView::WARPS[0], max = IlpView::WARPS[1]))]
    pub warps: u32,
    /// Number of sums per thread.
    #[schemars(range(min = IlpView::SUMS[0], max = IlpView::SUMS[1]))]
    pub sums: u32,
}

impl IlpView {
    /// Minimum and maximum number of warps.
    pub const WARPS: [u32; 2] = [1, 32];
    /// Minimum and maximum number of sums.
    pub const SUMS: [u32; 2] = [1, 16];
}
