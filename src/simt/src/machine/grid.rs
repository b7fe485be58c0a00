//! A launch: checks it, and spreads its blocks over workers.

use super::budget::Budget;
use super::cooperative::Workspace;
use super::heap::HEAP_BYTES;
use super::state::{Machine, Setup, Twist, View};
use crate::calls::Service;
use crate::counts::Counter;
use crate::hazards::{Blocks, Everything};
use crate::host::{self, Stopwatch, on_threads};
use crate::launch::{launch_fault, parameter_block, short_addresses};
use crate::memory::{Memory, SLOT_BITS};
use crate::probe::{Nothing, Probe};
use crate::program::Program;
use crate::{Control, Dim3, Fault, Launch, Measure, Options, Outcome, Run, Schedule, Stats};
use std::marker::PhantomData;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Most shared memory of a block: what the largest GPU of today gives.
const MAX_SHARED: u64 = 227 * 1024;
/// Most blocks of a cluster, on the largest GPU and if the kernel asks for it.
const MAX_CLUSTER: u64 = 16;
const MAX_BLOCKS: u64 = 1 << 40;
/// Buffers whose slots lie below the window of shared memory; the kernel's parameters and the grid's workspace need one each.
const MAX_BUFFERS: u64 = (super::SHARED_WINDOW >> SLOT_BITS) - 2;
/// Most bytes of what a worker runs at once, a block or a cluster: registers, local and shared memory. A thousand
/// registers for each of a block's threads are 8 MiB, the most local memory that a GPU gives to them is 512 MiB.
pub(super) const MAX_WORKER: u64 = 1 << 30;
/// Bytes of a thread's stack if nothing else is asked for, and the most.
const STACK_BYTES: u64 = 64 << 10;
const MAX_STACK: u64 = 1 << 24;
/// Most bytes of all workers; if they need more, fewer run.
const MAX_WORKERS: u64 = 1 << 32;

impl<'a> Setup<'a> {
    /// Checks a launch and borrows its memory.
    pub(crate) fn new(
        program: &'a Program,
        launch: &Launch,
        memory: &'a mut Memory,
        options: &Options,
        control: &'a Control<'a>,
    ) -> Result<Self, Fault> {
        let [bx, by, bz] = launch.block.map(u64::from);
        let threads = bx.saturating_mul(by).saturating_mul(bz);
        if threads == 0 || launch.grid.contains(&0) {
            return Err(launch_fault("The grid and the block must have at least one element in each direction."));
        }
        if threads > program.max_threads || bz > 64 {
            return Err(launch_fault(format!(
                "A block of {bx}×{by}×{bz} is {threads} threads; `{}` takes at most {}, and 64 in z.",
                program.name, program.max_threads
            )));
        }
        if let Some([x, y, z]) = program.threads
            && [x, y, z] != launch.block.map(u64::from)
        {
            return Err(launch_fault(format!("`{}` runs in blocks of {x}×{y}×{z} threads only.", program.name)));
        }
        let blocks = launch.grid.iter().try_fold(1u64, |all, n| all.checked_mul(u64::from(*n)));
        if blocks.is_none_or(|blocks| blocks > MAX_BLOCKS) {
            return Err(launch_fault("The grid has more than 2⁴⁰ blocks."));
        }
        let params = parameter_block(program, launch, memory)?;
        let dynamic_start = program.shared_bytes.div_ceil(program.dynamic_align) * program.dynamic_align;
        let shared_bytes = dynamic_start.saturating_add(launch.dynamic_shared);
        let shared_bytes = if launch.dynamic_shared == 0 { program.shared_bytes } else { shared_bytes };
        if shared_bytes > MAX_SHARED {
            return Err(launch_fault(format!(
                "`{}` needs {shared_bytes} bytes of shared memory a block; no GPU has more than {MAX_SHARED}.",
                program.name
            )));
        }
        let (cluster, explicit_cluster) = cluster(program, launch, options)?;
        let at_once = cluster.iter().product::<u32>();
        let stack_bytes = stack_bytes(program, options)?;
        let each = block_bytes(program, threads, shared_bytes, stack_bytes);
        let worker_bytes = u64::from(at_once).saturating_mul(each);
        if worker_bytes > MAX_WORKER {
            return Err(launch_fault(format!(
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
            return Err(launch_fault(format!(
                "The memory has {} buffers, the variables of modules among them; at most {} can have addresses.",
                memory.buffers.len(),
                MAX_BUFFERS - 1
            )));
        }
        let objects = memory.objects.clone();
        let names = memory.buffers.iter().map(|buffer| buffer.name.clone()).collect();
        let views = memory.buffers.iter_mut().map(|buffer| {
            let written = buffer.written.as_mut().map_or(std::ptr::null_mut(), Vec::as_mut_ptr);
            let (constant, heap) = (buffer.constant, buffer.heap);
            let data = buffer.data_mut();
            View { data: data.as_mut_ptr(), len: data.len() as u64, written, constant, heap }
        });
        let mut views: Vec<View> = views.collect();
        let mut names: Vec<String> = names;
        // The parameters, as a constant buffer behind the others: their address is that of a slot.
        let mut param_room = vec![0u128; params.len().div_ceil(16)];
        let room = param_room.as_mut_ptr().cast::<u8>();
        // SAFETY: the room is large enough for the parameters.
        unsafe { room.copy_from_nonoverlapping(params.as_ptr(), params.len()) };
        let len = params.len() as u64;
        views.push(View { data: room, len, written: std::ptr::null_mut(), constant: true, heap: false });
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
            objects,
            addresses,
            variables,
            shared_bytes,
            worker_bytes,
            dynamic_start,
            dynamic_bytes: launch.dynamic_shared,
            budget: Budget::new(control, options.step_budget),
            slice,
            seed: if let Schedule::Seeded(seed) = options.schedule { Some(seed) } else { None },
            printed: std::sync::Mutex::default(),
            stack_end: program.local_bytes + stack_bytes,
            heap: Mutex::new(memory.heap.take()),
            uninitialised_shared: options.fault_on_uninitialised_shared,
            uninitialised_local: options.fault_on_uninitialised_local,
            fused: !options.unfused,
            twist: Twist::default(),
        };
        if launch.cooperative {
            if options.sample_blocks.is_some() {
                return Err(launch_fault(
                    "The blocks of a cooperative launch wait for each other: all of them must run.",
                ));
            }
            setup.all_at_once()?;
        }
        Ok(setup)
    }

    pub(super) fn blocks(&self) -> u64 {
        self.grid.iter().map(|n| u64::from(*n)).product()
    }

    /// Blocks of a cluster.
    pub(crate) fn cluster_size(&self) -> u32 {
        self.cluster.iter().product()
    }

    /// Index and linear index of the block of this rank in a cluster.
    pub(crate) fn block_of(&self, cluster: u64, rank: u32) -> (Dim3, u64) {
        let [cx, cy, cz] = self.cluster;
        let [gx, gy, _] = [0, 1, 2].map(|axis| u64::from(self.grid[axis] / self.cluster[axis]));
        let within = [rank % cx, rank / cx % cy, rank / (cx * cy)];
        let at = [cluster % gx, cluster / gx % gy, cluster / (gx * gy)];
        let block: Dim3 = std::array::from_fn(|axis| at[axis] as u32 * [cx, cy, cz][axis] + within[axis]);
        (block, self.linear(block))
    }

    /// Linear index of a block in the grid.
    pub(crate) fn linear(&self, block: Dim3) -> u64 {
        let [x, y, z] = block.map(u64::from);
        x + u64::from(self.grid[0]) * (y + u64::from(self.grid[1]) * z)
    }

    /// The highest linear index of a cluster's blocks.
    fn last_block(&self, cluster: u64) -> u64 {
        (0..self.cluster_size()).map(|rank| self.block_of(cluster, rank).1).max().unwrap_or(0)
    }

    /// The blocks of a cluster in the order in which these come.
    fn ranks(&self, blocks: &[u64]) -> Vec<u32> {
        let size = self.cluster_size();
        let place = |rank: &u32| {
            let is = |block: &u64| self.block_of(self.cluster_of(*block), *rank).1 == *block;
            blocks.iter().position(is).unwrap_or(usize::MAX)
        };
        let mut ranks: Vec<u32> = (0..size).collect();
        ranks.sort_by_key(place);
        ranks
    }

    /// The cluster of a block.
    fn cluster_of(&self, block: u64) -> u64 {
        let [gx, gy, _] = self.grid.map(u64::from);
        let [cx, cy, cz] = self.cluster.map(u64::from);
        let [x, y, z] = [block % gx / cx, block / gx % gy / cy, block / (gx * gy) / cz];
        x + gx / cx * (y + gy / cy * z)
    }
}

/// Most bytes of a thread's stack, if the program has one.
fn stack_bytes(program: &Program, options: &Options) -> Result<u64, Fault> {
    let asked = options.stack_bytes.unwrap_or(STACK_BYTES);
    if asked > MAX_STACK {
        return Err(launch_fault(format!(
            "A stack of {asked} bytes a thread is too large; it may have {} MiB.",
            MAX_STACK >> 20
        )));
    }
    Ok(if program.stack.is_some() { asked } else { 0 })
}

/// Bytes that a block keeps while it runs.
fn block_bytes(program: &Program, threads: u64, shared_bytes: u64, stack_bytes: u64) -> u64 {
    let shapes = u64::from(program.shapes).saturating_mul(size_of::<super::Shape>() as u64);
    let warp = u64::from(program.file_words).saturating_mul(4).saturating_add(shapes);
    // What a call keeps is on the stack in name only: it has a place of its own.
    let local = program.local_bytes.saturating_add(2 * stack_bytes).saturating_mul(threads);
    warp.saturating_mul(threads.div_ceil(32)).saturating_add(local).saturating_add(shared_bytes)
}

/// The extent of a launch's clusters, and whether somebody asked for them.
fn cluster(program: &Program, launch: &Launch, options: &Options) -> Result<(Dim3, bool), Fault> {
    let asked = match (options.cluster, program.cluster) {
        (Some(asked), _) => asked.map(u64::from),
        (None, Some(declared)) => declared,
        (None, None) => return Ok(([1; 3], false)),
    };
    let [x, y, z] = asked;
    if program.cluster.is_some_and(|declared| declared != asked) {
        return Err(launch_fault(format!("`{}` runs in clusters of another extent than {x}×{y}×{z}.", program.name)));
    }
    if let Some(most) = program.max_cluster
        && x.saturating_mul(y).saturating_mul(z) > most
    {
        return Err(launch_fault(format!("`{}` runs in clusters of at most {most} blocks.", program.name)));
    }
    if x.saturating_mul(y).saturating_mul(z) > MAX_CLUSTER || asked.contains(&0) {
        return Err(launch_fault(format!("A cluster of {x}×{y}×{z} blocks cannot be; it has 1 to {MAX_CLUSTER}.")));
    }
    if (0..3).any(|axis| u64::from(launch.grid[axis]) % asked[axis] != 0) {
        let [gx, gy, gz] = launch.grid;
        return Err(launch_fault(format!(
            "The grid of {gx}×{gy}×{gz} blocks does not divide into clusters of {x}×{y}×{z}."
        )));
    }
    Ok((asked.map(|n| n as u32), true))
}

/// Runs a launch. What was measured until a fault is given with it.
pub(crate) fn run(
    program: &Program,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
) -> Result<Outcome, Fault> {
    let began = Stopwatch::start();
    let setup = Setup::new(program, launch, memory, options, control)?;
    let measured = measured(&setup, options);
    let heap = setup.heap.lock().ok().and_then(|mut heap| heap.take());
    let output = setup.printed.lock().map(|printed| printed.text()).unwrap_or_default();
    drop(setup);
    memory.heap = heap;
    let (mut run, fault) = measured?;
    run.output = output;
    run.stats.seconds = began.elapsed().as_secs_f64();
    Ok(Outcome { run, fault: fault.map(|(_, fault)| *fault) })
}

/// What was measured, and the fault with its cluster if there was one.
fn measured(setup: &Setup<'_>, options: &Options) -> Result<(Run, Failed), Fault> {
    let program = setup.program;
    Ok(match options.measure {
        Measure::None => {
            let all = all_blocks(setup, options, || Nothing);
            (Run { stats: all.stats, ..Run::default() }, all.fault)
        }
        Measure::Counts => {
            let all = all_blocks(setup, options, || Counter::new(program));
            let mut sum = Counter::new(program);
            all.probes.iter().for_each(|probe| sum.merge(probe));
            let counts = all.fault.is_none().then(|| sum.report(program, setup.blocks()));
            (Run { counts, stats: all.stats, ..Run::default() }, all.fault)
        }
        Measure::All => {
            // What one block has freed may be given to another: the heap is left out.
            let lengths = setup.views.iter().map(|view| if view.heap { 0 } else { view.len });
            let lengths: Vec<u64> = lengths.collect();
            let blocks = match options.global_hazards {
                false => None,
                true => Some(Blocks::new(program, &lengths, setup.blocks()).ok_or_else(|| {
                    launch_fault(
                        "The buffers are too large to look for hazards between blocks: take a smaller problem.",
                    )
                })?),
            };
            let make = || Everything::new(program, setup.cluster_size(), blocks.as_ref());
            let all = all_blocks(setup, options, make);
            let mut sum = make();
            all.probes.iter().for_each(|probe| sum.merge(probe));
            let thread = |warp, lane| setup.thread(warp, lane);
            // Blocks behind the one that has a fault may or may not have run.
            let last = all.fault.as_ref().map(|(cluster, _)| setup.last_block(*cluster));
            let mut hazards = sum.hazards.report(program, setup.grid, &setup.names, last, thread);
            hazards.extend(crate::hazards::early(program, &sum.counter));
            let counts = all.fault.is_none().then(|| sum.counter.report(program, setup.blocks()));
            (Run { counts, hazards, stats: all.stats, ..Run::default() }, all.fault)
        }
    })
}

/// Runs one block of a launch under a probe. The inner result is how the block ended.
pub(crate) fn run_one<P: Probe>(
    program: &Program,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
    block: u64,
    probe: P,
) -> Result<(P, Result<(), Fault>), Fault> {
    let setup = Setup::new(program, launch, memory, options, control)?;
    if block >= setup.blocks() {
        return Err(launch_fault(format!("There is no block {block}; the grid has {}.", setup.blocks())));
    }
    let mut machine = Machine::new(&setup, probe);
    let outcome = if launch.cooperative {
        // The block may wait for all others.
        let clusters = setup.blocks() / u64::from(setup.cluster_size());
        let outcome = machine.run_in_turns(clusters, |n| n, || (), &options.schedule, Some(block));
        outcome.map_err(|(_, fault)| *fault)
    } else {
        machine.run_cluster(setup.cluster_of(block), &options.schedule, Some(block)).map_err(|fault| *fault)
    };
    control.charge(machine.total());
    Ok((machine.probe, outcome))
}

/// Runs the clusters of some blocks of a launch, one after the other in this order and for so many steps at most, under a
/// probe that is made with the names of the buffers. The inner result is how it ended.
pub(crate) fn run_some<P: Probe>(
    program: &Program,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
    (blocks, twist, steps): (&[u64], Twist, u64),
    probe: impl FnOnce(&[String]) -> P,
) -> Result<(P, Result<(), Fault>), Fault> {
    let mut setup = Setup::new(program, launch, memory, options, control)?;
    setup.twist = twist;
    setup.budget.steps = setup.budget.steps.min(steps);
    let mut clusters: Vec<u64> = Vec::new();
    let all = if launch.cooperative { setup.blocks() / u64::from(setup.cluster_size()) } else { 0 };
    for cluster in blocks.iter().map(|block| setup.cluster_of(*block)).chain(0..all) {
        if !clusters.contains(&cluster) {
            clusters.push(cluster);
        }
    }
    let probe = probe(&setup.names);
    let mut machine = Machine::new(&setup, probe);
    machine.ranks = setup.ranks(blocks);
    let at = |n: u64| clusters.get(n as usize).copied().unwrap_or(0);
    let outcome = machine.run_in_turns(clusters.len() as u64, at, || (), &options.schedule, None);
    control.charge(machine.total());
    Ok((machine.probe, outcome.map_err(|(_, fault)| *fault)))
}

/// The `index`-th of `sample` blocks spread over `blocks`.
fn sampled(index: u64, sample: u64, blocks: u64) -> u64 {
    if sample <= 1 { 0 } else { (u128::from(index) * u128::from(blocks - 1) / u128::from(sample - 1)) as u64 }
}

/// How many workers run: no more than there is work for, nor than fit in [`MAX_WORKERS`] bytes.
fn workers(asked: u64, work: u64, bytes_each: u64) -> u64 {
    asked.min(work).min(MAX_WORKERS / bytes_each.max(1)).max(1)
}

/// What became of the blocks of a launch.
struct All<P> {
    probes: Vec<P>,
    stats: Stats,
    fault: Failed,
}

/// The lowest cluster that has a fault, and the fault.
type Failed = Option<(u64, Box<Fault>)>;

fn all_blocks<P: Probe + Send>(setup: &Setup<'_>, options: &Options, probe: impl Fn() -> P + Sync) -> All<P> {
    let blocks = setup.blocks();
    let sample = options.sample_blocks.map_or(blocks, |n| n.clamp(1, blocks));
    let threads = match options.threads {
        _ if setup.program.ordered_blocks => 1,
        Some(threads) => threads.max(1),
        None => host::threads(),
    };
    // What a worker runs at once is a cluster.
    let size = u64::from(setup.cluster_size());
    let (blocks, sample) = (blocks / size, sample.div_ceil(size));
    let threads = workers(threads as u64, sample, setup.worker_bytes) as usize;
    let next = AtomicU64::new(0);
    let done = AtomicU64::new(0);
    let failed: Mutex<Option<(u64, u64, Box<Fault>)>> = Mutex::new(None);
    let finished: Mutex<Vec<(P, Stats)>> = Mutex::new(Vec::new());
    let every = (sample / 200).max(1);
    let (budget, cluster) = (&setup.budget, |index: u64| sampled_or_all(index, sample, blocks));
    let failed_at = |index: u64, steps: u64, fault: Box<Fault>| {
        budget.fails(index);
        if let Ok(mut failed) = failed.lock()
            && failed.as_ref().is_none_or(|(known, ..)| index < *known)
        {
            *failed = Some((index, steps, fault));
        }
    };
    let one_more = || {
        let all = done.fetch_add(1, Ordering::Relaxed) + 1;
        if all.is_multiple_of(every) || all == sample {
            budget.control.tell(all as f64 / sample as f64);
        }
    };
    let worker = || {
        let mut machine = Machine::new(setup, probe());
        if setup.program.ordered_blocks {
            let outcome = machine.run_in_turns(sample, cluster, one_more, &options.schedule, None);
            if let Err((index, fault)) = outcome {
                failed_at(index, machine.total(), fault);
            }
            next.store(sample, Ordering::Relaxed);
        }
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            budget.wait(index);
            // After a fault, only blocks before it matter: the lowest one that faults is reported.
            if index >= sample || budget.is_idle(index) {
                break;
            }
            if let Some(fault) = setup.not_begun(cluster(index)) {
                failed_at(index, 0, fault);
                break;
            }
            machine.begins(index);
            let outcome = machine.run_cluster(cluster(index), &options.schedule, None);
            let steps = machine.total() - machine.began;
            match outcome {
                Ok(()) => {
                    one_more();
                    if let Some(late) = budget.retire(index, steps) {
                        failed_at(late, u64::MAX, setup.ran_out(cluster(late)));
                    }
                }
                Err(fault) => {
                    failed_at(index, steps, fault);
                    break;
                }
            }
        }
        let stats = Stats {
            warp_instructions: machine.total(),
            thread_instructions: machine.thread_instructions,
            seconds: 0.0,
        };
        if let Ok(mut finished) = finished.lock() {
            finished.push((machine.probe, stats));
        }
    };
    on_threads(threads, worker);
    let failed = failed.into_inner().ok().flatten();
    let finished = finished.into_inner().unwrap_or_default();
    let mut stats = Stats::default();
    let mut probes = Vec::new();
    for (probe, part) in finished {
        stats.warp_instructions += part.warp_instructions;
        stats.thread_instructions += part.thread_instructions;
        probes.push(probe);
    }
    // What blocks behind a faulting one took does not count: with fewer threads they would not have begun.
    budget.control.charge(match &failed {
        Some((_, steps, _)) => budget.retired().saturating_add(*steps),
        None => stats.warp_instructions.max(budget.retired()),
    });
    All { probes, stats, fault: failed.map(|(index, _, fault)| (cluster(index), fault)) }
}

fn sampled_or_all(index: u64, sample: u64, blocks: u64) -> u64 {
    if sample == blocks { index } else { sampled(index, sample, blocks) }
}

#[cfg(test)]
mod tests {
    use super::{MAX_WORKER, workers};

    #[test]
    fn as_many_workers_run_as_there_is_work_and_memory_for() {
        assert_eq!(workers(8, 3, 1 << 20), 3);
        assert_eq!(workers(128, 1000, 1 << 20), 128);
        assert_eq!(workers(128, 1000, MAX_WORKER / 2), 8);
        assert_eq!(workers(128, 1000, MAX_WORKER), 4);
        assert_eq!(workers(2, 1000, u64::MAX), 1);
    }
}
