//! Estimated times for GPUs that are not there: which GPUs, how large the error is, and the answer in the form of `--json`.
//!
//! An [`Estimated`] is never one of the recorded or measured times, and stands under a heading of its own.

use crate::Against;
use crate::fault::explain;
use crate::prelude::*;
use crate::recorded::Recording;
use ptx_emulator::Control;
use sm_timing_model::{Constraint, Demand, Gpu, Need, Question, Refusal, Stall, Timeline, Unit, estimate};
use std::collections::BTreeMap;
use std::path::Path;
use tutor_support::figures::{duration, percent, percentage, speed};
use tutor_support::yaml;

/// Maximum size of a file of constants.
const MAX_BYTES: u64 = 1 << 16;
const GPUS: [(&str, &str); 2] = [
    ("nvidia-h100", include_str!("../../../assets/estimate/nvidia-h100.json")),
    ("nvidia-h200", include_str!("../../../assets/estimate/nvidia-h200.json")),
];

/// The GPU for which the tutor estimates unless the user names another one.
pub const DEFAULT: &str = GPUS[0].0;
/// Floating-point operations of 32 multiply-adds.
const FLOP_OF_A_STEP: f64 = 64.0;
/// Instructions that the schedulers of an SM start per cycle.
const SCHEDULERS: f64 = 4.0;
/// If the main loop's instructions differ by this share from the simulated ones, other code takes a large part of the time.
const UNLIKE: f64 = 0.25;
/// A bound that is busy for at least this share of the time is near.
const NEAR: f64 = 0.75;
/// Share of the time that a launch must save without a constraint for the constraint to be named.
const HELD: f64 = 0.1;

/// What a launch estimates in addition: times of its programs at a shape, which may be larger than the launch's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EstimateRequest {
    pub gpu: Gpu,
    pub shape: Shape,
    /// Most blocks at once on an SM, if fewer should run than fit.
    #[serde(default)]
    pub blocks: Option<u32>,
}

impl EstimateRequest {
    pub fn new(gpu: Gpu, shape: Shape) -> Box<Self> {
        Box::new(Self { gpu, shape, blocks: None })
    }

    /// Makes a request for a GPU that the tutor knows by this name, or for [`DEFAULT`]. A course may name no file.
    pub fn of(device: Option<&str>, shape: Shape) -> Option<Box<Self>> {
        let name = device.unwrap_or(DEFAULT);
        devices().contains(&name).then(|| gpu(name).ok()).flatten().map(|gpu| Self::new(gpu, shape))
    }

    /// Makes a request for the GPU with this name, if its constants are known, else for [`DEFAULT`].
    pub fn like(device: &str, shape: Shape) -> Option<Box<Self>> {
        let known = devices().into_iter().filter_map(|name| gpu(name).ok()).find(|gpu| gpu.device == device);
        known.map(|gpu| Self::new(gpu, shape)).or_else(|| Self::of(None, shape))
    }
}

/// The errors of other estimates of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Error {
    /// The GPU on which the launches were timed.
    pub device: String,
    /// True if the estimates knew the registers that the assembler takes.
    pub registers: bool,
    /// True if the kernels are the course's, with the registers of their recorded machine code.
    #[serde(default)]
    pub course: bool,
    /// True if the kernels use tensor cores.
    #[serde(default)]
    pub tensor: bool,
    /// Half of the estimates are within this factor less one of the measured time.
    pub median: f64,
    /// Nine of ten are within this one.
    pub p90: f64,
    /// Number of launches that were compared.
    pub kernels: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// The unit or the wait.
    pub unit: Constraint,
    /// Share of the time that a launch without this constraint would save.
    pub share: f64,
}

/// A bound of a launch: what it needs of a part that all warps of an SM share.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bound {
    /// Cycles of an SM for each 32 multiply-adds, which is one FMA of a warp.
    pub per_32_multiply_adds: f64,
    /// Share of the launch's time for which the part works, over all SMs.
    pub busy: f64,
}

/// The data pipe of L1, which serves a wavefront per cycle: what takes them, per 32 multiply-adds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DataPipe {
    #[serde(flatten)]
    pub bound: Bound,
    /// Shared loads. Loads that the assembler fuses are one.
    pub shared_loads: f64,
    pub shared_stores: f64,
    /// Lines that global loads look up.
    pub global_loads: f64,
    pub global_stores: f64,
    /// Writes of `cp.async` to shared memory.
    pub copies: f64,
    /// Barriers, waits for copies, and registers that the assembler keeps in local memory.
    pub others: f64,
}

/// What all launches of a product need, before it is divided by the number of its multiply-adds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Needs {
    demand: Demand,
    cycles: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Estimated {
    pub device: String,
    /// The estimate, and the interval in which nine of ten measured times lie.
    pub median_ms: f64,
    /// Lower end of the interval.
    pub low_ms: f64,
    /// Upper end of the interval.
    pub high_ms: f64,
    /// Microseconds of it that the launch itself takes, whatever the kernel does.
    pub launch_us: f64,
    /// 10⁹ floating-point operations per second, if they were counted.
    pub gflops: Option<f64>,
    /// Where the number of instructions comes from: `machine_code` if it is recorded, else `ptx`.
    pub from: String,
    /// Registers per thread.
    pub registers: u32,
    /// True if they are estimated from the PTX.
    pub registers_estimated: bool,
    /// Bytes per thread that the assembler keeps in local memory, if they are recorded. The model does not count them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spilled_bytes: Option<u64>,
    /// True if the model counts a few more registers than the kernel may have.
    pub may_spill: bool,
    /// Blocks at once on an SM.
    pub resident: u32,
    /// Blocks that fit, if fewer run.
    pub fits: u32,
    pub waves: f64,
    /// What each constraint costs, the largest share first.
    pub limits: Vec<Limit>,
    /// The three bounds, if the floating-point operations were counted.
    pub data_pipe: Option<DataPipe>,
    pub issue_slots: Option<Bound>,
    pub arithmetic: Option<Bound>,
    #[serde(skip)]
    pub needs: Needs,
    /// Shares of the time for which units of a full SM work.
    pub busy: BTreeMap<Unit, f64>,
    /// Shares of the warps' time, in the words of Nsight Compute.
    pub stalls: BTreeMap<Stall, f64>,
    /// Some cycles of a full SM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeline: Option<Timeline>,
    pub error: Error,
}

/// Returns the names that [`gpu`] knows.
pub fn devices() -> Vec<&'static str> {
    GPUS.iter().map(|(name, _)| *name).collect()
}

/// Returns the constants of a GPU, by name or from a file that a student has measured.
///
/// # Errors
/// If there is neither, the file cannot be read, or no GPU has such a constant.
pub fn gpu(name: &str) -> Result<Gpu, Sentence> {
    let own;
    let text = match GPUS.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => *text,
        None => {
            let path = Path::new(name);
            let fits = std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= MAX_BYTES);
            let read = fits.then(|| std::fs::read_to_string(path).ok()).flatten();
            own = read.ok_or_else(|| sentence!("estimate-no-device", name, known = devices().join(", ")))?;
            &own
        }
    };
    let gpu: Gpu = yaml::read_typed(text)
        .map_err(|fault| sentence!("estimate-bad-device", name, why = fault.to_string().trim_end_matches('.')))?;
    match serde_json::to_value(&gpu).ok().and_then(|constants| impossible("", &constants)) {
        Some(constant) => Err(sentence!("estimate-impossible", name, constant)),
        None => Ok(gpu),
    }
}

/// Returns the name and value of the first number that no GPU has: one that is not above 0, or so large that a simulation
/// would not end. Only reading operands may take no time.
fn impossible(name: &str, constants: &serde_json::Value) -> Option<String> {
    if let Some(parts) = constants.as_object() {
        return parts.iter().find_map(|(part, value)| impossible(&format!("{name}.{part}"), value));
    }
    let value = constants.as_f64()?;
    let largest = if name.ends_with("bytes") { 1e12 } else { 1e6 };
    let fits = value <= largest && (value > 0.0 || value == 0.0 && name == ".operand_cycles");
    (!fits).then(|| format!("{} = {value}", name.trim_start_matches('.')))
}

/// Returns how large the errors of estimates of one kind are: on this GPU if launches on it were compared, else on
/// the first GPU of the file with such kernels.
fn error(device: &str, (registers, course): (bool, bool), tensor: bool) -> Option<Error> {
    let mut all: Vec<Error> = yaml::read_typed(include_str!("../../../assets/estimate/error.yaml")).ok()?;
    all.retain(|error| error.registers == registers && error.course == course && error.tensor == tensor);
    all.iter().find(|error| error.device == device).or(all.first()).cloned()
}

/// Estimates a launch. `recorded`: the question's registers are those of the recorded machine code of a kernel of the course.
///
/// # Errors
/// Why there is no estimate.
pub fn estimated(
    question: &Question<'_>,
    gpu: &Gpu,
    control: &Control<'_>,
    recorded: bool,
) -> Result<Estimated, Sentence> {
    let found = estimate(question, gpu, control).map_err(|refusal| why_not(&refusal))?;
    let error = error(&gpu.device, (question.registers.is_some(), recorded), found.tensor);
    let error = error.ok_or_else(|| sentence!("estimate-no-error"))?;
    let limits =
        found.without.iter().map(|(constraint, gain)| Limit { unit: *constraint, share: (1.0 - 1.0 / gain).max(0.0) });
    Ok(Estimated {
        device: gpu.device.clone(),
        median_ms: found.ms,
        low_ms: found.ms / (1.0 + error.p90),
        high_ms: found.ms * (1.0 + error.p90),
        launch_us: gpu.launch_us,
        gflops: None,
        from: "ptx".to_owned(),
        registers: found.registers,
        registers_estimated: found.registers_estimated,
        spilled_bytes: None,
        may_spill: found.may_spill,
        resident: found.resident,
        fits: found.fits,
        waves: found.waves,
        limits: limits.collect(),
        data_pipe: None,
        issue_slots: None,
        arithmetic: None,
        needs: Needs { demand: found.demand, cycles: found.cycles },
        timeline: found.timeline,
        busy: found.busy.into_iter().collect(),
        stalls: found.stalls.into_iter().collect(),
        error,
    })
}

pub fn waits() -> impl Iterator<Item = &'static str> + Clone {
    Stall::ALL.into_iter().filter(|stall| stall.waits()).map(Stall::name)
}

/// Says what a warp does in a cycle; `None` if it had not begun or had ended.
pub fn stall_sentence(stall: Option<Stall>) -> Sentence {
    sentence!("estimate-does", stall = stall.map_or_else(String::new, |stall| format!("{stall:?}")))
}

/// Three significant digits.
fn three(value: f64) -> String {
    format!("{:.*}", (2 - value.abs().max(1e-9).log10().floor() as i32).max(0) as usize, value)
}

impl Estimated {
    /// Returns the wait on which the warps spend the largest part of their time, with this part.
    pub fn longest_wait(&self) -> Option<(Stall, f64)> {
        let waits = self.stalls.iter().filter(|(stall, _)| stall.waits());
        waits.max_by(|a, b| a.1.total_cmp(b.1)).map(|(stall, share)| (*stall, *share))
    }

    /// Returns the statement that must stand above the number.
    pub fn heading(&self) -> Sentence {
        sentence!("estimate-heading", device = self.device) + " " + self.accuracy()
    }

    /// Adds a launch that runs before or after this one.
    pub fn add(&mut self, other: &Self) {
        self.median_ms += other.median_ms;
        self.low_ms += other.low_ms;
        self.high_ms += other.high_ms;
        self.launch_us += other.launch_us;
        self.needs.demand += other.needs.demand;
        self.needs.cycles += other.needs.cycles;
    }

    /// Computes the speed and the bounds from the number of floating-point operations.
    pub fn set_flop(&mut self, flop: f64) {
        if flop <= 0.0 {
            return;
        }
        self.gflops = Some(flop / self.median_ms / 1e6);
        let (steps, Needs { demand, cycles }) = (flop / FLOP_OF_A_STEP, &self.needs);
        let bound = |work: f64| Bound { per_32_multiply_adds: work / steps, busy: work / cycles };
        self.data_pipe = Some(DataPipe {
            bound: bound(demand.data_pipe()),
            shared_loads: demand[Need::SharedLoads] / steps,
            shared_stores: demand[Need::SharedStores] / steps,
            global_loads: demand[Need::GlobalLoads] / steps,
            global_stores: demand[Need::GlobalStores] / steps,
            copies: demand[Need::Copies] / steps,
            others: demand[Need::Waits] / steps,
        });
        self.issue_slots = Some(bound(demand[Need::Instructions] / SCHEDULERS));
        self.arithmetic = Some(bound(demand[Need::Arithmetic]));
    }

    /// Takes the instructions of the main loop from the machine code that the assembler made, where its `figures` are
    /// recorded: each is executed once per round if the loop has one branch.
    pub fn assembled(&mut self, figures: &BTreeMap<String, u64>) {
        let figure = |name: &str| figures.get(name).copied().unwrap_or_default() as f64;
        let (Some(pipe), Some(issue), products @ 1.0..) = (&mut self.data_pipe, &mut self.issue_slots, figure("ffma"))
        else {
            return;
        };
        // A local access of a warp takes one wavefront.
        let spilled = (figure("local_loads") + figure("local_stores")) / products;
        pipe.bound.busy *= 1.0 + spilled / pipe.bound.per_32_multiply_adds;
        pipe.bound.per_32_multiply_adds += spilled;
        pipe.others += spilled;
        let recorded = figure("instructions") / products / SCHEDULERS;
        let near = (recorded / issue.per_32_multiply_adds - 1.0).abs() < UNLIKE;
        if near && figure("branches") <= 1.0 {
            *issue = Bound { per_32_multiply_adds: recorded, busy: issue.busy * recorded / issue.per_32_multiply_adds };
            "machine_code".clone_into(&mut self.from);
        }
    }

    /// Returns the statement of the error in a short form, for screens that show the interval.
    pub fn accuracy(&self) -> Sentence {
        let Error { device, registers, p90, kernels, .. } = &self.error;
        let factor = format!("{:.2}", 1.0 + p90);
        let source = if *registers { "assembler" } else { "ptx" };
        let here = if *device == self.device { "here" } else { "other" };
        sentence!("estimate-accuracy", factor, kernels, device, source, here)
    }

    /// Returns the interval in which nine of ten times of other launches were.
    pub fn interval(&self) -> Sentence {
        sentence!("estimate-interval", low = duration(self.low_ms), high = duration(self.high_ms))
    }

    /// Returns time, interval and speed for products of a shape, to stand below a heading.
    pub fn row(&self, shape: Shape) -> Sentence {
        let (shape, speed) = (shape.to_string(), speed(self.gflops.unwrap_or_default()));
        sentence!("estimate-row", shape, time = duration(self.median_ms), interval = self.interval(), speed)
    }

    /// Returns the estimate in one sentence, and its share of cuBLAS's recorded speed on the same GPU if there is one
    /// for a square product of size `n`.
    pub fn brief(&self, n: u32) -> Sentence {
        let time = sentence!("estimate-brief", device = self.device, row = self.row(Shape::square(n)));
        let recorded = Recording::built_in().iter().find(|recording| recording.device == self.device);
        let Some((recording, cublas)) = recorded.and_then(|all| Some((all, all.cublas_at(n, Elements::F32)?))) else {
            return time;
        };
        let choice = if recording.against == Against::Best { "best" } else { "default" };
        let share = percent(cublas.median_ms / self.median_ms);
        time + " " + sentence!("estimate-share", share, choice)
    }

    /// Names the nearest bound. If it is not near, says what else takes the time.
    pub fn why(&self) -> Sentence {
        let shared = [
            (Unit::DataPipe, self.data_pipe.map(|pipe| pipe.bound)),
            (Unit::Schedulers, self.issue_slots),
            (Unit::Float, self.arithmetic),
        ];
        let shared = shared.into_iter().filter_map(|(unit, bound)| Some((unit, bound?.busy)));
        let ways = [Unit::L2, Unit::Memory].into_iter().filter_map(|unit| Some((unit, *self.busy.get(&unit)?)));
        let nearest = shared.chain(ways).max_by(|a, b| a.1.total_cmp(&b.1));
        let told = nearest.map(|(unit, busy)| {
            let (bound, share) = (format!("{unit:?}"), percent(busy));
            if busy >= NEAR {
                sentence!("estimate-near", bound, share)
            } else {
                sentence!("estimate-far", bound, share)
            }
        });
        if nearest.is_some_and(|(_, busy)| busy >= NEAR) {
            return told.unwrap_or_default();
        }
        let rest = match self.limits.iter().find(|limit| limit.share >= HELD).map(|limit| limit.unit) {
            Some(Constraint::Tail) => sentence!("estimate-idle", waves = format!("{:.2}", self.waves)),
            Some(Constraint::BlockStarts) => sentence!("estimate-starts"),
            _ => {
                let Some((stall, share)) = self.longest_wait() else { return told.unwrap_or_default() };
                sentence!("estimate-latency", stall = format!("{stall:?}"), share = percent(share))
            }
        };
        told.map_or(rest.clone(), |told| told + " " + rest)
    }

    /// Returns what the launch would gain without its two largest constraints.
    pub fn gains(&self) -> impl Iterator<Item = Sentence> + '_ {
        self.limits.iter().take(2).filter(|limit| limit.share >= 0.03).map(|limit| {
            let (part, times) = (format!("{:?}", limit.unit), format!("{:.2}", 1.0 / (1.0 - limit.share)));
            sentence!("estimate-without", part, times)
        })
    }

    /// Says what is known about values in local memory.
    pub fn spills(&self) -> Option<Sentence> {
        let known = self.spilled_bytes.map(|bytes| sentence!("estimate-spilled", bytes));
        known.or_else(|| self.may_spill.then(|| sentence!("estimate-may-spill")))
    }

    /// Describes the estimate in sentences, without the heading.
    pub fn lines(&self) -> Vec<Sentence> {
        let mut lines = vec![
            sentence!(
                "estimate-time",
                ms = three(self.median_ms),
                low = three(self.low_ms),
                high = three(self.high_ms),
                launch = self.launch_us,
            ),
            sentence!(
                "estimate-launch",
                registers = self.registers,
                source = if self.registers_estimated { "estimated" } else { "given" },
                resident = self.resident,
                waves = format!("{:.2}", self.waves),
            ),
        ];
        if let Some(gflops) = self.gflops {
            lines.push(sentence!("estimate-speed", gflops = three(gflops)));
        }
        lines.push(self.why());
        if let Some(((pipe, issue), arithmetic)) = self.data_pipe.zip(self.issue_slots).zip(self.arithmetic) {
            let cycles = |of: f64| format!("{of:.3}");
            lines.push(sentence!(
                "estimate-bounds",
                pipe = cycles(pipe.bound.per_32_multiply_adds),
                pipe_busy = percent(pipe.bound.busy),
                issue = cycles(issue.per_32_multiply_adds),
                issue_busy = percent(issue.busy),
                arithmetic = cycles(arithmetic.per_32_multiply_adds),
                arithmetic_busy = percent(arithmetic.busy),
            ));
            let DataPipe { shared_loads, shared_stores, global_loads, global_stores, copies, others, .. } = pipe;
            let [loads, stores, copies, others] = [shared_loads, shared_stores, copies, others].map(cycles);
            let global = cycles(global_loads + global_stores);
            lines.push(sentence!("estimate-data-pipe", loads, stores, global, copies, others));
        }
        lines.extend(self.spills());
        let mut stalls: Vec<(&str, f64)> = self.stalls.iter().map(|(stall, share)| (stall.name(), *share)).collect();
        stalls.sort_by(|a, b| b.1.total_cmp(&a.1));
        let shares = stalls.iter().filter(|(_, share)| *share >= 0.03);
        let shares = shares.map(|(name, share)| Sentence::from(format!("{name} ")) + percentage(*share, 0));
        if let Some(shares) = shares.reduce(|all, next| all + ", " + next) {
            lines.push(sentence!("estimate-stalls", shares));
        }
        lines.extend(self.gains());
        lines
    }
}

/// Says why there is no estimate.
fn why_not(refusal: &Refusal) -> Sentence {
    match refusal {
        Refusal::Instruction { name, line } => sentence!("estimate-instruction", name, line),
        Refusal::Unreadable { line } => sentence!("estimate-unreadable", line),
        Refusal::Cluster => sentence!("estimate-cluster"),
        Refusal::Spills { needs, most } => sentence!("estimate-spills", needs, most),
        Refusal::TooLarge => sentence!("estimate-too-large"),
        Refusal::Stuck => sentence!("estimate-stuck"),
        Refusal::Faulted(fault) => sentence!("estimate-faulted", why = explain(fault)),
        _ => sentence!("estimate-cancelled"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constants_of_both_gpus_and_the_error_are_read() {
        for name in devices() {
            assert_eq!(gpu(name).unwrap().multiprocessors, 132, "{name}");
        }
        // Some of the students' kernels were timed on the second GPU only.
        let all: Vec<Error> = yaml::read_typed(include_str!("../../../assets/estimate/error.yaml")).unwrap();
        let kinds = [(true, true), (true, false), (false, false)];
        for (known, tensor) in kinds.into_iter().flat_map(|known| [(known, true), (known, false)]) {
            let is = |error: &&Error| (error.registers, error.course) == known && error.tensor == tensor;
            let first = all.iter().find(is).unwrap();
            assert_eq!(error("another GPU", known, tensor).as_ref(), Some(first));
            for device in devices().into_iter().map(|name| gpu(name).unwrap().device) {
                let error = error(&device, known, tensor).unwrap();
                let own = all.iter().filter(is).any(|error| error.device == device);
                assert!(is(&&error) && error.device == if own { device } else { first.device.clone() }, "{error:?}");
                assert!(0.0 < error.median && error.median < error.p90 && error.kernels > 0, "{error:?}");
            }
        }
        assert!(gpu("nvidia-none").unwrap_err().to_string().contains("nvidia-h100, nvidia-h200"));
    }
}
