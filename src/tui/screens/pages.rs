//! The pages of a level.

use super::Context;
use super::lesson::render_tag;
use crate::tui::look::{pad, truncate};
use crate::tui::theme::Meaning;
use crate::tui::world::pages;
use ratatui::text::{Line, Span};

/// One row a page: number, whether it was read, title, tag.
pub fn rows(level: usize, cursor: usize, width: u16, context: &Context) -> Vec<Line<'static>> {
    let (world, look) = (context.world, &context.look);
    let Some(content) = world.course.levels.get(level) else { return Vec::new() };
    let read = world.stands(level).map(|stands| &stands.read);
    let title_width = usize::from(width).saturating_sub(26);
    pages(content)
        .iter()
        .enumerate()
        .map(|(at, page)| {
            let mark =
                if read.is_some_and(|read| read.contains(&page.id.value)) { look.right() } else { Span::raw(" ") };
            let title = pad(&truncate(&page.title, title_width, look.ascii), title_width);
            let line = Line::from(vec![
                look.cursor(at == cursor),
                mark,
                look.span(Meaning::Muted, format!(" {:>2}  ", at + 1)),
                look.span(Meaning::Text, title),
                look.span(Meaning::Muted, format!("  {}", render_tag(page.tag))),
            ]);
            if at == cursor { line.style(look.style(Meaning::Selected)) } else { line }
        })
        .collect()
}
