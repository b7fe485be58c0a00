//! Draws the model. What can be clicked comes back.

use super::update::too_small;
use super::{Job, Model, Overlay, Screen};
use crate::t;
use crate::tui::look::{SMALLEST, draw, split_top, truncate, two_ends};
use crate::tui::screens::{Hit, Hits, body_of, first_row, gate, glossary, help, lesson, pages, palette, quiz, search};
use crate::tui::theme::Meaning;
use crate::tui::wrap::wrap_text;
use crate::words::speaking;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;

/// Draws the screen, what lies over it, and the last line.
pub fn view(model: &Model, frame: &mut Frame) -> Hits {
    speaking(model.words, || draw_all(model, frame))
}

fn draw_all(model: &Model, frame: &mut Frame) -> Hits {
    let mut hits = Vec::new();
    let look = model.look();
    if frame.area().width < model.size.width || frame.area().height < model.size.height {
        // The terminal has just shrunk; the message that says so is on its way.
        return hits;
    }
    if too_small(model) {
        let (w, h) = SMALLEST;
        let size = model.size;
        let text =
            format!("matmul-tutor needs {w} × {h} characters; this terminal has {} × {}.", size.width, size.height);
        draw(frame, frame.area(), wrap_text(&text, look.style(Meaning::Text), size.width));
        return hits;
    }
    let context = model.context();
    match model.screens.last() {
        Some(Screen::Map(map)) => map.render(frame, &context, &mut hits),
        Some(Screen::Lesson(page)) => lesson::render(page, frame, &context, &mut hits),
        Some(Screen::Quiz(screen)) => quiz::render(screen, frame, &context, &mut hits),
        Some(Screen::Outcome(outcome)) => outcome.render(frame, &context, &mut hits),
        Some(Screen::Bench(bench)) => bench.render(frame, &context, &mut hits),
        Some(Screen::Problem(problem)) => problem.render(frame, &context),
        None => {}
    }
    if let Some(overlay) = model.overlays.last() {
        hits.clear();
        lay_over(model, overlay, frame, &mut hits);
    }
    let width = model.size.width;
    let last = Rect::new(0, model.size.height - 1, width, 1);
    draw(frame, last, vec![last_line(model, width)]);
    hits
}

/// Hints at the left, what happens at the right: never over what is being read.
fn last_line(model: &Model, width: u16) -> Line<'static> {
    let look = model.look();
    let status = match (&model.message, &model.job) {
        (Some(message), _) => {
            Some(look.span(Meaning::Accent, truncate(&message.text, usize::from(width - 12), look.ascii)))
        }
        (None, Some(job)) => Some(look.span(Meaning::Accent, running(job, model))),
        (None, None) => None,
    };
    let right: Vec<Span> = status.map(|status| vec![status, Span::raw(" ")]).unwrap_or_default();
    let used: usize = right.iter().map(Span::width).sum();
    let room = width.saturating_sub(used as u16 + 1);
    let hints = match model.overlays.last() {
        None => look.last_line(&model.actions(), model.screen_editing(), room),
        Some(overlay) => overlay_hints(overlay, &look),
    };
    two_ends(hints.spans, right, width)
}

fn running(job: &Job, model: &Model) -> String {
    let seconds = model.now.saturating_sub(job.since).as_secs_f64();
    let dots = if model.ascii { "..." } else { "…" };
    let doing = match &job.doing {
        Some((doing, fraction)) => format!("{doing} {:.0} %", fraction * 100.0),
        None => "running".to_owned(),
    };
    let doing = truncate(&doing, 36, model.ascii);
    // What was cut ends in dots already.
    let dots = if doing.ends_with(['…', '~']) { "" } else { dots };
    format!("{doing}{dots} {seconds:.1} s, c cancels")
}

fn overlay_hints(overlay: &Overlay, look: &crate::tui::look::Look) -> Line<'static> {
    let arrows = look.sign("↑↓", "Up/Down");
    let enter = look.sign("⏎", "Enter");
    let hints: &[(&str, &str)] = match overlay {
        Overlay::Help(_) => &[(arrows, "scroll"), ("Esc", "close")],
        Overlay::Gate { .. } => &[(enter, "begin"), ("P", "practise"), ("Esc", "not now")],
        _ => &[(enter, "take"), (arrows, "move"), ("Esc", "close")],
    };
    let mut spans = vec![Span::raw(" ")];
    for (key, label) in hints {
        spans.push(look.span(Meaning::Key, (*key).to_owned()));
        spans.push(look.span(Meaning::Muted, format!(" {label}  ")));
    }
    Line::from(spans)
}

fn lay_over(model: &Model, overlay: &Overlay, frame: &mut Frame, hits: &mut Hits) {
    let (look, context) = (model.look(), model.context());
    let body = body_of(model.size);
    let width = body.width.saturating_sub(4).min(84);
    let inner_width = width.saturating_sub(4);
    let actions = model.actions();
    let (title, field, rows, cursor): (String, _, Vec<Line>, usize) = match overlay {
        Overlay::Help(first) => {
            let rows = help::rows(&actions, model.screen_editing(), inner_width, &look);
            ("keys that work here".into(), None, rows.into_iter().skip(*first).collect(), usize::MAX)
        }
        Overlay::Palette { field, cursor } => {
            let found = palette::matching(field.text(), &actions);
            let row = |(at, (entry, works))| palette::row(entry, works, &actions, at == *cursor, inner_width, &look);
            ("every action".into(), Some(field), found.into_iter().enumerate().map(row).collect(), *cursor)
        }
        Overlay::Pages { level, cursor } => {
            let title = model.world.course.levels.get(*level).map_or("", |level| level.title.as_str());
            let title = format!("pages of {} {title}", level + 1);
            (title, None, pages::rows(*level, *cursor, inner_width, &context), *cursor)
        }
        Overlay::Gate { level } => {
            let title = model.world.course.levels.get(*level).map_or("", |level| level.title.as_str());
            (format!("gate of {} {title}", level + 1), None, gate::rows(*level, inner_width, &context), usize::MAX)
        }
        Overlay::Glossary { field, cursor } => {
            let entries = glossary::matching(model, field.text());
            let (rows, at) = glossary::rows(&entries, *cursor, inner_width, &look);
            (t!("glossary-title"), Some(field), rows, at)
        }
        Overlay::Search { field, cursor } => {
            let found = search::search(&model.world, field.text());
            let row = |(at, found): (usize, &_)| search::row(found, at == *cursor, inner_width, &context);
            let mut rows: Vec<Line> = found.iter().enumerate().map(row).collect();
            if rows.is_empty() {
                let text = search::nothing(&model.world, field.text());
                rows.extend(wrap_text(&text, look.style(Meaning::Muted), inner_width));
            }
            ("find a page".into(), Some(field), rows, *cursor)
        }
    };
    let head = if field.is_some() { 2 } else { 0 };
    let most = usize::from(body.height.saturating_sub(2 + head));
    // A list that is typed into keeps its height, so that the eye stays where it is.
    let list = if field.is_some() { most } else { rows.len().min(most) };
    let height = list as u16 + 2 + head;
    let area = Rect { x: body.x + (body.width - width) / 2, y: body.y + (body.height - height) / 2, width, height };
    let inner = boxed(frame, area, &title, &look);
    let (top, inner) = split_top(inner, head);
    if let Some(field) = field {
        let (spans, column) = field.spans(top.width, &look);
        draw(frame, top, vec![Line::from(spans)]);
        frame.set_cursor_position(Position::new(top.x + column, top.y));
    }
    let first = if cursor == usize::MAX { 0 } else { first_row(cursor, rows.len(), list) };
    for (at, row) in rows.into_iter().enumerate().skip(first).take(list) {
        let place = Rect { y: inner.y + (at - first) as u16, height: 1, ..inner };
        draw(frame, place, vec![row]);
        hits.push((place, Hit::Row(at)));
    }
}

/// Draws a frame with a title and gives the place inside.
fn boxed(frame: &mut Frame, area: Rect, title: &str, look: &crate::tui::look::Look) -> Rect {
    frame.render_widget(Clear, area);
    let style = look.style(Meaning::Focus);
    let inner = usize::from(area.width.saturating_sub(2));
    let [dash, bar, left, right, low_left, low_right] =
        if look.ascii { ["-", "|", "+", "+", "+", "+"] } else { ["─", "│", "╭", "╮", "╰", "╯"] };
    let title = truncate(title, inner.saturating_sub(4), look.ascii);
    let rest = inner.saturating_sub(3 + unicode_width::UnicodeWidthStr::width(title.as_str()));
    let mut lines = vec![Line::from(vec![
        Span::styled(format!("{left}{dash} "), style),
        look.span(Meaning::Title, title),
        Span::styled(format!(" {}{right}", dash.repeat(rest)), style),
    ])];
    let side = Line::styled(format!("{bar}{}{bar}", " ".repeat(inner)), style);
    lines.extend(std::iter::repeat_n(side, usize::from(area.height.saturating_sub(2))));
    lines.push(Line::styled(format!("{low_left}{}{low_right}", dash.repeat(inner)), style));
    draw(frame, area, lines);
    Rect { x: area.x + 2, y: area.y + 1, width: area.width.saturating_sub(4), height: area.height.saturating_sub(2) }
}
