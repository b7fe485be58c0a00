//! `emulate`: runs any kernel of any PTX file on the emulator.

pub(crate) mod arguments;
pub(crate) mod explain;
pub(crate) mod hazards;
pub(crate) mod launch;
mod list;
mod print;
mod show;
pub(crate) mod undefined;

use super::support::estimating::Estimate;
use super::{Exit, output};
use arguments::{Buffers, Hex, symbol, wrong_call};
use hazards::Shown;
use launch::{Bound, LaunchArgs, text_of, until_then};
use ptx_emulator::{
    self, BufferId, Counts, Fault, FaultKind, Hazard, HazardSeverity, Kernel, Launch, Measure, Memory, Module, Options,
    Stats, Undefined,
};
use serde::Serialize;
use show::Show;
use sm_timing_model::{Gpu, Question};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tutor_exec::estimate::{self, estimated};
use tutor_support::t;
use tutor_support::words::Sentence;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The PTX file.
    #[arg(required_unless_present = "list")]
    file: Option<PathBuf>,
    #[command(flatten)]
    launch: LaunchArgs,
    /// A `__device__` or `__constant__` variable to print, with an optional initial value: NAME, NAME=f32:1.5,
    /// NAME=hex:0011…, NAME=file:PATH.
    #[arg(long = "symbol", value_name = "NAME[=VALUE]")]
    symbols: Vec<String>,
    /// With `--measure all`, look for hazards only in shared memory and registers.
    #[arg(long)]
    no_global: bool,
    /// What to measure in addition to the results.
    #[arg(long, default_value = "counts")]
    measure: Measured,
    /// Host threads that run blocks [default: all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Maximum bytes of stack per thread, for recursive and indirect calls.
    #[arg(long, value_name = "BYTES")]
    stack: Option<u64>,
    /// Stop at the first read of unwritten shared or local memory; without this option, such reads return zero.
    #[arg(long)]
    uninitialised: bool,
    /// Print the first COUNT numbers of each buffer [default: 64] as f32, s32, u32, f64 or hex, for example f32:16.
    #[arg(long, value_name = "KIND[:COUNT]", value_parser = Show::read)]
    show: Option<Show>,
    /// Also estimate how long the launch would take on a GPU: nvidia-h100, nvidia-h200, or a file of measured
    /// constants.
    #[arg(long, value_name = "DEVICE")]
    estimate: Option<String>,
    /// With `--estimate`, run only the blocks that the estimate needs, and print nothing else.
    #[arg(long, requires = "estimate", conflicts_with = "show")]
    no_run: bool,
    /// Registers per thread as the assembler reports them, for the limit of a block and for `--estimate`. Otherwise
    /// they have no limit, and `--estimate` estimates them.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=255))]
    registers: Option<u32>,
    /// Print the emulator's program for the kernel, with the PTX line of each instruction, and run nothing.
    #[arg(long, conflicts_with_all = ["json", "args", "symbols", "show"])]
    program: bool,
    /// Print the supported instructions in each form, with the first PTX version and device that have it, and run
    /// nothing.
    #[arg(long, conflicts_with_all = ["file", "entry", "program"])]
    list: bool,
    /// Print one JSON document.
    #[arg(long)]
    pub(super) json: bool,
}

impl Args {
    /// Returns the path of the PTX file; empty only with `--list`.
    fn file(&self) -> &Path {
        self.file.as_deref().unwrap_or(Path::new(""))
    }
}

pub(super) const EXAMPLES: &str = "\
Example, for `.entry add(.param .u64 x, .param .u32 n)`:
  matmul-tutor emulate add.ptx --entry add --grid 4 --block 256 \\
      --arg buf:f32:rand:1024:1 --arg u32:1024 --measure all --show f32:16

Exit codes: 0 it ran; 1 it faulted, was stopped, or has a hazard; 2 the PTX or the call is wrong.
A hazard between stores of the same value does not change the exit code.";

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Measured {
    /// Only results.
    None,
    /// The costs of memory accesses.
    Counts,
    /// Costs and hazards.
    All,
}

/// Maximum size of all buffers together for which the emulator searches for witnesses, because these copy the buffers.
const MAX_WATCHED_BYTES: u64 = 64 << 20;
/// Maximum number of threads of a launch in which unwritten values are followed, because that is slow.
const FOLLOWED_THREADS: u64 = 1 << 16;
/// Maximum number of hazards for which a witness is searched for.
const MAX_WITNESSES: usize = 4;

#[derive(Serialize)]
struct Success {
    ok: bool,
    #[serde(flatten)]
    buffers: Buffers,
    /// The requested variables of the module by name, in hexadecimal.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    symbols: BTreeMap<String, String>,
    /// The numbers of each buffer as text, with `--show`. Those of `--buffer` come last.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<Vec<Vec<String>>>,
    counts: Option<Counts>,
    /// The estimated time, with `--estimate`.
    #[serde(flatten)]
    estimate: Option<Estimate>,
    hazards: Vec<Hazard>,
    /// Other undefined behaviour.
    undefined: Vec<Undefined>,
    /// For the first hazards, in order: two possible values, or why there are none.
    witnesses: Vec<Shown>,
    /// The GPU whose limits the launch keeps, by the emulator's tables.
    device: String,
    /// Checks that were left out, and why.
    left_out: Vec<String>,
    /// The kernel's printed output.
    output: String,
    stats: Stats,
}

/// Estimates a launch on a copy of its buffers.
fn estimate_of(args: &Args, gpu: &Gpu, kernel: &Kernel, launch: &Launch, memory: &Memory) -> Estimate {
    let control = args.launch.control();
    let found = text_of(args.file()).map_err(|fault| Sentence::from(fault.message)).and_then(|ptx| {
        let memory: &dyn Fn() -> Memory = &|| memory.clone();
        let (registers, progress) = (args.registers, &|_| {});
        let question =
            Question { ptx: &ptx, kernel, launch, memory, registers, blocks: None, constraints: true, progress };
        estimated(&question, gpu, &control, false)
    });
    Estimate::new(&gpu.device, found)
}

#[derive(Serialize)]
struct Failure {
    ok: bool,
    error: Fault,
    /// Hazards found before the fault, and witnesses for the first of them.
    hazards: Vec<Hazard>,
    undefined: Vec<Undefined>,
    witnesses: Vec<Shown>,
    left_out: Vec<String>,
    output: String,
}

impl Failure {
    /// Returns the usual failure document, with the emulator's additional fields.
    fn document(&self) -> serde_json::Result<serde_json::Value> {
        let mut document = serde_json::to_value(self)?;
        if let Some(error) = document.get_mut("error").and_then(serde_json::Value::as_object_mut) {
            error.entry("help").or_insert_with(|| serde_json::Value::Null);
            for nowhere in ["file", "line", "column"] {
                let value = error.entry(nowhere).or_insert_with(|| serde_json::Value::Null);
                if *value == 0 || *value == "" {
                    *value = serde_json::Value::Null;
                }
            }
        }
        Ok(document)
    }

    fn new(error: Fault) -> Self {
        Self {
            ok: false,
            error,
            hazards: Vec::new(),
            undefined: Vec::new(),
            witnesses: Vec::new(),
            left_out: Vec::new(),
            output: String::new(),
        }
    }
}

/// Runs a kernel and prints the results.
pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    if args.list {
        return list::list(args.json);
    }
    if args.program {
        return match args.launch.completed().and_then(|launch| load(args, &launch)) {
            Ok((_, kernel)) => {
                for line in kernel.listing().to_string().lines() {
                    output::line(line)?;
                }
                Ok(Exit::Done)
            }
            Err(fault) => Ok(explain::explain(args.file(), &fault, Exit::Usage, false)),
        };
    }
    if args.no_run {
        return estimate_only(args);
    }
    match emulate(args) {
        Ok(success) => {
            if args.json {
                output::json(&success)?;
            } else {
                print::print_report(&success, args.show)?;
            }
            let harmless = |hazard: &Hazard| hazard.severity == HazardSeverity::SameValue;
            let failed = !success.hazards.iter().all(harmless) || success.undefined.iter().any(Undefined::is_error);
            Ok(if failed { Exit::Failed } else { Exit::Done })
        }
        Err(failure) => {
            let kind = failure.error.kind;
            let wrong_call = matches!(kind, FaultKind::Parse | FaultKind::Unsupported | FaultKind::Launch);
            let exit = if wrong_call { Exit::Usage } else { Exit::Failed };
            if args.json {
                output::json(&failure.document()?)?;
                return Ok(exit);
            }
            print::print_output(&failure.output)?;
            undefined::print(&failure.undefined)?;
            hazards::print(&failure.hazards, &failure.witnesses, &failure.left_out)?;
            Ok(explain::explain(args.file(), &failure.error, exit, false))
        }
    }
}

/// The document of `--no-run`.
#[derive(Serialize)]
struct EstimateDocument {
    ok: bool,
    #[serde(flatten)]
    estimate: Estimate,
}

/// Prints the estimate without running the whole launch. Buffers and variables have their initial values.
fn estimate_only(args: &Args) -> anyhow::Result<Exit> {
    let found = args.launch.completed().and_then(|described| {
        let (module, kernel) = load(args, &described)?;
        let gpu = estimate::gpu(args.estimate.as_deref().unwrap_or(estimate::DEFAULT));
        let gpu = gpu.map_err(|why| wrong_call(why.to_string()))?;
        let Bound { launch, mut memory, .. } = described.bind(&kernel)?;
        set_symbols(args, &module, &kernel, &mut memory, &mut Vec::new())?;
        Ok(estimate_of(args, &gpu, &kernel, &launch, &memory))
    });
    let estimate = match found {
        Ok(estimate) => estimate,
        Err(fault) if args.json => {
            output::json(&Failure::new(fault).document()?)?;
            return Ok(Exit::Usage);
        }
        Err(fault) => return Ok(explain::explain(args.file(), &fault, Exit::Usage, false)),
    };
    let ok = estimate.estimated.is_some();
    if args.json {
        output::json(&EstimateDocument { ok, estimate })?;
    } else {
        estimate.print()?;
    }
    Ok(if ok { Exit::Done } else { Exit::Failed })
}

fn emulate(args: &Args) -> Result<Success, Box<Failure>> {
    let refused = |fault| Box::new(Failure::new(fault));
    let described = args.launch.completed().map_err(refused)?;
    let (module, kernel) = load(args, &described).map_err(refused)?;
    let gpu = args.estimate.as_deref().map(estimate::gpu).transpose();
    let gpu = gpu.map_err(|why| refused(wrong_call(why.to_string())))?;
    let Bound { launch, mut memory, buffers, named, bytes, left } = described.bind(&kernel).map_err(refused)?;
    let measure = match args.measure {
        Measured::None => Measure::None,
        Measured::Counts => Measure::Counts,
        Measured::All => Measure::All,
    };
    let all = measure == Measure::All;
    let threads = launch.grid.iter().chain(&launch.block).map(|n| u64::from(*n)).fold(1, u64::saturating_mul);
    let small = bytes <= MAX_WATCHED_BYTES;
    let control = args.launch.control();
    let options = Options {
        device: described.device(),
        registers: args.registers,
        measure,
        global_hazards: all && !args.no_global,
        follow_unwritten: all && threads <= FOLLOWED_THREADS,
        // The search for witnesses copies the buffers.
        hazard_bytes: Some(left.saturating_sub(if small { bytes } else { 0 })),
        stack_bytes: args.stack,
        threads: args.threads.map(usize::from),
        fault_on_uninitialised_shared: args.uninitialised,
        fault_on_uninitialised_local: args.uninitialised,
        ..Options::default()
    };
    let mut left_out = Vec::new();
    let symbols = set_symbols(args, &module, &kernel, &mut memory, &mut left_out).map_err(refused)?;
    let mut estimate = gpu.map(|gpu| estimate_of(args, &gpu, &kernel, &launch, &memory));
    let before = (all && small).then(|| memory.clone());
    let outcome = ptx_emulator::attempt(&kernel, &launch, &mut memory, &options, &control).map_err(refused)?;
    left_out.extend(until_then(&outcome, &launch));
    left_out.extend(launch::opt_ins(&kernel, &launch));
    let mut run = outcome.run;
    let shown = run.hazards.iter().take(MAX_WITNESSES);
    let witnesses: Vec<Shown> = before.map_or_else(Vec::new, |before| {
        shown
            .map(|hazard| Shown::new(ptx_emulator::witness(&kernel, &launch, &before, hazard, &control), hazard))
            .collect()
    });
    let folder = args.file().parent().unwrap_or(Path::new(""));
    run.hazards.iter_mut().for_each(|hazard| hazards::settle_headers(hazard, &[folder]));
    run.undefined = undefined::settled(run.undefined, &[folder]);
    if all && [true, false].iter().any(|waits| kernel.overlaps_launches(*waits)) {
        left_out.push(t!("race-overlaps"));
    }
    if all && args.no_global {
        left_out.push(t!("emulate-left-out-global"));
    }
    if all && !small {
        left_out.push(t!("emulate-left-out-large", most = MAX_WATCHED_BYTES >> 20));
    } else if let more @ 1.. = run.hazards.len() - witnesses.len() {
        left_out.push(t!("emulate-left-out-hazards", count = more, most = MAX_WITNESSES));
    }
    if let Some(mut error) = outcome.fault {
        error.message.extend(launch::lacks_shared(&error, &kernel, &launch).map(|hint| format!(" {hint}")));
        let (hazards, undefined, output) = (run.hazards, run.undefined, run.output);
        return Err(Box::new(Failure { ok: false, error, hazards, undefined, witnesses, left_out, output }));
    }
    let symbols = symbols.into_iter().map(|(name, id)| (name, Hex(memory.read(id)).to_string())).collect();
    if let Some((estimated, counts)) =
        estimate.as_mut().and_then(|found| found.estimated.as_mut()).zip(run.counts.as_ref())
    {
        estimated.set_flop(counts.totals.flop as f64);
    }
    let buffers = Buffers { memory, ids: buffers, named };
    let shown = args.show.map(|show| buffers.contents().map(|(_, bytes)| show.numbers(bytes)).collect());
    Ok(Success {
        ok: true,
        buffers,
        symbols,
        shown,
        counts: run.counts,
        estimate,
        hazards: run.hazards,
        undefined: run.undefined,
        witnesses,
        device: options.device.name.into_owned(),
        left_out,
        output: run.output,
        stats: run.stats,
    })
}

/// Returns the variables named by `--symbol`, after setting their initial values.
///
/// A variable that only other kernels of the module use is left out.
fn set_symbols(
    args: &Args,
    module: &Module,
    kernel: &Kernel,
    memory: &mut Memory,
    left_out: &mut Vec<String>,
) -> Result<Vec<(String, BufferId)>, Fault> {
    let mut all = Vec::new();
    for text in &args.symbols {
        let refused = |why: String| wrong_call(t!("emulate-symbol", text, why));
        let (name, bytes) = symbol(text).map_err(refused)?;
        let id = match memory.symbol(kernel, name) {
            Ok(id) => id,
            Err(_) if module.has_variable(name) => {
                left_out.push(t!("emulate-symbol-unused", name, kernel = kernel.name()));
                continue;
            }
            Err(fault) => return Err(fault),
        };
        if let Some(bytes) = bytes {
            let room = memory.write(id);
            let long = t!("emulate-symbol-long", given = bytes.len(), has = room.len());
            room.get_mut(..bytes.len()).ok_or_else(|| refused(long))?.copy_from_slice(&bytes);
        }
        all.push((name.to_owned(), id));
    }
    Ok(all)
}

/// Loads the kernel from the file.
fn load(args: &Args, launch: &LaunchArgs) -> Result<(Module, Kernel), Fault> {
    let module = Module::parse(&text_of(args.file())?)?;
    let kernel = launch.kernel(&module)?;
    Ok((module, kernel))
}
