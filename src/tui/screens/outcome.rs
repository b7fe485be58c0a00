/*! What an attempt came to: the score, the reason of each missed answer, the page to read again, what opened.

```text
 ✔ 7 of 8 · gate 7 · passed                       Level 3 is open.
 ✘ question 4
   Your answer counts bytes where the rule counts words. …
   ▸ re-read “Which bank?”
```
*/

use super::{Context, Hits, body_of};
use crate::mastery::{Attempt, AttemptKind, Outcome};
use crate::tui::action::Action;
use crate::tui::effect::{Effect, Go};
use crate::tui::look::{TEXT_WIDTH, draw, split_top};
use crate::tui::markdown;
use crate::tui::screens::Hit;
use crate::tui::theme::Meaning;
use crate::tui::world::{page_index, pages};
use crate::tui::wrap::{hang, wrap_text};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// A submitted attempt.
#[derive(Debug)]
pub struct OutcomeScreen {
    /// Index of the level.
    pub level: usize,
    /// What it came to.
    pub outcome: Outcome,
    /// The questions' numbers and wording, for what was missed.
    pub asked: Vec<(String, String)>,
    /// The miss under the cursor.
    pub cursor: usize,
    /// First line shown.
    pub scroll: usize,
}

impl OutcomeScreen {
    /// The outcome of an attempt that was on the screen.
    pub fn new(level: usize, outcome: Outcome, attempt: &Attempt) -> Self {
        let asked = attempt.questions.iter().map(|q| (q.slot.clone(), q.ask.clone())).collect();
        Self { level, outcome, asked, cursor: 0, scroll: 0 }
    }

    /// What works now.
    pub fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.outcome.misses().next().is_some() {
            actions.extend([Action::ReadPage, Action::Up, Action::Down]);
        }
        actions.extend([Action::Retry, Action::Back, Action::PageDown, Action::PageUp, Action::First, Action::Last]);
        actions
    }

    /// Does one of [`Self::actions`].
    pub fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let misses = self.outcome.misses().count();
        match action {
            Action::Up => self.cursor = self.cursor.saturating_sub(1),
            Action::Down => self.cursor = (self.cursor + 1).min(misses.saturating_sub(1)),
            Action::First => self.cursor = 0,
            Action::Last => self.cursor = misses.saturating_sub(1),
            Action::PageDown => self.scroll += 8,
            Action::PageUp => self.scroll = self.scroll.saturating_sub(8),
            Action::ReadPage => {
                let level = context.world.course.levels.get(self.level);
                let miss = self.outcome.misses().nth(self.cursor);
                let page = level.zip(miss).and_then(|(level, miss)| page_index(level, &miss.page));
                return vec![match page {
                    Some(page) => Effect::Go(Go::Page { level: self.level, page }),
                    None => Effect::Say("That page is not in the course any more.".into()),
                }];
            }
            Action::Retry => {
                let kind = if self.outcome.gate { AttemptKind::Gate } else { AttemptKind::Practice };
                return vec![Effect::Go(Go::Back), Effect::Go(Go::Quiz { level: self.level, kind })];
            }
            Action::Back => return vec![Effect::Go(Go::Back)],
            _ => {}
        }
        Vec::new()
    }

    /// The outcome as lines.
    pub fn plain(&self, width: u16, context: &Context) -> Vec<String> {
        let mut lines = self.score(context);
        for miss in self.outcome.misses() {
            for why in [&miss.why, &miss.because].into_iter().flatten() {
                lines.extend(markdown::render(why, width, &context.look));
            }
        }
        lines.iter().map(ToString::to_string).collect()
    }

    /// Draws the outcome.
    pub fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits) {
        let (look, area) = (&context.look, body_of(context.size));
        let area = Rect { x: 1, width: area.width.saturating_sub(2), ..area };
        let width = area.width.min(TEXT_WIDTH);
        let mut head = self.score(context);
        head.push(look.rule(if self.outcome.gate { "gate" } else { "practice" }, Meaning::Accent, area.width));
        let (top, body) = split_top(area, head.len() as u16);
        draw(frame, top, head);
        let mut lines: Vec<Line> = Vec::new();
        let mut keep = (0, 0);
        for (at, miss) in self.outcome.misses().enumerate() {
            let start = lines.len();
            let number = self.asked.iter().position(|(slot, _)| *slot == miss.slot).map_or(0, |n| n + 1);
            let ask = self.asked.iter().find(|(slot, _)| *slot == miss.slot).map_or("", |(_, ask)| ask.as_str());
            let first = markdown::opening(ask, look);
            let first = crate::tui::look::truncate(&first, usize::from(width).saturating_sub(16), look.ascii);
            let mut title = Line::from(vec![
                look.cursor(at == self.cursor),
                look.wrong(),
                look.span(Meaning::Strong, format!(" question {number}  ")),
                look.span(Meaning::Muted, first),
            ]);
            if at == self.cursor {
                title = title.style(look.style(Meaning::Selected));
            }
            lines.push(title);
            for why in [&miss.why, &miss.because].into_iter().flatten() {
                let text = markdown::render(why, width.saturating_sub(4), look);
                lines.extend(hang(text, &Span::raw("    "), &Span::raw("    ")));
            }
            let level = context.world.course.levels.get(self.level);
            let page = level.and_then(|level| Some(&pages(level)[page_index(level, &miss.page)?]));
            if let Some(page) = page {
                let enter = look.sign("⏎", "Enter");
                let key = if at == self.cursor { format!("{enter} ") } else { String::new() };
                lines.push(Line::from(vec![
                    Span::raw("    "),
                    look.span(Meaning::Key, key),
                    look.span(Meaning::Accent, format!("re-read “{}”", page.title)),
                ]));
            }
            if at == self.cursor {
                keep = (start, lines.len());
            }
            lines.push(Line::default());
        }
        if lines.is_empty() {
            lines.push(Line::styled("No question was missed.", look.style(Meaning::Right)));
        }
        let height = usize::from(body.height);
        let most = lines.len().saturating_sub(height);
        let scroll = self.scroll.max(keep.1.saturating_sub(height)).min(most);
        let shown: Vec<Line> = lines.into_iter().skip(scroll).take(height).collect();
        hits.push((body, Hit::Text));
        draw(frame, body, shown);
    }

    fn score(&self, context: &Context) -> Vec<Line<'static>> {
        let (look, outcome) = (&context.look, &self.outcome);
        let (sign, meaning, word) = if outcome.passed {
            (look.right(), Meaning::Right, "passed")
        } else {
            (look.wrong(), Meaning::Wrong, "not passed")
        };
        let dot = look.sign("·", "-");
        let score = format!(" {} of {} {dot} gate {} {dot} ", outcome.correct, outcome.questions, outcome.required);
        let mut lines = vec![Line::from(vec![sign, look.span(Meaning::Title, score), look.span(meaning, word)])];
        for id in &outcome.unlocked {
            let title = context
                .world
                .level(id)
                .map_or_else(|| id.clone(), |(at, level)| format!("Level {}, {}, is open.", at + 1, level.title));
            lines.push(Line::styled(title, look.style(Meaning::Accent)));
        }
        if outcome.gate && !outcome.passed {
            let text = "Read the pages below again, then try once more: the questions will be others.";
            lines.extend(wrap_text(
                text,
                look.style(Meaning::Muted),
                TEXT_WIDTH.min(context.size.width.saturating_sub(2)),
            ));
        }
        lines
    }
}
