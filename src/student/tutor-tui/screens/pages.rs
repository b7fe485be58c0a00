/*! The list of a level's pages: the state of each, and whether the first prediction was correct.

```text
 ▸ ✔  2  Bring back what you need       look back      done
   »  3  What does the kernel do?       a scene        skipped
   ○  4  Keep the picture               idea           open
```
*/

use super::first_row;
use super::lesson::tag_name;
use crate::prelude::*;
use tutor_course::{Level, Page};
use ui_kit::look::{draw, pad};

/// Width of the column of tags in cells.
const TAG_WIDTH: usize = 12;
/// Minimum width of a list with a column of tags.
const WITH_TAG: usize = 68;

/// Minimum number of rows for the brief list.
const MIN_BRIEF_ROWS: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The student has done everything on the page.
    Done,
    /// The student has skipped its question.
    Skipped,
    /// The page was opened, but something is left to do.
    Open,
    /// The page was never opened.
    Unread,
}

/// Returns the state of a page, and whether the first answer to its question was correct, if there is one.
pub fn state(data: &AppData, level: usize, page: &Page) -> (State, Option<bool>) {
    let progress = data.progress_of(level);
    let id = data.course.levels.get(level).map(|level| (level.id.clone(), page.id.value.clone()));
    let made = id.and_then(|id| data.predictions.get(&id)).filter(|_| page.predict.is_some());
    let skipped = made.is_some_and(|made| !made.answered());
    let state = match progress {
        Some(progress) if progress.read.contains(&page.id.value) => State::Done,
        _ if skipped => State::Skipped,
        Some(progress) if made.is_some() || progress.seen.contains(&page.id.value) => State::Open,
        _ => State::Unread,
    };
    (state, made.and_then(|made| made.first.correct))
}

impl State {
    fn sign(self, look: &Look) -> Span<'static> {
        match self {
            Self::Done => look.right(),
            Self::Skipped => look.span(Meaning::Warning, look.sign("»", "~").to_owned()),
            Self::Open => look.span(Meaning::Muted, look.sign("○", "o").to_owned()),
            Self::Unread => Span::raw(" "),
        }
    }

    fn name(self) -> String {
        match self {
            Self::Done => t!("pages-done"),
            Self::Skipped => t!("pages-skipped"),
            Self::Open => t!("pages-open"),
            Self::Unread => String::new(),
        }
    }
}

/// Returns the column with the number of a page; an optional page has none.
fn number(level: &Level, index: usize) -> String {
    match pages(level).get(index) {
        Some(page) if !page.optional => format!(" {:>2}  ", page_number(level, index)),
        _ => " ".repeat(5),
    }
}

/// Returns the title as listed: an optional page is indented below the page it follows.
fn title(page: &Page) -> String {
    if page.optional { t!("pages-more", title = &page.title) } else { page.title.clone() }
}

/// A row, and the page to which a click on it leads.
type BriefRow = (Line<'static>, Option<usize>);

/// Lists the pages before and after page `at`, in at most `most` rows under a line. A row has the page's state, its
/// title and the result of the first prediction; its page is returned with it. Returns nothing if `most` is less than
/// `MIN_BRIEF_ROWS`.
pub fn brief(level: usize, at: Option<usize>, width: u16, most: usize, context: &Context) -> Vec<BriefRow> {
    let (data, look) = (context.data, &context.look);
    let Some(content) = data.course.levels.get(level) else { return Vec::new() };
    let all = pages(content);
    if most < MIN_BRIEF_ROWS || all.is_empty() {
        return Vec::new();
    }
    let room = (most - 2).min(all.len());
    let first = first_row(at.unwrap_or(0), all.len(), room);
    let rule = look.rule(&t!("pages-of-level", level = level + 1), Meaning::Muted, width);
    let mut lines = vec![(rule, None), BriefRow::default()];
    let title_width = usize::from(width).saturating_sub(12);
    let airy = room == all.len() && most >= 2 + 2 * room;
    for (row, page) in all.iter().enumerate().skip(first).take(room) {
        let (state, guessed) = state(data, level, page);
        let here = at == Some(row);
        let guessed = match guessed {
            Some(true) => look.right(),
            Some(false) => look.wrong(),
            None => Span::raw(" "),
        };
        let title = markdown::spelled(&title(page), look).into_owned();
        let line = Line::from(vec![
            look.cursor(here),
            state.sign(look),
            look.span(Meaning::Muted, number(content, row)),
            look.span(if here { Meaning::Strong } else { Meaning::Text }, pad(&title, title_width)),
            Span::raw("  "),
            guessed,
        ]);
        lines.push((line, Some(row)));
        lines.extend(airy.then(BriefRow::default));
    }
    let hidden = all.len() - first - room;
    if hidden > 0
        && let Some(last) = lines.last_mut()
    {
        let more = format!("  {} {}", look.sign("▼", "v"), t!("lesson-more-below", count = hidden + 1));
        *last = (Line::styled(more, look.style(Meaning::Warning)), None);
    }
    lines
}

/// Draws the rows of [`brief`]. A click on a page's row is a [`Hit::Row`].
pub fn draw_brief(frame: &mut Frame, area: Rect, rows: Vec<BriefRow>, hits: &mut Hits) {
    for (y, (line, page)) in (area.y..area.bottom()).zip(rows) {
        let place = Rect { y, height: 1, ..area };
        hits.extend(page.map(|page| (place, Hit::Row(page))));
        draw(frame, place, vec![line]);
    }
}

/// Returns lines with the numbers of correct first predictions by objective, the objective with the most incorrect ones
/// first. Returns nothing if there are no predictions.
pub fn by_objective(level: usize, width: u16, context: &Context) -> Vec<Line<'static>> {
    let (data, look) = (context.data, &context.look);
    let Some(guesses) = data.guesses(level).filter(|guesses| guesses.answered > 0) else { return Vec::new() };
    let lesson = data.course.levels.get(level).and_then(|level| level.lesson.as_ref().ok());
    let text = |id: &str| {
        let known = lesson.and_then(|lesson| lesson.objectives.iter().find(|objective| objective.id.value == id));
        known.map_or(id, |objective| objective.text.as_str()).to_owned()
    };
    let mut lines = vec![look.rule(&t!("pages-by-objective"), Meaning::Muted, width)];
    let mut made: Vec<_> = guesses.objectives.iter().filter(|guess| guess.right + guess.wrong > 0).collect();
    made.sort_by_key(|guess| std::cmp::Reverse(guess.wrong));
    for guess in made {
        let counted = t!("pages-objective-right", right = guess.right, of = guess.right + guess.wrong);
        let room = usize::from(width).saturating_sub(counted.width() + 4);
        let sign = if guess.wrong == 0 { look.right() } else { look.wrong() };
        let objective = truncate(&markdown::spelled(&text(&guess.objective), look), room, look.ascii);
        lines.push(Line::from(vec![
            Span::raw(" "),
            sign,
            look.span(Meaning::Text, format!(" {}", pad(&objective, room))),
            look.span(Meaning::Muted, format!(" {counted}")),
        ]));
    }
    lines
}

/// Returns one row per page: state, number, title, purpose, and result of the first prediction.
pub fn rows(level: usize, cursor: usize, width: u16, context: &Context) -> Vec<Line<'static>> {
    let (data, look) = (context.data, &context.look);
    let Some(content) = data.course.levels.get(level) else { return Vec::new() };
    let width = usize::from(width);
    let tag_width = if width >= WITH_TAG { TAG_WIDTH } else { 0 };
    let state_of = |page: &Page| {
        let (state, first) = state(data, level, page);
        let guessed = match first {
            Some(true) => t!("pages-right-at-first"),
            Some(false) => t!("pages-wrong-at-first"),
            None => String::new(),
        };
        let joined = [state.name(), guessed].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(", ");
        (state, joined)
    };
    let states: Vec<(State, String)> = pages(content).iter().map(state_of).collect();
    let state_width = states.iter().map(|(_, joined)| joined.width()).max().unwrap_or(0) + 2;
    let title_width = width.saturating_sub(8 + tag_width + state_width);
    pages(content)
        .iter()
        .zip(states)
        .enumerate()
        .map(|(at, (page, (state, joined)))| {
            // Without a column of tags, each title has the room that its own state leaves.
            let title_width = if tag_width > 0 { title_width } else { width.saturating_sub(8 + 2 + joined.width()) };
            let mut spans = vec![
                look.cursor(at == cursor),
                state.sign(look),
                look.span(Meaning::Muted, number(content, at)),
                look.span(Meaning::Text, pad(&truncate(&title(page), title_width, look.ascii), title_width)),
            ];
            if tag_width > 0 {
                let tag = truncate(&tag_name(page), tag_width - 2, look.ascii);
                spans.push(look.span(Meaning::Muted, pad(&format!("  {tag}"), tag_width)));
            }
            let state_width = if tag_width > 0 { state_width - 2 } else { joined.width() };
            spans.push(look.span(Meaning::Muted, format!("  {}", pad(&joined, state_width))));
            let line = Line::from(spans);
            if at == cursor { look.selected(line, width as u16) } else { line }
        })
        .collect()
}
