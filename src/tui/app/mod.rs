//! The model, what can happen to it, and what is on the screen.

mod actions;
mod go;
mod job;
mod overlays;
mod saving;
mod update;
mod view;

pub use go::Reading;
pub use saving::Saving;
pub use update::update;
pub(in crate::tui) use view::overlay_hints;
pub use view::view;

use super::code::{ColouredLines, Highlights};
use super::effect::Go;
use super::field::Field;
use super::look::Look;
use super::screens::Hit;
use super::screens::instrument::Bench;
use super::screens::lesson::{Focus, Lesson};
use super::screens::map::Map;
use super::screens::outcome::OutcomeScreen;
use super::screens::problem::ProblemPage;
use super::screens::quiz::Quiz;
use super::screens::variants::Variants;
use super::screens::workshop::{ExerciseScreen, Workshop};
use super::theme::Theme;
use super::world::World;
use crate::course::Problem;
use crate::exec::protocol::{Device, LaunchRequest, Reply};
use crate::mastery::{Begun, Known, Outcome, Progress, Queue, RunRecord, Try, Worked};
use crate::words::{self, Words};
use crate::workshop::pack::Texts;
use crossterm::event::KeyEvent;
use ratatui::layout::{Rect, Size};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Everything that is shown.
#[derive(Debug)]
pub struct Model {
    /// Of the terminal.
    pub size: Size,
    /// Styles by meaning.
    pub theme: Theme,
    /// Draw with ASCII only.
    pub ascii: bool,
    /// Whether pictures move from step to step; off with `--no-motion` and over a slow line.
    pub motion: bool,
    /// What the interface says, in the language shown.
    pub words: &'static Words,
    /// Since the tutor started.
    pub now: Duration,
    /// Course, kernels, progress.
    pub world: World,
    /// Coloured code.
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

/// A screen.
#[derive(Debug)]
pub enum Screen {
    /// The course map.
    Map(Map),
    /// A page of a level.
    Lesson(Box<Lesson>),
    /// An attempt under way.
    Quiz(Box<Quiz>),
    /// What an attempt came to.
    Outcome(Box<OutcomeScreen>),
    /// An instrument on its own.
    Bench(Box<Bench>),
    /// The exercises.
    Workshop(Box<Workshop>),
    /// An exercise.
    Exercise(Box<ExerciseScreen>),
    /// The questions of a quiz with their keys, in the preview.
    Variants(Variants),
    /// Something went wrong.
    Problem(ProblemPage),
}

/// Something over the screen.
#[derive(Debug, Clone, PartialEq)]
pub enum Overlay {
    /// Keys that work here; the number is the first row shown.
    Help(usize),
    /// All actions by name.
    Palette {
        /// What was typed.
        field: Field,
        /// The row under the cursor; none until something is typed or an arrow pressed.
        cursor: Option<usize>,
    },
    /// Whether to leave while something would be lost.
    Leaving,
    /// The pages of a level.
    Pages {
        /// Index of the level.
        level: usize,
        /// The row under the cursor.
        cursor: usize,
    },
    /// Whether to begin a gate.
    Gate {
        /// Index of the level.
        level: usize,
    },
    /// What the words of the course mean.
    Glossary {
        /// What was typed.
        field: Field,
        /// The term under the cursor.
        cursor: usize,
    },
    /// What is wrong with the course.
    Problems {
        /// The problem under the cursor.
        cursor: usize,
    },
    /// Pages that contain some words.
    Search {
        /// What was typed.
        field: Field,
        /// The row under the cursor.
        cursor: usize,
    },
}

/// A sentence on the last line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The sentence.
    pub text: String,
    /// When it goes.
    pub until: Duration,
}

/// A launch under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// What was asked.
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
pub enum FolderNews {
    /// There is no such file yet.
    NotBegun,
    /// The file as it was saved, or why it cannot be read.
    Saved(Result<String, String>),
    /// The folder was made.
    Made,
    /// The file is as at the beginning; what it was has this name.
    Reset(PathBuf),
    /// Something could not be done.
    Failed(String),
}

/// Something that happened.
#[derive(Debug)]
pub enum Msg {
    /// A key.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The mouse was clicked.
    Click {
        /// Column.
        x: u16,
        /// Row.
        y: u16,
    },
    /// A row of the list on top is taken, by its index.
    Row(usize),
    /// The wheel turned: rows, down is positive.
    Wheel(i16),
    /// The terminal has another size.
    Resize(Size),
    /// Time passed.
    Tick(Duration),
    /// The worker said something.
    Worker(Reply),
    /// Code was coloured.
    Highlighted {
        /// Its file.
        file: String,
        /// Its lines.
        lines: ColouredLines,
    },
    /// Files were read again.
    Reloaded(Box<World>),
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
    /// The solutions of an exercise that were judged last, the latest first.
    Tries {
        /// The exercise's id.
        exercise: String,
        /// At most two.
        tries: Vec<Try>,
    },
    /// What the choices of an exercise compile to, or why that is not known.
    Unpacked {
        /// The exercise's id.
        exercise: String,
        /// By their names.
        texts: Result<Arc<Texts>, String>,
    },
    /// What was found in the student's folder of an exercise.
    Folder {
        /// The exercise's id.
        exercise: String,
        /// The file that is handed in.
        file: PathBuf,
        /// What was found.
        news: FolderNews,
    },
    /// What there is to review.
    Review(Queue),
    /// An attempt began or goes on.
    Begun(Box<Begun>),
    /// What the store knows of the course.
    Known(Box<Known>),
    /// The store has committed an answer, or could not.
    Answered {
        /// The attempt.
        attempt: i64,
        /// The question's slot.
        slot: String,
        /// Whether the answer is committed.
        kept: bool,
    },
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
    pub fn new(world: World, theme: Theme, ascii: bool, size: Size) -> Self {
        let map = Map::new(&world);
        Self {
            size,
            theme,
            ascii,
            motion: true,
            words: words::current(),
            now: Duration::ZERO,
            world,
            highlights: Highlights::default(),
            asked: BTreeSet::new(),
            screens: vec![Screen::Map(map)],
            lost: None,
            overlays: Vec::new(),
            message: None,
            job: None,
            saving: Saving::default(),
            dirty: true,
            hits: Vec::new(),
        }
    }

    /// How things look now.
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
            || match self.screens.last() {
                Some(Screen::Lesson(lesson)) => lesson.instrument.as_ref().is_some_and(|it| it.animating()),
                Some(Screen::Bench(bench)) => bench.instrument.animating(),
                Some(Screen::Exercise(exercise)) => exercise.is_judging(),
                _ => false,
            }
    }

    /// Whether a text field of what lies over the screen has the keys.
    pub fn overlay_editing(&self) -> bool {
        matches!(
            self.overlays.last(),
            Some(Overlay::Palette { .. } | Overlay::Search { .. } | Overlay::Glossary { .. })
        )
    }

    /// Whether a text field of the screen has the keys, once nothing lies over it.
    pub(super) fn writing(&self) -> bool {
        matches!(self.screens.last(), Some(Screen::Lesson(lesson)) if lesson.editing() && lesson.focus == Focus::Text)
    }

    /// Whether a text field of the screen has the keys.
    pub fn screen_editing(&self) -> bool {
        match self.screens.last() {
            Some(Screen::Quiz(quiz)) => quiz.editing(),
            Some(Screen::Lesson(lesson)) => lesson.editing(),
            Some(Screen::Bench(bench)) => bench.instrument.editing(),
            _ => false,
        }
    }
}
