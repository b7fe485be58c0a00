//! `kernels`: the catalogue, and building its PTX.

#[cfg(feature = "cuda")]
use super::failure;
use super::session::Session;
use super::{Exit, Globals, output};
use crate::exec::protocol::{Description, DeviceKind, ExecErrorKind};
use crate::kernels::{Catalog, CatalogProblem, Elements, Kernel};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments of `kernels`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Compile every .cu of the catalogue to assets/ptx with NVRTC.
    Build(BuildArgs),
}

#[derive(Debug, clap::Args)]
struct BuildArgs {
    /// Write nothing; exit 1 if a PTX file is not what its source compiles to.
    #[arg(long)]
    check: bool,
}

#[derive(Serialize)]
struct Listing<'a> {
    kernels: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    level: usize,
    level_id: &'a str,
    title: &'a str,
    about: &'a str,
    file: &'a str,
    entry: &'a str,
    ptx: &'a str,
    block: [u32; 3],
    grid: &'a [String],
    min_arch: String,
    elements: Elements,
    shared_bytes: u32,
    /// The kernel that takes the shapes that this one does not.
    otherwise: Option<&'a str>,
    /// How many variants it comes in, for `tune`.
    variants: usize,
    expected_wrong: bool,
    available: Available,
}

#[derive(Serialize)]
struct Available {
    cuda: bool,
    emulator: bool,
    why: Option<String>,
    /// The same, each apart.
    #[serde(skip)]
    reasons: Vec<String>,
}

/// Lists the catalogue, or builds it.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    if let Some(Command::Build(build)) = &args.command {
        let root = globals.course.clone().unwrap_or_else(|| PathBuf::from("."));
        return build_all(&root, build.check);
    }
    let (catalog, problems) = Catalog::of_course(globals.course.as_deref());
    tell(&problems);
    let description = Session::start().and_then(|session| session.describe());
    if description.as_ref().is_err_and(|error| error.kind == ExecErrorKind::Interrupted) {
        return Ok(Exit::Interrupted);
    }
    let available = |kernel: &Kernel| available(kernel, description.as_ref().ok());
    if args.json {
        output::json(&Listing { kernels: catalog.kernels().iter().map(|k| row(&catalog, k, available(k))).collect() })?;
    } else {
        print(&catalog, available)?;
    }
    Ok(if problems.is_empty() { Exit::Done } else { Exit::Usage })
}

fn tell(problems: &[CatalogProblem]) {
    for problem in problems {
        output::note(format_args!("error: {problem}"));
        if let Some(help) = &problem.help {
            output::note(format_args!("  {help}"));
        }
    }
}

/// Levels are numbered in the order in which the catalogue first names them, which is the course's.
pub(super) fn level_number(catalog: &Catalog, id: &str) -> usize {
    let mut levels: Vec<&str> = catalog.kernels().iter().map(|kernel| kernel.level.as_str()).collect();
    levels.dedup();
    levels.iter().position(|level| *level == id).map_or(0, |at| at + 1)
}

fn row<'a>(catalog: &Catalog, kernel: &'a Kernel, available: Available) -> Row<'a> {
    Row {
        id: &kernel.id,
        level: level_number(catalog, &kernel.level),
        level_id: &kernel.level,
        title: &kernel.title,
        about: &kernel.about,
        file: &kernel.file,
        entry: &kernel.entry,
        ptx: &kernel.ptx_file,
        block: kernel.block,
        grid: &kernel.grid,
        min_arch: kernel.min_arch(),
        elements: kernel.elements,
        shared_bytes: kernel.shared_bytes,
        otherwise: kernel.otherwise.as_deref(),
        variants: kernel.variants.as_ref().map_or(1, |variants| variants.possible().count()),
        expected_wrong: kernel.expected_wrong,
        available,
    }
}

fn available(kernel: &Kernel, description: Option<&Description>) -> Available {
    let mut why = Vec::new();
    let Some(ptx) = &kernel.ptx else {
        let why = format!("{} has not been built; `matmul-tutor kernels build` does it.", kernel.ptx_file);
        return Available { cuda: false, emulator: false, why: Some(why.clone()), reasons: vec![why] };
    };
    let emulator = match crate::exec::emulates(ptx) {
        Ok(()) => true,
        Err(fault) => {
            why.push(format!("The emulator cannot run it: {fault}"));
            false
        }
    };
    let device = description.map(|description| &description.device);
    let cuda = match device.filter(|device| device.kind == DeviceKind::Cuda).and_then(|device| device.capability) {
        Some(capability) if kernel.arch.runs_on(capability) => true,
        Some(_) => {
            why.push(format!("It needs {}.", kernel.arch.demand()));
            false
        }
        None => {
            why.extend(description.and_then(|description| description.why_not_cuda.clone()));
            false
        }
    };
    Available { cuda, emulator, why: Some(why.join(" ")).filter(|why| !why.is_empty()), reasons: why }
}

fn print(catalog: &Catalog, available: impl Fn(&Kernel) -> Available) -> anyhow::Result<()> {
    let widest = catalog.kernels().iter().map(|kernel| kernel.id.len()).max().unwrap_or(0);
    let mut level = "";
    let mut reasons: Vec<String> = Vec::new();
    for kernel in catalog.kernels() {
        if kernel.level != level {
            level = &kernel.level;
            output::line(format_args!("level {}, {level}", level_number(catalog, level)))?;
        }
        let available = available(kernel);
        let on = match (available.cuda, available.emulator) {
            (true, true) => "GPU, emulator",
            (true, false) => "GPU",
            (false, true) => "emulator",
            (false, false) => "nowhere",
        };
        reasons.extend(available.reasons);
        let wrong = if kernel.expected_wrong { " (wrong on purpose)" } else { "" };
        output::line(format_args!("  {:widest$}  {on:13}  {}{wrong}", kernel.id, kernel.title))?;
    }
    reasons.sort();
    reasons.dedup();
    for reason in reasons {
        output::note(format_args!("{reason}"));
    }
    Ok(())
}

#[cfg(not(feature = "cuda"))]
fn build_all(_: &Path, _: bool) -> anyhow::Result<Exit> {
    output::note(format_args!("error: This build has no support for NVRTC."));
    Ok(Exit::NoDevice)
}

#[cfg(feature = "cuda")]
fn build_all(root: &Path, check: bool) -> anyhow::Result<Exit> {
    use crate::kernels::build::{build, strays};
    use crate::kernels::nvrtc::{INSTALL_HELP, Nvrtc, NvrtcError, PINNED_RELEASE, PINNED_WHEEL};
    if !Catalog::is_in(root) {
        let message = format!("There is no kernels/catalog.yaml in {}.", root.display());
        return Ok(failure(
            Exit::Usage,
            &message,
            Some("Run this in the source tree, or give its directory with --course."),
        ));
    }
    let (catalog, problems) = Catalog::from_directory(root);
    tell(&problems);
    if !problems.is_empty() {
        return Ok(Exit::Usage);
    }
    let (nvrtc, release) = match Nvrtc::get().and_then(|nvrtc| Ok((nvrtc, nvrtc.release()?))) {
        Ok(found) => found,
        Err(error) => return Ok(failure(Exit::NoDevice, &error.to_string(), Some(INSTALL_HELP))),
    };
    if release != PINNED_RELEASE {
        let message = format!(
            "This NVRTC is {release} ({}); the committed PTX is made by {PINNED_RELEASE}.",
            nvrtc.path().display()
        );
        let help = format!(
            "`pip install {PINNED_WHEEL}` in a virtual environment, and set MATMUL_TUTOR_NVRTC to its libnvrtc.so.12."
        );
        if check {
            return Ok(failure(Exit::NoDevice, &format!("{message} Another release cannot be compared."), Some(&help)));
        }
        output::note(format_args!("note: {message} To commit what is built: {help}"));
    }
    let (mut stale, mut total) = (Vec::new(), 0);
    for kernel in catalog.kernels() {
        let built = match build(nvrtc, kernel, root) {
            Ok(built) => built,
            Err((id, error @ NvrtcError::Refused { .. })) => {
                return Ok(failure(Exit::Failed, &format!("{id}: {error}"), None));
            }
            Err((_, error)) => return Ok(failure(Exit::NoDevice, &error.to_string(), Some(INSTALL_HELP))),
        };
        total += built.len();
        for file in built {
            if !file.log.trim().is_empty() {
                output::note(format_args!("{}", file.log.trim_end()));
            }
            if file.fresh {
                continue;
            }
            if !check {
                file.write(root)?;
                output::line(format_args!("built {}", file.file))?;
            }
            stale.push(file.id);
        }
    }
    for stray in strays(catalog.kernels(), root) {
        if !check {
            std::fs::remove_file(root.join(&stray))?;
            output::line(format_args!("removed {stray}, which belongs to no variant"))?;
        }
        stale.push(stray);
    }
    if stale.is_empty() {
        output::line(format_args!("All {total} PTX files are what NVRTC {release} makes of their sources."))?;
    } else if check {
        let more = stale.len().saturating_sub(12);
        stale.truncate(12);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = format!("Stale: {}{more}.", stale.join(", "));
        return Ok(failure(Exit::Failed, &message, Some("`matmul-tutor kernels build` compiles them again.")));
    }
    Ok(Exit::Done)
}
