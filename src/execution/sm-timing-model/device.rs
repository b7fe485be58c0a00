//! Constants of a GPU: what microbenchmarks measured on it, and a few that were fitted.

use serde::{Deserialize, Serialize};

/// A GPU, with everything that the simulation knows about it. Cycles are those of an SM.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gpu {
    /// Name as the driver reports it.
    pub device: String,
    pub multiprocessors: u32,
    /// Clock of the SMs under load.
    pub clock_mhz: f64,
    /// Bytes of L1 cache and shared memory together, per SM.
    pub l1_bytes: u64,
    /// Bytes of L2 that a load finds at its latency: the cache next to the SM, if there are two.
    pub l2_bytes: u64,
    /// Cycles until the result of an instruction can be used.
    pub latency: Latency,
    /// Cycles for which one instruction of a warp occupies its unit.
    pub interval: Interval,
    /// Bytes per cycle from L2 to one SM while all of them read.
    pub l2_bytes_per_cycle: f64,
    /// Bytes per cycle from memory to one SM while all of them read.
    pub memory_bytes_per_cycle: f64,
    /// Microseconds from the start of one launch to the start of the next, for a kernel that does nothing.
    pub launch_us: f64,
    /// Cycles by which reading its operands delays the instructions after a multiply-add of three registers, on
    /// average: two operands may be in one bank of the register file. Fitted.
    pub operand_cycles: f64,
    /// Where these constants come from.
    pub source: String,
    /// The tensor cores, if they were measured. Without them, their instructions have no estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tensor: Option<Tensor>,
}

impl Gpu {
    /// Returns the cycles for which a product of FP64 occupies the tensor core: twice the rate of FP64 multiply-adds. NVIDIA's data
    /// sheets state this ratio for the A100, the H100 and the H200 (67 and 34 TFLOP/s). `f64_mma_sm90` reaches 60.
    pub(crate) fn double_mma(&self) -> f64 {
        8.0 * self.interval.double
    }
}

/// Cycles of the tensor core of a scheduler, per warp.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tensor {
    /// Between two `mma.sync` of 16×8×16 bf16 numbers, or of others that take as long.
    pub mma: f64,
    /// From an `mma.sync` to the next one that adds to its result.
    pub mma_latency: f64,
    /// Between two `wgmma` of eight columns and 32 bytes along K.
    pub wgmma: f64,
    /// From the end of a group of `wgmma` until a warp that waits for it goes on.
    pub wgmma_latency: f64,
    /// Bytes per cycle of bulk copies from L2 to one SM, if L2 itself is not the limit.
    pub bulk: f64,
    /// Clock while the tensor cores multiply without a pause at the rate of `wgmma`: the power limit lowers it. Fitted.
    pub clock_mhz: f64,
}

/// Cycles until a result can be used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is named after its instruction or memory")]
pub struct Latency {
    pub float: u64,
    pub integer: u64,
    pub multiply: u64,
    pub double: u64,
    pub special: u64,
    pub shared: u64,
    pub l1: u64,
    pub l2: u64,
    pub memory: u64,
    pub barrier: u64,
}

/// Cycles for which an instruction of a warp occupies a unit of its scheduler.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is named after its unit")]
pub struct Interval {
    pub float: f64,
    pub integer: f64,
    pub multiply: f64,
    pub double: f64,
    pub special: f64,
}
