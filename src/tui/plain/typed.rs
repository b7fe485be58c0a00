//! What a typed line means.

use crate::app::{Model, Msg, Overlay, overlay_hints};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tutor_base::t;
use tutor_pictures::action::{Action, Hint, Key, is_spare, reaching};

/// Messages that do what the line says; an explanation if it says nothing that works here.
///
/// # Errors
/// If the line means nothing on this screen.
pub fn typed(model: &Model, line: &str) -> Result<Vec<Msg>, String> {
    let mut msgs = meant(model, line.trim())?;
    // Help was read and a list was heard: what is not theirs is for the screen below.
    if leaves_list(model, line.trim()) {
        msgs.insert(0, key(KeyCode::Esc));
    }
    Ok(msgs)
}

/// Whether a line is no business of the list on top, if there is one.
fn leaves_list(model: &Model, text: &str) -> bool {
    match model.overlays.last() {
        Some(Overlay::Help(_)) => !text.is_empty(),
        Some(Overlay::Pages { .. } | Overlay::Problems { .. }) => {
            !text.is_empty() && text.parse::<usize>().is_err() && text != "esc"
        }
        Some(Overlay::Palette { .. } | Overlay::Search { .. } | Overlay::Glossary { .. }) => {
            text.len() > 1 && text.starts_with(':') && text != ":esc"
        }
        Some(Overlay::Gate { .. } | Overlay::Leaving) | None => false,
    }
}

fn meant(model: &Model, text: &str) -> Result<Vec<Msg>, String> {
    let actions = model.actions();
    let field = model.overlay_editing() || model.overlays.is_empty() && model.screen_editing();
    // In a field a line is what is typed; a command begins with a colon there.
    let (command, escaped) = match text.strip_prefix(':') {
        Some(rest) if !rest.trim().is_empty() => (rest.trim(), true),
        _ => (text, false),
    };
    if let Some(rows) = listing(model)
        && let Ok(number @ 1..) = command.parse::<usize>()
    {
        if number > rows {
            return Err(t!("plain-no-row", number = number, rows = rows));
        }
        return Ok(vec![Msg::Row(number - 1)]);
    }
    if field && !escaped && !text.is_empty() {
        let clear = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
        let mut msgs = vec![key(KeyCode::End), Msg::Key(clear)];
        msgs.push(Msg::Paste(text.to_owned()));
        // A list that is searched says what it found; a question takes the answer.
        if !model.overlay_editing() {
            msgs.push(key(KeyCode::Enter));
        }
        return Ok(msgs);
    }
    if let Some(event) = named(command) {
        // A letter that nothing listens to is better explained than swallowed.
        let listened = |key: Key| (0..actions.len()).any(|at| reaching(&actions, at, field).contains(&key));
        let alone = model.overlays.is_empty() || leaves_list(model, text);
        return match Key::of(event) {
            Some(key @ Key::Char(_)) if alone && !listened(key) => Err(t!("plain-unknown", typed = command)),
            _ => Ok(vec![Msg::Key(event)]),
        };
    }
    let by_label = (actions.iter().copied().enumerate())
        .find(|(_, action)| action.entry().label().eq_ignore_ascii_case(command))
        .and_then(|(at, _)| reaching(&actions, at, field).first().copied());
    match by_label {
        Some(key) => Ok(vec![Msg::Key(key.event())]),
        None => Err(t!("plain-unknown", typed = command)),
    }
}

/// Rows of the list on top, or lines of the code, if they are chosen by number.
fn listing(model: &Model) -> Option<usize> {
    let rows = match model.overlays.last() {
        Some(Overlay::Help(_) | Overlay::Gate { .. } | Overlay::Glossary { .. }) => return None,
        Some(_) => super::output::overlay_rows(model).len(),
        None => model.screen()?.rows_to_take(&model.context()),
    };
    Some(rows).filter(|rows| *rows > 0)
}

fn key(code: KeyCode) -> Msg {
    Msg::Key(KeyEvent::from(code))
}

/// A key by its name or its one character; Enter for an empty line.
fn named(text: &str) -> Option<KeyEvent> {
    let mut characters = text.chars();
    let code = match (characters.next(), characters.next()) {
        (None, _) => KeyCode::Enter,
        (Some(c), None) => KeyCode::Char(c),
        _ => match text.to_lowercase().as_str() {
            "enter" => KeyCode::Enter,
            "esc" | "escape" => KeyCode::Esc,
            "tab" => KeyCode::Tab,
            "space" => KeyCode::Char(' '),
            "left" => KeyCode::Left,
            "right" => KeyCode::Right,
            "up" => KeyCode::Up,
            "down" => KeyCode::Down,
            "home" => KeyCode::Home,
            "end" => KeyCode::End,
            "backspace" => KeyCode::Backspace,
            _ => return None,
        },
    };
    Some(KeyEvent::from(code))
}

/// The actions of this place in one sentence: what to type for each.
pub(super) fn offers(model: &Model) -> String {
    let hints = match model.overlays.last() {
        Some(overlay) => overlay_hints(overlay, model, true),
        None => {
            let actions: Vec<Action> = model.actions().into_iter().filter(|action| !screen_only(*action)).collect();
            tutor_pictures::action::hints(&actions, true, model.screen_editing())
        }
    };
    let offers: Vec<String> = hints.iter().map(Hint::text).collect();
    offers.join(", ")
}

/// The actions of this place, a sentence each: what to type, and what it does.
pub(super) fn explained(model: &Model) -> Vec<String> {
    let field = model.screen_editing();
    let actions: Vec<Action> = model.actions().into_iter().filter(|action| !screen_only(*action)).collect();
    let sentence = |(at, action): (usize, &Action)| {
        let key = reaching(&actions, at, field).first()?.name(true).into_owned();
        Some(format!("{key}: {}.", action.entry().about()))
    };
    actions.iter().enumerate().filter_map(sentence).collect()
}

/// Actions that only a screen has a use for, and further keys for what has one.
fn screen_only(action: Action) -> bool {
    is_spare(action)
        || matches!(
            action,
            Action::NextTheme
                | Action::Redraw
                | Action::Suspend
                | Action::Zoom
                | Action::PageUp
                | Action::PageDown
                | Action::Play
        )
}
