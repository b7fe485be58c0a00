//! `run`: one kernel, verified, timed and counted.

use super::figures::{duration, grouped, percent, speed};
use super::session::{Ended, Session};
use super::{Exit, Globals, failure, failure_of, output};
use crate::exec::protocol::{
    Device, DeviceKind, ExecErrorKind, LaunchRequest, Program, Reply, Shape, Subject, Target, Timing, Verification,
};
use crate::exec::recorded::{RecordedRow, Recording, gflops};
use crate::exec::{cublas_math, cublas_name};
use crate::kernels::{Catalog, Elements, Kernel};
use crate::simt::{Counts, Hazard, LineCounts};
use serde::Serialize;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Arguments of `run`.
///
/// Exits with 1 if the result is wrong, even where the catalogue expects that it is.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Catalogue id; `matmul-tutor kernels` lists them.
    kernel: String,
    /// Square size: M = N = K.
    #[arg(long, value_name = "N", conflicts_with_all = ["m", "n", "k"])]
    size: Option<u32>,
    /// Rows of A and C.
    #[arg(long, requires_all = ["n", "k"])]
    m: Option<u32>,
    /// Columns of B and C.
    #[arg(long, requires_all = ["m", "k"])]
    n: Option<u32>,
    /// Columns of A, rows of B.
    #[arg(long, requires_all = ["m", "n"])]
    k: Option<u32>,
    /// Scales the product.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    alpha: f32,
    /// Scales the old C.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    beta: f32,
    /// Most seconds spent timing it.
    #[arg(long, default_value_t = 2.0, value_name = "S")]
    seconds: f64,
    /// Seed of the random matrices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Run this PTX in the place of the committed one.
    #[arg(long, value_name = "FILE", conflicts_with = "source")]
    ptx: Option<PathBuf>,
    /// Compile and run this CUDA C++ in the place of the committed kernel.
    #[arg(long, value_name = "FILE")]
    source: Option<PathBuf>,
    /// Do not count on the emulator.
    #[arg(long)]
    no_counts: bool,
    /// Stop a launch that has been silent for so long (default: grows with the work).
    #[arg(long, value_name = "S")]
    limit: Option<f64>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Outcome {
    kernel: String,
    /// The kernel that was run, if this one does not take the shape.
    instead: Option<String>,
    /// The variant that tuning found best on this GPU, if that is what was run.
    variant: Option<String>,
    elements: Elements,
    device: Option<Device>,
    shape: Shape,
    expected_wrong: bool,
    /// Whether every element was compared.
    checked: bool,
    verified: bool,
    max_rel_err: Option<f64>,
    mismatches: Option<u64>,
    against: Option<String>,
    c_hash: Option<String>,
    time: Option<Timing>,
    gflops: Option<f64>,
    cublas: Option<Cublas>,
    recorded: Option<Recorded>,
    counts: Option<Counts>,
    hazards: Vec<Hazard>,
    stats: Stats,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Cublas {
    /// Which function, mode and types.
    math: &'static str,
    median_ms: f64,
    gflops: f64,
    ratio: f64,
}

#[derive(Debug, Serialize)]
struct Recorded {
    device: String,
    driver: String,
    date: String,
    #[serde(flatten)]
    row: RecordedRow,
    cublas_gflops: Option<f64>,
}

#[derive(Debug, Default, Serialize)]
struct Stats {
    /// The emulator's own seconds.
    seconds: Option<f64>,
}

const DEFAULT_SIZE_GPU: u32 = 1024;
const LONGEST_FILE: u64 = 4 << 20;

/// Runs one kernel.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let shape = match (args.size, args.m, args.n, args.k) {
        (_, Some(m), Some(n), Some(k)) => Shape { m, n, k },
        (size, ..) => Shape::square(size.unwrap_or(DEFAULT_SIZE_GPU)),
    };
    if !(args.alpha.is_finite() && args.beta.is_finite()) {
        return Ok(failure(Exit::Usage, "Alpha and beta must be finite numbers.", None));
    }
    if !(0.0..=3600.0).contains(&args.seconds) || args.limit.is_some_and(|limit| !(0.01..=86_400.0).contains(&limit)) {
        return Ok(failure(Exit::Usage, "Seconds go from 0 to 3600, a limit from 0.01 to 86400.", None));
    }
    let session = match Session::with_limit(args.limit) {
        Ok(session) => session,
        Err(error) => return Ok(failure_of(&error)),
    };
    let (mut program, kernel) = match own_program(args, globals) {
        Ok(own) => own,
        Err(message) => return Ok(failure(Exit::Usage, &message, None)),
    };
    if let Some(path) = &args.source {
        let source = match read_text(path) {
            Ok(source) => source,
            Err(message) => return Ok(failure(Exit::Usage, &message, None)),
        };
        match session.compile(&path.to_string_lossy(), source, kernel.as_ref()) {
            Ok((ptx, log)) => {
                program.ptx = Some(ptx);
                if !log.trim().is_empty() {
                    output::note(format_args!("{}", log.trim_end()));
                }
            }
            Err(error) => return Ok(failure_of(&error)),
        }
    }
    let mut variant = None;
    if let Some(kernel) =
        kernel.as_ref().filter(|kernel| args.ptx.is_none() && args.source.is_none() && kernel.variants.is_some())
        && globals.on != Target::Emulator
    {
        match session.describe() {
            Ok(description) => variant = super::tune::chosen(kernel, &description.device, shape.n, globals),
            Err(error) => return Ok(failure_of(&error)),
        }
    }
    if let Some(variant) = &variant {
        output::note(format_args!("note: {} was found best on this GPU (`matmul-tutor tune`).", variant.id));
        program = variant.into();
    }
    let request = LaunchRequest {
        id: 1,
        programs: vec![program],
        shape,
        alpha: args.alpha,
        beta: args.beta,
        on: globals.on,
        seed: args.seed,
        time: args.seconds > 0.0,
        seconds: args.seconds,
        cublas: true,
        verify: true,
        counts: !args.no_counts,
        hazards: !args.no_counts,
    };
    let mut outcome = Outcome {
        kernel: args.kernel.clone(),
        instead: None,
        variant: variant.map(|variant| variant.id),
        elements: kernel.as_ref().map_or(Elements::F32, |kernel| kernel.elements),
        device: None,
        shape,
        expected_wrong: kernel.as_ref().is_some_and(|kernel| kernel.expected_wrong),
        checked: false,
        verified: false,
        max_rel_err: None,
        mismatches: None,
        against: None,
        c_hash: None,
        time: None,
        gflops: None,
        cublas: None,
        recorded: None,
        counts: None,
        hazards: Vec::new(),
        stats: Stats::default(),
        notes: Vec::new(),
    };
    let mut cublas = None;
    match session.launch(request, |reply| outcome.hear(reply, &mut cublas)) {
        Ok(Ended::Finished) => {}
        Ok(Ended::Interrupted) => return Ok(Exit::Interrupted),
        Err(error) => {
            let exit = failure_of(&error);
            // This device cannot run it: what another one did is known.
            outcome.complete(None);
            if error.kind == ExecErrorKind::NoDevice && outcome.recorded.is_some() && !args.json {
                outcome.print_time()?;
            }
            return Ok(exit);
        }
    }
    outcome.complete(cublas);
    if args.json {
        output::json(&outcome)?;
    } else {
        outcome.print(globals.ascii)?;
    }
    Ok(if outcome.checked && !outcome.verified { Exit::Failed } else { Exit::Done })
}

/// The kernel with what the course directory or the user puts in its place, and its entry in the catalogue.
fn own_program(args: &Args, globals: &Globals) -> Result<(Program, Option<Kernel>), String> {
    let mut program = Program::new(&args.kernel);
    let (catalog, problems) = Catalog::of_course(globals.course.as_deref());
    let kernel = catalog.find(&args.kernel).map(Cow::into_owned);
    match (&kernel, problems.first()) {
        (Some(kernel), _) => program = kernel.into(),
        (None, Some(problem)) => return Err(problem.to_string()),
        (None, None) => {}
    }
    if let Some(path) = &args.ptx {
        program.ptx = Some(read_text(path)?);
    }
    Ok((program, kernel))
}

fn read_text(path: &Path) -> Result<String, String> {
    use std::io::Read as _;
    let shown = path.display();
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|error| format!("{shown} cannot be read: {error}."))?;
    file.take(LONGEST_FILE + 1)
        .read_to_string(&mut text)
        .map_err(|error| format!("{shown} cannot be read: {error}."))?;
    if text.len() as u64 > LONGEST_FILE {
        return Err(format!("{shown} is longer than {} MiB.", LONGEST_FILE >> 20));
    }
    Ok(text)
}

impl Outcome {
    fn hear(&mut self, reply: Reply, cublas: &mut Option<Timing>) {
        match reply {
            Reply::Started { device, note, .. } => {
                if let Some(note) = note {
                    output::note(format_args!("On the emulator: {note}"));
                }
                self.device = Some(device);
            }
            Reply::Instead { kernel, why, .. } => {
                let text = format!("`{}` does not take this shape ({why}): `{kernel}` runs instead.", self.kernel);
                output::note(format_args!("note: {text}"));
                self.notes.push(text);
                self.instead = Some(kernel);
            }
            Reply::Verified { verification, .. } => self.verified_as(verification),
            Reply::Timed { subject: Subject::Program(_), timing, .. } => self.time = Some(timing),
            Reply::Timed { subject: Subject::Cublas, timing, .. } => *cublas = Some(timing),
            Reply::Counted { counts, hazards, seconds, .. } => {
                self.counts = Some(counts);
                self.hazards = hazards;
                self.stats.seconds = Some(seconds);
            }
            Reply::Note { text, .. } => {
                output::note(format_args!("note: {text}"));
                self.notes.push(text);
            }
            _ => {}
        }
    }

    fn verified_as(&mut self, verification: Verification) {
        self.checked = true;
        self.verified = verification.verified;
        self.max_rel_err = Some(verification.max_rel_err);
        self.mismatches = Some(verification.mismatches);
        self.against = Some(verification.against);
        self.c_hash = Some(verification.hash);
    }

    fn complete(&mut self, cublas: Option<Timing>) {
        let flop = self.shape.flop();
        self.gflops = self.time.map(|time| gflops(flop, time.median_ms));
        self.cublas = cublas.zip(self.time).map(|(cublas, own)| Cublas {
            math: cublas_math(self.elements),
            median_ms: cublas.median_ms,
            gflops: gflops(flop, cublas.median_ms),
            ratio: cublas.median_ms / own.median_ms,
        });
        let Shape { m, n, k } = self.shape;
        if self.time.is_none() && m == n && n == k {
            self.recorded = Recording::built_in().iter().find_map(|recording| {
                Some(Recorded {
                    device: recording.device.clone(),
                    driver: recording.driver.clone(),
                    date: recording.date.clone(),
                    row: recording.row(self.instead.as_ref().unwrap_or(&self.kernel), n)?.clone(),
                    cublas_gflops: recording.cublas_at(n, self.elements).map(|time| time.gflops),
                })
            });
        }
    }

    fn print(&self, ascii: bool) -> anyhow::Result<()> {
        let (right, wrong) = if ascii { ("ok", "WRONG") } else { ("✔", "✘") };
        let Shape { m, n, k } = self.shape;
        let shape = if m == n && n == k { format!("n = {n}") } else { format!("m = {m}, n = {n}, k = {k}") };
        let device = self.device.as_ref().map_or("", |device| &device.name);
        let driver = self.device.as_ref().and_then(|device| device.driver.as_ref());
        let driver = driver.map_or_else(String::new, |driver| format!(", driver {driver}"));
        let ran = self.instead.as_ref().or(self.variant.as_ref()).unwrap_or(&self.kernel);
        output::line(format_args!("{ran}  {}  {shape}  on {device}{driver}", self.elements))?;
        let elements = u64::from(m) * u64::from(n);
        let against = self.against.as_deref().unwrap_or_default();
        match self.mismatches {
            None => output::line(format_args!("  result    not compared"))?,
            Some(0) => output::line(format_args!(
                "  result    {right} all {} elements right, largest relative error {:.1e}\n            compared with {against}",
                grouped(elements),
                self.max_rel_err.unwrap_or_default()
            ))?,
            Some(mismatches) => {
                let expected = if self.expected_wrong { ", as this kernel is meant to show" } else { "" };
                output::line(format_args!(
                    "  result    {wrong} {} of {} elements wrong{expected}\n            compared with {against}",
                    grouped(mismatches),
                    grouped(elements)
                ))?;
            }
        }
        self.print_time()?;
        if let Some(counts) = &self.counts {
            print_counts(counts)?;
        }
        for hazard in &self.hazards {
            output::line(format_args!("  hazard    {}", describe(hazard)))?;
        }
        Ok(())
    }

    fn print_time(&self) -> anyhow::Result<()> {
        if let (Some(time), Some(speed_of)) = (&self.time, self.gflops) {
            output::line(format_args!(
                "  time      {}   (95 % of the median: {} to {}; {} launches)",
                duration(time.median_ms),
                duration(time.low_ms),
                duration(time.high_ms),
                grouped(time.launches)
            ))?;
            let share = self.cublas.as_ref().map_or_else(String::new, |cublas| {
                let name = cublas_name(self.elements);
                format!("   {} of {name} ({} GFLOP/s)", percent(cublas.ratio), speed(cublas.gflops))
            });
            output::line(format_args!("  speed     {} GFLOP/s{share}", speed(speed_of)))?;
        } else if let Some(recorded) = &self.recorded {
            let time = &recorded.row.time;
            let share = recorded.cublas_gflops.map_or_else(String::new, |cublas| {
                let name = cublas_name(self.elements);
                format!("   {} of {name} ({} GFLOP/s)", percent(time.gflops / cublas), speed(cublas))
            });
            output::line(format_args!(
                "  recorded on {}, driver {}, {}\n  time      {}\n  speed     {} GFLOP/s{share}",
                recorded.device,
                recorded.driver,
                recorded.date,
                duration(time.median_ms),
                speed(time.gflops)
            ))?;
        } else if self.device.as_ref().is_some_and(|device| device.kind == DeviceKind::Emulator) {
            output::line(format_args!("  time      none: an emulator's time says nothing about a GPU"))?;
        }
        Ok(())
    }
}

fn print_counts(counts: &Counts) -> anyhow::Result<()> {
    let part = if counts.blocks_counted < counts.blocks {
        format!("{} of {} blocks", counts.blocks_counted, grouped(counts.blocks))
    } else {
        "all blocks".to_owned()
    };
    output::line(format_args!("  counted on the emulator, per PTX instruction, {part}"))?;
    type Cost = fn(&LineCounts) -> (u64, u64);
    let sectors: Cost = |line| (line.sectors, line.sectors_ideal);
    let wavefronts: Cost = |line| (line.wavefronts, line.wavefronts_ideal);
    for (name, ops, unit, cost) in [
        ("global loads", &["ld.global"][..], "sectors", sectors),
        ("global stores", &["st.global"], "sectors", sectors),
        // Fragments of the tensor cores are loaded and stored by instructions of their own.
        ("shared loads", &["ld.shared", "ldmatrix", "wmma.load"], "wavefronts", wavefronts),
        ("shared stores", &["st.shared", "stmatrix", "wmma.store"], "wavefronts", wavefronts),
    ] {
        let lines = counts.lines.iter().filter(|line| ops.iter().any(|op| line.op.starts_with(op)) && cost(line).0 > 0);
        let (requests, cost, ideal) = lines.fold((0, 0, 0), |(requests, sum, least), line| {
            let (cost, ideal) = cost(line);
            (requests + line.requests, sum + cost, least + ideal)
        });
        if requests > 0 {
            output::line(format_args!(
                "    {name:14} {:>14} requests → {:>14} {unit:10} ({:.2} a request, {:.2} at best)",
                grouped(requests),
                grouped(cost),
                cost as f64 / requests as f64,
                ideal as f64 / requests as f64
            ))?;
        }
    }
    let totals = &counts.totals;
    if totals.global_bytes > 0 {
        output::line(format_args!(
            "    {:14} {:>14} FLOP over {} bytes asked of global memory: {:.2} FLOP/byte",
            "intensity",
            grouped(totals.flop),
            grouped(totals.global_bytes),
            totals.flop as f64 / totals.global_bytes as f64
        ))?;
    }
    Ok(())
}

fn describe(hazard: &Hazard) -> String {
    let kind = format!("{:?}", hazard.kind).to_uppercase();
    let side = |access: &crate::simt::HazardAccess| {
        let [x, y, z] = access.thread;
        let verb = format!("{:?}", access.access).to_lowercase();
        format!("{verb} by thread ({x},{y},{z}) at {}:{}", access.place.file, access.place.line)
    };
    format!("{kind}: {}, {}; {} times", side(&hazard.first), side(&hazard.second), grouped(hazard.occurrences))
}
