/*! An attempt at a quiz: one question per screen, then a review, then the submission.

```text
 2 Shared-memory tiling ▸ gate                   question 3 of 8   ●●◉◐○○○○
 ─ apply ────────────────────────────────────────────────────────────────────────
 A block of 32×8 threads reads smem[ty][tx] …

   a  ○ one wavefront
 ▸ b  ● eight wavefronts
 Selected, not confirmed: Enter gives this answer.
 a–d select  ↑↓ move  ⏎ confirm  → next  m mark  r review  ? help
```
A selection or typed text is a draft: it is saved immediately. Enter gives it as the answer and goes on. In a gate, going
on to the next question gives it, too, if it is complete. A submission takes all complete drafts, after a warning. Until
the store has committed the answer, the screen shows it as not yet saved.
*/

mod kinds;
mod render;
mod sheet;

pub use kinds::Panel;
pub(crate) use render::bloom_name;

use super::step;
use crate::app::Saving;
use crate::prelude::*;
use std::collections::BTreeMap;
use tutor_course::QuizFile;
use tutor_progress::{Answer, Attempt, AttemptKind, Change, Graded, Question, grade};
use ui_kit::action::Key;

#[derive(Debug)]
pub struct Quiz {
    /// Index of the level; `None` for a review.
    pub level: Option<usize>,
    /// The attempt as the student sees it; the store follows.
    pub attempt: Attempt,
    pub drafts: BTreeMap<String, Answer>,
    /// The panel of the question on the screen; `None` in the review.
    pub panel: Option<Box<dyn Panel>>,
    /// The row under the cursor in the review.
    pub cursor: usize,
    pub scroll: usize,
    /// The reason why the answer was not accepted.
    pub problem: Option<String>,
    /// In practice, the grade of the given answer.
    pub feedback: Option<Graded>,
    /// True if the student has tried to submit with unfinished questions once.
    pub warned: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuestionState {
    Open,
    /// There is a draft, which only a submission takes.
    Drafted,
    Answered,
    /// Answered, but there is a different draft.
    Changed,
    /// Answered, but the store has not committed the answer yet.
    Saving,
}

impl Quiz {
    /// Shows an attempt at its current position, with the saved drafts.
    pub fn open(
        level: Option<usize>,
        attempt: Attempt,
        quiz: Option<&QuizFile>,
        kept: &BTreeMap<String, String>,
    ) -> Self {
        let draft = |question: &Question| {
            let draft = question.draft_of(kept.get(&attempt.draft_key(question))?)?;
            Some((question.slot.clone(), draft))
        };
        let drafts = attempt.questions.iter().filter_map(draft).collect();
        let mut screen = Self {
            level,
            attempt,
            drafts,
            panel: None,
            cursor: 0,
            scroll: 0,
            problem: None,
            feedback: None,
            warned: false,
        };
        screen.arrive(quiz);
        screen
    }

    /// Changes the attempt and asks the store to do the same.
    fn change(&mut self, change: Change, context: &Context) -> Effect {
        let position = self.attempt.position;
        self.attempt.change(change.clone());
        let quiz = context.data.quiz(&self.attempt.level);
        if self.attempt.position != position {
            self.arrive(quiz);
        } else if self.attempt.kind == AttemptKind::Practice {
            self.feedback = self.grade(quiz);
        }
        Effect::Store(StoreRequest::Change { attempt: self.attempt.id, change })
    }

    fn arrive(&mut self, quiz: Option<&QuizFile>) {
        (self.cursor, self.scroll, self.problem, self.warned) = (0, 0, None, false);
        self.panel = self.attempt.current().map(|question| {
            let before = self.drafts.get(&question.slot).or_else(|| self.attempt.answer_to(question));
            kinds::of(&question.kind, before)
        });
        self.feedback = if self.attempt.kind == AttemptKind::Practice { self.grade(quiz) } else { None };
    }

    /// Grades the answer to the question on the screen.
    fn grade(&self, quiz: Option<&QuizFile>) -> Option<Graded> {
        self.graded(self.attempt.current()?, quiz)
    }

    fn graded(&self, question: &Question, quiz: Option<&QuizFile>) -> Option<Graded> {
        // If the quiz has been edited meanwhile, the submission reports that.
        grade(quiz?, question, Some(self.attempt.answer_to(question)?)).ok()
    }

    /// Takes over the texts of a quiz that was read again. Drafts and answers stay.
    fn read_again(&mut self, quiz: Option<&QuizFile>) {
        let Some(quiz) = quiz else { return };
        self.attempt.reword(quiz);
        self.problem = None;
        if let (Some(question), Some(panel)) = (self.attempt.current(), &self.panel) {
            let selected = panel.selected();
            let before = selected.as_ref().or_else(|| self.attempt.answer_to(question));
            let mut again = kinds::of(&question.kind, before);
            if let Some(position) = panel.position() {
                again.go_to(position);
            }
            self.panel = Some(again);
        }
        if self.feedback.is_some() {
            self.feedback = self.grade(Some(quiz));
        }
    }

    /// True if the review is on the screen.
    pub fn reviewing(&self) -> bool {
        self.attempt.current().is_none()
    }

    pub fn question_state(&self, question: &Question, saving: &Saving) -> QuestionState {
        match (self.attempt.answer_to(question), self.drafts.contains_key(&question.slot)) {
            (None, false) => QuestionState::Open,
            (None, true) => QuestionState::Drafted,
            (Some(_), false) if saving.has_answer(self.attempt.id, &question.slot) => QuestionState::Saving,
            (Some(_), false) => QuestionState::Answered,
            (Some(_), true) => QuestionState::Changed,
        }
    }

    fn complete_draft(&self, question: &Question) -> Option<Answer> {
        self.drafts.get(&question.slot).filter(|draft| question.problem(draft).is_none()).cloned()
    }

    /// Returns the number of questions that would count as wrong because they have no complete answer, and the number of
    /// answers that are not confirmed.
    fn unfinished(&self) -> (usize, usize) {
        let count = |which: &dyn Fn(&&Question) -> bool| self.attempt.questions.iter().filter(which).count();
        let drafted = |question: &&Question| self.complete_draft(question).is_some();
        let answered = |question: &Question| {
            self.attempt.answer_to(question).is_some() && !self.drafts.contains_key(&question.slot)
        };
        (count(&|question| !drafted(question) && !answered(question)), count(&drafted))
    }

    /// Submits the attempt as the screen shows it. What is selected counts like what is confirmed. An answer that was
    /// changed and is now incomplete is withdrawn.
    fn submit(&mut self, context: &Context) -> Vec<Effect> {
        let mut effects = Vec::new();
        for question in self.attempt.questions.clone() {
            let answer = self.complete_draft(&question);
            if self.drafts.remove(&question.slot).is_some()
                && (answer.is_some() || self.attempt.answer_to(&question).is_some())
            {
                let answer = Some((question.slot, answer));
                effects.push(self.change(Change { answer, ..Change::default() }, context));
            }
        }
        let Attempt { id: attempt, level, .. } = &self.attempt;
        effects.push(Effect::Store(StoreRequest::Submit { attempt: *attempt, level: level.clone() }));
        effects
    }

    fn review_actions(&self) -> Vec<Action> {
        use Action::*;
        let last = self.attempt.questions.len().saturating_sub(1);
        let mut actions = vec![Submit, Confirm, Up, Down, PreviousQuestion];
        actions.extend((self.cursor > 0).then_some(First));
        actions.extend((self.cursor < last).then_some(Last));
        actions.push(Back);
        actions
    }

    /// Selects a row of the question.
    fn choose(&mut self, row: usize, context: &Context) -> Vec<Effect> {
        self.problem = None;
        if let (Some(panel), None) = (&mut self.panel, &self.feedback) {
            panel.click(row);
        }
        self.keep_draft(context)
    }

    /// Saves the selection as a draft, unless it is already the answer. If nothing is selected any more, withdraws the
    /// answer.
    fn keep_draft(&mut self, context: &Context) -> Vec<Effect> {
        let Some(question) = self.attempt.current() else { return Vec::new() };
        let selected = self.panel.as_ref().and_then(|panel| panel.selected());
        let withdrawn = selected.is_none() && self.attempt.answer_to(question).is_some();
        let slot = question.slot.clone();
        let draft = selected.filter(|selected| self.attempt.answer_to(question) != Some(selected));
        let (key, text) = (self.attempt.draft_key(question), draft.as_ref().map(Answer::to_draft));
        match draft {
            Some(draft) => self.drafts.insert(slot.clone(), draft),
            None => self.drafts.remove(&slot),
        };
        let mut effects = vec![Effect::Store(StoreRequest::Draft { key, text })];
        if withdrawn {
            effects.push(self.change(Change { answer: Some((slot, None)), ..Change::default() }, context));
        }
        effects
    }

    fn go_to(&mut self, position: usize, context: &Context) -> Vec<Effect> {
        vec![self.change(Change { go_to: Some(position), ..Change::default() }, context)]
    }

    /// Handles Enter: commits the selection, or goes on if it is already committed.
    fn commit(&mut self, context: &Context) -> Vec<Effect> {
        let Some(question) = self.attempt.current().cloned() else { return Vec::new() };
        let Some(panel) = &mut self.panel else { return Vec::new() };
        let next = self.attempt.position + 1;
        if self.feedback.is_some() {
            return self.go_to(next, context);
        }
        let Some(answer) = panel.selected() else { return Vec::new() };
        if let Some(blank) = panel.next_empty() {
            panel.go_to(blank);
            return Vec::new();
        }
        if let Some(problem) = question.problem(&answer) {
            self.problem = Some(problem.to_string());
            return Vec::new();
        }
        // In practice, the student reads the feedback before going on.
        let go_to = (self.attempt.kind == AttemptKind::Gate).then_some(next);
        if self.attempt.answer_to(&question) == Some(&answer) {
            return self.go_to(next, context);
        }
        self.give(question, answer, go_to, context)
    }

    /// Goes to the next question. In a gate, what was typed becomes the answer if it is complete.
    fn go_on(&mut self, context: &Context) -> Vec<Effect> {
        let next = self.attempt.position + 1;
        let typed = self.attempt.kind == AttemptKind::Gate && self.editing();
        let question = self.attempt.current().filter(|_| typed);
        match question.and_then(|question| Some((question.clone(), self.complete_draft(question)?))) {
            Some((question, answer)) => self.give(question, answer, Some(next), context),
            None => self.go_to(next, context),
        }
    }

    /// Gives an answer, and forgets its draft.
    fn give(&mut self, question: Question, answer: Answer, go_to: Option<usize>, context: &Context) -> Vec<Effect> {
        self.drafts.remove(&question.slot);
        let forget = StoreRequest::Draft { key: self.attempt.draft_key(&question), text: None };
        // Saves the answer before it deletes the draft, so that a crash in between loses nothing.
        let change = Change { answer: Some((question.slot, Some(answer))), flag: None, go_to };
        vec![self.change(change, context), Effect::Store(forget)]
    }

    fn review(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let count = self.attempt.questions.len();
        match action {
            Action::Up => self.cursor = step(Some(self.cursor), -1, count),
            Action::Down => self.cursor = step(Some(self.cursor), 1, count),
            Action::First => self.cursor = 0,
            Action::Last => self.cursor = count.saturating_sub(1),
            Action::Confirm => return self.go_to(self.cursor, context),
            Action::PreviousQuestion => return self.go_to(count.saturating_sub(1), context),
            Action::Submit if self.unfinished() == (0, 0) || self.warned => return self.submit(context),
            Action::Submit => self.warned = true,
            // Esc first cancels the submission that was announced.
            Action::Back if self.warned => self.warned = false,
            Action::Back => return leave(),
            _ => {}
        }
        Vec::new()
    }
}

impl Component for Quiz {
    fn actions(&self, context: &Context) -> Vec<Action> {
        use Action::*;
        let mut actions = Vec::new();
        let Some(panel) = &self.panel else { return self.review_actions() };
        if self.feedback.is_some() {
            actions.extend([GoOn, NextQuestion]);
        } else {
            actions.extend(panel.actions());
            actions.extend(panel.selected().map(|_| Answer));
            actions.push(NextQuestion);
        }
        actions.extend((self.attempt.position > 0).then_some(PreviousQuestion));
        actions.extend([Mark, ReviewAnswers, Back]);
        actions.extend((self.scroll < render::max_scroll(self, context)).then_some(PageDown));
        actions.extend((self.scroll > 0).then_some(PageUp));
        actions
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        if self.reviewing() {
            return self.review(action, context);
        }
        self.problem = None;
        match action {
            Action::Answer | Action::GoOn => self.commit(context),
            Action::NextQuestion => self.go_on(context),
            Action::PreviousQuestion => self.go_to(self.attempt.position.saturating_sub(1), context),
            Action::ReviewAnswers => self.go_to(self.attempt.questions.len(), context),
            Action::Mark => {
                let Some(slot) = self.attempt.current().map(|question| question.slot.clone()) else {
                    return Vec::new();
                };
                let flagged = !self.attempt.flagged.contains(&slot);
                vec![self.change(Change { flag: Some((slot, flagged)), ..Change::default() }, context)]
            }
            Action::PageUp => self.scroll_by(-8, context),
            Action::PageDown => self.scroll_by(8, context),
            Action::Back => leave(),
            _ => {
                if let (Some(panel), None) = (&mut self.panel, &self.feedback) {
                    panel.act(action);
                }
                self.keep_draft(context)
            }
        }
    }

    fn silent(&self, key: Key, _: &Context) -> Option<String> {
        (key == Key::Char('n')).then(|| t!("quiz-enter-goes-on"))
    }

    fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits) {
        render::render(self, frame, context, hits);
    }

    fn text_lines(&self, width: u16, context: &Context) -> Vec<String> {
        render::text_lines(self, width, context)
    }

    fn location(&self) -> String {
        format!("{} {}", self.attempt.id, self.attempt.position)
    }

    fn editing(&self) -> bool {
        self.feedback.is_none() && self.panel.as_ref().is_some_and(|panel| panel.editing())
    }

    fn key(&mut self, key: KeyEvent, context: &Context) -> Option<Vec<Effect>> {
        let panel = self.panel.as_mut()?;
        let empty = panel.selected().is_none();
        if !panel.key(key) {
            return None;
        }
        self.problem = None;
        let mut effects = self.keep_draft(context);
        // After a question with choices, the student may expect a command.
        let commands = [Action::Mark, Action::ReviewAnswers, Action::Help].map(Action::entry);
        let meant =
            commands.iter().find(|entry| empty && Key::from_event(key).is_some_and(|key| entry.keys.contains(&key)));
        if let Some((entry, other)) = meant.and_then(|entry| Some((entry, entry.keys.get(1)?))) {
            let key = other.name(context.look.ascii);
            effects.push(Effect::Say(t!("quiz-letters", key = key.as_ref(), label = entry.label())));
        }
        Some(effects)
    }

    fn paste(&mut self, text: &str, context: &Context) -> Option<Vec<Effect>> {
        self.problem = None;
        if let (Some(panel), None) = (&mut self.panel, &self.feedback) {
            panel.paste(text);
        }
        Some(self.keep_draft(context))
    }

    fn click(&mut self, hit: Hit, _: Position, context: &Context) -> Vec<Effect> {
        match hit {
            Hit::Choice(choice) => self.choose(choice, context),
            Hit::Row(row) => {
                let there = std::mem::replace(&mut self.cursor, row) == row;
                if there { self.act(Action::Confirm, context) } else { Vec::new() }
            }
            _ => Vec::new(),
        }
    }

    fn scroll_by(&mut self, rows: isize, context: &Context) -> Vec<Effect> {
        self.scroll = self.scroll.saturating_add_signed(rows).min(render::max_scroll(self, context));
        Vec::new()
    }

    fn rows_to_take(&self, _: &Context) -> usize {
        match (&self.panel, &self.feedback) {
            (None, _) => self.attempt.questions.len(),
            (Some(panel), None) => panel.numbered(),
            (Some(_), Some(_)) => 0,
        }
    }

    fn take(&mut self, row: usize, context: &Context) -> Vec<Effect> {
        if self.reviewing() { self.go_to(row, context) } else { self.choose(row, context) }
    }

    fn reword(&mut self, data: &AppData) {
        self.read_again(data.quiz(&self.attempt.level));
    }
}

fn leave() -> Vec<Effect> {
    vec![Effect::Say(t!("quiz-continues")), Effect::Go(Go::Back)]
}
