/*! The ring stepper: a producer, the copy engine and two consumers around a ring of stages, with an optional flaw.

Up and down select an actor, right runs its next step, and left undoes the last step. The emulator traces the steps of
each actor from the kernel's PTX, and it also judges the kernel ([`judge`]). The student chooses the order of the
actors.
*/

mod draw;
mod judge;
mod model;

use super::control::Panel;
use super::pace::Pace;
use crate::prelude::*;
use model::Ring as Turns;
use std::time::Duration;
use tutor_course::RingView as View;

/// Time for each step while the animation plays.
const STEP: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(crate) struct Ring {
    panel: Panel<Turns>,
    pace: Pace,
}

impl Ring {
    /// Creates the page's ring before the first step.
    pub(crate) fn new(view: &View) -> Self {
        Self { panel: Panel::new(Turns::new(view)), pace: Pace::new(STEP) }
    }

    fn stuck(&self) -> bool {
        let ring = &self.panel.dials;
        ring.now.done(&ring.judged) || ring.now.hangs(&ring.judged)
    }
}

impl Picture for Ring {
    fn name(&self) -> String {
        self.panel.name()
    }

    fn actions(&self) -> Vec<Action> {
        let play = (!self.stuck()).then_some(Action::Play);
        play.into_iter().chain(self.panel.actions()).collect()
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        self.pace.run(action == Action::Play && !self.pace.runs());
        self.panel.act(action)
    }

    /// Selects the clicked actor. A click on its arrows runs or undoes a step.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        self.pace.run(false);
        self.panel.click(at, area)
    }

    fn animating(&self) -> bool {
        self.pace.runs()
    }

    /// Runs the next step when it is due. Stops when a wrong tile is read.
    fn tick(&mut self, now: Duration) -> bool {
        if !self.pace.due(now) {
            return false;
        }
        let wrong = self.panel.dials.now.wrong;
        self.panel.dials.play();
        self.pace.run(!self.stuck() && self.panel.dials.now.wrong == wrong);
        true
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        self.panel.render(frame, area, look);
    }

    fn min_height(&self, width: u16) -> u16 {
        self.panel.min_height(width)
    }

    fn describe(&self) -> Vec<String> {
        self.panel.describe()
    }

    fn signs(&self) -> Vec<(&'static str, String)> {
        self.panel.signs()
    }
}
