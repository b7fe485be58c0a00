//! Keys and lists of the overlays.

use super::input::{act, no_letter, press};
use super::{Overlay, OverlayKind};
use crate::prelude::*;
use crate::screens::{body_of, glossary, help, palette, problems, search};
use tutor_progress::AttemptKind;
use ui_kit::field::Field;
use ui_kit::keys::{KeyCode, KeyModifiers};

impl Overlay {
    pub(crate) fn new(kind: OverlayKind) -> Self {
        // In the palette, no row has the cursor until the student types something or presses an arrow.
        Self { kind, field: Field::default(), cursor: (kind != OverlayKind::Palette).then_some(0) }
    }

    /// True if it has a text field.
    pub(super) fn typed(&self) -> bool {
        matches!(self.kind, OverlayKind::Palette | OverlayKind::Search | OverlayKind::Glossary)
    }

    /// True if a key that switches the language also works here. In a text field, a letter is typed instead.
    pub(super) fn switches(&self, key: KeyEvent) -> bool {
        !self.typed() || no_letter(key)
    }

    /// Moves the cursor after the text has changed.
    pub(super) fn retyped(&mut self, here: &[Action]) {
        self.cursor = if self.kind == OverlayKind::Palette { palette::first(self.field.text(), here) } else { Some(0) };
    }
}

/// Handles a key for the topmost overlay.
pub(super) fn key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Some(mut overlay) = model.overlays.pop() else { return Vec::new() };
    if let Some(moved) = movement(key, overlay.typed()) {
        let to = overlay.cursor.map_or(moved.min(0).unsigned_abs().min(1), |at| at.saturating_add_signed(moved));
        overlay.cursor = rows(model, &overlay).checked_sub(1).map(|last| to.min(last));
        model.overlays.push(overlay);
        return Vec::new();
    }
    match (key.code, overlay.kind) {
        (KeyCode::Esc, _) => return Vec::new(),
        (KeyCode::Char('q'), OverlayKind::Unsaved) => return vec![Effect::Quit],
        (KeyCode::Char('q' | '?') | KeyCode::Enter, OverlayKind::Help)
        | (KeyCode::Char('q' | 'p'), OverlayKind::Pages { .. })
        | (KeyCode::Char('q' | '!'), OverlayKind::Problems)
        | (KeyCode::Char('q'), OverlayKind::Gate { .. } | OverlayKind::Leaving) => return Vec::new(),
        (KeyCode::Char('P'), OverlayKind::Gate { level }) if model.data.course.exam.is_empty() => {
            return vec![Effect::Go(Go::Quiz { level, kind: AttemptKind::Practice })];
        }
        (KeyCode::Enter, _) => return chosen(model, &overlay),
        // A key that was typed ahead must not begin an attempt.
        (KeyCode::Char(_), OverlayKind::Gate { .. }) => return vec![Effect::Say(t!("gate-closed"))],
        _ if overlay.typed() && overlay.field.key(key) => overlay.retyped(&model.actions()),
        _ => {}
    }
    model.overlays.push(overlay);
    Vec::new()
}

/// Chooses the row under the cursor of an overlay that was just closed.
pub(super) fn chosen(model: &mut Model, overlay: &Overlay) -> Vec<Effect> {
    let (typed, cursor) = (overlay.field.text(), overlay.cursor.unwrap_or(0));
    match overlay.kind {
        OverlayKind::Help | OverlayKind::Glossary => Vec::new(),
        OverlayKind::Palette => {
            // Without a cursor, none of the matching actions works here; the first one explains that.
            if overlay.cursor.is_none() && typed.trim().is_empty() {
                return Vec::new();
            }
            match palette::matching(typed, &model.actions()).get(cursor) {
                // Chosen by name, quitting asks first, as its key does.
                Some((entry, true)) if entry.action == Action::QuitNow => act(model, Action::Quit),
                Some((entry, true)) => act(model, entry.action),
                Some((entry, false)) => vec![Effect::Say(t!("app-not-here", action = entry.about()))],
                None => Vec::new(),
            }
        }
        OverlayKind::Leaving => act(model, Action::QuitNow),
        OverlayKind::Unsaved => {
            model.overlays.push(Overlay::new(OverlayKind::Unsaved));
            vec![Effect::SaveAgain]
        }
        OverlayKind::Problems => problems::open(&model.data, cursor).into_iter().collect(),
        OverlayKind::Gate { level } => vec![Effect::Go(Go::Quiz { level, kind: AttemptKind::Gate })],
        OverlayKind::Pages { level } => vec![Effect::Go(Go::Page { level, page: cursor })],
        OverlayKind::Search => search::search(&model.data, typed)
            .get(cursor)
            .map(|found| Effect::Go(Go::Page { level: found.level, page: found.page }))
            .into_iter()
            .collect(),
    }
}

/// Moves the cursor of the topmost overlay to a row, or chooses the row if the cursor is already there. A row of the help
/// closes the help and acts like its key.
pub(super) fn click(model: &mut Model, row: usize) -> Vec<Effect> {
    let Some(mut overlay) = model.overlays.pop() else { return Vec::new() };
    let there = match overlay.kind {
        OverlayKind::Help => {
            if let Some((_, Some(action))) = help::rows(model).get(overlay.cursor.unwrap_or(0) + row) {
                return press(model, *action);
            }
            false
        }
        // A row of the glossary is part of an entry, and there is nothing to choose.
        OverlayKind::Gate { .. }
        | OverlayKind::Leaving
        | OverlayKind::Unsaved
        | OverlayKind::Glossary
        | OverlayKind::Problems => false,
        OverlayKind::Palette | OverlayKind::Pages { .. } | OverlayKind::Search => {
            overlay.cursor.replace(row) == Some(row)
        }
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
    overlay.cursor = Some(row);
    model.dirty = true;
    chosen(model, &overlay)
}

/// Returns the number of rows of an overlay that can have the cursor; for help, of its possible first rows.
fn rows(model: &Model, overlay: &Overlay) -> usize {
    let typed = overlay.field.text();
    match overlay.kind {
        OverlayKind::Help => {
            let height = usize::from(body_of(model.size).height.saturating_sub(2));
            help::rows(model).len().saturating_sub(height) + 1
        }
        OverlayKind::Palette => palette::matching(typed, &model.actions()).len(),
        OverlayKind::Pages { level } => model.data.course.levels.get(level).map_or(0, |level| pages(level).len()),
        OverlayKind::Search => search::search(&model.data, typed).len(),
        OverlayKind::Glossary => glossary::matching(model, typed).len(),
        OverlayKind::Problems => model.data.problems.len(),
        OverlayKind::Gate { .. } | OverlayKind::Leaving | OverlayKind::Unsaved => 0,
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
