//! Applies the input of the student and of the clock: keys, clicks, pasted text, sizes and time.

use super::update::{picture, with_screen};
use super::{OverlayKind, exists, job, overlays};
use crate::prelude::*;
use std::time::Duration;
use tutor_support::IN_A_PAGE;
use ui_kit::action::{Key, find, reaching};
use ui_kit::keys::KeyCode;
use ui_kit::look::SMALLEST;
use ui_kit::theme::Theme;

/// Maximum time between the clicks of a double click. Its second click does nothing if the first one has moved the screen.
const DOUBLE: Duration = Duration::from_millis(400);

/// Time after a notice appears in which keys still go to the screen below, if a key was pressed as short a time before.
pub(super) const BLIND: Duration = Duration::from_millis(600);

pub(super) fn handle(model: &mut Model, input: Input) -> Vec<Effect> {
    match input {
        Input::Key(key) => self::key(model, key),
        Input::Paste(text) => paste(model, &text),
        Input::Click { x, y } => click(model, Position::new(x, y)),
        Input::Row(row) if model.overlays.is_empty() => {
            model.dirty = true;
            let take = |screen: &mut Screen, context: &Context| {
                if row < screen.rows_to_take(context) { screen.take(row, context) } else { Vec::new() }
            };
            with_screen(model, take).unwrap_or_default()
        }
        Input::Row(row) => overlays::take(model, row),
        Input::Wheel(rows) => wheel(model, rows.into()),
        Input::Resize(size) => {
            (model.size, model.dirty) = (size, true);
            Vec::new()
        }
        Input::Tick(now) => tick(model, now),
    }
}

fn key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    if model.noticed.is_some_and(|since| model.now < since + BLIND)
        && let Some(notice) = model.screens.pop_if(|screen| matches!(screen, Screen::Problem(_)))
    {
        let effects = self::key(model, key);
        model.screens.push(notice);
        return effects;
    }
    (model.dirty, model.message, model.typed) = (true, None, Some(model.now));
    let typing = model.overlay_editing() || model.overlays.is_empty() && model.screen_editing();
    let key = if typing { key } else { in_place(model, key) };
    picture(model, |picture| picture.finish_animation());
    let everywhere = find(&[Action::QuitNow, Action::Suspend, Action::Redraw], key);
    if let Some(action) = everywhere.filter(|action| exists(*action)) {
        return act(model, action);
    }
    if too_small(model) {
        return find(&[Action::Quit], key).map_or_else(Vec::new, |action| act(model, action));
    }
    if model.overlays.last().is_some_and(|overlay| overlay.switches(key)) || model.screen_editing() && no_letter(key) {
        let language = find(&[Action::NextLanguage], key).filter(|action| model.actions().contains(action));
        if let Some(action) = language {
            return act(model, action);
        }
    }
    if !model.overlays.is_empty() {
        return overlays::key(model, key);
    }
    if model.screen_editing() {
        let taken = with_screen(model, |screen, context| screen.key(key, context));
        if let Some(Some(effects)) = taken {
            return effects;
        }
    }
    match find(&model.actions(), key) {
        Some(action) => act(model, action),
        None => silent(model, key).map(Effect::Say).into_iter().collect(),
    }
}

/// Turns a Hangul letter into the Latin letter in the same place on the keyboard. Most Hangul letters have no capital, so
/// they stand for the capital Latin letter if the small one does nothing, or only what an arrow key does.
pub(crate) fn in_place(model: &Model, key: KeyEvent) -> KeyEvent {
    let KeyCode::Char(c) = key.code else { return key };
    let Some(latin) = ui_kit::keys::latin(c) else { return key };
    let [small, capital] = [latin, latin.to_ascii_uppercase()].map(|c| KeyEvent::from(KeyCode::Char(c)));
    match [small, capital].map(|key| find(&model.actions(), key)) {
        [None | Some(Action::Up | Action::Down), Some(_)] => capital,
        _ => small,
    }
}

/// Explains why a key does nothing. `None` for a key that scrolls or leaves elsewhere, unless there is a particular reason.
fn silent(model: &Model, key: KeyEvent) -> Option<String> {
    use KeyCode::{Down, End, Esc, Home, PageDown, PageUp, Up};
    let key = Key::from_event(key)?;
    let moves =
        matches!(key, Key::Code(Up | Down | PageUp | PageDown | Home | End | Esc) | Key::Shift(_) | Key::Ctrl(_));
    why_silent(model, key).or_else(|| (!moves).then(|| t!("app-key-nothing", key = key.name(model.ascii))))
}

/// Returns the particular reason why a key does nothing on this screen, if there is one.
pub(crate) fn why_silent(model: &Model, key: Key) -> Option<String> {
    let reason = model.screen().and_then(|screen| screen.silent(key, &model.context()));
    reason.or_else(|| (key == Key::Char('q')).then(|| t!("app-key-quits", page = usize::from(IN_A_PAGE))))
}

/// True if the key types no character.
pub(super) fn no_letter(key: KeyEvent) -> bool {
    !matches!(key.code, KeyCode::Char(_))
}

pub(super) fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        // Quitting would lose the running launch.
        Action::Quit if model.job.is_some() => model.lay_over(OverlayKind::Leaving),
        Action::Quit | Action::QuitNow => {
            if model.saving.is_empty() || model.overlay() == Some(OverlayKind::Unsaved) {
                return vec![Effect::Quit];
            }
            model.lay_over(OverlayKind::Unsaved);
            return vec![Effect::SaveAgain];
        }
        Action::Suspend => return vec![Effect::Suspend],
        Action::Redraw => return vec![Effect::Redraw],
        Action::Help => model.lay_over(OverlayKind::Help),
        Action::Palette => model.lay_over(OverlayKind::Palette),
        Action::Search => model.lay_over(OverlayKind::Search),
        Action::Glossary => model.lay_over(OverlayKind::Glossary),
        Action::NextTheme => {
            if let Ok(theme) = Theme::named(model.theme.next_name()) {
                model.theme = theme;
                let name = model.theme.name();
                return vec![Effect::Say(t!("app-theme", name)), Effect::KeepTheme(name.to_owned())];
            }
        }
        Action::Problems => model.lay_over(OverlayKind::Problems),
        Action::NextLanguage => return vec![Effect::SwitchLanguage],
        Action::CancelLaunch => return job::cancel(model),
        action => {
            return with_screen(model, |screen, context| screen.act(action, context)).unwrap_or_default();
        }
    }
    Vec::new()
}

fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    model.dirty = true;
    let typing = model.screen_editing();
    let here = model.actions();
    match model.overlays.last_mut() {
        Some(overlay) if overlay.typed() => {
            overlay.field.paste(text);
            overlay.retyped(&here);
        }
        Some(_) => {}
        None if !typing => return vec![Effect::Say(t!("app-paste-nothing"))],
        None => {
            if let Some(effects) = with_screen(model, |screen, context| screen.paste(text, context)).flatten() {
                return effects;
            }
            let typed = text.chars().filter(|c| !c.is_control()).take(256);
            return typed.flat_map(|c| key(model, KeyEvent::from(KeyCode::Char(c)))).collect();
        }
    }
    Vec::new()
}

fn click(model: &mut Model, at: Position) -> Vec<Effect> {
    (model.dirty, model.message) = (true, None);
    let hit = model.hits.iter().rev().find(|(area, _)| area.contains(at)).map(|(_, hit)| *hit);
    if let Some((_, _, before)) = model.clicked.filter(|(there, since, _)| *there == at && model.now < *since + DOUBLE)
        && before != hit
    {
        return Vec::new();
    }
    model.clicked = Some((at, model.now, hit));
    if let Some(Hit::Action(action)) = hit {
        return press(model, action);
    }
    if !model.overlays.is_empty() {
        return match hit {
            Some(Hit::Row(row)) => overlays::click(model, row),
            Some(_) => Vec::new(),
            None => {
                model.overlays.pop();
                Vec::new()
            }
        };
    }
    let Some(hit) = hit else { return Vec::new() };
    with_screen(model, |screen, context| screen.click(hit, at, context)).unwrap_or_default()
}

/// Acts like the key that the key bar shows for an action.
pub(super) fn press(model: &mut Model, action: Action) -> Vec<Effect> {
    let shown = if model.overlays.is_empty() {
        let actions = model.actions();
        let at = actions.iter().position(|other| *other == action);
        at.and_then(|at| reaching(&actions, at, model.screen_editing()).first().copied())
    } else {
        action.entry().keys.first().copied()
    };
    shown.map_or_else(Vec::new, |shown| key(model, shown.event()))
}

fn wheel(model: &mut Model, rows: isize) -> Vec<Effect> {
    model.dirty = true;
    if !model.overlays.is_empty() {
        let code = if rows < 0 { KeyCode::Up } else { KeyCode::Down };
        return overlays::key(model, KeyEvent::from(code));
    }
    with_screen(model, |screen, context| screen.scroll_by(rows, context)).unwrap_or_default()
}

fn tick(model: &mut Model, now: Duration) -> Vec<Effect> {
    model.now = now;
    if model.message.as_ref().is_some_and(|message| message.until <= now) {
        (model.message, model.dirty) = (None, true);
    }
    let changed = with_screen(model, |screen, _| screen.tick(now));
    model.dirty |= changed.unwrap_or(false) || model.job.is_some() || model.saving.shows(now);
    Vec::new()
}

/// True if the terminal is too small to draw on.
pub(super) fn too_small(model: &Model) -> bool {
    model.size.width < SMALLEST.0 || model.size.height < SMALLEST.1
}
