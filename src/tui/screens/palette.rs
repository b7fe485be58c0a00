//! Every action by its name; those that do not work here are shown as such.

use ratatui::text::Line;
use tutor_base::t;
use tutor_pictures::action::{Action, Entry, TABLE, reaching};
use tutor_pictures::look::{Look, pad, truncate};
use tutor_pictures::theme::Meaning;

/// Cells of the column of keys.
const COLUMN: usize = 13;

/// The actions whose words contain all that was typed: those that work here first.
pub fn matching(typed: &str, here: &[Action]) -> Vec<(&'static Entry, bool)> {
    let words: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
    let fits = |entry: &Entry| {
        let text = format!("{} {}", entry.label(), entry.about()).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let mut found: Vec<_> =
        TABLE.iter().filter(|entry| fits(entry)).map(|entry| (entry, here.contains(&entry.action))).collect();
    // What leaves the tutor never comes first.
    let leaves = |action| matches!(action, Action::Quit | Action::QuitNow);
    found.sort_by_key(|(entry, works)| (!works, leaves(entry.action)));
    found
}

/// Whether the action of a row works here.
pub fn works(typed: &str, row: usize, here: &[Action]) -> bool {
    matching(typed, here).get(row).is_some_and(|(_, works)| *works)
}

/// Where the cursor is once something was typed: on the first that works, if any does.
pub fn first(typed: &str, here: &[Action]) -> Option<usize> {
    (!typed.trim().is_empty() && works(typed, 0, here)).then_some(0)
}

/// Where an action works that does not work everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ActionScope {
    Map,
    Page,
    Picture,
    Quiz,
    Outcome,
    Exercise,
}

fn scope(action: Action) -> Option<ActionScope> {
    use Action::*;
    Some(match action {
        Continue | Quit => ActionScope::Map,
        NextPage | PageForward | TurnPage | PreviousPage | PageBackward | Skip | PredictAgain | Reveal | Use
        | UsePicture => ActionScope::Page,
        StepBack | StepForward | Play | Restart | Decrease | Increase | Preset(_) | Expression | Launch | Size => {
            ActionScope::Picture
        }
        GoOn | NextQuestion | PreviousQuestion | Toggle | Hold | MoveUp | MoveDown | Mark | ReviewAnswers | Submit => {
            ActionScope::Quiz
        }
        TakeLine | RunChoice | ChooseAgain | Begin | NextHole | PreviousHole | NextFilling | PreviousFilling | Hint
        | Solution | Changes | StartOver | NextExercise | Stepper => ActionScope::Exercise,
        ReadPage | BeginNext | Questions | Retry => ActionScope::Outcome,
        _ => return None,
    })
}

/// Why an action does not work here: it belongs elsewhere or, where its neighbours work, it is not its time.
fn why_not(action: Action, here: &[Action]) -> String {
    let Some(at) = scope(action) else { return t!("palette-not-here") };
    if here.iter().any(|other| scope(*other) == Some(at)) {
        return t!("palette-not-now");
    }
    match at {
        ActionScope::Map => t!("palette-on-map"),
        ActionScope::Page => t!("palette-on-page"),
        ActionScope::Picture => t!("palette-in-picture"),
        ActionScope::Quiz => t!("palette-in-quiz"),
        ActionScope::Outcome => t!("palette-after-quiz"),
        ActionScope::Exercise => t!("palette-in-exercise"),
    }
}

/// One row an action: what it does, its key, and whether it works here.
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
