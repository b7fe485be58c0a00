//! Checks a launch and borrows its memory.

use super::{Arg, Launch, Measure, Options};
use crate::arch::SHARED_WINDOW;
use crate::machine::{Budget, MAX_WORKER, Perturbation, Schedule, Setup, View, Workspace};
use crate::memory::heap::HEAP_BYTES;
use crate::memory::{Memory, SLOT_BITS, short_addresses};
use crate::probes::AddressPattern;
use crate::program::calls::Service;
use crate::program::{Program, Verified};
use crate::tensor_map::BYTES as TENSOR_MAP_BYTES;
use crate::{Control, Dim3, Fault};
use std::marker::PhantomData;
use std::sync::Mutex;

const MAX_BLOCKS: u64 = 1 << 40;
/// Maximum number of blocks in each dimension (CUDA guide, *Technical Specifications per Compute Capability*).
const MAX_GRID: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];
/// Maximum number of buffers, whose slots are below the window of shared memory. The kernel's parameters and the grid's
/// workspace need a slot each.
const MAX_BUFFERS: u64 = (SHARED_WINDOW >> SLOT_BITS) - 2;
/// Default and maximum number of bytes of a thread's stack.
const STACK_BYTES: u64 = 64 << 10;
const MAX_STACK: u64 = 1 << 24;

impl<'a> Setup<'a> {
    /// Checks a launch and borrows its memory.
    pub(crate) fn new(
        program: &'a Verified,
        launch: &Launch,
        memory: &'a mut Memory,
        options: &Options,
        control: &'a Control<'a>,
    ) -> Result<Self, Fault> {
        let [bx, by, bz] = launch.block.map(u64::from);
        let threads = bx.saturating_mul(by).saturating_mul(bz);
        if threads == 0 || launch.grid.contains(&0) {
            return Err(Fault::launch("The grid and the block must have at least one element in each direction."));
        }
        if threads > program.max_threads || bz > 64 {
            return Err(Fault::launch(format!(
                "A block of {bx}×{by}×{bz} is {threads} threads; `{}` takes at most {}, and 64 in z.",
                program.name, program.max_threads
            )));
        }
        if let Some([x, y, z]) = program.threads
            && [x, y, z] != launch.block.map(u64::from)
        {
            return Err(Fault::launch(format!("`{}` runs only in blocks of {x}×{y}×{z} threads.", program.name)));
        }
        let blocks = launch.grid.iter().try_fold(1u64, |all, n| all.checked_mul(u64::from(*n)));
        if blocks.is_none_or(|blocks| blocks > MAX_BLOCKS) || (0..3).any(|axis| launch.grid[axis] > MAX_GRID[axis]) {
            let [x, y, z] = launch.grid;
            return Err(Fault::launch(format!(
                "A grid of {x}×{y}×{z} blocks is not possible: at most 2³¹ - 1 in x, 65,535 in y and in z, and 2⁴⁰ in all."
            )));
        }
        if !options.device.loads(program.target) {
            let [major, minor] = options.device.capability;
            return Err(Fault::launch(format!(
                "`{}` is for {}. {} has compute capability {major}.{minor} and does not load it.",
                program.name, program.target, options.device.name
            )));
        }
        let params = parameter_block(program, launch, memory)?;
        let dynamic_start = program.shared_bytes.div_ceil(program.dynamic_align) * program.dynamic_align;
        let shared_bytes = dynamic_start.saturating_add(launch.dynamic_shared);
        let shared_bytes = if launch.dynamic_shared == 0 { program.shared_bytes } else { shared_bytes };
        let device = &options.device;
        if shared_bytes > device.shared_bytes_per_block {
            return Err(Fault::launch(format!(
                "`{}` needs {shared_bytes} bytes of shared memory per block; {} has at most {}.",
                program.name, device.name, device.shared_bytes_per_block
            )));
        }
        if let Some(registers) = options.registers
            && device.blocks_at_once(threads as u32, Some(registers), 0) == 0
        {
            let takes = u64::from(registers.next_multiple_of(8)) * threads.next_multiple_of(32);
            return Err(Fault::launch(format!(
                "`{}` takes {registers} registers per thread. A warp gets them in units of 256, so a block of {threads} \
                threads takes {takes}; {} has {}. Use fewer values at once per thread, smaller blocks, or \
                `__launch_bounds__({threads})`, which limits what the compiler takes.",
                program.name, device.name, device.registers
            )));
        }
        let (cluster, explicit_cluster) = cluster(program, launch, options)?;
        let at_once = cluster.iter().product::<u32>();
        let stack_bytes = stack_bytes(program, options)?;
        let each = block_bytes(program, threads, shared_bytes, stack_bytes);
        let worker_bytes = u64::from(at_once).saturating_mul(each);
        if worker_bytes > MAX_WORKER {
            return Err(Fault::launch(format!(
                "`{}` needs {} MiB for the registers, local and shared memory of {}; the emulator gives at most {} MiB. \
                Take smaller blocks{}.",
                program.name,
                worker_bytes >> 20,
                if at_once == 1 { "a block".to_owned() } else { format!("a cluster of {at_once} blocks") },
                MAX_WORKER >> 20,
                if at_once == 1 { "" } else { " or a smaller cluster" },
            )));
        }
        if program.services.iter().any(|call| matches!(call.service, Service::Allocate | Service::Free)) {
            memory.make_heap(options.heap_bytes.unwrap_or(HEAP_BYTES))?;
        }
        let variables = memory.variables(program.module, &program.variables, program.short)?;
        if memory.buffers.len() as u64 >= MAX_BUFFERS {
            return Err(Fault::launch(format!(
                "The memory has {} buffers, the variables of modules among them; at most {} can have addresses.",
                memory.buffers.len(),
                MAX_BUFFERS - 1
            )));
        }
        let names = memory.buffers.iter().map(|buffer| buffer.name.clone()).collect();
        let views = memory.buffers.iter_mut().map(|buffer| {
            let written = buffer.written.as_mut().map_or(std::ptr::null_mut(), Vec::as_mut_ptr);
            let (constant, heap) = (buffer.constant, buffer.heap);
            let data = buffer.data_mut();
            View { data: data.as_mut_ptr(), len: data.len() as u64, written, constant, heap }
        });
        let mut views: Vec<View> = views.collect();
        let mut names: Vec<String> = names;
        // The parameters are a constant buffer after the others. Their address is that of a slot.
        let mut param_room = vec![0u128; params.len().div_ceil(16)];
        let data = param_room.as_mut_ptr().cast::<u8>();
        // SAFETY: the memory is large enough for the parameters.
        unsafe { data.copy_from_nonoverlapping(params.as_ptr(), params.len()) };
        let len = params.len() as u64;
        views.push(View { data, len, written: std::ptr::null_mut(), constant: true, heap: false });
        names.push("the kernel's parameters".to_owned());
        let param_address = (views.len() as u64) << SLOT_BITS;
        let workspace = launch.cooperative.then(|| {
            let (workspace, view) = Workspace::new((views.len() as u64 + 1) << SLOT_BITS);
            views.push(view);
            names.push("the grid's workspace".to_owned());
            workspace
        });
        let addresses = if program.short { Some(short_addresses(views.iter().map(|view| view.len))?) } else { None };
        let slice = if options.schedule == Schedule::RoundRobin { 1 } else { 1 << 16 };
        let setup = Self {
            program,
            device: device.clone(),
            memory: PhantomData,
            grid: launch.grid,
            block: launch.block,
            threads: threads as u32,
            warps: (threads as u32).div_ceil(32),
            params,
            param_address,
            param_room,
            workspace,
            cluster,
            explicit_cluster,
            views,
            names,
            addresses,
            variables,
            shared_bytes,
            worker_bytes,
            dynamic_start,
            dynamic_bytes: launch.dynamic_shared,
            budget: Budget::new(control, options.step_budget),
            slice,
            seed: if let Schedule::Seeded(seed) = options.schedule { Some(seed) } else { None },
            printed: Mutex::default(),
            stack_end: program.local_bytes + stack_bytes,
            heap: Mutex::new(memory.heap.take()),
            uninitialised_shared: options.fault_on_uninitialised_shared,
            uninitialised_local: options.fault_on_uninitialised_local,
            follow_unwritten: options.follow_unwritten && options.measure == Measure::All,
            unwritten: if options.unwritten_is_nan { 0xff } else { 0 },
            steady_clock: options.steady_clock,
            fused: !options.unfused,
            perturbation: Perturbation::default(),
        };
        if launch.cooperative {
            if options.sample_blocks.is_some() {
                return Err(Fault::launch(
                    "The blocks of a cooperative launch wait for each other: all of them must run.",
                ));
            }
            setup.all_at_once()?;
        }
        Ok(setup)
    }
}

/// Returns the maximum number of bytes of a thread's stack; 0 if the program has no stack.
fn stack_bytes(program: &Program, options: &Options) -> Result<u64, Fault> {
    let asked = options.stack_bytes.unwrap_or(STACK_BYTES);
    if asked > MAX_STACK {
        return Err(Fault::launch(format!(
            "A stack of {asked} bytes per thread is too large; the maximum is {} MiB.",
            MAX_STACK >> 20
        )));
    }
    Ok(if program.stack.is_some() { asked } else { 0 })
}

/// Returns the number of bytes that a running block needs.
fn block_bytes(program: &Program, threads: u64, shared_bytes: u64, stack_bytes: u64) -> u64 {
    let patterns = u64::from(program.patterns).saturating_mul(size_of::<AddressPattern>() as u64);
    let warp = u64::from(program.file_words).saturating_mul(4).saturating_add(patterns);
    // Twice the stack: values that a call saves count as stack, but they are stored elsewhere.
    let local = program.local_bytes.saturating_add(2 * stack_bytes).saturating_mul(threads);
    warp.saturating_mul(threads.div_ceil(32)).saturating_add(local).saturating_add(shared_bytes)
}

/// Returns the extent of a launch's clusters, and whether the options or the kernel ask for clusters.
fn cluster(program: &Program, launch: &Launch, options: &Options) -> Result<(Dim3, bool), Fault> {
    let asked = match (options.cluster, program.cluster) {
        (Some(asked), _) => asked.map(u64::from),
        (None, Some(declared)) => declared,
        (None, None) => return Ok(([1; 3], false)),
    };
    let [x, y, z] = asked;
    if program.cluster.is_some_and(|declared| declared != asked) {
        return Err(Fault::launch(format!(
            "`{}` needs clusters of a different extent than {x}×{y}×{z}.",
            program.name
        )));
    }
    if let Some(most) = program.max_cluster
        && x.saturating_mul(y).saturating_mul(z) > most
    {
        return Err(Fault::launch(format!("`{}` runs in clusters of at most {most} blocks.", program.name)));
    }
    let (name, most) = (&options.device.name, u64::from(options.device.cluster_blocks.max(1)));
    if x.saturating_mul(y).saturating_mul(z) > most || asked.contains(&0) {
        return Err(Fault::launch(format!(
            "A cluster of {x}×{y}×{z} blocks is not possible; on {name}, its size is at least 1 and at most {most}."
        )));
    }
    if (0..3).any(|axis| u64::from(launch.grid[axis]) % asked[axis] != 0) {
        let [gx, gy, gz] = launch.grid;
        return Err(Fault::launch(format!(
            "The grid of {gx}×{gy}×{gz} blocks does not divide into clusters of {x}×{y}×{z}."
        )));
    }
    Ok((asked.map(|n| n as u32), true))
}

/// Returns the parameter block of a launch.
fn parameter_block(program: &Program, launch: &Launch, memory: &Memory) -> Result<Vec<u8>, Fault> {
    let (takes, given) = (program.params.len(), launch.args.len());
    if takes != given {
        let params: Vec<String> = program.params.iter().map(|p| format!("`{}` ({} bytes)", p.name, p.bytes)).collect();
        let plural = if takes == 1 { "" } else { "s" };
        let which = if params.is_empty() { String::new() } else { format!(": {}", params.join(", ")) };
        return Err(Fault::launch(format!("`{}` takes {takes} argument{plural}, not {given}{which}.", program.name)));
    }
    let mut block = vec![0u8; program.param_bytes as usize];
    let lengths = memory.buffers.iter().map(|buffer| buffer.data().len() as u64);
    let addresses = if program.short { Some(short_addresses(lengths)?) } else { None };
    for (index, (param, arg)) in program.params.iter().zip(&launch.args).enumerate() {
        if let Arg::TensorMap(map) = arg {
            map.check().map_err(|error| Fault::launch(format!("Argument {index}: {error}")))?;
            if param.bytes as usize != TENSOR_MAP_BYTES {
                return Err(Fault::launch(format!(
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
                return Err(Fault::launch(format!("Argument {index} is a buffer of a different memory.")));
            }
        };
        if bytes.len() != param.bytes as usize {
            return Err(Fault::launch(format!(
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
