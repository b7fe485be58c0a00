//! Reads the course and its kernels.

use crate::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tutor_course::{Course, CourseSource, Level};
use tutor_exercises::{self as workshop, Exercise};
use tutor_kernels::{Catalog, Kernel};
use tutor_progress::{Outline, Queue, Record, pool, progress};

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
    exercises.sort_by_key(|exercise| (exercise.found.is_some(), place(exercise), exercise.kind() as u8));
    for problem in &kernel_problems {
        tracing::warn!("{problem}");
    }
    // Who takes an exam does not edit its course.
    let edited = if course.exam.is_empty() { source } else { &CourseSource::BuiltIn };
    let progress = progress(&Outline::from(&course), &Record::default());
    let pool = Arc::new(pool(&course));
    let mut data = AppData {
        lesson_paths: paths(edited, &course, |level| level.lesson_file.as_ref()),
        quiz_paths: paths(edited, &course, |level| level.quiz_file.as_ref()),
        shares: BTreeMap::new(),
        ladder: Vec::new(),
        shares_at: None,
        course: Arc::new(course),
        kernel_paths: kernel_paths(edited, &catalog),
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
