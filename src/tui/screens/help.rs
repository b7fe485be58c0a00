//! The keys that work here, made of the actions that the screen behind offers.

use super::Context;
use crate::tui::action::{Action, reaching};
use crate::tui::look::{Look, pad, truncate};
use crate::tui::theme::Meaning;
use ratatui::text::Line;

/// One row an action: keys, then what it does.
pub fn rows(actions: &[Action], editing: bool, width: u16, look: &Look) -> Vec<Line<'static>> {
    let mut rows = Vec::new();
    for at in 0..actions.len() {
        let keys = reaching(actions, at, editing);
        if keys.is_empty() {
            continue;
        }
        let keys: Vec<String> = keys.iter().map(|key| key.name(look.ascii).into_owned()).collect();
        let keys = pad(&keys.join("  "), 22);
        let about = truncate(&actions[at].entry().about(), usize::from(width).saturating_sub(24), look.ascii);
        rows.push(Line::from(vec![look.span(Meaning::Key, keys), look.span(Meaning::Text, format!("  {about}"))]));
    }
    rows
}

/// Furthest that the list scrolls in `height` rows.
pub fn scroll_most(actions: &[Action], editing: bool, context: &Context, height: usize) -> usize {
    rows(actions, editing, context.size.width, &context.look).len().saturating_sub(height)
}
