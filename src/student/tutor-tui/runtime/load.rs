//! Reads the course with the options of the start, and again after a change.

use super::checking::Check;
use super::preferences::Preferences;
use crate::loading::load_data;
use crate::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use tutor_course::CourseSource;
use tutor_exec::latency::Latencies;
use tutor_exec::protocol::Target;
use tutor_exec::tuned::Tuned;
use tutor_progress::{Begun, data_dir};
use tutor_support::words::Words;
use ui_kit::theme::Theme;

/// Options that the tutor is started with.
#[derive(Debug, Clone)]
pub struct Options {
    pub course: CourseSource,
    pub lang: String,
    /// True if the student chose the language, so that a course without it deserves a notice.
    pub lang_asked: bool,
    /// Directory of the progress file; `None` for the platform's default.
    pub data: Option<PathBuf>,
    pub start: Start,
    pub on: Target,
    pub theme: Theme,
    pub ascii: bool,
    /// True if animations are allowed.
    pub motion: bool,
    /// Checks a course on disk while the tutor shows it.
    pub check: Check,
}

/// What the tutor opens with.
#[derive(Debug, Clone)]
pub enum Start {
    /// The map.
    Map,
    /// One attempt. The tutor ends when the student leaves it.
    Attempt(Box<Begun>),
    /// A preview for the author of the course: every level is open, progress stays in memory, and the course is read again
    /// whenever a file changes. The list says where to go.
    Preview(Vec<Go>),
}

impl Options {
    pub(super) fn is_preview(&self) -> bool {
        matches!(self.start, Start::Preview(_))
    }
}

/// Reads the course again whenever it changes.
#[derive(Debug, Clone)]
pub(crate) struct Loader {
    source: CourseSource,
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
        Self { data_dir, all_open: options.is_preview(), ..Self::of(options.course.clone(), &options.lang) }
    }

    pub(crate) fn of(source: CourseSource, lang: &str) -> Self {
        Self { source, lang: lang.to_owned(), all_open: false, data_dir: None }
    }

    /// Switches to the next of these languages, after the last to the first. Returns the messages in the new language.
    pub(crate) fn switch(&mut self, languages: &[String]) -> Option<&'static Words> {
        let at = languages.iter().position(|code| *code == self.lang);
        let next = languages.get(at.map_or(0, |at| at + 1) % languages.len().max(1))?;
        self.lang.clone_from(next);
        self.keep(|preferences| preferences.choose_language(next));
        Some(Words::of(next))
    }

    /// Keeps what the student chose, for the next start. A preview keeps nothing.
    pub(super) fn keep(&self, choose: impl FnOnce(&mut Preferences)) {
        if let Some(dir) = self.data_dir.as_deref().filter(|_| !self.all_open) {
            Preferences::change(dir, choose);
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
