//! The help overlay: the keys that work on the screen behind it, and the meaning of its signs.

use crate::prelude::*;
use ui_kit::action::{Key, is_housekeeping, reaching};
use ui_kit::look::pad;
use ui_kit::wrap::hang;

/// Width of the column of keys in cells.
const KEYS: usize = 20;

/// A sign on the screen, and its meaning.
pub type Sign = (&'static str, String);

fn moves(action: Action) -> bool {
    use Action::*;
    matches!(action, Up | Down | PageUp | PageDown | First | Last | Left | Right | Back)
}

fn works_everywhere(action: Action) -> bool {
    is_housekeeping(action) || matches!(action, Action::Help | Action::Search | Action::Glossary | Action::CancelLaunch)
}

/// A row, and the action that a click on it triggers.
type Row = (Line<'static>, Option<Action>);

/// Returns the rows: actions of this page, movement, actions that work everywhere, and the signs.
pub fn rows(model: &Model) -> Vec<Row> {
    let (actions, editing, look) = (&model.actions(), model.screen_editing(), &model.look());
    let width = model.size.width.saturating_sub(4).min(84).saturating_sub(4);
    let mut rows = Vec::new();
    let page = |action| !moves(action) && !works_everywhere(action);
    let groups: [(String, &dyn Fn(Action) -> bool); 3] =
        [(t!("help-page"), &page), (t!("help-moving"), &moves), (t!("help-everywhere"), &works_everywhere)];
    for (title, belongs) in groups {
        let mut group = Vec::new();
        for (at, action) in actions.iter().enumerate().filter(|(_, action)| belongs(**action)) {
            let keys = reaching(actions, at, editing);
            if keys.is_empty() {
                continue;
            }
            let keys: Vec<String> = keys.iter().map(|key| key.name(look.ascii).into_owned()).collect();
            if is_numbered(*action) && at.checked_sub(1).is_some_and(|before| same_kind(actions[before], *action)) {
                continue;
            }
            let keys = match last_of(actions, at, editing) {
                Some(last) => vec![format!("{}{}{}", keys[0], look.sign("–", "-"), last.name(look.ascii))],
                None => keys,
            };
            // A click that was meant for nothing must not end or stop the tutor.
            let ends = matches!(action, Action::Quit | Action::QuitNow | Action::Suspend);
            let one = Some(*action).filter(|action| !ends && !is_numbered(*action));
            let lines = row(&keys.join("  "), &action.entry().about(), Meaning::Key, width, look);
            group.extend(lines.into_iter().map(|line| (line, one)));
        }
        section(&mut rows, title, group, look);
    }
    let signs = model.signs();
    let signs = signs.iter().flat_map(|(sign, means)| row(sign, means, Meaning::Strong, width, look));
    section(&mut rows, t!("help-signs"), signs.map(|line| (line, None)).collect(), look);
    rows
}

/// True for numbered actions, which share a row: choices and presets.
fn is_numbered(action: Action) -> bool {
    matches!(action, Action::Choose(_) | Action::Preset(_))
}

fn same_kind(one: Action, other: Action) -> bool {
    std::mem::discriminant(&one) == std::mem::discriminant(&other)
}

/// Returns the key of the last of the numbered actions that begin at `at`, if there are several.
fn last_of(actions: &[Action], at: usize, editing: bool) -> Option<Key> {
    let action = *actions.get(at).filter(|action| is_numbered(**action))?;
    let last = at + actions[at..].iter().take_while(|other| same_kind(**other, action)).count() - 1;
    reaching(actions, last, editing).first().copied().filter(|_| last > at)
}

fn section(rows: &mut Vec<Row>, title: String, group: Vec<Row>, look: &Look) {
    if group.is_empty() {
        return;
    }
    if !rows.is_empty() {
        rows.push((Line::default(), None));
    }
    rows.push((Line::from(look.span(Meaning::Heading, title)), None));
    rows.extend(group);
}

fn row(left: &str, right: &str, meaning: Meaning, width: u16, look: &Look) -> Vec<Line<'static>> {
    let lines = wrap_text(right, look.style(Meaning::Text), width.saturating_sub(KEYS as u16 + 2));
    // Keys that are wider than the column move the text to the right.
    let column = KEYS.max(left.width());
    hang(lines, &look.span(meaning, format!("{}  ", pad(left, column))), &Span::raw(" ".repeat(KEYS + 2)))
}
