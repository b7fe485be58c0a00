/*! The one list of what a student can do: name, keys, and what it is about.

The list makes the [`Action`]s and the [`TABLE`]; labels and sentences are in `assets/i18n/LANG/actions.ftl`
under the action's name in kebab case (`action-next-page`, and `.about` for the sentence). A new key is one line
here and two there.
*/

use super::Key::{self, Char, Code, Ctrl, Shift};
use crossterm::event::KeyCode;
use tutor_base::words::say;

/// What the table says of an action.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub action: Action,
    name: &'static str,
    /// Its keys, the one to show first.
    pub keys: &'static [Key],
}

impl Entry {
    /// For the last line; neighbours with the same label are shown as one.
    pub fn label(&self) -> String {
        say(&self.key(), &[])
    }

    /// For help and palette: a short sentence without its period.
    pub fn about(&self) -> String {
        say(&format!("{}.about", self.key()), &[])
    }

    /// The keys of its label and its sentence in the catalogue of a language.
    pub fn keys_of_words(&self) -> [String; 2] {
        [self.key(), format!("{}.about", self.key())]
    }

    /// `action-next-page` for `NextPage`.
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
        /// A thing that the student can do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Action {
            $($(#[$about])* $name,)*
            /// Choose an answer by its letter, 0 for `a`.
            Choose(u8),
            /// A preset, 1 to 9.
            Preset(u8),
        }

        /// Every action.
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
    /// Leave the tutor.
    Quit [Char('q')],
    /// Leave the tutor from anywhere.
    QuitNow [Ctrl('c'), Ctrl('q')],
    Back [Code(KeyCode::Esc)],
    /// Keys that work here.
    Help [Char('?'), Code(KeyCode::F(1))],
    /// All actions by name.
    Palette [Char(':')],
    /// Find a page.
    Search [Char('/')],
    /// What the words of the course mean.
    Glossary [Char('K')],
    /// What is wrong with the course.
    Problems [Char('!'), Code(KeyCode::F(8))],
    NextTheme [Char('T')],
    NextLanguage [Char('L'), Code(KeyCode::F(2))],
    /// Put the tutor in the background.
    Suspend [Ctrl('z')],
    /// Draw the screen anew.
    Redraw [Ctrl('l')],
    /// Stop the launch that is running.
    CancelLaunch [Char('X')],
    Up [Code(KeyCode::Up), Char('k')],
    Down [Code(KeyCode::Down), Char('j')],
    /// A screenful up.
    PageUp [Code(KeyCode::PageUp), Ctrl('b'), Ctrl('u')],
    PageDown [Code(KeyCode::PageDown), Ctrl('f'), Ctrl('d')],
    /// To the beginning.
    First [Code(KeyCode::Home)],
    Last [Code(KeyCode::End), Char('G')],
    /// On to what is next in the course.
    Continue [Char('n')],
    /// Take what is selected.
    Confirm [Code(KeyCode::Enter)],
    Pages [Char('p')],
    /// Take the gate quiz.
    Gate [Char('g')],
    /// Practise with feedback at once.
    Practice [Char('P')],
    Review [Char('v')],
    Banks [Char('b')],
    /// The next page, whatever the page asks.
    NextPage [Char('n')],
    /// The next page, where nothing waits for an answer.
    PageForward [Code(KeyCode::Right), Char('l'), Char(' ')],
    /// The next page, where there is nothing to do but read.
    TurnPage [Code(KeyCode::Enter)],
    PreviousPage [Code(KeyCode::Backspace)],
    /// The previous page, where nothing waits for an answer.
    PageBackward [Code(KeyCode::Left), Char('h')],
    /// Give the selected answer.
    Answer [Code(KeyCode::Enter)],
    /// Go on once an answer was told right or wrong.
    GoOn [Code(KeyCode::Enter)],
    /// Write an answer in one's own words.
    Write [Code(KeyCode::Enter)],
    /// Hold what was written against the model answer.
    CompareWhy [Code(KeyCode::Enter)],
    /// Keep what was written and marked.
    Marked [Code(KeyCode::Enter)],
    /// See the answer without a prediction.
    Skip [Char('s')],
    /// Answer once more.
    PredictAgain [Char('r')],
    Reveal [Code(KeyCode::Enter)],
    /// Open the file in an editor.
    Edit [Char('e')],
    /// Compile the kernels that are not what their sources say.
    Build [Char('B')],
    /// Give the keys to the instrument.
    Use [Code(KeyCode::Tab)],
    /// Give the keys to the instrument, where Enter has nothing else to do.
    UsePicture [Code(KeyCode::Enter)],
    /// Show only the instrument, or text and instrument.
    Zoom [Char('z')],
    /// Show the kernel's PTX, or its CUDA source again.
    Ptx [Char('v')],
    NextQuestion [Code(KeyCode::Right), Ctrl('n')],
    PreviousQuestion [Code(KeyCode::Left), Ctrl('p')],
    /// The next variant of a question.
    NextVariant [Code(KeyCode::Right), Char('n'), Char('l')],
    /// The previous variant of a question.
    PreviousVariant [Code(KeyCode::Left), Char('h')],
    /// Tick or untick.
    Toggle [Char(' ')],
    /// Take the item up, or put it down.
    Hold [Char(' ')],
    MoveUp [Shift(KeyCode::Up), Char('-')],
    MoveDown [Shift(KeyCode::Down), Char('+')],
    /// Mark the question for review.
    Mark [Char('m'), Ctrl('r')],
    /// Look over all answers.
    ReviewAnswers [Char('r'), Ctrl('o')],
    /// Hand the attempt in.
    Submit [Char('S')],
    /// Read the page behind a missed question.
    ReadPage [Code(KeyCode::Enter)],
    /// Begin the level that is open now.
    BeginNext [Code(KeyCode::Enter), Char('n')],
    /// Look at the questions of an attempt, with the reasons.
    Questions [Char('r')],
    /// Back to the course map.
    ToMap [Char('m')],
    /// Take the quiz once more.
    Retry [Char('t')],
    StepBack [Code(KeyCode::Left), Char('h')],
    StepForward [Code(KeyCode::Right), Char('l')],
    /// Let it run, or hold it.
    Play [Char(' ')],
    /// From the beginning.
    Restart [Char('0')],
    NextField [Code(KeyCode::Tab), Code(KeyCode::Down), Char('j')],
    PreviousField [Code(KeyCode::BackTab), Code(KeyCode::Up), Char('k')],
    /// A smaller value.
    Decrease [Code(KeyCode::Left), Char('h')],
    /// A larger value.
    Increase [Code(KeyCode::Right), Char('l')],
    NextControl [Code(KeyCode::Tab)],
    PreviousControl [Code(KeyCode::BackTab)],
    Expression [Char('x')],
    /// Take the expression that was typed.
    TakeExpression [Code(KeyCode::Enter)],
    /// One column of padding fewer.
    PadLess [Char('[')],
    /// One more column of padding.
    PadMore [Char(']')],
    /// What the real kernel does.
    RealKernel [Char('k')],
    Launch [Code(KeyCode::Enter), Char(' '), Char('r')],
    Size [Char('s')],
    /// Compare with the next kernel.
    Compare [Char('c')],
    /// The reasons.
    Why [Char('w')],
    /// The next value of the third axis.
    Panel [Char('o')],
    /// Totals instead of what one step costs.
    Totals [Char('t')],
    Schedule [Char('s')],
    /// The step in which a wrong value is read.
    WrongRead [Char('w')],
    /// Launch it on the device.
    RunIt [Char('r')],
    Fetch [Code(KeyCode::Enter)],
    DeskLess [Char('['), Code(KeyCode::Left), Char('-')],
    DeskMore [Char(']'), Code(KeyCode::Right), Char('+')],
    Left [Code(KeyCode::Left), Char('h')],
    Right [Code(KeyCode::Right), Char('l')],
    PreviousTile [Char('[')],
    NextTile [Char(']')],
    /// The previous block of C.
    PreviousBlock [Char('[')],
    /// The next block of C.
    NextBlock [Char(']')],
    PreviousLane [Char('[')],
    NextLane [Char(']')],
    NextOperand [Char('o')],
    /// The other mapping of threads.
    Mapping [Char('m')],
    /// One term of the sum fewer.
    PreviousK [Char('[')],
    /// One term of the sum more.
    NextK [Char(']')],
    PreviousWavefront [Code(KeyCode::Up)],
    NextWavefront [Code(KeyCode::Down)],
    Table [Char('t')],
    /// The exercise that a page offers.
    OpenExercise [Code(KeyCode::Enter)],
    /// The exercises.
    Workshop [Char('w')],
    /// The line under the cursor is the one at fault.
    TakeLine [Code(KeyCode::Enter)],
    RunChoice [Code(KeyCode::Enter)],
    /// Choose once more.
    ChooseAgain [Code(KeyCode::Enter)],
    /// Make the student's own file.
    Begin [Code(KeyCode::Enter)],
    NextHole [Code(KeyCode::Tab)],
    PreviousHole [Code(KeyCode::BackTab)],
    NextFilling [Code(KeyCode::Right), Char(' ')],
    PreviousFilling [Code(KeyCode::Left)],
    /// The hazard that was found, step by step.
    Stepper [Char('p')],
    Hint [Char('h')],
    /// The solution, or what is one's own again.
    Solution [Char('s')],
    /// What changed since the last try.
    Changes [Char('d')],
    /// Begin anew.
    StartOver [Char('r')],
    /// The next exercise that is left.
    NextExercise [Char('n'), Code(KeyCode::Enter)],
}

impl Action {
    /// What the table says of it.
    pub fn entry(self) -> &'static Entry {
        const NONE: Entry = Entry { action: Action::Redraw, name: "Redraw", keys: &[] };
        // Choices and presets beyond those of the table have no key.
        TABLE.iter().find(|entry| entry.action == self).unwrap_or(&NONE)
    }
}
