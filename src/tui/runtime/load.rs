//! Reads the course and its kernels.

use super::checking::Check;
use super::chosen::Chosen;
use crate::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tutor_base::words::Words;
use tutor_course::{Course, CourseSource, Level};
use tutor_exec::latency::Latencies;
use tutor_exec::protocol::Target;
use tutor_exec::tuned::Tuned;
use tutor_kernels::{Catalog, Kernel};
use tutor_mastery::{Outline, Queue, Record, data_dir, pool, progress};
use tutor_pictures::theme::Theme;
use tutor_workshop::{self as workshop, Exercise};

/// Options that the tutor is started with.
#[derive(Debug, Clone)]
pub struct Options {
    pub course: CourseSource,
    pub lang: String,
    /// True if the student chose the language, so that a course without it deserves a notice.
    pub lang_asked: bool,
    /// Directory of the progress file; `None` for the platform's default.
    pub data: Option<PathBuf>,
    /// Preview for the author of the course: every level is open, progress stays in memory, and the course is read again
    /// whenever a file changes. The list says where to go at the start.
    pub preview: Option<Vec<Go>>,
    pub on: Target,
    pub theme: Theme,
    pub ascii: bool,
    /// True if animations are allowed.
    pub motion: bool,
    /// Checks a course on disk while the tutor shows it.
    pub check: Check,
}

/// Reads the course again whenever it changes.
#[derive(Debug, Clone)]
pub(crate) struct Loader {
    source: CourseSource,
    /// Current language.
    lang: String,
    /// True if every level is unlocked.
    all_open: bool,
    /// Directory of the progress file; `None` if nothing is saved.
    data_dir: Option<PathBuf>,
}

impl Loader {
    pub(super) fn source(&self) -> &CourseSource {
        &self.source
    }

    pub(super) fn new(options: &Options) -> Self {
        let data_dir = data_dir(options.data.as_deref()).ok();
        let all_open = options.preview.is_some();
        Self { data_dir, all_open, ..Self::of(options.course.clone(), &options.lang) }
    }

    pub(crate) fn of(source: CourseSource, lang: &str) -> Self {
        Self { source, lang: lang.to_owned(), all_open: false, data_dir: None }
    }

    /// Switches to the next of these languages, after the last to the first. Returns the messages in the new language.
    pub(crate) fn switch(&mut self, languages: &[String]) -> Option<&'static Words> {
        let at = languages.iter().position(|code| *code == self.lang);
        let next = languages.get(at.map_or(0, |at| at + 1) % languages.len().max(1))?;
        self.lang.clone_from(next);
        self.keep(|chosen| chosen.choose_language(next));
        Some(Words::of(next))
    }

    /// Keeps what the student chose, for the next start. A preview keeps nothing.
    pub(super) fn keep(&self, choose: impl FnOnce(&mut Chosen)) {
        if let Some(dir) = self.data_dir.as_deref().filter(|_| !self.all_open) {
            Chosen::change(dir, choose);
        }
    }

    pub(crate) fn load(&self) -> AppData {
        let latencies = self.data_dir.as_deref().and_then(Latencies::own).map(Arc::new);
        let tuned = self.data_dir.as_deref().map(|dir| Arc::new(Tuned::load(dir)));
        let mut data = AppData { latencies, tuned, ..load_data(&self.source, &self.lang) };
        if self.all_open {
            data.open_all();
        }
        data
    }
}

/// Reads the course and its kernels. [`AppData::learn`] adds the progress later.
pub fn load_data(source: &CourseSource, lang: &str) -> AppData {
    let ((course, (catalog, kernel_problems)), exercises) = rayon::join(
        || rayon::join(|| Course::load(source, lang), || Catalog::of_course_in(source.directory(), lang)),
        // Reads the catalogue a second time, so that neither thread waits for the other.
        || workshop::read_in(source, &Catalog::of_course(source.directory()).0, lang),
    );
    let (mut exercises, exercise_problems) = exercises;
    for problem in &exercise_problems {
        tracing::warn!("{problem}");
    }
    let place = |exercise: &Exercise| course.levels.iter().position(|level| level.id == exercise.level);
    // An exercise without a level could never be unlocked.
    exercises.retain(|exercise| place(exercise).is_some());
    exercises.sort_by_key(|exercise| (place(exercise), exercise.kind() as u8));
    for problem in &kernel_problems {
        tracing::warn!("{problem}");
    }
    let progress = progress(&Outline::from(&course), &Record::default());
    let pool = Arc::new(pool(&course));
    let mut data = AppData {
        lesson_paths: paths(source, &course, |level| level.lesson_file.as_ref()),
        quiz_paths: paths(source, &course, |level| level.quiz_file.as_ref()),
        shares: BTreeMap::new(),
        ladder: Vec::new(),
        shares_at: None,
        course: Arc::new(course),
        kernel_paths: kernel_paths(source, &catalog),
        catalog: Arc::new(catalog),
        kernel_problems,
        problems: Vec::new(),
        root: source.directory().map(Path::to_owned),
        best_runs: Vec::new(),
        latencies: None,
        tuned: None,
        progress,
        student: None,
        pool,
        review: Queue::default(),
        predictions: BTreeMap::new(),
        explanations: BTreeMap::new(),
        drafts: BTreeMap::new(),
        exercises: Arc::new(exercises),
        worked: BTreeMap::new(),
        recorded_on: None,
        cublas: String::new(),
        description: None,
        no_reply: None,
        queues: false,
    };
    data.show_recording();
    data
}

/// Returns the paths of the course's own kernels.
fn kernel_paths(source: &CourseSource, catalog: &Catalog) -> BTreeMap<String, PathBuf> {
    let built_in = Catalog::built_in();
    let own = |kernel: &&Kernel| !built_in.kernel(&kernel.id).is_some_and(|known| kernel.runs_as(known));
    let path = |root: &Path, kernel: &Kernel| (kernel.id.clone(), root.join(&kernel.file));
    source.directory().map_or_else(BTreeMap::new, |root| {
        catalog.kernels().iter().filter(own).map(|kernel| path(root, kernel)).collect()
    })
}

/// Returns the path of a file of each level, in the current language.
fn paths(
    source: &CourseSource,
    course: &Course,
    file: impl Fn(&Level) -> Option<&String>,
) -> BTreeMap<String, PathBuf> {
    let Some(root) = source.directory() else { return BTreeMap::new() };
    let path = |level: &Level| Some((level.id.clone(), root.join(file(level)?)));
    course.levels.iter().filter_map(path).collect()
}
