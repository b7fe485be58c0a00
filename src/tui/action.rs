/*! Everything that a key can mean, in one table.

[`TABLE`] gives each [`Action`] its keys, a short label for the last line and a sentence for help.
A screen says which actions work *now*, most important first ([`find`] takes the first whose key
matches, so what has the focus comes before what is behind it). The same list makes the last line,
the `?` help and the `:` palette, so none of them can promise a key that does nothing.
*/

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

/// What the table says of an action.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The action.
    pub action: Action,
    /// Its keys, the one to show first.
    pub keys: &'static [Key],
    /// For the last line; neighbours with the same label are shown as one.
    pub label: &'static str,
    /// For help and palette: a short sentence without its period.
    pub about: &'static str,
}

use Key::{Char, Code, Ctrl, Shift};

const fn entry(action: Action, keys: &'static [Key], label: &'static str, about: &'static str) -> Entry {
    Entry { action, keys, label, about }
}

/// Every action.
#[rustfmt::skip]
pub const TABLE: &[Entry] = &[
    entry(Action::Quit, &[Char('q')], "quit", "Leave the tutor; everything is saved"),
    entry(Action::QuitNow, &[Ctrl('c'), Ctrl('q')], "quit", "Leave from anywhere; everything is saved"),
    entry(Action::Back, &[Code(KeyCode::Esc)], "back", "Go back"),
    entry(Action::Help, &[Char('?'), Code(KeyCode::F(1))], "help", "Show the keys that work here"),
    entry(Action::Palette, &[Char(':')], "commands", "Find any action by its name"),
    entry(Action::Search, &[Char('/')], "search", "Find a page by its words"),
    entry(Action::NextTheme, &[Char('T')], "theme", "Change between dark, light and mono"),
    entry(Action::Suspend, &[Ctrl('z')], "suspend", "Put the tutor in the background; fg returns"),
    entry(Action::Redraw, &[Ctrl('l')], "redraw", "Draw the screen anew"),
    entry(Action::CancelLaunch, &[Char('c')], "cancel", "Stop the launch that is running"),
    entry(Action::Up, &[Code(KeyCode::Up), Char('k')], "move", "Move up"),
    entry(Action::Down, &[Code(KeyCode::Down), Char('j')], "move", "Move down"),
    entry(Action::PageUp, &[Code(KeyCode::PageUp), Ctrl('b'), Ctrl('u')], "scroll", "Scroll up"),
    entry(Action::PageDown, &[Code(KeyCode::PageDown), Ctrl('f'), Ctrl('d')], "scroll", "Scroll down"),
    entry(Action::First, &[Code(KeyCode::Home)], "first", "Go to the beginning"),
    entry(Action::Last, &[Code(KeyCode::End), Char('G')], "last", "Go to the end"),
    entry(Action::Confirm, &[Code(KeyCode::Enter)], "open", "Open or take what is selected"),
    entry(Action::Pages, &[Char('p')], "pages", "List the pages of the level"),
    entry(Action::Gate, &[Char('g')], "gate", "Take the level's gate quiz"),
    entry(Action::Practice, &[Char('P')], "practise", "Practise the questions, with feedback at once"),
    entry(Action::Banks, &[Char('b')], "banks", "Open the bank-conflict simulator"),
    entry(Action::NextPage, &[Code(KeyCode::Right), Char('l'), Char(' '), Char('n'), Code(KeyCode::Enter)], "next", "Go to the next page"),
    entry(Action::PreviousPage, &[Code(KeyCode::Left), Char('h'), Code(KeyCode::Backspace)], "previous", "Go to the previous page"),
    entry(Action::Choose(0), &[Char('a')], "answer", "Choose answer a"),
    entry(Action::Choose(1), &[Char('b')], "answer", "Choose answer b"),
    entry(Action::Choose(2), &[Char('c')], "answer", "Choose answer c"),
    entry(Action::Choose(3), &[Char('d')], "answer", "Choose answer d"),
    entry(Action::Choose(4), &[Char('e')], "answer", "Choose answer e"),
    entry(Action::Choose(5), &[Char('f')], "answer", "Choose answer f"),
    entry(Action::Choose(6), &[Char('g')], "answer", "Choose answer g"),
    entry(Action::Choose(7), &[Char('h')], "answer", "Choose answer h"),
    entry(Action::Answer, &[Code(KeyCode::Enter)], "take it", "Give the answer under the cursor"),
    entry(Action::Skip, &[Code(KeyCode::Right), Char('s')], "skip", "See the answer without a prediction"),
    entry(Action::Reveal, &[Code(KeyCode::Enter), Char(' ')], "reveal", "Reveal the answer"),
    entry(Action::Edit, &[Char('e')], "edit", "Open the file in $EDITOR"),
    entry(Action::Use, &[Code(KeyCode::Tab), Code(KeyCode::Enter)], "use it", "Give the keys to the picture or the code"),
    entry(Action::Zoom, &[Char('z')], "zoom", "Give the picture the whole screen, or share it"),
    entry(Action::Ptx, &[Char('v')], "PTX", "Show the kernel's PTX, or its source again"),
    entry(Action::NextQuestion, &[Code(KeyCode::Right), Char('l'), Ctrl('n')], "next", "Go to the next question"),
    entry(Action::PreviousQuestion, &[Code(KeyCode::Left), Char('h'), Ctrl('p')], "previous", "Go to the previous question"),
    entry(Action::Toggle, &[Char(' ')], "tick", "Tick or untick"),
    entry(Action::Hold, &[Char(' ')], "take up", "Take the item up to move it, or put it down"),
    entry(Action::MoveUp, &[Char('K'), Shift(KeyCode::Up), Char('-')], "reorder", "Move the item up"),
    entry(Action::MoveDown, &[Char('J'), Shift(KeyCode::Down), Char('+')], "reorder", "Move the item down"),
    entry(Action::Mark, &[Char('m'), Ctrl('r')], "mark", "Mark the question for a second look"),
    entry(Action::ReviewAnswers, &[Char('r'), Ctrl('o')], "review", "Look over all answers before you submit"),
    entry(Action::Submit, &[Char('S')], "submit", "Hand the attempt in"),
    entry(Action::ReadPage, &[Code(KeyCode::Enter)], "re-read the page", "Read the page behind the question"),
    entry(Action::Retry, &[Char('t')], "try again", "Take the quiz again with other questions"),
    entry(Action::StepBack, &[Code(KeyCode::Left), Char('h')], "step", "One step back"),
    entry(Action::StepForward, &[Code(KeyCode::Right), Char('l')], "step", "One step on"),
    entry(Action::Play, &[Char(' ')], "play", "Let it run, or hold it"),
    entry(Action::Restart, &[Char('0')], "restart", "Start from the beginning"),
    entry(Action::NextField, &[Code(KeyCode::Tab), Code(KeyCode::Down), Char('j')], "field", "Go to the next field"),
    entry(Action::PreviousField, &[Code(KeyCode::BackTab), Code(KeyCode::Up), Char('k')], "field", "Go to the previous field"),
    entry(Action::Decrease, &[Code(KeyCode::Left), Char('h')], "change", "A smaller value"),
    entry(Action::Increase, &[Code(KeyCode::Right), Char('l')], "change", "A larger value"),
    entry(Action::Preset(1), &[Char('1')], "presets", "Preset 1"),
    entry(Action::Preset(2), &[Char('2')], "presets", "Preset 2"),
    entry(Action::Preset(3), &[Char('3')], "presets", "Preset 3"),
    entry(Action::Preset(4), &[Char('4')], "presets", "Preset 4"),
    entry(Action::Preset(5), &[Char('5')], "presets", "Preset 5"),
    entry(Action::Preset(6), &[Char('6')], "presets", "Preset 6"),
    entry(Action::Preset(7), &[Char('7')], "presets", "Preset 7"),
    entry(Action::Preset(8), &[Char('8')], "presets", "Preset 8"),
    entry(Action::Preset(9), &[Char('9')], "presets", "Preset 9"),
    entry(Action::Expression, &[Char('x')], "expression", "Type the row or the column as an expression"),
    entry(Action::PadLess, &[Char('[')], "padding", "One column of padding fewer"),
    entry(Action::PadMore, &[Char(']')], "padding", "One column of padding more"),
    entry(Action::RealKernel, &[Char('k')], "in the real kernel", "Show what the real kernel does"),
    entry(Action::Launch, &[Code(KeyCode::Enter), Char('r')], "launch", "Launch the kernel"),
    entry(Action::Size, &[Char('n')], "size", "The next matrix size"),
    entry(Action::Compare, &[Char('c')], "compare", "Compare with the next kernel"),
    entry(Action::Why, &[Char('w')], "why", "Show the reasons"),
    entry(Action::Schedule, &[Char('s')], "other schedule", "Show the next schedule"),
    entry(Action::RunIt, &[Char('r')], "run it", "Launch it and count the wrong elements"),
    entry(Action::Fetch, &[Code(KeyCode::Enter), Char('f')], "fetch", "Walk to the shelf and fetch as many books as the desk holds"),
    entry(Action::DeskLess, &[Char('['), Code(KeyCode::Left), Char('-')], "desk", "A smaller desk"),
    entry(Action::DeskMore, &[Char(']'), Code(KeyCode::Right), Char('+')], "desk", "A larger desk"),
    entry(Action::Left, &[Code(KeyCode::Left), Char('h')], "move", "Move to the left"),
    entry(Action::Right, &[Code(KeyCode::Right), Char('l')], "move", "Move to the right"),
    entry(Action::PreviousTile, &[Char('[')], "tile", "The previous tile"),
    entry(Action::NextTile, &[Char(']')], "tile", "The next tile"),
    entry(Action::Mapping, &[Char('m')], "other mapping", "Let threadIdx.x run along rows or along columns"),
    entry(Action::PreviousK, &[Char('[')], "step k", "One term of the sum back"),
    entry(Action::NextK, &[Char(']')], "step k", "One more term of the sum"),
    entry(Action::PreviousWavefront, &[Code(KeyCode::Up)], "wavefront", "The wavefront before"),
    entry(Action::NextWavefront, &[Code(KeyCode::Down)], "wavefront", "The wavefront after"),
    entry(Action::Table, &[Char('t')], "table", "Show thread, address and bank in a table"),
];

impl Action {
    /// What the table says of it.
    pub fn entry(self) -> &'static Entry {
        const NONE: Entry = entry(Action::Redraw, &[], "", "");
        // A test proves that the table holds every action that a screen can offer.
        TABLE.iter().find(|entry| entry.action == self).unwrap_or(&NONE)
    }
}

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
            [first, .., last] if keys.len() > 2 => (format!("{first}{dash}{last}"), label),
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
        let actions = [Action::StepForward, Action::NextPage];
        assert_eq!(hints(&actions, false, false)[1], ("Space".to_owned(), "next"));
    }
}
