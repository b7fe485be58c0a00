/*! The bank-conflict simulator.

One warp-wide access to a shared array, described by numbers and two expressions, drawn wavefront by
wavefront over the 32 banks. What it costs comes from [`crate::simt::cost`], the rules that were
fitted on measurements; addresses come from [`crate::course::BankView::access`], which lessons and
claims use too. So the simulator cannot disagree with the emulator or with a page.
*/

mod draw;
mod field;
mod model;
mod presets;
mod real;
mod table;

use super::{Picture, Setting};
use super::pace::Pace;
use super::line_edit::LineEdit;
use crate::course::{AccessError, BankView};
use crate::exec::protocol::Reply;
use crate::expr;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use crossterm::event::{KeyCode, KeyEvent};
use field::{FIELDS, Field};
use model::Served;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use real::Real;
use std::time::Duration;

/// Time that each wavefront stays the last one while it plays.
const STEP: Duration = Duration::from_millis(400);

/// The bank-conflict simulator.
#[derive(Debug)]
pub struct Banks {
    view: BankView,
    /// Name of the array in titles.
    array: String,
    /// The number key that brought this access, until something is changed.
    preset: Option<u8>,
    picture: Result<Served, AccessError>,
    field: Field,
    /// Wavefronts that are served; all of them while nothing is stepped.
    served: usize,
    pace: Pace,
    table: bool,
    /// A row or column being typed, and the view to go back to.
    edit: Option<(LineEdit, BankView)>,
    real: Option<Real>,
}

impl Banks {
    /// The simulator with a page's start values.
    pub fn new(view: &BankView, _: Setting) -> Self {
        let mut banks = Self {
            picture: Served::of(view),
            view: view.clone(),
            array: "smem".to_owned(),
            preset: None,
            field: Field::Pad,
            served: 0,
            pace: Pace::new(STEP),
            table: false,
            edit: None,
            real: None,
        };
        banks.show_all();
        banks
    }

    /// The same with this name of the array in its title.
    #[must_use]
    pub fn called(mut self, array: &str) -> Self {
        array.clone_into(&mut self.array);
        self
    }

    /// The simulator as the course map opens it: module 6's access.
    pub fn standard(setting: Setting) -> Option<Self> {
        let preset = presets::preset(1)?;
        let mut banks = Self::new(&preset.view, setting);
        banks.take_preset(1);
        Some(banks)
    }

    fn change(&mut self, change: impl Fn(&mut BankView, Field)) {
        change(&mut self.view, self.field);
        self.preset = None;
        self.refresh();
    }

    fn refresh(&mut self) {
        self.picture = Served::of(&self.view);
        self.show_all();
    }

    fn show_all(&mut self) {
        self.pace.run(false);
        self.served = self.wavefronts();
    }

    fn wavefronts(&self) -> usize {
        self.picture.as_ref().map_or(0, |picture| picture.schedule.len())
    }

    fn take_preset(&mut self, number: u8) {
        if let Some(preset) = presets::preset(number.into()) {
            self.view = preset.view;
            preset.array.clone_into(&mut self.array);
            self.preset = Some(number);
            self.real = None;
            self.refresh();
        }
    }

    fn step(&mut self, forward: bool) {
        self.pace.run(false);
        let all = self.wavefronts();
        self.served = match (forward, self.served) {
            // From the whole picture a step forward starts the stepping.
            (true, served) if served >= all => 1.min(all),
            (true, served) => served + 1,
            (false, served) => served.saturating_sub(1),
        };
    }

    fn play(&mut self) {
        self.pace.run(!self.pace.runs() && self.wavefronts() > 0);
        if self.pace.runs() && self.served >= self.wavefronts() {
            self.served = 0;
        }
    }

    fn ask_real(&mut self) -> Vec<Effect> {
        let Some(kernel) = &self.view.kernel else { return Vec::new() };
        let (real, effect) = Real::ask(kernel);
        self.real = Some(real);
        vec![effect]
    }

    fn start_typing(&mut self, field: Field) {
        let text = if field == Field::Column { &self.view.column } else { &self.view.row };
        self.edit = Some((LineEdit::new(text, expr::MAX_LENGTH), self.view.clone()));
        self.field = field;
    }
}

fn neighbour(field: Field, step: usize) -> Field {
    let at = FIELDS.iter().position(|known| *known == field).unwrap_or(0);
    FIELDS[(at + step) % FIELDS.len()]
}

impl Picture for Banks {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        let mut actions = vec![Action::Decrease, Action::Increase];
        if self.view.kernel.is_some() {
            actions.push(Action::RealKernel);
        }
        // Before the fields, which would take the arrows too.
        actions.extend([Action::PreviousWavefront, Action::NextWavefront, Action::NextField]);
        actions.extend((1..=9).map(Action::Preset));
        actions.extend([Action::PadLess, Action::PadMore, Action::Expression]);
        actions.extend([Action::Play, Action::Table, Action::PreviousField]);
        actions
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Increase | Action::Decrease if self.field.typed() => self.start_typing(self.field),
            Action::Increase => self.change(|view, field| field.step(view, true)),
            Action::Decrease => self.change(|view, field| field.step(view, false)),
            Action::PadMore => self.change(|view, _| Field::Pad.step(view, true)),
            Action::PadLess => self.change(|view, _| Field::Pad.step(view, false)),
            Action::NextField => self.field = neighbour(self.field, 1),
            Action::PreviousField => self.field = neighbour(self.field, FIELDS.len() - 1),
            Action::Preset(number) => self.take_preset(number),
            Action::Expression => {
                self.start_typing(if self.field == Field::Column { Field::Column } else { Field::Row });
            }
            Action::NextWavefront => self.step(true),
            Action::PreviousWavefront => self.step(false),
            Action::Play => self.play(),
            Action::Table => self.table = !self.table,
            Action::RealKernel => return self.ask_real(),
            _ => {}
        }
        Vec::new()
    }

    /// Whether an expression is being typed.
    fn editing(&self) -> bool {
        self.edit.is_some()
    }

    /// A key for the expression: Enter keeps it, Esc takes it back, Tab goes to the other one.
    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let Some((edit, before)) = &mut self.edit else { return Vec::new() };
        match key.code {
            KeyCode::Enter => self.edit = None,
            KeyCode::Esc => {
                self.view = before.clone();
                self.edit = None;
                self.refresh();
            }
            KeyCode::Tab | KeyCode::BackTab | KeyCode::Up | KeyCode::Down => {
                self.start_typing(if self.field == Field::Row { Field::Column } else { Field::Row });
            }
            _ if edit.key(key) => {
                let text = edit.text().to_owned();
                let target = if self.field == Field::Column { &mut self.view.column } else { &mut self.view.row };
                *target = text.into();
                self.preset = None;
                self.refresh();
            }
            _ => {}
        }
        Vec::new()
    }

    /// A click on a control selects it; on the selected one it changes it; on a wavefront it steps there.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        match draw::hit(self, at, area) {
            Some(draw::Hit::Field(field)) if field == self.field => return self.act(Action::Increase),
            Some(draw::Hit::Field(field)) => self.field = field,
            Some(draw::Hit::Wavefront(wavefront)) => {
                self.pace.run(false);
                self.served = wavefront + 1;
            }
            None => {}
        }
        Vec::new()
    }

    /// While wavefronts are played.
    fn animating(&self) -> bool {
        self.pace.runs()
    }

    /// The next wavefront when it is time.
    fn tick(&mut self, now: Duration) -> bool {
        if !self.pace.due(now) {
            return false;
        }
        self.served += 1;
        self.pace.run(self.served < self.wavefronts());
        true
    }

    /// The counts of the real kernel.
    fn reply(&mut self, reply: &Reply) -> bool {
        self.real.as_mut().is_some_and(|real| real.reply(reply, self.view.access))
    }

    /// Draws it.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(self, frame, area, look);
    }

    /// Rows it needs.
    fn min_height(&self, _: u16) -> u16 {
        12
    }
}

#[cfg(test)]
mod tests;
