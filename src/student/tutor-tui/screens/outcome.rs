/*! The result of an attempt, and then every question with the student's answer.

```text
 ╭────────────────────────────────────────────────────────────────╮
 │  ✔  Level 2 passed                          8 of 8   ✔✔✔✔✔✔✔✔  │
 │     13 %  ██▋  ─────▶  16 %  ███▏   of cuBLAS on H200          │
 │     First try 6 of 8, now 8 of 8.                              │
 │     11 of 17 predictions correct on the first try.             │
 ╰────────────────────────────────────────────────────────────────╯
   Opens   3  Register blocking                                     12 pages
           Why should one thread compute 64 elements?
 ⏎ begin  r questions  t try again  m map
```
After a failed gate, the screen does not show the correct answers. It shows which answers were incorrect, why, and which
page helps.
*/

mod questions;
mod result;

use super::{body_of, step};
use crate::app_data::page_index;
use crate::prelude::*;
use std::ops::Range;
use tutor_progress::{Attempt, AttemptKind, LevelProgress, Outcome, OutcomeItem};
use ui_kit::look::{TEXT_WIDTH, draw, split_bottom, split_top};

#[derive(Debug)]
pub struct OutcomeScreen {
    /// Index of the level; `None` for a review.
    pub level: Option<usize>,
    pub outcome: Outcome,
    pub attempt: Attempt,
    /// True if every question is shown; false for the result.
    pub questions: bool,
    /// The question under the cursor, counted among all or among the missed ones.
    pub cursor: usize,
    pub scroll: usize,
}

/// Lines, and the range of lines of each question.
#[derive(Default)]
struct Sheet {
    /// Lines that do not scroll.
    head: Vec<Line<'static>>,
    lines: Vec<Line<'static>>,
    items: Vec<Range<usize>>,
}

impl OutcomeScreen {
    pub fn new(level: Option<usize>, outcome: Outcome, attempt: &Attempt) -> Self {
        Self { level, outcome, attempt: attempt.clone(), questions: false, cursor: 0, scroll: 0 }
    }

    fn read_page(&self, context: &Context) -> Vec<Effect> {
        let page = self.target(context);
        page.map(|(level, page)| Effect::Go(Go::Page { level, page })).into_iter().collect()
    }

    fn move_to(&mut self, row: usize, context: &Context) {
        self.cursor = row;
        let sheet = self.sheet(context);
        let height = areas(&sheet, context).shown;
        let Some(item) = sheet.items.get(row) else { return };
        // Shows the whole question if it fits, else its beginning.
        let end = item.end.min(item.start + height);
        let first = end.saturating_sub(height);
        self.scroll = self.scroll.clamp(first, item.start.max(first));
        if row == 0 {
            self.scroll = 0;
        }
    }

    /// Scrolls. Moves the cursor into the visible part, so that Enter never opens the page of a hidden question.
    fn scroll_to(&mut self, first: usize, context: &Context) {
        self.scroll = first;
        let sheet = self.sheet(context);
        let seen = first..first + areas(&sheet, context).shown;
        let in_sight = |item: &Range<usize>| seen.contains(&item.start) || seen.contains(&(item.end - 1));
        if !sheet.items.get(self.cursor).is_some_and(in_sight) {
            self.cursor = sheet.items.iter().position(in_sight).unwrap_or(self.cursor);
        }
    }

    /// Returns the questions that the cursor can reach.
    fn listed(&self) -> impl Iterator<Item = &OutcomeItem> {
        self.outcome.items.iter().filter(|item| self.questions || self.lists_misses() && !item.correct)
    }

    /// True if the result lists the missed questions. After a passed gate, it shows the next level instead.
    fn lists_misses(&self) -> bool {
        !(self.outcome.gate && self.outcome.passed)
    }

    /// Returns the level and page that explain the question under the cursor.
    fn target(&self, context: &Context) -> Option<(usize, usize)> {
        self.page_of(self.listed().nth(self.cursor).filter(|_| !self.outcome.ungraded)?, context)
    }

    /// Returns the level and page that explain a question.
    fn page_of(&self, item: &OutcomeItem, context: &Context) -> Option<(usize, usize)> {
        let (level, _) = context.data.locate(self.level, &item.slot)?;
        Some((level, page_index(context.data.course.levels.get(level)?, &item.page)?))
    }

    /// True after a passed gate or a review, if questions are due.
    fn offers_review(&self, context: &Context) -> bool {
        let after = self.level.is_none() || self.outcome.gate && self.outcome.passed;
        after && context.data.review.due > 0
    }

    /// True if only an exercise is missing before the next level opens.
    fn exercise_left(&self, context: &Context) -> bool {
        let progress = self.level.and_then(|level| context.data.progress_of(level));
        self.outcome.gate && self.outcome.passed && progress.is_some_and(LevelProgress::exercise_left)
    }

    /// Returns the level that follows a passed gate.
    fn next(&self, context: &Context) -> Option<usize> {
        if !self.outcome.gate || !self.outcome.passed {
            return None;
        }
        let data = context.data;
        let opened = self.outcome.unlocked.first().and_then(|id| Some(data.level(id)?.0));
        let next = opened.or(self.level.map(|level| level + 1))?;
        let open = data.locked_by(next).is_none() || opened.is_some();
        (open && !pages(data.course.levels.get(next)?).is_empty()).then_some(next)
    }

    fn max_scroll(&self, context: &Context) -> usize {
        let sheet = self.sheet(context);
        sheet.lines.len().saturating_sub(areas(&sheet, context).shown)
    }

    fn sheet(&self, context: &Context) -> Sheet {
        let width = column(context);
        let mut sheet = Sheet::default();
        if self.questions {
            sheet.head = vec![Line::from(self.result(context, width.into())), Line::default()];
            self.all_questions(&mut sheet, context, width);
        } else {
            self.panel(&mut sheet, context, width);
            sheet.lines.push(Line::default());
            if self.lists_misses() {
                self.misses(&mut sheet, context, width);
            } else {
                self.what_opens(&mut sheet, context, width);
            }
        }
        sheet
    }
}

impl Component for OutcomeScreen {
    fn actions(&self, context: &Context) -> Vec<Action> {
        let mut actions = Vec::new();
        // The action that leads to the next level comes first.
        if self.next(context).is_some() && !self.questions {
            actions.push(Action::BeginNext);
        }
        actions.extend(self.exercise_left(context).then_some(Action::Workshop));
        if self.target(context).is_some() {
            actions.push(Action::ReadPage);
        }
        if self.listed().count() > 1 {
            actions.extend([Action::Up, Action::Down]);
        }
        actions.extend((self.scroll < self.max_scroll(context)).then_some(Action::PageDown));
        actions.extend((self.scroll > 0).then_some(Action::PageUp));
        actions.extend((!self.questions).then_some(Action::Questions));
        actions.extend(self.level.map(|_| Action::Retry));
        actions.extend(self.offers_review(context).then_some(Action::Review));
        actions.extend([Action::ToMap, Action::Back]);
        actions
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let count = self.listed().count().max(1);
        match action {
            Action::Up => self.move_to(step(Some(self.cursor), -1, count), context),
            Action::Down => self.move_to(step(Some(self.cursor), 1, count), context),
            Action::PageDown => self.scroll_to((self.scroll + 8).min(self.max_scroll(context)), context),
            Action::PageUp => self.scroll_to(self.scroll.saturating_sub(8), context),
            Action::Questions => {
                (self.questions, self.scroll) = (true, 0);
                let missed = self.outcome.items.iter().position(|item| !item.correct);
                self.move_to(missed.unwrap_or(0), context);
            }
            Action::BeginNext => {
                let Some(next) = self.next(context) else { return Vec::new() };
                let page = context.data.next_page(next).unwrap_or(0);
                return vec![Effect::Go(Go::Map), Effect::Go(Go::Page { level: next, page })];
            }
            Action::ReadPage => return self.read_page(context),
            Action::Retry => {
                let kind = if self.outcome.gate { AttemptKind::Gate } else { AttemptKind::Practice };
                // An exam asks first.
                let asks = self.outcome.ungraded;
                let to = |level| if asks { Go::Gate { level } } else { Go::Quiz { level, kind } };
                let again = self.level.map(|level| Effect::Go(to(level)));
                return [Effect::Go(Go::Back)].into_iter().chain(again).collect();
            }
            Action::Workshop => return vec![Effect::Go(Go::Map), Effect::Go(Go::Workshop(self.level))],
            Action::Review => return vec![Effect::Go(Go::Map), Effect::Go(Go::Review)],
            Action::ToMap => return vec![Effect::Go(Go::Map)],
            Action::Back if self.questions => (self.questions, self.cursor, self.scroll) = (false, 0, 0),
            Action::Back => return vec![Effect::Go(Go::Back)],
            _ => {}
        }
        Vec::new()
    }

    fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits) {
        let sheet = self.sheet(context);
        let Areas { head, area, shown } = areas(&sheet, context);
        let count = sheet.lines.len();
        let scroll = self.scroll.min(count.saturating_sub(shown));
        draw(frame, head, sheet.head);
        hits.push((area, Hit::Text));
        for (at, lines) in sheet.items.iter().enumerate() {
            let (top, bottom) = (lines.start.max(scroll), lines.end.min(scroll + shown));
            if top < bottom {
                let y = area.y + (top - scroll) as u16;
                hits.push((Rect { y, height: (bottom - top) as u16, ..area }, Hit::Row(at)));
            }
        }
        draw(frame, area, sheet.lines.into_iter().skip(scroll).take(shown).collect());
        let below = count.saturating_sub(scroll + shown);
        if below > 0 {
            let look = &context.look;
            let text = format!("{} {}", look.sign("▼", "v"), t!("outcome-more-below", count = below));
            let (_, last) = split_bottom(area, 1);
            draw(frame, last, vec![Line::from(look.span(Meaning::Accent, text)).right_aligned()]);
        }
    }

    fn text_lines(&self, width: u16, context: &Context) -> Vec<String> {
        let sheet = self.sheet(&Context { size: Size { width, ..context.size }, ..*context });
        let lines = sheet.head.iter().chain(&sheet.lines);
        lines.map(|line| line.to_string().trim_end().to_owned()).collect()
    }

    fn click(&mut self, hit: Hit, _: Position, context: &Context) -> Vec<Effect> {
        match hit {
            Hit::Row(row) if self.cursor == row => return self.read_page(context),
            Hit::Row(row) => self.cursor = row,
            _ => {}
        }
        Vec::new()
    }

    fn scroll_by(&mut self, rows: isize, context: &Context) -> Vec<Effect> {
        self.act(if rows < 0 { Action::Up } else { Action::Down }, context)
    }

    fn reword(&mut self, data: &AppData) {
        if let Some(quiz) = data.quiz(&self.attempt.level) {
            self.attempt.reword(quiz);
            self.outcome.reword(quiz, &self.attempt);
        }
    }
}

/// Areas of the screen: the fixed head, and the scrolling part with its number of visible rows.
struct Areas {
    head: Rect,
    area: Rect,
    shown: usize,
}

/// Returns the width of the text column in cells.
fn column(context: &Context) -> u16 {
    context.size.width.saturating_sub(2).min(TEXT_WIDTH)
}

fn areas(sheet: &Sheet, context: &Context) -> Areas {
    let body = body_of(context.size);
    let width = column(context);
    // Centred on a wide screen, and a third of the way down on a high screen.
    let area = Rect { x: ((body.width - width) / 2).max(1), width, ..body };
    let (head, area) = split_top(area, sheet.head.len() as u16);
    let above = if sheet.head.is_empty() { area.height.saturating_sub(sheet.lines.len() as u16) / 3 } else { 0 };
    let (_, area) = split_top(area, above);
    let rows = usize::from(area.height);
    // The last row announces lines that do not fit.
    let shown = if sheet.lines.len() > rows { rows.saturating_sub(1) } else { rows };
    Areas { head, area, shown }
}
