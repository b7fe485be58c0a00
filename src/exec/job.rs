//! A launch as an executor sees it: kernels resolved, the way to answer, the wish to stop.

use super::protocol::{DeviceKind, ExecError, ExecErrorKind, LaunchRequest, Program, Reply, Shape};
use super::verify::Problem;
use super::{input::Inputs, protocol::Device};
use crate::kernels::{Catalog, Geometry, GridFormulas};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs kernels on one kind of device.
pub(super) trait Executor {
    /// What it runs on.
    fn device(&self) -> &Device;

    /// Verifies and times the programs of a job, replying as it goes; an `Ok` may also mean that it was cancelled.
    fn run(&mut self, job: &Job) -> Result<(), ExecError>;
}

/// A kernel with all that a launch needs.
#[derive(Debug, Clone)]
pub(super) struct Resolved {
    /// Catalogue id, or the name that the parent gave.
    pub(super) id: String,
    /// Whether it is the catalogue's own kernel as committed.
    #[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "only the GPU needs another kernel as reference"))]
    pub(super) committed: bool,
    pub(super) entry: String,
    pub(super) ptx: Arc<str>,
    pub(super) geometry: Geometry,
    /// Oldest compute capability.
    #[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "the emulator runs any architecture's PTX"))]
    pub(super) min_capability: [u32; 2],
}

/// A launch under way.
pub(super) struct Job<'a> {
    pub(super) request: &'a LaunchRequest,
    pub(super) programs: Vec<Resolved>,
    cancelled: &'a AtomicBool,
    sink: &'a (dyn Fn(Reply) + Sync),
}

impl<'a> Job<'a> {
    /// Resolves the programs of a request.
    pub(super) fn new(
        request: &'a LaunchRequest,
        cancelled: &'a AtomicBool,
        sink: &'a (dyn Fn(Reply) + Sync),
    ) -> Result<Self, ExecError> {
        if request.programs.is_empty() || request.programs.len() > 64 {
            let message = format!("A launch takes 1 to 64 kernels, not {}.", request.programs.len());
            return Err(ExecError::new(ExecErrorKind::Invalid, message));
        }
        if !(request.seconds.is_finite() && request.seconds >= 0.0) {
            return Err(ExecError::new(ExecErrorKind::Invalid, "The seconds are not a number from 0 up."));
        }
        let programs =
            request.programs.iter().map(|program| resolve(program, request.shape)).collect::<Result<_, _>>()?;
        Ok(Self { request, programs, cancelled, sink })
    }

    pub(super) fn id(&self) -> u64 {
        self.request.id
    }

    pub(super) fn shape(&self) -> Shape {
        self.request.shape
    }

    pub(super) fn reply(&self, reply: Reply) {
        (self.sink)(reply);
    }

    pub(super) fn note(&self, text: impl Into<String>) {
        self.reply(Reply::Note { id: self.id(), text: text.into() });
    }

    pub(super) fn progress(&self, doing: impl Into<String>, fraction: f64) {
        self.reply(Reply::Progress { id: self.id(), doing: doing.into(), fraction });
    }

    pub(super) fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    pub(super) fn cancel_flag(&self) -> &AtomicBool {
        self.cancelled
    }

    /// The product that the inputs make.
    pub(super) fn problem<'i>(&self, inputs: &'i Inputs) -> Problem<'i> {
        let LaunchRequest { shape, alpha, beta, .. } = *self.request;
        Problem { shape, alpha, beta, inputs }
    }
}

/// A kernel of the built-in catalogue in this shape.
#[cfg(feature = "cuda")]
pub(super) fn committed(id: &str, shape: Shape) -> Result<Resolved, ExecError> {
    resolve(&Program::new(id), shape)
}

pub(super) fn resolve(program: &Program, shape: Shape) -> Result<Resolved, ExecError> {
    let invalid = |message: String| ExecError::new(ExecErrorKind::Invalid, message);
    let catalog = Catalog::built_in();
    let kernel = catalog.kernel(&program.kernel);
    let Shape { m, n, k } = shape;
    let name = program.kernel.escape_debug();
    if program.ptx.as_ref().is_some_and(|ptx| ptx.contains('\0')) {
        return Err(invalid(format!("The PTX of `{name}` holds a NUL byte.")));
    }
    if let Some(spec) = &program.spec {
        let Some(ptx) = &program.ptx else {
            return Err(invalid(format!("`{name}` has an entry and a grid of its own, but no PTX.")));
        };
        let readable = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        if spec.entry.is_empty() || !spec.entry.chars().all(readable) {
            return Err(invalid(format!("`{}` is no name of an entry.", spec.entry.escape_debug())));
        }
        let formulas = GridFormulas::parse(spec.grid.iter().map(String::as_str), &Default::default())
            .map_err(|(_, error)| invalid(format!("The grid of `{name}`: {error}")))?;
        return Ok(Resolved {
            id: program.kernel.clone(),
            committed: false,
            entry: spec.entry.clone(),
            ptx: Arc::from(ptx.as_str()),
            geometry: formulas
                .geometry(spec.block, [m, n, k], crate::kernels::EMULATED_SMS)
                .map_err(|error| invalid(error.message))?,
            min_capability: [0, 0],
        });
    }
    let Some(kernel) = kernel else {
        let nearest = catalog.nearest(&program.kernel);
        let help = nearest.map_or_else(
            || "`matmul-tutor kernels` lists them.".to_owned(),
            |nearest| format!("Did you mean `{nearest}`? `matmul-tutor kernels` lists them all."),
        );
        return Err(invalid(format!("There is no kernel `{name}`.")).help(help));
    };
    let ptx = match (&program.ptx, &kernel.ptx) {
        (Some(edited), _) => Arc::from(edited.as_str()),
        (None, Some(built)) => Arc::clone(built),
        (None, None) => {
            let message = format!("`{name}` has no compiled PTX ({}).", kernel.ptx_file);
            return Err(invalid(message).help("Build it with `matmul-tutor kernels build`."));
        }
    };
    Ok(Resolved {
        id: kernel.id.clone(),
        committed: program.ptx.is_none(),
        entry: kernel.entry.clone(),
        ptx,
        geometry: kernel.geometry(m, n, k).map_err(|error| invalid(error.message))?,
        min_capability: kernel.arch.capability,
    })
}

/// Bytes of A, B and C.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Footprint {
    pub(super) a: u64,
    pub(super) b: u64,
    pub(super) c: u64,
}

impl Footprint {
    pub(super) fn of(shape: Shape) -> Self {
        // Extents are at most 2³⁰, so a product of two and four bytes fits.
        let bytes = |rows: u32, columns: u32| u64::from(rows) * u64::from(columns) * 4;
        Self { a: bytes(shape.m, shape.k), b: bytes(shape.k, shape.n), c: bytes(shape.m, shape.n) }
    }

    pub(super) fn total(self) -> u64 {
        self.a + self.b + self.c
    }

    /// An error that states what is needed, if it is more than there is.
    pub(super) fn must_fit(self, needed: u64, free: u64, place: &str) -> Result<(), ExecError> {
        if needed <= free {
            return Ok(());
        }
        let message = format!(
            "This shape needs {} of {place} (A {}, B {}, C {}), and {} are free.",
            human_bytes(needed),
            human_bytes(self.a),
            human_bytes(self.b),
            human_bytes(self.c),
            human_bytes(free)
        );
        Err(ExecError::new(ExecErrorKind::OutOfMemory, message)
            .help("Choose a smaller size, or close what else uses the memory."))
    }

    /// Refuses what this machine's memory cannot hold: so many copies of the matrices, and a float64 reference.
    pub(super) fn must_fit_host(self, copies: u64) -> Result<(), ExecError> {
        let needed = self.total().saturating_mul(copies).saturating_add(self.c.saturating_mul(2));
        self.must_fit(needed, host_memory(), "this computer's memory")
    }
}

/// Bytes in words, e.g. `1.5 GiB`.
pub(super) fn human_bytes(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} bytes") } else { format!("{value:.1} {}", units[unit]) }
}

/// Memory that can still be had; a cautious guess where the system does not say.
fn host_memory() -> u64 {
    let available = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    });
    available.map_or(4 << 30, |kib| kib * 1024)
}

/// The emulator as a device.
pub(super) fn emulator_device() -> Device {
    Device { kind: DeviceKind::Emulator, name: "SIMT emulator".to_owned(), driver: None, capability: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_stated_before_it_is_refused() {
        let shape = Shape { m: 1 << 30, n: 1 << 30, k: 1 << 30 };
        let error = Footprint::of(shape).must_fit_host(1).unwrap_err();
        assert_eq!(error.kind, ExecErrorKind::OutOfMemory);
        assert!(error.message.contains("needs 16.0 EiB"), "{}", error.message);
        assert_eq!(human_bytes(1_610_612_736), "1.5 GiB");
        assert_eq!(human_bytes(12), "12 bytes");
        assert!(Footprint::of(Shape::square(64)).must_fit_host(2).is_ok());
    }

    #[test]
    fn an_unknown_kernel_is_refused_with_the_one_that_was_meant() {
        let error = resolve(&Program::new("sgem_tiled"), Shape::square(8)).unwrap_err();
        assert_eq!(error.kind, ExecErrorKind::Invalid);
        assert!(error.help.unwrap().contains("Did you mean `sgemm_tiled`?"));
        let error = resolve(&Program::new("sgemm_tiled"), Shape::square(0)).unwrap_err();
        assert!(error.message.contains("M is 0"), "{}", error.message);
    }
}
