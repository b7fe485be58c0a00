//! `run --list`: lists the catalogue.

mod print;

use crate::prelude::*;
use std::collections::BTreeMap;
use tutor_exec::protocol::{Description, DeviceKind, ExecErrorKind};
use tutor_kernels::{CatalogProblem, Elements, MissingPtx};

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
    /// The kernel that runs for shapes that this kernel does not support.
    otherwise: Option<&'a str>,
    /// Number of variants, for `bench --tune`.
    variants: usize,
    /// The identity that a recording of this kernel must contain; null if the kernel has no PTX.
    identity: Option<String>,
    /// The identities of its variants.
    variant_identities: BTreeMap<&'a str, String>,
    expected_wrong: bool,
    available: Available,
}

#[derive(Serialize)]
struct Available {
    cuda: bool,
    emulator: bool,
    why: Option<String>,
    /// The parts of `why`.
    #[serde(skip)]
    reasons: Vec<String>,
}

pub(super) fn list(json: bool, globals: &Globals) -> anyhow::Result<Exit> {
    let (catalog, problems) = Catalog::of_course_in(globals.course.as_deref(), globals.lang.code());
    report_problems(&problems);
    let description = Session::start().and_then(|session| session.describe());
    if description.as_ref().is_err_and(|error| error.kind == ExecErrorKind::Interrupted) {
        return Ok(Exit::Interrupted);
    }
    let available = |kernel: &Kernel| available(kernel, description.as_ref().ok());
    if json {
        output::json(&Listing { kernels: catalog.kernels().iter().map(|k| row(&catalog, k, available(k))).collect() })?;
    } else {
        print::print(&catalog, description.as_ref().ok(), available, globals)?;
    }
    Ok(if problems.is_empty() { Exit::Done } else { Exit::Usage })
}

/// Reports the problems of a catalogue on standard error.
pub(super) fn report_problems(problems: &[CatalogProblem]) {
    for problem in problems {
        output::note(t!("cli-error", text = problem.to_string()));
        if let Some(help) = &problem.help {
            output::note(format_args!("  {help}"));
        }
    }
}

/// Returns the number of a level: levels count in the order in which the catalogue first names them, which is the
/// course's order.
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
        identity: kernel.identity(),
        variant_identities: (kernel.variants.iter().flat_map(|variants| variants.possible()))
            .filter_map(|point| Some((point.name.as_str(), kernel.identity_at(&point.name)?)))
            .collect(),
        expected_wrong: kernel.expected_wrong,
        available,
    }
}

fn available(kernel: &Kernel, description: Option<&Description>) -> Available {
    let mut why = Vec::new();
    let Some(ptx) = &kernel.ptx else {
        let why = kernel.unbuilt().unwrap_or(MissingPtx::Missing);
        let why = t!("cli-kernels-not-built", file = kernel.ptx_file, why = why.to_string());
        return Available { cuda: false, emulator: false, why: Some(why.clone()), reasons: vec![why] };
    };
    let emulator = match tutor_exec::emulates(ptx) {
        Ok(()) => true,
        Err(fault) => {
            why.push(t!("cli-kernels-not-emulated", why = fault.to_string()));
            false
        }
    };
    let device = description.map(|description| &description.device);
    let cuda = match device.filter(|device| device.kind == DeviceKind::Cuda).and_then(|device| device.capability) {
        Some(capability) if kernel.arch.runs_on(capability) => true,
        Some(_) => {
            why.push(t!("cli-needs", demand = kernel.arch.demand()));
            false
        }
        None => {
            why.extend(description.and_then(|description| description.why_not_cuda.as_ref()).map(ToString::to_string));
            false
        }
    };
    Available { cuda, emulator, why: Some(why.join(" ")).filter(|why| !why.is_empty()), reasons: why }
}
