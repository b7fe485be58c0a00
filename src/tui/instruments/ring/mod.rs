/*! The ring stepper: a producer, the copy engine and two consumers around a ring of stages, which can be broken.

Up and down choose who is next, right lets them take a step, left takes the last one back. What each does in which
order is traced from the kernel's PTX by the emulator, which also judges it ([`judge`]); the student chooses the order
in which they come.
*/

mod draw;
mod judge;
mod model;

use super::control::{Panel, cell};
use super::pace::Pace;
use super::{Picture, Setting};
use crate::course::RingView as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::{Field, Ring as Turns};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use std::time::Duration;

/// Time that each step stays while it plays.
const STEP: Duration = Duration::from_millis(500);

/// A ring of stages.
#[derive(Debug)]
pub struct Ring {
    panel: Panel<Turns>,
    pace: Pace,
}

impl Ring {
    /// The page's ring, before the first step.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { panel: Panel::new(Turns::new(view), Field::Producer), pace: Pace::new(STEP) }
    }

    fn stuck(&self) -> bool {
        let ring = &self.panel.dials;
        ring.now.done(&ring.judged) || ring.now.hangs(&ring.judged)
    }
}

impl Picture for Ring {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        let play = (!self.stuck()).then_some(Action::Play);
        play.into_iter().chain(self.panel.actions()).collect()
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        if self.actions().contains(&action) {
            self.pace.run(action == Action::Play && !self.pace.runs());
            self.panel.act(action);
        }
        Vec::new()
    }

    /// A click chooses who is next; on the arrows, it lets them take a step.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        self.pace.run(false);
        self.panel.click(cell(at, area).and_then(|at| draw::hit(self, at, area.width)));
        Vec::new()
    }

    /// While it plays.
    fn animating(&self) -> bool {
        self.pace.runs()
    }

    /// The next step when it is time; it stops where a wrong tile is read.
    fn tick(&mut self, now: Duration) -> bool {
        if !self.pace.due(now) {
            return false;
        }
        let wrong = self.panel.dials.now.wrong;
        self.panel.dials.play();
        self.pace.run(!self.stuck() && self.panel.dials.now.wrong == wrong);
        true
    }

    /// Draws it.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(self, frame, area, look);
    }

    /// Rows it needs.
    fn min_height(&self, width: u16) -> u16 {
        draw::height(self, width)
    }

    /// The stages, who is next, and the verdict.
    fn describe(&self) -> Vec<String> {
        draw::sentences(&self.panel.dials)
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("1/2", t!("ring-sign-arrivals")), ("✘", t!("ring-sign-wrong"))]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, setting};
    use super::*;
    use crate::course::RingFlaw;

    fn ring(stages: u32, flaw: RingFlaw) -> Ring {
        Ring::new(&View { stages, flaw }, setting())
    }

    fn played(stages: u32, flaw: RingFlaw) -> Ring {
        let mut it = ring(stages, flaw);
        it.act(Action::Play);
        let mut now = Duration::ZERO;
        while it.animating() {
            now += STEP;
            it.tick(now);
        }
        it
    }

    #[test]
    fn stages_and_steps_are_drawn_in_every_room() {
        let mut it = ring(4, RingFlaw::None);
        (0..4).for_each(|_| drop(it.act(Action::Increase)));
        insta::assert_snapshot!("ring", kept(&it));
        insta::assert_snapshot!("ring-early-release", kept(&played(3, RingFlaw::EarlyRelease)));
        insta::assert_snapshot!("ring-missing-arrive", kept(&played(3, RingFlaw::MissingArrive)));
        at_every_size(&it);
        at_every_size(&ring(0, RingFlaw::ConsumerParity));
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| ring(4, RingFlaw::None));
        keeps_its_word(|| played(2, RingFlaw::EarlyRelease));
        keeps_its_word(|| played(2, RingFlaw::MissingArrive));
        keeps_its_word(|| {
            let mut it = played(4, RingFlaw::None);
            [Action::PreviousField, Action::PreviousField].into_iter().for_each(|action| drop(it.act(action)));
            it
        });
    }

    #[test]
    fn each_flaw_is_seen_and_judged() {
        let says = |it: &Ring, words: &str| {
            let drawing = flowing(it, (116, 30));
            assert!(drawing.contains(words), "{words}: {drawing}");
        };
        let it = played(4, RingFlaw::None);
        says(&it, "All 8 tiles are read");
        says(&it, "right in every order");
        let it = played(3, RingFlaw::EarlyRelease);
        says(&it, "Consumer 1 wants tile 0 and reads tile 3");
        says(&it, "hazard (WAR)");
        let it = played(3, RingFlaw::MissingArrive);
        says(&it, "Nobody can go on");
        says(&it, "it hangs");
        let it = played(3, RingFlaw::ProducerParity);
        says(&it, "Nobody can go on");
        let mut it = ring(3, RingFlaw::ConsumerParity);
        [Action::NextField, Action::NextField, Action::Increase, Action::Increase].into_iter().for_each(|action| drop(it.act(action)));
        says(&it, "Consumer 0 wants tile 0 and reads nothing");
        says(&it, "hazard (RAW)");
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        needs_no_more_than_it_says(&ring(4, RingFlaw::None), &["empty", "broken", "right in every order"]);
        needs_no_more_than_it_says(&played(3, RingFlaw::EarlyRelease), &["hazard (WAR)", "reads tile 3"]);
    }

    #[test]
    fn a_click_chooses_who_is_next_and_lets_them_take_a_step() {
        let mut it = ring(3, RingFlaw::None);
        let area = Rect::new(1, 1, 76, 18);
        let place = |it: &Ring, hit| {
            let mut places = (1..19).flat_map(|y| (1..77).map(move |x| Position::new(x, y)));
            places.find(|at| cell(*at, area).and_then(|at| draw::hit(it, at, 76)) == Some(hit)).unwrap()
        };
        let at = place(&it, (Field::Producer, Some(true)));
        (0..2).for_each(|_| drop(it.click(at, area)));
        it.click(place(&it, (Field::Engine, None)), area);
        it.click(place(&it, (Field::Engine, Some(true))), area);
        let stage = &it.panel.dials.now.stages[0];
        assert_eq!((stage.holds, stage.full.phases), (Some(0), 1));
        it.click(at, area);
        assert_eq!(it.panel.dials.steps(), 3, "a first click only chooses");
    }
}
