//! A picture with controls: one value per row, a cursor, and arrows at the selected value.

use super::pace::Pace;
use crate::picture::signs_of;
use crate::prelude::*;
use std::fmt::Debug;
use std::ops::{Deref, DerefMut};
use std::time::Duration;
use ui_kit::keys::KeyEvent;
use ui_kit::sheet::DESCRIBE_WIDTH;

/// A set of values that the keys change one at a time.
pub(super) trait Controls: Clone + PartialEq + Debug {
    /// Identifies one of the values.
    type Control: Copy + PartialEq + Debug + 'static;
    /// All controls in the order on the screen.
    const CONTROLS: &'static [Self::Control];

    /// True if a control has a larger (`up`) or a smaller value.
    fn can(&self, control: Self::Control, up: bool) -> bool {
        let mut next = self.clone();
        next.apply(control, up);
        next != *self
    }

    /// Moves a control to its next value. If [`Self::can`] is the default, changes nothing without a next value.
    fn apply(&mut self, control: Self::Control, up: bool);

    /// Moves a control to its next value, if it has one.
    fn change(&mut self, control: Self::Control, up: bool) {
        if self.can(control, up) {
            self.apply(control, up);
        }
    }
}

/// A picture of a set of values. It contains everything that the panel does not do itself.
pub(super) trait DrawControls: Controls {
    /// See [`Picture::kind`].
    const KIND: &'static str;
    /// Column widths of the control rows.
    const LAYOUT: ControlLayout;
    /// Index of the control that is selected first.
    const FIRST: usize = 0;
    /// Time for each step of the animation that [`Action::Play`] starts.
    const STEP: Duration = Duration::ZERO;

    /// Adds the rows, with each control on a separate row.
    fn draw(&self, rows: &mut Rows<Self::Control>);

    /// See [`Picture::signs`].
    fn signs(&self) -> Vec<(&'static str, String)> {
        signs_of(Self::KIND)
    }

    /// Returns sentences about what is drawn and not written on any row.
    fn more(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the actions that work now, from those of the controls.
    fn actions(&self, controls: Vec<Action>) -> Vec<Action> {
        controls
    }

    /// Runs an action that is not about the selected control. Returns the control to select, if any.
    fn perform(&mut self, _: Action) -> Option<Self::Control> {
        None
    }

    /// Goes one step of the animation. Returns true if it goes on.
    fn step(&mut self) -> bool {
        false
    }

    /// See [`Picture::editing`].
    fn editing(&self) -> bool {
        false
    }

    /// See [`Picture::key`].
    fn key(&mut self, _: KeyEvent) {}

    /// Handles a click outside the controls, at a cell of a picture of this width.
    fn click(&mut self, _at: (u16, u16), _width: u16) {}

    /// See [`Picture::rename`].
    fn rename(&mut self, _: Setting) {}
}

/// The rows of a picture, and the row of each control.
pub(super) struct Rows<'l, F> {
    sheet: Sheet<'l>,
    controls: ControlLayout,
    pub(super) chosen: F,
    numbers: Vec<(F, u16)>,
    /// Cells of the longest label, and of the longest row of a control.
    longest: (usize, usize),
}

impl<F: Copy + PartialEq> Rows<'_, F> {
    /// Adds the row of a control, with `behind` at its end.
    pub(super) fn number(&mut self, control: F, name: &str, value: &str, behind: Vec<Span<'static>>) {
        self.numbers.push((control, self.sheet.height()));
        let mut row = self.controls.row(self.sheet.look, control == self.chosen, name, value);
        row.extend(behind);
        let cells = row.iter().map(Span::width).sum();
        self.longest = (self.longest.0.max(name.width()), self.longest.1.max(cells));
        self.sheet.row(row);
    }

    /// Adds the row of a control whose value is being typed.
    pub(super) fn typed(&mut self, control: F, row: Vec<Span<'static>>) {
        self.numbers.push((control, self.sheet.height()));
        self.sheet.row(row);
    }
}

impl<'l, F> Deref for Rows<'l, F> {
    type Target = Sheet<'l>;

    fn deref(&self) -> &Sheet<'l> {
        &self.sheet
    }
}

impl<F> DerefMut for Rows<'_, F> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.sheet
    }
}

/// A picture of controls. Up and down select one, left and right change it; clicks do both.
#[derive(Debug)]
pub(super) struct Panel<D: Controls> {
    pub(super) dials: D,
    pub(super) start: D,
    pub(super) chosen: D::Control,
    pace: Pace,
}

impl<D: DrawControls> Panel<D> {
    pub(super) fn new(dials: D) -> Self {
        Self { start: dials.clone(), dials, chosen: D::CONTROLS[D::FIRST], pace: Pace::new(D::STEP) }
    }

    fn play_step(&mut self) -> bool {
        self.dials.step()
    }

    /// Lays out the rows at a width. A label that is too long for its column gets the cells that no row needs.
    fn rows<'l>(&self, look: &'l Look<'l>, width: u16) -> Rows<'l, D::Control> {
        let drawn = |controls: ControlLayout| {
            let sheet = Sheet::new(look, width);
            let mut rows = Rows { sheet, controls, chosen: self.chosen, numbers: Vec::new(), longest: (0, 0) };
            self.dials.draw(&mut rows);
            rows
        };
        let rows = drawn(D::LAYOUT);
        let (label, row) = rows.longest;
        let more = label.saturating_sub(D::LAYOUT.label).min(usize::from(width).saturating_sub(row));
        if more == 0 { rows } else { drawn(ControlLayout { label: D::LAYOUT.label + more, ..D::LAYOUT }) }
    }

    /// Draws the rows into a part of the picture.
    pub(super) fn draw(&self, frame: &mut Frame, area: Rect, look: &Look, width: u16) {
        self.rows(look, width).sheet.draw(frame, area);
    }

    /// Returns the control at a cell, if any.
    pub(super) fn hit(&self, at: (u16, u16), width: u16) -> Option<ControlClick<D::Control>> {
        ui_kit::look::with_mono_look(|look| {
            let rows = self.rows(look, width);
            rows.controls.hit(&rows.numbers, self.chosen, at)
        })
    }

    /// Selects the clicked control, and changes it if the click was on an arrow.
    pub(super) fn turn(&mut self, (control, turn): ControlClick<D::Control>) {
        self.chosen = control;
        if let Some(up) = turn {
            self.dials.change(control, up);
        }
    }
}

impl<D: DrawControls> Picture for Panel<D> {
    fn kind(&self) -> &'static str {
        D::KIND
    }

    fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        actions.extend(self.dials.can(self.chosen, false).then_some(Action::Decrease));
        actions.extend(self.dials.can(self.chosen, true).then_some(Action::Increase));
        actions.extend([Action::PreviousField, Action::NextField]);
        actions.extend((self.dials != self.start).then_some(Action::Restart));
        self.dials.actions(actions)
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        self.pace.run(action == Action::Play && !self.pace.runs());
        match action {
            Action::Decrease => self.dials.change(self.chosen, false),
            Action::Increase => self.dials.change(self.chosen, true),
            Action::PreviousField => self.chosen = next_in_cycle(D::CONTROLS, self.chosen, false),
            Action::NextField => self.chosen = next_in_cycle(D::CONTROLS, self.chosen, true),
            Action::Restart => self.dials = self.start.clone(),
            _ => self.chosen = self.dials.perform(action).unwrap_or(self.chosen),
        }
        Vec::new()
    }

    fn editing(&self) -> bool {
        self.dials.editing()
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        self.dials.key(key);
        Vec::new()
    }

    crate::picture::played!();

    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        self.pace.run(false);
        if let Some(at) = cell(at, area).filter(|_| !self.editing()) {
            match self.hit(at, area.width) {
                Some(hit) => self.turn(hit),
                None => self.dials.click(at, area.width),
            }
        }
        Vec::new()
    }

    fn rename(&mut self, setting: Setting) {
        self.dials.rename(setting);
        self.start.rename(setting);
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        self.draw(frame, area, look, area.width);
    }

    fn min_height(&self, width: u16) -> u16 {
        ui_kit::look::with_mono_look(|look| self.rows(look, width).height())
    }

    fn describe(&self) -> Vec<String> {
        let mut sentences = ui_kit::look::with_mono_look(|look| self.rows(look, DESCRIBE_WIDTH).sheet.into_words());
        sentences.extend(self.dials.more());
        sentences
    }

    fn signs(&self) -> Vec<(&'static str, String)> {
        self.dials.signs()
    }
}

/// A clicked control, and the direction of the arrow that was clicked, if any.
pub(super) type ControlClick<F> = (F, Option<bool>);

/// Returns the cell within `area` at a click.
pub(super) fn cell(at: Position, area: Rect) -> Option<(u16, u16)> {
    at.x.checked_sub(area.x).zip(at.y.checked_sub(area.y))
}

/// Returns the neighbour of `value` in a list that wraps around, or the first element if `value` is not in it.
pub(super) fn next_in_cycle<T: PartialEq + Copy>(list: &[T], value: T, up: bool) -> T {
    let step = if up { 1 } else { list.len() - 1 };
    list[list.iter().position(|known| *known == value).map_or(0, |at| (at + step) % list.len())]
}

/// Returns the next larger (`up`) or smaller value of an ascending list.
pub(super) fn next_in_order<T: PartialOrd + Copy>(list: &[T], value: T, up: bool) -> Option<T> {
    let mut all = list.iter().copied();
    if up { all.find(|known| *known > value) } else { all.rfind(|known| *known < value) }
}

/// Cells of the columns of labels and values.
#[derive(Debug, Clone, Copy)]
pub(super) struct ControlLayout {
    pub(super) label: usize,
    pub(super) value: usize,
}

impl ControlLayout {
    /// Returns the width of a row in cells.
    pub(super) const fn width(self) -> usize {
        self.arrows() + 3
    }

    /// Returns the column of the arrow for smaller values. The other arrow is next to it.
    const fn arrows(self) -> usize {
        3 + self.label + self.value + 1
    }

    /// Returns a row: cursor, label and value, with arrows if the control is selected.
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

    /// Returns the control at a cell. Only the selected control has arrows.
    pub(super) fn hit<F: Copy + PartialEq>(
        self,
        rows: &[(F, u16)],
        chosen: F,
        (x, y): (u16, u16),
    ) -> Option<ControlClick<F>> {
        let (control, _) = rows.iter().find(|(_, row)| *row == y)?;
        let turn = match usize::from(x).checked_sub(self.arrows()) {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        };
        Some((*control, turn.filter(|_| *control == chosen)))
    }
}
