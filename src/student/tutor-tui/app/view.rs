//! Draws the model and returns the areas that can be clicked.

use super::input::too_small;
use super::{Job, Overlay, OverlayKind};
use crate::prelude::*;
use crate::screens::{body_of, first_row, gate, glossary, help, indent, pages, palette, problems, search};
use ratatui::style::Style;
use ratatui::widgets::Clear;
use tutor_support::figures::percentage;
use tutor_support::words::speaking;
use ui_kit::action::{Hint, Key, hints};
use ui_kit::field::Field;
use ui_kit::look::{SMALLEST, draw, most_important, split_top};

/// Draws the screen, its overlays, and the last line.
pub fn view(model: &Model, frame: &mut Frame) -> Hits {
    speaking(model.words, || draw_all(model, frame))
}

fn draw_all(model: &Model, frame: &mut Frame) -> Hits {
    let mut hits = Vec::new();
    let look = model.look();
    if frame.area().width < model.size.width || frame.area().height < model.size.height {
        // The terminal has just shrunk, and the resize message has not arrived yet.
        return hits;
    }
    if too_small(model) {
        let ((w, h), Size { width, height }) = (SMALLEST, model.size);
        let text = t!("app-too-small", w, h, width, height);
        draw(frame, frame.area(), wrap_text(&text, look.style(Meaning::Text), width));
        return hits;
    }
    let context = model.context();
    if let Some(screen) = model.screen() {
        screen.render(frame, &context, &mut hits);
    }
    // Usually everything is saved before anybody could read the question about it.
    let shown = |overlay: &&Overlay| overlay.kind != OverlayKind::Unsaved || model.saving.shows(model.now);
    if let Some(overlay) = model.overlays.last().filter(shown) {
        let behind = std::mem::take(&mut hits);
        lay_over(model, overlay, &behind, frame, &mut hits);
    }
    foot(model, frame, &mut hits);
    hits
}

/// Cells for the description of a running launch.
const STATUS: usize = 46;

/// Maximum rows of a message.
const MESSAGE_ROWS: u16 = 3;

/// Draws the last line: the keys, and a message or the state of a launch at its right end.
///
/// If that text does not fit next to the keys, it goes into the row above, left of the “more below” mark.
fn foot(model: &Model, frame: &mut Frame, hits: &mut Hits) {
    let (look, Size { width, height }) = (model.look(), model.size);
    let hints = if model.buttons { Vec::new() } else { current_hints(model) };
    // The number of problems always has its place; the longer form only if it fits.
    let preview = || [t!("app-preview"), t!("app-preview")].map(|text| vec![look.span(Meaning::Muted, text)]);
    let wrong = (!model.data.problems.is_empty()).then(|| problems::count(&model.data.problems, &look));
    let wrong = wrong.or_else(|| model.data.course.all_open.then(preview));
    let lasting = unsaved(model);
    let lasts = lasting.is_some();
    let wrong = lasting.or(wrong);
    let cells_of = |spans: &[Span]| spans.iter().map(Span::width).sum::<usize>();
    let kept = wrong.as_ref().map_or(0, |[_, short]| cells_of(short) as u16 + 2);
    let (bar, places) = look.key_bar(hints, width.saturating_sub(kept));
    let last = Rect::new(0, height - 1, width, 1);
    hits.extend(places.into_iter().map(|(x, cells, action)| (Rect { x, width: cells, ..last }, Hit::Action(action))));
    let room = usize::from(width).saturating_sub(bar.width() + 2);
    let (text, cells) = match (&model.message, &model.job) {
        _ if model.saving.shows(model.now) && model.saving.refused().is_none() => {
            let blocked = model.saving.blocked();
            let text = blocked.map_or_else(|| t!("app-saving"), |blocked| t!("app-saving-held", why = &blocked.why));
            let cells = text.width();
            (text, cells)
        }
        (Some(message), _) => (message.text.clone(), message.text.width()),
        // The position in a queue is shown in full.
        (None, Some(job)) if model.data.queues && job.results.device.is_none() => {
            let text = running(job, model, usize::from(width.saturating_sub(2)));
            let cells = text.width();
            (text, cells)
        }
        // The growing time must not move the text, so a fixed width is reserved.
        (None, Some(job)) => (running(job, model, STATUS), STATUS),
        (None, None) => (String::new(), 0),
    };
    if let (Some([long, short]), true) = (&wrong, text.is_empty() || lasts) {
        let mut right = if text.is_empty() && cells_of(long) <= room { long.clone() } else { short.clone() };
        right.push(Span::raw(" "));
        draw(frame, last, vec![two_ends(bar.spans, right, width)]);
        if text.is_empty() {
            return;
        }
    } else if cells <= room {
        let right = if text.is_empty() { Vec::new() } else { vec![look.span(Meaning::Accent, text), Span::raw(" ")] };
        draw(frame, last, vec![two_ends(bar.spans, right, width)]);
        return;
    } else {
        draw(frame, last, vec![bar]);
    }
    let mut above = Rect { y: height - 2, ..last };
    let mark = more_below(frame, above, &look);
    // The status of a launch may stay for long, so it never hides the mark. A message disappears soon, so it may.
    if model.message.is_none() || text.width() + 2 <= usize::from(mark) {
        above.width = mark;
    }
    let room = above.width.saturating_sub(2);
    let rows = match &model.message {
        Some(_) => wrap_text(&text, look.style(Meaning::Accent), room),
        None => vec![Line::from(look.span(Meaning::Accent, truncate(&text, room.into(), model.ascii)))],
    };
    above.height = (rows.len() as u16).min(MESSAGE_ROWS);
    above.y = height - 1 - above.height;
    clear(frame, above);
    draw(frame, above, indent(rows, 1));
}

fn current_hints(model: &Model) -> Vec<Hint> {
    match model.overlays.last() {
        None => hints(&model.actions(), model.ascii, model.screen_editing()),
        Some(overlay) => overlay_hints(overlay, model, model.ascii),
    }
}

/// Returns the keys that the last line would show, for a program that shows them as buttons: the key's name, what it does if that
/// is written beside it, and the key.
pub fn buttons(model: &Model) -> Vec<(String, String, Key)> {
    let each = |hint: Hint| {
        let labelled = hint.of_label();
        let label = move |action| if labelled == Some(action) { hint.label.clone() } else { String::new() };
        hint.all.into_iter().map(move |(name, action, key)| (name, label(action), key))
    };
    speaking(model.words, || most_important(current_hints(model), u16::MAX).into_iter().flat_map(each).collect())
}

/// Returns the lasting mark of the last line while the disk refuses changes: with the reason, and without it.
fn unsaved(model: &Model) -> Option<[Vec<Span<'static>>; 2]> {
    let blocked = model.saving.refused()?;
    let (answers, others) = model.saving.counts();
    let look = model.look();
    let mark = |text: String| vec![look.warning(), look.span(Meaning::Warning, format!(" {text}"))];
    let short = t!("app-unsaved-mark", answers, others);
    Some([mark(format!("{short}: {}", blocked.why)), mark(short)])
}

/// Describes what is not saved, why, and what to do.
pub(crate) fn unsaved_question(model: &Model) -> String {
    let (answers, others) = model.saving.counts();
    let blocked = model.saving.blocked();
    let why = blocked.map_or_else(|| t!("app-saving"), |blocked| format!("{} {}", blocked.why, blocked.help));
    t!("app-unsaved", answers, others, why)
}

/// Returns the column of the “more below” mark (`▼ 3`) in a row, or the end of the row.
fn more_below(frame: &mut Frame, row: Rect, look: &Look) -> u16 {
    let buffer = frame.buffer_mut();
    let cell = |x: u16| buffer[(x, row.y)].symbol();
    let tells = |x: &u16| {
        cell(*x) == look.sign("▼", "v") && cell(x + 1) == " " && cell(x + 2).starts_with(|c: char| c.is_ascii_digit())
    };
    (row.x..row.right().saturating_sub(2)).rev().find(tells).unwrap_or(row.right())
}

/// Describes the running launch (step, progress, time) in at most `cells` cells.
fn running(job: &Job, model: &Model, cells: usize) -> String {
    let seconds = model.now.saturating_sub(job.since).as_secs_f64();
    let dots = if model.ascii { "..." } else { "…" };
    let doing = match &job.doing() {
        // While it waits for its machine, there is no progress to show.
        Some((doing, fraction)) if *fraction > 0.0 => format!("{doing} {}", percentage(*fraction, 0)),
        Some((doing, _)) => doing.clone(),
        None if job.held => model.data.device_line().trim_end_matches('…').to_owned(),
        None => t!("app-running"),
    };
    let doing = truncate(&doing, cells.saturating_sub(10), model.ascii);
    // A truncated text already ends in dots.
    let dots = if doing.ends_with(['…', '~']) { "" } else { dots };
    format!("{doing}{dots} {seconds:.1} s")
}

/// Returns the hints of the key bar for an overlay.
pub(crate) fn overlay_hints(overlay: &Overlay, model: &Model, ascii: bool) -> Vec<Hint> {
    let one = |action: Action, label: String| Some((vec![action], label));
    let close = || one(Action::Back, t!("app-close"));
    let arrows = |label: String| Some((vec![Action::Up, Action::Down], label));
    let groups = match overlay.kind {
        OverlayKind::Help => vec![arrows(t!("app-scroll")), close()],
        OverlayKind::Gate { .. } => vec![
            one(Action::Confirm, t!("app-begin")),
            one(Action::Practice, Action::Practice.entry().label()).filter(|_| model.data.course.exam.is_empty()),
            one(Action::Back, t!("app-not-now")),
        ],
        OverlayKind::Leaving => vec![one(Action::Confirm, t!("app-leave")), one(Action::Back, t!("app-stay"))],
        OverlayKind::Unsaved => vec![
            one(Action::Confirm, t!("app-save-again")),
            one(Action::Quit, t!("app-leave-unsaved")),
            one(Action::Back, t!("app-stay")),
        ],
        OverlayKind::Problems => {
            vec![one(Action::Confirm, t!("problems-edit")), arrows(t!("app-move")), close()]
        }
        // An action that does not work here cannot be chosen.
        OverlayKind::Palette
            if !overlay.cursor.is_some_and(|at| palette::works(overlay.field.text(), at, &model.actions())) =>
        {
            vec![arrows(t!("app-move")), close()]
        }
        _ => vec![one(Action::Confirm, t!("app-take")), arrows(t!("app-move")), close()],
    };
    let keyed = |actions: Vec<Action>| -> Vec<(Action, Key)> {
        actions.into_iter().filter_map(|action| Some((action, *action.entry().keys.first()?))).collect()
    };
    groups.into_iter().flatten().filter_map(|(actions, label)| Hint::group(&keyed(actions), label, ascii)).collect()
}

/// The content of an overlay.
struct Sheet<'a> {
    title: String,
    field: Option<&'a Field>,
    rows: Vec<Line<'static>>,
    cursor: Option<usize>,
    /// Lines below the rows, truncated if the rows need the space.
    foot: Vec<Line<'static>>,
}

/// Minimum number of rows of a list that has lines below it.
const MIN_LIST_ROWS: usize = 8;

fn sheet<'a>(model: &'a Model, overlay: &'a Overlay, width: u16) -> Sheet<'a> {
    let (look, context, actions) = (model.look(), model.context(), model.actions());
    let level_title = |level: usize| model.data.course.levels.get(level).map_or("", |level| level.title.as_str());
    let (typed, mut cursor) = (overlay.field.text(), overlay.cursor);
    let (at, mut foot) = (cursor.unwrap_or(0), Vec::new());
    let text = |text: &str| wrap_text(text, look.style(Meaning::Text), width);
    let (title, rows) = match overlay.kind {
        OverlayKind::Help => {
            cursor = None;
            (t!("help-title"), help::rows(model).into_iter().skip(at).map(|(row, _)| row).collect())
        }
        OverlayKind::Palette => {
            let found = palette::matching(typed, &actions);
            let row = |(at, (entry, works))| palette::row(entry, works, &actions, Some(at) == cursor, width, &look);
            (t!("palette-title"), found.into_iter().enumerate().map(row).collect())
        }
        OverlayKind::Pages { level } => {
            foot = pages::by_objective(level, width, &context);
            let title = t!("app-pages-title", level = level + 1, title = level_title(level));
            (title, pages::rows(level, at, width, &context))
        }
        OverlayKind::Gate { level } => {
            let title = t!("app-gate-title", level = level + 1, title = level_title(level));
            (title, gate::rows(level, width, &context))
        }
        OverlayKind::Problems => {
            let (rows, first) = problems::rows(at, width, &context);
            cursor = Some(first);
            (t!("problems-title"), rows)
        }
        OverlayKind::Leaving => (t!("app-leaving-title"), text(&t!("app-leaving"))),
        OverlayKind::Unsaved => (t!("app-leaving-title"), text(&unsaved_question(model))),
        OverlayKind::Glossary => {
            let (rows, first) = glossary::rows(&glossary::matching(model, typed), at, width, &look);
            cursor = Some(first);
            (t!("glossary-title"), rows)
        }
        OverlayKind::Search => {
            let found = search::search(&model.data, typed);
            let row = |(row, found): (usize, &_)| search::row(found, row == at, width, &context);
            let mut rows: Vec<Line> = found.iter().enumerate().map(row).collect();
            if rows.is_empty() {
                let text = search::nothing(&model.data, typed);
                rows.extend(wrap_text(&text, look.style(Meaning::Muted), width));
            }
            (t!("app-search-title"), rows)
        }
    };
    Sheet { title, field: overlay.typed().then_some(&overlay.field), rows, cursor, foot }
}

fn lay_over(model: &Model, overlay: &Overlay, behind: &[(Rect, Hit)], frame: &mut Frame, hits: &mut Hits) {
    let look = model.look();
    let body = body_of(model.size);
    let width = body.width.saturating_sub(4).min(84);
    let Sheet { title, field, rows, cursor, mut foot } = sheet(model, overlay, width.saturating_sub(4));
    let head = if field.is_some() { 2 } else { 0 };
    let most = usize::from(body.height.saturating_sub(2 + head));
    foot.truncate(most.saturating_sub(rows.len().min(MIN_LIST_ROWS)));
    // A heading alone is useless.
    if foot.len() < 2 {
        foot.clear();
    }
    let most = most - foot.len();
    // A list with a text field keeps its height while the student types.
    let list = if field.is_some() { most } else { rows.len().min(most) };
    let height = (list + foot.len()) as u16 + 2 + head;
    let mut area = Rect { x: body.x + (body.width - width) / 2, y: body.y + (body.height - height) / 2, width, height };
    if let Some(row) = asked_about(overlay, behind) {
        area.y = beside(area, row, body);
    }
    recede(frame, body, overlay, &look);
    let inner = boxed(frame, area, &title, &look);
    let (top, inner) = split_top(inner, head);
    if let Some(field) = field {
        let (spans, column) = field.spans(top.width, &look);
        draw(frame, top, vec![Line::from(spans)]);
        frame.set_cursor_position(Position::new(top.x + column, top.y));
    }
    let first = first_row(cursor.unwrap_or(0), rows.len(), list);
    let total = rows.len();
    for (at, row) in rows.into_iter().enumerate().skip(first).take(list) {
        let place = Rect { y: inner.y + (at - first) as u16, height: 1, ..inner };
        draw(frame, place, vec![row]);
        hits.push((place, Hit::Row(at)));
    }
    if first + list < total {
        let last = inner.y + (inner.height - 1).saturating_sub(foot.len() as u16);
        let more = Rect { x: inner.x + inner.width, y: last, width: 1, height: 1 };
        draw(frame, more, vec![Line::from(look.span(Meaning::Muted, look.sign("▼", "v")))]);
    }
    let below = Rect { y: inner.y + list as u16, height: foot.len() as u16, ..inner };
    draw(frame, below, foot);
}

/// If the overlay asks about a level's gate, returns that level's row on the screen behind the overlay.
fn asked_about(overlay: &Overlay, behind: &[(Rect, Hit)]) -> Option<Rect> {
    let OverlayKind::Gate { level } = overlay.kind else { return None };
    behind.iter().find(|(_, hit)| *hit == Hit::Row(level)).map(|(row, _)| *row)
}

/// Returns the y position for `area` that leaves `row` visible: below the row, else above it, else the old position.
fn beside(area: Rect, row: Rect, body: Rect) -> u16 {
    let apart = area.bottom() <= row.y || area.y >= row.bottom();
    match row.y.checked_sub(area.height) {
        _ if apart => area.y,
        _ if row.bottom() + area.height <= body.bottom() => row.bottom(),
        Some(above) if above >= body.y => above,
        _ => area.y,
    }
}

/// Dims the screen behind an overlay: one quiet colour and no bold text.
///
/// Without colours it would distract from a list, so it is cleared. Overlays that only ask a question leave it there.
fn recede(frame: &mut Frame, area: Rect, overlay: &Overlay, look: &Look) {
    let asks = matches!(overlay.kind, OverlayKind::Gate { .. } | OverlayKind::Leaving | OverlayKind::Unsaved);
    if look.theme.ground().is_none() && !asks {
        clear(frame, area);
        return;
    }
    let quiet = Style::reset().patch(look.style(Meaning::Behind));
    frame.buffer_mut().set_style(area, quiet);
}

/// Clears an area. Also removes wide characters that reach into it from the left.
fn clear(frame: &mut Frame, area: Rect) {
    let area = area.intersection(frame.area());
    if let Some(x) = area.x.checked_sub(1) {
        for y in area.y..area.bottom() {
            let cell = &mut frame.buffer_mut()[(x, y)];
            if cell.symbol().width() > 1 {
                cell.set_symbol(" ");
            }
        }
    }
    frame.render_widget(Clear, area);
}

/// Draws a frame with a title and returns the area inside.
fn boxed(frame: &mut Frame, area: Rect, title: &str, look: &Look) -> Rect {
    // Clears a margin, so that nothing behind touches the frame.
    let margin = Rect { x: area.x.saturating_sub(1), width: area.width + 2, ..area };
    clear(frame, margin);
    let style = look.style(Meaning::Focus);
    let inner = usize::from(area.width.saturating_sub(2));
    let [dash, bar, left, right, low_left, low_right] =
        if look.ascii { ["-", "|", "+", "+", "+", "+"] } else { ["─", "│", "╭", "╮", "╰", "╯"] };
    let title = truncate(title, inner.saturating_sub(4), look.ascii);
    let rest = inner.saturating_sub(3 + title.width());
    let mut lines = vec![Line::from(vec![
        Span::styled(format!("{left}{dash} "), style),
        look.span(Meaning::Title, title),
        Span::styled(format!(" {}{right}", dash.repeat(rest)), style),
    ])];
    // Only the sides have the frame's style; the content has its own.
    let side = Line::from(vec![Span::styled(bar, style), Span::raw(" ".repeat(inner)), Span::styled(bar, style)]);
    lines.extend(std::iter::repeat_n(side, usize::from(area.height.saturating_sub(2))));
    lines.push(Line::styled(format!("{low_left}{}{low_right}", dash.repeat(inner)), style));
    draw(frame, area, lines);
    Rect { x: area.x + 2, y: area.y + 1, width: area.width.saturating_sub(4), height: area.height.saturating_sub(2) }
}
