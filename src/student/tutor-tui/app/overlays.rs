//! Keys and lists of the overlays.

use super::Overlay;
use super::input::{act, no_letter, press};
use crate::prelude::*;
use crate::screens::{body_of, glossary, help, palette, problems, search};
use tutor_progress::AttemptKind;
use ui_kit::keys::{KeyCode, KeyModifiers};

impl Overlay {
    /// True if it has a text field.
    pub(super) fn typed(&self) -> bool {
        matches!(self, Self::Palette { .. } | Self::Search { .. } | Self::Glossary { .. })
    }

    /// True if a key that switches the language also works here. In a text field, a letter is typed instead.
    pub(super) fn switches(&self, key: KeyEvent) -> bool {
        !self.typed() || no_letter(key)
    }
}

/// Handles a key for the topmost overlay.
pub(super) fn key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Some(mut overlay) = model.overlays.pop() else { return Vec::new() };
    let count = rows(model, &overlay);
    if let Some(moved) = movement(key, overlay.typed()) {
        match &mut overlay {
            Overlay::Help(first) => *first = first.saturating_add_signed(moved).min(count),
            Overlay::Gate { .. } | Overlay::Leaving | Overlay::Unsaved => {}
            Overlay::Palette { cursor, .. } => {
                let to = cursor.map_or(moved.min(0).unsigned_abs().min(1), |at| at.saturating_add_signed(moved));
                *cursor = count.checked_sub(1).map(|last| to.min(last));
            }
            Overlay::Pages { cursor, .. }
            | Overlay::Search { cursor, .. }
            | Overlay::Glossary { cursor, .. }
            | Overlay::Problems { cursor } => {
                *cursor = cursor.saturating_add_signed(moved).min(count.saturating_sub(1));
            }
        }
        model.overlays.push(overlay);
        return Vec::new();
    }
    match (key.code, &mut overlay) {
        (KeyCode::Esc, _) => return Vec::new(),
        (KeyCode::Char('q'), Overlay::Unsaved) => return vec![Effect::Quit],
        (KeyCode::Char('q' | '?') | KeyCode::Enter, Overlay::Help(_)) => return Vec::new(),
        (KeyCode::Char('q' | 'p'), Overlay::Pages { .. })
        | (KeyCode::Char('q' | '!'), Overlay::Problems { .. })
        | (KeyCode::Char('q'), Overlay::Gate { .. } | Overlay::Leaving) => {
            return Vec::new();
        }
        (KeyCode::Char('P'), Overlay::Gate { level }) if model.data.course.exam.is_empty() => {
            return vec![Effect::Go(Go::Quiz { level: *level, kind: AttemptKind::Practice })];
        }
        (KeyCode::Enter, overlay) => return chosen(model, overlay),
        // A key that was typed ahead must not begin an attempt.
        (KeyCode::Char(_), Overlay::Gate { .. }) => return vec![Effect::Say(t!("gate-closed"))],
        (_, Overlay::Palette { field, cursor }) => {
            let changed = field.key(key);
            if changed {
                *cursor = palette::first(field.text(), &model.actions());
            }
        }
        (_, Overlay::Search { field, cursor } | Overlay::Glossary { field, cursor }) => {
            let changed = field.key(key);
            *cursor = if changed { 0 } else { *cursor };
        }
        _ => {}
    }
    model.overlays.push(overlay);
    Vec::new()
}

/// Chooses the row under the cursor of an overlay that was just closed.
pub(super) fn chosen(model: &mut Model, overlay: &Overlay) -> Vec<Effect> {
    match overlay {
        Overlay::Help(_) | Overlay::Glossary { .. } => Vec::new(),
        Overlay::Palette { field, cursor } => {
            let here = model.actions();
            // Without a cursor, none of the matching actions works here; the first one explains that.
            let typed = !field.text().trim().is_empty();
            let Some(cursor) = cursor.or(typed.then_some(0)) else { return Vec::new() };
            match palette::matching(field.text(), &here).get(cursor) {
                // Chosen by name, quitting asks first, as its key does.
                Some((entry, true)) if entry.action == Action::QuitNow => act(model, Action::Quit),
                Some((entry, true)) => act(model, entry.action),
                Some((entry, false)) => vec![Effect::Say(t!("app-not-here", action = entry.about()))],
                None => Vec::new(),
            }
        }
        Overlay::Leaving => act(model, Action::QuitNow),
        Overlay::Unsaved => {
            model.overlays.push(Overlay::Unsaved);
            vec![Effect::SaveAgain]
        }
        Overlay::Problems { cursor } => problems::open(&model.data, *cursor).into_iter().collect(),
        Overlay::Gate { level } => vec![Effect::Go(Go::Quiz { level: *level, kind: AttemptKind::Gate })],
        Overlay::Pages { level, cursor } => vec![Effect::Go(Go::Page { level: *level, page: *cursor })],
        Overlay::Search { field, cursor } => search::search(&model.data, field.text())
            .get(*cursor)
            .map(|found| Effect::Go(Go::Page { level: found.level, page: found.page }))
            .into_iter()
            .collect(),
    }
}

/// Moves the cursor of the topmost overlay to a row, or chooses the row if the cursor is already there. A row of the help
/// closes the help and acts like its key.
pub(super) fn click(model: &mut Model, row: usize) -> Vec<Effect> {
    let Some(mut overlay) = model.overlays.pop() else { return Vec::new() };
    let there = match &mut overlay {
        Overlay::Help(first) => {
            if let Some((_, Some(action))) = help::rows(model).get(*first + row) {
                return press(model, *action);
            }
            false
        }
        // A row of the glossary is part of an entry, and there is nothing to choose.
        Overlay::Gate { .. }
        | Overlay::Leaving
        | Overlay::Unsaved
        | Overlay::Glossary { .. }
        | Overlay::Problems { .. } => false,
        Overlay::Palette { cursor, .. } => cursor.replace(row) == Some(row),
        Overlay::Pages { cursor, .. } | Overlay::Search { cursor, .. } => std::mem::replace(cursor, row) == row,
    };
    if there {
        return chosen(model, &overlay);
    }
    model.overlays.push(overlay);
    Vec::new()
}

/// Chooses a row of the topmost overlay.
pub(super) fn take(model: &mut Model, row: usize) -> Vec<Effect> {
    let Some(mut overlay) = model.overlays.pop() else { return Vec::new() };
    match &mut overlay {
        Overlay::Palette { cursor, .. } => *cursor = Some(row),
        Overlay::Pages { cursor, .. } | Overlay::Search { cursor, .. } | Overlay::Problems { cursor } => *cursor = row,
        _ => {}
    }
    model.dirty = true;
    chosen(model, &overlay)
}

/// Returns the number of rows of an overlay; for help, the maximum scroll position.
fn rows(model: &Model, overlay: &Overlay) -> usize {
    match overlay {
        Overlay::Help(_) => {
            let height = usize::from(body_of(model.size).height.saturating_sub(2));
            help::rows(model).len().saturating_sub(height)
        }
        Overlay::Palette { field, .. } => palette::matching(field.text(), &model.actions()).len(),
        Overlay::Pages { level, .. } => model.data.course.levels.get(*level).map_or(0, |level| pages(level).len()),
        Overlay::Search { field, .. } => search::search(&model.data, field.text()).len(),
        Overlay::Glossary { field, .. } => glossary::matching(model, field.text()).len(),
        Overlay::Problems { .. } => model.data.problems.len(),
        Overlay::Gate { .. } | Overlay::Leaving | Overlay::Unsaved => 0,
    }
}

fn movement(key: KeyEvent, typed: bool) -> Option<isize> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Up => -1,
        KeyCode::Down => 1,
        KeyCode::Char('p') if control => -1,
        KeyCode::Char('n') if control => 1,
        KeyCode::Char('k') if !typed => -1,
        KeyCode::Char('j') if !typed => 1,
        KeyCode::PageUp => -10,
        KeyCode::PageDown => 10,
        KeyCode::Home if !typed => isize::MIN / 2,
        KeyCode::End if !typed => isize::MAX / 2,
        _ => return None,
    })
}
