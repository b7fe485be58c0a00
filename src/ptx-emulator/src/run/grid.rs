//! Distributes the blocks of a launch over workers.

use super::{Launch, Measure, Options, Outcome, Run};
use crate::counts::Counter;
use crate::hazards::{Blocks, ByteBudget, CountsAndHazards, Flow, Footprint, Stream};
use crate::host::{self, Stopwatch, on_threads};
use crate::machine::{Machine, Perturbation, Setup, View};
use crate::memory::{Memory, SLOT_BITS};
use crate::probes::{NoProbe, Probe};
use crate::program::Verified;
use crate::{Control, Fault, HazardKind, Rule, SourceLocation, Stats};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Maximum number of bytes of all workers. If they need more, fewer of them run.
const MAX_WORKERS: u64 = 1 << 32;
/// Default for [`Options::hazard_bytes`].
const HAZARD_BYTES: u64 = 4 << 30;

/// Runs a launch. If it ends with a fault, the result contains what was measured before.
pub(crate) fn run(
    program: &Verified,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
    stream: Option<&mut Stream>,
) -> Result<Outcome, Fault> {
    let measured = |setup: &Setup<'_>| measured(setup, options, stream).map(|measured| (measured, ()));
    launched(program, launch, memory, options, control, measured).map(|(outcome, ())| outcome)
}

/// Runs a launch with one probe per worker. `make` makes them and gets the number of the memory's buffers.
pub(crate) fn run_all<P: Probe + Send>(
    program: &Verified,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
    make: impl Fn(usize) -> P + Sync,
) -> Result<(Outcome, Vec<P>), Fault> {
    launched(program, launch, memory, options, control, |setup| {
        // Views after the buffers belong to the launch. The first of them holds its parameters.
        let buffers = (setup.param_address >> SLOT_BITS) as usize - 1;
        let all = all_blocks(setup, options, || make(buffers));
        Ok(((Run { stats: all.stats, ..Run::default() }, all.fault, all.finished), all.probes))
    })
}

/// Checks a launch, calls `run`, and returns the heap to the memory.
fn launched<T>(
    program: &Verified,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
    run: impl FnOnce(&Setup<'_>) -> Result<(Measured, T), Fault>,
) -> Result<(Outcome, T), Fault> {
    let began = Stopwatch::start();
    let setup = Setup::new(program, launch, memory, options, control)?;
    let measured = run(&setup);
    let heap = setup.heap.lock().ok().and_then(|mut heap| heap.take());
    let output = setup.printed.lock().map(|printed| printed.text()).unwrap_or_default();
    drop(setup);
    memory.heap = heap;
    let ((mut run, fault, finished), found) = measured?;
    run.output = output;
    run.stats.seconds = began.elapsed().as_secs_f64();
    Ok((Outcome { run, fault: fault.map(|(_, fault)| *fault), finished }, found))
}

/// The measurements of a launch, its fault, and the number of blocks that ran to their end.
type Measured = (Run, Failed, u64);

/// Returns the measurements. If a cluster has a fault, also returns the fault and the cluster.
fn measured(setup: &Setup<'_>, options: &Options, stream: Option<&mut Stream>) -> Result<Measured, Fault> {
    let program = setup.program;
    Ok(match options.measure {
        Measure::None => {
            let all = all_blocks(setup, options, || NoProbe);
            (Run { stats: all.stats, ..Run::default() }, all.fault, all.finished)
        }
        Measure::Counts => {
            let all = all_blocks(setup, options, || Counter::new(program));
            let mut sum = Counter::new(program);
            all.probes.iter().for_each(|probe| sum.merge(probe));
            let counts = all.fault.is_none().then(|| sum.report(program, setup.blocks()));
            (Run { counts, stats: all.stats, ..Run::default() }, all.fault, all.finished)
        }
        Measure::All => match Flow::new(program, options.follow_unwritten) {
            Some(flow) => searched::<true>(setup, options, Some(&flow), stream)?,
            None => searched::<false>(setup, options, None, stream)?,
        },
    })
}

/// Returns the counts and hazards, and with `FOLLOWS` what the search for undefined values found.
fn searched<const FOLLOWS: bool>(
    setup: &Setup<'_>,
    options: &Options,
    flow: Option<&Arc<Flow>>,
    mut stream: Option<&mut Stream>,
) -> Result<Measured, Fault> {
    let program = setup.program;
    let lengths: Vec<u64> = setup.views.iter().map(|view| view.len).collect();
    let mut own: Option<Arc<Footprint>> = None;
    let blocks = match options.global_hazards {
        false => None,
        true => {
            let taken = stream.as_ref().map_or(0, |stream| stream.bytes());
            let budget = ByteBudget::new(options.hazard_bytes.unwrap_or(HAZARD_BYTES).saturating_sub(taken));
            // The buffers of the memory come first. The threads of one heap share it in an order that `malloc` keeps.
            let of_memory = |(at, view): (usize, &View)| {
                let counts = (at as u64 + 1) << SLOT_BITS < setup.param_address && !view.heap;
                if counts { view.len } else { 0 }
            };
            let shared: Vec<u64> = setup.views.iter().enumerate().map(of_memory).collect();
            let start = |shift| {
                let stream = stream.as_deref_mut()?;
                let overlap = stream.start(program, [setup.grid, setup.block], &shared, shift, &budget);
                own = Some(Arc::clone(&overlap.own));
                Some(overlap)
            };
            let blocks = Blocks::new(program, &lengths, &setup.writable(), setup.blocks(), Arc::clone(&budget), start);
            Some(blocks.ok_or_else(|| {
                Fault::launch("The launch is too large to find hazards in global memory. Leave global memory out.")
            })?)
        }
    };
    let make = || CountsAndHazards::<FOLLOWS>::new(program, setup.cluster_size(), blocks.as_ref(), flow);
    let all = all_blocks(setup, options, make);
    let mut sum = make();
    all.probes.iter().for_each(|probe| sum.merge(probe));
    if let (Some(stream), Some(own)) = (stream, &own) {
        stream.end(own);
    }
    let thread = |warp, lane| setup.thread(warp, lane);
    // Blocks after the one with a fault may or may not have run, unless one worker runs all.
    let last = all.fault.as_ref().filter(|_| !program.ordered_blocks);
    let last = last.map(|(cluster, _)| setup.last_block(*cluster));
    let mut hazards = sum.hazards.report(program, setup.grid, &setup.names, last, thread);
    hazards.extend(crate::hazards::early(program, &sum.counter));
    let executed = |block| sum.counter.executed(block);
    let mut undefined = sum.hazards.report_undefined(program, setup.grid, &setup.names, last, executed, thread);
    // Where a race lets a thread read too early, the race is the cause.
    let early = |place: &SourceLocation| hazards.iter().any(|h| h.kind == HazardKind::Raw && h.second.place == *place);
    undefined.retain(|found| found.rule != Rule::UnwrittenShared || !early(&found.place));
    let counts = all.fault.is_none().then(|| sum.counter.report(program, setup.blocks()));
    Ok((Run { counts, hazards, undefined, stats: all.stats, ..Run::default() }, all.fault, all.finished))
}

/// Runs one block of a launch with a probe. The inner result is that of the block.
pub(crate) fn run_one<P: Probe>(
    program: &Verified,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
    block: u64,
    probe: P,
) -> Result<(P, Result<(), Fault>), Fault> {
    let setup = Setup::new(program, launch, memory, options, control)?;
    if block >= setup.blocks() {
        return Err(Fault::launch(format!("There is no block {block}; the grid has {}.", setup.blocks())));
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

/// Runs the clusters of some blocks of a launch one after another in this order, for at most `steps` steps. `probe`
/// makes the probe from the names of the buffers. The inner result is that of the run.
pub(crate) fn run_some<P: Probe>(
    program: &Verified,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
    (blocks, perturbation, steps): (&[u64], Perturbation, u64),
    probe: impl FnOnce(&[String]) -> P,
) -> Result<(P, Result<(), Fault>), Fault> {
    let mut setup = Setup::new(program, launch, memory, options, control)?;
    setup.perturbation = perturbation;
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

/// Returns the `index`-th of `sample` blocks spread over `blocks`.
fn sampled(index: u64, sample: u64, blocks: u64) -> u64 {
    if sample <= 1 { 0 } else { (u128::from(index) * u128::from(blocks - 1) / u128::from(sample - 1)) as u64 }
}

/// Returns the number of workers: limited by the work and by [`MAX_WORKERS`] bytes.
fn workers(asked: u64, work: u64, bytes_each: u64) -> u64 {
    asked.min(work).min(MAX_WORKERS / bytes_each.max(1)).max(1)
}

/// Results of the blocks of a launch.
struct All<P> {
    probes: Vec<P>,
    stats: Stats,
    fault: Failed,
    /// Blocks that ran to their end.
    finished: u64,
}

/// The lowest cluster with a fault, and the fault.
type Failed = Option<(u64, Box<Fault>)>;

fn all_blocks<P: Probe + Send>(setup: &Setup<'_>, options: &Options, probe: impl Fn() -> P + Sync) -> All<P> {
    let blocks = setup.blocks();
    let sample = options.sample_blocks.map_or(blocks, |n| n.clamp(1, blocks));
    let threads = match options.threads {
        _ if setup.program.ordered_blocks => 1,
        Some(threads) => threads.max(1),
        None => host::threads(),
    };
    // A worker runs one cluster at a time.
    let size = u64::from(setup.cluster_size());
    let (blocks, sample) = (blocks / size, sample.div_ceil(size));
    let threads = workers(threads as u64, sample, setup.worker_bytes) as usize;
    let next = AtomicU64::new(0);
    let done = AtomicU64::new(0);
    let failed: Mutex<Option<(u64, u64, Box<Fault>)>> = Mutex::new(None);
    let finished: Mutex<Vec<(P, Stats)>> = Mutex::new(Vec::new());
    let every = (sample / 200).max(1);
    let ordered = setup.program.ordered_blocks;
    let place = |index: u64| if ordered { setup.shuffled(index, sample) } else { index };
    let (budget, cluster) = (&setup.budget, |index: u64| sampled_or_all(place(index), sample, blocks));
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
            budget.control.report_progress(all as f64 / sample as f64);
        }
    };
    let worker = || {
        let mut machine = Machine::new(setup, probe());
        if ordered {
            machine.contends = setup.seed.is_some();
            let outcome = machine.run_in_turns(sample, cluster, one_more, &options.schedule, None);
            if let Err((index, fault)) = outcome {
                failed_at(index, machine.total(), fault);
            }
            next.store(sample, Ordering::Relaxed);
        }
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            budget.wait(index);
            // After a fault, only earlier blocks matter, because the lowest block with a fault is reported.
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
            longest_warp: machine.longest_warp,
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
        stats.longest_warp = stats.longest_warp.max(part.longest_warp);
        probes.push(probe);
    }
    // Steps of blocks after a faulting one do not count: with fewer threads, those blocks would not have begun.
    budget.control.charge(match &failed {
        Some((_, steps, _)) => budget.retired().saturating_add(*steps),
        None => stats.warp_instructions.max(budget.retired()),
    });
    let finished = done.into_inner() * size;
    All { probes, stats, fault: failed.map(|(index, _, fault)| (cluster(index), fault)), finished }
}

fn sampled_or_all(index: u64, sample: u64, blocks: u64) -> u64 {
    if sample == blocks { index } else { sampled(index, sample, blocks) }
}

#[cfg(test)]
mod tests {
    use super::workers;
    use crate::machine::MAX_WORKER;

    #[test]
    fn as_many_workers_run_as_there_is_work_and_memory_for() {
        assert_eq!(workers(8, 3, 1 << 20), 3);
        assert_eq!(workers(128, 1000, 1 << 20), 128);
        assert_eq!(workers(128, 1000, MAX_WORKER / 2), 8);
        assert_eq!(workers(128, 1000, MAX_WORKER), 4);
        assert_eq!(workers(2, 1000, u64::MAX), 1);
    }
}
