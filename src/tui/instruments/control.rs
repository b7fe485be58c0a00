//! The numbers of a picture that the student changes: one a row, with a cursor, and arrows where the keys go.

use crate::tui::action::Action;
use crate::tui::look::{Look, pad, pad_left};
use crate::tui::theme::Meaning;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;
use std::fmt::Debug;

/// Numbers of which the keys change one at a time.
pub(super) trait Dials: Clone + PartialEq {
    /// Which of them.
    type Field: Copy + PartialEq + Debug + 'static;
    /// In the order in which they stand on the screen.
    const FIELDS: &'static [Self::Field];

    /// Whether a number has a larger, or a smaller, value.
    fn can(&self, field: Self::Field, up: bool) -> bool;

    /// Takes a number to its next value, up or down.
    fn change(&mut self, field: Self::Field, up: bool);
}

/// The numbers of a picture and what keys and clicks do to them: up and down choose one, left and right change it.
#[derive(Debug)]
pub(super) struct Panel<D: Dials> {
    pub(super) dials: D,
    /// The page's numbers.
    pub(super) start: D,
    /// The number that the keys change.
    pub(super) chosen: D::Field,
}

impl<D: Dials> Panel<D> {
    /// The page's numbers, and the one that the keys change first.
    pub(super) fn new(dials: D, chosen: D::Field) -> Self {
        Self { start: dials.clone(), dials, chosen }
    }

    /// What works now.
    pub(super) fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        actions.extend(self.dials.can(self.chosen, false).then_some(Action::Decrease));
        actions.extend(self.dials.can(self.chosen, true).then_some(Action::Increase));
        actions.extend([Action::PreviousField, Action::NextField]);
        actions.extend((self.dials != self.start).then_some(Action::Restart));
        actions
    }

    /// Does an action if it works now; others are not the panel's.
    pub(super) fn act(&mut self, action: Action) {
        if !self.actions().contains(&action) {
            return;
        }
        match action {
            Action::Decrease => self.dials.change(self.chosen, false),
            Action::Increase => self.dials.change(self.chosen, true),
            Action::PreviousField => self.choose(D::FIELDS.len() - 1),
            Action::NextField => self.choose(1),
            Action::Restart => self.dials = self.start.clone(),
            _ => {}
        }
    }

    fn choose(&mut self, by: usize) {
        let at = D::FIELDS.iter().position(|field| *field == self.chosen).unwrap_or(0);
        self.chosen = D::FIELDS[(at + by) % D::FIELDS.len()];
    }

    /// A click chooses a number; on the arrows of the chosen one, it changes it.
    pub(super) fn click(&mut self, hit: Option<Hit<D::Field>>) {
        let Some((field, turn)) = hit else { return };
        self.chosen = field;
        if let Some(up) = turn.filter(|up| self.dials.can(field, *up)) {
            self.dials.change(field, up);
        }
    }
}

/// The number on whose row a click is, and whether it is on an arrow: a larger value, or a smaller one.
pub(super) type Hit<F> = (F, Option<bool>);

/// The cell of `area` that a click meets.
pub(super) fn cell(at: Position, area: Rect) -> Option<(u16, u16)> {
    at.x.checked_sub(area.x).zip(at.y.checked_sub(area.y))
}

/// Cells of the columns in which labels and values stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Controls {
    pub(super) label: usize,
    pub(super) value: usize,
}

impl Controls {
    /// Cells of a row.
    pub(super) const fn width(self) -> usize {
        self.arrows() + 3
    }

    /// Column of the arrow that makes a value smaller; the other one is next to it.
    const fn arrows(self) -> usize {
        3 + self.label + self.value + 1
    }

    /// A row: cursor, label, value; the arrows stand where the keys go.
    pub(super) fn row(self, look: &Look, chosen: bool, label: &str, value: &str) -> Vec<Span<'static>> {
        let meaning = if chosen { Meaning::Strong } else { Meaning::Text };
        let arrows = if chosen { look.sign("◂▸", "<>") } else { "  " };
        vec![
            Span::raw(" "),
            look.cursor(chosen),
            look.span(meaning, pad(label, self.label)),
            look.span(meaning, pad_left(value, self.value)),
            Span::raw(" "),
            look.span(Meaning::Key, arrows.to_owned()),
            Span::raw(" "),
        ]
    }

    /// What a click in a cell meets of the numbers on these rows; arrows stand beside the chosen one only.
    pub(super) fn hit<F: Copy + PartialEq>(self, rows: &[(F, u16)], chosen: F, (x, y): (u16, u16)) -> Option<Hit<F>> {
        let (field, _) = rows.iter().find(|(_, row)| *row == y)?;
        let turn = match usize::from(x).checked_sub(self.arrows()) {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        };
        Some((*field, turn.filter(|_| *field == chosen)))
    }
}
