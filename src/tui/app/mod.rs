//! The model, what can happen to it, and what is on the screen.

mod actions;
mod go;
mod job;
mod overlays;
mod saving;
mod update;
mod view;

#[cfg(test)]
pub(crate) use actions::EVERYWHERE;
pub use go::Reading;
pub use saving::Saving;
pub use update::update;
pub(crate) use view::overlay_hints;
pub use view::view;

use super::app_data::AppData;
use super::effect::Go;
use super::screens::instrument::Bench;
use super::screens::lesson::Lesson;
use super::screens::map::Map;
use super::screens::outcome::OutcomeScreen;
use super::screens::problem::ProblemPage;
use super::screens::quiz::Quiz;
use super::screens::variants::Variants;
use super::screens::workshop::{ExerciseScreen, Workshop};
use super::screens::{Component, Hit};
use crossterm::event::KeyEvent;
use ratatui::layout::{Rect, Size};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tutor_base::words::{self, Words};
use tutor_course::Problem;
use tutor_exec::protocol::{Device, LaunchRequest, Reply};
use tutor_mastery::{Begun, Known, Outcome, Progress, Queue, RunRecord, Try, Worked};
use tutor_pictures::code::{ColouredLines, Highlights};
use tutor_pictures::field::Field;
use tutor_pictures::look::Look;
use tutor_pictures::theme::Theme;
use tutor_workshop::pack::Texts;

#[derive(Debug)]
pub struct Model {
    /// Of the terminal.
    pub size: Size,
    pub theme: Theme,
    pub ascii: bool,
    /// Whether pictures move from step to step; off with `--no-motion` and over a slow line.
    pub motion: bool,
    /// What the interface says, in the language shown.
    pub words: &'static Words,
    /// Since the tutor started.
    pub now: Duration,
    pub data: AppData,
    pub highlights: Highlights,
    /// Files whose colours were asked for.
    pub asked: BTreeSet<String>,
    /// The course map below, what is open above it; never empty.
    pub screens: Vec<Screen>,
    /// The page that was read when its lesson could not be read any more; it comes back once that can.
    pub lost: Option<Reading>,
    /// What lies over the screen, the last on top.
    pub overlays: Vec<Overlay>,
    /// A sentence on the last line.
    pub message: Option<Message>,
    /// The launch that is running.
    pub job: Option<Job>,
    /// What the store has not carried out yet.
    pub saving: Saving,
    /// Whether there is something new to draw.
    pub dirty: bool,
    /// Where things were drawn that can be clicked.
    pub hits: Vec<(Rect, Hit)>,
}

macro_rules! screens {
    ($($(#[$about:meta])* $name:ident($type:ty),)*) => {
        #[derive(Debug)]
        pub enum Screen {
            $($(#[$about])* $name(Box<$type>),)*
        }

        $(impl From<$type> for Screen {
            fn from(screen: $type) -> Self {
                Self::$name(Box::new(screen))
            }
        })*

        impl std::ops::Deref for Screen {
            type Target = dyn Component;

            fn deref(&self) -> &Self::Target {
                match self { $(Self::$name(it) => &**it,)* }
            }
        }

        impl std::ops::DerefMut for Screen {
            fn deref_mut(&mut self) -> &mut Self::Target {
                match self { $(Self::$name(it) => &mut **it,)* }
            }
        }
    };
}

screens! {
    Map(Map),
    /// A page of a level.
    Lesson(Lesson),
    Quiz(Quiz),
    /// What an attempt came to.
    Outcome(OutcomeScreen),
    /// An instrument on its own.
    Bench(Bench),
    Workshop(Workshop),
    Exercise(ExerciseScreen),
    /// The questions of a quiz with their keys, in the preview.
    Variants(Variants),
    Problem(ProblemPage),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Overlay {
    /// Keys that work here; the number is the first row shown.
    Help(usize),
    /// All actions by name; no row has the cursor until something is typed or an arrow pressed.
    Palette { field: Field, cursor: Option<usize> },
    /// Whether to leave while something would be lost.
    Leaving,
    /// The pages of a level.
    Pages { level: usize, cursor: usize },
    /// Whether to begin a gate.
    Gate { level: usize },
    /// What the words of the course mean.
    Glossary { field: Field, cursor: usize },
    /// What is wrong with the course.
    Problems { cursor: usize },
    /// Pages that contain some words.
    Search { field: Field, cursor: usize },
}

/// A sentence on the last line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub text: String,
    /// When it goes.
    pub until: Duration,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub request: LaunchRequest,
    /// When it was asked for.
    pub since: Duration,
    /// Whether it waits until it is known where it will run.
    pub held: bool,
    /// What is being done, and how far it is.
    pub doing: Option<(String, f64)>,
    /// Where it runs, once it has begun.
    pub device: Option<Device>,
    /// What is known of each program so far: its time, whether it is right.
    pub results: Vec<(Option<f64>, Option<bool>)>,
}

/// What was found in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FolderEvent {
    /// There is no such file yet.
    NotBegun,
    /// The file as it was saved, or why it cannot be read.
    Saved(Result<String, String>),
    Made,
    /// The file is as at the beginning; what it was has this name.
    Reset(PathBuf),
    /// Something could not be done.
    Failed(String),
}

#[derive(Debug)]
pub enum Msg {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The mouse was clicked.
    Click { x: u16, y: u16 },
    /// A row of the list on top is taken, by its index.
    Row(usize),
    /// The wheel turned: rows, down is positive.
    Wheel(i16),
    /// The terminal has another size.
    Resize(Size),
    /// Time passed since the start.
    Tick(Duration),
    /// The worker replied.
    Worker(Reply),
    /// The lines of a file were coloured.
    Highlighted { file: String, lines: ColouredLines },
    /// Files were read again.
    Reloaded(Box<AppData>),
    /// What a check of the course found so far.
    Checked(Vec<Problem>),
    /// Something else is to be shown.
    Go(Go),
    /// From now on the interface speaks this.
    Language(&'static Words),
    /// Progress after something was kept.
    Progress(Box<Progress>),
    /// How far the exercises are that were begun.
    Worked(BTreeMap<String, Worked>),
    /// The solutions of an exercise that were judged last, two at most, the latest first.
    Tries { exercise: String, tries: Vec<Try> },
    /// What the choices of an exercise compile to, by their names, or why that is not known.
    Unpacked { exercise: String, texts: Result<Arc<Texts>, String> },
    /// What was found in the student's folder of an exercise, whose `file` is handed in.
    Folder { exercise: String, file: PathBuf, event: FolderEvent },
    /// What there is to review.
    Review(Queue),
    /// An attempt began or goes on.
    Begun(Box<Begun>),
    /// What the store knows of the course.
    Known(Box<Known>),
    /// The store has committed an answer, or could not.
    Answered { attempt: i64, slot: String, kept: bool },
    /// The store is done with the oldest wish, and has said all that comes of it.
    Kept,
    /// The store has to wait, and why.
    Held(String),
    /// The best runs after one was kept.
    BestRuns(Vec<RunRecord>),
    /// An attempt was handed in.
    Submitted(Box<Outcome>),
    /// A sentence for the last line.
    Say(String),
    /// Something that the student must know before going on.
    Problem(ProblemPage),
}

impl Model {
    /// The model at start: the course map.
    pub fn new(data: AppData, theme: Theme, ascii: bool, size: Size) -> Self {
        let map = Map::new(&data);
        Self {
            size,
            theme,
            ascii,
            motion: true,
            words: words::current(),
            now: Duration::ZERO,
            data,
            highlights: Highlights::default(),
            asked: BTreeSet::new(),
            screens: vec![map.into()],
            lost: None,
            overlays: Vec::new(),
            message: None,
            job: None,
            saving: Saving::default(),
            dirty: true,
            hits: Vec::new(),
        }
    }

    pub fn look(&self) -> Look<'_> {
        Look { theme: &self.theme, ascii: self.ascii, now: self.now, highlights: &self.highlights }
    }

    /// The screen that is shown.
    pub fn screen(&self) -> Option<&Screen> {
        self.screens.last()
    }

    /// Whether ticks are wanted: something animates, or a message must go.
    pub fn wants_ticks(&self) -> bool {
        self.message.is_some()
            || self.job.is_some()
            || !self.saving.is_empty()
            || self.screen().is_some_and(|screen| screen.animating())
    }

    /// Whether a text field of what lies over the screen has the keys.
    pub fn overlay_editing(&self) -> bool {
        matches!(
            self.overlays.last(),
            Some(Overlay::Palette { .. } | Overlay::Search { .. } | Overlay::Glossary { .. })
        )
    }

    /// Whether a text field of the screen has the keys.
    pub fn screen_editing(&self) -> bool {
        self.screen().is_some_and(|screen| screen.editing())
    }

    /// Puts a screen on top.
    pub(super) fn show(&mut self, screen: impl Into<Screen>) {
        self.screens.push(screen.into());
    }
}
