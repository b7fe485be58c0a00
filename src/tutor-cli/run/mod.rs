//! `run`: verifies, times and counts one kernel, or compares a copy of it with the original.

mod compare;
mod outcome;
mod print;
mod result;

pub(super) use print::describe;

use super::bounds::between;
use super::support::estimating::{EstimateOption, estimates};
use super::support::product::Product;
use super::support::read_text;
use crate::prelude::*;
use anyhow::Error;
use outcome::{Outcome, remarks};
use std::borrow::Cow;
use tutor_exec::protocol::{DeviceKind, ExecError, ExecErrorKind, LaunchRequest, Program, Reply, Shape, Target};
use tutor_exec::variant_pick::VariantPick;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Catalogue id, which `--list` prints, or `ID@VARIANT`. `+padded` after either one runs it on copies of the matrices
    /// with rows of whole 128-byte lines.
    #[arg(required_unless_present = "list", default_value = "", hide_default_value = true)]
    kernel: String,
    /// List the kernels by level with their recorded speeds.
    #[arg(long, conflicts_with = "kernel")]
    list: bool,
    #[command(flatten)]
    product: Product,
    /// Maximum seconds for timing the kernel, 0 to 3600; 0 skips timing.
    #[arg(long, default_value_t = 2.0, value_name = "S", value_parser = between("seconds", 0.0, 3600.0), allow_negative_numbers = true)]
    seconds: f64,
    /// Seed of the random matrices [default: 1; for a copy, a new one each time].
    #[arg(long)]
    seed: Option<u64>,
    /// Run this PTX instead of the committed PTX.
    #[arg(long, value_name = "FILE", conflicts_with = "source")]
    ptx: Option<PathBuf>,
    /// Compile and run this CUDA C++ instead of the committed kernel.
    #[arg(long, value_name = "FILE")]
    source: Option<PathBuf>,
    /// Compare your copy of the kernel in this folder with the original [default: a folder named after the kernel].
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, conflicts_with_all = ["ptx", "source", "watch"])]
    copy: Option<Option<PathBuf>>,
    /// The same as `--copy`, again each time that you save the copy, until Ctrl-C.
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, conflicts_with_all = ["ptx", "source", "json"])]
    watch: Option<Option<PathBuf>>,
    /// Do not count memory traffic on the emulator.
    #[arg(long)]
    no_counts: bool,
    #[command(flatten)]
    estimate: EstimateOption,
    /// Stop a launch after this many silent seconds, 0.01 to 86400 [default: grows with the work].
    #[arg(long, value_name = "S", value_parser = between("seconds", 0.01, 86_400.0), allow_negative_numbers = true)]
    limit: Option<f64>,
    /// Print one JSON document.
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  matmul-tutor run sgemm_tiled --size 512
  matmul-tutor run sgemm_tiled --m 300 --n 200 --k 100 --alpha 2 --beta 1
  matmul-tutor run sgemm_sweep@64x64x32_8x8_k_outermost --size 2048 --json
  matmul-tutor run sgemm_tiled --source my_kernel.cu
  matmul-tutor run sgemm_tiled --watch             copy it; compare at each save";

const DEFAULT_SIZE: u32 = 1024;

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    if args.list {
        return crate::kernels::list(args.json, globals);
    }
    let shape = args.product.shape(DEFAULT_SIZE);
    if let Some(exit) = args.product.refused().or_else(|| args.estimate.refused()) {
        return Ok(exit);
    }
    let session = Session::with_limit(args.limit)?;
    if let Some(dir) = args.copy.as_ref().or(args.watch.as_ref()) {
        return compare::run(args, dir.as_deref(), &session, globals);
    }
    let (mut program, kernel) = own_program(args, globals).map_err(Error::msg)?;
    // A student's code has no variants and no recorded time.
    let handed_in = args.ptx.is_some() || args.source.is_some();
    let own = kernel.as_ref().filter(|_| !handed_in);
    if let Some((kernel, why)) = own.and_then(|kernel| Some((kernel, kernel.unbuilt()?))) {
        let message = t!("cli-run-unbuilt", file = &kernel.ptx_file, why = why.to_string());
        let course = globals.course.as_deref().map_or_else(String::new, |dir| format!(" --course {}", dir.display()));
        let help = t!("cli-run-unbuilt-help", course);
        return Ok(output::failure(Exit::Usage, why.code(), &message, Some(&help)));
    }
    if let Some(path) = &args.source {
        let source = read_text(path).map_err(Error::msg)?;
        program.hand_in(compiled(&session, path, source, kernel.as_ref())?);
    }
    let mut taken = None;
    if let Some(kernel) = own {
        taken = VariantPick::default_of(kernel);
        if taken.is_some() && globals.on != Target::Emulator {
            let device = session.describe()?.device;
            if device.kind == DeviceKind::Cuda {
                taken = crate::bench::variant_pick(kernel, &device, shape, globals);
                if let Some(taken) = &taken {
                    output::remark(taken.sentence(kernel));
                }
            }
        }
    }
    let variant = taken.as_ref().zip(kernel.as_ref()).and_then(|(taken, kernel)| taken.kernel(kernel));
    if let Some(variant) = &variant {
        program = variant.into();
    }
    let programs = vec![program];
    let request =
        LaunchRequest { cublas: true, ..args.request(programs.clone(), shape, args.seed.unwrap_or(1), globals) };
    let ran_variant = variant.map(|variant| variant.id);
    let mut outcome = Outcome { taken, ..Outcome::new(&args.kernel, kernel.as_ref(), ran_variant, shape) };
    let handed_in = kernel.as_ref().filter(|_| handed_in);
    if let Some((kernel, why)) =
        handed_in.and_then(|kernel| Some((kernel, kernel.needs.unmet(shape.m, shape.n, shape.k)?)))
    {
        let text = t!("run-cli-beyond", kernel = &kernel.id, why);
        output::remark(&text);
        outcome.notes.push(text);
    }
    let results = session.launch(request, |reply, results| match reply {
        Reply::Started { note: Some(why), .. } => output::note(t!("run-cli-emulated", why)),
        Reply::Instead { .. } => remarks(&args.kernel, results).first().iter().for_each(output::remark),
        Reply::Note { text, .. } => output::remark(text),
        _ => {}
    });
    outcome.complete(&results, own);
    match results.finished() {
        Ok(Some(_)) => {}
        Ok(None) => return Ok(Exit::Interrupted),
        Err(error) => {
            let exit = failure_of(&error);
            // Shows the recorded result of another device, because this device cannot run the kernel.
            if error.kind == ExecErrorKind::NoDevice && outcome.recorded.is_some() && !args.json {
                outcome.print_time()?;
            }
            return Ok(exit);
        }
    }
    if let Some(request) = args.estimate.request(shape, outcome.has_no_time()).map_err(Error::msg)? {
        let Some(found) = estimates(&session, 2, programs, request)? else { return Ok(Exit::Interrupted) };
        outcome.result.estimate = found.into_iter().next();
    }
    if args.json {
        output::json(&outcome)?;
    } else {
        outcome.print(globals.ascii)?;
    }
    let failed = (outcome.checked && !outcome.result.verified) || !outcome.result.is_determined();
    Ok(if failed { Exit::Failed } else { Exit::Done })
}

impl Args {
    /// Returns the launch of these programs that verifies, times and counts.
    fn request(&self, programs: Vec<Program>, shape: Shape, seed: u64, globals: &Globals) -> LaunchRequest {
        LaunchRequest {
            alpha: self.product.alpha,
            beta: self.product.beta,
            on: globals.on,
            seed,
            time: self.seconds > 0.0,
            seconds: self.seconds,
            verify: true,
            counts: !self.no_counts,
            hazards: !self.no_counts,
            ..LaunchRequest::new(1, programs, shape)
        }
    }
}

/// Compiles the user's source with the options of `like`, and reports the warnings.
fn compiled(session: &Session, path: &Path, source: String, like: Option<&Kernel>) -> Result<String, ExecError> {
    let (ptx, log) = session.compile(&path.to_string_lossy(), source, like)?;
    if !log.trim().is_empty() {
        output::note(log.trim_end());
    }
    Ok(ptx)
}

/// Returns the program, with the code from the course directory or the user, and its entry in the catalogue.
fn own_program(args: &Args, globals: &Globals) -> Result<(Program, Option<Kernel>), String> {
    let mut program = Program::new(&args.kernel);
    let (catalog, problems) = Catalog::of_course_in(globals.course.as_deref(), globals.lang.code());
    let kernel = catalog.find(&args.kernel).map(Cow::into_owned);
    match (&kernel, problems.first()) {
        (Some(kernel), _) => program = kernel.into(),
        (None, Some(problem)) => return Err(problem.to_string()),
        (None, None) => {}
    }
    if let Some(path) = &args.ptx {
        program.hand_in(read_text(path)?);
    }
    Ok((program, kernel))
}
