//! Draws a page.

use super::super::{Context, Hits, body_of};
use super::{Focus, Lesson, layout};
use crate::course::Tag;
use crate::tui::look::{draw, two_ends};
use crate::tui::screens::Hit;
use crate::tui::theme::Meaning;
use crate::tui::world::pages;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

/// Draws a page into the terminal without its last line.
pub fn render(lesson: &Lesson, frame: &mut Frame, context: &Context, hits: &mut Hits) {
    let (look, body) = (&context.look, body_of(context.size));
    let layout = layout::of(lesson, context);
    head(lesson, frame, body, context, &layout);
    let shown = layout.flow.lines.iter().skip(layout.scroll).take(layout.text.height.into()).cloned().collect();
    draw(frame, layout.text, shown);
    hits.push((layout.text, Hit::Text));
    for &(row, choice) in &layout.flow.choices {
        let on_screen = row.checked_sub(layout.scroll).filter(|row| *row < usize::from(layout.text.height));
        if let Some(row) = on_screen {
            hits.push((Rect { y: layout.text.y + row as u16, height: 1, ..layout.text }, Hit::Choice(choice)));
        }
    }
    if lesson.shows_picture(context) && layout.rule.height > 0 {
        draw(frame, layout.rule, vec![rule(lesson, context, &layout)]);
        hits.push((Rect { height: layout.rule.height + layout.picture.height, ..layout.rule }, Hit::Instrument));
        if let Some(instrument) = &lesson.instrument {
            if layout.picture.height > 0 {
                instrument.render(frame, layout.picture, look);
            }
        } else if let Some(code) = &lesson.code {
            let rows = code.rows(&context.world.catalog, layout.picture.width, look);
            let from = code.scroll.min(layout.code_scroll_most);
            draw(frame, layout.picture, rows.into_iter().skip(from).take(layout.picture.height.into()).collect());
        }
    } else if layout.overflows() && layout.below() > 0 {
        more(frame, layout.text, layout.below(), context);
    }
}

fn head(lesson: &Lesson, frame: &mut Frame, body: Rect, context: &Context, layout: &layout::Layout) {
    let look = &context.look;
    let Some(level) = context.world.course.levels.get(lesson.level) else { return };
    let Some(page) = lesson.content(context) else { return };
    let count = pages(level).len();
    // The page's own title matters more than the level's.
    let whole = format!(" {} {} > {}", lesson.level + 1, level.title, page.title);
    let fits = whole.width() + 28 <= usize::from(body.width);
    let of = if fits { format!("{} {} ", lesson.level + 1, level.title) } else { format!("{} ", lesson.level + 1) };
    let left = vec![
        Span::raw(" "),
        look.span(Meaning::Muted, of),
        look.span(Meaning::Border, format!("{} ", look.sign("▸", ">"))),
        look.span(Meaning::Title, page.title.clone()),
    ];
    let mut right = vec![look.span(Meaning::Muted, format!("page {}/{count}  ", lesson.page + 1))];
    right.extend(look.thin_bar(lesson.page + 1, count, 9));
    right.push(Span::raw(" "));
    let [first, second] = [0, 1].map(|row| Rect { y: body.y + row, height: 1.min(body.height), ..body });
    draw(frame, first, vec![two_ends(left, right, body.width)]);
    if lesson.zoomed() && layout.rule.height > 0 {
        return;
    }
    // Beside a picture the line ends where the picture's begins.
    let second = match layout.rule {
        rule if rule.height > 0 && rule.y == second.y => Rect { width: rule.x.saturating_sub(2), ..second },
        _ => second,
    };
    let above = match layout.scroll {
        0 => String::new(),
        lines => format!(" {} {lines} more above ", look.sign("▲", "^")),
    };
    let width = second.width.saturating_sub(2 + above.chars().count() as u16);
    let mut rule = inset(look.rule(tag_name(page.tag), Meaning::Accent, width));
    rule.spans.push(look.span(Meaning::Warning, above));
    draw(frame, second, vec![rule]);
}

fn inset(mut line: Line<'static>) -> Line<'static> {
    line.spans.insert(0, Span::raw(" "));
    line
}

/// The line above the picture: what it is, how it gets the keys, and how much text is hidden above it.
fn rule(lesson: &Lesson, context: &Context, layout: &layout::Layout) -> Line<'static> {
    let look = &context.look;
    let name = match (&lesson.instrument, &lesson.code) {
        (Some(instrument), _) => instrument.name(),
        (None, Some(code)) => format!("code: {}", code.title(&context.world.catalog)),
        (None, None) => String::new(),
    };
    let has_keys = lesson.focus == Focus::Picture;
    let title = if layout.picture.height == 0 { format!("{name}: Tab opens it") } else { name };
    let mut right = String::new();
    // Whoever gave the picture the whole screen knows that the text is hidden.
    if layout.below() > 0 && !lesson.zoomed() {
        right.push_str(&format!("{} {} of text ", look.sign("▲", "^"), more_lines(layout.below())));
    }
    if lesson.code.is_some() && layout.code_scroll_most > 0 {
        let from = lesson.code.as_ref().map_or(0, |code| code.scroll.min(layout.code_scroll_most));
        let left = layout.code_scroll_most - from;
        if left > 0 {
            let how = if has_keys { "" } else { ", Tab" };
            right.push_str(&format!("{} {} of code{how} ", look.sign("▼", "v"), more_lines(left)));
        }
    }
    let meaning = if has_keys { Meaning::Focus } else { Meaning::Muted };
    let width = layout.rule.width.saturating_sub(right.chars().count() as u16);
    let mut line = look.rule(&title, meaning, width);
    line.spans.push(look.span(Meaning::Warning, right));
    line
}

fn more_lines(count: usize) -> String {
    format!("{count} more line{}", if count == 1 { "" } else { "s" })
}

fn more(frame: &mut Frame, text: Rect, below: usize, context: &Context) {
    let look = &context.look;
    let hint = format!(" {} {below} more ", look.sign("▼", "v"));
    let width = (hint.chars().count() as u16).min(text.width);
    let at = Rect {
        x: text.x + text.width - width,
        y: text.y + text.height.saturating_sub(1),
        width,
        height: 1.min(text.height),
    };
    draw(frame, at, vec![Line::styled(hint, look.style(Meaning::Warning))]);
}

/// What a tag is called.
pub fn tag_name(tag: Tag) -> &'static str {
    match tag {
        Tag::Recall => "recall",
        Tag::Concrete => "concrete",
        Tag::Representational => "representational",
        Tag::Abstract => "abstract",
        Tag::Code => "code",
        Tag::Simulate => "simulate",
        Tag::Hazard => "hazard",
        Tag::Run => "run",
        Tag::Why => "why",
        Tag::Exercise => "exercise",
        Tag::Summary => "summary",
        Tag::Preview => "preview",
    }
}
