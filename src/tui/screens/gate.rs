//! What a gate is, before it begins.

use super::Context;
use crate::t;
use crate::tui::markdown;
use ratatui::text::Line;

/// How many questions, how many must be right, and what an attempt costs.
pub fn rows(level: usize, width: u16, context: &Context) -> Vec<Line<'static>> {
    let Some(stands) = context.world.stands(level) else { return Vec::new() };
    let unread = stands.pages.total - stands.pages.read;
    let head = t!("gate-text", questions = stands.questions, required = stands.required, unread = unread)
        .trim_end()
        .to_owned();
    let opens = match context.world.course.levels.get(level + 1) {
        Some(_) if stands.passed => t!("gate-passed"),
        Some(next) => t!("gate-opens", level = level + 2, title = next.title.as_str()),
        None => t!("gate-last"),
    };
    let beside = match &stands.requires {
        Some(required) if required.passed && !stands.passed => t!("gate-exercise-passed"),
        Some(_) if !stands.passed => t!("gate-exercise"),
        _ => String::new(),
    };
    let text = format!("{head}\n\n{opens} {beside} {}", t!("gate-about"));
    markdown::render(&text, width, &context.look)
}
