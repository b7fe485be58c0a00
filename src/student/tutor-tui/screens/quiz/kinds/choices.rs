//! Panels for choosing one of several items, or all that are true.

use super::super::sheet::Sheet;
use super::Panel;
use crate::prelude::*;
use crate::screens::{letters, step};
use std::collections::BTreeSet;
use tutor_progress::{Answer, Choices, Item};

/// The panel of a single choice. The row under the cursor is selected.
#[derive(Debug)]
pub(super) struct One {
    items: Vec<Item>,
    chosen: Option<usize>,
}

impl One {
    pub(super) fn new(view: &Choices, before: Option<&Answer>) -> Self {
        let chosen = match before {
            Some(Answer::Single(id)) => view.choices.iter().position(|item| item.id == *id),
            _ => None,
        };
        Self { items: view.choices.clone(), chosen }
    }
}

impl Panel for One {
    fn selected(&self) -> Option<Answer> {
        Some(Answer::Single(self.items.get(self.chosen?)?.id.clone()))
    }

    fn actions(&self) -> Vec<Action> {
        letters(self.items.len()).chain([Action::Up, Action::Down]).collect()
    }

    fn act(&mut self, action: Action) {
        let count = self.items.len();
        match action {
            Action::Choose(n) => self.click(n.into()),
            Action::Up => self.chosen = Some(step(self.chosen, -1, count)),
            Action::Down => self.chosen = Some(step(self.chosen, 1, count)),
            _ => {}
        }
    }

    fn click(&mut self, row: usize) {
        if row < self.items.len() {
            self.chosen = Some(row);
        }
    }

    fn draw(&self, sheet: &mut Sheet, look: &Look, width: u16, _live: bool) {
        for (at, item) in self.items.iter().enumerate() {
            let here = self.chosen == Some(at);
            let mark = if here { look.sign("● ", "(*) ") } else { look.sign("○ ", "( ) ") };
            sheet.choice(at, here, here, mark, &item.text, look, width);
        }
    }
}

/// Several choices. The cursor moves, and Space ticks.
#[derive(Debug)]
pub(super) struct All {
    items: Vec<Item>,
    ticked: BTreeSet<String>,
    /// `None` before the first key, so that no row looks chosen.
    cursor: Option<usize>,
}

impl All {
    pub(super) fn new(view: &Choices, before: Option<&Answer>) -> Self {
        let known = |id: &&String| view.choices.iter().any(|item| item.id == **id);
        let ticked = match before {
            Some(Answer::Multiple(ids)) => ids.iter().filter(known).cloned().collect(),
            _ => BTreeSet::new(),
        };
        Self { items: view.choices.clone(), ticked, cursor: None }
    }
}

impl Panel for All {
    fn selected(&self) -> Option<Answer> {
        (!self.ticked.is_empty()).then(|| Answer::Multiple(self.ticked.iter().cloned().collect()))
    }

    fn actions(&self) -> Vec<Action> {
        let toggle = self.cursor.map(|_| Action::Toggle);
        letters(self.items.len()).chain([Action::Up, Action::Down]).chain(toggle).collect()
    }

    fn act(&mut self, action: Action) {
        let count = self.items.len();
        match action {
            Action::Choose(n) => self.click(n.into()),
            Action::Toggle => self.click(self.cursor.unwrap_or(count)),
            Action::Up => self.cursor = Some(step(self.cursor, -1, count)),
            Action::Down => self.cursor = Some(step(self.cursor, 1, count)),
            _ => {}
        }
    }

    fn click(&mut self, row: usize) {
        let Some(item) = self.items.get(row) else { return };
        self.cursor = Some(row);
        if !self.ticked.remove(&item.id) {
            self.ticked.insert(item.id.clone());
        }
    }

    fn draw(&self, sheet: &mut Sheet, look: &Look, width: u16, live: bool) {
        for (at, item) in self.items.iter().enumerate() {
            let ticked = self.ticked.contains(&item.id);
            let mark = if ticked { look.sign("☑ ", "[x] ") } else { look.sign("☐ ", "[ ] ") };
            sheet.choice(at, live && self.cursor == Some(at), ticked, mark, &item.text, look, width);
        }
    }

    fn position(&self) -> Option<usize> {
        self.cursor
    }

    fn go_to(&mut self, position: usize) {
        if position < self.items.len() {
            self.cursor = Some(position);
        }
    }

    fn hint(&self, look: &Look) -> Option<String> {
        Some(t!("quiz-hint-multiple", arrows = look.sign("↑↓", "Up/Down")))
    }
}
