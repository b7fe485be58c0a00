//! `bench`: times kernels or their variants alternately with cuBLAS on the GPU; records and draws the times.

mod measure;
mod plot;
mod print;
mod svg;
mod tune;

pub(super) use tune::variant_pick;

use super::bounds::{self, between};
use super::support::estimating::{Estimate, EstimateOption, estimates};
use crate::prelude::*;
use measure::{Rule, Turn};
use tutor_exec::protocol::{Description, DeviceKind, ExecError, ExecErrorKind, Shape, Target};
use tutor_exec::recorded::{RecordedRow, Recording};
use tutor_exec::{Against, cublas_math};
use tutor_kernels::Elements;
use tutor_support::sentence;
use tutor_support::words::Sentence;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only the kernels of this level, by number or id.
    #[arg(long, value_name = "L")]
    level: Option<String>,
    /// Only these kernels, or variants such as `sgemm_sweep@64x64x32_8x8_k_outermost`, perhaps with `+padded` as for `run`.
    #[arg(long, value_name = "ID")]
    kernel: Vec<String>,
    /// Square sizes [default: 256, 512, 1024, 2048, 4096, 8192; with `--tune` 2048, or 128 on the emulator].
    #[arg(long, value_name = "N", value_parser = bounds::size, allow_negative_numbers = true)]
    size: Vec<u32>,
    /// Write the measurements to this file as a recording.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Only kernels with elements of this type: f32, tf32, f16, bf16, e4m3, s8 or f64.
    #[arg(long, value_name = "TYPE", value_parser = plot::elements)]
    elements: Vec<Elements>,
    /// Maximum seconds for timing one kernel at one size [default: 1; for a variant 0.05, the best ones again for ten
    /// times as long].
    #[arg(long, value_name = "S", value_parser = between("seconds", 0.001, 3600.0), allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Leave out a kernel if its time at the previous size predicts a longer launch.
    #[arg(long, default_value_t = 400.0, value_name = "MS", value_parser = between("milliseconds", 0.01, 600_000.0), allow_negative_numbers = true)]
    longest: f64,
    #[command(flatten)]
    estimate: EstimateOption,
    /// Show this recording, made by `--record`, instead of measuring.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "device"])]
    recording: Option<PathBuf>,
    /// Also draw the times as an SVG picture: the course's ladder of each level, or the kernels of `--kernel`.
    #[arg(long, value_name = "FILE", conflicts_with = "device")]
    svg: Option<PathBuf>,
    /// Draw every correct kernel, not only the ladders of the course.
    #[arg(long, requires = "svg")]
    all: bool,
    /// Compare the variants of this kernel instead, and keep the best one for this GPU.
    #[arg(long, value_name = "KERNEL", conflicts_with_all = ["level", "kernel", "elements", "longest", "device", "recording", "svg"])]
    tune: Option<String>,
    /// With `--tune`, only list the variants, with the reason for each that is impossible.
    #[arg(long, requires = "tune")]
    list: bool,
    /// With `--tune`, forget the results for the kernel.
    #[arg(long, requires = "tune", conflicts_with = "list")]
    forget: bool,
    /// Print one JSON document.
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  matmul-tutor bench --level 2 --size 2048
  matmul-tutor bench --kernel sgemm_tiled --kernel sgemm_tuned
  matmul-tutor bench --level 2 --size 1536 --estimate nvidia-h100
  matmul-tutor bench --record mine.json --svg mine.svg
  matmul-tutor bench --tune sgemm_sweep --size 1024        times on a GPU, or the recorded ones
  matmul-tutor bench --tune sgemm_sweep --list             all variants, and why some are impossible
  matmul-tutor --on emulator bench --tune sgemm_sweep      memory traffic of each variant, counted

Without a GPU it shows the built-in recording, labelled with its device; with `--on cuda` it then exits with 3.";

const SIZES: [u32; 6] = [256, 512, 1024, 2048, 4096, 8192];
/// Sizes for which times are estimated unless the user names some.
const ESTIMATED: [u32; 3] = [512, 1024, 2048];
/// Maximum number of kernels in one launch.
const TOGETHER: usize = 64;

/// Seconds for timing a kernel at a size.
const SECONDS: f64 = 1.0;

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    if let Some(kernel) = &args.tune {
        return tune::run(kernel, args, globals);
    }
    let (catalog, problems) = Catalog::of_course_in(globals.course.as_deref(), globals.lang.code());
    if let Some(problem) = problems.first() {
        return Ok(failure(Exit::Usage, problem.to_string(), problem.help.as_deref()));
    }
    if let Some(exit) = args.estimate.refused() {
        return Ok(exit);
    }
    let kernels = match chosen(args, &catalog) {
        Ok(kernels) => kernels,
        Err((message, help)) => return Ok(failure(Exit::Usage, &message, Some(&help))),
    };
    if let Some(path) = &args.recording {
        let recording = match plot::read(path) {
            Ok(recording) => recording,
            Err(why) => {
                return Ok(failure(Exit::Usage, why.to_string(), Some(&t!("cli-plot-no-recording-help"))));
            }
        };
        if !show(args, &kernels, recording, None, globals)? {
            return Ok(failure(Exit::Failed, t!("cli-plot-nothing"), None));
        }
        return Ok(Exit::Done);
    }
    let (description, session) = match on_gpu(globals) {
        Ok(found) => found,
        Err(error) if error.kind == ExecErrorKind::NoDevice && globals.on != Target::Cuda && args.record.is_none() => {
            if !args.estimate.is_given() {
                return recorded(args, &kernels, &error, globals);
            }
            let sizes = if args.size.is_empty() { &ESTIMATED } else { &*args.size };
            let Some(estimates) = estimated(args, &kernels, sizes)? else { return Ok(Exit::Interrupted) };
            if args.json {
                output::json(&estimates)?;
            }
            return Ok(Exit::Done);
        }
        Err(error) => return Err(error.into()),
    };
    let mut recording = blank(&description);
    let capability = description.device.capability.unwrap_or_default();
    let mut sizes = if args.size.is_empty() { SIZES.to_vec() } else { args.size.clone() };
    sizes.sort_unstable();
    sizes.dedup();
    let rule = Rule { longest_ms: args.longest, capability };
    let mut id = 0;
    for elements in Elements::ALL {
        let of_type: Vec<&Kernel> = kernels.iter().filter(|kernel| kernel.elements == elements).collect();
        if of_type.is_empty() {
            continue;
        }
        for &n in &sizes {
            let (timed, left_out) = rule.part(&recording, &of_type, n);
            recording.left_out.extend(left_out);
            if timed.is_empty() {
                continue;
            }
            id += 1;
            let turns = t!("cli-bench-turns", elements = elements.to_string(), n, count = timed.len());
            output::note(&turns);
            let taken = |kernel: &Kernel| {
                let taken = variant_pick(kernel, &description.device, Shape::square(n), globals)?;
                output::note(format_args!("  {}", taken.sentence(kernel)));
                taken.kernel(kernel)
            };
            let turn = measure::turn(&session, &timed, &taken, n, id, args.seconds.unwrap_or(SECONDS))?;
            let Some(turn) = turn else { return Ok(Exit::Interrupted) };
            add(&mut recording, turn);
        }
    }
    if let Some(path) = &args.record {
        output::file(path, &(serde_json::to_string_pretty(&recording)? + "\n"))?;
    }
    plot::draw(args, &recording, &kernels, globals)?;
    if !args.json {
        print::print(&recording, &kernels, &sizes, false)?;
    }
    let Some(estimates) = estimated(args, &kernels, &sizes)? else { return Ok(Exit::Interrupted) };
    if args.json {
        output::json(&Measured { recording: &recording, estimates })?;
    }
    let wrong =
        |row: &&RecordedRow| row.mismatches > 0 && kernels.iter().any(|k| k.id == row.kernel && !k.expected_wrong);
    Ok(match recording.rows.iter().find(wrong) {
        Some(row) => failure(Exit::Failed, t!("cli-bench-kernel-wrong", kernel = row.kernel, n = row.time.n), None),
        None => Exit::Done,
    })
}

/// Returns a session whose worker has a GPU, and the worker's description.
///
/// # Errors
/// With the kind `NoDevice` if there is no GPU.
fn on_gpu(globals: &Globals) -> Result<(Description, Session), ExecError> {
    let none = |why: Sentence| ExecError::new(ExecErrorKind::NoDevice, sentence!("cli-bench-no-gpu", why));
    if globals.on == Target::Emulator {
        return Err(none(sentence!("cli-bench-emulator")));
    }
    let session = Session::start()?;
    let description = session.describe()?;
    match description.device.kind {
        DeviceKind::Cuda => Ok((description, session)),
        DeviceKind::Emulator => Err(none(description.why_not_cuda.unwrap_or_default())),
    }
}

/// The estimated time of a kernel at a size.
#[derive(Debug, serde::Serialize)]
struct EstimatedRow<'a> {
    kernel: &'a str,
    n: u32,
    #[serde(flatten)]
    estimate: Estimate,
}

/// What `--estimate` adds. Without a GPU, it is the whole document.
#[derive(Debug, Default, serde::Serialize)]
struct EstimatedRows<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    estimates: Vec<EstimatedRow<'a>>,
}

/// Measured times, and estimates for comparison.
#[derive(Debug, serde::Serialize)]
struct Measured<'a> {
    #[serde(flatten)]
    recording: &'a Recording,
    #[serde(flatten)]
    estimates: EstimatedRows<'a>,
}

/// Estimates the times of the kernels, and prints them unless JSON is wanted. Returns `None` after Ctrl-C.
fn estimated<'k>(args: &Args, kernels: &'k [Kernel], sizes: &[u32]) -> anyhow::Result<Option<EstimatedRows<'k>>> {
    if !args.estimate.is_given() {
        return Ok(Some(EstimatedRows::default()));
    }
    let session = Session::start()?;
    let (mut rows, mut said) = (Vec::new(), false);
    let widest = kernels.iter().map(|kernel| kernel.id.len()).max().unwrap_or(0);
    for (n, kernel) in sizes.iter().flat_map(|n| kernels.iter().map(move |kernel| (*n, kernel))) {
        let Some(request) = args.estimate.request(Shape::square(n), false).map_err(anyhow::Error::msg)? else {
            continue;
        };
        let found = estimates(&session, rows.len() as u64 + 1, vec![kernel.into()], request)?;
        let Some(estimate) = found.and_then(|mut found| found.pop()) else { return Ok(None) };
        if !args.json {
            if let (false, Some(heading)) = (said, estimate.heading()) {
                output::line(heading)?;
                said = true;
            }
            estimate.print_row(&pad(&kernel.id, widest), Shape::square(n))?;
        }
        rows.push(EstimatedRow { kernel: &kernel.id, n, estimate });
    }
    Ok(Some(EstimatedRows { estimates: rows }))
}

/// A recording in the format of a new benchmark, with a flag that says that it is recorded.
#[derive(Debug, serde::Serialize)]
struct Shown<'a> {
    recorded: bool,
    #[serde(flatten)]
    recording: &'a Recording,
}

/// Shows what was recorded for these kernels, because this machine cannot run a benchmark.
fn recorded(args: &Args, kernels: &[Kernel], why: &ExecError, globals: &Globals) -> anyhow::Result<Exit> {
    let Some(recording) = Recording::built_in().first() else { return Ok(failure_of(why)) };
    let remark = format!("{} {}", why.message, t!("cli-bench-recorded"));
    if !show(args, kernels, recording.clone(), Some(&remark), globals)? {
        return Ok(failure(Exit::NoDevice, why.message.to_string(), Some(&t!("cli-bench-nothing-recorded"))));
    }
    Ok(Exit::Done)
}

/// Prints and draws what a recording has of these kernels, after a remark. Returns false if it has no times of them.
fn show(
    args: &Args,
    kernels: &[Kernel],
    mut recording: Recording,
    remark: Option<&str>,
    globals: &Globals,
) -> anyhow::Result<bool> {
    let wanted = |n: u32| args.size.is_empty() || args.size.contains(&n);
    let of_these = |id: &str| kernels.iter().any(|kernel| kernel.id == id);
    let others: Vec<&str> =
        kernels.iter().filter(|kernel| recording.is_of_another(kernel)).map(|kernel| kernel.id.as_str()).collect();
    recording.rows.retain(|row| wanted(row.time.n) && of_these(&row.kernel) && !others.contains(&row.kernel.as_str()));
    recording.left_out.retain(|left| wanted(left.n) && of_these(&left.kernel));
    let of_type = |elements: Elements| kernels.iter().any(|kernel| kernel.elements == elements);
    recording.cublas.retain(|cublas| wanted(cublas.time.n) && of_type(cublas.elements));
    recording.conditions.retain(|seen| wanted(seen.n) && of_type(seen.elements));
    let mut sizes: Vec<u32> = recording.rows.iter().map(|row| row.time.n).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.is_empty() {
        return Ok(false);
    }
    remark.iter().for_each(output::remark);
    plot::draw(args, &recording, kernels, globals)?;
    if args.json {
        output::json(&Shown { recorded: true, recording: &recording })?;
    } else {
        let of_them: Vec<Kernel> = (kernels.iter())
            .filter(|kernel| recording.rows.iter().any(|row| row.kernel == kernel.id))
            .cloned()
            .collect();
        print::print(&recording, &of_them, &sizes, true)?;
    }
    Ok(true)
}

fn chosen(args: &Args, catalog: &Catalog) -> Result<Vec<Kernel>, (String, String)> {
    let mut kernels: Vec<Kernel> = Vec::new();
    for id in &args.kernel {
        let Some(kernel) = catalog.find(id) else {
            let message = t!("exec-no-kernel", kernel = id.escape_debug().to_string());
            return Err((message, t!("cli-bench-no-kernel-help")));
        };
        kernels.push(kernel.into_owned());
    }
    if args.kernel.is_empty() {
        kernels.extend_from_slice(catalog.kernels());
    }
    if let Some(level) = &args.level {
        let number = |kernel: &Kernel| super::kernels::level_number(catalog, &kernel.level);
        kernels.retain(|kernel| *level == kernel.level || level.parse() == Ok(number(kernel)));
    }
    kernels.retain(|kernel| args.elements.is_empty() || args.elements.contains(&kernel.elements));
    if kernels.is_empty() {
        return Err((t!("cli-bench-no-level"), t!("cli-bench-no-level-help")));
    }
    // Kernels of one type alternate.
    let of_type = |elements| kernels.iter().filter(|kernel| kernel.elements == elements).count();
    let count = Elements::ALL.map(of_type).into_iter().max().unwrap_or(0);
    if count > TOGETHER {
        let message = t!("cli-bench-too-many", count, most = TOGETHER);
        return Err((message, t!("cli-bench-too-many-help")));
    }
    Ok(kernels)
}

fn add(recording: &mut Recording, turn: Turn) {
    recording.rows.extend(turn.rows);
    recording.cublas.extend(turn.cublas);
    recording.conditions.extend(turn.conditions);
    recording.left_out.extend(turn.left_out);
}

/// Returns an empty recording for this device.
pub(super) fn blank(description: &Description) -> Recording {
    let device = &description.device;
    let math: Vec<String> =
        Elements::ALL.iter().map(|elements| format!("{elements}: {}", cublas_math(*elements))).collect();
    Recording {
        device: device.name.clone(),
        capability: device.capability.unwrap_or_default(),
        multiprocessors: device.multiprocessors,
        driver: device.driver.clone().unwrap_or_else(|| "unknown".to_owned()),
        cuda: description.cuda.clone().unwrap_or_else(|| "unknown".to_owned()),
        cublas_version: description.cublas.as_ref().ok().cloned(),
        math: math.join(". ") + ".",
        date: tutor_progress::now().to_string().chars().take(10).collect(),
        against: Against::Best,
        cublas: Vec::new(),
        rows: Vec::new(),
        conditions: Vec::new(),
        left_out: Vec::new(),
    }
}
