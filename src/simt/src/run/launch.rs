//! What to run, how, and the entry points.

use crate::arch::Device;
use crate::machine::Schedule;
use crate::memory::BufferId;
use crate::tensor_map::TensorMap;
use crate::{Counts, Dim3, Fault, Hazard, Stats};
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
    /// The bytes themselves: a structure or an array passed by value, or a number of 8 or 16 bits.
    Bytes(Arc<[u8]>),
    /// A tensor map, for a parameter of 128 bytes (`const __grid_constant__ CUtensorMap`).
    TensorMap(TensorMap),
}

/// Geometry and arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Launch {
    /// Blocks.
    pub grid: Dim3,
    /// Threads of a block.
    pub block: Dim3,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u64,
    /// In the order of the kernel's parameters.
    pub args: Vec<Arg>,
    /// All blocks are on the GPU at once, as `cudaLaunchCooperativeKernel` has them, so that `grid.sync()` of CUDA's
    /// cooperative groups can wait for all. A grid that does not fit is refused.
    pub cooperative: bool,
}

impl Default for Launch {
    /// One thread, no arguments.
    fn default() -> Self {
        Self { grid: [1; 3], block: [1; 3], dynamic_shared: 0, args: Vec::new(), cooperative: false }
    }
}

/// How much to measure; what is not asked for costs nothing.
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

/// How to run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The GPU that there seems to be.
    pub device: Device,
    /// What to measure.
    pub measure: Measure,
    /// Order of warps.
    pub schedule: Schedule,
    /// Runs only this many blocks, spread over the grid, the first and the last among them; the results of the
    /// other blocks are then missing. For counts of a large uniform grid.
    pub sample_blocks: Option<u64>,
    /// Most warp instructions of one block, which is taken to be endless if it takes more. What all of them may take
    /// together is up to the [`Control`](crate::Control).
    pub step_budget: Option<u64>,
    /// Threads of this machine to use; all if absent.
    pub threads: Option<usize>,
    /// Blocks of a cluster in each direction, in place of what the kernel declares (`__cluster_dims__`).
    pub cluster: Option<Dim3>,
    /// Reads of shared memory that the block has not written are faults. Off by default: a kernel with a missing
    /// barrier does that, and is to be run to its end to show what becomes of it. Such reads give zero.
    pub fault_on_uninitialised_shared: bool,
    /// Reads of a thread's local memory of which it has written no byte are faults. Off by default; such reads give zero.
    pub fault_on_uninitialised_local: bool,
    /// Shared and local memory begin as bytes of 0xff, NaN in every type of floating-point number, instead of zeros: what a kernel
    /// forgets to write shows. No fault by itself, as right kernels read such bytes where they do not use them.
    pub unwritten_is_nan: bool,
    /// A shuffle that takes the value of a lane which its mask names, and which does not take part because it has ended, never
    /// was, or is at another shuffle, is a fault. Off by default; such a lane keeps its own value, where PTX leaves it undefined.
    pub fault_on_absent_lanes: bool,
    /// Runs instruction by instruction, without fused stretches: slower, and the same in every result, count and
    /// fault. To compare with.
    pub unfused: bool,
    /// Most bytes of a thread's stack, for calls that are recursive or through pointers and for `alloca`; 64 KiB if absent.
    /// A GPU has 1 KiB unless the host asks for more (`cudaDeviceSetLimit(cudaLimitStackSize, …)`), and its frames may be
    /// larger or smaller than those here: the local variables of the functions and what a call keeps of its caller.
    pub stack_bytes: Option<u64>,
    /// Bytes of the heap that `malloc` takes from; as on a GPU, 8 MiB if absent. A [`Memory`](crate::Memory) keeps its heap, and its
    /// size, from the first launch that uses it on.
    pub heap_bytes: Option<u64>,
    /// With [`Measure::All`]: looks for hazards between blocks in global memory too. Takes up to 8 times the memory of
    /// the buffers' parts that the kernel reaches; a launch whose buffers are too large for that is refused.
    pub global_hazards: bool,
}

/// What a run measured. The results are in the memory.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Run {
    /// Counts, if they were asked for.
    pub counts: Option<Counts>,
    /// Hazards, if they were asked for; errors before warnings, then by kind and place.
    pub hazards: Vec<Hazard>,
    /// What the kernel printed with `printf`, block after block, 1 MiB at most.
    pub output: String,
    /// Work done.
    pub stats: Stats,
}

/// What a launch that fits its kernel came to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// What was measured: all of it, or what was found until the fault. There are no counts then.
    pub run: Run,
    /// What ended the launch before its end: the fault of the lowest block that had one.
    pub fault: Option<Fault>,
}
