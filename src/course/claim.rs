//! What a page states and the machine can confirm.

use super::show::{BankView, CoalescingView};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use tutor_base::yaml::At;

/// Largest square matrix of a claim: up to here the emulator counts every block and not a sample.
pub const MAX_CLAIM_SIZE: u32 = 128;
/// Largest relative tolerance of a claim.
pub const MAX_WITHIN: f64 = 0.5;

/// A statement that `check` runs on the emulator (and on the GPU with `--gpu`).
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Claim {
    /// Wavefronts of an access described like in the bank-conflict simulator.
    Banks(BanksClaim),
    /// Sectors of an access described like on a page about coalescing.
    Coalescing(CoalescingClaim),
    /// Wavefronts per request of a kernel's shared access.
    Wavefronts(AccessClaim),
    /// Sectors per request of a kernel's global access.
    Sectors(AccessClaim),
    /// Hazards that a kernel has; an empty list says that it has none.
    Hazards(HazardsClaim),
    /// Whether a kernel's result is right.
    Verified(VerifiedClaim),
    /// A ratio of two kernels' counts.
    Ratio(RatioClaim),
    /// FLOP per byte asked of global memory.
    Intensity(IntensityClaim),
    /// A figure of the recorded timings.
    Recorded(RecordedClaim),
    /// Cycles that a multiprocessor spends for one step of a warp, from the recorded timings.
    Cycles(CyclesClaim),
    /// A figure of the recorded comparison of a kernel's variants.
    Sweep(SweepClaim),
    /// Figures of a kernel's machine code.
    MachineCode(MachineCodeClaim),
}

/// Wavefronts of an access that is described.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BanksClaim {
    /// The access.
    pub access: BankView,
    /// Wavefronts it takes.
    pub wavefronts: u32,
}

/// Sectors of an access that is described: that of the block's first warp, at `k` = 0.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoalescingClaim {
    /// The access.
    pub access: CoalescingView,
    /// Sectors it touches.
    pub sectors: u32,
}

/// What each request of a kernel's access costs.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AccessClaim {
    /// Catalogue id.
    pub kernel: At<String>,
    /// Text in the source line that makes the access; absent: all lines of that `op` together.
    #[serde(default)]
    pub at: Option<At<String>>,
    /// `ld.shared`, `st.shared`, `ld.global` or `st.global`.
    #[schemars(extend("enum" = ["ld.shared", "st.shared", "ld.global", "st.global"]))]
    pub op: At<String>,
    /// Mean over the launch.
    pub per_request: f64,
    /// Relative tolerance; 0 by default.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = MAX_WITHIN))]
    pub within: f64,
    /// Square size, 64 by default.
    #[serde(default = "default_size")]
    #[schemars(range(min = 1, max = MAX_CLAIM_SIZE))]
    pub size: u32,
}

/// The hazards that a kernel has.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HazardsClaim {
    /// Catalogue id.
    pub kernel: At<String>,
    /// The kinds found, no more and no fewer.
    pub kinds: Vec<HazardName>,
    /// Square size, 64 by default.
    #[serde(default = "default_size")]
    #[schemars(range(min = 1, max = MAX_CLAIM_SIZE))]
    pub size: u32,
}

/// Whether a kernel's result is right.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifiedClaim {
    /// Catalogue id.
    pub kernel: At<String>,
    /// What is stated.
    pub is: bool,
    /// Square size, 64 by default.
    #[serde(default = "default_size")]
    #[schemars(range(min = 1, max = MAX_CLAIM_SIZE))]
    pub size: u32,
}

/// A ratio of two kernels' counts: count(`kernel`) / count(`to`) = `is`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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
    #[serde(default = "default_size")]
    #[schemars(range(min = 1, max = MAX_CLAIM_SIZE))]
    pub size: u32,
}

/// FLOP for each byte that a kernel asks of global memory.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IntensityClaim {
    /// Catalogue id.
    pub kernel: At<String>,
    /// FLOP per byte of global *loads* that the lanes ask for.
    pub is: f64,
    /// Relative tolerance; 0.02 by default.
    #[serde(default = "two_percent")]
    #[schemars(range(min = 0.0, max = MAX_WITHIN))]
    pub within: f64,
    /// Square size, 64 by default.
    #[serde(default = "default_size")]
    #[schemars(range(min = 1, max = MAX_CLAIM_SIZE))]
    pub size: u32,
}

/// A figure of the recorded timings.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedClaim {
    /// The device as the recording names it, e.g. `NVIDIA H200`.
    pub device: At<String>,
    /// Catalogue id.
    pub kernel: At<String>,
    /// Square size that was recorded: 512, 1024, 2048 or 4096.
    pub size: u32,
    /// What the page says of it.
    pub states: RecordedFigure,
    /// Relative tolerance; 0.005 by default, for a figure that is rounded.
    #[serde(default = "half_a_percent")]
    #[schemars(range(min = 0.0, max = MAX_WITHIN))]
    pub within: f64,
}

/// A figure that a page takes from a recording.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RecordedFigure {
    /// Speed in GFLOP/s.
    Gflops(f64),
    /// Speed in percent of cuBLAS's at the same size.
    PercentOfCublas(f64),
    /// Speed over that of another kernel at the same size.
    Speedup(Speedup),
    /// Elements of C that were wrong.
    Wrong(u64),
}

/// Speed over that of another kernel.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Speedup {
    /// The slower kernel.
    pub over: At<String>,
    /// How many times faster.
    pub is: f64,
}

/// Cycles that a multiprocessor spends for each warp-wide multiply-add, by the median clock of the recording.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CyclesClaim {
    /// The device as the recording names it, e.g. `NVIDIA H200`.
    pub device: At<String>,
    /// Catalogue id.
    pub kernel: At<String>,
    /// Square size that was recorded.
    pub size: u32,
    /// Cycles.
    pub is: f64,
    /// Relative tolerance; 0.005 by default, for a figure that is rounded.
    #[serde(default = "half_a_percent")]
    #[schemars(range(min = 0.0, max = MAX_WITHIN))]
    pub within: f64,
}

/// A figure of the recorded sweep of the very source, at a size or else the largest one recorded.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepClaim {
    /// Catalogue id of a kernel with variants.
    pub kernel: At<String>,
    /// Square size.
    #[serde(default)]
    pub size: Option<u32>,
    /// Only variants with this in their name, as `k_innermost`.
    #[serde(default)]
    pub of: Option<At<String>>,
    /// What the page says of them.
    pub states: SweepFigure,
    /// Relative tolerance; 0.005 by default, for a figure that is rounded.
    #[serde(default = "half_a_percent")]
    #[schemars(range(min = 0.0, max = MAX_WITHIN))]
    pub within: f64,
}

/// A figure that a page takes from a recorded sweep.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SweepFigure {
    /// Variants that were timed.
    Variants(u64),
    /// Name of the fastest.
    Best(String),
    /// GFLOP/s of the fastest.
    Highest(f64),
    /// GFLOP/s of the slowest.
    Lowest(f64),
    /// Mean GFLOP/s.
    Mean(f64),
}

/// What NVIDIA's assembler makes of the kernel, as `scripts/machine-code` recorded it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MachineCodeClaim {
    /// Catalogue id.
    pub kernel: At<String>,
    /// `sm_80` or `sm_90a`.
    pub arch: At<String>,
    /// Of the kernel `registers`, `spilled_bytes`, `shared_bytes` (declared with a fixed size); of its main loop
    /// `instructions`, and how many of them are `ffma`, `hmma`, `hgmma`, `shared_loads_128` (bits), `integer`, …
    pub states: BTreeMap<String, u64>,
}

/// A count that two kernels can be compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Count {
    /// Bytes that lanes ask of global memory in loads.
    GlobalLoadBytes,
    /// Sectors moved by global loads.
    GlobalLoadSectors,
    /// Sectors moved by global stores.
    GlobalStoreSectors,
    /// Requests of shared loads.
    SharedLoadRequests,
    /// Wavefronts of shared loads.
    SharedLoadWavefronts,
    /// Wavefronts of shared stores.
    SharedStoreWavefronts,
    /// Floating-point operations.
    Flop,
}

fn default_size() -> u32 {
    64
}

fn half_a_percent() -> f64 {
    0.005
}

fn two_percent() -> f64 {
    0.02
}

/// A kind of hazard, as a lesson writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum HazardName {
    /// Read after write.
    Raw,
    /// Write after read.
    War,
    /// Write after write.
    Waw,
}
