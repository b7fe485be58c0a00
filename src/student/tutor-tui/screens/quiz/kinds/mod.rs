/*! The panels in which the student answers questions, one file per kind of question.

A [`Panel`] holds the selection or the typed text, which becomes an answer when Enter commits it. The quiz asks the panel
for its actions, passes keys to it, and draws it below the question.
*/

mod choices;
mod cloze;
mod fault;
mod field;
mod matching;
mod order;

use super::sheet::Sheet;
use crate::prelude::*;
use tutor_progress::{Answer, QuestionKind};

/// The part of the screen in which the student enters an answer.
pub trait Panel: std::fmt::Debug {
    /// Returns the selection or typed text, complete or not; `None` if there is nothing.
    fn selected(&self) -> Option<Answer>;

    /// Returns the actions that work now, besides those of every question.
    fn actions(&self) -> Vec<Action> {
        Vec::new()
    }

    /// Does one of [`Self::actions`].
    fn act(&mut self, _: Action) {}

    fn click(&mut self, _row: usize) {}

    /// Draws the panel into the sheet. `live` is true while the answer can be changed.
    fn draw(&self, sheet: &mut Sheet, look: &Look, width: u16, live: bool);

    /// Returns the row or field that the keys go to, unless the selection determines it.
    fn position(&self) -> Option<usize> {
        None
    }

    /// Makes the keys go to a row or field.
    fn go_to(&mut self, _position: usize) {}

    /// Returns how many rows have a number, from 1 on. In the line-by-line tutor, the number selects the row.
    fn numbered(&self) -> usize {
        0
    }

    /// Explains how to use the panel, while nothing is selected.
    fn hint(&self, _look: &Look) -> Option<String> {
        None
    }

    /// Returns the position of the next empty blank, to which Enter goes before it confirms.
    fn next_empty(&self) -> Option<usize> {
        None
    }

    /// True if keys go to a text field.
    fn editing(&self) -> bool {
        false
    }

    /// Handles a key for the text field. Returns false if the key means nothing there.
    fn key(&mut self, _key: KeyEvent) -> bool {
        false
    }

    /// Pastes text into the text field.
    fn paste(&mut self, _text: &str) {}
}

/// Returns the panel of a question, filled with the earlier draft or answer.
pub(super) fn of(kind: &QuestionKind, before: Option<&Answer>) -> Box<dyn Panel> {
    let field = |unit: Option<&String>, make: fn(String) -> Answer, hint: fn() -> String| {
        let before = match before {
            Some(Answer::Number(text) | Answer::Text(text) | Answer::Predicted(text)) => text,
            _ => "",
        };
        Box::new(field::OneField::new(before, unit, make, hint))
    };
    match kind {
        QuestionKind::Single(view) => Box::new(choices::One::new(view, before)),
        QuestionKind::Multiple(view) => Box::new(choices::All::new(view, before)),
        QuestionKind::Numeric(view) => field(view.unit.as_ref(), Answer::Number, || t!("quiz-hint-number")),
        QuestionKind::Text(_) => field(None, Answer::Text, || t!("quiz-hint-text")),
        QuestionKind::Cloze(view) => Box::new(cloze::Blanks::new(view, before)),
        QuestionKind::Order(view) => Box::new(order::Row::new(view, before)),
        QuestionKind::Predict(view) => field(view.unit.as_ref(), Answer::Predicted, || t!("quiz-hint-predict")),
        QuestionKind::Fault(view) => Box::new(fault::Suspicion::new(view, before)),
        QuestionKind::Match(view) => Box::new(matching::Pairs::new(view, before)),
    }
}
