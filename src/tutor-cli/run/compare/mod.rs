/*! `run --copy` and `run --watch`: lets a student experiment with a copy of a catalogue kernel.

Original and copy run in one launch on the same data, so only the student's changes can cause a difference.
*/

mod folder;
mod print;

use super::outcome::remarks;
use super::result::KernelResult;
use super::{Args, compiled};
use crate::prelude::*;
use crate::support::estimating::estimates;
use crate::support::read_text;
use anyhow::Error;
use std::time::Duration;
use tutor_exec::protocol::{Device, DeviceKind, ExecError, ExecErrorKind, Program, Shape, Target};
use tutor_exec::results::Correctness;
use tutor_exercises::Watched;
use tutor_kernels::Elements;
use tutor_progress::fresh_seed;

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
    file: String,
    /// True if the copy was created just now.
    made: bool,
    /// True if the copy differs from the original.
    changed: bool,
    verdict: Correctness,
    elements: Elements,
    device: Option<Device>,
    shape: Shape,
    original: KernelResult,
    yours: KernelResult,
    /// Speed of the copy divided by the speed of the original; only on a GPU.
    speedup: Option<f64>,
    notes: Vec<String>,
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
pub(super) fn run(args: &Args, dir: Option<&Path>, session: &Session, globals: &Globals) -> anyhow::Result<Exit> {
    let (catalog, problems) = Catalog::of_course_in(globals.course.as_deref(), globals.lang.code());
    let Some(kernel) = catalog.find(&args.kernel) else {
        let (name, nearest) = (args.kernel.escape_debug().to_string(), catalog.nearest(&args.kernel));
        let help = nearest.map_or_else(|| t!("exec-no-kernel-help"), |id| t!("exec-no-kernel-nearest", nearest = id));
        let message = problems.first().map_or_else(|| t!("exec-no-kernel", kernel = name), ToString::to_string);
        return Ok(failure(Exit::Usage, &message, Some(&help)));
    };
    let path = folder::own(&kernel, dir);
    let made = folder::make(&kernel, &path).map_err(Error::msg)?;
    if made {
        output::note(t!("play-made", file = path.display().to_string()));
    }
    let compare = |text| compared(args, &kernel, (&path, text), made, session, globals);
    if args.watch.is_some() {
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
        Correctness::Right => Exit::Done,
        Correctness::NotCompared if comparison.yours.is_determined() => Exit::Done,
        Correctness::NotCompared | Correctness::Wrong | Correctness::Hazard => Exit::Failed,
    })
}

/// Runs original and copy on the same data.
fn compared(
    args: &Args,
    kernel: &Kernel,
    (path, text): (&Path, String),
    made: bool,
    session: &Session,
    globals: &Globals,
) -> Result<Comparison, Stop> {
    let changed = text != kernel.source.text();
    // An unchanged copy has the committed PTX and needs no compiler.
    let ptx = match kernel.ptx.as_deref().filter(|_| !changed) {
        Some(ptx) => ptx.to_owned(),
        None => compiled(session, path, text, Some(kernel))?,
    };
    let original = Program::from(kernel);
    let mut yours = original.clone();
    yours.hand_in(ptx);
    let on_gpu = globals.on != Target::Emulator && session.describe()?.device.kind == DeviceKind::Cuda;
    let size = if on_gpu { SIZE_ON_GPU } else { SIZE_ON_EMULATOR };
    let shape = args.product.shape(size);
    let programs = vec![original, yours];
    let request = args.request(programs.clone(), shape, args.seed.unwrap_or_else(fresh_seed), globals);
    let results = session.launch(request, |_, _| {}).finished()?.ok_or(Stop::Interrupted)?;
    let mut sides = [0, 1].map(|at| KernelResult::of(&results, at));
    let copy = results.programs.get(1).cloned().unwrap_or_default();
    if let Some(error) = copy.skipped.clone() {
        return Err(error.into());
    }
    let asked = args.estimate.request(shape, !on_gpu).map_err(|why| ExecError::new(ExecErrorKind::Invalid, why))?;
    if let Some(request) = asked {
        let found = estimates(session, 2, programs, request)?.ok_or(Stop::Interrupted)?;
        sides.iter_mut().zip(found).for_each(|(side, estimate)| side.estimate = Some(estimate));
    }
    let [original, yours] = sides;
    let speedup = original.time.zip(yours.time).map(|(theirs, own)| theirs.median_ms / own.median_ms);
    Ok(Comparison {
        kernel: kernel.id.clone(),
        file: path.display().to_string(),
        made,
        changed,
        verdict: copy.correctness(),
        elements: kernel.elements,
        notes: remarks(&kernel.id, &results),
        device: results.device,
        shape,
        original,
        yours,
        speedup,
    })
}
