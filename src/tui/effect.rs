//! What `app::update` asks the outside world to do.

use super::code::HighlightRequest;
use crate::exec::protocol::{JudgeRequest, LaunchRequest, WitnessRequest};
use crate::kernels::Constants;
use crate::mastery::{Attempt, AttemptKind, Change, Explanation, RunRecord, Try};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// A wish. Those that change only the model ([`Effect::Go`], [`Effect::Say`], [`Effect::Leave`]) are
/// granted by `update` itself; the rest reach the runtime.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Leave the tutor.
    Quit,
    /// Give the terminal back and stop, as the shell's job control expects.
    Suspend,
    /// Draw everything anew.
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
    Folder {
        /// The exercise.
        exercise: String,
        /// Where it is; none for the usual place.
        dir: Option<PathBuf>,
        /// What.
        wish: FolderWish,
    },
    /// Look at no folder any more.
    LeaveFolder,
    /// Ask the worker what it runs on.
    Describe,
    /// Ask the worker to stop the launch with this id; 0 for what it runs on.
    CancelLaunch(u64),
    /// Open `$EDITOR`, then read the course again.
    Edit {
        /// An existing file.
        file: PathBuf,
        /// 1-based.
        line: u32,
        /// 1-based.
        column: u32,
    },
    /// Compile the kernels of the course that are not what their sources say, then read it again.
    Build,
    /// Open `$EDITOR` with a file of the student's own.
    EditOwn {
        /// An existing file.
        file: PathBuf,
        /// 1-based.
        line: u32,
    },
    /// Read the course in the next language, and speak it.
    SwitchLanguage,
    /// Colour code off the UI thread; comes back as a message.
    Highlight(HighlightRequest),
    /// Ask the store to keep or do something; the answer comes back as a message.
    Keep(Keep),
    /// Show something else.
    Go(Go),
    /// A sentence on the status line.
    Say(String),
    /// Sent by an instrument that gives the keys back to the page.
    Leave,
}

/// A source that is to be compiled.
#[derive(Debug, Clone, PartialEq)]
pub struct Compile {
    /// No other request's.
    pub id: u64,
    /// Name shown in diagnostics.
    pub file: String,
    /// CUDA C++.
    pub source: String,
    /// What to compile for, e.g. `sm_90a`.
    pub arch: String,
    /// Macros.
    pub constants: Constants,
}

/// What is to be done with a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FolderWish {
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
    Page {
        /// Index of the level.
        level: usize,
        /// Index of the page.
        page: usize,
    },
    /// The list of a level's pages.
    Pages {
        /// Index of the level.
        level: usize,
    },
    /// A level's gate: the attempt under way, or the question whether to begin one.
    Gate {
        /// Index of the level.
        level: usize,
    },
    /// A level's quiz, at once.
    Quiz {
        /// Index of the level.
        level: usize,
        /// Gate or practice.
        kind: AttemptKind,
    },
    /// A question of a level's quiz with its key, in the preview.
    Variant {
        /// Index of the level.
        level: usize,
        /// Index of the slot.
        slot: usize,
        /// Index of the variant.
        variant: usize,
    },
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
    PageOpened {
        /// The level's id.
        level: String,
        /// The page's id.
        page: String,
    },
    /// A page was shown to its end or left by going on.
    PageRead {
        /// The level's id.
        level: String,
        /// The page's id.
        page: String,
    },
    /// A prediction, or that it was skipped.
    Predicted {
        /// The level's id.
        level: String,
        /// The page's id.
        page: String,
        /// Index of the choice; none if skipped.
        choice: Option<usize>,
        /// Whether it is what happens; none if skipped.
        correct: Option<bool>,
    },
    /// What was written in answer to a why.
    Explained {
        /// The level's id.
        level: String,
        /// The page's id.
        page: String,
        /// The text, and what it lacked.
        explanation: Explanation,
    },
    /// A kernel was run.
    Ran(RunRecord),
    /// Begin an attempt, or go on with the one under way.
    Begin {
        /// The level's id.
        level: String,
        /// Gate or practice.
        kind: AttemptKind,
    },
    /// Begin the review of what is due, or go on with it.
    Review,
    /// Change an attempt.
    Change {
        /// As it was before.
        attempt: Box<Attempt>,
        /// What changes.
        change: Change,
    },
    /// What is selected or typed and not confirmed, in the place of an earlier draft; none forgets it.
    Draft {
        /// What it is a draft of: `predict:LEVEL:PAGE`, `answer:ATTEMPT:SLOT`, `why:LEVEL:PAGE`, `exercise:ID` for what is
        /// chosen there, `folder:ID` for where the student writes.
        key: String,
        /// In a form that whoever owns the key reads.
        text: Option<String>,
    },
    /// A solution that was judged.
    Tried {
        /// The exercise's id.
        exercise: String,
        /// What was handed in, and what it came to.
        tried: Try,
    },
    /// A hint was opened.
    Hinted {
        /// The exercise's id.
        exercise: String,
        /// Its place in the exercise.
        hint: u32,
    },
    /// Say which solutions of an exercise were judged last.
    Tries {
        /// The exercise's id.
        exercise: String,
    },
    /// Hand an attempt in.
    Submit(Box<Attempt>),
}

/// A launch id that no other launch of this process has.
pub fn launch_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
