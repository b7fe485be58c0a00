//! Claims: statements of a page that `check` can prove.

use super::show::{BankView, CoalescingView, TimelineView};
use crate::prelude::*;
use tutor_kernels::HazardName;

/// Maximum square size of a claim. Up to this size, the emulator counts every block and not only a sample.
pub const MAX_CLAIM_SIZE: u32 = 128;
/// Maximum square size of the counts of a cause. Tiles of large kernels are 256 wide; small tiles are not all counted.
pub const MAX_CAUSE_SIZE: u32 = 256;
/// Maximum relative tolerance of a claim.
pub const MAX_WITHIN: f64 = 0.5;

/// A statement that `check` proves on the emulator (and on the GPU with `--gpu`).
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// Wavefronts of an access that is described as in the bank-conflict simulator.
    Banks(BanksClaim),
    /// Sectors of an access that is described as on a page about coalescing.
    Coalescing(CoalescingClaim),
    /// Wavefronts per request of a kernel's shared accesses.
    Wavefronts(AccessClaim),
    /// Sectors per request of a kernel's global accesses.
    Sectors(AccessClaim),
    /// The hazards that a kernel has; an empty list states that it has none.
    Hazards(HazardsClaim),
    /// Whether a kernel's result is correct.
    Verified(VerifiedClaim),
    /// A ratio of two kernels' counts.
    Ratio(RatioClaim),
    /// FLOP per byte that the lanes request from global memory.
    Intensity(IntensityClaim),
    /// A figure of the recorded timings.
    Recorded(RecordedClaim),
    /// Cycles per warp-wide multiply-add on an SM, from the recorded timings.
    Cycles(CyclesClaim),
    /// A figure of the recorded comparison of a kernel's variants.
    Sweep(SweepClaim),
    /// Figures of a kernel's machine code.
    MachineCode(MachineCodeClaim),
    /// The cause of a difference between two recorded times.
    Because(BecauseClaim),
    /// A figure of an estimated launch.
    Estimated(EstimatedClaim),
    /// What a launch needs of a part of an SM.
    Bound(BoundClaim),
}

/// Wavefronts of a described access.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct BanksClaim {
    /// The access.
    pub access: BankView,
    /// Wavefronts that it takes.
    pub wavefronts: u32,
}

/// Sectors of a described access by the first warp of the block, at `k` = 0.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct CoalescingClaim {
    /// The access.
    pub access: CoalescingView,
    /// Sectors that it touches.
    pub sectors: u32,
}

/// The cost per request of a kernel's accesses.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct AccessClaim {
    /// Catalogue id.
    pub kernel: At<String>,
    /// Text in the source line of the access; if absent, all lines with that `op` together.
    pub at: Option<At<String>>,
    /// `ld.shared`, `st.shared`, `ld.global` or `st.global`.
    #[schemars(extend("enum" = ["ld.shared", "st.shared", "ld.global", "st.global"]))]
    pub op: At<String>,
    /// Wavefronts or sectors per request, as the mean over the launch.
    pub per_request: f64,
    /// Relative tolerance; 0 by default.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = MAX_WITHIN))]
    pub within: f64,
    /// Square size, 64 by default.
    #[serde(default = "number::<64>")]
    #[schemars(range(min = 1, max = MAX_CLAIM_SIZE))]
    pub size: u32,
}

/// The hazards that a kernel has.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct HazardsClaim {
    /// Catalogue id.
    pub kernel: At<String>,
    /// The kinds of hazards found, no more and no fewer.
    pub kinds: Vec<HazardName>,
    /// Square size, 64 by default.
    #[serde(default = "number::<64>")]
    #[schemars(range(min = 1, max = MAX_CLAIM_SIZE))]
    pub size: u32,
}

/// Whether a kernel's result is correct.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct VerifiedClaim {
    /// Catalogue id.
    pub kernel: At<String>,
    /// True if the result is correct.
    pub is: bool,
    /// Square size, 64 by default.
    #[serde(default = "number::<64>")]
    #[schemars(range(min = 1, max = MAX_CLAIM_SIZE))]
    pub size: u32,
}

/// A ratio of two kernels' counts: count(`kernel`) / count(`to`) = `is`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RatioClaim {
    /// What is counted.
    pub of: Count,
    /// Numerator's kernel.
    pub kernel: At<String>,
    /// Denominator's kernel.
    pub to: At<String>,
    /// The ratio stated.
    pub is: f64,
    /// Relative tolerance; 0.02 by default.
    #[serde(default = "two_percent")]
    #[schemars(range(min = 0.0, max = MAX_WITHIN))]
    pub within: f64,
    /// Square size, 64 by default.
    #[serde(default = "number::<64>")]
    #[schemars(range(min = 1, max = MAX_CLAIM_SIZE))]
    pub size: u32,
}

/// FLOP per byte that a kernel requests from global memory.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct IntensityClaim {
    /// Catalogue id.
    pub kernel: At<String>,
    /// FLOP per byte that the lanes request in global *loads*.
    pub is: f64,
    /// Relative tolerance; 0.02 by default.
    #[serde(default = "two_percent")]
    #[schemars(range(min = 0.0, max = MAX_WITHIN))]
    pub within: f64,
    /// Square size, 64 by default.
    #[serde(default = "number::<64>")]
    #[schemars(range(min = 1, max = MAX_CLAIM_SIZE))]
    pub size: u32,
}

/// A figure of the recorded timings.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RecordedClaim {
    /// The device name in the recording, e.g. `NVIDIA H200`.
    pub device: At<String>,
    /// Catalogue id.
    pub kernel: At<String>,
    /// Square size of the recording: 512, 1024, 2048 or 4096.
    pub size: u32,
    /// What the page states.
    pub states: RecordedFigure,
    /// Relative tolerance; 0.005 by default, because the page rounds the figure.
    #[serde(default = "half_a_percent")]
    #[schemars(range(min = 0.0, max = MAX_WITHIN))]
    pub within: f64,
}

/// A figure that a page takes from a recording.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordedFigure {
    /// Speed in GFLOP/s.
    Gflops(f64),
    /// Speed in percent of the speed of cuBLAS at the same size.
    PercentOfCublas(f64),
    /// Speed divided by the speed of another kernel at the same size.
    Speedup(Speedup),
    /// Number of incorrect elements of C.
    Wrong(u64),
}

/// Speed divided by the speed of another kernel.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Speedup {
    /// The slower kernel.
    pub over: At<String>,
    /// The quotient.
    pub is: f64,
}

/// Cycles per warp-wide multiply-add on an SM, at the median clock of the recording.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct CyclesClaim {
    /// The device name in the recording, e.g. `NVIDIA H200`.
    pub device: At<String>,
    /// Catalogue id.
    pub kernel: At<String>,
    /// Square size of the recording.
    pub size: u32,
    /// Cycles per multiply-add.
    pub is: f64,
    /// Relative tolerance; 0.005 by default, because the page rounds the figure.
    #[serde(default = "half_a_percent")]
    #[schemars(range(min = 0.0, max = MAX_WITHIN))]
    pub within: f64,
}

/// A figure of the recorded sweep of exactly this source.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct SweepClaim {
    /// Catalogue id of a kernel with variants.
    pub kernel: At<String>,
    /// Square size; the largest recorded one if absent.
    pub size: Option<u32>,
    /// Only variants with this text in their name, e.g. `k_innermost`.
    pub of: Option<At<String>>,
    /// What the page states.
    pub states: SweepFigure,
    /// Relative tolerance; 0.005 by default, because the page rounds the figure.
    #[serde(default = "half_a_percent")]
    #[schemars(range(min = 0.0, max = MAX_WITHIN))]
    pub within: f64,
}

/// A figure that a page takes from a recorded sweep.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SweepFigure {
    /// Number of variants that were timed.
    Variants(u64),
    /// Name of the fastest variant.
    Best(String),
    /// GFLOP/s of the fastest variant.
    Highest(f64),
    /// GFLOP/s of the slowest variant.
    Lowest(f64),
    /// Mean GFLOP/s of the variants.
    Mean(f64),
}

/// The machine code that NVIDIA's assembler makes of the kernel, as `scripts/ci/machine-code` recorded it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct MachineCodeClaim {
    /// Catalogue id.
    pub kernel: At<String>,
    /// `sm_80` or `sm_90a`.
    pub arch: At<String>,
    /// The counts that the page states. A kernel has `registers`, `spilled_bytes` and `shared_bytes` (of fixed size). Its main
    /// loop has `instructions`, among them `ffma`, `hmma`, `hgmma`, `shared_loads_128` (bits), `integer`, …
    pub states: BTreeMap<String, u64>,
}

/// Says why two recorded times differ or are equal. `time` compares the times of `kernel` and `to`, and `is` compares a figure
/// of theirs. If the times are equal and the figures are not, the figure does not set the time.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct BecauseClaim {
    /// The device name in the recording, e.g. `NVIDIA H200`.
    pub device: At<String>,
    /// Catalogue id.
    pub kernel: At<String>,
    /// The kernel with which it is compared.
    pub to: At<String>,
    /// Square size of the recording.
    pub size: u32,
    /// The recorded time. `less` and `more` require intervals that do not overlap. `equal` allows 3 %.
    pub time: Comparison,
    /// The figure that the page names as the cause.
    pub cause: Cause,
    /// That figure, compared with the same figure of `to`.
    pub is: Comparison,
    /// Counts that must be equal. As for `cause`, a count of shared memory is refused if the assembler fuses loads of one of
    /// the kernels: then the machine takes fewer wavefronts than the PTX.
    #[serde(default)]
    pub same: Vec<Count>,
    /// What else differs between the two kernels, in words, for readers of the file.
    pub besides: String,
    /// Square size at which the emulator counts, 64 by default. `blocks` are counted at the size of the recording.
    #[serde(default = "number::<64>")]
    #[schemars(range(min = 1, max = MAX_CAUSE_SIZE))]
    pub counted_at: u32,
}

/// A figure of a launch that the tutor estimates.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct EstimatedClaim {
    /// The launch.
    pub launch: TimelineView,
    /// What the page states.
    pub states: EstimatedFigure,
    /// Relative tolerance; 0.02 by default.
    #[serde(default = "two_percent")]
    #[schemars(range(min = 0.0, max = MAX_WITHIN))]
    pub within: f64,
}

/// A figure that a page takes from an estimate.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EstimatedFigure {
    /// Milliseconds.
    Ms(f64),
    /// The estimated time divided by the time that was recorded on the same GPU.
    OfRecorded(f64),
    /// The time with one block at once on an SM, divided by the time.
    OneBlock(f64),
    /// The wait on which the warps spend the largest part of their time, in the words of Nsight Compute. A warp that is ready but
    /// not selected does not wait.
    Waits(At<String>),
}

/// What a launch needs of a part that all warps of an SM share. It is estimated for an H200 and, where Nsight Compute counted this
/// launch, compared with that, too. Give `is` or `busy`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct BoundClaim {
    /// Catalogue id.
    pub kernel: At<String>,
    /// Square size.
    #[schemars(range(min = 1, max = TimelineView::MAX_SIZE))]
    pub size: u32,
    /// The part.
    pub of: Part,
    /// Cycles per 32 multiply-adds, which is one FMA of a warp.
    pub is: Option<f64>,
    /// Percent of the time for which the part is busy, for the three bounds: as Nsight Compute counted, else as estimated.
    pub busy: Option<f64>,
    /// Relative tolerance; 0.03 by default.
    #[serde(default = "three_percent")]
    #[schemars(range(min = 0.0, max = MAX_WITHIN))]
    pub within: f64,
}

/// A part of an SM that all its warps share, or what takes wavefronts of the data pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The data pipe of L1, a bound: one wavefront per cycle.
    DataPipe,
    /// Wavefronts of shared loads. Loads that the assembler fuses are one.
    SharedLoads,
    /// Wavefronts of shared stores.
    SharedStores,
    /// Lines that global loads look up.
    GlobalLoads,
    /// Lines of global stores.
    GlobalStores,
    /// Wavefronts in which `cp.async` writes to shared memory.
    Copies,
    /// The issue slots of the schedulers, a bound: four instructions per cycle.
    IssueSlots,
    /// The arithmetic pipes, a bound: four FMAs of a warp per cycle.
    Arithmetic,
}

/// How a figure of one kernel compares with the figure of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// Lower.
    Less,
    /// The same.
    Equal,
    /// Higher.
    More,
}

/// A figure that can be a cause.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A count of the emulator.
    Count(Count),
    /// A figure of the main loop's machine code for `sm_90a`, e.g. `instructions`.
    MachineCode(String),
    /// Cycles per 32 multiply-adds that a part of an SM needs, as estimated for an H200 at the size of the recording.
    Bound(Part),
}

/// A count that a claim can compare between two kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Count {
    /// Bytes that lanes request in global loads.
    GlobalLoadBytes,
    /// Bytes that lanes and copies request from global memory, in loads and stores.
    GlobalBytes,
    /// Lines of 128 bytes that global loads touch: look-ups in the L1 cache.
    GlobalLoadLines,
    /// Sectors that loads and copies read from global memory.
    GlobalLoadSectors,
    /// Sectors that stores and copies, those of the copy engine included, write to global memory.
    GlobalStoreSectors,
    /// Requests of shared loads, `ldmatrix` included.
    SharedLoadRequests,
    /// Wavefronts of all accesses to shared memory, `ldmatrix` included.
    SharedWavefronts,
    /// Wavefronts of shared loads, `ldmatrix` included.
    SharedLoadWavefronts,
    /// Wavefronts of shared stores, `cp.async` included.
    SharedStoreWavefronts,
    /// Floating-point operations.
    Flop,
    /// Blocks of the launch.
    Blocks,
}

impl Count {
    /// True for loads from shared memory. The assembler may fuse several of them.
    pub fn of_shared(self) -> bool {
        matches!(self, Self::SharedLoadRequests | Self::SharedWavefronts | Self::SharedLoadWavefronts)
    }
}

pub(super) fn half_a_percent() -> f64 {
    0.005
}

fn three_percent() -> f64 {
    0.03
}

fn two_percent() -> f64 {
    0.02
}
