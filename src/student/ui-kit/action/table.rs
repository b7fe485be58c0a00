/*! The list of all actions: their names and keys.

The list defines both [`Action`] and [`TABLE`]. Labels and sentences are in `assets/i18n/LANG/actions.ftl`, under the
action's name in kebab case (`action-next-page`, and `.about` for the sentence). A new action is one line here and two
there.
*/

use super::Key::{self, Char, Code, Ctrl, Shift};
use crate::keys::KeyCode;
use tutor_support::words::Sentence;

/// An action with its name and its keys.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub action: Action,
    name: &'static str,
    /// The keys; the first one is shown.
    pub keys: &'static [Key],
}

impl Entry {
    /// Returns the label for the key bar. Neighbouring actions with the same label are shown as one.
    pub fn label(&self) -> String {
        Sentence::of_key(self.key()).to_string()
    }

    /// Returns a short sentence without a period, for the help and the palette.
    pub fn about(&self) -> String {
        Sentence::of_key(format!("{}.about", self.key())).to_string()
    }

    /// Returns the catalogue keys of the label and of the sentence.
    pub fn keys_of_words(&self) -> [String; 2] {
        [self.key(), format!("{}.about", self.key())]
    }

    /// Returns the catalogue key: `action-next-page` for `NextPage`.
    fn key(&self) -> String {
        let mut key = "action".to_owned();
        for c in self.name.chars() {
            if c.is_uppercase() {
                key.push('-');
            }
            key.push(c.to_ascii_lowercase());
        }
        key
    }
}

macro_rules! actions {
    ($($(#[$about:meta])* $name:ident [$($key:expr),* $(,)?],)*) => {
        /// Something that the student can do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Action {
            $($(#[$about])* $name,)*
            /// Select a choice by its letter, 0 for `a`.
            Choose(u8),
            /// Load a preset, 1 to 9.
            Preset(u8),
        }

        /// All actions with their keys.
        pub const TABLE: &[Entry] = &[
            $(Entry { action: Action::$name, name: stringify!($name), keys: &[$($key),*] },)*
            choose(0, &[Char('a')]),
            choose(1, &[Char('b')]),
            choose(2, &[Char('c')]),
            choose(3, &[Char('d')]),
            choose(4, &[Char('e')]),
            choose(5, &[Char('f')]),
            choose(6, &[Char('g')]),
            choose(7, &[Char('h')]),
            preset(1, &[Char('1')]),
            preset(2, &[Char('2')]),
            preset(3, &[Char('3')]),
            preset(4, &[Char('4')]),
            preset(5, &[Char('5')]),
            preset(6, &[Char('6')]),
            preset(7, &[Char('7')]),
            preset(8, &[Char('8')]),
            preset(9, &[Char('9')]),
        ];
    };
}

const fn choose(n: u8, keys: &'static [Key]) -> Entry {
    Entry { action: Action::Choose(n), name: "Choose", keys }
}

const fn preset(n: u8, keys: &'static [Key]) -> Entry {
    Entry { action: Action::Preset(n), name: "Preset", keys }
}

actions! {
    Quit [Char('q')],
    /// Leave the tutor, from any screen.
    QuitNow [Ctrl('c'), Ctrl('q')],
    Back [Code(KeyCode::Esc)],
    Help [Char('?'), Code(KeyCode::F(1))],
    Palette [Char(':')],
    Search [Char('/')],
    Glossary [Char('K')],
    /// Show the course's errors.
    Problems [Char('!'), Code(KeyCode::F(8))],
    NextTheme [Char('T')],
    NextLanguage [Char('L'), Code(KeyCode::F(2))],
    Suspend [Ctrl('z')],
    Redraw [Ctrl('l')],
    /// Stop the running launch.
    CancelLaunch [Char('X')],
    Up [Code(KeyCode::Up), Char('k')],
    Down [Code(KeyCode::Down), Char('j')],
    PageUp [Code(KeyCode::PageUp), Ctrl('b'), Ctrl('u')],
    PageDown [Code(KeyCode::PageDown), Ctrl('f'), Ctrl('d')],
    First [Code(KeyCode::Home)],
    Last [Code(KeyCode::End), Char('G')],
    /// Go on to the next part of the course.
    Continue [Char('n')],
    /// Confirm the selection.
    Confirm [Code(KeyCode::Enter)],
    Pages [Char('p')],
    /// Start the quiz that unlocks the next level.
    Gate [Char('g')],
    /// Practise with immediate feedback.
    Practice [Char('P')],
    Review [Char('v')],
    Banks [Char('b')],
    /// Run one kernel of each level.
    Contest [Char('r')],
    /// Go to the next page, even if this page has an open question.
    NextPage [Char('n')],
    /// Open the optional page that follows.
    More [Char('m')],
    /// Go to the next page, if no question is open.
    PageForward [Code(KeyCode::Right), Char('l'), Char(' ')],
    /// Go to the next page, if the page is only text.
    TurnPage [Code(KeyCode::Enter)],
    PreviousPage [Code(KeyCode::Backspace)],
    /// Go to the previous page, if no question is open.
    PageBackward [Code(KeyCode::Left), Char('h')],
    /// Submit the selected answer.
    Answer [Code(KeyCode::Enter)],
    /// Go on after the feedback to an answer.
    GoOn [Code(KeyCode::Enter)],
    /// Write a free-text answer.
    Write [Code(KeyCode::Enter)],
    /// Compare the written answer with the model answer.
    CompareWhy [Code(KeyCode::Enter)],
    /// Save the written answer and the student's own mark.
    Marked [Code(KeyCode::Enter)],
    /// Show the answer without a prediction.
    Skip [Char('s')],
    /// Answer again.
    PredictAgain [Char('r')],
    Reveal [Code(KeyCode::Enter)],
    Edit [Char('e')],
    /// Compile the kernels whose PTX is out of date.
    Build [Char('B')],
    /// Give the picture the keyboard focus.
    Use [Code(KeyCode::Tab)],
    /// Give the picture the keyboard focus, if Enter has no other use.
    UsePicture [Code(KeyCode::Enter)],
    /// Switch between the picture alone and text with picture.
    Zoom [Char('z')],
    /// Switch between CUDA source, PTX and machine code.
    Ptx [Char('v')],
    NextQuestion [Code(KeyCode::Right), Ctrl('n')],
    PreviousQuestion [Code(KeyCode::Left), Ctrl('p')],
    NextVariant [Code(KeyCode::Right), Char('n'), Char('l')],
    PreviousVariant [Code(KeyCode::Left), Char('h')],
    /// Tick or untick a choice.
    Toggle [Char(' ')],
    /// Pick an item up, or put it down.
    Hold [Char(' ')],
    MoveUp [Shift(KeyCode::Up), Char('-')],
    MoveDown [Shift(KeyCode::Down), Char('+')],
    /// Mark the question for review.
    Mark [Char('m'), Ctrl('t')],
    ReviewAnswers [Char('r'), Ctrl('r')],
    /// Submit the attempt.
    Submit [Char('S')],
    /// Open the page that explains a missed question.
    ReadPage [Code(KeyCode::Enter)],
    /// Begin the level that has just been unlocked.
    BeginNext [Code(KeyCode::Enter), Char('n')],
    /// Show the questions of an attempt with their explanations.
    Questions [Char('r')],
    ToMap [Char('m')],
    /// Take the quiz again.
    Retry [Char('t')],
    StepBack [Code(KeyCode::Left), Char('h')],
    StepForward [Code(KeyCode::Right), Char('l')],
    /// Start or pause the animation.
    Play [Char(' ')],
    /// Start from the beginning.
    Restart [Char('0')],
    NextField [Code(KeyCode::Tab), Code(KeyCode::Down), Char('j')],
    PreviousField [Code(KeyCode::BackTab), Code(KeyCode::Up), Char('k')],
    Decrease [Code(KeyCode::Left), Char('h'), Char('-')],
    Increase [Code(KeyCode::Right), Char('l'), Char('+')],
    NextControl [Code(KeyCode::Tab), Code(KeyCode::Down)],
    PreviousControl [Code(KeyCode::BackTab), Code(KeyCode::Up)],
    Expression [Char('x')],
    /// Accept the typed expression.
    TakeExpression [Code(KeyCode::Enter)],
    /// Remove one column of padding.
    PadLess [Char('[')],
    /// Add one column of padding.
    PadMore [Char(']')],
    /// Count the same access in the real kernel.
    RealKernel [Char('k')],
    Launch [Code(KeyCode::Enter), Char(' '), Char('r')],
    Size [Char('s')],
    Compare [Char('c')],
    /// Show the reasons.
    Why [Char('w')],
    /// Show the next value of the third axis.
    Panel [Char('o')],
    /// Estimate the kernels' times on a GPU.
    Estimate [Char('E')],
    /// Show what each warp did in each cycle of an estimate.
    Timeline [Char('c')],
    /// Go to the cycle in which the warp begins its next wait.
    NextStall [Char(']')],
    /// Show one warp alone, with the waits before each of its instructions.
    OneWarp [Char('o')],
    /// Switch between totals and costs per step.
    Totals [Char('t')],
    Schedule [Char('s')],
    /// Go to the step that reads a wrong value.
    WrongRead [Char('w')],
    /// Launch the kernels on the device.
    RunIt [Code(KeyCode::Enter), Char('r')],
    Fetch [Code(KeyCode::Enter)],
    /// Make the picture's size smaller.
    Smaller [Char('-')],
    /// Make the picture's size larger.
    Larger [Char('+')],
    Left [Code(KeyCode::Left), Char('h')],
    Right [Code(KeyCode::Right), Char('l')],
    PreviousTile [Char('[')],
    NextTile [Char(']')],
    PreviousBlock [Code(KeyCode::Up), Char('k')],
    NextBlock [Code(KeyCode::Down), Char('j')],
    PreviousLane [Char('[')],
    NextLane [Char(']')],
    NextOperand [Char('o')],
    /// Swap the roles of `threadIdx.x` and `threadIdx.y`.
    Mapping [Char('m')],
    /// Remove one term of the sum.
    PreviousK [Char('[')],
    /// Add one term to the sum.
    NextK [Char(']')],
    Table [Char('t')],
    /// Open the exercise that the page offers.
    OpenExercise [Code(KeyCode::Enter)],
    /// Open the list of exercises.
    Workshop [Char('w')],
    /// Answer that the line under the cursor is at fault.
    TakeLine [Code(KeyCode::Enter)],
    RunChoice [Code(KeyCode::Enter)],
    /// Choose another line.
    ChooseAgain [Code(KeyCode::Enter)],
    /// Create the student's file for an exercise.
    Begin [Code(KeyCode::Enter)],
    NextHole [Code(KeyCode::Tab)],
    PreviousHole [Code(KeyCode::BackTab)],
    NextFilling [Code(KeyCode::Right), Char(' ')],
    PreviousFilling [Code(KeyCode::Left)],
    /// Show the found hazard step by step.
    Stepper [Char('p')],
    Hint [Char('h')],
    /// Switch between the solution and the student's text.
    Solution [Char('s')],
    /// Show what has changed since the last try.
    Changes [Char('d')],
    /// Restart the exercise with the starter code.
    StartOver [Char('r')],
    /// Go to the next unsolved exercise.
    NextExercise [Char('n'), Code(KeyCode::Enter)],
}

impl Action {
    /// Returns the action's entry in the table.
    pub fn entry(self) -> &'static Entry {
        const NONE: Entry = Entry { action: Action::Redraw, name: "Redraw", keys: &[] };
        // Choices and presets that the table lacks have no key.
        TABLE.iter().find(|entry| entry.action == self).unwrap_or(&NONE)
    }
}
