//! Every action by its name; those that do not work here are shown as such.

use crate::t;
use crate::tui::action::{Action, Entry, TABLE, reaching};
use crate::tui::look::{Look, pad, truncate};
use crate::tui::theme::Meaning;
use ratatui::text::Line;

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

/// One row an action: what it does, its key, and whether it works here.
pub fn row(entry: &Entry, works: bool, here: &[Action], selected: bool, width: u16, look: &Look) -> Line<'static> {
    let at = here.iter().position(|action| *action == entry.action);
    let key = at.and_then(|at| reaching(here, at, false).first().copied());
    let key = key.map_or_else(
        || if works { String::new() } else { t!("palette-not-here") },
        |key| key.name(look.ascii).into_owned(),
    );
    let about = truncate(&entry.about(), usize::from(width).saturating_sub(14), look.ascii);
    let meaning = if works { Meaning::Text } else { Meaning::Muted };
    let line = Line::from(vec![
        look.cursor(selected),
        look.span(if works { Meaning::Key } else { Meaning::Muted }, pad(&key, 10)),
        look.span(meaning, about),
    ]);
    if selected { look.selected(line, width) } else { line }
}
