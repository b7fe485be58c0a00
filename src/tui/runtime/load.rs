//! Reads course, kernels and progress.

use crate::course::{Course, CourseSource, Level};
use crate::exec::protocol::Target;
use crate::exec::recorded::Recording;
use crate::kernels::{Catalog, Kernel};
use crate::mastery::{Outline, Store, StoreError, progress};
use crate::t;
use crate::tui::app::Msg;
use crate::tui::theme::Theme;
use crate::tui::world::{Share, World};
use crate::words::Words;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the tutor is started with.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where the course comes from.
    pub course: CourseSource,
    /// Language of the course.
    pub lang: String,
    /// Whether the student asked for it, so that a course without it is worth a word.
    pub lang_asked: bool,
    /// Where progress lives; none for the platform's place.
    pub data: Option<PathBuf>,
    /// Where kernels run.
    pub on: Target,
    /// Styles by meaning.
    pub theme: Theme,
    /// Draw with ASCII only.
    pub ascii: bool,
    /// Whether anything may move by itself.
    pub motion: bool,
}

/// Reads the world, as often as it changes.
pub(in crate::tui) struct Loader {
    source: CourseSource,
    /// The language that is read now.
    lang: String,
}

impl Loader {
    pub(super) fn new(options: &Options) -> Self {
        Self::of(options.course.clone(), &options.lang)
    }

    /// Of a course, in a language.
    pub(in crate::tui) fn of(source: CourseSource, lang: &str) -> Self {
        Self { source, lang: lang.to_owned() }
    }

    /// Reads the world in the next of these languages, round and round, and says what to speak from now on.
    pub(in crate::tui) fn switch(&mut self, languages: &[String], store: &Store) -> Vec<Msg> {
        let at = languages.iter().position(|code| *code == self.lang);
        let next = at.map_or(0, |at| at + 1) % languages.len().max(1);
        let Some(next) = languages.get(next) else { return Vec::new() };
        match world(&self.source, next, store) {
            Ok(world) => {
                self.lang.clone_from(next);
                vec![Msg::Language(Words::of(next)), Msg::Reloaded(Box::new(world))]
            }
            Err(error) => vec![Msg::Problem(super::store::failed(&t!("app-progress-unreadable"), &error))],
        }
    }

    /// Reads course, kernels and progress.
    ///
    /// # Errors
    /// If progress cannot be read.
    pub(super) fn load(&self, store: &Store) -> Result<World, StoreError> {
        world(&self.source, &self.lang, store)
    }
}

/// Reads course, kernels and progress.
///
/// # Errors
/// If progress cannot be read.
pub fn world(source: &CourseSource, lang: &str, store: &Store) -> Result<World, StoreError> {
    let course = Course::load(source, lang);
    let (catalog, kernel_problems) = Catalog::of_course(source.directory());
    for problem in &kernel_problems {
        tracing::warn!("{problem}");
    }
    let progress = progress(&Outline::from(&course), &store.record(&course.id)?);
    let predictions = store.predictions(&course.id)?;
    let drafts = store.drafts(&course.id)?;
    let (shares, shares_at) = shares(&course);
    let mut world = World {
        lesson_paths: lesson_paths(source, &course),
        shares,
        shares_at,
        course: Arc::new(course),
        kernel_paths: kernel_paths(source, &catalog),
        catalog: Arc::new(catalog),
        kernel_problems,
        best_runs: Vec::new(),
        progress,
        predictions,
        drafts,
        recorded_on: recorded().map(|recording| recording.device.trim_start_matches("NVIDIA ").to_owned()),
        description: None,
    };
    world.take_best_runs(store.best_runs()?);
    Ok(world)
}

/// Where the course's own kernels lie on disk.
fn kernel_paths(source: &CourseSource, catalog: &Catalog) -> BTreeMap<String, PathBuf> {
    let built_in = Catalog::built_in();
    let own = |kernel: &&Kernel| built_in.kernel(&kernel.id) != Some(*kernel);
    let path = |root: &Path, kernel: &Kernel| (kernel.id.clone(), root.join(&kernel.file));
    source.directory().map_or_else(BTreeMap::new, |root| {
        catalog.kernels().iter().filter(own).map(|kernel| path(root, kernel)).collect()
    })
}

/// Where the lessons lie on disk, in the language shown.
fn lesson_paths(source: &CourseSource, course: &Course) -> BTreeMap<String, PathBuf> {
    let Some(root) = source.directory() else { return BTreeMap::new() };
    let files = crate::course::Files::read(source, |lang| lang == course.lang);
    let mut paths = BTreeMap::new();
    for edition in &files.editions {
        for level in &edition.levels {
            if let Ok(file) = &level.lesson {
                paths.insert(level.id.clone(), root.join(&file.name));
            }
        }
    }
    paths
}

/// The recording that the map shows.
fn recorded() -> Option<&'static Recording> {
    Recording::built_in().first()
}

/// The recorded share of cuBLAS of each level's ladder, at the largest size that was recorded for all of them, so
/// that rows of the map can be compared.
fn shares(course: &Course) -> (BTreeMap<String, Share>, Option<u32>) {
    let Some(recording) = recorded() else { return (BTreeMap::new(), None) };
    let share = |kernel: &str, n: u32| recording.share_of_cublas(kernel, n);
    let ladder: Vec<&str> = course
        .levels
        .iter()
        .flat_map(|level| &level.ladder)
        .map(String::as_str)
        .filter(|kernel| !recording.sizes(kernel).is_empty())
        .collect();
    let sizes = ladder.first().map_or_else(Vec::new, |kernel| recording.sizes(kernel));
    let of_all = sizes.into_iter().rev().find(|n| ladder.iter().all(|kernel| share(kernel, *n).is_some()));
    let Some(n) = of_all else { return (BTreeMap::new(), None) };
    let level = |level: &Level| {
        let shares: Vec<f64> = level.ladder.iter().filter_map(|kernel| share(kernel, n)).collect();
        let low = shares.iter().copied().reduce(f64::min)?;
        let high = shares.iter().copied().reduce(f64::max)?;
        Some((level.id.clone(), Share { low, high }))
    };
    (course.levels.iter().filter_map(level).collect(), Some(n))
}
