//! The table: what keys mean, what it is called, what it does.

use super::Action;
use super::Key::{self, Char, Code, Ctrl, Shift};
use crossterm::event::KeyCode;

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
    entry(Action::NextPage, &[Char('n'), Code(KeyCode::Right), Char('l'), Char(' '), Code(KeyCode::Enter)], "next", "Go to the next page"),
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
    entry(Action::Skip, &[Char('n'), Code(KeyCode::Right), Char('s')], "skip", "See the answer without a prediction"),
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
    entry(Action::Size, &[Char('s')], "size", "The next matrix size"),
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
