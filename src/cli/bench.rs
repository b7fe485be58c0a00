//! `bench`: the kernels against cuBLAS on the GPU, in turns, and recording their times.

use super::figures::{percent, speed};
use super::session::{Ended, Session};
use super::{Exit, Globals, failure, failure_of, output};
use crate::exec::cublas_math;
use crate::exec::protocol::{
    Description, DeviceKind, ExecError, ExecErrorKind, LaunchRequest, Program, Reply, Shape, Subject, Target,
};
use crate::exec::recorded::{RecordedCublas, RecordedRow, RecordedTime, Recording};
use crate::kernels::{Catalog, Elements, Kernel};
use std::path::PathBuf;

/// Arguments of `bench`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only the kernels of this level, by number or id.
    #[arg(long, value_name = "L")]
    level: Option<String>,
    /// Square sizes (default: 512, 1024, 2048, 4096).
    #[arg(long, value_name = "N")]
    size: Vec<u32>,
    /// Write what was measured as a recording.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Most seconds spent timing a kernel at a size.
    #[arg(long, default_value_t = 1.5, value_name = "S")]
    seconds: f64,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

const SIZES: [u32; 4] = [512, 1024, 2048, 4096];

/// Times the ladder.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let catalog = Catalog::built_in();
    let kernels: Vec<&Kernel> = catalog.kernels().iter().filter(|kernel| chosen(catalog, kernel, args)).collect();
    if kernels.is_empty() {
        let help = "`matmul-tutor kernels` lists the levels with their kernels.";
        return Ok(failure(Exit::Usage, "No kernel belongs to this level.", Some(help)));
    }
    if !(0.01..=3600.0).contains(&args.seconds) {
        return Ok(failure(Exit::Usage, "Seconds go from 0.01 to 3600.", None));
    }
    if globals.on == Target::Emulator {
        return Ok(failure(Exit::NoDevice, "An emulator's time says nothing about a GPU: a bench needs one.", None));
    }
    let session = match Session::start().and_then(|session| Ok((session.describe()?, session))) {
        Ok((description, _)) if description.device.kind != DeviceKind::Cuda => {
            let why = description.why_not_cuda.unwrap_or_default();
            return Ok(failure(Exit::NoDevice, &format!("A bench needs a GPU. {why}"), None));
        }
        Ok(session) => session,
        Err(error) => return Ok(failure_of(&error)),
    };
    let (description, session) = session;
    let mut recording = blank(&description);
    let sizes = if args.size.is_empty() { &SIZES[..] } else { &args.size };
    for (number, &n) in (1..).zip(sizes) {
        output::note(format_args!(
            "n = {n} ({number} of {}): {} kernels and cuBLAS in turns",
            sizes.len(),
            kernels.len()
        ));
        match measure(&session, &kernels, n, number, args.seconds) {
            Ok(Some((rows, cublas))) => {
                recording.rows.extend(rows);
                recording.cublas.extend(cublas.map(|time| RecordedCublas { elements: Elements::F32, time }));
            }
            Ok(None) => return Ok(Exit::Interrupted),
            Err(error) => return Ok(failure_of(&error)),
        }
    }
    if let Some(path) = &args.record {
        std::fs::write(path, serde_json::to_string_pretty(&recording)? + "\n")?;
        output::note(format_args!("wrote {}", path.display()));
    }
    if args.json {
        output::json(&recording)?;
    } else {
        print(&recording, &kernels, sizes)?;
    }
    let wrong =
        |row: &&RecordedRow| row.mismatches > 0 && kernels.iter().any(|k| k.id == row.kernel && !k.expected_wrong);
    Ok(match recording.rows.iter().find(wrong) {
        Some(row) => failure(Exit::Failed, &format!("{} is wrong at n = {}.", row.kernel, row.time.n), None),
        None => Exit::Done,
    })
}

fn chosen(catalog: &Catalog, kernel: &Kernel, args: &Args) -> bool {
    let Some(level) = &args.level else { return true };
    *level == kernel.level || level.parse() == Ok(super::kernels::level_number(catalog, &kernel.level))
}

fn blank(description: &Description) -> Recording {
    let device = &description.device;
    Recording {
        device: device.name.clone(),
        capability: device.capability.unwrap_or_default(),
        driver: device.driver.clone().unwrap_or_else(|| "unknown".to_owned()),
        cuda: description.cuda.clone().unwrap_or_else(|| "unknown".to_owned()),
        cublas_version: description.cublas.as_ref().ok().cloned(),
        math: cublas_math(Elements::F32).to_owned(),
        date: jiff::Timestamp::now().to_string().chars().take(10).collect(),
        cublas: Vec::new(),
        rows: Vec::new(),
        conditions: Vec::new(),
        left_out: Vec::new(),
    }
}

type Rows = (Vec<RecordedRow>, Option<RecordedTime>);

/// All kernels at one size; none if interrupted.
fn measure(session: &Session, kernels: &[&Kernel], n: u32, id: u64, seconds: f64) -> Result<Option<Rows>, ExecError> {
    let request = LaunchRequest {
        id,
        programs: kernels.iter().map(|kernel| Program::new(&kernel.id)).collect(),
        shape: Shape::square(n),
        alpha: 1.0,
        beta: 0.0,
        on: Target::Cuda,
        seed: u64::from(n),
        time: true,
        seconds,
        cublas: true,
        verify: true,
        counts: false,
        hazards: false,
    };
    let mut times = vec![None; kernels.len()];
    let mut wrong = vec![None; kernels.len()];
    let mut cublas = None;
    let ended = session.launch(request, |reply| match reply {
        Reply::Timed { subject: Subject::Program(program), timing, .. } => {
            if let Some(time) = times.get_mut(program) {
                *time = Some(RecordedTime::new(n, &timing));
            }
        }
        Reply::Timed { subject: Subject::Cublas, timing, .. } => cublas = Some(RecordedTime::new(n, &timing)),
        Reply::Verified { program, verification, .. } => {
            if let Some(wrong) = wrong.get_mut(program) {
                *wrong = Some(verification.mismatches);
            }
        }
        Reply::Note { text, .. } => output::note(format_args!("note: {text}")),
        _ => {}
    })?;
    if ended == Ended::Interrupted {
        return Ok(None);
    }
    let incomplete = || ExecError::new(ExecErrorKind::Worker, "The worker finished without a time for each kernel.");
    let rows = kernels.iter().zip(times).zip(wrong).map(|((kernel, time), wrong)| {
        Ok(RecordedRow {
            kernel: kernel.id.clone(),
            elements: kernel.elements,
            time: time.ok_or_else(incomplete)?,
            mismatches: wrong.ok_or_else(incomplete)?,
        })
    });
    Ok(Some((rows.collect::<Result<_, ExecError>>()?, cublas)))
}

fn print(recording: &Recording, kernels: &[&Kernel], sizes: &[u32]) -> anyhow::Result<()> {
    let cublas = recording.cublas_version.as_deref().unwrap_or("not there");
    output::line(format_args!(
        "{}, driver {}, CUDA {}, cuBLAS {cublas}; GFLOP/s, share of cuBLAS",
        recording.device, recording.driver, recording.cuda
    ))?;
    let widest = kernels.iter().map(|kernel| kernel.id.len()).max().unwrap_or(0);
    let header: String = sizes.iter().map(|n| format!("{:>18}", format!("n = {n}"))).collect();
    output::line(format_args!("{:widest$}{header}", ""))?;
    let fastest: String = sizes
        .iter()
        .map(|n| {
            format!(
                "{:>18}",
                recording
                    .cublas_at(*n, Elements::F32)
                    .map_or_else(String::new, |time| speed(time.gflops) + "  100.0 %")
            )
        })
        .collect();
    output::line(format_args!("{:widest$}{fastest}", "cuBLAS"))?;
    for kernel in kernels {
        let cells: String = sizes
            .iter()
            .map(|&n| {
                let row = recording.row(&kernel.id, n);
                let share = recording.share_of_cublas(&kernel.id, n).map_or_else(String::new, percent);
                let speed = row.map_or_else(String::new, |row| speed(row.time.gflops));
                format!("{:>18}", format!("{speed} {share:>7}"))
            })
            .collect();
        let wrong = recording.rows.iter().filter(|row| row.kernel == kernel.id && row.mismatches > 0).count();
        let wrong = if wrong > 0 { "  wrong" } else { "" };
        output::line(format_args!("{:widest$}{cells}{wrong}", kernel.id))?;
    }
    Ok(())
}
