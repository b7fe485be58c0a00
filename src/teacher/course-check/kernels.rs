/*! Runs every kernel of a course once. The catalogue's statements about a kernel are claims, even if no page repeats
them.

Each kernel runs on the emulator with square and with ragged matrices. It must end. Its result must be correct, unless
the catalogue says that it is incorrect. It must have exactly the hazards that the catalogue states. A kernel whose PTX
does not belong to its source does not run, because `check` reports it without a run.
*/

use super::check::CatalogPlaces;
use super::claims::{NoRun, Runs};
use ptx_emulator::HazardKind;
use serde::Serialize;
use std::collections::BTreeMap;
use tutor_course::{CourseSource, Files, Problem};
use tutor_exec::emulates;
use tutor_exec::fault::{hazard_kind, hazard_letters};
use tutor_exec::protocol::Shape;
use tutor_exec::results::ProgramResults;
use tutor_kernels::{Catalog, Kernel};

/// Shapes to run at: the first of each row that the kernel supports. The sides of the three ragged shapes are multiples
/// of only 1, 4 and 8.
const SHAPES: [[Shape; 3]; 2] = [
    [Shape::square(64), Shape::square(128), Shape::square(256)],
    [Shape::new(45, 29, 19), Shape::new(52, 44, 20), Shape::new(72, 56, 40)],
];

/// Numbers of kernels. The field names are those of the command line's JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct KernelCounts {
    pub run: u32,
    /// Kernels that ran but contradict the catalogue.
    pub differ: u32,
    /// Kernels that could not run here.
    pub skipped: u32,
}

/// The results for all kernels of a course.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KernelReport {
    pub counts: KernelCounts,
    pub problems: Vec<Problem>,
    /// Reasons why kernels did not run, with the number of kernels for each.
    pub skipped: BTreeMap<String, u32>,
}

/// Runs every kernel of the course's catalogue; for the built-in course, all kernels.
pub fn kernels(files: &Files, catalog: &Catalog, runs: &mut Runs<'_>) -> KernelReport {
    let mut report = KernelReport::default();
    let places = CatalogPlaces::of(files);
    let own = |kernel: &&Kernel| files.source == CourseSource::BuiltIn || places.has(&kernel.id);
    for kernel in catalog.kernels().iter().filter(own).filter(|kernel| kernel.unbuilt().is_none()) {
        match try_out(kernel, catalog, runs) {
            Ok(()) => report.counts.run += 1,
            Err(Wrong::Unknown(why)) => {
                report.counts.skipped += 1;
                *report.skipped.entry(why).or_default() += 1;
            }
            Err(Wrong::Not { code, field, message, help }) => {
                report.counts.run += 1;
                report.counts.differ += 1;
                report.problems.push(places.problem(code, &kernel.id, field, &message, help));
            }
        }
    }
    report
}

/// Why a kernel was not confirmed.
enum Wrong {
    /// The kernel could not run here, for this reason.
    Unknown(String),
    /// The kernel contradicts the catalogue.
    Not { code: &'static str, field: &'static str, message: String, help: &'static str },
}

fn try_out(kernel: &Kernel, catalog: &Catalog, runs: &mut Runs<'_>) -> Result<(), Wrong> {
    if let Some(fault) = kernel.ptx.as_deref().and_then(|ptx| emulates(ptx).err()) {
        return Err(Wrong::Unknown(format!("the emulator does not run `{}`: {fault}", kernel.id)));
    }
    if kernel.ptx.as_deref().is_some_and(|ptx| !ptx.contains(&kernel.entry)) {
        return Err(Wrong::Not {
            code: "kernel-fault",
            field: "entry",
            message: format!("The PTX of `{}` has no function `{}`.", kernel.id, kernel.entry),
            help: "Name a function of the source.",
        });
    }
    for shapes in SHAPES {
        let fitting = shapes.into_iter().find(|shape| kernel.needs.unmet(shape.m, shape.n, shape.k).is_none());
        let batch = if kernel.further.batched { 3 } else { 1 };
        let Some(shape) = fitting.map(|shape| Shape { batch, ..shape }) else { continue };
        let run = runs.emulated_as(&kernel.id, shape, catalog).map_err(|none| match none {
            NoRun::Skip(why) => Wrong::Unknown(why),
            NoRun::Fail(why) | NoRun::Stopped(_, why) | NoRun::Another(why) => Wrong::Not {
                code: "kernel-fault",
                field: "id",
                message: format!("`{}` does not finish with {shape}: {why}", kernel.id),
                help: "Its parameters are A, B, C, M, N, K, lda, ldb, ldc, alpha, beta and the further ones; it must take every shape, and read C \
                       only if beta is not 0.",
            },
        })?;
        compare(kernel, shape, &run)?;
    }
    Ok(())
}

/// Compares a run with the catalogue.
fn compare(kernel: &Kernel, shape: Shape, run: &ProgramResults) -> Result<(), Wrong> {
    let id = &kernel.id;
    let square = shape.m == shape.n && shape.n == shape.k;
    if let Some(found) = &run.verification {
        let (wrong, of) = (found.mismatches, found.elements);
        if !kernel.expected_wrong && !found.verified {
            return Err(Wrong::Not {
                code: "kernel-result",
                field: "expected_wrong",
                message: format!("`{id}` is wrong with {shape}: {wrong} of {of} elements of C."),
                help: "Correct the kernel, its block or its grid; or say `expected_wrong: true` if that is what it shows.",
            });
        }
        // A kernel that is incorrect with whole tiles may be correct with ragged ones.
        if kernel.expected_wrong && found.verified && square {
            return Err(Wrong::Not {
                code: "kernel-result",
                field: "expected_wrong",
                message: format!("`{id}` is expected to be wrong, but all {of} elements of C are right."),
                help: "Say `expected_wrong: false`, or give it the fault that it is to show.",
            });
        }
    }
    if let Some(found) = run.undefined.iter().find(|found| found.is_error() && !kernel.expected_wrong) {
        return Err(Wrong::Not {
            code: "kernel-hazard",
            field: "hazard",
            message: format!("`{id}`, {shape}, {}:{}: {}", found.place.file, found.place.line, found.message),
            help: "Correct the kernel.",
        });
    }
    for kind in [HazardKind::Raw, HazardKind::War, HazardKind::Waw] {
        let (letters, stated) = (hazard_letters(kind), kernel.hazard.map(hazard_kind) == Some(kind));
        let message = match run.hazards().iter().find(|hazard| hazard.kind == kind) {
            Some(hazard) if !stated => {
                let place = &hazard.first.place;
                format!(
                    "`{id}` has a {letters} hazard with {shape}, at {}:{}, which the catalogue does not state.",
                    place.file, place.line
                )
            }
            None if stated && square => format!("`{id}` has no {letters} hazard, though the catalogue states one."),
            _ => continue,
        };
        return Err(Wrong::Not {
            code: "kernel-hazard",
            field: "hazard",
            message,
            help: "Correct the kernel, or what the catalogue says in `hazard`.",
        });
    }
    Ok(())
}
