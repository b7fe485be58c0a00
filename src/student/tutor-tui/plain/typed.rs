//! Interprets typed lines.

use crate::app::{OverlayKind, in_place, overlay_hints, why_silent};
use crate::prelude::*;
use ui_kit::action::{Hint, Key, is_spare, reaching};
use ui_kit::keys::{KeyCode, KeyModifiers};

/// Returns the input that a typed line stands for.
///
/// # Errors
/// An explanation if the line means nothing on this screen.
pub fn typed(model: &Model, line: &str) -> Result<Vec<Input>, String> {
    let mut msgs = meant(model, line.trim())?;
    // A line that does not belong to the list closes it and goes to the screen below.
    if leaves_list(model, line.trim()) {
        msgs.insert(0, key(KeyCode::Esc));
    }
    Ok(msgs)
}

/// True if the line does not belong to the topmost overlay.
fn leaves_list(model: &Model, text: &str) -> bool {
    match model.overlay() {
        Some(OverlayKind::Help) => !text.is_empty(),
        Some(OverlayKind::Pages { .. } | OverlayKind::Problems) => {
            !text.is_empty() && text.parse::<usize>().is_err() && text != "esc"
        }
        _ => model.overlay_editing() && text.len() > 1 && text.starts_with(':') && text != ":esc",
    }
}

fn meant(model: &Model, text: &str) -> Result<Vec<Input>, String> {
    let actions = model.actions();
    let field = model.overlay_editing() || model.overlays.is_empty() && model.screen_editing();
    let shown = |text: &str| {
        let named = |key: &Key| text.len() > 1 && key.name(true).eq_ignore_ascii_case(text);
        (0..actions.len()).find_map(|at| reaching(&actions, at, field).into_iter().find(named))
    };
    // In a text field, the line is the text, unless it begins with a colon, asks for help, or names a key that is offered and no word.
    let (command, escaped) = match text.strip_prefix(':') {
        Some(rest) if !rest.trim().is_empty() => (rest.trim(), true),
        _ if model.overlay_editing() => (text, text.eq_ignore_ascii_case("esc")),
        _ => {
            let sign = matches!(shown(text), Some(Key::Ctrl(_) | Key::Code(KeyCode::Esc | KeyCode::F(_))));
            (text, sign || text == "?")
        }
    };
    if field && command == "?" && escaped {
        return Ok(vec![key(KeyCode::F(1))]);
    }
    if let Some(rows) = listing(model)
        && let Ok(number @ 1..) = command.parse::<usize>()
    {
        if number > rows {
            return Err(t!("plain-no-row", number, rows));
        }
        return Ok(vec![Input::Row(number - 1)]);
    }
    if field && !escaped && !text.is_empty() {
        let clear = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
        let mut msgs = vec![key(KeyCode::End), Input::Key(clear)];
        msgs.push(Input::Paste(text.to_owned()));
        // A search shows its results; at a question, Enter gives the answer.
        if !model.overlay_editing() {
            msgs.push(key(KeyCode::Enter));
        }
        return Ok(msgs);
    }
    if let Some(key) = shown(command) {
        return Ok(vec![Input::Key(key.event())]);
    }
    if let Some(event) = named(model, command) {
        // A letter without an action gets an explanation.
        let listened = |key: Key| (0..actions.len()).any(|at| reaching(&actions, at, field).contains(&key));
        let alone = model.overlays.is_empty() || leaves_list(model, text);
        return match Key::from_event(event) {
            Some(key @ Key::Char(_)) if alone && !listened(key) => {
                Err(why_silent(model, key).unwrap_or_else(|| t!("plain-unknown", typed = command)))
            }
            _ => Ok(vec![Input::Key(event)]),
        };
    }
    let by_label = (actions.iter().copied().enumerate())
        .find(|(_, action)| action.entry().label().eq_ignore_ascii_case(command))
        .and_then(|(at, _)| reaching(&actions, at, field).first().copied());
    match by_label {
        Some(key) => Ok(vec![Input::Key(key.event())]),
        None => Err(t!("plain-unknown", typed = command)),
    }
}

/// Returns the number of rows or lines of code that can be chosen by number.
fn listing(model: &Model) -> Option<usize> {
    let rows = match model.overlay() {
        Some(OverlayKind::Help | OverlayKind::Gate { .. } | OverlayKind::Glossary) => return None,
        Some(_) => super::output::overlay_rows(model).len(),
        None => model.screen()?.rows_to_take(&model.context()),
    };
    Some(rows).filter(|rows| *rows > 0)
}

fn key(code: KeyCode) -> Input {
    Input::Key(KeyEvent::from(code))
}

/// Returns the key with this name or character. An empty line is Enter.
fn named(model: &Model, text: &str) -> Option<KeyEvent> {
    let mut characters = text.chars();
    let code = match (characters.next(), characters.next()) {
        (None, _) => KeyCode::Enter,
        (Some(c), None) => return Some(in_place(model, KeyEvent::from(KeyCode::Char(c)))),
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

/// Lists the actions that work here, with their keys, on one line.
pub(super) fn offers(model: &Model) -> String {
    let hints = match model.overlays.last() {
        Some(overlay) => overlay_hints(overlay, model, true),
        None => ui_kit::action::hints(&offered(model), true, model.screen_editing()),
    };
    let offers: Vec<String> = hints.iter().map(Hint::text).collect();
    offers.join(", ")
}

/// Explains each action that works here in a sentence: its key, and what it does.
pub(super) fn explained(model: &Model) -> Vec<String> {
    let field = model.screen_editing();
    let actions = offered(model);
    let sentence = |(at, action): (usize, &Action)| {
        let key = reaching(&actions, at, field).first()?.name(true).into_owned();
        Some(format!("{key}: {}.", action.entry().about()))
    };
    actions.iter().enumerate().filter_map(sentence).collect()
}

/// Returns the actions that work here and are useful without a screen.
fn offered(model: &Model) -> Vec<Action> {
    model.actions().into_iter().filter(|action| !screen_only(*action)).collect()
}

/// True for actions that are useful only on a full screen, and for alternative keys of other actions.
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
