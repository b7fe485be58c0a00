/*! The thread map: the iteration space, and who computes what.

C with the lanes of the chosen element's warp; the sum over k as a bar that fills step by step. The
arrows choose an element, `m` lets `threadIdx.x` run along rows or along columns: the work is the
same, the neighbours are others.
*/

mod draw;
mod model;

use super::{Picture, Setting};
use super::pace::Pace;
use crate::course::ThreadMap as View;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::ThreadMap as Map;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use std::time::Duration;

/// Time that each step of k stays while it plays.
const STEP: Duration = Duration::from_millis(400);

/// The iteration space and which thread computes which element of C.
#[derive(Debug)]
pub struct ThreadMap {
    map: Map,
    pace: Pace,
}

impl ThreadMap {
    /// The lesson's extents.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { map: Map::new(view.m, view.n, view.k), pace: Pace::new(STEP) }
    }
}

impl Picture for ThreadMap {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        let mut actions = vec![Action::Left, Action::Down, Action::Up, Action::Right, Action::Mapping];
        actions.extend([Action::PreviousK, Action::NextK, Action::Play]);
        actions
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        self.pace.run(action == Action::Play && !self.pace.runs());
        let (i, j) = (self.map.i, self.map.j);
        match action {
            Action::Left => self.map.choose(i, j.saturating_sub(1)),
            Action::Right => self.map.choose(i, j + 1),
            Action::Up => self.map.choose(i.saturating_sub(1), j),
            Action::Down => self.map.choose(i + 1, j),
            Action::Mapping => self.map.swap_mapping(),
            Action::NextK => {
                self.map.forward();
            }
            Action::PreviousK => self.map.back(),
            Action::Play if self.map.step == self.map.k => self.map.step = 0,
            _ => {}
        }
        Vec::new()
    }

    /// A click chooses an element of C.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        if let Some((i, j)) = draw::hit(&self.map, at, area) {
            self.map.choose(i, j);
        }
        Vec::new()
    }

    /// While it plays.
    fn animating(&self) -> bool {
        self.pace.runs()
    }

    /// The next term of the sum when it is time.
    fn tick(&mut self, now: Duration) -> bool {
        if !self.pace.due(now) {
            return false;
        }
        self.pace.run(self.map.forward() && self.map.step < self.map.k);
        true
    }

    /// Draws it.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(&self.map, frame, area, look);
    }

    /// Rows it needs.
    fn min_height(&self, _: u16) -> u16 {
        12
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{CASES, at_every_size, drawn, setting, text};
    use super::*;

    fn map(m: u32, n: u32, k: u32) -> ThreadMap {
        ThreadMap::new(&View { m, n, k }, setting())
    }

    fn screen(map: &ThreadMap, size: (u16, u16)) -> String {
        text(size, false, |frame, area, look| map.render(frame, area, look))
    }

    #[test]
    fn the_map_is_drawn_at_every_size_and_theme() {
        let mut map = map(8, 8, 4);
        for action in [Action::Down, Action::Right, Action::Right, Action::NextK, Action::NextK] {
            map.act(action);
        }
        for case in CASES {
            let name = format!("thread-map-{}x{}-{}", case.0, case.1, case.2);
            insta::assert_snapshot!(name, drawn(case, false, |frame, area, look| map.render(frame, area, look)));
        }
        at_every_size(|frame, area, look| map.render(frame, area, look));
    }

    #[test]
    fn large_and_odd_extents_are_drawn_around_the_chosen_element() {
        for (m, n, k) in [(0, 0, 0), (64, 64, 64), (3, 40, 1), (40, 3, 9)] {
            let mut map = map(m, n, k);
            (0..70).for_each(|_| drop((map.act(Action::Right), map.act(Action::Down))));
            at_every_size(|frame, area, look| map.render(frame, area, look));
        }
    }

    #[test]
    fn the_other_mapping_turns_neighbours_and_keeps_the_work() {
        let mut map = map(8, 8, 4);
        map.act(Action::Right);
        assert!(screen(&map, (80, 24)).contains("thread (1, 0)"));
        map.act(Action::Mapping);
        let drawing = screen(&map, (80, 24));
        assert!(drawing.contains("thread (0, 1)") && drawing.contains("rows"), "{drawing}");
    }

    #[test]
    fn the_sum_plays_to_its_end() {
        let mut map = map(8, 8, 4);
        map.act(Action::Play);
        let mut now = Duration::ZERO;
        while map.animating() {
            now += STEP;
            map.tick(now);
        }
        assert_eq!(map.map.step, 4);
    }

    #[test]
    fn a_click_chooses_an_element() {
        let mut map = map(8, 8, 4);
        let area = Rect::new(0, 0, 80, 24);
        let mut places = (0..24).flat_map(|y| (0..80).map(move |x| Position::new(x, y)));
        let at = places.find(|at| draw::hit(&map.map, *at, area) == Some((5, 6))).unwrap();
        map.click(at, area);
        assert_eq!((map.map.i, map.map.j), (5, 6));
    }
}
