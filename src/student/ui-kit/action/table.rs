/*! The list of all actions: their names and keys.

The list defines both [`Action`] and [`TABLE`]. Labels and sentences are in `assets/i18n/LANG/actions.ftl`, under the
action's name in kebab case (`action-next-page`, and `.about` for the sentence). A new action is one line here and two
there: its sentence says what it does.
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
        format!("action-{}", kebab(self.name))
    }
}

/// Returns a name in kebab case: `next-page` for `NextPage`.
pub(crate) fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.push(c.to_ascii_lowercase());
    }
    kebab
}

macro_rules! actions {
    ($($(#[$about:meta])* $name:ident [$($key:expr),* $(,)?],)* $(@ $many:ident $($n:literal $c:literal),*;)*) => {
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
            $($(Entry { action: Action::$many($n), name: stringify!($many), keys: &[Char($c)] },)*)*
        ];
    };
}

actions! {
    Quit [Char('q')],
    QuitNow [Ctrl('c'), Ctrl('q')],
    Back [Code(KeyCode::Esc)],
    Help [Char('?'), Code(KeyCode::F(1))],
    Palette [Char(':')],
    Search [Char('/')],
    Glossary [Char('K')],
    Problems [Char('!'), Code(KeyCode::F(8))],
    NextTheme [Char('T')],
    NextLanguage [Char('L'), Code(KeyCode::F(2))],
    Suspend [Ctrl('z')],
    Redraw [Ctrl('l')],
    CancelLaunch [Char('X')],
    Up [Code(KeyCode::Up), Char('k')],
    Down [Code(KeyCode::Down), Char('j')],
    PageUp [Code(KeyCode::PageUp), Ctrl('b'), Ctrl('u')],
    PageDown [Code(KeyCode::PageDown), Ctrl('f'), Ctrl('d')],
    First [Code(KeyCode::Home)],
    Last [Code(KeyCode::End), Char('G')],
    Continue [Char('n')],
    Confirm [Code(KeyCode::Enter)],
    Pages [Char('p')],
    Gate [Char('g')],
    Practice [Char('P')],
    Review [Char('v')],
    Banks [Char('b')],
    Contest [Char('r')],
    FirstQuestion [Char('i')],
    ShowMap [Code(KeyCode::Esc)],
    NextPage [Char('n')],
    More [Char('m')],
    PageForward [Code(KeyCode::Right), Char('l'), Char(' ')],
    TurnPage [Code(KeyCode::Enter)],
    PreviousPage [Code(KeyCode::Backspace)],
    PageBackward [Code(KeyCode::Left), Char('h')],
    Answer [Code(KeyCode::Enter)],
    GoOn [Code(KeyCode::Enter)],
    Write [Code(KeyCode::Enter)],
    CompareWhy [Code(KeyCode::Enter)],
    Marked [Code(KeyCode::Enter)],
    Skip [Char('s')],
    PredictAgain [Char('r')],
    Reveal [Code(KeyCode::Enter)],
    Edit [Char('e')],
    Build [Char('B')],
    Use [Code(KeyCode::Tab)],
    UsePicture [Code(KeyCode::Enter)],
    Zoom [Char('z')],
    Ptx [Char('v')],
    NextQuestion [Code(KeyCode::Right), Ctrl('n')],
    PreviousQuestion [Code(KeyCode::Left), Ctrl('p')],
    NextVariant [Code(KeyCode::Right), Char('n'), Char('l')],
    PreviousVariant [Code(KeyCode::Left), Char('h')],
    Toggle [Char(' ')],
    Hold [Char(' ')],
    MoveUp [Shift(KeyCode::Up), Char('-')],
    MoveDown [Shift(KeyCode::Down), Char('+')],
    Mark [Char('m'), Ctrl('t')],
    ReviewAnswers [Char('r'), Ctrl('r')],
    Submit [Char('S')],
    ReadPage [Code(KeyCode::Enter)],
    BeginNext [Code(KeyCode::Enter), Char('n')],
    Questions [Char('r')],
    ToMap [Char('m')],
    Retry [Char('t')],
    StepBack [Code(KeyCode::Left), Char('h')],
    StepForward [Code(KeyCode::Right), Char('l')],
    Play [Char(' ')],
    Restart [Char('0')],
    NextField [Code(KeyCode::Tab), Code(KeyCode::Down), Char('j')],
    PreviousField [Code(KeyCode::BackTab), Code(KeyCode::Up), Char('k')],
    Decrease [Code(KeyCode::Left), Char('h'), Char('-')],
    Increase [Code(KeyCode::Right), Char('l'), Char('+')],
    NextControl [Code(KeyCode::Tab), Code(KeyCode::Down)],
    PreviousControl [Code(KeyCode::BackTab), Code(KeyCode::Up)],
    Expression [Char('x')],
    TakeExpression [Code(KeyCode::Enter)],
    PadLess [Char('[')],
    PadMore [Char(']')],
    RealKernel [Char('r')],
    Launch [Code(KeyCode::Enter), Char(' '), Char('r')],
    Size [Char('s')],
    Compare [Char('c')],
    Why [Char('w')],
    Panel [Char('o')],
    Estimate [Char('E')],
    Timeline [Char('c')],
    NextStall [Char(']')],
    OneWarp [Char('o')],
    Totals [Char('t')],
    Schedule [Char('s')],
    WrongRead [Char('w')],
    RunIt [Code(KeyCode::Enter), Char('r')],
    Fetch [Code(KeyCode::Enter)],
    Smaller [Char('-')],
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
    Mapping [Char('y')],
    PreviousK [Char('[')],
    NextK [Char(']')],
    Table [Char('t')],
    OpenExercise [Code(KeyCode::Enter)],
    Workshop [Char('w')],
    TakeLine [Code(KeyCode::Enter)],
    RunChoice [Code(KeyCode::Enter)],
    ChooseAgain [Code(KeyCode::Enter)],
    Begin [Code(KeyCode::Enter)],
    NextHole [Code(KeyCode::Tab)],
    PreviousHole [Code(KeyCode::BackTab)],
    NextFilling [Code(KeyCode::Down), Char('j'), Char(' ')],
    PreviousFilling [Code(KeyCode::Up), Char('k')],
    Stepper [Char('p')],
    Hint [Char('h')],
    Solution [Char('s')],
    Changes [Char('d')],
    StartOver [Char('r')],
    NextExercise [Char('n'), Code(KeyCode::Enter)],
    @ Choose 0 'a', 1 'b', 2 'c', 3 'd', 4 'e', 5 'f', 6 'g', 7 'h';
    @ Preset 1 '1', 2 '2', 3 '3', 4 '4', 5 '5', 6 '6', 7 '7', 8 '8', 9 '9';
}

impl Action {
    /// Returns the action's entry in the table.
    pub fn entry(self) -> &'static Entry {
        const NONE: Entry = Entry { action: Action::Redraw, name: "Redraw", keys: &[] };
        // Choices and presets that the table lacks have no key.
        TABLE.iter().find(|entry| entry.action == self).unwrap_or(&NONE)
    }
}
