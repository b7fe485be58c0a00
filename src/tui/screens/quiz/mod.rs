/*! An attempt at a quiz: one question a screen, then a review, then submission.

```text
 2 Shared-memory tiling ▸ gate                   question 3 of 8   ●●◉○○○○○
 ─ apply ────────────────────────────────────────────────────────────────────────
 A block of 32×8 threads reads smem[ty][tx] …

 ▸ a  one wavefront
   b  eight wavefronts
 a–d answer  ↑↓ move  ⏎ take it  → next  m mark  r review  ? help
```
The attempt on the screen is what the store holds: an answer is kept as it is given, and what comes back
is shown. A text that is still being typed is kept when the question is left.
*/

mod draft;
mod render;

pub use draft::Draft;
pub use render::render;

use super::Context;
use crate::course::QuizFile;
use crate::mastery::{Answer, Attempt, AttemptKind, Graded, Question, grade};
use crate::tui::action::Action;
use crate::tui::effect::{Effect, Go, Keep};
use crossterm::event::KeyEvent;

/// An attempt under way.
#[derive(Debug)]
pub struct Quiz {
    /// Index of the level.
    pub level: usize,
    /// As the store has it.
    pub attempt: Attempt,
    /// What is being answered at the question on the screen.
    pub draft: Draft,
    /// The row under the cursor: a choice, an event, a question in the review.
    pub cursor: usize,
    /// First line shown.
    pub scroll: usize,
    /// Why the answer could not be taken.
    pub problem: Option<String>,
    /// In practice, what the answer just given is worth.
    pub feedback: Option<Graded>,
    /// Whether submission with open questions was asked for once.
    pub warned: bool,
}

impl Quiz {
    /// Shows an attempt at the position where it stands.
    pub fn open(level: usize, attempt: Attempt, quiz: Option<&QuizFile>) -> Self {
        let mut screen = Self {
            level,
            attempt,
            draft: Draft::Nothing,
            cursor: 0,
            scroll: 0,
            problem: None,
            feedback: None,
            warned: false,
        };
        screen.arrive(quiz);
        screen
    }

    /// The store has changed the attempt.
    pub fn changed(&mut self, attempt: Attempt, quiz: Option<&QuizFile>) {
        let moved = attempt.position != self.attempt.position;
        self.attempt = attempt;
        if moved {
            self.arrive(quiz);
        } else if self.attempt.kind == AttemptKind::Practice {
            self.feedback = self.graded(quiz);
        }
    }

    fn arrive(&mut self, quiz: Option<&QuizFile>) {
        (self.cursor, self.scroll, self.problem, self.warned) = (0, 0, None, false);
        self.draft = match self.attempt.current() {
            Some(question) => Draft::of(question, self.attempt.answer_to(question)),
            None => Draft::Nothing,
        };
        if let Some(question) = self.attempt.current()
            && let Some(Answer::Single(id)) = self.attempt.answer_to(question)
        {
            self.cursor = question.kind.items().iter().position(|item| item.id == *id).unwrap_or(0);
        }
        self.feedback = if self.attempt.kind == AttemptKind::Practice { self.graded(quiz) } else { None };
    }

    fn graded(&self, quiz: Option<&QuizFile>) -> Option<Graded> {
        let question = self.attempt.current()?;
        // A quiz that was edited meanwhile is told of when the attempt is handed in.
        grade(quiz?, question, Some(self.attempt.answer_to(question)?)).ok()
    }

    /// The question, or the review, as lines.
    pub fn plain(&self, width: u16, context: &Context) -> Vec<String> {
        render::plain(self, width, context)
    }

    /// Whether the review is on the screen.
    pub fn reviewing(&self) -> bool {
        self.attempt.current().is_none()
    }

    /// Whether a text field has the keys.
    pub fn editing(&self) -> bool {
        matches!(self.draft, Draft::Fields { .. }) && self.feedback.is_none()
    }

    /// What works now.
    pub fn actions(&self) -> Vec<Action> {
        use Action::*;
        let mut actions = Vec::new();
        let Some(question) = self.attempt.current() else {
            return vec![Submit, Confirm, Up, Down, PreviousQuestion, First, Last, Back];
        };
        if self.feedback.is_some() {
            actions.extend([NextQuestion, Answer, PreviousQuestion, ReviewAnswers, PageDown, PageUp, Back]);
            return actions;
        }
        let choices = question.kind.items().len().min(8);
        match &self.draft {
            Draft::Single(_) => {
                actions.extend((0..choices).map(|n| Choose(n as u8)));
                actions.extend([Up, Down, Answer]);
            }
            Draft::Multiple(_) => {
                actions.extend((0..choices).map(|n| Choose(n as u8)));
                actions.extend([Up, Down, Toggle, Answer]);
            }
            Draft::Order { .. } => actions.extend([Hold, MoveUp, MoveDown, Up, Down, Answer]),
            Draft::Fields { fields, .. } => {
                actions.push(Answer);
                if fields.len() > 1 {
                    actions.extend([NextField, PreviousField]);
                }
            }
            Draft::Nothing => {}
        }
        actions.extend([NextQuestion, PreviousQuestion, Mark, ReviewAnswers, PageDown, PageUp, Back]);
        actions
    }

    /// Does one of [`Self::actions`].
    pub fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        if self.reviewing() {
            return self.review(action);
        }
        self.problem = None;
        let items = self.attempt.current().map_or(0, |question| question.kind.items().len());
        match action {
            Action::Choose(n) if usize::from(n) < items => {
                self.cursor = usize::from(n);
                self.pick()
            }
            Action::Hold => {
                self.draft.hold();
                Vec::new()
            }
            Action::Toggle => self.pick(),
            Action::Up if self.draft.held() => self.move_item(-1),
            Action::Down if self.draft.held() => self.move_item(1),
            Action::Up => {
                self.cursor = self.cursor.saturating_sub(1);
                Vec::new()
            }
            Action::Down => {
                self.cursor = (self.cursor + 1).min(items.saturating_sub(1));
                Vec::new()
            }
            Action::MoveUp => self.move_item(-1),
            Action::MoveDown => self.move_item(1),
            Action::NextField => {
                self.draft.next_field(1);
                Vec::new()
            }
            Action::PreviousField => {
                self.draft.next_field(-1);
                Vec::new()
            }
            Action::Answer => self.take(),
            Action::NextQuestion => self.go_to(self.attempt.position + 1),
            Action::PreviousQuestion => self.go_to(self.attempt.position.saturating_sub(1)),
            Action::ReviewAnswers => self.go_to(self.attempt.questions.len()),
            Action::Mark => {
                let Some(slot) = self.attempt.current().map(|question| question.slot.clone()) else {
                    return Vec::new();
                };
                let flagged = !self.attempt.flagged.contains(&slot);
                vec![self.change(self.unsaved(), Some((slot, flagged)), None)]
            }
            Action::PageUp => self.scroll_by(-8, context),
            Action::PageDown => self.scroll_by(8, context),
            Action::Back => {
                let mut effects = self.flush();
                effects.push(Effect::Say("Your answers are kept; the quiz goes on where you left it.".into()));
                effects.push(Effect::Go(Go::Back));
                effects
            }
            _ => Vec::new(),
        }
    }

    /// A key for the text field; false if it means nothing there.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        self.problem = None;
        self.draft.key(key)
    }

    /// Text for the field.
    pub fn paste(&mut self, text: &str) {
        self.draft.paste(text);
    }

    /// Keeps what is typed but not yet kept.
    pub fn flush(&self) -> Vec<Effect> {
        self.unsaved().map(|answer| self.change(Some(answer), None, None)).into_iter().collect()
    }

    /// Scrolls the question.
    pub fn scroll_by(&mut self, rows: isize, context: &Context) -> Vec<Effect> {
        self.scroll = self.scroll.saturating_add_signed(rows).min(render::scroll_most(self, context));
        Vec::new()
    }

    /// The answer on the screen, if it has the right form and differs from what is kept.
    fn unsaved(&self) -> Option<(String, Answer)> {
        let question = self.attempt.current()?;
        let answer = self.draft.answer()?;
        let kept = self.attempt.answer_to(question) == Some(&answer);
        // An order that was only looked at is not an answer yet.
        let looked_at = matches!(&self.draft, Draft::Order { touched: false, .. });
        (!kept && !looked_at && answer.problem(question).is_none()).then(|| (question.slot.clone(), answer))
    }

    fn change(&self, answer: Option<(String, Answer)>, flag: Option<(String, bool)>, go_to: Option<usize>) -> Effect {
        Effect::Keep(Keep::Change { attempt: Box::new(self.attempt.clone()), answer, flag, go_to })
    }

    fn go_to(&mut self, position: usize) -> Vec<Effect> {
        vec![self.change(self.unsaved(), None, Some(position))]
    }

    /// Chooses or ticks the row under the cursor, and keeps it.
    fn pick(&mut self) -> Vec<Effect> {
        let Some(question) = self.attempt.current().cloned() else { return Vec::new() };
        let Some(item) = question.kind.items().get(self.cursor) else { return Vec::new() };
        self.draft.pick(&item.id);
        if self.attempt.kind == AttemptKind::Practice && matches!(self.draft, Draft::Multiple(_)) {
            return Vec::new();
        }
        self.keep(&question, None)
    }

    /// Enter: takes the answer; if it was taken already, goes on.
    fn take(&mut self) -> Vec<Effect> {
        let Some(question) = self.attempt.current().cloned() else { return Vec::new() };
        let next = Some(self.attempt.position + 1);
        if self.feedback.is_some() {
            return vec![self.change(None, None, next)];
        }
        if self.draft.last_field_but(1) {
            self.draft.next_field(1);
            return Vec::new();
        }
        if let Draft::Single(chosen) = &self.draft {
            let here = question.kind.items().get(self.cursor).map(|item| &item.id);
            if chosen.as_ref() != here {
                return self.pick();
            }
        }
        if let Draft::Order { touched, held, .. } = &mut self.draft {
            (*touched, *held) = (true, false);
        }
        let stays = self.attempt.kind == AttemptKind::Practice;
        self.keep(&question, if stays { None } else { next })
    }

    fn keep(&mut self, question: &Question, go_to: Option<usize>) -> Vec<Effect> {
        let answer = self.draft.answer();
        let problem = match &answer {
            Some(answer) => answer.problem(question),
            None => Some("Choose one first.".to_owned()),
        };
        match (problem, answer) {
            (None, Some(answer)) => vec![self.change(Some((question.slot.clone(), answer)), None, go_to)],
            (problem, _) => {
                self.problem = problem;
                Vec::new()
            }
        }
    }

    fn move_item(&mut self, by: isize) -> Vec<Effect> {
        let Some(question) = self.attempt.current().cloned() else { return Vec::new() };
        let Some(cursor) = self.draft.move_item(self.cursor, by) else { return Vec::new() };
        self.cursor = cursor;
        // In practice an order is only judged when it is handed over with Enter.
        if self.attempt.kind == AttemptKind::Practice { Vec::new() } else { self.keep(&question, None) }
    }

    fn review(&mut self, action: Action) -> Vec<Effect> {
        let count = self.attempt.questions.len();
        match action {
            Action::Up => self.cursor = self.cursor.saturating_sub(1),
            Action::Down => self.cursor = (self.cursor + 1).min(count.saturating_sub(1)),
            Action::First => self.cursor = 0,
            Action::Last => self.cursor = count.saturating_sub(1),
            Action::Confirm => return self.go_to(self.cursor),
            Action::PreviousQuestion => return self.go_to(count.saturating_sub(1)),
            Action::Submit if self.attempt.unanswered().is_empty() || self.warned => {
                return vec![Effect::Keep(Keep::Submit(Box::new(self.attempt.clone())))];
            }
            Action::Submit => self.warned = true,
            Action::Back => {
                let kept = "Your answers are kept; the quiz goes on where you left it.";
                return vec![Effect::Say(kept.into()), Effect::Go(Go::Back)];
            }
            _ => {}
        }
        Vec::new()
    }
}
