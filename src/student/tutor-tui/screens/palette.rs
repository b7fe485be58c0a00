//! The command palette: every action by name, except second keys. Actions that do not work here are marked.

use crate::app::exists;
use crate::prelude::*;
use ui_kit::action::{Entry, TABLE, is_spare, reaching};
use ui_kit::look::pad;

/// Width of the column of keys in cells.
const COLUMN: usize = 13;

/// Returns the actions that contain all typed words, first those that work here, and whether each works here.
pub fn matching(typed: &str, here: &[Action]) -> Vec<(&'static Entry, bool)> {
    let words: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
    let fits = |entry: &Entry| {
        let text = format!("{} {}", entry.label(), entry.about()).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let found = TABLE.iter().filter(|entry| exists(entry.action) && !is_spare(entry.action) && fits(entry));
    let mut found: Vec<_> = found.map(|entry| (entry, here.contains(&entry.action))).collect();
    // An action that quits the tutor comes last.
    let leaves = |action| matches!(action, Action::Quit | Action::QuitNow);
    found.sort_by_key(|(entry, works)| (!works, leaves(entry.action)));
    found
}

/// True if the action of a row works here.
pub fn works(typed: &str, row: usize, here: &[Action]) -> bool {
    matching(typed, here).get(row).is_some_and(|(_, works)| *works)
}

/// Returns the position of the cursor after typing: the first row, if its action works here.
pub fn first(typed: &str, here: &[Action]) -> Option<usize> {
    (!typed.trim().is_empty() && works(typed, 0, here)).then_some(0)
}

/// Returns the part of the tutor in which an action works, as `palette-elsewhere` names it. Empty if there are several.
fn part(action: Action) -> &'static str {
    use Action::*;
    match action {
        Continue | Quit => "map",
        NextPage | PreviousPage | Skip | PredictAgain | Reveal | Use => "page",
        StepBack | StepForward | Play | Restart | Decrease | Increase | Preset(_) | Expression | Launch | Size => {
            "picture"
        }
        GoOn | NextQuestion | PreviousQuestion | Toggle | Hold | MoveUp | MoveDown | Mark | ReviewAnswers | Submit => {
            "quiz"
        }
        TakeLine | RunChoice | ChooseAgain | Begin | NextHole | PreviousHole | NextFilling | PreviousFilling | Hint
        | Solution | Changes | StartOver | NextExercise | Stepper => "exercise",
        ReadPage | BeginNext | Questions | Retry => "outcome",
        _ => "",
    }
}

/// Explains why an action does not work here: it belongs to another screen, or it does not work at the moment.
fn why_not(action: Action, here: &[Action]) -> String {
    match part(action) {
        "" => t!("palette-not-here"),
        at if here.iter().any(|other| part(*other) == at) => t!("palette-not-now"),
        at => t!("palette-elsewhere", part = at),
    }
}

/// Returns the row of an action: its key or why it does not work here, and what it does.
pub fn row(entry: &Entry, works: bool, here: &[Action], selected: bool, width: u16, look: &Look) -> Line<'static> {
    let at = here.iter().position(|action| *action == entry.action);
    let key = at.and_then(|at| reaching(here, at, false).first().copied());
    let key = key.map_or_else(
        || if works { String::new() } else { why_not(entry.action, here) },
        |key| key.name(look.ascii).into_owned(),
    );
    let about = truncate(&entry.about(), usize::from(width).saturating_sub(COLUMN + 4), look.ascii);
    let meaning = if works { Meaning::Text } else { Meaning::Muted };
    let line = Line::from(vec![
        look.cursor(selected),
        look.span(if works { Meaning::Key } else { Meaning::Muted }, pad(&key, COLUMN)),
        look.span(meaning, about),
    ]);
    if selected { look.selected(line, width) } else { line }
}
