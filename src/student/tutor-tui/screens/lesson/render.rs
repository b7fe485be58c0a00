//! Draws a page.

use super::super::{body_of, draw_scrolled, glossary, hit_row, mark_below, pages};
use super::layout::Layout;
use super::{Focus, Lesson, layout, picture};
use crate::prelude::*;
use tutor_course::{Page, Tag};
use ui_kit::look::draw;

/// Minimum rows below a text, and minimum width of the text, for showing the terms of the page there.
const MIN_MARGIN_ROWS: u16 = 8;
const MARGIN_WIDE: u16 = 40;
/// Minimum height of a screen for that.
const LARGE: u16 = 32;

/// Draws a page, except for the last line of the terminal.
pub(super) fn render(lesson: &Lesson, frame: &mut Frame, context: &Context, hits: &mut Hits) {
    let layout = layout::of(lesson, context);
    head(lesson, frame, context, &layout);
    draw_scrolled(frame, layout.text, &layout.flow.lines, layout.scroll);
    hits.push((layout.text, Hit::Text));
    if let Some((row, column)) = layout.flow.cursor
        && let Some(row) = row.checked_sub(layout.scroll).filter(|row| *row < usize::from(layout.text.height))
    {
        frame.set_cursor_position(Position::new(layout.text.x + column, layout.text.y + row as u16));
    }
    for &(row, choice) in &layout.flow.choices {
        hit_row(hits, layout.text, layout.scroll, row, Hit::Choice(choice));
    }
    if layout.rule.height > 0 {
        draw(frame, layout.rule, vec![rule(lesson, context, &layout)]);
        let place = Rect { height: layout.rule.height + layout.launch.height + layout.picture.height, ..layout.rule };
        hits.push((place, Hit::Picture));
        show(lesson, frame, context, &layout, hits);
    }
    margin(lesson, frame, context, &layout, hits);
    if layout.side_by_side() {
        divide(frame, &layout, context);
    }
    // If the text is above a picture, the picture's line shows how much of the text is hidden.
    if layout.below() > 0 && (layout.rule.height == 0 || layout.side_by_side()) {
        mark_below(frame, layout.text, layout.below(), |count| t!("lesson-more-below", count), &context.look);
    }
}

/// On a large screen, draws into the free area below or next to a text: the terms that it uses, and the level's pages.
/// While the page waits for an answer, the terms are left out.
fn margin(lesson: &Lesson, frame: &mut Frame, context: &Context, layout: &Layout, hits: &mut Hits) {
    let asks = lesson.pending(context).is_some() || lesson.hidden_answers(context);
    let Some(place) = free_place(lesson, context, layout) else { return };
    let most = usize::from(place.height);
    let terms = if asks { Vec::new() } else { glossary::margin(lesson, place.width, most, context) };
    let mut lines: Vec<_> = terms.into_iter().map(|line| (line, None)).collect();
    if !lesson.has_picture() || lesson.shows_picture(context) {
        let gap = if lines.is_empty() { 0 } else { 2 };
        let way =
            pages::brief(lesson.level, Some(lesson.page), place.width, most.saturating_sub(lines.len() + gap), context);
        if !way.is_empty() {
            lines.extend(vec![Default::default(); gap]);
            lines.extend(way);
        }
    }
    pages::draw_brief(frame, place, lines, hits);
}

/// Returns the free area: next to a text without a picture on a wide screen, else below the text.
fn free_place(lesson: &Lesson, context: &Context, layout: &Layout) -> Option<Rect> {
    if context.size.height < LARGE {
        return None;
    }
    if layout.aside.width > 0 {
        return Some(layout.aside);
    }
    let rows = layout.flow.lines.len() as u16 + 3;
    let free = layout.text.height.saturating_sub(rows);
    let width = layout.text.width.min(layout::MEASURE);
    let room = width >= MARGIN_WIDE && free >= MIN_MARGIN_ROWS && (!lesson.has_picture() || layout.side_by_side());
    room.then(|| Rect { y: layout.text.y + rows, height: free, width, ..layout.text })
}

/// Draws picture or code, or a placeholder until the question is answered.
fn show(lesson: &Lesson, frame: &mut Frame, context: &Context, layout: &Layout, hits: &mut Hits) {
    let look = &context.look;
    if let Some(code) = &lesson.code {
        let n = context.data.shares_at.unwrap_or(4096);
        draw(frame, layout.launch, vec![code.launch(&context.data.catalog, n, layout.launch.width, look)]);
        let rows = code.rows(&context.data.catalog, layout.picture.width, look);
        draw_scrolled(frame, layout.picture, &rows.lines, layout.picture_scroll);
    } else if !lesson.shows_picture(context) {
        let before = lesson.instrument.as_ref().is_some_and(|it| it.render_before(frame, layout.picture, look));
        if !before {
            draw_placeholder(lesson, frame, layout.picture, context, hits);
        }
    } else if let Some(instrument) = &lesson.instrument {
        picture::render(&**instrument, frame, layout, look);
    }
}

/// Draws the placeholder: a question mark, a sentence that says when the picture appears, and the level's pages. In a low
/// area, draws only the sentence.
fn draw_placeholder(lesson: &Lesson, frame: &mut Frame, area: Rect, context: &Context, hits: &mut Hits) {
    const MARK: [&str; 6] = ["▄▀▀▀▄", "    █", "  ▄▀ ", "  ▀  ", "     ", "  ▀  "];
    const PLAIN: [&str; 6] = [" ### ", "#   #", "   # ", "  #  ", "     ", "  #  "];
    let look = &context.look;
    let muted = look.style(Meaning::Muted);
    let width = area.width.saturating_sub(8).min(44);
    let mut lines = Vec::new();
    if area.height >= 16 {
        let mark = if look.ascii { PLAIN } else { MARK };
        lines.extend(mark.map(|row| Line::styled(row, look.style(Meaning::Accent))));
        lines.push(Line::default());
    }
    lines.extend(wrap_text(&t!("lesson-picture-later"), muted, width));
    let lines: Vec<Line> = lines.into_iter().map(Line::centered).collect();
    let height = (lines.len() as u16).min(area.height);
    let free = area.height.saturating_sub(height + 6);
    let large = context.size.height >= LARGE;
    let way = if large {
        pages::brief(lesson.level, Some(lesson.page), area.width, free.into(), context)
    } else {
        Vec::new()
    };
    // A little above the middle, like a title on a page.
    let y = area.y + if way.is_empty() { (area.height - height) * 2 / 5 } else { (free - way.len() as u16) / 2 + 2 };
    draw(frame, Rect { x: area.x, y, width: area.width, height }, lines);
    let below = (y + height + 3).min(area.bottom());
    pages::draw_brief(frame, Rect { y: below, height: area.bottom() - below, ..area }, way, hits);
}

/// Draws the vertical line between text and picture.
fn divide(frame: &mut Frame, layout: &Layout, context: &Context) {
    let (look, column) = (&context.look, layout.divider);
    let style = look.style(Meaning::Border);
    let sign = |row: u16| if row == 0 { look.sign("┬", "+") } else { look.sign("│", "|") };
    draw(frame, column, (0..column.height).map(|row| Line::styled(sign(row).to_owned(), style)).collect());
}

fn head(lesson: &Lesson, frame: &mut Frame, context: &Context, layout: &Layout) {
    let (look, body) = (&context.look, body_of(context.size));
    let Some(level) = context.data.course.levels.get(lesson.level) else { return };
    let Some(page) = lesson.content(context) else { return };
    let (number, count) = (page_number(level, lesson.page), page_count(level));
    // If there is too little space, the page's title is more important than the level's.
    let whole = format!(" {} {} > {}", lesson.level + 1, level.title, page.title);
    let fits = whole.width() + 28 <= usize::from(body.width);
    let of = if fits { format!("{} {} ", lesson.level + 1, level.title) } else { format!("{} ", lesson.level + 1) };
    let left = vec![
        Span::raw(" "),
        look.span(Meaning::Muted, markdown::spelled(&of, look).into_owned()),
        look.span(Meaning::Border, format!("{} ", look.sign("▸", ">"))),
        look.span(Meaning::Title, markdown::spelled(&page.title, look).into_owned()),
    ];
    let place = if page.optional {
        t!("lesson-more-on", page = number)
    } else {
        t!("lesson-page-of", page = number, pages = count)
    };
    let mut right = vec![look.span(Meaning::Muted, format!("{place}  "))];
    right.extend(look.thin_bar(number, count, 9));
    right.push(Span::raw(" "));
    let [first, second] = [0, 1].map(|row| Rect { y: body.y + row, height: 1.min(body.height), ..body });
    draw(frame, first, vec![two_ends(left, right, body.width)]);
    if layout.picture_alone() {
        return;
    }
    // Next to a picture, the line ends where the picture's line begins.
    let end = if layout.side_by_side() { layout.divider.x } else { second.right().saturating_sub(1) };
    let above = match layout.scroll {
        0 => String::new(),
        lines => format!(" {} {} ", look.sign("▲", "^"), t!("lesson-more-above", count = lines)),
    };
    let second = Rect { x: 1, width: end.saturating_sub(1), ..second };
    let width = second.width.saturating_sub(above.width() as u16);
    let mut rule = look.rule(&tag_name(page), Meaning::Accent, width);
    rule.spans.push(look.span(Meaning::Warning, above));
    draw(frame, second, vec![rule]);
}

/// Returns the line of the picture: its name, how it gets the keys, and how much is hidden.
fn rule(lesson: &Lesson, context: &Context, layout: &Layout) -> Line<'static> {
    let look = &context.look;
    let name = match (&lesson.instrument, &lesson.code) {
        (Some(instrument), _) => instrument.name(),
        (None, Some(code)) => code.title(&context.data.catalog),
        (None, None) => String::new(),
    };
    let has_keys = lesson.focus == Focus::Picture;
    let title = if !lesson.shows_picture(context) && layout.picture.height == 0 {
        t!("lesson-opens-after", name)
    } else if layout.picture.height == 0 {
        t!("lesson-tab-opens", name)
    } else {
        name
    };
    let mut hidden = Vec::new();
    // A text without any rows is not mentioned.
    if layout.below() > 0 && layout.text.height > 0 && !layout.side_by_side() {
        hidden.push(t!("lesson-more-text", count = layout.below()));
    }
    if lesson.explains_elsewhere(layout) {
        hidden.push(t!("lesson-esc-explains"));
    }
    if layout.picture_below() > 0 {
        let count = layout.picture_below();
        let text = match &lesson.code {
            Some(_) => t!("lesson-more-code", count),
            None => t!("lesson-more-picture", count),
        };
        hidden.push(if has_keys { t!("lesson-more-page-down", hidden = text) } else { text });
    }
    let right = match hidden.is_empty() {
        true => String::new(),
        false => format!("{} {} ", look.sign("▼", "v"), hidden.join(look.sign(" · ", ", "))),
    };
    let meaning = if has_keys { Meaning::Focus } else { Meaning::Muted };
    let room = usize::from(layout.rule.width);
    let right = truncate(&right, room.saturating_sub(8), look.ascii);
    // The region is marked in the code, so without space for its name, the file name is enough.
    let title = match &lesson.code {
        Some(code) if title.width() + right.width() + 8 > room => code.short_title(&context.data.catalog),
        _ => title,
    };
    let title = markdown::spelled(&title, look).into_owned();
    let title = if has_keys { format!("{} {title}", look.sign("▸", ">")) } else { title };
    let mut line = look.rule(&title, meaning, (room - right.width().min(room)) as u16);
    line.spans.push(look.span(Meaning::Warning, right));
    line
}

/// Returns the purpose of a page, as shown to students.
pub fn tag_name(page: &Page) -> String {
    match page.tag {
        Tag::Recall => t!("lesson-tag-recall"),
        Tag::Concrete => t!("lesson-tag-concrete"),
        Tag::Representational if page.show.is_some() => t!("lesson-tag-picture"),
        Tag::Representational => t!("lesson-tag-idea"),
        Tag::Abstract => t!("lesson-tag-abstract"),
        Tag::Code => t!("lesson-tag-code"),
        Tag::Simulate => t!("lesson-tag-simulate"),
        Tag::Hazard => t!("lesson-tag-hazard"),
        Tag::Run => t!("lesson-tag-run"),
        Tag::Why => t!("lesson-tag-why"),
        Tag::Exercise => t!("lesson-tag-exercise"),
        Tag::Summary => t!("lesson-tag-summary"),
        Tag::Preview => t!("lesson-tag-preview"),
    }
}
