/*! The thread map: the iteration space, and who computes what.

A left of C and B above it; choosing an element of C shows its thread, the row of A and the column of B that the
thread walks, and the pair that it multiplies now. `m` lets `threadIdx.x` run along rows or along columns: the work is
the same, the neighbours in memory are others.
*/

mod draw;
mod model;

use super::pace::Pace;
use super::{Picture, Setting};
use crate::course::ThreadMap as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::Space;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use std::time::Duration;

/// Time that each step of k stays while it plays.
const STEP: Duration = Duration::from_millis(400);

/// The iteration space and which thread computes which element of C.
#[derive(Debug)]
pub struct ThreadMap {
    map: Space,
    pace: Pace,
}

impl ThreadMap {
    /// The lesson's extents.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { map: Space::new(view.m, view.n, view.k), pace: Pace::new(STEP) }
    }
}

impl Picture for ThreadMap {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.map.n > 1 {
            actions.extend([Action::Left, Action::Right]);
        }
        if self.map.m > 1 {
            actions.extend([Action::Down, Action::Up]);
        }
        actions.push(Action::Mapping);
        if self.map.step > 0 {
            actions.push(Action::PreviousK);
        }
        if self.map.step < self.map.k {
            actions.push(Action::NextK);
        }
        actions.push(Action::Play);
        actions
    }

    /// Does an action. The choice goes round at the edges.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        if !self.actions().contains(&action) {
            return Vec::new();
        }
        self.pace.run(action == Action::Play && !self.pace.runs());
        let (i, j, m, n) = (self.map.i, self.map.j, self.map.m, self.map.n);
        match action {
            Action::Left => self.map.choose(i, (j + n - 1) % n),
            Action::Right => self.map.choose(i, (j + 1) % n),
            Action::Up => self.map.choose((i + m - 1) % m, j),
            Action::Down => self.map.choose((i + 1) % m, j),
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
    fn min_height(&self, width: u16) -> u16 {
        draw::height(&self.map, width)
    }

    /// The chosen thread, what it walks, and what its warp asks for.
    fn describe(&self) -> Vec<String> {
        let map = &self.map;
        let [near, cost] = draw::neighbours(map);
        let walk = t!("thread-map-walk", i = map.i, j = map.j);
        let lanes: Vec<String> = (map.lanes().iter().enumerate())
            .filter_map(|(lane, element)| element.map(|(i, j)| format!("{lane}: C[{i}][{j}]")))
            .collect();
        vec![
            format!("{} {}.", t!("thread-map-extent", m = map.m, n = map.n), draw::along(map)),
            draw::owner(map),
            walk,
            format!("{} ({})", draw::formula(map), t!("thread-map-terms", done = map.step, all = map.k)),
            t!("thread-map-warp-lanes", lanes = lanes.join(", ")),
            near,
            cost,
            draw::independence(map),
            draw::volume(map),
        ]
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("█", t!("thread-map-sign-now")),
            ("▓", t!("thread-map-sign-past")),
            ("░", t!("thread-map-sign-next")),
            ("[ ]", t!("thread-map-sign-chosen")),
            ("0…31", t!("thread-map-sign-lane")),
            ("·", t!("thread-map-sign-other")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, keeps_its_word, kept, setting, screen};
    use super::*;

    fn map(m: u32, n: u32, k: u32) -> ThreadMap {
        ThreadMap::new(&View { m, n, k }, setting())
    }

    #[test]
    fn a_the_column_of_b_and_the_warp_are_drawn_in_every_room() {
        let mut map = map(8, 8, 8);
        for action in [Action::Down, Action::Right, Action::Right, Action::NextK, Action::NextK, Action::NextK] {
            map.act(action);
        }
        insta::assert_snapshot!("thread-map", kept(&map));
        map.act(Action::Mapping);
        insta::assert_snapshot!("thread-map-other-mapping", kept(&map));
        at_every_size(&map);
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| map(8, 8, 4));
        keeps_its_word(|| map(1, 1, 1));
        keeps_its_word(|| {
            let mut map = map(8, 8, 2);
            [Action::NextK, Action::NextK].into_iter().for_each(|action| drop(map.act(action)));
            map
        });
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        let map = map(8, 8, 8);
        for width in [56, 58, 76, 80, 96, 116, 160] {
            let drawing = screen(&map, (width, map.min_height(width)));
            let rows = |first: &str| drawing.lines().filter(|row| row.contains(first)).count();
            assert!(rows("512") == 1 && rows("56 57 58") + rows("·  ·  ·  ·  ·  ·  ·  ·") + rows("·   ·   ·   ·") >= 4, "{width}: {drawing}");
            assert!(drawing.split_whitespace().any(|word| word == "mapping."), "{width}: {drawing}");
            let numbered = (0..8).all(|row| drawing.lines().any(|line| line.split_whitespace().next() == Some(&row.to_string())));
            assert!(numbered, "{width}: {drawing}");
        }
    }

    #[test]
    fn large_and_odd_extents_are_drawn_around_the_chosen_element() {
        for (m, n, k) in [(0, 0, 0), (64, 64, 64), (3, 40, 1), (40, 3, 9)] {
            let mut map = map(m, n, k);
            (0..50).for_each(|_| drop((map.act(Action::Right), map.act(Action::Down))));
            at_every_size(&map);
        }
    }

    #[test]
    fn the_other_mapping_turns_neighbours_and_keeps_the_work() {
        let mut map = map(8, 8, 8);
        map.act(Action::Right);
        assert!(screen(&map, (116, 30)).contains("Thread (1,0)"));
        map.act(Action::Mapping);
        let drawing = map.describe().join(" ");
        assert!(drawing.contains("Thread (0,1)") && drawing.contains("8 sectors"), "{drawing}");
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
