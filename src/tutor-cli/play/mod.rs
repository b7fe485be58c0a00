/*! `play`: lets a student experiment with a copy of a catalogue kernel.

Original and copy run in one launch on the same data, so only the student's changes can cause a difference.
*/

mod folder;
mod print;

use super::bounds::between;
use super::session::Ended;
use super::support::estimating::{Estimate, EstimateOption, estimates};
use super::support::product::Product;
use super::support::read_text;
use crate::prelude::*;
use anyhow::Error;
use ptx_emulator::{Counts, Hazard};
use std::time::Duration;
use tutor_exec::protocol::{
    Device, DeviceKind, ExecError, ExecErrorKind, LaunchRequest, Program, Reply, Shape, Subject, Target, Timing,
};
use tutor_exercises::Watched;
use tutor_kernels::Elements;
use tutor_progress::fresh_seed;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Catalogue id, which `matmul-tutor run --list` lists, or `ID@VARIANT`. `+padded` after either one runs it on copies
    /// of the matrices with rows of whole 128-byte lines.
    kernel: String,
    /// The folder of the copy [default: the kernel's id, in the current directory].
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    product: Product,
    /// Maximum seconds for timing each kernel, 0 to 3600; 0 skips timing.
    #[arg(long, default_value_t = 1.0, value_name = "S", value_parser = between("seconds", 0.0, 3600.0), allow_negative_numbers = true)]
    seconds: f64,
    #[command(flatten)]
    estimate: EstimateOption,
    /// Compare again each time that the copy is saved, until Ctrl-C.
    #[arg(long, conflicts_with = "json")]
    watch: bool,
    /// Print one JSON document.
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  matmul-tutor play sgemm_tiled
  matmul-tutor play sgemm_tiled --watch
  matmul-tutor play bf16_mma --size 512 --json";

/// Default sizes: on the emulator small enough to check all blocks for hazards, on a GPU large enough for a useful
/// time.
const SIZE_ON_EMULATOR: u32 = 256;
const SIZE_ON_GPU: u32 = 2048;
/// Time between two checks of the copy.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The document that `--json` prints.
#[derive(Debug, Serialize)]
struct Comparison {
    kernel: String,
    /// Path of the copy.
    file: String,
    /// True if the copy was created just now.
    made: bool,
    /// True if the copy differs from the original.
    changed: bool,
    verdict: Verdict,
    elements: Elements,
    device: Option<Device>,
    shape: Shape,
    original: Side,
    yours: Side,
    /// Speed of the copy divided by the speed of the original; only on a GPU.
    speedup: Option<f64>,
    notes: Vec<String>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    /// Every element is correct, and there is no hazard.
    Right,
    Wrong,
    /// The result is correct only by luck, because there is a hazard.
    Hazard,
    /// The product is too large to be compared here.
    #[default]
    NotCompared,
}

/// The results of the original or of the copy.
#[derive(Debug, Default, Serialize)]
struct Side {
    verified: bool,
    mismatches: Option<u64>,
    max_rel_err: Option<f64>,
    time: Option<Timing>,
    counts: Option<Counts>,
    hazards: Vec<Hazard>,
    printed: String,
    /// The estimated time, with `--estimate`, and without a GPU.
    #[serde(flatten)]
    estimate: Option<Estimate>,
}

/// Why there is no comparison.
enum Stop {
    Interrupted,
    Exec(ExecError),
}

impl From<ExecError> for Stop {
    fn from(error: ExecError) -> Self {
        if error.kind == ExecErrorKind::Interrupted { Self::Interrupted } else { Self::Exec(error) }
    }
}

/// Creates the copy if it is missing, and compares.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    if let Some(exit) = args.product.refused().or_else(|| args.estimate.refused()) {
        return Ok(exit);
    }
    let (catalog, problems) = Catalog::of_course_in(globals.course.as_deref(), globals.lang.code());
    let Some(kernel) = catalog.find(&args.kernel) else {
        let (name, nearest) = (args.kernel.escape_debug().to_string(), catalog.nearest(&args.kernel));
        let help = nearest.map_or_else(|| t!("exec-no-kernel-help"), |id| t!("exec-no-kernel-nearest", nearest = id));
        let message = problems.first().map_or_else(|| t!("exec-no-kernel", kernel = name), ToString::to_string);
        return Ok(failure(Exit::Usage, &message, Some(&help)));
    };
    let path = folder::own(&kernel, args.dir.as_deref());
    let made = folder::make(&kernel, &path).map_err(Error::msg)?;
    if made {
        output::note(t!("play-made", file = path.display().to_string()));
    }
    let session = Session::start()?;
    let compare = |text| compared(args, &kernel, (&path, text), made, &session, globals.on);
    if args.watch {
        let mut watched = Watched::new(path.clone());
        while !session.is_interrupted() {
            if let Some(Ok(text)) = watched.changed() {
                match compare(text) {
                    Ok(comparison) => comparison.print(globals)?,
                    Err(Stop::Interrupted) => break,
                    Err(Stop::Exec(error)) if error.kind == ExecErrorKind::NoDevice => return Err(error.into()),
                    Err(Stop::Exec(error)) => drop(failure_of(&error)),
                }
                output::note(t!("play-waits", file = path.display().to_string()));
            }
            session.idle(LOOK_EVERY);
        }
        return Ok(Exit::Interrupted);
    }
    let comparison = match compare(read_text(&path).map_err(Error::msg)?) {
        Ok(comparison) => comparison,
        Err(Stop::Interrupted) => return Ok(Exit::Interrupted),
        Err(Stop::Exec(error)) => return Err(error.into()),
    };
    if args.json {
        output::json(&comparison)?;
    } else {
        comparison.print(globals)?;
    }
    Ok(match comparison.verdict {
        Verdict::Right => Exit::Done,
        Verdict::NotCompared if comparison.yours.hazards.is_empty() => Exit::Done,
        Verdict::NotCompared | Verdict::Wrong | Verdict::Hazard => Exit::Failed,
    })
}

/// Runs original and copy on the same data.
fn compared(
    args: &Args,
    kernel: &Kernel,
    (path, text): (&Path, String),
    made: bool,
    session: &Session,
    on: Target,
) -> Result<Comparison, Stop> {
    let changed = text != kernel.source.text();
    let mut notes = Vec::new();
    // An unchanged copy has the committed PTX and needs no compiler.
    let ptx = match kernel.ptx.as_deref().filter(|_| !changed) {
        Some(ptx) => ptx.to_owned(),
        None => {
            let (ptx, log) = session.compile(&path.to_string_lossy(), text, Some(kernel))?;
            if !log.trim().is_empty() {
                output::note(log.trim_end());
            }
            ptx
        }
    };
    let original = Program::from(kernel);
    let mut yours = original.clone();
    yours.hand_in(ptx);
    let on_gpu = on != Target::Emulator && session.describe()?.device.kind == DeviceKind::Cuda;
    let size = if on_gpu { SIZE_ON_GPU } else { SIZE_ON_EMULATOR };
    let shape = args.product.shape().unwrap_or(Shape::square(size));
    let request = LaunchRequest {
        alpha: args.product.alpha,
        beta: args.product.beta,
        on,
        seed: fresh_seed(),
        time: args.seconds > 0.0,
        seconds: args.seconds,
        verify: true,
        counts: true,
        hazards: true,
        ..LaunchRequest::new(1, vec![original, yours], shape)
    };
    let programs = request.programs.clone();
    let (mut sides, mut device, mut refused) = ([Side::default(), Side::default()], None, None);
    let ended = session.launch(request, |reply| match reply {
        Reply::Started { device: found, .. } => device = Some(found),
        Reply::Instead { program: 0, kernel: runs, why, .. } => {
            notes.push(t!("run-cli-instead", asked = kernel.id, why, runs));
        }
        Reply::Skipped { program: 1, error, .. } => refused = Some(error),
        Reply::Note { text, .. } => notes.push(text.into()),
        Reply::Verified { program, verification, .. } => {
            if let Some(side) = sides.get_mut(program) {
                side.mismatches = Some(verification.mismatches);
                side.max_rel_err = Some(verification.max_rel_err);
            }
        }
        Reply::Timed { subject: Subject::Program(program), timing, .. } => {
            if let Some(side) = sides.get_mut(program) {
                side.time = Some(timing);
            }
        }
        Reply::Counted { program, counts, hazards, .. } => {
            if let Some(side) = sides.get_mut(program) {
                (side.counts, side.hazards) = (Some(counts), hazards);
            }
        }
        Reply::Printed { program, text, .. } => {
            if let Some(side) = program.and_then(|program| sides.get_mut(program)) {
                side.printed += &text;
            }
        }
        _ => {}
    })?;
    if ended == Ended::Interrupted {
        return Err(Stop::Interrupted);
    }
    if let Some(error) = refused {
        return Err(error.into());
    }
    for side in &mut sides {
        side.verified = side.mismatches == Some(0) && side.hazards.is_empty();
    }
    let asked = args.estimate.request(shape, !on_gpu).map_err(|why| ExecError::new(ExecErrorKind::Invalid, why))?;
    if let Some(request) = asked {
        let found = estimates(session, 2, programs, request)?.ok_or(Stop::Interrupted)?;
        sides.iter_mut().zip(found).for_each(|(side, estimate)| side.estimate = Some(estimate));
    }
    let [original, yours] = sides;
    let speedup = original.time.zip(yours.time).map(|(theirs, own)| theirs.median_ms / own.median_ms);
    let verdict = match yours.mismatches {
        None => Verdict::NotCompared,
        Some(0) if yours.hazards.is_empty() => Verdict::Right,
        Some(0) => Verdict::Hazard,
        Some(_) => Verdict::Wrong,
    };
    Ok(Comparison {
        kernel: kernel.id.clone(),
        file: path.display().to_string(),
        made,
        changed,
        verdict,
        elements: kernel.elements,
        device,
        shape,
        original,
        yours,
        speedup,
        notes,
    })
}
