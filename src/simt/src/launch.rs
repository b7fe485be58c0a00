//! What to run, how, and the entry points.

use super::asynch::{TENSOR_MAP_BYTES, TensorMap};
use super::control::Control;
use super::machine::{self, Addresses32};
use super::memory::{BufferId, Memory};
use super::program::{Param, Program};
use super::{Counts, Dim3, Fault, FaultKind, Hazard, Stats, lower, ptx};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A PTX text that was read, with all its kernels lowered.
#[derive(Debug, Clone)]
pub struct Module {
    kernels: BTreeMap<String, Result<Kernel, Fault>>,
}

/// A kernel that can be run.
#[derive(Debug, Clone)]
pub struct Kernel {
    pub(crate) program: Arc<Program>,
}

impl Module {
    /// Reads a PTX text.
    ///
    /// # Errors
    /// [`FaultKind::Parse`] with line and column if the text is not PTX. A kernel that the emulator does not
    /// support is found by [`Module::kernel`], so that it does not stand in the way of others.
    pub fn parse(ptx: &str) -> Result<Self, Fault> {
        static MODULES: AtomicU64 = AtomicU64::new(0);
        let module = MODULES.fetch_add(1, Ordering::Relaxed);
        let tree = ptx::parse(ptx)?;
        let text = lower::Text::new(&tree);
        let mut kernels = BTreeMap::new();
        for function in tree.functions.iter().filter(|function| function.entry && function.body.is_some()) {
            let program = lower::lower(&text, function, module).map(|p| Kernel { program: Arc::new(p) });
            if let Err(fault) = &program
                && fault.kind == FaultKind::Parse
            {
                return Err(fault.clone());
            }
            kernels.insert(function.name.to_owned(), program);
        }
        Ok(Self { kernels })
    }

    /// Names of the kernels, those that cannot be run included.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.keys().map(String::as_str)
    }

    /// A kernel by its name in the PTX.
    ///
    /// # Errors
    /// [`FaultKind::Unsupported`] with line and column if it has an instruction that the emulator does not run;
    /// [`FaultKind::Launch`] if there is no such kernel.
    pub fn kernel(&self, name: &str) -> Result<Kernel, Fault> {
        match self.kernels.get(name) {
            Some(found) => found.clone(),
            None => {
                let known: Vec<&str> = self.kernels().collect();
                let message = if known.is_empty() {
                    format!("There is no kernel `{name}`: the PTX has no `.entry`.")
                } else {
                    format!("There is no kernel `{name}`; the PTX has {}.", known.join(", "))
                };
                Err(launch_fault(message))
            }
        }
    }
}

impl Kernel {
    /// Name in the PTX.
    pub fn name(&self) -> &str {
        &self.program.name
    }

    /// Parameters in order.
    pub fn params(&self) -> &[Param] {
        &self.program.params
    }

    /// Bytes of static shared memory.
    pub fn static_shared(&self) -> u64 {
        self.program.shared_bytes
    }

    /// Instructions of the text, with copies of inlined functions and the functions that are called.
    pub fn instructions(&self) -> u64 {
        self.program.blocks.iter().map(|block| u64::from(block.length)).sum()
    }
}

/// An argument of a kernel.
#[derive(Debug, Clone, PartialEq)]
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

/// Which of a block's warps runs next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Schedule {
    /// Each warp, in order of its number, until it waits or ends.
    #[default]
    InOrder,
    /// One basic block of each warp in turn.
    RoundRobin,
    /// The runnable warp that comes first here runs until it waits or ends; unnamed warps follow in order.
    Priority(Vec<u32>),
    /// A warp drawn at random, for a number of instructions drawn at random, in every block and for every seed anew. The
    /// same seed gives the same order. A kernel without races gives the same result with every seed.
    Seeded(u64),
}

/// How to run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// What to measure.
    pub measure: Measure,
    /// Order of warps.
    pub schedule: Schedule,
    /// Runs only this many blocks, spread over the grid, the first and the last among them; the results of the
    /// other blocks are then missing. For counts of a large uniform grid.
    pub sample_blocks: Option<u64>,
    /// Most warp instructions of one block, which is taken to be endless if it takes more. What all of them may take
    /// together is up to the [`Control`].
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
    /// Runs instruction by instruction, without fused stretches: slower, and the same in every result, count and
    /// fault. To compare with.
    pub unfused: bool,
    /// Most bytes of a thread's stack, for calls that are recursive or through pointers and for `alloca`; 64 KiB if absent.
    /// A GPU has 1 KiB unless the host asks for more (`cudaDeviceSetLimit(cudaLimitStackSize, …)`), and its frames may be
    /// larger or smaller than those here: the local variables of the functions and what a call keeps of its caller.
    pub stack_bytes: Option<u64>,
    /// Bytes of the heap that `malloc` takes from; as on a GPU, 8 MiB if absent. A [`Memory`] keeps its heap, and its
    /// size, from the first launch that uses it on.
    pub heap_bytes: Option<u64>,
    /// With [`Measure::All`]: looks for hazards between blocks in global memory too. Takes up to 8 times the memory of
    /// the buffers' parts that the kernel reaches; a launch whose buffers are too large for that is refused.
    pub global_hazards: bool,
}

/// What a run measured. The results are in the memory.
#[derive(Debug, Clone, Default, PartialEq)]
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

pub(crate) fn launch_fault(message: impl Into<String>) -> Fault {
    Fault::new(FaultKind::Launch, message)
}

/// What a launch that fits its kernel came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What was measured: all of it, or what was found until the fault. There are no counts then.
    pub run: Run,
    /// What ended the launch before its end: the fault of the lowest block that had one.
    pub fault: Option<Fault>,
}

/// Runs a kernel, to its end or to a fault.
///
/// With a fault, hazards are those that blocks up to the faulting one had until then; how often they occurred may depend
/// on the number of threads.
///
/// # Errors
/// [`FaultKind::Launch`] before anything runs if the launch does not fit the kernel.
pub fn attempt(
    kernel: &Kernel,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
) -> Result<Outcome, Fault> {
    machine::run(&kernel.program, launch, memory, options, control)
}

/// Runs a kernel.
///
/// Results, counts and hazards do not depend on the number of threads, as long as the kernel's blocks do not race
/// with each other. A kernel with atomics or other strong accesses on global memory runs its blocks one after the other for
/// that reason; where they wait for each other, in turns, as many as fit on the GPU at once.
///
/// # Errors
/// [`FaultKind::Launch`] before anything runs if the launch does not fit the kernel; otherwise the fault of the
/// lowest block that had one.
pub fn run(
    kernel: &Kernel,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
) -> Result<Run, Fault> {
    let outcome = attempt(kernel, launch, memory, options, control)?;
    outcome.fault.map_or(Ok(outcome.run), Err)
}

/// Where buffers of these lengths stand among addresses of 32 bits.
pub(crate) fn short_addresses(lengths: impl Iterator<Item = u64>) -> Result<Addresses32, Fault> {
    Addresses32::new(lengths)
        .ok_or_else(|| launch_fault("The buffers are too large to have addresses of 32 bits, as the PTX asks for."))
}

/// The parameter block of a launch.
pub(crate) fn parameter_block(program: &Program, launch: &Launch, memory: &Memory) -> Result<Vec<u8>, Fault> {
    let (takes, given) = (program.params.len(), launch.args.len());
    if takes != given {
        let params: Vec<String> = program.params.iter().map(|p| format!("`{}` ({} bytes)", p.name, p.bytes)).collect();
        let plural = if takes == 1 { "" } else { "s" };
        let which = if params.is_empty() { String::new() } else { format!(": {}", params.join(", ")) };
        return Err(launch_fault(format!("`{}` takes {takes} argument{plural}, not {given}{which}.", program.name)));
    }
    let mut block = vec![0u8; program.param_bytes as usize];
    let lengths = memory.buffers.iter().map(|buffer| buffer.data().len() as u64);
    let addresses = if program.short { Some(short_addresses(lengths)?) } else { None };
    for (index, (param, arg)) in program.params.iter().zip(&launch.args).enumerate() {
        if let Arg::TensorMap(map) = arg {
            map.check().map_err(|error| launch_fault(format!("Argument {index}: {error}")))?;
            if param.bytes as usize != TENSOR_MAP_BYTES {
                return Err(launch_fault(format!(
                    "Argument {index} is a tensor map of {TENSOR_MAP_BYTES} bytes; the parameter `{}` of `{}` has {}.",
                    param.name, program.name, param.bytes
                )));
            }
            let at = param.offset as usize;
            block[at..at + TENSOR_MAP_BYTES].copy_from_slice(&map.encode());
            continue;
        }
        let word = |value: u64, bytes: usize| value.to_le_bytes()[..bytes].to_vec();
        let bytes = match arg {
            Arg::U32(value) => word((*value).into(), 4),
            Arg::S32(value) => word((*value as u32).into(), 4),
            Arg::F32(value) => word(value.to_bits().into(), 4),
            Arg::U64(value) => word(*value, 8),
            Arg::F64(value) => word(value.to_bits(), 8),
            Arg::Buffer(id) if id.0 < memory.buffers.len() => match &addresses {
                Some(addresses) => word(addresses.short(memory.address(*id)).into(), 4),
                None => word(memory.address(*id), 8),
            },
            Arg::Bytes(bytes) => bytes.to_vec(),
            Arg::Buffer(_) | Arg::TensorMap(_) => {
                return Err(launch_fault(format!("Argument {index} is a buffer of another memory.")));
            }
        };
        if bytes.len() != param.bytes as usize {
            return Err(launch_fault(format!(
                "Argument {index} has {} bytes; the parameter `{}` (`.{}`) of `{}` has {}.",
                bytes.len(),
                param.name,
                param.ty,
                program.name,
                param.bytes
            )));
        }
        let at = param.offset as usize;
        block[at..at + bytes.len()].copy_from_slice(&bytes);
    }
    Ok(block)
}
