//! `race`: looks for data races in a kernel of a CUDA or PTX file, in several launches on the emulator.

mod compile;
mod control;
mod database;
mod formats;
mod program;
mod search;
mod unoptimised;

use super::emulate::arguments::wrong_call;
use super::emulate::explain::explain;
use super::emulate::hazards::{Shown, index};
use super::emulate::launch::{ForRace, LaunchArgs};
use super::emulate::undefined;
use super::{Exit, output};
use ptx_emulator::{Fault, Hazard, Undefined};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;
use tutor_exec::protocol::ExecErrorKind;
use tutor_kernels::Arch;
use tutor_support::t;

#[derive(Debug, Clone, clap::Args)]
pub(super) struct Args {
    /// The CUDA file (`.cu`, which needs NVRTC) or the PTX file.
    file: PathBuf,
    #[command(flatten)]
    launch: LaunchArgs,
    /// A directory with headers for a `.cu` file. The file's own is searched first.
    #[arg(short = 'I', long, value_name = "DIR")]
    include: Vec<PathBuf>,
    /// A macro for a `.cu` file.
    #[arg(short = 'D', long, value_name = "NAME=VALUE")]
    define: Vec<String>,
    /// The version of C++ for a `.cu` file, such as c++14 [default: c++17].
    #[arg(long, value_name = "VERSION", value_parser = standard)]
    std: Option<String>,
    /// The `compile_commands.json` with the options for a `.cu` file [default: the one next to it, if any].
    #[arg(long, value_name = "FILE")]
    compile_commands: Option<PathBuf>,
    /// Another source of the program, such as `main.cpp`. Only its host part is read, for the launches.
    #[arg(long, value_name = "FILE")]
    host: Vec<PathBuf>,
    /// Arguments of a program with `main`, which decide what it launches.
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    argv: Option<String>,
    /// The GPU for which to compile a `.cu` file [default: sm_75, or sm_90 for a file that needs a newer one].
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    arch: Option<Arch>,
    /// How many seeds to use for each size [default: 3]. A seed sets the order of the warps and of the blocks.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    seeds: Option<u16>,
    /// Stop at the first read of unwritten shared or local memory. Without this option, such reads return zero.
    #[arg(long)]
    uninitialised: bool,
    /// Also report threads that store the same value in the same place.
    #[arg(long)]
    same_value: bool,
    /// Take away each barrier, fence, wait and atomic update in turn, and show what is reported then.
    #[arg(long)]
    control: bool,
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

Exit codes: 0 no race; with `--control`, each removal was reported; 1 a race or undefined behaviour, or the kernel faulted or was stopped;
2 the file or the call is wrong; 3 there is no NVRTC to compile the file.";

/// Guessed buffers first have a different number for each thread, then the numbers below this one again and again.
const REPEATED: u32 = 7;

/// A launch that was tried.
#[derive(Debug, Default, Serialize)]
struct Tried {
    kernel: String,
    /// The line of the launch in the program, if it comes from there, and the header with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "String::is_empty")]
    header: String,
    /// True if an argument or the contents of a buffer were guessed.
    guessed: bool,
    grid: [u32; 3],
    block: [u32; 3],
    seed: u16,
    /// True if the guessed buffers had only the numbers below [`REPEATED`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeated: bool,
    /// The guessed integers, if they are not the number of threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    integers: Option<u32>,
    /// Numbers of the races in [`Report::races`].
    races: Vec<usize>,
    /// Why the launch stopped early.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
}

/// Names a line, with its header if it is in one.
fn line_of(line: usize, header: &str) -> String {
    if header.is_empty() { line.to_string() } else { t!("emulate-header-line", line = line.to_string(), file = header) }
}

impl Tried {
    /// Describes the launch without its seed.
    fn size(&self) -> String {
        if self.seed == 0 {
            return t!("race-no-launch");
        }
        let size = t!("race-of-size", grid = index(self.grid), block = index(self.block));
        match self.line {
            Some(line) => {
                t!("race-of-line", line = line_of(line, &self.header), kernel = self.kernel.as_str(), size)
            }
            None => size,
        }
    }

    fn describe(&self) -> String {
        if self.seed == 0 {
            return t!("race-no-launch");
        }
        let case = t!("race-case", size = self.size(), seed = self.seed);
        match self.integers {
            Some(integers) => t!("race-integers", case, integers),
            None if self.repeated => t!("race-repeated", case, most = REPEATED - 1),
            None => case,
        }
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
    /// True if no launch had a race or an error of undefined behaviour, and each ran to its end.
    ok: bool,
    file: String,
    /// The kernels that were launched.
    kernel: String,
    /// What was left out of a program with a host part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    host: Vec<String>,
    /// The arguments that were guessed, with the different numbers.
    guessed: Vec<String>,
    launches: Vec<Tried>,
    races: Vec<Race>,
    /// Other undefined behaviour.
    undefined: Vec<Undefined>,
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

    fn settle(&mut self) {
        let ended = self.launches.iter().all(|launch| launch.stopped.is_none());
        self.ok = self.races.is_empty() && ended && !self.undefined.iter().any(Undefined::is_error);
    }

    /// Names the arguments that were guessed, if there are any, and what the races have to do with them.
    fn about_guesses(&self) -> Option<String> {
        let mut guessed = t!("race-guessed", arguments = self.guessed.join(", "));
        let mut integers: Vec<u32> = self.launches.iter().filter_map(|launch| launch.integers).collect();
        integers.sort_unstable();
        integers.dedup();
        if !integers.is_empty() {
            let integers = integers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            guessed = format!("{guessed} {}", t!("race-guessed-integers", integers));
        }
        let clean = |launch: &Tried| launch.races.is_empty() && launch.stopped.is_none();
        let only = !self.races.is_empty() && self.launches.iter().all(|launch| launch.repeated || clean(launch));
        let text = if only { format!("{guessed} {}", t!("race-only-repeated", most = REPEATED - 1)) } else { guessed };
        (!self.guessed.is_empty()).then_some(text)
    }
}

fn arch(text: &str) -> Result<Arch, String> {
    Arch::parse(text).ok_or_else(|| t!("exec-arch-help"))
}

fn standard(text: &str) -> Result<String, String> {
    let known = ["c++03", "c++11", "c++14", "c++17", "c++20"].contains(&text);
    if known { Ok(text.to_owned()) } else { Err(t!("race-standard")) }
}

impl Args {
    /// Adds what the file of `--launch` states.
    fn completed(&self, file: &ForRace) -> Result<Self, Fault> {
        let wrong = |why: String| {
            let file = self.launch.launch.as_ref().map_or_else(String::new, |file| file.display().to_string());
            wrong_call(t!("emulate-launch", file, why))
        };
        let named = file.arch.as_deref().map(arch).transpose().map_err(wrong)?;
        if file.seeds.is_some_and(|seeds| !(1..=1000).contains(&seeds)) {
            return Err(wrong(t!("race-seeds")));
        }
        let include = if self.include.is_empty() { file.include.clone() } else { self.include.clone() };
        let (arch, seeds) = (self.arch.or(named), self.seeds.or(file.seeds));
        Ok(Self { arch, seeds, include, uninitialised: self.uninitialised || file.uninitialised, ..self.clone() })
    }
}

enum Found {
    Report(Report),
    Control(control::Control),
}

pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    let started = Instant::now();
    let found = args.launch.completed().map_err(compile::Failed::Call).and_then(|described| {
        let args = &args.completed(&described.for_race).map_err(compile::Failed::Call)?;
        let mut compiled = compile::ptx(args, described.entry.as_deref(), started)?;
        let entry = compiled.entry.clone().or_else(|| described.entry.clone());
        let described = LaunchArgs { entry, ..described }.remaining(started);
        if args.control {
            return Ok(Found::Control(control::run(args, &described, &mut compiled).map_err(compile::Failed::Call)?));
        }
        let in_source = |fault| compile::Failed::Call(compile::in_source(&args.file, &compiled.ptx, fault));
        let (mut report, _) = search::races(args, &described, &compiled, search::Passes::All).map_err(in_source)?;
        unoptimised::search(args, &described.remaining(started), &compiled, &mut report);
        Ok(Found::Report(report))
    });
    let report = match found {
        Ok(Found::Report(report)) => report,
        Ok(Found::Control(control)) => return control.print(args.format),
        Err(failed) => {
            // A program that reads the report also gets one if there was no launch.
            if matches!(args.format, Format::Sarif | Format::Junit) {
                print_as(args.format, &Report::without_launch(args, &failed.message()))?;
            }
            return Ok(match failed {
                compile::Failed::Call(fault) => {
                    explain(&args.file, &fault, Exit::Usage, compile::is_source(&args.file))
                }
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

fn print(report: &Report) -> std::io::Result<()> {
    report.host.iter().try_for_each(output::paragraph)?;
    for (number, race) in report.races.iter().enumerate() {
        output::paragraph(&race.text)?;
        if let Some(launch) = report.launches.iter().find(|launch| launch.races.contains(&number)) {
            output::paragraph(format_args!("    {}", launch.describe()))?;
        }
        if let Some(shown) = &race.shown {
            output::paragraph(format_args!("    {}", shown.describe()))?;
        }
    }
    undefined::print(&report.undefined)?;
    for stopped in report.launches.iter().filter(|launch| launch.stopped.is_some()) {
        let mut why = stopped.stopped.clone().unwrap_or_default();
        if stopped.guessed {
            why = format!("{why} {}", t!("race-stopped-guessed"));
        }
        let text = t!("race-stopped", grid = index(stopped.grid), block = index(stopped.block), why);
        let kernel = stopped.kernel.as_str();
        let text = stopped.line.map_or_else(
            || text.clone(),
            |line| t!("race-stopped-line", line = line_of(line, &stopped.header), kernel, text = text.as_str()),
        );
        output::paragraph(text)?;
    }
    report.about_guesses().iter().try_for_each(output::paragraph)?;
    report.left_out.iter().try_for_each(output::paragraph)?;
    output::paragraph(t!("race-unseen"))?;
    let (kernel, launches) = (report.kernel.clone(), report.launches.len());
    let guessed = report.launches.iter().all(|launch| launch.guessed);
    let stopped = report.launches.iter().filter(|launch| launch.stopped.is_some()).count();
    match report.races.len() {
        0 if stopped > 0 => output::paragraph(t!("race-open", kernel, stopped, launches))?,
        0 if guessed => output::paragraph(t!("race-none-guessed", kernel, launches))?,
        0 => output::paragraph(t!("race-none", kernel, launches))?,
        races => output::paragraph(t!("race-some", kernel, races, launches))?,
    }
    if !report.undefined.is_empty() {
        let errors = report.undefined.iter().filter(|found| found.is_error()).count();
        output::paragraph(t!(
            "race-undefined",
            kernel = report.kernel.clone(),
            places = report.undefined.len(),
            errors
        ))?;
    }
    Ok(())
}
