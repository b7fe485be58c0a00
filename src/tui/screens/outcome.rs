/*! What an attempt came to: the result, then every question with one's own answer.

```text
 ╭────────────────────────────────────────────────────────────────╮
 │  ✔  Level 2 passed                          8 of 8   ✔✔✔✔✔✔✔✔  │
 │     13 %  ██▋  ─────▶  16 %  ███▏   of cuBLAS on H200          │
 │     First try 6 of 8, now 8 of 8.                              │
 │     11 of 17 predictions right at first.                       │
 ╰────────────────────────────────────────────────────────────────╯
   Opens   3  Register blocking                                     12 pages
           Why should one thread compute 64 elements?
 ⏎ begin  r questions  t try again  m map
```
A failed gate keeps its key: it says which answers were wrong, why, and which page helps.
*/

use super::{Context, Hits, body_of};
use crate::mastery::{Attempt, AttemptKind, Outcome, OutcomeItem, Question};
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::{Effect, Go};
use crate::tui::look::{TEXT_WIDTH, draw, split_bottom, split_top, truncate, two_ends};
use crate::tui::markdown;
use crate::tui::screens::Hit;
use crate::tui::screens::map::percent;
use crate::tui::theme::Meaning;
use crate::tui::world::{page_index, pages};
use crate::tui::wrap::{hang, wrap_text};
use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use ratatui::text::{Line, Span};
use std::ops::Range;

/// Cells of a bar that stands for all of cuBLAS.
const BAR: u16 = 12;

/// A submitted attempt.
#[derive(Debug)]
pub struct OutcomeScreen {
    /// Index of the level.
    pub level: usize,
    /// What it came to.
    pub outcome: Outcome,
    /// What was asked and answered.
    pub attempt: Attempt,
    /// Whether every question is shown, or the result.
    pub questions: bool,
    /// The question under the cursor: of all, or of those missed.
    pub cursor: usize,
    /// First line shown.
    pub scroll: usize,
}

/// Lines, and which of them belong to which question.
#[derive(Default)]
struct Sheet {
    /// What stays when the rest scrolls.
    head: Vec<Line<'static>>,
    lines: Vec<Line<'static>>,
    items: Vec<Range<usize>>,
}

impl OutcomeScreen {
    /// The outcome of an attempt that was on the screen.
    pub fn new(level: usize, outcome: Outcome, attempt: &Attempt) -> Self {
        Self { level, outcome, attempt: attempt.clone(), questions: false, cursor: 0, scroll: 0 }
    }

    /// What works now.
    pub fn actions(&self, context: &Context) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.next(context).is_some() && !self.questions {
            actions.push(Action::BeginNext);
        }
        if self.target(context).is_some() {
            actions.push(Action::ReadPage);
        }
        if self.listed().count() > 1 {
            actions.extend([Action::Up, Action::Down]);
        }
        actions.extend((self.scroll < self.most(context)).then_some(Action::PageDown));
        actions.extend((self.scroll > 0).then_some(Action::PageUp));
        actions.extend((!self.questions).then_some(Action::Questions));
        actions.extend([Action::Retry, Action::ToMap, Action::Back]);
        actions
    }

    /// Does one of [`Self::actions`].
    pub fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let count = self.listed().count().max(1);
        match action {
            Action::Up => self.move_to((self.cursor + count - 1) % count, context),
            Action::Down => self.move_to((self.cursor + 1) % count, context),
            Action::PageDown => self.scroll_to((self.scroll + 8).min(self.most(context)), context),
            Action::PageUp => self.scroll_to(self.scroll.saturating_sub(8), context),
            Action::Questions => {
                (self.questions, self.scroll) = (true, 0);
                let missed = self.outcome.items.iter().position(|item| !item.correct);
                self.move_to(missed.unwrap_or(0), context);
            }
            Action::BeginNext => {
                let Some(next) = self.next(context) else { return Vec::new() };
                let page = context.world.next_page(next).unwrap_or(0);
                return vec![Effect::Go(Go::Map), Effect::Go(Go::Page { level: next, page })];
            }
            Action::ReadPage => return self.read_page(context),
            Action::Retry => {
                let kind = if self.outcome.gate { AttemptKind::Gate } else { AttemptKind::Practice };
                return vec![Effect::Go(Go::Back), Effect::Go(Go::Quiz { level: self.level, kind })];
            }
            Action::ToMap => return vec![Effect::Go(Go::Map)],
            Action::Back if self.questions => (self.questions, self.cursor, self.scroll) = (false, 0, 0),
            Action::Back => return vec![Effect::Go(Go::Back)],
            _ => {}
        }
        Vec::new()
    }

    /// A question was clicked: the cursor goes there, and if it was there its page opens.
    pub fn click(&mut self, row: usize, context: &Context) -> Vec<Effect> {
        if self.cursor == row {
            return self.read_page(context);
        }
        self.cursor = row;
        Vec::new()
    }

    fn read_page(&self, context: &Context) -> Vec<Effect> {
        let page = self.target(context);
        page.map(|page| Effect::Go(Go::Page { level: self.level, page })).into_iter().collect()
    }

    fn move_to(&mut self, row: usize, context: &Context) {
        self.cursor = row;
        let sheet = self.sheet(context);
        let height = place(&sheet, context).shown;
        let Some(item) = sheet.items.get(row) else { return };
        // The whole question if it fits, else its beginning.
        let end = item.end.min(item.start + height);
        let first = end.saturating_sub(height);
        self.scroll = self.scroll.clamp(first, item.start.max(first));
        if row == 0 {
            self.scroll = 0;
        }
    }

    /// Scrolls; a cursor that is left behind comes along, so that Enter never means a question out of sight.
    fn scroll_to(&mut self, first: usize, context: &Context) {
        self.scroll = first;
        let sheet = self.sheet(context);
        let seen = first..first + place(&sheet, context).shown;
        let in_sight = |item: &Range<usize>| seen.contains(&item.start) || seen.contains(&(item.end - 1));
        if !sheet.items.get(self.cursor).is_some_and(in_sight) {
            self.cursor = sheet.items.iter().position(in_sight).unwrap_or(self.cursor);
        }
    }

    /// The questions that the cursor walks.
    fn listed(&self) -> impl Iterator<Item = &OutcomeItem> {
        self.outcome.items.iter().filter(|item| self.questions || self.lists_misses() && !item.correct)
    }

    /// Whether the result lists what was missed: after a gate that was passed the way leads on.
    fn lists_misses(&self) -> bool {
        !(self.outcome.gate && self.outcome.passed)
    }

    /// The page behind the question under the cursor.
    fn target(&self, context: &Context) -> Option<usize> {
        let item = self.listed().nth(self.cursor)?;
        page_index(context.world.course.levels.get(self.level)?, &item.page)
    }

    /// The level that comes after a passed gate.
    fn next(&self, context: &Context) -> Option<usize> {
        if !self.outcome.gate || !self.outcome.passed {
            return None;
        }
        let world = context.world;
        let opened = self.outcome.unlocked.first().and_then(|id| Some(world.level(id)?.0));
        let next = opened.or(Some(self.level + 1))?;
        let open = world.locked_by(next).is_none() || opened.is_some();
        (open && !pages(world.course.levels.get(next)?).is_empty()).then_some(next)
    }

    fn most(&self, context: &Context) -> usize {
        let sheet = self.sheet(context);
        sheet.lines.len().saturating_sub(place(&sheet, context).shown)
    }

    /// The outcome as lines.
    pub fn plain(&self, width: u16, context: &Context) -> Vec<String> {
        let sheet = self.sheet(&Context { size: Size { width, ..context.size }, ..*context });
        let lines = sheet.head.iter().chain(&sheet.lines);
        lines.map(|line| line.to_string().trim_end().to_owned()).collect()
    }

    /// Draws the outcome.
    pub fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits) {
        let sheet = self.sheet(context);
        let Place { head, area, shown } = place(&sheet, context);
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

    /// One row: sign and words of the result, score, and a sign for each question.
    fn result(&self, context: &Context, width: usize) -> Vec<Span<'static>> {
        let (look, outcome) = (&context.look, &self.outcome);
        let good = outcome.passed;
        let number = self.level + 1;
        let title = match (outcome.gate, good) {
            (true, true) => t!("outcome-passed", level = number),
            (true, false) => t!("outcome-not-passed", level = number),
            (false, true) => t!("outcome-practice-enough", level = number),
            (false, false) => t!("outcome-practice-short", level = number),
        };
        let meaning = if good { Meaning::Right } else { Meaning::Wrong };
        let sign = if good { look.right() } else { look.wrong() };
        let score = t!("outcome-score", correct = outcome.correct, questions = outcome.questions);
        let mut right = vec![look.span(meaning, score)];
        if outcome.items.len() <= 16 {
            right.push(Span::raw("   "));
            right.extend(outcome.items.iter().map(|item| if item.correct { look.right() } else { look.wrong() }));
        }
        let room = width.saturating_sub(right.iter().map(Span::width).sum::<usize>() + 4);
        let title = truncate(&title, room, look.ascii);
        two_ends(vec![sign, Span::raw("  "), look.span(Meaning::Title, title)], right, width as u16).spans
    }

    /// The framed result, as wide as what stands below it.
    fn panel(&self, sheet: &mut Sheet, context: &Context, width: u16) {
        let look = &context.look;
        let inner = usize::from(width.saturating_sub(2));
        let mut first = vec![Span::raw("  ")];
        first.extend(self.result(context, inner.saturating_sub(4)));
        // A low terminal has no rows to spare.
        let airy = context.size.height >= 24;
        let mut rows: Vec<Vec<Span>> = if airy { vec![Vec::new(), first] } else { vec![first] };
        rows.extend(self.about(context, inner.saturating_sub(7) as u16).into_iter().map(|mut row| {
            row.insert(0, Span::raw("     "));
            row
        }));
        rows.extend(airy.then(Vec::new));
        let border = look.style(if self.outcome.passed { Meaning::Right } else { Meaning::Border });
        let edge = |left: &str, line: &str, right: &str| {
            Line::from(Span::styled(format!("{left}{}{right}", line.repeat(inner)), border))
        };
        let (line, side) = (look.sign("─", "-"), look.sign("│", "|"));
        sheet.lines.extend(airy.then(Line::default));
        sheet.lines.push(edge(look.sign("╭", "+"), line, look.sign("╮", "+")));
        for row in rows {
            let used: usize = row.iter().map(Span::width).sum();
            let mut spans = vec![Span::styled(side.to_owned(), border)];
            spans.extend(row);
            spans.push(Span::raw(" ".repeat(inner.saturating_sub(used))));
            spans.push(Span::styled(side.to_owned(), border));
            sheet.lines.push(Line::from(spans));
        }
        sheet.lines.push(edge(look.sign("╰", "+"), line, look.sign("╯", "+")));
    }

    /// What the panel says below the score.
    fn about(&self, context: &Context, width: u16) -> Vec<Vec<Span<'static>>> {
        let (look, outcome, world) = (&context.look, &self.outcome, context.world);
        let say = |text: String| {
            wrap_text(&text, look.style(Meaning::Text), width).into_iter().map(|line| line.spans).collect::<Vec<_>>()
        };
        let mut rows = Vec::new();
        let Some(level) = world.course.levels.get(self.level) else { return rows };
        if outcome.gate && !outcome.passed {
            let missing = outcome.required.saturating_sub(outcome.correct);
            rows.extend(say(t!("outcome-missing", missing = missing, required = outcome.required)));
        }
        if outcome.gate
            && outcome.passed
            && let Some(share) = world.shares.get(&level.id)
        {
            let before = self.level.checked_sub(1).and_then(|at| world.shares.get(&world.course.levels.get(at)?.id));
            let before = before.map_or(share.low, |before| before.high);
            let bar = |share: f64| {
                let cells = ((share.clamp(0.0, 1.0) * f64::from(BAR)).ceil() as u16).max(1);
                look.bar(share.clamp(0.0, 1.0) * f64::from(BAR) / f64::from(cells), cells)
            };
            let mut row = vec![look.span(Meaning::Text, format!("{} % ", percent(before)))];
            row.extend(bar(before));
            row.push(look.span(Meaning::Border, look.sign(" ────▶ ", " ---> ").to_owned()));
            row.push(look.span(Meaning::Strong, format!("{} % ", percent(share.high))));
            row.extend(bar(share.high));
            let of = match &world.recorded_on {
                Some(device) => t!("outcome-of-cublas-on", device = device),
                None => t!("outcome-of-cublas"),
            };
            row.push(look.span(Meaning::Muted, format!(" {of}")));
            rows.push(row);
        }
        let first = world.stands(self.level).filter(|stands| outcome.gate && stands.attempts > 1);
        if let Some(first) = first.and_then(|stands| stands.first.as_ref()) {
            rows.extend(say(t!(
                "outcome-first-try",
                first = first.correct,
                of = first.questions,
                now = outcome.correct,
                questions = outcome.questions
            )));
        }
        let made: Vec<bool> = pages(level)
            .iter()
            .filter_map(|page| world.predictions.get(&(level.id.clone(), page.id.value.clone()))?.first.correct)
            .collect();
        if outcome.gate && !made.is_empty() {
            let right = made.iter().filter(|right| **right).count();
            rows.extend(say(t!("outcome-predictions", right = right, made = made.len())));
        }
        rows
    }

    fn what_opens(&self, sheet: &mut Sheet, context: &Context, width: u16) {
        let (look, world) = (&context.look, context.world);
        // Below the words of the panel.
        let margin = 3;
        let room = width.saturating_sub(2 * margin as u16);
        let indent = |lines: Vec<Line<'static>>, by: usize| {
            let before = Span::raw(" ".repeat(by));
            hang(lines, &before, &before)
        };
        let Some(next) = self.next(context) else {
            let text = wrap_text(&t!("outcome-last-gate"), look.style(Meaning::Accent), room);
            sheet.lines.extend(indent(text, margin));
            return;
        };
        let Some(level) = world.course.levels.get(next) else { return };
        let opened = self.outcome.unlocked.contains(&level.id);
        let word = if opened { t!("outcome-opens") } else { t!("outcome-next") };
        let count = t!("outcome-pages", pages = pages(level).len());
        let lead = word.chars().count() + 3;
        let title =
            truncate(&level.title, usize::from(room).saturating_sub(lead + 4 + count.chars().count() + 2), look.ascii);
        sheet.lines.push(Line::from(vec![
            Span::raw(" ".repeat(margin)),
            look.span(Meaning::Accent, format!("{word}   ")),
            look.span(Meaning::Key, format!("{}  ", next + 1)),
            look.span(Meaning::Title, title),
            look.span(Meaning::Muted, format!("   {count}")),
        ]));
        let question = wrap_text(&level.question, look.style(Meaning::Text), room.saturating_sub(lead as u16));
        sheet.lines.extend(indent(question, margin + lead));
        for id in self.outcome.unlocked.iter().filter(|id| **id != level.id) {
            let Some((at, other)) = world.level(id) else { continue };
            sheet.lines.push(Line::from(vec![
                Span::raw(" ".repeat(margin + lead)),
                look.span(Meaning::Muted, t!("outcome-opens-too", level = at + 1, title = other.title.as_str())),
            ]));
        }
        let missed = self.outcome.misses().count();
        if missed > 0 {
            sheet.lines.push(Line::default());
            let text = wrap_text(&t!("outcome-missed-some", missed = missed), look.style(Meaning::Muted), room);
            sheet.lines.extend(indent(text, margin));
        }
    }

    /// What was missed, by objective, and what to read again.
    fn misses(&self, sheet: &mut Sheet, context: &Context, width: u16) {
        let look = &context.look;
        let text = match (self.outcome.gate, self.outcome.misses().count()) {
            (_, 0) => t!("outcome-none-missed"),
            (true, _) => t!("outcome-read-again"),
            (false, _) => t!("outcome-look-again"),
        };
        sheet.lines.extend(wrap_text(&text, look.style(Meaning::Muted), width));
        sheet.lines.push(Line::default());
        let lesson = context.world.course.levels.get(self.level).and_then(|level| level.lesson.as_ref().ok());
        let mut last = None;
        for (at, item) in self.listed().enumerate() {
            let question = self.question(item);
            let objective = question.map(|(_, question)| question.objective.as_str());
            let start = sheet.lines.len();
            if objective != last {
                let known =
                    lesson.and_then(|lesson| lesson.objectives.iter().find(|o| Some(o.id.value.as_str()) == objective));
                if let Some(known) = known {
                    sheet.lines.extend(wrap_text(&known.text, look.style(Meaning::Strong), width));
                }
                last = objective;
            }
            let number = question.map_or(0, |(at, _)| at + 1);
            sheet.lines.push(self.title(at, item, number, context, width));
            if let Some((_, question)) = question {
                let indent = Span::raw("    ");
                let ask = wrap_text(
                    &markdown::opening(&question.ask, look),
                    look.style(Meaning::Muted),
                    width.saturating_sub(4),
                );
                sheet.lines.extend(hang(ask, &indent, &indent));
            }
            self.reasons(sheet, item, context, width);
            self.link(sheet, at, item, context, width);
            sheet.items.push(start..sheet.lines.len());
            sheet.lines.push(Line::default());
        }
    }

    /// Every question in full, with one's own answer and the reason.
    fn all_questions(&self, sheet: &mut Sheet, context: &Context, width: u16) {
        let look = &context.look;
        let indent = Span::raw("    ");
        for (at, item) in self.outcome.items.iter().enumerate() {
            let start = sheet.lines.len();
            sheet.lines.push(self.title(at, item, at + 1, context, width));
            if let Some((_, question)) = self.question(item) {
                let ask = markdown::render(&question.ask, width.saturating_sub(4), look);
                sheet.lines.extend(hang(ask, &indent, &indent));
                if let Some(answer) = self.attempt.answer_to(question) {
                    let meaning = if item.correct { Meaning::Right } else { Meaning::Wrong };
                    let before = look.span(meaning, format!("    {}  ", t!("outcome-your-answer")));
                    let rest = Span::raw(" ".repeat(before.width()));
                    let told = question.kind.told(answer).join("\n\n");
                    let text = markdown::render(&told, width.saturating_sub(before.width() as u16), look);
                    sheet.lines.extend(hang(text, &before, &rest));
                }
            }
            self.reasons(sheet, item, context, width);
            self.link(sheet, at, item, context, width);
            sheet.items.push(start..sheet.lines.len());
            sheet.lines.push(Line::default());
        }
    }

    fn question(&self, item: &OutcomeItem) -> Option<(usize, &Question)> {
        self.attempt.questions.iter().enumerate().find(|(_, question)| question.slot == item.slot)
    }

    fn answered(&self, item: &OutcomeItem) -> bool {
        self.attempt.answers.contains_key(&item.slot)
    }

    fn title(&self, at: usize, item: &OutcomeItem, number: usize, context: &Context, width: u16) -> Line<'static> {
        let look = &context.look;
        let here = at == self.cursor;
        let (sign, word) = match (item.correct, self.answered(item)) {
            (true, _) => (look.right(), t!("outcome-question-right", number = number)),
            (false, true) => (look.wrong(), t!("outcome-question-wrong", number = number)),
            (false, false) => (look.wrong(), t!("outcome-question-open", number = number)),
        };
        let line = Line::from(vec![look.cursor(here), sign, look.span(Meaning::Strong, format!(" {word}"))]);
        if here { look.selected(line, width) } else { line }
    }

    fn reasons(&self, sheet: &mut Sheet, item: &OutcomeItem, context: &Context, width: u16) {
        let indent = Span::raw("    ");
        // That there was no answer stands in the title.
        let why = item.why.as_ref().filter(|_| self.answered(item));
        for why in [why, item.because.as_ref()].into_iter().flatten() {
            let text = markdown::render(why, width.saturating_sub(4), &context.look);
            sheet.lines.extend(hang(text, &indent, &indent));
        }
    }

    fn link(&self, sheet: &mut Sheet, at: usize, item: &OutcomeItem, context: &Context, width: u16) {
        let look = &context.look;
        let level = context.world.course.levels.get(self.level);
        let page = level.and_then(|level| Some(&pages(level)[page_index(level, &item.page)?]));
        let Some(page) = page else { return };
        let key = if at == self.cursor { format!("{} ", look.sign("⏎", "Enter")) } else { String::new() };
        let before = look.span(Meaning::Key, format!("    {key}"));
        let text = t!("outcome-re-read", title = page.title.as_str());
        let text = wrap_text(&text, look.style(Meaning::Accent), width.saturating_sub(before.width() as u16));
        sheet.lines.extend(hang(text, &before, &Span::raw("    ")));
    }
}

/// Where an outcome is drawn: what stays at the top, what scrolls, and how many of its rows show.
struct Place {
    head: Rect,
    area: Rect,
    shown: usize,
}

/// Cells of the column in which everything stands.
fn column(context: &Context) -> u16 {
    context.size.width.saturating_sub(2).min(TEXT_WIDTH)
}

fn place(sheet: &Sheet, context: &Context) -> Place {
    let area = Rect { x: 1, width: column(context), ..body_of(context.size) };
    let (head, area) = split_top(area, sheet.head.len() as u16);
    let rows = usize::from(area.height);
    // What does not fit is announced in the last row.
    let shown = if sheet.lines.len() > rows { rows.saturating_sub(1) } else { rows };
    Place { head, area, shown }
}
