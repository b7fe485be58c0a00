/*! The bank-conflict simulator.

It draws one warp-wide access to a shared array over the 32 banks, wavefront by wavefront. The student describes the
access with numbers and two expressions. The costs come from [`ptx_emulator::cost`], whose rules were fitted to
measurements. The addresses come from [`tutor_course::BankView::access`], which lessons and claims also use. So the
simulator always agrees with the emulator and the pages.
*/

mod control;
mod draw;
mod model;
mod presets;
mod real;
mod table;

use super::control::next_in_cycle;
use super::expression::{Expressions, Index};
use super::pace::Pace;
use crate::prelude::*;
use control::{CONTROLS, Control};
use model::Served;
use real::{CountState, Real};
use std::time::Duration;
use tutor_course::{AccessError, BankView};
use tutor_exec::protocol::Reply;
use tutor_support::figures::lanes;
use ui_kit::keys::KeyEvent;

/// Time for each wavefront while the animation plays.
const STEP: Duration = Duration::from_millis(700);

#[derive(Debug)]
pub struct Banks {
    view: BankView,
    /// Name of the array in the title.
    array: String,
    /// The number key that loaded this access; None after a change.
    preset: Option<u8>,
    picture: Result<Served, AccessError>,
    control: Control,
    /// Number of wavefronts served so far; all of them unless the student steps.
    served: usize,
    /// Also animates the wavefronts: the last one from the left, or all of them from the top.
    pace: Pace,
    table: bool,
    /// The editor of row and column, if it is open.
    edit: Option<Expressions>,
    /// The preset when the editor was opened.
    edited_preset: Option<u8>,
    real: Option<Real>,
}

impl Banks {
    pub fn new(view: &BankView) -> Self {
        let mut banks = Self {
            picture: Served::new(view),
            view: view.clone(),
            array: "smem".to_owned(),
            preset: None,
            control: Control::Pad,
            served: 0,
            pace: Pace::new(STEP),
            table: false,
            edit: None,
            edited_preset: None,
            real: None,
        };
        banks.show_all();
        banks
    }

    /// Returns the simulator with another name for the array in its title.
    #[must_use]
    pub fn called(mut self, array: &str) -> Self {
        array.clone_into(&mut self.array);
        self
    }

    fn change(&mut self, change: impl Fn(&mut BankView, Control)) {
        change(&mut self.view, self.control);
        self.preset = None;
        self.refresh();
        self.pace.glide.start();
    }

    fn refresh(&mut self) {
        self.picture = Served::new(&self.view);
        self.show_all();
    }

    fn show_all(&mut self) {
        self.pace.run(false);
        self.served = self.wavefronts();
    }

    fn wavefronts(&self) -> usize {
        self.picture.as_ref().map_or(0, |picture| picture.schedule.len())
    }

    /// Returns the number of wavefronts to draw; during the animation of all wavefronts, only the first ones.
    fn drawn(&self) -> usize {
        if self.served < self.wavefronts() { self.served } else { self.pace.glide.reached(self.served) }
    }

    /// Returns how many of `banks` the wavefront that is being served has reached.
    fn reached(&self, banks: usize) -> usize {
        self.pace.glide.reached(banks)
    }

    fn take_preset(&mut self, number: u8) {
        if let Some(preset) = presets::preset(number.into()) {
            self.view = preset.view;
            preset.array.clone_into(&mut self.array);
            self.preset = Some(number);
            self.real = None;
            self.refresh();
            self.pace.glide.start();
        }
    }

    fn step(&mut self, forward: bool) {
        self.pace.run(false);
        let all = self.wavefronts();
        self.served = match (forward, self.served) {
            // If all wavefronts are shown, a step forward shows only the first one.
            (true, served) if served >= all => 1.min(all),
            (true, served) => served + 1,
            (false, served) => served.saturating_sub(1),
        };
        if forward {
            self.pace.glide.start();
        }
    }

    fn play(&mut self) {
        self.pace.run(!self.pace.runs());
        if self.pace.runs() && self.served >= self.wavefronts() {
            self.served = 0;
        }
    }

    fn play_step(&mut self) -> bool {
        self.served += 1;
        let more = self.served < self.wavefronts();
        if more {
            self.pace.glide.start();
        }
        more
    }

    fn request_real(&mut self) -> Vec<Effect> {
        let Some(kernel) = &self.view.kernel else { return Vec::new() };
        let (real, effect) = Real::launch(kernel, self.view.access);
        self.real = Some(real);
        vec![effect]
    }

    fn start_typing(&mut self, at: Index) {
        self.edit = Some(Expressions::new(&self.view.row, &self.view.column, at));
        self.edited_preset = self.preset;
        self.control = if at == Index::Row { Control::Row } else { Control::Column };
    }
}

impl Picture for Banks {
    fn kind(&self) -> &'static str {
        "banks"
    }

    fn link(&self) -> Option<String> {
        Some(format!("banks={}", self.view.link()))
    }

    fn actions(&self) -> Vec<Action> {
        if self.edit.is_some() {
            let take = self.picture.is_ok().then_some(Action::TakeExpression);
            return take.into_iter().chain([Action::NextControl]).collect();
        }
        let steps = |control: Control, up| control.steps(&self.view, up);
        let mut actions = Vec::new();
        actions.extend(steps(self.control, false).then_some(Action::Smaller));
        actions.extend(steps(self.control, true).then_some(Action::Larger));
        actions.push(Action::NextControl);
        let several = self.wavefronts() > 1;
        actions.extend((several && self.served > 0).then_some(Action::StepBack));
        actions.extend(several.then_some(Action::StepForward));
        actions.extend(steps(Control::Pad, false).then_some(Action::PadLess));
        actions.extend(steps(Control::Pad, true).then_some(Action::PadMore));
        actions.push(Action::Expression);
        actions.extend((1..=9).filter(|number| Some(*number) != self.preset).map(Action::Preset));
        let waits = self.real.as_ref().is_some_and(|real| matches!(real.state(), CountState::Waiting(_)));
        if self.view.kernel.is_some() && !waits {
            actions.push(Action::RealKernel);
        }
        actions.extend(several.then_some(Action::Play));
        actions.extend(self.picture.is_ok().then_some(Action::Table));
        actions.push(Action::PreviousControl);
        actions
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        self.pace.glide.finish();
        if let Some(edit) = &mut self.edit {
            match action {
                Action::TakeExpression => self.edit = None,
                _ => edit.turn(),
            }
            return Vec::new();
        }
        match action {
            Action::Larger => self.change(|view, control| control.step(view, true)),
            Action::Smaller => self.change(|view, control| control.step(view, false)),
            Action::PadMore => self.change(|view, _| Control::Pad.step(view, true)),
            Action::PadLess => self.change(|view, _| Control::Pad.step(view, false)),
            Action::NextControl => self.control = next_in_cycle(&CONTROLS, self.control, true),
            Action::PreviousControl => self.control = next_in_cycle(&CONTROLS, self.control, false),
            Action::Preset(number) => self.take_preset(number),
            Action::Expression => self.start_typing(draw::index(self.control).unwrap_or(Index::Row)),
            Action::StepForward => self.step(true),
            Action::StepBack => self.step(false),
            Action::Play => self.play(),
            Action::Table => self.table = !self.table,
            Action::RealKernel => return self.request_real(),
            _ => {}
        }
        Vec::new()
    }

    fn editing(&self) -> bool {
        self.edit.is_some()
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        if let Some([row, column]) = Expressions::key(&mut self.edit, key, self.picture.is_ok()) {
            (self.view.row, self.view.column) = (row.into(), column.into());
            let same =
                |view: &BankView| view.row.value == self.view.row.value && view.column.value == self.view.column.value;
            let preset = |number: &u8| presets::preset((*number).into()).is_some_and(|preset| same(&preset.view));
            self.preset = self.edited_preset.filter(preset);
            self.refresh();
        }
        Vec::new()
    }

    /// Selects the control at the click, or changes it if it is selected. A click on a wavefront steps to it.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        self.pace.glide.finish();
        match draw::hit(self, at, area) {
            Some(draw::ClickTarget::Control(control)) if control == self.control => match draw::index(control) {
                Some(index) => self.start_typing(index),
                None => return self.act(Action::Larger),
            },
            Some(draw::ClickTarget::Control(control)) => self.control = control,
            Some(draw::ClickTarget::Wavefront(wavefront)) => {
                self.pace.run(false);
                self.served = wavefront + 1;
            }
            None => {}
        }
        Vec::new()
    }

    crate::picture::played!();

    /// Takes the counts of the real kernel.
    fn reply(&mut self, reply: &Reply) -> bool {
        self.real.as_mut().is_some_and(|real| real.reply(reply))
    }

    crate::picture::drawn!();

    fn wished_width(&self) -> u16 {
        draw::WISHED
    }

    fn describe(&self) -> Vec<String> {
        let view = &self.view;
        let (rows, columns, width, pad) = (view.rows, view.pitch, view.width, view.pad);
        let mut sentences = vec![
            t!("banks-array", rows, columns, width, pad),
            t!("banks-block", x = view.block[0], y = view.block[1], warp = view.warp, k = view.k, lanes = view.lanes),
        ];
        match &self.picture {
            Err(error) => sentences.extend([draw::what(self), error.message.to_string()]),
            Ok(picture) => {
                sentences.push(format!("{}: {}, {}.", draw::what(self), picture.cost_words(), picture.verdict()));
                sentences.push(draw::bank_words(self, picture));
                sentences.push(model::fix_words(view, picture));
                for (at, wavefront) in picture.schedule.iter().enumerate() {
                    let served: Vec<String> = (wavefront.banks.iter().enumerate())
                        .filter_map(|(bank, word)| word.map(|(_, mask)| (bank, mask)))
                        .map(|(bank, mask)| match mask.count_ones() {
                            1 => t!("banks-lane-in-bank", lane = mask.trailing_zeros(), bank),
                            _ => t!("banks-lanes-in-bank", lanes = lanes(mask, 8), bank),
                        })
                        .collect();
                    sentences.push(t!("banks-one-wavefront", n = at + 1, served = served.join(", ")));
                }
            }
        }
        sentences
    }
}

#[cfg(test)]
mod tests;
