//! Panel for matching pairs. The left-hand sides are above, each with space for a letter; the lettered partners are below.

use super::super::sheet::Sheet;
use super::Panel;
use crate::prelude::*;
use crate::screens::lesson::text::letter;
use crate::screens::{letters, step};
use std::collections::BTreeMap;
use tutor_progress::{Answer, Item, Sides};

/// Left-hand sides and the partners given to them.
#[derive(Debug)]
pub(super) struct Pairs {
    left: Vec<Item>,
    right: Vec<Item>,
    /// Index of the partner of each left-hand side.
    partners: Vec<Option<usize>>,
    cursor: usize,
}

impl Pairs {
    pub(super) fn new(view: &Sides, before: Option<&Answer>) -> Self {
        let empty = BTreeMap::new();
        let given = if let Some(Answer::Pairs(given)) = before { given } else { &empty };
        let partner = |left: &Item| {
            let id = given.get(&left.id)?;
            view.right.iter().position(|right| right.id == *id)
        };
        let partners: Vec<Option<usize>> = view.left.iter().map(partner).collect();
        let cursor = partners.iter().position(Option::is_none).unwrap_or(0);
        Self { left: view.left.clone(), right: view.right.clone(), partners, cursor }
    }

    /// Gives a partner to the left-hand side under the cursor and takes it from any other. Moves on to the next side without one.
    fn give(&mut self, partner: usize) {
        if partner >= self.right.len() || self.cursor >= self.partners.len() {
            return;
        }
        for other in &mut self.partners {
            if *other == Some(partner) {
                *other = None;
            }
        }
        self.partners[self.cursor] = Some(partner);
        let count = self.partners.len();
        let next = (1..count).map(|by| (self.cursor + by) % count).find(|at| self.partners[*at].is_none());
        self.cursor = next.unwrap_or(self.cursor);
    }
}

impl Panel for Pairs {
    fn selected(&self) -> Option<Answer> {
        let pair =
            |(left, partner): (&Item, &Option<usize>)| Some((left.id.clone(), self.right.get((*partner)?)?.id.clone()));
        let pairs: BTreeMap<String, String> = self.left.iter().zip(&self.partners).filter_map(pair).collect();
        (!pairs.is_empty()).then_some(Answer::Pairs(pairs))
    }

    fn actions(&self) -> Vec<Action> {
        letters(self.right.len()).chain([Action::Up, Action::Down]).collect()
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Choose(n) => self.give(n.into()),
            Action::Up => self.cursor = step(Some(self.cursor), -1, self.left.len()),
            Action::Down => self.cursor = step(Some(self.cursor), 1, self.left.len()),
            _ => {}
        }
    }

    fn position(&self) -> Option<usize> {
        Some(self.cursor)
    }

    fn go_to(&mut self, position: usize) {
        if position < self.partners.len() {
            self.cursor = position;
        }
    }

    /// The rows of the left-hand sides come first, then those of the partners.
    fn click(&mut self, row: usize) {
        match row.checked_sub(self.left.len()) {
            None => self.cursor = row,
            Some(partner) => self.give(partner),
        }
    }

    fn draw(&self, sheet: &mut Sheet, look: &Look, width: u16, live: bool) {
        for (at, item) in self.left.iter().enumerate() {
            let here = live && at == self.cursor;
            let partner = self.partners[at].map_or(' ', letter);
            let meaning = if partner == ' ' { Meaning::Muted } else { Meaning::Accent };
            let before = vec![look.cursor(here), look.span(meaning, format!("[{partner}]  "))];
            let text = markdown::render(&item.text, width.saturating_sub(8), look);
            sheet.row(at, here, before, &Span::raw(" ".repeat(7)), text, look);
        }
        sheet.lines.push(Line::default());
        for (at, item) in self.right.iter().enumerate() {
            let used = self.partners.contains(&Some(at));
            let meaning = if used { Meaning::Muted } else { Meaning::Key };
            let mark = if used { look.sign("✓ ", "x ") } else { "  " };
            let before = vec![
                Span::raw("  "),
                look.span(meaning, format!("{} ", letter(at))),
                look.span(Meaning::Muted, mark.to_owned()),
            ];
            let text = markdown::render(&item.text, width.saturating_sub(8), look);
            sheet.row(self.left.len() + at, false, before, &Span::raw(" ".repeat(6)), text, look);
        }
    }

    fn hint(&self, look: &Look) -> Option<String> {
        Some(t!("quiz-hint-match", arrows = look.sign("↑↓", "Up/Down")))
    }
}
