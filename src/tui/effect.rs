//! What `app::update` asks the outside world to do.

use std::path::PathBuf;
use tutor_exec::protocol::{JudgeRequest, LaunchRequest, WitnessRequest};
use tutor_kernels::Constants;
use tutor_mastery::{Attempt, AttemptKind, Change, Explanation, RunRecord, Try};
use tutor_pictures::code::HighlightRequest;

/// A wish. Those that change only the model ([`Effect::Go`], [`Effect::Say`]) are
/// granted by `update` itself; the rest reach the runtime.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Leave the tutor.
    Quit,
    /// Give the terminal back and stop, as the shell's job control expects.
    Suspend,
    /// Draw the whole screen again.
    Redraw,
    /// Ask the worker to run; `on` is set by the runtime from the student's choice.
    Launch(Box<LaunchRequest>),
    /// Ask the worker for a hazard in two orders of warps.
    Witness(Box<WitnessRequest>),
    /// Ask the worker to judge; the seed is drawn by the runtime.
    Judge(Box<JudgeRequest>),
    /// Ask the worker to run two kernels in turns, for a star.
    Race(Box<LaunchRequest>),
    /// Ask the worker to compile what a student wrote.
    Compile(Box<Compile>),
    /// Read what the choices of an exercise compile to; comes back as a message.
    Unpack(String),
    /// Do something with the student's folder of an exercise; what is found there comes back as messages.
    /// `dir` is where the student moved the folder to.
    Folder { exercise: String, dir: Option<PathBuf>, command: FolderCommand },
    /// Look at no folder any more.
    LeaveFolder,
    /// Ask the worker what it runs on.
    Describe,
    /// Ask the worker to stop the launch with this id; 0 for what it runs on.
    CancelLaunch(u64),
    /// Open `$EDITOR` at a line and column, both 1-based, then read the course again.
    Edit { file: PathBuf, line: u32, column: u32 },
    /// Compile the kernels of the course that are not what their sources say, then read it again.
    Build,
    /// Open `$EDITOR` at a line, 1-based, of a file of the student's own.
    EditOwn { file: PathBuf, line: u32 },
    /// Read the course in the next language, and speak it.
    SwitchLanguage,
    /// Colour code off the UI thread; comes back as a message.
    Highlight(HighlightRequest),
    /// Ask the store to keep or do something; the answer comes back as a message.
    Keep(Keep),
    /// Show another screen.
    Go(Go),
    /// A sentence on the status line.
    Say(String),
}

impl From<tutor_pictures::Effect> for Effect {
    fn from(effect: tutor_pictures::Effect) -> Self {
        use tutor_pictures::Effect as Of;
        match effect {
            Of::Launch(request) => Self::Launch(request),
            Of::CancelLaunch(id) => Self::CancelLaunch(id),
            Of::Witness(request) => Self::Witness(request),
            Of::Exercise(id) => Self::Go(Go::Exercise(id)),
        }
    }
}

/// What a picture asks, as wishes of the screen that shows it.
pub fn into_effects(effects: Vec<tutor_pictures::Effect>) -> Vec<Effect> {
    effects.into_iter().map(Effect::from).collect()
}

/// A source that is to be compiled.
#[derive(Debug, Clone, PartialEq)]
pub struct Compile {
    /// No other request's.
    pub id: u64,
    pub file: String,
    pub source: String,
    /// What to compile for, e.g. `sm_90a`.
    pub arch: String,
    pub constants: Constants,
}

/// What is to be done with a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FolderCommand {
    /// Look at the file in it whenever it changes.
    Watch,
    /// Make it, then look at the file.
    Start,
    /// Begin anew in it; what was there gets another name.
    Reset,
}

/// Where to go in the tutor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Go {
    /// One screen back.
    Back,
    /// A page, by the indices of level and page.
    Page { level: usize, page: usize },
    /// The list of a level's pages.
    Pages { level: usize },
    /// A level's gate: the attempt under way, or the question whether to begin one.
    Gate { level: usize },
    /// A level's quiz, at once.
    Quiz { level: usize, kind: AttemptKind },
    /// A question of a level's quiz with its key, in the preview.
    Variant { level: usize, slot: usize, variant: usize },
    /// What is due for review.
    Review,
    /// The course map.
    Map,
    /// The bank-conflict simulator on its own.
    Banks,
    /// The exercises; the cursor goes to those of a level, if one is named by its index.
    Workshop(Option<usize>),
    /// An exercise, by its id.
    Exercise(String),
    /// The hazard stepper of the exercise on the screen.
    Stepper,
}

/// What the store is asked. It answers in order, and to each once it is committed.
#[derive(Debug, Clone, PartialEq)]
pub enum Keep {
    /// Nothing, but say what is known of the course.
    Look,
    /// A page is on the screen.
    PageOpened { level: String, page: String },
    /// A page was shown to its end or left by going on.
    PageRead { level: String, page: String },
    /// A prediction: the index of the choice, and whether it is correct; both none if the question was skipped.
    Predicted { level: String, page: String, choice: Option<usize>, correct: Option<bool> },
    /// What was written in answer to a why, and what it lacked.
    Explained { level: String, page: String, explanation: Explanation },
    /// A kernel was run.
    Ran(RunRecord),
    /// Begin an attempt, or go on with the one under way.
    Begin { level: String, kind: AttemptKind },
    /// Begin the review of what is due, or go on with it.
    Review,
    /// Change an attempt, which is as it was before the change.
    Change { attempt: Box<Attempt>, change: Change },
    /// What is selected or typed and not confirmed, in the place of an earlier draft; none forgets it.
    /// Keys: `predict:LEVEL:PAGE`, `answer:ATTEMPT:SLOT`, `why:LEVEL:PAGE`, `exercise:ID` for the choices in an exercise, and
    /// `folder:ID` for where the student writes. The owner of a key reads its text.
    Draft { key: String, text: Option<String> },
    /// A solution that was judged, and its verdict.
    Tried { exercise: String, tried: Try },
    /// A hint was opened, by its index.
    Hinted { exercise: String, hint: u32 },
    /// Say which solutions of an exercise were judged last.
    Tries { exercise: String },
    /// Hand an attempt in.
    Submit(Box<Attempt>),
}
