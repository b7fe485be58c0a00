//! Launches, options and results.

use crate::arch::Device;
use crate::machine::Schedule;
use crate::memory::BufferId;
use crate::tensor_map::TensorMap;
use crate::{Counts, Dim3, Fault, Hazard, Stats, Undefined};
use std::sync::Arc;

/// An argument of a kernel.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Arg {
    /// 32-bit integer or bits.
    U32(u32),
    /// 32-bit signed integer.
    S32(i32),
    /// 64-bit integer or bits.
    U64(u64),
    /// Single precision.
    F32(f32),
    /// Double precision.
    F64(f64),
    /// Address of a buffer.
    Buffer(BufferId),
    /// Raw bytes: a structure or an array passed by value, or an 8-bit or 16-bit number.
    Bytes(Arc<[u8]>),
    /// A tensor map for a parameter of 128 bytes (`const __grid_constant__ CUtensorMap`).
    TensorMap(TensorMap),
}

/// Geometry and arguments of a launch.
#[derive(Debug, Clone, PartialEq)]
pub struct Launch {
    /// Blocks in each dimension.
    pub grid: Dim3,
    /// Threads per block in each dimension.
    pub block: Dim3,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u64,
    /// Arguments in the order of the kernel's parameters.
    pub args: Vec<Arg>,
    /// Keeps all blocks on the GPU at once, like `cudaLaunchCooperativeKernel`, so that `grid.sync()` of CUDA's
    /// cooperative groups can wait for all of them. A grid that does not fit is refused.
    pub cooperative: bool,
}

impl Default for Launch {
    /// One thread, no arguments.
    fn default() -> Self {
        Self { grid: [1; 3], block: [1; 3], dynamic_shared: 0, args: Vec::new(), cooperative: false }
    }
}

/// Chooses what to measure. Measurements that you do not choose cost nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Measure {
    /// Results only.
    #[default]
    None,
    /// Results and counts.
    Counts,
    /// Results, counts and hazards.
    All,
}

/// Options of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The emulated GPU.
    pub device: Device,
    /// Registers per thread, as an assembler reports them. A block whose registers the GPU does not have is refused.
    pub registers: Option<u32>,
    /// What to measure.
    pub measure: Measure,
    /// Order of warps.
    pub schedule: Schedule,
    /// Runs only this many blocks, spread over the grid, including the first and the last. The results of the other
    /// blocks are then missing. Use this for counts of a large uniform grid.
    pub sample_blocks: Option<u64>,
    /// Maximum number of warp instructions of one block. A block that needs more is considered endless.
    /// [`Control`](crate::Control) limits the sum over all blocks.
    pub step_budget: Option<u64>,
    /// Host threads to use; all of them if `None`.
    pub threads: Option<usize>,
    /// Blocks of a cluster in each dimension, instead of what the kernel declares (`__cluster_dims__`).
    pub cluster: Option<Dim3>,
    /// Makes reads of unwritten shared memory a fault. Off by default, because a kernel with a missing barrier reads
    /// such bytes and should run to its end to show the consequences. These reads return zero.
    pub fault_on_uninitialised_shared: bool,
    /// Makes a read of a thread's local memory a fault if the thread has written none of its bytes. Off by default;
    /// such reads return zero.
    pub fault_on_uninitialised_local: bool,
    /// Fills shared and local memory with 0xff bytes instead of zeros. They are NaN in every floating-point type, so
    /// missing writes become visible. This is not a fault, because correct kernels may read such bytes without using
    /// them.
    pub unwritten_is_nan: bool,
    /// With [`Measure::All`]: follows the values of unwritten shared memory, and reports those that decide a branch, an
    /// address or a result ([`Rule::UnwrittenShared`](crate::Rule::UnwrittenShared)). The run is then several times slower.
    pub follow_unwritten: bool,
    /// Makes clocks advance by 100 whenever a warp reads one. The values then do not depend on the order of warps.
    pub steady_clock: bool,
    /// Runs instruction by instruction, without fused regions. This is slower and has the same results, counts and
    /// faults. Use it for comparisons.
    pub unfused: bool,
    /// Maximum number of bytes of a thread's stack, for recursive calls, calls through pointers and `alloca`; 64 KiB if
    /// `None`. A GPU has 1 KiB unless the host requests more (`cudaDeviceSetLimit(cudaLimitStackSize, …)`). Its frames
    /// may be larger or smaller than here: a frame holds a function's local variables and the values that a call saves
    /// for its caller.
    pub stack_bytes: Option<u64>,
    /// Bytes of the heap of `malloc`; 8 MiB if `None`, as on a GPU. A [`Memory`](crate::Memory) keeps its heap and the
    /// heap's size from the first launch that uses it.
    pub heap_bytes: Option<u64>,
    /// With [`Measure::All`]: also looks for hazards in global memory. For each word that the kernel accesses in a buffer
    /// that it may write, this takes 24 bytes, up to 64 bytes if blocks run in parallel, and some hundred bytes if atomics of
    /// several blocks share the word.
    pub global_hazards: bool,
    /// Maximum number of bytes for the search for hazards in global memory; 4 GiB if `None`. If it needs more, the launch
    /// stops with [`FaultKind::HazardBudget`](crate::FaultKind::HazardBudget).
    pub hazard_bytes: Option<u64>,
}

/// Measurements of a run. The results are in the memory.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Run {
    /// Counts, if requested.
    pub counts: Option<Counts>,
    /// Hazards, if requested: errors before warnings, then by kind and place.
    pub hazards: Vec<Hazard>,
    /// Other undefined behaviour, if hazards are requested: errors first, then by rule and place.
    pub undefined: Vec<Undefined>,
    /// Output of `printf`, block after block, at most 1 MiB.
    pub output: String,
    /// Amount of work done.
    pub stats: Stats,
}

/// Outcome of a launch that fits its kernel.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// All measurements, or those before the fault. After a fault there are no counts.
    pub run: Run,
    /// The fault that ended the launch: that of the lowest block with a fault.
    pub fault: Option<Fault>,
    /// Number of blocks that ran to their end.
    pub finished: u64,
}
