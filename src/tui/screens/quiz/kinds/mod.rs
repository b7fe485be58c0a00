/*! How each kind of question is answered in the tutor: one file a kind.

A [`Panel`] holds what is selected or typed, which is not an answer before Enter commits it. The quiz
asks it what its keys are, hands it keys, and draws it below the question.
*/

mod choices;
mod cloze;
mod fault;
mod field;
mod matching;
mod order;

use super::sheet::Sheet;
use crossterm::event::KeyEvent;
use tutor_mastery::{Answer, QuestionKind};
use tutor_pictures::action::Action;
use tutor_pictures::look::Look;

/// An answer in the making.
pub trait Panel: std::fmt::Debug {
    /// What is selected or typed, be it complete or not; none if nothing is.
    fn selected(&self) -> Option<Answer>;

    /// Keys that do something now, besides those of every question.
    fn actions(&self) -> Vec<Action>;

    /// Does one of [`Self::actions`].
    fn act(&mut self, action: Action);

    fn click(&mut self, row: usize);

    /// Draws it below the question; `live` while it can still be changed.
    fn draw(&self, sheet: &mut Sheet, look: &Look, width: u16, live: bool);

    /// The row or field that the keys go to, where what is selected does not tell.
    fn position(&self) -> Option<usize> {
        None
    }

    /// Lets the keys go to a row or field.
    fn go_to(&mut self, _position: usize) {}

    /// Rows that bear a number, counted from 1; whoever types lines chooses one by it.
    fn numbered(&self) -> usize {
        0
    }

    /// How it is used, while nothing is selected.
    fn hint(&self, _look: &Look) -> Option<String> {
        None
    }

    /// Whether Enter first goes on inside: to the next blank.
    fn goes_on(&mut self) -> bool {
        false
    }

    /// Whether a text field has the keys.
    fn editing(&self) -> bool {
        false
    }

    /// A key for the text field; false if it means nothing there.
    fn key(&mut self, _key: KeyEvent) -> bool {
        false
    }

    /// Text for the text field.
    fn paste(&mut self, _text: &str) {}
}

/// The panel of a question, with what was selected or answered before.
pub(super) fn of(kind: &QuestionKind, before: Option<&Answer>) -> Box<dyn Panel> {
    match kind {
        QuestionKind::Single(view) => Box::new(choices::One::new(view, before)),
        QuestionKind::Multiple(view) => Box::new(choices::All::new(view, before)),
        QuestionKind::Numeric(view) => Box::new(field::OneField::number(view, before)),
        QuestionKind::Text(_) => Box::new(field::OneField::text(before)),
        QuestionKind::Cloze(view) => Box::new(cloze::Blanks::new(view, before)),
        QuestionKind::Order(view) => Box::new(order::Row::new(view, before)),
        QuestionKind::Predict(view) => Box::new(field::OneField::predicted(view, before)),
        QuestionKind::Fault(view) => Box::new(fault::Suspicion::new(view, before)),
        QuestionKind::Match(view) => Box::new(matching::Pairs::new(view, before)),
    }
}

/// A step in a list of `count` rows, from the end to the beginning and back.
fn round(at: usize, by: isize, count: usize) -> usize {
    if count == 0 { 0 } else { (at as isize + by).rem_euclid(count as isize) as usize }
}

/// The choices that letters reach.
fn letters(count: usize) -> impl Iterator<Item = Action> {
    (0..count.min(8) as u8).map(Action::Choose)
}
