//! Runs kernels for claims, each only once.

use super::bounds::CauseRow;
use std::collections::BTreeMap;
use std::rc::Rc;
use tutor_course::TimelineView;
use tutor_exec::estimate::{EstimateRequest, Estimated};
use tutor_exec::protocol::{ExecError, ExecErrorKind, LaunchRequest, Shape, Stop, Target};
use tutor_exec::results::{LaunchResults, ProgramResults};
use tutor_kernels::{Catalog, Kernel};

/// Runs a launch to its end and returns its results.
pub type Launcher<'a> = dyn FnMut(&LaunchRequest) -> Result<LaunchResults, ExecError> + 'a;

/// Minimum side of the matrices for claims about results on a GPU. Smaller launches end before a race becomes visible.
const GPU_SIZE: u32 = 1024;

/// Why there is no result to compare a claim with.
#[derive(Debug, Clone)]
pub(crate) enum NoRun {
    /// The claim cannot be checked here.
    Skip(String),
    /// The kernel does not do what every claim about it requires.
    Fail(String),
    /// The recording is of another kernel.
    Another(String),
    /// The emulator stopped the kernel with a fault, described in a sentence.
    Stopped(Stop, String),
}

pub(crate) type Outcome = Result<Rc<ProgramResults>, NoRun>;

/// Runs of kernels, cached by kernel, shape and device.
pub struct Runs<'a> {
    launcher: &'a mut Launcher<'a>,
    gpu: bool,
    known: BTreeMap<(String, [u32; 4], bool), Outcome>,
    launches: u64,
    /// By everything that tells the launches apart.
    estimates: BTreeMap<String, Result<Rc<Estimated>, NoRun>>,
    pub(super) causes: Vec<CauseRow>,
}

impl<'a> Runs<'a> {
    /// Creates a cache that runs kernels with `launcher` on the emulator. With `gpu`, it also obtains results from a
    /// GPU.
    pub fn new(launcher: &'a mut Launcher<'a>, gpu: bool) -> Self {
        Self { launcher, gpu, known: BTreeMap::new(), launches: 0, estimates: BTreeMap::new(), causes: Vec::new() }
    }

    /// Returns the number of launches so far.
    pub fn launches(&self) -> u64 {
        self.launches
    }

    /// Returns counts, hazards and result of a kernel on the emulator, with square matrices.
    pub(super) fn emulated(&mut self, kernel: &str, size: u32, catalog: &Catalog) -> Outcome {
        self.run(kernel, Shape::square(size), false, catalog)
    }

    /// Returns the same for any shape.
    pub(crate) fn emulated_as(&mut self, kernel: &str, shape: Shape, catalog: &Catalog) -> Outcome {
        self.run(kernel, shape, false, catalog)
    }

    pub(super) fn estimated(&mut self, view: &TimelineView, catalog: &Catalog) -> Result<Rc<Estimated>, NoRun> {
        let device = view.device.as_ref().map(|device| &device.value);
        let key = format!("{} {} {device:?} {:?}", view.program(), view.size, view.blocks);
        if let Some(known) = self.estimates.get(&key) {
            return known.clone();
        }
        let found = self.estimate(view, catalog).map(Rc::new);
        self.estimates.insert(key, found.clone());
        found
    }

    fn estimate(&mut self, view: &TimelineView, catalog: &Catalog) -> Result<Estimated, NoRun> {
        let kernel = catalog.find(&view.program()).filter(|kernel| kernel.unbuilt().is_none());
        let kernel = kernel.ok_or_else(|| NoRun::Skip(format!("`{}` has no PTX.", view.program())))?;
        let device = view.device.as_ref().map(|device| device.value.as_str());
        let shape = Shape::square(view.size);
        let estimate =
            EstimateRequest::of(device, shape).map(|request| EstimateRequest { blocks: view.blocks, ..*request });
        self.launches += 1;
        let launch = LaunchRequest::new(self.launches, vec![kernel.as_ref().into()], shape);
        let request = LaunchRequest { on: Target::Emulator, estimate: estimate.map(Box::new), ..launch };
        match self.first_of(&request)?.estimated {
            Some(estimated) => estimated.map(|found| *found).map_err(|why| NoRun::Fail(why.to_string())),
            None => Err(NoRun::Skip("the launch gave no estimate.".to_owned())),
        }
    }

    /// Runs a launch and returns the results of its first program.
    fn first_of(&mut self, request: &LaunchRequest) -> Result<ProgramResults, NoRun> {
        let results = (self.launcher)(request).map_err(|error| no_run(&error))?;
        Ok(results.programs.into_iter().next().unwrap_or_default())
    }

    /// Returns the result of a kernel on the GPU, or `None` if no GPU was requested.
    pub(super) fn on_gpu(&mut self, kernel: &str, size: u32, catalog: &Catalog) -> Option<Outcome> {
        self.gpu.then(|| self.run(kernel, Shape::square(size.max(GPU_SIZE)), true, catalog))
    }

    fn run(&mut self, id: &str, shape: Shape, gpu: bool, catalog: &Catalog) -> Outcome {
        let key = (id.to_owned(), [shape.m, shape.n, shape.k, shape.batch], gpu);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let outcome = match catalog.kernel(id) {
            // `check` reports the missing kernel.
            None => Err(NoRun::Skip(format!("there is no kernel `{id}`."))),
            Some(kernel) => self.launch(kernel, shape, gpu),
        };
        self.known.insert(key, outcome.clone());
        outcome
    }

    fn launch(&mut self, kernel: &Kernel, shape: Shape, gpu: bool) -> Outcome {
        if kernel.unbuilt().is_some() {
            // `check` reports the missing PTX.
            return Err(NoRun::Skip(format!("`{}` has no PTX that was made of its source.", kernel.id)));
        }
        self.launches += 1;
        let request = LaunchRequest {
            on: if gpu { Target::Cuda } else { Target::Emulator },
            seed: self.launches,
            verify: true,
            counts: !gpu,
            hazards: !gpu,
            ..LaunchRequest::new(self.launches, vec![kernel.into()], shape)
        };
        self.first_of(&request).map(Rc::new)
    }
}

fn no_run(error: &ExecError) -> NoRun {
    match error.kind {
        ExecErrorKind::NoDevice | ExecErrorKind::Worker | ExecErrorKind::OutOfMemory => {
            NoRun::Skip(error.message.to_string())
        }
        _ => match error.stop {
            Some(stop) => NoRun::Stopped(stop, error.message.to_string()),
            None => NoRun::Fail(error.message.to_string()),
        },
    }
}
