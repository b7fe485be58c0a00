//! Panel for putting events in order.

use super::super::sheet::Sheet;
use super::Panel;
use crate::prelude::*;
use crate::screens::step;
use tutor_progress::{Answer, Events, Item};

#[derive(Debug)]
pub(super) struct Row {
    items: Vec<Item>,
    cursor: usize,
    /// True if the event under the cursor moves with the cursor.
    held: bool,
    /// True if the student has moved an event, or put one down. The initial order is not an answer.
    touched: bool,
}

impl Row {
    pub(super) fn new(view: &Events, before: Option<&Answer>) -> Self {
        let mut items = view.items.clone();
        let mut touched = false;
        if let Some(Answer::Order(ids)) = before {
            let place = |item: &Item| ids.iter().position(|id| *id == item.id).unwrap_or(ids.len());
            items.sort_by_key(place);
            touched = true;
        }
        Self { items, cursor: 0, held: false, touched }
    }

    fn shift(&mut self, by: isize) {
        let to = self.cursor.checked_add_signed(by).filter(|to| *to < self.items.len());
        let Some(to) = to else { return };
        self.items.swap(self.cursor, to);
        (self.cursor, self.touched) = (to, true);
    }
}

impl Panel for Row {
    fn selected(&self) -> Option<Answer> {
        self.touched.then(|| Answer::Order(self.items.iter().map(|item| item.id.clone()).collect()))
    }

    fn actions(&self) -> Vec<Action> {
        let last = self.items.len().saturating_sub(1);
        let (up, down) = (self.cursor > 0, self.cursor < last);
        let mut actions = vec![Action::Hold];
        actions.extend((up || !self.held).then_some(Action::Up));
        actions.extend((down || !self.held).then_some(Action::Down));
        actions.extend(up.then_some(Action::MoveUp));
        actions.extend(down.then_some(Action::MoveDown));
        actions
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Hold => {
                self.touched |= self.held;
                self.held = !self.held;
            }
            Action::MoveUp => self.shift(-1),
            Action::MoveDown => self.shift(1),
            Action::Up if self.held => self.shift(-1),
            Action::Down if self.held => self.shift(1),
            Action::Up => self.cursor = step(Some(self.cursor), -1, self.items.len()),
            Action::Down => self.cursor = step(Some(self.cursor), 1, self.items.len()),
            _ => {}
        }
    }

    fn click(&mut self, row: usize) {
        if row < self.items.len() {
            (self.cursor, self.held) = (row, false);
        }
    }

    fn draw(&self, sheet: &mut Sheet, look: &Look, width: u16, live: bool) {
        for (at, item) in self.items.iter().enumerate() {
            let here = live && at == self.cursor;
            let mark = if here && self.held {
                look.span(Meaning::Warning, look.sign("↕ ", "^v").to_owned())
            } else {
                look.cursor(here)
            };
            let text = markdown::render(&item.text, width.saturating_sub(8), look);
            let before = vec![mark, look.span(Meaning::Key, format!("{}. ", at + 1))];
            sheet.row(at, here, before, &Span::raw("     "), text, look);
        }
    }

    fn position(&self) -> Option<usize> {
        Some(self.cursor)
    }

    fn go_to(&mut self, position: usize) {
        if position < self.items.len() {
            self.cursor = position;
        }
    }

    fn hint(&self, look: &Look) -> Option<String> {
        Some(t!("quiz-hint-order", arrows = look.sign("↑↓", "Up/Down")))
    }
}
