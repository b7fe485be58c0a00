//! Requests that `app::update` makes to the runtime.

use std::path::PathBuf;
use tutor_exec::protocol::{CompileRequest, JudgeRequest, LaunchRequest, WitnessRequest};
use tutor_exec::run_record::RunRecord;
use tutor_progress::{AttemptKind, Change, Explanation, Try};
use ui_kit::code::HighlightRequest;

/// A request to the runtime. `update` itself carries out [`Effect::Go`] and [`Effect::Say`], which change only the model.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Leave the tutor.
    Quit,
    /// Give the terminal back and stop the process, as the shell's job control expects.
    Suspend,
    /// Draw the whole screen again, over whatever another program has written.
    Redraw,
    /// Ask the worker to run kernels. The runtime sets `on` to the student's choice.
    Launch(Box<LaunchRequest>),
    /// Ask the worker to show a hazard by running the warps in two orders.
    Witness(Box<WitnessRequest>),
    /// Ask the worker to judge a kernel. The host draws the seed.
    Judge(Box<JudgeRequest>),
    /// Ask the worker to time two kernels alternately, for a star, or to estimate the time of one. The host draws
    /// the seed.
    StarLaunch(Box<LaunchRequest>),
    /// Ask the worker to compile a student's source.
    Compile(Box<CompileRequest>),
    /// Read the compiled choices of an exercise; a message brings them.
    Unpack(String),
    /// Do something with the student's folder for an exercise; messages report what it contains.
    /// `dir` is the folder, if the student has moved it.
    Folder { exercise: String, dir: Option<PathBuf>, command: FolderCommand },
    /// Stop watching the folder.
    LeaveFolder,
    /// Ask the worker for a description of its devices and libraries.
    Describe,
    /// Ask the worker to stop the launch with this id; id 0 is the description.
    CancelLaunch(u64),
    /// Open `$EDITOR` at a line and column (1-based), then read the course again.
    Edit { file: PathBuf, line: u32, column: u32 },
    /// Compile the course's kernels whose PTX does not match their sources, then read the course again.
    Build,
    /// Open `$EDITOR` at a line (1-based) of the student's file for an exercise.
    EditOwn { file: PathBuf, line: u32 },
    /// Keep this theme for the next start.
    KeepTheme(String),
    /// Switch the course and the interface to the next language.
    SwitchLanguage,
    /// Colour code on another thread; a message brings the result.
    Highlight(HighlightRequest),
    /// Send a request to the store; messages bring the result.
    Store(StoreRequest),
    /// Try again to save what the store could not save.
    SaveAgain,
    /// Show another screen.
    Go(Go),
    /// Show a sentence on the last line.
    Say(String),
}

impl From<tutor_pictures::Effect> for Effect {
    fn from(effect: tutor_pictures::Effect) -> Self {
        use tutor_pictures::Effect as Of;
        match effect {
            Of::Launch(request) => Self::Launch(request),
            Of::CancelLaunch(id) => Self::CancelLaunch(id),
            Of::Witness(request) => Self::Witness(request),
        }
    }
}

/// Converts the effects of a picture into effects of the screen that shows it.
pub fn into_effects(effects: Vec<tutor_pictures::Effect>) -> Vec<Effect> {
    effects.into_iter().map(Effect::from).collect()
}

/// What to do with the student's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FolderCommand {
    /// Read its file now and whenever it changes.
    Watch,
    /// Create it, then watch the file.
    Start,
    /// Restore the starter code; the old file gets another name.
    Reset,
}

/// A place in the tutor to go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Go {
    /// The previous screen.
    Back,
    /// A page, by the indices of its level and of the page.
    Page { level: usize, page: usize },
    /// The list of a level's pages.
    Pages { level: usize },
    /// A level's gate: resumes the open attempt, or asks whether to begin one.
    Gate { level: usize },
    /// A level's quiz, without asking first.
    Quiz { level: usize, kind: AttemptKind },
    /// A question of a level's quiz with its correct answer, in the preview.
    Variant { level: usize, slot: usize, variant: usize },
    /// The questions that are due for review.
    Review,
    /// The course map.
    Map,
    /// The question of the course's first screen.
    Welcome,
    /// The bank-conflict simulator on a full screen.
    Banks,
    /// The speed contest of the levels' kernels.
    SpeedContest,
    /// The list of exercises, optionally with the cursor on the exercises of a level, by its index.
    Workshop(Option<usize>),
    /// The exercise with this id.
    Exercise(String),
    /// The hazard stepper for the exercise on the screen.
    Stepper,
}

/// A request to the store. The store handles requests in order and answers each one after the commit.
#[derive(Debug, Clone, PartialEq)]
pub enum StoreRequest {
    /// Save nothing, but report everything that is stored about the course.
    Look,
    /// A page was opened.
    PageOpened { level: String, page: String },
    /// The student has done everything on a page and seen its end.
    PageRead { level: String, page: String },
    /// A prediction: the index of the choice, and whether it is correct. Both are `None` if the student skipped the question.
    Predicted { level: String, page: String, choice: Option<usize>, correct: Option<bool> },
    /// An answer to a “why” question, and the points that it lacked.
    Explained { level: String, page: String, explanation: Explanation },
    /// Save the results of a run.
    Ran(RunRecord),
    /// Begin an attempt, or resume the open one.
    Begin { level: String, kind: AttemptKind },
    /// Begin a review of the questions that are due, or resume it.
    Review,
    /// Change the attempt with this number: an answer, a mark, the position.
    Change { attempt: i64, change: Change },
    /// A draft: a selection or text that is not confirmed. It replaces the previous draft with this key; `None` deletes it.
    /// Keys: `predict:LEVEL:PAGE`, `answer:ATTEMPT:SLOT`, `why:LEVEL:PAGE`, `exercise:ID` for the choices in an exercise,
    /// and `folder:ID` for the path of the student's folder.
    Draft { key: String, text: Option<String> },
    /// A judged solution and its verdict.
    Tried { exercise: String, tried: Try },
    /// The student opened the hint with this index.
    Hinted { exercise: String, hint: u32 },
    /// Report the solutions of an exercise that were judged last.
    Tries { exercise: String },
    /// Submit the attempt with this number at the quiz of a level.
    Submit { attempt: i64, level: String },
}

impl StoreRequest {
    /// True if the student would call it an answer.
    pub fn is_answer(&self) -> bool {
        match self {
            Self::Change { change, .. } => change.answer.is_some(),
            Self::Predicted { .. } | Self::Explained { .. } | Self::Tried { .. } => true,
            _ => false,
        }
    }

    /// True if its result is a new screen. A second request would do the same once more after the first.
    pub fn opens_screen(&self) -> bool {
        matches!(self, Self::Begin { .. } | Self::Review | Self::Submit { .. })
    }
}
