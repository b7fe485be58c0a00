/*! Coalescing: the 32 addresses of one global access, drawn over the 32-byte sectors that they touch.

Each box is a sector of eight words; filled words were asked for, the rest moves in vain. `m` swaps
the roles of `threadIdx.x` and `.y`, the arrows go through the lanes. Sectors are counted by
[`crate::simt::cost::global_sectors`].
*/

mod draw;
mod model;

use super::{Picture, Setting};
use super::pace::Pace;
use crate::course::CoalescingView as View;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::Coalescing as Model;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use std::time::Duration;

/// Time that each lane stays while it plays.
const STEP: Duration = Duration::from_millis(200);
/// Largest value of k that the keys go to.
const MOST_K: u32 = 4095;

/// The sectors of one warp-wide access.
#[derive(Debug)]
pub struct Coalescing {
    model: Model,
    /// The lane that is pointed at, if one is.
    lane: Option<usize>,
    pace: Pace,
}

impl Coalescing {
    /// The page's access.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { model: Model::new(view.clone()), lane: None, pace: Pace::new(STEP) }
    }

    fn go(&mut self, by: usize) {
        self.lane = Some(self.lane.map_or(0, |lane| (lane + by) % 32));
    }
}

impl Picture for Coalescing {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        let mut actions = vec![Action::StepBack, Action::StepForward];
        if self.model.can_swap() {
            actions.push(Action::Mapping);
        }
        actions.extend([Action::PreviousK, Action::NextK, Action::Play, Action::Restart]);
        actions
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        self.pace.run(action == Action::Play && !self.pace.runs());
        match action {
            Action::StepForward => self.go(1),
            Action::StepBack => self.go(31),
            Action::Play if self.lane.is_none_or(|lane| lane == 31) => self.lane = Some(0),
            Action::Mapping => self.model.swapped = !self.model.swapped,
            Action::NextK => self.model.k = (self.model.k + 1).min(MOST_K),
            Action::PreviousK => self.model.k = self.model.k.saturating_sub(1),
            Action::Restart => self.lane = None,
            _ => {}
        }
        Vec::new()
    }

    /// A click goes to the next lane.
    fn click(&mut self, _: Position, _: Rect) -> Vec<Effect> {
        self.act(Action::StepForward)
    }

    /// While it plays.
    fn animating(&self) -> bool {
        self.pace.runs()
    }

    /// The next lane when it is time.
    fn tick(&mut self, now: Duration) -> bool {
        if !self.pace.due(now) {
            return false;
        }
        self.go(1);
        self.pace.run(self.lane != Some(31));
        true
    }

    /// Draws it.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(&self.model, self.lane, frame, area, look);
    }

    /// Rows it needs.
    fn min_height(&self, _: u16) -> u16 {
        12
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{CASES, at_every_size, drawn, setting, text};
    use super::model::tests::view;
    use super::*;

    fn screen(access: &Coalescing, size: (u16, u16)) -> String {
        text(size, false, |frame, area, look| access.render(frame, area, look))
    }

    #[test]
    fn a_strided_access_is_drawn_at_every_size_and_theme() {
        let mut access = Coalescing::new(&view("ty", "tx"), setting());
        access.act(Action::Mapping);
        access.act(Action::StepForward);
        for case in CASES {
            let name = format!("coalescing-{}x{}-{}", case.0, case.1, case.2);
            insta::assert_snapshot!(name, drawn(case, false, |frame, area, look| access.render(frame, area, look)));
        }
        at_every_size(|frame, area, look| access.render(frame, area, look));
    }

    #[test]
    fn the_mapping_makes_four_sectors_of_thirty_two() {
        let mut access = Coalescing::new(&view("ty", "tx"), setting());
        let coalesced = screen(&access, (60, 12));
        assert!(coalesced.contains("4 sectors") && coalesced.contains("128 of 128 bytes"), "{coalesced}");
        access.act(Action::Mapping);
        let strided = screen(&access, (60, 12));
        assert!(strided.contains("32 sectors") && strided.contains("128 of 1 024 bytes"), "{strided}");
        insta::assert_snapshot!("coalescing-60x12", coalesced + "\n----\n" + &strided);
    }

    #[test]
    fn the_lanes_are_gone_through_one_by_one() {
        let mut access = Coalescing::new(&view("ty", "tx"), setting());
        access.act(Action::Play);
        let mut now = Duration::ZERO;
        while access.animating() {
            now += STEP;
            access.tick(now);
        }
        assert_eq!(access.lane, Some(31));
        assert!(screen(&access, (80, 24)).contains("lane 31: row 0, column 31: byte 124"));
    }

    #[test]
    fn an_access_that_cannot_be_is_said_in_words() {
        let access = Coalescing::new(&view("ty +", "tx"), setting());
        at_every_size(|frame, area, look| access.render(frame, area, look));
        assert!(screen(&access, (60, 12)).contains("Expected a number"));
    }
}
