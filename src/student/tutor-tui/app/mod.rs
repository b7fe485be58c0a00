//! The model, the messages that change it, and the drawing of the screen.

mod actions;
mod go;
mod input;
mod job;
mod overlays;
mod saving;
mod update;
mod view;

#[cfg(test)]
pub(crate) use actions::EVERYWHERE;
pub(crate) use actions::exists;
pub use go::Reading;
pub(crate) use go::locked_by;
pub(crate) use input::{in_place, why_silent};
pub use saving::{Saving, StoreBlocked};
pub use update::update;
pub use view::{buttons, view};
pub(crate) use view::{overlay_hints, unsaved_question};

use super::screens::lesson::Lesson;
use super::screens::map::Map;
use super::screens::outcome::OutcomeScreen;
use super::screens::picture_screen::PictureScreen;
use super::screens::problem::ProblemPage;
use super::screens::quiz::Quiz;
use super::screens::variants::Variants;
use super::screens::welcome::Welcome;
use super::screens::workshop::{ExerciseScreen, Workshop};
use crate::prelude::*;
use jiff::Zoned;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tutor_course::Problem;
use tutor_exec::protocol::{LaunchRequest, Reply};
use tutor_exec::results::LaunchResults;
use tutor_exec::run_record::RunRecord;
use tutor_exercises::pack::Texts;
use tutor_progress::{Begun, Known, Outcome, Progress, Queue, Try, Worked};
use tutor_support::words::{self, Sentence, Words};
use ui_kit::code::{ColouredLines, Highlights};
use ui_kit::field::Field;
use ui_kit::theme::Theme;

#[derive(Debug)]
pub struct Model {
    /// Size of the terminal.
    pub size: Size,
    pub theme: Theme,
    pub ascii: bool,
    /// True if pictures are animated; false with `--no-motion` and on a slow connection.
    pub motion: bool,
    /// True if the last line leaves out the keys, because the program shows them as [`buttons`].
    pub buttons: bool,
    /// Messages of the interface in the current language.
    pub words: &'static Words,
    /// When the tutor started, in the student's time zone. The runtime sets it.
    pub started: Zoned,
    /// Time since then.
    pub now: Duration,
    pub data: AppData,
    pub highlights: Highlights,
    /// Files whose colours have been requested.
    pub asked: BTreeSet<String>,
    /// Stack of screens. The course map is at the bottom; never empty.
    pub screens: Vec<Screen>,
    /// The page that was open when its lesson became unreadable. It returns once the lesson can be read again.
    pub lost: Option<Reading>,
    /// Stack of overlays, the topmost last.
    pub overlays: Vec<Overlay>,
    /// Sentence on the last line.
    pub message: Option<Message>,
    /// Current launch.
    pub job: Option<Job>,
    /// Requests that the store has not carried out yet.
    pub saving: Saving,
    /// The attempt that was submitted last.
    pub outcome: Option<Box<Outcome>>,
    /// True if the tutor was opened for one attempt, so that it ends where the student would return to the map.
    pub ends_on_map: bool,
    /// True if the screen must be drawn again.
    pub dirty: bool,
    /// Areas of the last frame that can be clicked.
    pub hits: Vec<(Rect, Hit)>,
    /// Time of the last key.
    pub typed: Option<Duration>,
    /// Time when a notice appeared while the student was typing.
    pub noticed: Option<Duration>,
    /// Position and time of the last click, and what it hit.
    pub clicked: Option<(Position, Duration, Option<Hit>)>,
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
       /// The result of an attempt.
    Outcome(OutcomeScreen),
       /// A picture on the whole screen.
    Picture(PictureScreen),
    Workshop(Workshop),
    Exercise(ExerciseScreen),
       /// The questions of a quiz with their correct answers, in the preview.
    Variants(Variants),
    Problem(ProblemPage),
    /// The question that a new student sees first.
    Welcome(Welcome),
}

/// A list or a question over the screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay {
    pub kind: OverlayKind,
    /// The text field of a list that is searched by typing.
    pub field: Field,
    /// The row under the cursor; in the help, the first visible row.
    pub cursor: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlayKind {
    /// The keys that work here.
    Help,
    /// All actions by name.
    Palette,
    /// Asks whether to quit although a launch is running.
    Leaving,
    /// Asks whether to quit although something is not saved. Closes, and quits, once everything is saved.
    Unsaved,
    /// The pages of a level.
    Pages { level: usize },
    /// Asks whether to begin a gate.
    Gate { level: usize },
    /// The terms of the course and their meanings.
    Glossary,
    /// The problems of the course.
    Problems,
    /// The pages that contain the typed words.
    Search,
}

/// A sentence on the last line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub text: String,
    /// Time when it disappears.
    pub until: Duration,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub request: LaunchRequest,
    /// Time of the request.
    pub since: Duration,
    /// True while the launch waits until the device is known.
    pub held: bool,
    /// What is known so far.
    pub results: LaunchResults,
}

/// Something that happened in the student's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FolderEvent {
    /// The file does not exist yet.
    NotBegun,
    /// The text of the saved file, or the reason why it cannot be read.
    Saved(Result<String, Sentence>),
    Made,
    /// The file contains the starter code again. The old file now has this name.
    Reset(PathBuf),
    /// The command failed for this reason.
    Failed(String),
}

/// What the student does, and the time.
#[derive(Debug)]
pub enum Input {
    /// A key press.
    Key(KeyEvent),
    /// Pasted text.
    Paste(String),
    /// A mouse click.
    Click { x: u16, y: u16 },
    /// The student chose a row of the topmost list, by its index.
    Row(usize),
    /// The mouse wheel scrolled by this number of rows; down is positive.
    Wheel(i16),
    /// The terminal has a new size.
    Resize(Size),
    /// Time has passed; the value counts from the start of the tutor.
    Tick(Duration),
}

impl From<Input> for Msg {
    fn from(input: Input) -> Self {
        Self::Input(input)
    }
}

/// Input, or a report of the runtime.
#[derive(Debug)]
pub enum Msg {
    Input(Input),
    /// A reply from the worker.
    Worker(Reply),
    /// The colours of a file's lines.
    Highlighted {
        file: String,
        lines: ColouredLines,
    },
    /// The course was read again.
    Reloaded(Box<AppData>),
    /// The problems that a check of the course has found so far.
    Checked(Vec<Problem>),
    /// A place to go to.
    Go(Go),
    /// The interface has switched to this language.
    Language(&'static Words),
    /// The progress after the store saved something.
    Progress(Box<Progress>),
    /// The progress in the exercises that the student has begun.
    Worked(BTreeMap<String, Worked>),
    /// The solutions of an exercise that were judged last: at most two, the latest first.
    Tries {
        exercise: String,
        tries: Vec<Try>,
    },
    /// The compiled choices of an exercise by name, or the reason why they cannot be read.
    Unpacked {
        exercise: String,
        texts: Result<Arc<Texts>, Sentence>,
    },
    /// Something happened in the student's folder for an exercise. `file` is the file that is judged.
    Folder {
        exercise: String,
        file: PathBuf,
        event: FolderEvent,
    },
    /// The questions to review.
    Review(Queue),
    /// An attempt has begun or is resumed.
    Begun(Box<Begun>),
    /// Everything that the store knows about the course.
    Known(Box<Known>),
    /// The attempt with this number was submitted or left elsewhere, and takes no more changes.
    Over(i64),
    /// The store has finished the oldest request and has sent all other messages about it.
    Saved,
    /// The store cannot save the oldest request now, and tries again later.
    StoreBlocked(StoreBlocked),
    /// The best runs after the store saved a run.
    BestRuns(Vec<RunRecord>),
    /// An attempt was submitted and graded.
    Submitted(Box<Outcome>),
    /// A sentence for the last line.
    Say(String),
    /// Something that the student must read before going on.
    Problem(ProblemPage),
}

impl Model {
    /// Returns the model at the start, with the course map on the screen.
    pub fn new(data: AppData, theme: Theme, ascii: bool, size: Size) -> Self {
        let map = Map::new(&data);
        Self {
            size,
            theme,
            ascii,
            motion: true,
            buttons: false,
            words: words::current(),
            started: Zoned::default(),
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
            outcome: None,
            ends_on_map: false,
            dirty: true,
            hits: Vec::new(),
            typed: None,
            noticed: None,
            clicked: None,
        }
    }

    /// Asks a new student the question of the course's first screen, if there is one.
    pub fn welcome(&mut self) {
        if self.screens.len() == 1 && self.data.not_begun() && Welcome::is_offered(&self.data) {
            self.show(Welcome::default());
        }
    }

    pub fn look(&self) -> Look<'_> {
        Look { theme: &self.theme, ascii: self.ascii, now: self.now, highlights: &self.highlights }
    }

    /// Returns the topmost screen.
    pub fn screen(&self) -> Option<&Screen> {
        self.screens.last()
    }

    /// True if the model needs ticks, because something changes with time.
    pub fn wants_ticks(&self) -> bool {
        self.message.is_some()
            || self.job.is_some()
            || self.saving.is_busy()
            || self.screen().is_some_and(|screen| screen.animating())
    }

    /// True if keys go to a text field of the topmost overlay.
    pub fn overlay_editing(&self) -> bool {
        self.overlays.last().is_some_and(Overlay::typed)
    }

    /// True if keys go to a text field of the screen.
    pub fn screen_editing(&self) -> bool {
        self.screen().is_some_and(|screen| screen.editing())
    }

    /// Returns the kind of the topmost overlay.
    pub fn overlay(&self) -> Option<OverlayKind> {
        self.overlays.last().map(|overlay| overlay.kind)
    }

    /// Opens an overlay.
    pub(super) fn lay_over(&mut self, kind: OverlayKind) {
        self.overlays.push(Overlay::new(kind));
    }

    /// Pushes a screen.
    pub fn show(&mut self, screen: impl Into<Screen>) {
        self.screens.push(screen.into());
    }
}
