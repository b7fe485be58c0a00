//! What a multiprocessor does at the same time: blocks, stages, warps at a branch, independent sums.

use crate::access::MAX_BLOCK_THREADS;
use schemars::JsonSchema;
use serde::Deserialize;
use tutor_base::yaml::At;

/// What a block takes of a multiprocessor of the H200, and a grid of the device.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OccupancyView {
    /// A built-in kernel: what its block takes, registers and shared memory as recorded from its machine code for sm_90a.
    #[serde(default)]
    pub kernel: Option<At<String>>,
    /// Threads of a block; the kernel's if absent.
    #[serde(default)]
    #[schemars(range(min = OccupancyView::THREADS[0], max = OccupancyView::THREADS[1]))]
    pub threads: Option<u32>,
    /// Registers of a thread; the kernel's if absent.
    #[serde(default)]
    #[schemars(range(min = OccupancyView::REGISTERS[0], max = OccupancyView::REGISTERS[1]))]
    pub registers: Option<u32>,
    /// Shared memory of a block, in bytes; the kernel's if absent, or 0.
    #[serde(default)]
    #[schemars(range(min = OccupancyView::SHARED[0], max = OccupancyView::SHARED[1]))]
    pub shared: Option<u32>,
    /// Blocks of the grid.
    #[schemars(range(min = OccupancyView::BLOCKS[0], max = OccupancyView::BLOCKS[1]))]
    pub blocks: u32,
    /// Multiprocessors of the device; 132 if absent.
    #[serde(default = "h200_multiprocessors")]
    #[schemars(range(min = OccupancyView::MULTIPROCESSORS[0], max = OccupancyView::MULTIPROCESSORS[1]))]
    pub multiprocessors: u32,
}

pub(super) fn h200_multiprocessors() -> u32 {
    132
}

impl OccupancyView {
    /// Least and most threads of a block.
    pub const THREADS: [u32; 2] = [1, MAX_BLOCK_THREADS];
    /// Least and most registers of a thread.
    pub const REGISTERS: [u32; 2] = [1, 255];
    /// Least and most bytes of shared memory of a block.
    pub const SHARED: [u32; 2] = [0, 227 * 1024];
    /// Least and most blocks of the grid.
    pub const BLOCKS: [u32; 2] = [1, 100_000];
    /// Least and most multiprocessors of the device.
    pub const MULTIPROCESSORS: [u32; 2] = [1, 256];
}

/// A ring of stages with a producer and two consumers.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RingView {
    /// Stages.
    #[serde(default = "four")]
    #[schemars(range(min = RingView::STAGES[0], max = RingView::STAGES[1]))]
    pub stages: u32,
    /// How it is broken at first; not at all if absent.
    #[serde(default)]
    pub flaw: RingFlaw,
}

fn four() -> u32 {
    4
}

impl RingView {
    /// Least and most stages.
    pub const STAGES: [u32; 2] = [2, 4];
}

/// What is wrong with a ring; the numbers are those of `assets/pictures/kernels/ring.cu`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RingFlaw {
    /// Nothing.
    #[default]
    None = 0,
    /// Consumers hand a stage back before they have read it.
    EarlyRelease,
    /// Consumers wait for the other parity.
    ConsumerParity,
    /// The producer waits for the other parity.
    ProducerParity,
    /// One consumer never hands a stage back.
    MissingArrive,
}

/// Tiles that go through stages.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StagesView {
    /// Stages.
    #[schemars(range(min = StagesView::STAGES[0], max = StagesView::STAGES[1]))]
    pub stages: u32,
    /// Cycles from asking for a tile to having it.
    #[schemars(range(min = StagesView::CYCLES[0], max = StagesView::CYCLES[1]))]
    pub load: u32,
    /// Cycles of a tile's multiply-adds.
    #[schemars(range(min = StagesView::CYCLES[0], max = StagesView::CYCLES[1]))]
    pub multiply: u32,
}

impl StagesView {
    /// Least and most stages.
    pub const STAGES: [u32; 2] = [1, 4];
    /// Least and most cycles of a load, and of a tile's multiply-adds.
    pub const CYCLES: [u32; 2] = [16, 8192];
}

/// A branch that a warp meets.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DivergenceView {
    /// An expression in `lane`; lanes for which it is not 0 take the first side.
    pub condition: At<String>,
    /// Additions of the first side.
    #[schemars(range(min = DivergenceView::STEPS[0], max = DivergenceView::STEPS[1]))]
    pub then: u32,
    /// Multiplications of the second side.
    #[serde(default, rename = "else")]
    #[schemars(range(min = DivergenceView::STEPS[0], max = DivergenceView::STEPS[1]))]
    pub otherwise: u32,
}

impl DivergenceView {
    /// Least and most steps of a side.
    pub const STEPS: [u32; 2] = [0, 64];
}

/// Warps of a multiprocessor and independent sums of a thread; the nearest that were measured.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IlpView {
    /// Warps of a multiprocessor.
    #[schemars(range(min = IlpView::WARPS[0], max = IlpView::WARPS[1]))]
    pub warps: u32,
    /// Sums of a thread.
    #[schemars(range(min = IlpView::SUMS[0], max = IlpView::SUMS[1]))]
    pub sums: u32,
}

impl IlpView {
    /// Least and most warps.
    pub const WARPS: [u32; 2] = [1, 32];
    /// Least and most sums.
    pub const SUMS: [u32; 2] = [1, 16];
}
