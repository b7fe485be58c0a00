//! What a gate is, before it begins.

use super::Context;
use crate::tui::markdown;
use ratatui::text::Line;

/// How many questions, how many must be right, and what an attempt costs.
pub fn rows(level: usize, width: u16, context: &Context) -> Vec<Line<'static>> {
    let Some(stands) = context.world.stands(level) else { return Vec::new() };
    let unread = stands.pages.total - stands.pages.read;
    let unread = match unread {
        0 => String::new(),
        1 => " One page is unread.".to_owned(),
        _ => format!(" {unread} pages are unread."),
    };
    let opens = match context.world.course.levels.get(level + 1) {
        Some(_) if stands.passed => "You have passed it; another attempt takes nothing away.".to_owned(),
        Some(next) => format!("It opens level {}, {}.", level + 2, next.title),
        None => "It is the last gate of the course.".to_owned(),
    };
    let text = format!(
        "**{} questions, {} right answers pass.**{unread}\n\n{opens} You hear what was right after the last answer. \
         You may leave in the middle: the answers are kept. An attempt that fails costs nothing, and the next one \
         asks other questions.",
        stands.questions, stands.required
    );
    markdown::render(&text, width, &context.look)
}
