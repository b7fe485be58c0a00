/*! Estimates how long a kernel would take on a named GPU, and why, without that GPU.

The emulator runs a few blocks and records what each warp does (`trace`). A small model of the assembler turns these
paths into machine instructions (`region`). An SM with these blocks is then simulated (`sm`), and waves of
blocks make up the launch.

An estimate is never a measured, recorded or counted number, and it has a type of its own. What the model does not know
is a [`Refusal`]: then there is no number.
*/

mod demand;
mod device;
mod l1;
mod liveness;
mod parts;
mod region;
mod sm;
mod text;
mod timeline;
mod trace;

pub use demand::{Demand, Need};
pub use device::{Gpu, Interval, Latency, Tensor};
pub use parts::{Constraint, Stall, Unit};
pub use timeline::{LETTERS, Row, Timeline};

use ptx_emulator::cost::SECTOR;
use ptx_emulator::{Control, Device, Fault, FaultKind, Kernel, Launch, Memory, Options, Schedule, observe_blocks};
use region::{Regions, regions};
use sm::{Found, Surroundings, simulate};
use text::Text;
use trace::Trace;

/// Events of all simulated warps together. More are extrapolated.
const EVENTS: usize = 1_000_000;
/// Events per warp from which the registers are counted, before it is known how many blocks run at once.
const FIRST_EVENTS: usize = 20_000;
/// Divisor of [`EVENTS`]: the effect of each constraint is simulated with a fifth of the events.
const FEWER: usize = 5;
/// Instructions that the first blocks execute to their end. Later blocks stop once they are recorded.
const WHOLE: u64 = 4_000_000;
/// Share of the work after which the blocks are recorded.
const TRACED: f64 = 0.6;
/// Share of the work after which the launch is simulated with all its constraints.
const SIMULATED: f64 = 0.8;
/// A step through the SMs that meets all of them.
const SPREAD: u64 = 53;
/// Most registers of a thread.
const MOST_REGISTERS: u32 = 255;
/// Registers with which an SM is full of warps. The assembler keeps to them if the model counts at most
/// [`FEW`], which was fitted to 16 kernels of the course.
const FULL: u32 = 32;
const FEW: u32 = 44;
/// Most conditional loads of a kernel with `wmma` that has an estimate. Those of the course with more took 1.3 to 1.8 times theirs.
const CONDITIONAL: usize = 8;
/// Registers by which the estimate may exceed the limit before that means spills.
const TOLERATED: u32 = 8;

/// Why there is no estimate.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are named after what they are")]
pub enum Refusal {
    /// The model does not know an instruction.
    Instruction { name: String, line: u32 },
    /// The PTX has code that this reader cannot follow: several instructions on a line, or functions.
    Unreadable { line: u32 },
    /// Blocks of the launch wait for each other, or form clusters of more than two.
    Cluster,
    /// The kernel takes more registers than it may have, so that it keeps values in local memory.
    Spills { needs: u32, most: u32 },
    /// No block fits on an SM.
    TooLarge,
    /// The simulated warps wait for each other, which the emulator's warps do not.
    Stuck,
    /// The emulator stopped the kernel.
    Faulted(Box<Fault>),
    /// The request was cancelled.
    Cancelled,
}

/// A launch to be estimated.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Text of the kernel.
    pub ptx: &'a str,
    /// The kernel, from the same text.
    pub kernel: &'a Kernel,
    pub launch: &'a Launch,
    /// Makes the memory with the buffers.
    pub memory: &'a dyn Fn() -> Memory,
    /// Registers per thread, if the assembler's number is known.
    pub registers: Option<u32>,
    /// Most blocks at once on an SM, if fewer should run than fit.
    pub blocks: Option<u32>,
    /// Whether to simulate what each constraint costs, which takes as long again.
    pub constraints: bool,
    /// Called with the completed share, 0 to 1.
    pub progress: &'a dyn Fn(f64),
}

/// How long a launch would take on a GPU, by simulation.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Milliseconds.
    pub ms: f64,
    /// Registers per thread, and whether the model of the assembler counted them.
    pub registers: u32,
    /// True if `registers` is the model's number and not the assembler's.
    pub registers_estimated: bool,
    /// True if the model counts a few more registers than the kernel may have, so that some values may be spilled.
    pub may_spill: bool,
    /// True if the kernel multiplies with tensor cores.
    pub tensor: bool,
    /// Blocks at once on an SM.
    pub resident: u32,
    /// Blocks that would fit.
    pub fits: u32,
    /// Waves of blocks; the last one may be incomplete.
    pub waves: f64,
    /// Milliseconds for which the most loaded unit works.
    pub loaded_ms: f64,
    /// What all warps of the launch need.
    pub demand: Demand,
    /// Cycles of the launch, summed over all SMs.
    pub cycles: f64,
    /// Share of the time for which each unit of a full SM works, in the order of [`Unit::ALL`].
    pub busy: Vec<(Unit, f64)>,
    /// Shares of the warps' time, in the order of [`Stall::ALL`].
    pub stalls: Vec<(Stall, f64)>,
    /// How many times as fast the kernel would be without each constraint, the largest first.
    pub without: Vec<(Constraint, f64)>,
    /// Some cycles of a full SM.
    pub timeline: Option<Timeline>,
}

/// Estimates a launch.
///
/// # Errors
/// Why there is no estimate.
pub fn estimate(question: &Question<'_>, gpu: &Gpu, control: &Control<'_>) -> Result<Estimate, Refusal> {
    let mut text = text::read(question.ptx, question.kernel.name())?;
    liveness::narrow(&mut text);
    if question.launch.cooperative {
        return Err(Refusal::Cluster);
    }
    // Each conditional load makes the assembler load addresses from the constant bank, for which `wmma` kernels wait long.
    let many = region::conditional_loads(&text) > CONDITIONAL;
    let unknown = |one: &text::Instruction| gpu.tensor.is_none() || many && one.opcode.starts_with("wmma");
    if let Some(one) = text.code.iter().find(|one| one.kind.multiplies() && unknown(one)) {
        return Err(Refusal::Instruction { name: one.opcode.clone(), line: one.line });
    }
    let model = Model::new(question, gpu, &text, control)?;
    let wave = model.wave();
    let trace = model.trace(&wave, model.events(&wave), None)?;
    let (cycles, found) = model.launch(&trace, model.events(&wave), None)?;
    let total: f64 = found.stalls.iter().sum();
    let stalls = Stall::ALL.iter().zip(found.stalls).map(|(stall, time)| (*stall, time / total.max(1.0))).collect();
    let busy = Unit::ALL.iter().zip(found.work).map(|(unit, work)| (*unit, (work / found.cycles.max(1.0)).min(1.0)));
    let clock = model.clock_mhz(&found);
    let mut without = Vec::new();
    (question.progress)(SIMULATED);
    let fewer = model.events(&wave) / FEWER;
    let (base, _) = if question.constraints { model.launch(&trace, fewer, None)? } else { (0.0, found.clone()) };
    for constraint in Constraint::ALL.into_iter().filter(|_| question.constraints) {
        let (less, _) = model.launch(&trace, fewer, Some(constraint))?;
        // The launch itself takes as long without the constraint.
        let start = gpu.launch_us * gpu.clock_mhz;
        without.push((constraint, (start + cycles) / (start + cycles * less / base.max(1.0))));
        let part = without.len() as f64 / Constraint::ALL.len() as f64;
        (question.progress)(SIMULATED + (1.0 - SIMULATED) * part);
    }
    without.sort_by(|a, b| b.1.total_cmp(&a.1));
    let share = model.blocks as f64 / wave.len() as f64;
    let regions = regions(&text, &trace, model.events(&wave), model.pressure());
    Ok(Estimate {
        demand: demand::demand(gpu, &regions, &trace, wave.len()).times(share),
        cycles: cycles * f64::from(gpu.multiprocessors),
        ms: cycles / clock / 1000.0 + gpu.launch_us / 1000.0,
        registers: model.registers,
        registers_estimated: question.registers.is_none(),
        tensor: text.code.iter().any(|one| one.kind.multiplies()),
        may_spill: model.needed > model.pressure(),
        resident: model.resident as u32,
        fits: model.fits,
        waves: model.blocks as f64 / (model.resident as f64 * f64::from(gpu.multiprocessors)),
        loaded_ms: found.work.iter().copied().fold(0.0, f64::max) * (cycles / found.cycles.max(1.0)) / clock / 1000.0,
        busy: busy.collect(),
        stalls,
        without,
        timeline: found.timeline,
    })
}

/// A launch on a GPU, with what is the same for all simulations of it.
struct Model<'a> {
    question: &'a Question<'a>,
    gpu: &'a Gpu,
    text: &'a Text,
    control: &'a Control<'a>,
    registers: u32,
    needed: u32,
    most_registers: u32,
    resident: usize,
    fits: u32,
    blocks: u64,
    warps: usize,
    l1_bytes: u64,
}

impl<'a> Model<'a> {
    fn new(
        question: &'a Question<'a>,
        gpu: &'a Gpu,
        text: &'a Text,
        control: &'a Control<'a>,
    ) -> Result<Self, Refusal> {
        let launch = question.launch;
        let threads: u32 = launch.block.iter().product();
        let mut device = Device::H200;
        device.multiprocessors = gpu.multiprocessors;
        let most_registers = match (text.most_threads, text.least_blocks) {
            (Some(threads), least) => device.registers / threads.max(1) / least.unwrap_or(1).max(1) / 8 * 8,
            _ => MOST_REGISTERS,
        };
        let mut model = Self {
            question,
            gpu,
            text,
            control,
            registers: 0,
            needed: 0,
            most_registers: most_registers.min(MOST_REGISTERS),
            resident: 1,
            fits: 1,
            blocks: launch.grid.iter().map(|extent| u64::from(*extent)).product(),
            warps: threads.div_ceil(32) as usize,
            l1_bytes: 0,
        };
        let steps = FIRST_EVENTS as u64 * model.warps as u64;
        let trace = model.trace(&[0], FIRST_EVENTS, Some(steps))?;
        let counted = regions(text, &trace, FIRST_EVENTS, model.pressure()).registers;
        let needed = if counted <= FEW { counted.min(FULL) } else { counted };
        (model.needed, model.registers) = (needed, question.registers.unwrap_or(needed));
        if question.registers.is_none() && needed > model.pressure() + TOLERATED {
            return Err(Refusal::Spills { needs: needed, most: model.most_registers });
        }
        let shared = question.kernel.static_shared() + launch.dynamic_shared;
        if question.registers.is_none() {
            // A kernel that is launched fits.
            let fits = device.registers / 32 / model.warps.max(1) as u32 / 8 * 8;
            model.registers = model.registers.min(model.most_registers).min(fits);
            if text.reassigned.is_some() {
                model.registers = model.most_registers.min(fits);
            }
        }
        model.fits = device.blocks_at_once(threads, Some(model.registers), shared);
        if model.fits == 0 {
            return Err(Refusal::TooLarge);
        }
        let resident = model.fits.min(question.blocks.unwrap_or(model.fits)).max(1);
        model.resident = resident as usize;
        let in_use = (shared + device.shared_bytes_reserved) * u64::from(resident);
        model.l1_bytes = gpu.l1_bytes.saturating_sub(in_use);
        Ok(model)
    }

    /// Returns the most registers that a warp may have at a time.
    fn pressure(&self) -> u32 {
        self.text.reassigned.map_or(self.most_registers, |most| most.max(self.most_registers))
    }

    /// Records the first instructions of some blocks. The first blocks run to their end, until they have executed
    /// [`WHOLE`] instructions. The others stop once they are recorded. With `steps`, a block ends after that many.
    fn trace(&self, blocks: &[u64], limit: usize, steps: Option<u64>) -> Result<Trace<'a>, Refusal> {
        let mut memory = (self.question.memory)();
        let mut trace = Trace::new(self.text, self.warps, limit, self.control);
        let (kernel, launch) = (self.question.kernel, self.question.launch);
        let (mut executed, mut whole) = (0, 0);
        for (index, block) in blocks.iter().enumerate() {
            if self.control.cancelled() {
                return Err(Refusal::Cancelled);
            }
            let stops = executed > WHOLE;
            // Warps that do not wait for each other take turns, so that all of them are recorded.
            let schedule = if stops { Schedule::RoundRobin } else { Schedule::InOrder };
            let options = Options { step_budget: steps, schedule, ..Options::default() };
            let stop = trace.begin(stops, *block);
            let control = self.control.clone().cancel(&stop);
            let fault;
            (trace, fault) = observe_blocks(kernel, launch, &mut memory, &options, &control, &[*block], trace)
                .map_err(|fault| self.faulted(fault))?;
            let stopped = match fault {
                Some(fault) if steps.is_some() && fault.kind == FaultKind::StepBudget => false,
                Some(fault) if stops && fault.kind == FaultKind::Cancelled && !self.control.cancelled() => true,
                Some(fault) => return Err(self.faulted(fault)),
                None => false,
            };
            whole += usize::from(!stops);
            executed += trace.end(stopped, whole);
            if steps.is_none() {
                (self.question.progress)(TRACED * (index + 1) as f64 / blocks.len() as f64);
            }
        }
        trace.bytes = trace.buffers.iter().map(|id| memory.read(*id).len() as u64).collect();
        trace.checked()
    }

    fn faulted(&self, fault: Fault) -> Refusal {
        let cancelled = fault.kind == FaultKind::Cancelled || self.control.cancelled();
        if cancelled { Refusal::Cancelled } else { Refusal::Faulted(Box::new(fault)) }
    }

    /// Returns blocks that run at once on an SM. Which ones do differs from launch to launch, so they are
    /// spread: each from the next row of blocks, at another place in it.
    fn wave(&self) -> Vec<u64> {
        let multiprocessors = u64::from(self.gpu.multiprocessors);
        let at_once = (self.resident as u64 * multiprocessors).min(self.blocks);
        let spread = |index: u64| (index * multiprocessors + index * SPREAD % multiprocessors).min(self.blocks - 1);
        (0..at_once.div_ceil(multiprocessors)).map(spread).collect()
    }

    /// Returns the events per warp to record.
    fn events(&self, wave: &[u64]) -> usize {
        EVENTS / (wave.len() * self.warps)
    }

    /// Returns the cycles of the launch, and what the simulation of a full SM found. Simulates the first
    /// `limit` events of each warp.
    fn launch(&self, trace: &Trace<'_>, limit: usize, without: Option<Constraint>) -> Result<(f64, Found), Refusal> {
        let multiprocessors = u64::from(self.gpu.multiprocessors);
        let at_once = (self.resident as u64 * multiprocessors).min(self.blocks);
        let full = self.blocks / at_once;
        let rest = self.blocks - full * at_once;
        let of_full = at_once.div_ceil(multiprocessors) as usize;
        let of_rest = rest.div_ceil(multiprocessors) as usize;
        let regions = regions(self.text, trace, limit, self.pressure());
        let found = self.simulated(&regions, trace, of_full, without)?;
        let mut cycles = full as f64 * found.cycles;
        if without == Some(Constraint::Tail) {
            cycles = self.blocks as f64 / (of_full as f64 * multiprocessors as f64) * found.cycles;
        } else if of_rest > 0 {
            cycles += match of_rest == of_full {
                true => found.cycles,
                false => self.simulated(&regions, trace, of_rest, without)?.cycles,
            };
        }
        // What does not fit in L2 comes from memory at least once, and no byte that nobody asked for.
        let buffers = trace.bytes.iter().sum::<u64>();
        if buffers > self.gpu.l2_bytes && without != Some(Constraint::GlobalMemory) {
            let asked = found.l2_bytes * self.blocks as f64 / of_full as f64;
            let each = self.gpu.memory_bytes_per_cycle * f64::from(self.gpu.multiprocessors);
            cycles = cycles.max(asked.min(buffers as f64) / each);
        }
        Ok((cycles, found))
    }

    /// Returns the clock. The more the tensor cores multiply, the lower it is.
    fn clock_mhz(&self, found: &Found) -> f64 {
        let Some(tensor) = self.gpu.tensor else { return self.gpu.clock_mhz };
        let works = found.work[Unit::ALL.iter().position(|unit| *unit == Unit::Tensor).unwrap_or(0)];
        let slow = self.text.code.iter().any(|one| matches!(one.kind, text::Kind::Mma(_)));
        let rate = if slow { tensor.wgmma / tensor.mma } else { 1.0 };
        let share = (rate * works / found.cycles.max(1.0)).min(1.0);
        self.gpu.clock_mhz + share * (tensor.clock_mhz - self.gpu.clock_mhz)
    }

    /// Returns the bytes per cycle of stores and of bulk copies. If only some SMs have blocks, each gets
    /// more. L2 sends bytes that several SMs ask for at once faster.
    fn rates(&self, trace: &Trace<'_>, blocks: usize) -> (f64, f64) {
        let (all, own) = (f64::from(self.gpu.multiprocessors), self.gpu.l2_bytes_per_cycle);
        let Some(tensor) = self.gpu.tensor else { return (own, own) };
        let active = (self.blocks as f64 / blocks as f64).min(all);
        let asked = SECTOR * trace.marks.iter().map(|mark| u64::from(mark.sectors)).sum::<u64>();
        let loaded = trace.buffers.iter().zip(&trace.bytes).filter(|(id, _)| trace.loaded.contains(id));
        let times = asked as f64 * active / loaded.map(|(_, bytes)| *bytes as f64).sum::<f64>().max(1.0);
        let rate = own * all / active;
        (rate.min(tensor.bulk), (rate * times.max(1.0)).min(tensor.bulk))
    }

    fn simulated(
        &self,
        regions: &Regions,
        trace: &Trace<'_>,
        blocks: usize,
        without: Option<Constraint>,
    ) -> Result<Found, Refusal> {
        let resident: Vec<usize> = (0..blocks).collect();
        let (stores, bulk) = self.rates(trace, blocks);
        let (sweeps, swept) = trace.sweeps();
        let run = |cold| {
            let swept = if cold > 0.0 { swept } else { 0 };
            let around = Surroundings { l1_bytes: self.l1_bytes, cold, swept, stores, bulk, without };
            let stop = || self.control.cancelled();
            simulate(self.gpu, regions, trace, &resident, around, &stop)
        };
        let found = run(0.0)?;
        if trace.bytes.iter().sum::<u64>() <= self.gpu.l2_bytes {
            return Ok(found);
        }
        // Multiprocessors share what they read. In a product, the blocks of a wave read about one whole matrix and a
        // part of the other. Each byte of it comes from memory once, or each time that the warps begin it again.
        let bytes = trace.buffers.iter().zip(&trace.bytes).filter(|(id, _)| trace.loaded.contains(id));
        let once = bytes.map(|(_, bytes)| *bytes).max().unwrap_or(0);
        let from_l2 = found.l2_bytes * f64::from(self.gpu.multiprocessors);
        run((once as f64 * sweeps / from_l2.max(1.0)).min(1.0))
    }
}

#[cfg(test)]
mod tests;
