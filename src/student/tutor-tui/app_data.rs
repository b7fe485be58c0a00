//! The data that the screens show. The runtime reads it from the course files and the store.

use crate::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tutor_course::{At, Course, Level, Page, Problem, QuizFile, Show};
use tutor_exec::latency::Latencies;
use tutor_exec::protocol::{Description, ExecError, Queued};
use tutor_exec::run_record::RunRecord;
use tutor_exec::tuned::Tuned;
use tutor_exercises::Exercise;
use tutor_kernels::{Catalog, CatalogProblem, Elements};
use tutor_pictures::Setting;
use tutor_progress::{
    Explanation, Guesses, Known, LevelProgress, Outline, Predictions, Progress, Queue, REVIEW, Record, Worked,
    progress, unpooled,
};

/// Range of a level's kernel speeds as shares of cuBLAS; 1 is as fast as cuBLAS.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Share of the slowest kernel.
    pub low: f64,
    /// Share of the fastest kernel.
    pub high: f64,
}

/// A kernel on the ladder, with its recorded speed.
#[derive(Debug, Clone, PartialEq)]
pub struct Rung {
    /// Index of its level.
    pub level: usize,
    /// Id in the catalogue.
    pub kernel: String,
    /// Type of the elements that the kernel and cuBLAS multiply.
    pub elements: Elements,
    /// Recorded share of cuBLAS; 1 is as fast as cuBLAS.
    pub share: f64,
    /// Time of cuBLAS on the recorded GPU.
    pub cublas_ms: f64,
}

#[derive(Debug, Clone)]
pub struct AppData {
    pub course: Arc<Course>,
    pub catalog: Arc<Catalog>,
    /// Path of each lesson file, by level id; empty for the built-in course.
    pub lesson_paths: BTreeMap<String, PathBuf>,
    /// Path of each quiz file, by level id.
    pub quiz_paths: BTreeMap<String, PathBuf>,
    /// Path of each kernel source of the course, by catalogue id.
    pub kernel_paths: BTreeMap<String, PathBuf>,
    /// Problems with the course's own kernels.
    pub kernel_problems: Vec<CatalogProblem>,
    /// Problems that the check of a course on disk has found so far.
    pub problems: Vec<Problem>,
    /// Directory of the course, if it is on disk.
    pub root: Option<PathBuf>,
    /// Recorded shares of cuBLAS, by level id.
    pub shares: BTreeMap<String, Share>,
    /// Kernels of the ladder in the order of the levels.
    pub ladder: Vec<Rung>,
    /// Size n of the n × n products that `shares` and `ladder` were recorded with.
    pub shares_at: Option<u32>,
    /// The student's fastest correct run of each kernel on each device.
    pub best_runs: Vec<RunRecord>,
    /// Measured latencies of the student's GPU, if any.
    pub latencies: Option<Arc<Latencies>>,
    /// Variants that were tuned on this machine.
    pub tuned: Option<Arc<Tuned>>,
    pub progress: Progress,
    /// Seed for shuffling the choices on pages; `None` keeps the order in the files.
    pub student: Option<u64>,
    /// Quiz from which reviews draw their questions.
    pub pool: Arc<QuizFile>,
    /// Questions that are due for review, now or later.
    pub review: Queue,
    /// The student's predictions, by the ids of level and page.
    pub predictions: BTreeMap<(String, String), Predictions>,
    /// The student's answers to “why” questions, by the ids of level and page.
    pub explanations: BTreeMap<(String, String), Explanation>,
    /// Drafts, by the keys of [`StoreRequest::Draft`].
    pub drafts: BTreeMap<String, String>,
    /// Exercises of the course, level by level.
    pub exercises: Arc<Vec<Exercise>>,
    /// Progress in the exercises that the student has begun, by id.
    pub worked: BTreeMap<String, Worked>,
    /// GPU of the recorded times, e.g. `H200`.
    pub recorded_on: Option<String>,
    /// Name of cuBLAS there: the default choice, or the fastest one.
    pub cublas: String,
    /// Devices and libraries, once the worker has described them.
    pub description: Option<Description>,
    /// Reason why there is no description yet, if known.
    pub no_reply: Option<NoWorkerReply>,
    /// True if each request to the worker waits for a machine in a queue. Such a worker gets only the necessary requests.
    pub queues: bool,
}

/// Returns the start of a sentence, up to its first punctuation mark, in the form to be put into brackets: in lower case.
fn first_clause(sentence: &str) -> String {
    let end = sentence.find(['(', ':', ';', '.', ',']).unwrap_or(sentence.len());
    let clause = sentence[..end].trim();
    let mut words = clause.split(' ');
    let first = words.next().unwrap_or_default();
    // A name like `CUDA` keeps its capitals.
    let name = first.chars().skip(1).any(char::is_uppercase);
    if name { clause.to_owned() } else { clause.replacen(first, &first.to_lowercase(), 1) }
}

/// Returns the pages of a level; none if its lesson is broken.
pub fn pages(level: &Level) -> &[Page] {
    level.pages()
}

/// Returns the number of a page among the pages that count, from 1. An optional page has the number of the page before it.
pub fn page_number(level: &Level, index: usize) -> usize {
    pages(level).iter().take(index + 1).filter(|page| !page.optional).count()
}

/// Returns the number of pages that count.
pub fn page_count(level: &Level) -> usize {
    page_number(level, usize::MAX - 1)
}

/// Returns the index of the page that counts after this one; before it if `back` is true.
pub fn next_regular(level: &Level, index: usize, back: bool) -> Option<usize> {
    let counts = |at: &usize| pages(level).get(*at).is_some_and(|page| !page.optional);
    if back { (0..index).rev().find(counts) } else { (index + 1..pages(level).len()).find(counts) }
}

/// Returns the text of a level's objective.
pub fn objective<'a>(level: &'a Level, id: &str) -> Option<&'a str> {
    let lesson = level.lesson.as_ref().ok()?;
    lesson.objectives.iter().find(|objective| objective.id.value == id).map(|objective| objective.text.as_str())
}

pub fn page_index(level: &Level, id: &str) -> Option<usize> {
    pages(level).iter().position(|page| page.id.value == id)
}

/// Reason why the worker has not described its devices.
#[derive(Debug, Clone, PartialEq)]
pub enum NoWorkerReply {
    /// The tutor asks only with the first launch.
    Unasked,
    /// The worker waits for its machine in a queue.
    Queued(Queued),
    /// The worker has not replied for this time.
    Silent { seconds: f64 },
    /// There is no worker.
    Lost(ExecError),
}

impl AppData {
    /// Returns the level with this id, and its index.
    pub fn level(&self, id: &str) -> Option<(usize, &Level)> {
        self.course.levels.iter().enumerate().find(|(_, level)| level.id == id)
    }

    /// True if the map may show how fast a level's kernels are: the student has passed the gate or, without a gate, done all pages.
    pub fn may_show_speed(&self, level: usize) -> bool {
        self.progress_of(level).is_some_and(|progress| !progress.locked && progress.done())
    }

    /// Returns the problems of a page, by the indices of level and page.
    ///
    /// They are what the check found between the page's first and last line, and kernels whose PTX does not match their source.
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

    /// True if a page shows one of the course's own kernels that is not built, and there is a compiler to build it.
    pub fn can_build(&self, page: &Page) -> bool {
        let unbuilt = |id: &At<String>| {
            self.kernel_paths.contains_key(&id.value)
                && self.catalog.kernel(id).is_some_and(|kernel| kernel.unbuilt().is_some())
        };
        self.description.as_ref().is_some_and(|found| found.nvrtc.is_ok())
            && page.show.iter().flat_map(Show::kernels).any(unbuilt)
    }

    /// Returns the quiz of the level with this id; the id [`REVIEW`] stands for the pool of reviews.
    pub fn quiz(&self, level: &str) -> Option<&QuizFile> {
        if level == REVIEW { Some(&self.pool) } else { self.level(level)?.1.quiz() }
    }

    /// Splits an id in a quiz into the index of the level and the id there. In a review, where `level` is `None`, the id names both.
    pub fn locate<'a>(&self, level: Option<usize>, slot: &'a str) -> Option<(usize, &'a str)> {
        match level {
            Some(level) => Some((level, slot)),
            None => unpooled(slot).and_then(|(level, id)| Some((self.level(level)?.0, id))),
        }
    }

    /// Counts the student's first predictions in the level with this index; `None` if its lesson is broken.
    pub fn guesses(&self, level: usize) -> Option<Guesses> {
        let level = self.course.levels.get(level)?;
        Some(Guesses::of(&level.id, level.lesson.as_ref().ok()?, &self.predictions))
    }

    /// True if the map may show how fast a kernel of a level is. This requires [`Self::may_show_speed`], and predictions on all
    /// pages of the level that run the kernel.
    pub fn may_show_kernel_speed(&self, level: usize, kernel: &str) -> bool {
        let asks = |page: &&Page| {
            let runs = matches!(&page.show, Some(Show::Run(run)) if run.kernels.iter().any(|id| id.value == kernel));
            runs && page.predict.is_some() && !page.optional
        };
        let Some(content) = self.course.levels.get(level) else { return false };
        let made = |page: &Page| self.predictions.contains_key(&(content.id.clone(), page.id.value.clone()));
        self.may_show_speed(level) && pages(content).iter().filter(asks).all(made)
    }

    /// Returns the student's best run of a rung as a share of cuBLAS.
    ///
    /// Only runs on the recorded GPU at the ladder's size count, because cuBLAS's time is unknown for all others.
    pub fn own_share(&self, rung: &Rung) -> Option<f64> {
        let (n, device) = (self.shares_at?, self.recorded_on.as_deref()?);
        let fits = |run: &&RunRecord| {
            run.kernel == rung.kernel && run.shape == [n; 3] && run.device.trim_start_matches("NVIDIA ") == device
        };
        let best = self.best_runs.iter().filter(fits).filter_map(|run| run.median_ms).reduce(f64::min)?;
        (best > 0.0).then(|| rung.cublas_ms / best)
    }

    /// Returns the languages to choose from: first the course's, beginning with the original, then those that only the interface has.
    pub fn languages(&self) -> Vec<String> {
        let mut languages = self.course.languages.clone();
        languages
            .extend(tutor_support::words::languages().into_iter().filter(|code| !self.course.languages.contains(code)));
        languages
    }

    /// Returns the student's progress in the level with this index.
    pub fn progress_of(&self, level: usize) -> Option<&LevelProgress> {
        self.progress.level(&self.course.levels.get(level)?.id)
    }

    pub fn exercise(&self, id: &str) -> Option<&Exercise> {
        self.exercises.iter().find(|exercise| exercise.id == id)
    }

    /// Returns the student's progress in an exercise.
    pub fn worked(&self, id: &str) -> Worked {
        self.worked.get(id).cloned().unwrap_or_default()
    }

    /// Returns the data that pictures may use.
    pub fn setting(&self) -> Setting<'_> {
        Setting {
            description: self.description.as_ref(),
            course: Some(&self.course),
            catalog: &self.catalog,
            best_runs: &self.best_runs,
            latencies: self.latencies.as_ref(),
            tuned: self.tuned.as_ref(),
        }
    }

    /// Unlocks every level, for the course's author.
    pub fn open_all(&mut self) {
        Arc::make_mut(&mut self.course).all_open = true;
        self.progress = progress(&Outline::from(&*self.course), &Record::default());
    }

    /// Takes over everything that the store knows about the course.
    pub fn learn(&mut self, known: Known) {
        self.progress = progress(&Outline::from(&*self.course), &known.record);
        self.student = Some(known.student);
        self.predictions = known.predictions;
        self.explanations = known.explanations;
        self.drafts = known.drafts;
        self.worked = known.worked;
        self.take_best_runs(known.best_runs);
    }

    /// Takes over the best runs, except for kernels on disk, because their sources change.
    pub fn take_best_runs(&mut self, mut runs: Vec<RunRecord>) {
        runs.retain(|run| !self.kernel_paths.contains_key(&run.kernel));
        self.best_runs = runs;
    }

    /// True if the student has opened no page and answered nothing.
    pub fn not_begun(&self) -> bool {
        let unseen = |level: &LevelProgress| level.last_page.is_none() && level.pages.read == 0;
        let none = |level: &LevelProgress| unseen(level) && level.attempts == 0 && !level.under_way;
        let answered = !self.predictions.is_empty() || !self.explanations.is_empty() || !self.worked.is_empty();
        self.progress.levels.iter().all(none) && !answered && self.drafts.is_empty() && self.review.next.is_none()
    }

    /// Returns the page of a level to read next; `None` if all are done.
    pub fn next_page(&self, level: usize) -> Option<usize> {
        let id = self.progress_of(level)?.next_page.as_deref()?;
        page_index(self.course.levels.get(level)?, id)
    }

    /// Returns the id of the level whose gate unlocks this level; `None` if it is open.
    pub fn locked_by(&self, level: usize) -> Option<&str> {
        self.progress_of(level)?.unlocked_by.as_deref()
    }

    /// Describes the device in a few words, for the top right corner.
    pub fn device_line(&self) -> String {
        match &self.description {
            None => match &self.no_reply {
                None => t!("map-looking"),
                Some(NoWorkerReply::Unasked) => t!("map-worker-unasked"),
                Some(NoWorkerReply::Queued(queued)) => queued.describe().to_string(),
                Some(NoWorkerReply::Silent { seconds }) => t!("map-worker-silent", seconds = format!("{seconds:.0}")),
                Some(NoWorkerReply::Lost(error)) => t!("map-no-worker", why = first_clause(&error.message.to_string())),
            },
            Some(description) => match (&description.device.kind, &description.why_not_cuda) {
                (tutor_exec::protocol::DeviceKind::Cuda, _) => description.device.name.clone(),
                (_, Some(why)) => t!("map-emulator-because", why = first_clause(&why.to_string())),
                (_, None) => t!("map-emulator"),
            },
        }
    }
}
