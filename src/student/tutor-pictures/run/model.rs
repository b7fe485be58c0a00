/*! The results of a run, separated by their source.

The launch's own results are [`LaunchResults`]: times and comparisons of a GPU, or comparisons of the emulator, and the
emulator's counts, hazards and estimates. Times of a file are [`Recorded`]. [`Model::source`] chooses one source of
times, so that times of different sources are never mixed. There are no results before the student launches.
*/

mod replies;
mod times;

use super::super::names::{Names, kernel_names};
use crate::prelude::*;
use tutor_course::CountRow;
use tutor_exec::Against;
use tutor_exec::protocol::{Device, DeviceKind, LaunchRequest, Program, Shape};
use tutor_exec::recorded::{RecordedRow, Recording};
use tutor_exec::results::{LaunchResults, ProgramResults};
use tutor_exec::tuned::Tuned;
use tutor_exec::variant_pick::VariantPick;
use tutor_kernels::{Catalog, Elements, Kernel, Needs};

/// Largest size at which the emulator computes every element.
pub(crate) const MAX_EMULATED: u32 = 512;
/// Sizes at which the emulator verifies, if the page names none that is small enough.
const EMULATED: [u32; 3] = [512, 256, 128];

/// One of the kernels that are compared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Compared {
    pub(crate) kernel: String,
    pub(crate) title: String,
    /// The part of its label that differs from the others.
    pub(crate) name: String,
    pub(crate) level: String,
    pub(crate) elements: Elements,
    needs: Needs,
    /// The catalogue's kernel, if there is one.
    known: Option<Kernel>,
}

/// Times and numbers of wrong elements from a recording.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recorded(pub(crate) &'static Recording);

/// A kernel that may be the best of its level, because it is meant to be correct.
#[derive(Debug, Clone)]
pub(crate) struct Rival {
    pub(crate) kernel: String,
    pub(crate) title: String,
    pub(crate) level: String,
    pub(crate) elements: Elements,
}

/// Everything on the screen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    pub(crate) kernels: Vec<Compared>,
    /// What all kernels' names have in common.
    pub(crate) shared: String,
    /// Size of the matrices for the times.
    pub(crate) n: u32,
    listed: Vec<u32>,
    pub(crate) rows: Vec<CountRow>,
    /// The device that a launch gets, once known.
    pub(crate) device: Option<Device>,
    pub(crate) why_not: Option<String>,
    /// The last launch at this size.
    pub(crate) launch: Option<LaunchResults>,
    pub(crate) recorded: Option<Recorded>,
    /// The GPU for which the launch estimates times, if it makes any estimates.
    pub(crate) estimated_on: Option<String>,
    recordings: &'static [Recording],
    /// The variant of each kernel that was launched on a GPU, and the reason for it.
    taken: Vec<Option<VariantPick>>,
}

/// The source of the times that are shown.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TimeSource<'m> {
    Live(&'m LaunchResults),
    /// Recorded on another device.
    Recorded(Recorded),
    None,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Time {
    pub(crate) median_ms: f64,
    pub(crate) low_ms: f64,
    pub(crate) high_ms: f64,
}

impl Time {
    /// Returns half of the interval's width, relative to the median.
    pub(crate) fn spread(self) -> f64 {
        (self.high_ms - self.low_ms) / 2.0 / self.median_ms
    }
}

/// Number of wrong elements of C in the run that was timed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Verdict {
    pub(crate) wrong: u64,
    pub(crate) of: u64,
}

impl Model {
    /// Updates the kernels' names from the catalogue.
    pub(super) fn rename(&mut self, catalog: &Catalog) {
        let ids: Vec<String> = self.kernels.iter().map(|compared| compared.kernel.clone()).collect();
        let Names { shared, each } = kernel_names(&ids, catalog);
        self.shared = shared;
        for (compared, name) in self.kernels.iter_mut().zip(each) {
            compared.name = name;
            if let Some(known) = catalog.kernel(&compared.kernel) {
                compared.title.clone_from(&known.title);
            }
        }
    }

    pub(crate) fn new(
        kernels: &[String],
        n: u32,
        sizes: &[u32],
        rows: &[CountRow],
        catalog: &Catalog,
        recordings: &'static [Recording],
    ) -> Self {
        let Names { shared, each } = kernel_names(kernels, catalog);
        let compared = |(id, name): (&String, String)| match catalog.kernel(id) {
            Some(known) => Compared {
                kernel: id.clone(),
                title: known.title.clone(),
                name,
                level: known.level.clone(),
                elements: known.elements,
                needs: known.needs.clone(),
                known: Some(known.clone()),
            },
            None => Compared { kernel: id.clone(), title: id.clone(), name, ..Compared::default() },
        };
        let mut listed = sizes.to_vec();
        if !listed.contains(&n) {
            listed.push(n);
            listed.sort_unstable();
        }
        Self {
            kernels: kernels.iter().zip(each).map(compared).collect(),
            shared,
            n,
            listed,
            rows: rows.to_vec(),
            recordings,
            ..Self::default()
        }
    }

    pub(crate) fn running(&self) -> Option<u64> {
        self.launch.as_ref().filter(|launch| launch.is_running()).map(|launch| launch.id)
    }

    /// Returns the element type of all kernels.
    pub(crate) fn elements(&self) -> Elements {
        self.kernels.first().map_or(Elements::F32, |kernel| kernel.elements)
    }

    /// Returns cuBLAS's name. It says so if the times are from a recording of its default choice.
    pub(crate) fn cublas_title(&self) -> String {
        let against = match self.source() {
            TimeSource::Recorded(Recorded(recording)) => recording.against,
            _ => Against::Best,
        };
        against.name(self.elements()).to_string()
    }

    /// Returns the median in ms of cuBLAS's default choice, if cuBLAS's time is that of a faster one.
    pub(crate) fn default_ms(&self) -> Option<f64> {
        let default = match self.source() {
            TimeSource::Live(live) => live.cublas_default.median_ms()?,
            TimeSource::Recorded(Recorded(recording)) => recording.default_ms(self.n, self.elements())?,
            TimeSource::None => return None,
        };
        Some(default).filter(|default| self.cublas_ms().is_some_and(|best| best < *default))
    }

    /// Says what a launch costs the host, if the times do not contain it.
    pub(crate) fn host_cost(&self) -> Option<String> {
        let TimeSource::Live(live) = self.source() else { return None };
        Some(live.programs.first()?.timed.timing?.host_cost(live.cublas.timing)?.to_string())
    }

    pub(crate) fn on_gpu(&self) -> bool {
        self.device.as_ref().is_some_and(|device| device.kind == DeviceKind::Cuda)
    }

    pub(crate) fn on_emulator(&self) -> bool {
        self.device.as_ref().is_some_and(|device| device.kind == DeviceKind::Emulator)
    }

    /// Returns the size to launch. The emulator gets a size at which it verifies.
    pub(crate) fn launched_n(&self) -> u32 {
        if !self.on_emulator() || self.n <= MAX_EMULATED {
            return self.n;
        }
        let accepts = |n: &u32| *n <= MAX_EMULATED && self.kernels.iter().all(|k| k.needs.unmet(*n, *n, *n).is_none());
        let listed = self.listed.iter().copied().filter(accepts).max();
        listed.or_else(|| EMULATED.into_iter().find(accepts)).unwrap_or(MAX_EMULATED)
    }

    /// Returns the page's sizes and, without a GPU, also the size at which the emulator verifies.
    pub(crate) fn sizes(&self) -> Vec<u32> {
        let mut sizes = self.listed.clone();
        if !sizes.contains(&self.launched_n()) {
            sizes.push(self.launched_n());
            sizes.sort_unstable();
        }
        sizes
    }

    pub(crate) fn next_size(&self) -> u32 {
        let sizes = self.sizes();
        let at = sizes.iter().position(|size| *size == self.n).map_or(0, |at| at + 1);
        sizes.get(at % sizes.len().max(1)).copied().unwrap_or(self.n)
    }

    /// Returns the next smaller or larger size, if there is one.
    pub(crate) fn other_size(&self, larger: bool) -> Option<u32> {
        let sizes = self.sizes();
        let at = sizes.iter().position(|size| *size == self.n)?;
        sizes.get(if larger { at + 1 } else { at.checked_sub(1)? }).copied()
    }

    /// Drops all results and begins a launch. Without a GPU, shows the recorded times now.
    pub(crate) fn begin(&mut self, request: &LaunchRequest) {
        self.forget();
        self.launch = Some(LaunchResults::of(request));
        self.estimated_on = request.estimate.as_ref().map(|estimate| estimate.gpu.device.clone());
        if self.on_emulator() {
            self.recorded = self.recording();
        }
    }

    /// True if there is no GPU here, and no time of some kernel was recorded.
    pub(crate) fn lacks_times(&self) -> bool {
        let known = |at: usize| {
            let nearest = Recording::nearest_first(self.recordings, self.device.as_ref());
            nearest.into_iter().any(|recording| self.row(recording, at).is_some())
        };
        self.on_emulator() && !(0..self.kernels.len()).all(known)
    }

    /// Returns the name of the GPU whose times are shown or would be, which may be unknown.
    pub(crate) fn compared_device(&self) -> &str {
        let here = self.device.as_ref().filter(|device| device.kind == DeviceKind::Cuda);
        let recorded = || self.recording().map(|Recorded(recording)| recording.device.as_str());
        here.map(|device| device.name.as_str()).or_else(recorded).unwrap_or_default()
    }

    /// Changes the size and drops the results of the old one.
    pub(crate) fn resize(&mut self, n: u32) {
        self.n = n;
        self.forget();
    }

    fn forget(&mut self) {
        (self.launch, self.recorded, self.estimated_on) = (None, None, None);
    }

    /// Returns the results of each kernel in the last launch.
    pub(crate) fn found(&self) -> &[ProgramResults] {
        self.launch.as_ref().map_or(&[], |launch| &launch.programs)
    }

    /// Returns the size of the last launch, at which the emulator counts, compares and estimates.
    pub(crate) fn found_n(&self) -> u32 {
        self.launch.as_ref().map_or(self.n, |launch| launch.shape.n)
    }

    /// Returns what was recorded of a kernel, by its index.
    fn row(&self, recording: &'static Recording, at: usize) -> Option<&'static RecordedRow> {
        recording.row(self.kernels.get(at)?.known.as_ref()?, self.n)
    }

    /// Returns the recording that has one of the kernels at this size.
    pub(crate) fn recording(&self) -> Option<Recorded> {
        let holds = |known: &&'static Recording| (0..self.kernels.len()).any(|at| self.row(known, at).is_some());
        let nearest = Recording::nearest_first(self.recordings, self.device.as_ref());
        nearest.into_iter().find(holds).map(Recorded)
    }

    /// Returns the programs to launch. On a GPU, each is the variant that suits the size.
    pub(crate) fn programs(&mut self, tuned: &Tuned) -> Vec<Program> {
        let device = self.device.as_ref().filter(|device| device.kind == DeviceKind::Cuda);
        let shape = Shape::square(self.launched_n());
        let taken = |compared: &Compared| VariantPick::on(compared.known.as_ref()?, device?, shape, tuned);
        let all: Vec<Option<VariantPick>> = self.kernels.iter().map(taken).collect();
        let program = |(compared, taken): (&Compared, &Option<VariantPick>)| {
            let variant = taken.as_ref().zip(compared.known.as_ref()).and_then(|(taken, known)| taken.kernel(known));
            variant.as_ref().map_or_else(|| Program::new(compared.kernel.clone()), Program::from)
        };
        let programs = self.kernels.iter().zip(&all).map(program).collect();
        self.taken = all;
        programs
    }

    /// Describes the variant that was timed. Returns `None` for a recorded time of the catalogue's default variant.
    pub(crate) fn variant(&self, at: usize) -> Option<String> {
        match self.source() {
            TimeSource::Live(_) => {
                let known = self.kernels.get(at)?.known.as_ref()?;
                Some(self.taken.get(at)?.as_ref()?.sentence(known).to_string())
            }
            TimeSource::Recorded(Recorded(recording)) => {
                let variant = self.row(recording, at)?.variant.as_ref()?;
                Some(t!("run-variant", variant))
            }
            TimeSource::None => None,
        }
    }

    /// Returns the sizes as text, with marks around the chosen one.
    pub(crate) fn sizes_in_words(&self, marks: (&str, &str)) -> String {
        let word = |n: &u32| {
            let text = grouped((*n).into());
            if *n == self.n { format!("{}{text}{}", marks.0, marks.1) } else { text }
        };
        self.sizes().iter().map(word).collect::<Vec<_>>().join(", ")
    }
}
