//! What the screens show of files and store: read by the runtime, replaced as a whole when it changes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tutor_base::t;
use tutor_course::{Course, Level, Page, Problem, QuizFile, Show};
use tutor_exec::latency::Latencies;
use tutor_exec::protocol::{Description, ExecError, Queued};
use tutor_exec::tuned::Tuned;
use tutor_kernels::{Catalog, CatalogProblem, Elements};
use tutor_mastery::{
    Explanation, Guesses, Known, LevelProgress, Outline, Predictions, Progress, Queue, REVIEW, Record, RunRecord,
    Worked, progress, unpooled,
};
use tutor_pictures::Setting;
use tutor_workshop::Exercise;

/// Shares of cuBLAS, 1 for as fast as it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The slowest kernel's.
    pub low: f64,
    /// The fastest kernel's.
    pub high: f64,
}

/// A kernel on the ladder: how fast the recording has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Rung {
    /// Index of the level that it belongs to.
    pub level: usize,
    /// Its id in the catalogue.
    pub kernel: String,
    /// Type of its elements, and of those that cuBLAS multiplied.
    pub elements: Elements,
    /// Its recorded share of cuBLAS, 1 for as fast as it.
    pub share: f64,
    /// What cuBLAS took on the recorded GPU.
    pub cublas_ms: f64,
}

#[derive(Debug, Clone)]
pub struct AppData {
    pub course: Arc<Course>,
    pub catalog: Arc<Catalog>,
    /// Where a lesson can be edited, by level; none if the course is part of the program.
    pub lesson_paths: BTreeMap<String, PathBuf>,
    /// Where a quiz can be edited, by level.
    pub quiz_paths: BTreeMap<String, PathBuf>,
    /// Where a kernel's source can be edited, by catalogue id.
    pub kernel_paths: BTreeMap<String, PathBuf>,
    /// What is wrong with the course's own kernels.
    pub kernel_problems: Vec<CatalogProblem>,
    /// All that the check of a course on disk has found so far.
    pub problems: Vec<Problem>,
    /// Where the course lies, if on disk.
    pub root: Option<PathBuf>,
    /// Recorded shares of cuBLAS, by level.
    pub shares: BTreeMap<String, Share>,
    /// The ladder's kernels in the order of the levels.
    pub ladder: Vec<Rung>,
    /// The square size that shares and ladder are of.
    pub shares_at: Option<u32>,
    /// The fastest right run of each kernel on each device, as the student launched them.
    pub best_runs: Vec<RunRecord>,
    /// Latencies of the student's own GPU, if they were measured.
    pub latencies: Option<Arc<Latencies>>,
    /// The variants that were tuned on this machine.
    pub tuned: Option<Arc<Tuned>>,
    pub progress: Progress,
    /// What the choices of pages are shuffled by; none for the order of the files.
    pub student: Option<u64>,
    /// The quiz that reviews are drawn from.
    pub pool: Arc<QuizFile>,
    /// What there is to review.
    pub review: Queue,
    /// Predictions made, by level and page.
    pub predictions: BTreeMap<(String, String), Predictions>,
    /// What the student wrote in answer to a why, by level and page.
    pub explanations: BTreeMap<(String, String), Explanation>,
    /// What is selected or typed and not confirmed, by the keys of [`Keep::Draft`](super::effect::Keep::Draft).
    pub drafts: BTreeMap<String, String>,
    /// The course's exercises, level by level.
    pub exercises: Arc<Vec<Exercise>>,
    /// How far those are that were begun, by their ids.
    pub worked: BTreeMap<String, Worked>,
    /// GPU whose recorded times are shown, e.g. `H200`.
    pub recorded_on: Option<String>,
    /// Devices and libraries, once the worker has answered.
    pub description: Option<Description>,
    /// Why there is no description yet, if that is known.
    pub no_reply: Option<NoWorkerReply>,
    /// Whether the worker waits for a machine in a queue each time, and so is not asked without need.
    pub queues: bool,
}

/// The beginning of a sentence as it stands in brackets: up to its first stop, in lower case.
fn first_clause(sentence: &str) -> String {
    let end = sentence.find(['(', ':', ';', '.', ',']).unwrap_or(sentence.len());
    let clause = sentence[..end].trim();
    let mut words = clause.split(' ');
    let first = words.next().unwrap_or_default();
    // A name like `CUDA` keeps its capitals.
    let name = first.chars().skip(1).any(char::is_uppercase);
    if name { clause.to_owned() } else { clause.replacen(first, &first.to_lowercase(), 1) }
}

/// The pages of a level; none if its lesson is broken.
pub fn pages(level: &Level) -> &[Page] {
    level.lesson.as_ref().map_or(&[], |lesson| &lesson.pages)
}

/// What an objective of a level says.
pub fn objective<'a>(level: &'a Level, id: &str) -> Option<&'a str> {
    let lesson = level.lesson.as_ref().ok()?;
    lesson.objectives.iter().find(|objective| objective.id.value == id).map(|objective| objective.text.as_str())
}

/// The index of a page.
pub fn page_index(level: &Level, id: &str) -> Option<usize> {
    pages(level).iter().position(|page| page.id.value == id)
}

/// Why the worker has not said what is there.
#[derive(Debug, Clone, PartialEq)]
pub enum NoWorkerReply {
    /// It was not asked: what it runs on is asked for with the first launch.
    Unasked,
    /// It waits for its machine in a queue.
    Queued(Queued),
    /// It was asked and says nothing.
    Silent { seconds: f64 },
    /// There is none.
    Lost(ExecError),
}

impl AppData {
    /// A level by its id.
    pub fn level(&self, id: &str) -> Option<(usize, &Level)> {
        self.course.levels.iter().enumerate().find(|(_, level)| level.id == id)
    }

    /// Whether the map may tell how fast a level's kernels are: its gate passed or, where it has none, its pages done.
    pub fn may_show_speed(&self, level: usize) -> bool {
        self.progress_of(level).is_some_and(|progress| !progress.locked && progress.done())
    }

    /// What is wrong with a page, by the indices of level and page: what the check found between its first line and its last,
    /// and a kernel on it whose PTX is not of its source.
    pub fn wrong_with(&self, level: usize, page: usize) -> Vec<String> {
        let Some(content) = self.course.levels.get(level) else { return Vec::new() };
        let Some(shown) = pages(content).get(page) else { return Vec::new() };
        let begin = shown.id.line;
        let end = pages(content).get(page + 1).map_or(u32::MAX, |next| next.id.line);
        let here = |problem: &&Problem| {
            content.lesson_file.as_ref() == Some(&problem.file) && (begin..end).contains(&problem.line)
        };
        let unbuilt = shown.show.iter().flat_map(Show::kernels).filter_map(|id| {
            let kernel = self.catalog.kernel(id)?;
            let why = kernel.unbuilt()?;
            Some(t!("problems-unbuilt", file = &kernel.ptx_file, why = why.to_string()))
        });
        self.problems.iter().filter(here).map(|problem| problem.message.clone()).chain(unbuilt).collect()
    }

    /// Whether a page shows a kernel of the course's own that is not built, and there is a compiler for it.
    pub fn can_build(&self, page: &Page) -> bool {
        let unbuilt = |id: &str| {
            self.kernel_paths.contains_key(id)
                && self.catalog.kernel(id).is_some_and(|kernel| kernel.unbuilt().is_some())
        };
        self.description.as_ref().is_some_and(|found| found.nvrtc.is_ok())
            && page.show.iter().flat_map(Show::kernels).any(unbuilt)
    }

    /// The quiz of a level, or the pool of reviews, by the level's id.
    pub fn quiz(&self, level: &str) -> Option<&QuizFile> {
        if level == REVIEW { Some(&self.pool) } else { self.level(level)?.1.quiz() }
    }

    /// What an id in a quiz of a level stands for: the level, and the id there. In a review it names both.
    pub fn locate<'a>(&self, level: Option<usize>, slot: &'a str) -> Option<(usize, &'a str)> {
        match level {
            Some(level) => Some((level, slot)),
            None => unpooled(slot).and_then(|(level, id)| Some((self.level(level)?.0, id))),
        }
    }

    /// The student's first predictions in the level at this place; none if its lesson is broken.
    pub fn guesses(&self, level: usize) -> Option<Guesses> {
        let level = self.course.levels.get(level)?;
        Some(Guesses::of(&level.id, level.lesson.as_ref().ok()?, &self.predictions))
    }

    /// Whether the map may tell how fast a kernel of a level is: the level may be told of, and no page of it that runs the
    /// kernel still waits for a prediction.
    pub fn may_show_kernel_speed(&self, level: usize, kernel: &str) -> bool {
        let asks = |page: &&Page| {
            let runs = matches!(&page.show, Some(Show::Run(run)) if run.kernels.iter().any(|id| id.value == kernel));
            runs && page.predict.is_some()
        };
        let Some(content) = self.course.levels.get(level) else { return false };
        let made = |page: &Page| self.predictions.contains_key(&(content.id.clone(), page.id.value.clone()));
        self.may_show_speed(level) && pages(content).iter().filter(asks).all(made)
    }

    /// The student's own best run of a rung as a share of cuBLAS: on the recorded GPU and at the ladder's size only,
    /// as cuBLAS's time is known of nothing else.
    pub fn own_share(&self, rung: &Rung) -> Option<f64> {
        let (n, device) = (self.shares_at?, self.recorded_on.as_deref()?);
        let fits = |run: &&RunRecord| {
            run.kernel == rung.kernel && run.shape == [n; 3] && run.device.trim_start_matches("NVIDIA ") == device
        };
        let best = self.best_runs.iter().filter(fits).filter_map(|run| run.median_ms).reduce(f64::min)?;
        (best > 0.0).then(|| rung.cublas_ms / best)
    }

    /// The languages to choose from: those of the course, the original first, then those that only the interface has.
    pub fn languages(&self) -> Vec<String> {
        let mut languages = self.course.languages.clone();
        languages.extend(
            tutor_base::words::languages().iter().filter(|code| !self.course.languages.contains(code)).cloned(),
        );
        languages
    }

    /// Where the student stands in the level at this place.
    pub fn progress_of(&self, level: usize) -> Option<&LevelProgress> {
        self.progress.level(&self.course.levels.get(level)?.id)
    }

    /// An exercise by its id.
    pub fn exercise(&self, id: &str) -> Option<&Exercise> {
        self.exercises.iter().find(|exercise| exercise.id == id)
    }

    /// How far an exercise is.
    pub fn worked(&self, id: &str) -> Worked {
        self.worked.get(id).cloned().unwrap_or_default()
    }

    /// What an instrument may know.
    pub fn setting(&self) -> Setting<'_> {
        Setting {
            description: self.description.as_ref(),
            catalog: &self.catalog,
            best_runs: &self.best_runs,
            latencies: self.latencies.as_ref(),
            tuned: self.tuned.as_ref(),
            exercises: &self.exercises,
            worked: &self.worked,
        }
    }

    /// Opens every level, for the course's author.
    pub fn open_all(&mut self) {
        Arc::make_mut(&mut self.course).all_open = true;
        self.progress = progress(&Outline::from(&*self.course), &Record::default());
    }

    /// Takes what the store knows of the course.
    pub fn learn(&mut self, known: Known) {
        self.progress = progress(&Outline::from(&*self.course), &known.record);
        self.student = Some(known.student);
        self.predictions = known.predictions;
        self.explanations = known.explanations;
        self.drafts = known.drafts;
        self.worked = known.worked;
        self.take_best_runs(known.best_runs);
    }

    /// Remembers the best runs; those of kernels that lie on disk are not, as their sources change.
    pub fn take_best_runs(&mut self, mut runs: Vec<RunRecord>) {
        runs.retain(|run| !self.kernel_paths.contains_key(&run.kernel));
        self.best_runs = runs;
    }

    /// The first page of a level that was never opened, else the first that is not done; none if all are.
    pub fn next_page(&self, level: usize) -> Option<usize> {
        let id = self.progress_of(level)?.next_page.as_deref()?;
        page_index(self.course.levels.get(level)?, id)
    }

    /// Whether the level at this place is closed, and the level whose gate opens it.
    pub fn locked_by(&self, level: usize) -> Option<&str> {
        self.progress_of(level)?.unlocked_by.as_deref()
    }

    /// The device in a few words, for the top right.
    pub fn device_line(&self) -> String {
        match &self.description {
            None => match &self.no_reply {
                None => t!("map-looking"),
                Some(NoWorkerReply::Unasked) => t!("map-worker-unasked"),
                Some(NoWorkerReply::Queued(queued)) => queued.told(),
                Some(NoWorkerReply::Silent { seconds }) => t!("map-worker-silent", seconds = format!("{seconds:.0}")),
                Some(NoWorkerReply::Lost(error)) => t!("map-no-worker", why = first_clause(&error.message)),
            },
            Some(description) => match (&description.device.kind, &description.why_not_cuda) {
                (tutor_exec::protocol::DeviceKind::Cuda, _) => description.device.name.clone(),
                (_, Some(why)) => t!("map-emulator-because", why = first_clause(why)),
                (_, None) => t!("map-emulator"),
            },
        }
    }
}
