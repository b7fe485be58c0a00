/*! The tile walk: one block of C, and the tiles of A and B that it works through.

Left and right step t; the pictures show which tile of A and of B is in shared memory now, which were
there, which are to come, and how full the sum is. Below: what this step loads, how often each loaded
element is used, and the bytes so far beside those of the naive kernel.
*/

mod draw;
mod model;

use super::{Picture, Setting};
use super::pace::Pace;
use crate::course::TileWalk as View;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::Walk;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use std::time::Duration;

/// Time that each step stays while it plays.
const STEP: Duration = Duration::from_millis(900);

/// Tiles walking over a product.
#[derive(Debug)]
pub struct TileWalk {
    walk: Walk,
    pace: Pace,
}

impl TileWalk {
    /// The lesson's matrices, before the first step.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { walk: Walk::new(view.n, view.tile), pace: Pace::new(STEP) }
    }

    /// Another block of C, counted row by row.
    fn neighbour(&mut self, by: u32) {
        let steps = self.walk.steps();
        let at = (self.walk.block_row * steps + self.walk.block_column + by) % (steps * steps);
        self.walk.select(at / steps, at % steps);
    }
}

impl Picture for TileWalk {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        vec![
            Action::StepBack,
            Action::StepForward,
            Action::Play,
            Action::PreviousTile,
            Action::NextTile,
            Action::Restart,
        ]
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        self.pace.run(action == Action::Play && !self.pace.runs());
        match action {
            Action::StepForward => {
                self.walk.forward();
            }
            Action::StepBack => self.walk.back(),
            Action::Play if self.walk.step == self.walk.steps() => self.walk.step = 0,
            Action::Restart => self.walk.step = 0,
            Action::NextTile => self.neighbour(1),
            Action::PreviousTile => self.neighbour(self.walk.steps() * self.walk.steps() - 1),
            _ => {}
        }
        Vec::new()
    }

    /// A click on a tile of A or B goes to its step, on a tile of C to its block.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        self.pace.run(false);
        match draw::hit(&self.walk, at, area) {
            Some(draw::Hit::Step(t)) => self.walk.step = (t + 1).min(self.walk.steps()),
            Some(draw::Hit::Block(row, column)) => self.walk.select(row, column),
            None => {
                self.walk.forward();
            }
        }
        Vec::new()
    }

    /// While it plays.
    fn animating(&self) -> bool {
        self.pace.runs()
    }

    /// The next step when it is time.
    fn tick(&mut self, now: Duration) -> bool {
        if !self.pace.due(now) {
            return false;
        }
        self.pace.run(self.walk.forward() && self.walk.step < self.walk.steps());
        true
    }

    /// Draws it.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(&self.walk, frame, area, look);
    }

    /// Rows it needs.
    fn min_height(&self, _: u16) -> u16 {
        (7 + self.walk.steps() as u16).min(20)
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{CASES, at_every_size, drawn, setting, text};
    use super::*;

    fn walk(n: u32, tile: u32, steps: u32) -> TileWalk {
        let mut walk = TileWalk::new(&View { n, tile }, setting());
        (0..steps).for_each(|_| drop(walk.act(Action::StepForward)));
        walk
    }

    fn screen(walk: &TileWalk, size: (u16, u16)) -> String {
        text(size, false, |frame, area, look| walk.render(frame, area, look))
    }

    #[test]
    fn the_walk_is_drawn_at_every_size_and_theme() {
        let walk = walk(12, 4, 2);
        for case in CASES {
            let name = format!("tile-walk-{}x{}-{}", case.0, case.1, case.2);
            insta::assert_snapshot!(name, drawn(case, false, |frame, area, look| walk.render(frame, area, look)));
        }
        at_every_size(|frame, area, look| walk.render(frame, area, look));
        at_every_size(|frame, area, look| TileWalk::new(&View { n: 256, tile: 4 }, setting()).render(frame, area, look));
    }

    #[test]
    fn each_step_tells_what_it_loads_and_what_was_saved() {
        let mut walk = walk(64, 16, 1);
        let drawing = screen(&walk, (80, 24));
        assert!(drawing.contains("256 + 256 elements") && drawing.contains("16×"), "{drawing}");
        (0..9).for_each(|_| drop(walk.act(Action::StepForward)));
        let drawing = screen(&walk, (80, 24));
        assert!(drawing.contains("8 192") && drawing.contains("131 072") && drawing.contains("done"), "{drawing}");
    }

    #[test]
    fn the_picture_has_every_step_where_a_page_leaves_twelve_rows() {
        for tile in [4, 3] {
            let drawing = screen(&walk(12, tile, 0), (78, 12));
            for step in 0..12 / tile {
                let label = format!("t{step}");
                assert_eq!(drawing.matches(&label).count(), 2, "{label}:\n{drawing}");
            }
        }
    }

    #[test]
    fn it_plays_to_the_end_and_stops() {
        let mut walk = walk(12, 4, 0);
        walk.act(Action::Play);
        let mut now = Duration::ZERO;
        while walk.animating() {
            now += STEP;
            assert!(walk.tick(now));
        }
        assert_eq!(walk.walk.step, 3);
    }

    #[test]
    fn a_click_on_a_tile_goes_there() {
        let mut walk = walk(12, 4, 0);
        let area = Rect::new(0, 0, 80, 24);
        let click = |walk: &mut TileWalk, target: draw::Hit| {
            let mut places = (0..24).flat_map(|y| (0..80).map(move |x| Position::new(x, y)));
            let at = places.find(|at| draw::hit(&walk.walk, *at, area) == Some(target)).unwrap();
            walk.click(at, area);
        };
        click(&mut walk, draw::Hit::Block(2, 1));
        assert_eq!((walk.walk.block_row, walk.walk.block_column), (2, 1));
        click(&mut walk, draw::Hit::Step(2));
        assert_eq!(walk.walk.step, 3);
    }
}
