/*! Everything that a key can mean, in one table.

[`TABLE`] gives each [`Action`] its keys, a short label for the last line and a sentence for help.
A screen says which actions work *now*, most important first ([`find`] takes the first whose key
matches, so what has the focus comes before what is behind it). The same list makes the last line,
the `?` help and the `:` palette, so none of them can promise a key that does nothing.
*/

mod table;

pub use table::{Entry, TABLE};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::borrow::Cow;

/// A thing that the student can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    // Everywhere.
    /// Leave the tutor.
    Quit,
    /// Leave the tutor from anywhere.
    QuitNow,
    /// One screen back.
    Back,
    /// Keys that work here.
    Help,
    /// All actions by name.
    Palette,
    /// Find a page.
    Search,
    /// The next theme.
    NextTheme,
    /// Put the tutor in the background.
    Suspend,
    /// Draw the screen anew.
    Redraw,
    /// Stop the launch that is running.
    CancelLaunch,
    // Moving.
    /// Up.
    Up,
    /// Down.
    Down,
    /// A screenful up.
    PageUp,
    /// A screenful down.
    PageDown,
    /// To the beginning.
    First,
    /// To the end.
    Last,
    /// Take what is selected.
    Confirm,
    // Course map.
    /// Pages of the level.
    Pages,
    /// Take the gate quiz.
    Gate,
    /// Practise with feedback at once.
    Practice,
    /// The bank-conflict simulator.
    Banks,
    // Lesson.
    /// The next page.
    NextPage,
    /// The previous page.
    PreviousPage,
    /// Choose an answer by its letter, 0 for `a`.
    Choose(u8),
    /// Give the answer under the cursor.
    Answer,
    /// Go on without an answer.
    Skip,
    /// Reveal the answer.
    Reveal,
    /// Open the file in an editor.
    Edit,
    /// Give the keys to the instrument.
    Use,
    /// Show only the instrument, or text and instrument.
    Zoom,
    /// Show the kernel's PTX, or its CUDA source again.
    Ptx,
    // Quiz.
    /// The next question.
    NextQuestion,
    /// The previous question.
    PreviousQuestion,
    /// Tick or untick.
    Toggle,
    /// Take the item up, or put it down.
    Hold,
    /// Move the item up.
    MoveUp,
    /// Move the item down.
    MoveDown,
    /// Mark the question for review.
    Mark,
    /// Look over all answers.
    ReviewAnswers,
    /// Hand the attempt in.
    Submit,
    /// Read the page behind a missed question.
    ReadPage,
    /// Take the quiz once more.
    Retry,
    // Instruments.
    /// One step on.
    StepForward,
    /// One step back.
    StepBack,
    /// Let it run, or hold it.
    Play,
    /// From the beginning.
    Restart,
    /// The next field.
    NextField,
    /// The previous field.
    PreviousField,
    /// A larger value.
    Increase,
    /// A smaller value.
    Decrease,
    /// A preset, 1 to 9.
    Preset(u8),
    /// Type an expression.
    Expression,
    /// One more column of padding.
    PadMore,
    /// One column of padding fewer.
    PadLess,
    /// What the real kernel does.
    RealKernel,
    /// Launch.
    Launch,
    /// The next size.
    Size,
    /// Compare with the next kernel.
    Compare,
    /// The reasons.
    Why,
    /// The next schedule.
    Schedule,
    /// Launch it on the device.
    RunIt,
    /// Fetch books.
    Fetch,
    /// A smaller desk.
    DeskLess,
    /// A larger desk.
    DeskMore,
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// The previous tile.
    PreviousTile,
    /// The next tile.
    NextTile,
    /// The other mapping of threads.
    Mapping,
    /// The table of threads.
    Table,
    /// One term of the sum fewer.
    PreviousK,
    /// One term of the sum more.
    NextK,
    /// The wavefront before.
    PreviousWavefront,
    /// The wavefront after.
    NextWavefront,
}

/// A key as the table names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// A character, with Shift where the character needs it.
    Char(char),
    /// Control and a character.
    Ctrl(char),
    /// Any other key.
    Code(KeyCode),
    /// Shift and another key.
    Shift(KeyCode),
}

use Key::{Char, Code, Ctrl, Shift};

impl Key {
    /// The key of an event; none for a release or for a combination that the table cannot name.
    pub fn of(event: KeyEvent) -> Option<Self> {
        let shift = event.modifiers.contains(KeyModifiers::SHIFT);
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        if event.kind == crossterm::event::KeyEventKind::Release || event.modifiers.contains(KeyModifiers::ALT) {
            return None;
        }
        Some(match event.code {
            KeyCode::Char(c) if control => Ctrl(c.to_ascii_lowercase()),
            KeyCode::Char(c) => Char(c),
            KeyCode::BackTab => Code(KeyCode::BackTab),
            code if shift => Shift(code),
            code => Code(code),
        })
    }

    /// As shown to the student.
    pub fn name(self, ascii: bool) -> Cow<'static, str> {
        let pick = |sign: &'static str, word: &'static str| Cow::Borrowed(if ascii { word } else { sign });
        match self {
            Char(' ') => "Space".into(),
            Char(c) => c.to_string().into(),
            Ctrl(c) => format!("Ctrl-{}", c.to_ascii_uppercase()).into(),
            Shift(code) => format!("Shift-{}", Code(code).name(ascii)).into(),
            Code(KeyCode::Esc) => "Esc".into(),
            Code(KeyCode::Enter) => pick("⏎", "Enter"),
            Code(KeyCode::Tab) => "Tab".into(),
            Code(KeyCode::BackTab) => "Shift-Tab".into(),
            Code(KeyCode::Left) => pick("←", "Left"),
            Code(KeyCode::Right) => pick("→", "Right"),
            Code(KeyCode::Up) => pick("↑", "Up"),
            Code(KeyCode::Down) => pick("↓", "Down"),
            Code(KeyCode::PageUp) => "PgUp".into(),
            Code(KeyCode::PageDown) => "PgDn".into(),
            Code(KeyCode::Home) => "Home".into(),
            Code(KeyCode::End) => "End".into(),
            Code(KeyCode::Backspace) => "Backspace".into(),
            Code(KeyCode::F(n)) => format!("F{n}").into(),
            Code(code) => code.to_string().into(),
        }
    }
}

/// The first of `actions` that `key` means.
pub fn find(actions: &[Action], key: KeyEvent) -> Option<Action> {
    let key = Key::of(key)?;
    actions.iter().copied().find(|action| action.entry().keys.contains(&key))
}

/// The keys of `actions[at]` that reach it: those that no earlier action takes, nor a text field if one has the keys.
pub fn reaching(actions: &[Action], at: usize, editing: bool) -> Vec<Key> {
    let Some(action) = actions.get(at) else { return Vec::new() };
    let typed = |key: &Key| match key {
        Char(_) => true,
        Code(code) => {
            matches!(code, KeyCode::Left | KeyCode::Right | KeyCode::Home | KeyCode::End | KeyCode::Backspace)
        }
        _ => false,
    };
    let taken =
        |key: &Key| editing && typed(key) || actions[..at].iter().any(|earlier| earlier.entry().keys.contains(key));
    action.entry().keys.iter().copied().filter(|key| !taken(key)).collect()
}

/// Hints for the last line: shown keys and label, neighbours with one label made one.
pub fn hints(actions: &[Action], ascii: bool, editing: bool) -> Vec<(String, &'static str)> {
    let mut groups: Vec<(Vec<String>, &'static str)> = Vec::new();
    for (at, action) in actions.iter().enumerate() {
        let Some(key) = reaching(actions, at, editing).first().map(|key| key.name(ascii).into_owned()) else {
            continue;
        };
        let label = action.entry().label;
        match groups.last_mut() {
            Some((keys, last)) if *last == label => keys.push(key),
            _ => groups.push((vec![key], label)),
        }
    }
    let dash = if ascii { "-" } else { "–" };
    groups
        .into_iter()
        .map(|(keys, label)| match keys.as_slice() {
            // From a to d, from 1 to 9; but arrows are no row of which the ends would do.
            [first, .., last] if keys.len() > 2 && first.chars().all(char::is_alphanumeric) && first.len() == 1 => {
                (format!("{first}{dash}{last}"), label)
            }
            several if several.len() > 2 && several.iter().all(|key| key.chars().count() == 1) => {
                (several.concat(), label)
            }
            [first, second] if first.chars().count() == 1 && second.chars().count() == 1 => {
                (format!("{first}{second}"), label)
            }
            _ => (keys.join("/"), label),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names every variant, so that a new one does not compile until it is listed here.
    fn listed(action: Action) -> bool {
        use Action::*;
        match action {
            Quit | QuitNow | Back | Help | Palette | Search | NextTheme | Suspend | Redraw | CancelLaunch | Up
            | Down | PageUp | PageDown | First | Last | Confirm | Pages | Gate | Practice | Banks | NextPage
            | PreviousPage | Answer | Skip | Reveal | Edit | Use | Zoom | Ptx | NextQuestion | PreviousQuestion
            | Toggle | Hold | MoveUp | MoveDown | Mark | ReviewAnswers | Submit | ReadPage | Retry | StepForward
            | StepBack | Play | Restart | NextField | PreviousField | Increase | Decrease | Expression | PadMore
            | PadLess | RealKernel | Launch | Size | Compare | Why | Schedule | RunIt | Fetch | DeskLess | DeskMore
            | Left | Right | PreviousTile | NextTile | Mapping | Table | PreviousK | NextK | PreviousWavefront
            | NextWavefront => true,
            Choose(n) => n < 8,
            Preset(n) => (1..=9).contains(&n),
        }
    }

    #[test]
    fn the_table_holds_every_action_once_with_keys_label_and_sentence() {
        // 72 plain actions, 8 choices, 9 presets; `listed` fails to compile when one is added.
        assert_eq!(TABLE.len(), 72 + 8 + 9);
        for (at, entry) in TABLE.iter().enumerate() {
            assert!(listed(entry.action));
            assert!(!TABLE[..at].iter().any(|other| other.action == entry.action), "{:?} twice", entry.action);
            assert!(!entry.keys.is_empty() && !entry.label.is_empty(), "{:?}", entry.action);
            assert!(!entry.about.is_empty() && !entry.about.ends_with('.'), "{:?}", entry.action);
        }
    }

    #[test]
    fn neighbours_with_one_label_become_one_hint() {
        let actions = [Action::StepBack, Action::StepForward, Action::Choose(0), Action::Choose(1), Action::Choose(2)];
        assert_eq!(hints(&actions, false, false), [("←→".to_owned(), "step"), ("a–c".to_owned(), "answer")]);
        assert_eq!(hints(&actions, true, false), [("Left/Right".to_owned(), "step"), ("a-c".to_owned(), "answer")]);
        let arrows = [Action::Left, Action::Down, Action::Up, Action::Right];
        assert_eq!(hints(&arrows, false, false), [("←↓↑→".to_owned(), "move")]);
        assert_eq!(hints(&arrows, true, false), [("Left/Down/Up/Right".to_owned(), "move")]);
    }

    #[test]
    fn a_key_means_the_first_action_that_has_it() {
        let key = KeyEvent::new(KeyCode::Right, KeyModifiers::NONE);
        assert_eq!(find(&[Action::StepForward, Action::NextPage], key), Some(Action::StepForward));
        assert_eq!(find(&[Action::NextPage, Action::StepForward], key), Some(Action::NextPage));
    }

    #[test]
    fn a_hint_names_a_key_that_is_not_taken_by_an_earlier_action() {
        let actions = [Action::Choose(1), Action::Banks];
        assert_eq!(hints(&actions, false, false), [("b".to_owned(), "answer")]);
        let actions = [Action::Size, Action::Skip];
        assert_eq!(hints(&actions, false, false)[1], ("n".to_owned(), "skip"));
        let actions = [Action::Skip, Action::NextPage];
        assert_eq!(hints(&actions, false, false)[1], ("l".to_owned(), "next"));
    }
}
