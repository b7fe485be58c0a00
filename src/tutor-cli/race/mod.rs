//! `race`: looks for data races in a kernel of a CUDA or PTX file, in several launches on the emulator.

mod compile;
mod formats;

use super::emulate::explain::explain;
use super::emulate::hazards::{Shown, describe, index};
use super::emulate::launch::{LaunchArgs, guessed, until_then};
use super::{Exit, output};
use ptx_emulator::{
    Control, Fault, FaultKind, Hazard, HazardSeverity, Kernel, Measure, Module, Options, Schedule, attempt, witness,
};
use serde::Serialize;
use std::path::PathBuf;
use tutor_exec::protocol::ExecErrorKind;
use tutor_kernels::Arch;
use tutor_support::t;
use tutor_support::words::recognise;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The CUDA file (`.cu`, which needs NVRTC) or the PTX file.
    file: PathBuf,
    #[command(flatten)]
    launch: LaunchArgs,
    /// A directory with headers for a `.cu` file, such as `/usr/local/cuda/include`. The file's own is searched first.
    #[arg(long, value_name = "DIR")]
    include: Vec<PathBuf>,
    /// The GPU for which to compile a `.cu` file.
    #[arg(long, value_name = "ARCH", default_value = "sm_75", value_parser = arch)]
    arch: Arch,
    /// How many seeds to use for each size. A seed sets the order of the warps.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    seeds: u16,
    /// Also report threads that store the same value in the same place.
    #[arg(long)]
    same_value: bool,
    /// Format of the report.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Sentences.
    Human,
    /// One JSON document.
    Json,
    /// SARIF 2.1.0, which GitHub shows next to the lines.
    Sarif,
    /// One JUnit test case per launch.
    Junit,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  matmul-tutor race histogram.cu
  matmul-tutor race kernel.ptx --entry sum --grid 8 --block 128 --arg buf:zeros:4096 --arg u32:1024
  matmul-tutor race kernel.cu --launch launch.yaml --format sarif > races.sarif

Exit codes: 0 no race; 1 a race, or the kernel faulted or was stopped; 2 the file or the call is wrong;
3 there is no NVRTC to compile the file.";

/// Sizes to try if none is given: blocks, then threads per block. The last one is for kernels with a second dimension.
const SIZES: [[[u32; 3]; 2]; 4] =
    [[[1, 1, 1], [256, 1, 1]], [[4, 1, 1], [64, 1, 1]], [[8, 1, 1], [32, 1, 1]], [[2, 2, 1], [16, 16, 1]]];
/// Maximum number of races for which a witness is searched for, and of bytes that this copies.
const MAX_WITNESSES: usize = 8;
const MAX_COPIED: u64 = 64 << 20;
/// Guessed buffers first have a different number for each thread, then the numbers below this one again and again.
const REPEATED: u32 = 7;

/// A launch that was tried.
#[derive(Debug, Default, Serialize)]
struct Tried {
    grid: [u32; 3],
    block: [u32; 3],
    seed: u16,
    /// True if the guessed buffers had only the numbers below [`REPEATED`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeated: bool,
    /// Numbers of the races in [`Report::races`].
    races: Vec<usize>,
    /// Their descriptions with the threads of this launch.
    #[serde(skip)]
    texts: Vec<String>,
    /// Why the launch stopped early.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
}

impl Tried {
    fn describe(&self) -> String {
        if self.seed == 0 {
            return t!("race-no-launch");
        }
        let case = t!("race-case", grid = index(self.grid), block = index(self.block), seed = self.seed);
        if self.repeated { t!("race-repeated", case, most = REPEATED - 1) } else { case }
    }
}

/// A race, in words and as data.
#[derive(Debug, Serialize)]
struct Race {
    text: String,
    #[serde(flatten)]
    hazard: Hazard,
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<Shown>,
}

#[derive(Debug, Default, Serialize)]
struct Report {
    /// True if no launch had a race and each ran to its end.
    ok: bool,
    file: String,
    kernel: String,
    /// The arguments that were guessed, with the different numbers.
    guessed: Vec<String>,
    launches: Vec<Tried>,
    races: Vec<Race>,
    /// Sizes that the kernel cannot have, and checks that were left out.
    left_out: Vec<String>,
}

impl Report {
    /// Returns the report of a call that launched nothing, for this reason.
    fn without_launch(args: &Args, why: &str) -> Self {
        let stopped = Some(why.to_owned());
        let none = Tried { stopped, ..Tried::default() };
        Self { file: args.file.display().to_string(), launches: vec![none], ..Self::default() }
    }

    /// Names the arguments that were guessed, if there are any, and what the races have to do with them.
    fn about_guesses(&self) -> Option<String> {
        let guessed = t!("race-guessed", arguments = self.guessed.join(", "));
        let clean = |launch: &Tried| launch.races.is_empty() && launch.stopped.is_none();
        let only = !self.races.is_empty() && self.launches.iter().all(|launch| launch.repeated || clean(launch));
        let text = if only { format!("{guessed} {}", t!("race-only-repeated", most = REPEATED - 1)) } else { guessed };
        (!self.guessed.is_empty()).then_some(text)
    }
}

fn arch(text: &str) -> Result<Arch, String> {
    Arch::parse(text).ok_or_else(|| t!("exec-arch-help"))
}

pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    let found = args.launch.completed().map_err(compile::Failed::Call).and_then(|described| {
        let (ptx, name) = compile::ptx(args, described.entry.as_deref())?;
        let entry = name.or_else(|| described.entry.clone());
        races(args, &LaunchArgs { entry, ..described }, &ptx).map_err(compile::Failed::Call)
    });
    let report = match found {
        Ok(report) => report,
        Err(failed) => {
            // A program that reads the report also gets one if there was no launch.
            if matches!(args.format, Format::Sarif | Format::Junit) {
                print_as(args.format, &Report::without_launch(args, &failed.message()))?;
            }
            return Ok(match failed {
                compile::Failed::Call(fault) => explain(&args.file, &fault, Exit::Usage),
                compile::Failed::Compiler(error) => match error.kind {
                    ExecErrorKind::Compile | ExecErrorKind::TimedOut => {
                        let help = error.help.map(|help| help.to_string());
                        super::failure(Exit::Usage, error.message, help.as_deref())
                    }
                    _ => super::failure_of(&error),
                },
            });
        }
    };
    print_as(args.format, &report)?;
    Ok(if report.ok { Exit::Done } else { Exit::Failed })
}

fn print_as(format: Format, report: &Report) -> std::io::Result<()> {
    match format {
        Format::Human => print(report),
        Format::Json => output::json(report),
        Format::Sarif => output::json(&formats::sarif(report)),
        Format::Junit => output::line(formats::junit(report).trim_end()),
    }
}

fn races(args: &Args, described: &LaunchArgs, ptx: &str) -> Result<Report, Fault> {
    let module = Module::parse(ptx)?;
    let kernel = described.kernel(&module)?;
    let mut report = Report {
        ok: true,
        file: args.file.display().to_string(),
        kernel: kernel.name().to_owned(),
        ..Report::default()
    };
    let control = args.launch.control();
    if kernel.overlaps_launches() {
        report.left_out.push(t!("race-overlaps"));
    }
    // Threads that differ only in y do the same in a kernel that never reads y.
    let sizes = if kernel.reads_y() { &SIZES[..] } else { &SIZES[..3] };
    let mut sizes: Vec<_> = sizes
        .iter()
        .map(|[grid, block]| [described.grid.unwrap_or(*grid), described.block.unwrap_or(*block)])
        .collect();
    sizes.dedup();
    let mut refused = None;
    for [grid, block] in sizes {
        match size(args, described, &kernel, [grid, block], &control, &mut report) {
            Err(fault) if fault.kind == FaultKind::Launch => {
                let size = format!("{}×{}", index(grid), index(block));
                report.left_out.push(t!("race-size", size, why = recognise("exec-says", &fault.message)));
                refused = refused.or(Some(fault));
            }
            other => other?,
        }
    }
    if let (true, Some(fault)) = (report.launches.is_empty(), refused) {
        return Err(fault);
    }
    report.ok = report.races.is_empty() && report.launches.iter().all(|launch| launch.stopped.is_none());
    Ok(report)
}

/// Launches the kernel in one size with every seed.
fn size(
    args: &Args,
    described: &LaunchArgs,
    kernel: &Kernel,
    [grid, block]: [[u32; 3]; 2],
    control: &Control<'_>,
    report: &mut Report,
) -> Result<(), Fault> {
    let n = grid.iter().chain(&block).fold(1u32, |n, extent| n.saturating_mul(*extent)).min(1 << 14);
    let mut guesses = [n, REPEATED].map(|modulus| guessed(kernel, described.args.len(), n, modulus)).to_vec();
    guesses.dedup();
    if report.guessed.is_empty() {
        let of = |(at, arg)| format!("argument {} = {arg}", described.args.len() + at);
        report.guessed = guesses[0].iter().enumerate().map(of).collect();
    }
    let cases =
        guesses.iter().enumerate().flat_map(|(at, guess)| (1..=args.seeds).map(move |seed| (at > 0, guess, seed)));
    let mut stopped_with = None;
    for (repeated, guess, seed) in cases {
        if stopped_with == Some(repeated) {
            continue;
        }
        let mut launch = LaunchArgs { grid: Some(grid), block: Some(block), ..described.clone() };
        launch.args.extend(guess.iter().cloned());
        let mut bound = launch.bind(kernel)?;
        let before = (bound.bytes <= MAX_COPIED).then(|| bound.memory.clone());
        let options = Options {
            measure: Measure::All,
            global_hazards: true,
            hazard_bytes: Some(bound.left.saturating_sub(if before.is_some() { bound.bytes } else { 0 })),
            schedule: Schedule::Seeded(seed.into()),
            ..Options::default()
        };
        let outcome = attempt(kernel, &bound.launch, &mut bound.memory, &options, control)?;
        let until = until_then(&outcome, &bound.launch).map_or_else(String::new, |until| format!(" {until}"));
        let stopped = outcome.fault.map(|fault| fault.message + &until);
        let (mut races, mut texts) = (Vec::new(), Vec::new());
        for hazard in outcome.run.hazards {
            if hazard.severity == HazardSeverity::SameValue && !args.same_value {
                continue;
            }
            texts.push(describe(&hazard));
            if let Some(known) = report.races.iter().position(|race| same(&race.hazard, &hazard)) {
                report.races[known].hazard.occurrences += hazard.occurrences;
                races.push(known);
                continue;
            }
            let shown = before.as_ref().filter(|_| report.races.len() < MAX_WITNESSES);
            let shown =
                shown.map(|before| Shown::new(witness(kernel, &bound.launch, before, &hazard, control), &hazard));
            races.push(report.races.len());
            report.races.push(Race { text: describe(&hazard), hazard, shown });
        }
        stopped_with = stopped.as_ref().map(|_| repeated);
        report.launches.push(Tried { grid, block, seed, repeated, races, texts, stopped });
    }
    Ok(())
}

/// True if two hazards are of the same kind at the same places.
fn same(known: &Hazard, new: &Hazard) -> bool {
    let of = |hazard: &Hazard| (hazard.kind, hazard.space, hazard.severity);
    let places = |hazard: &Hazard| (hazard.first.place.clone(), hazard.second.place.clone());
    of(known) == of(new) && places(known) == places(new)
}

fn print(report: &Report) -> std::io::Result<()> {
    for (number, race) in report.races.iter().enumerate() {
        output::line(&race.text)?;
        if let Some(launch) = report.launches.iter().find(|launch| launch.races.contains(&number)) {
            output::line(format_args!("    {}", launch.describe()))?;
        }
        if let Some(shown) = &race.shown {
            output::line(format_args!("    {}", shown.describe()))?;
        }
    }
    for stopped in report.launches.iter().filter(|launch| launch.stopped.is_some()) {
        let why = stopped.stopped.clone().unwrap_or_default();
        output::line(t!("race-stopped", grid = index(stopped.grid), block = index(stopped.block), why))?;
    }
    report.about_guesses().iter().try_for_each(output::line)?;
    report.left_out.iter().try_for_each(output::line)?;
    let (kernel, launches) = (report.kernel.clone(), report.launches.len());
    let stopped = report.launches.iter().filter(|launch| launch.stopped.is_some()).count();
    match report.races.len() {
        0 if stopped > 0 => output::line(t!("race-open", kernel, stopped, launches))?,
        0 => output::line(t!("race-none", kernel, launches))?,
        races => output::line(t!("race-some", kernel, races, launches))?,
    }
    output::line(t!("race-unseen"))
}
