/*! The tile walk: one block of C, and the tiles of A and B that it works through.

Left and right step t; the pictures show which tile of A and of B is in shared memory now, which were
there, which are to come, and how full the sum is. Below: what this step loads, how often each loaded
element is used, and the bytes so far beside those of the naive kernel.
*/

mod draw;
mod model;

use super::pace::{Glide, Pace};
use super::{Picture, Setting};
use crate::course::TileWalk as View;
use crate::t;
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
    /// The tiles are on their way to the next step.
    glide: Glide,
}

impl TileWalk {
    /// The lesson's matrices, before the first step.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { walk: Walk::new(view.n, view.tile), pace: Pace::new(STEP), glide: Glide::default() }
    }

    /// One step on; the tiles walk there.
    fn forward(&mut self) -> bool {
        let more = self.walk.forward();
        if more {
            self.glide.start();
        }
        more
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
        let (first, last) = (self.walk.step == 0, self.walk.step == self.walk.steps());
        let mut actions = Vec::new();
        actions.extend((!first).then_some(Action::StepBack));
        actions.extend((!last).then_some(Action::StepForward));
        actions.push(Action::Play);
        if self.walk.steps() > 1 {
            actions.extend([Action::PreviousBlock, Action::NextBlock]);
        }
        actions.extend((!first).then_some(Action::Restart));
        actions
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        if !self.actions().contains(&action) {
            return Vec::new();
        }
        self.glide.settle();
        self.pace.run(action == Action::Play && !self.pace.runs());
        match action {
            Action::StepForward => {
                self.forward();
            }
            Action::StepBack => self.walk.back(),
            Action::Play if self.walk.step == self.walk.steps() => self.walk.step = 0,
            Action::Restart => self.walk.step = 0,
            Action::NextBlock => self.neighbour(1),
            Action::PreviousBlock => self.neighbour(self.walk.steps() * self.walk.steps() - 1),
            _ => {}
        }
        Vec::new()
    }

    /// A click on a tile of A or B goes to its step, on a tile of C to its block.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        self.pace.run(false);
        self.glide.settle();
        match draw::hit(&self.walk, at, area) {
            Some(draw::Hit::Step(t)) => self.walk.step = (t + 1).min(self.walk.steps()),
            Some(draw::Hit::Block(row, column)) => self.walk.select(row, column),
            None => {
                self.forward();
            }
        }
        Vec::new()
    }

    fn settle(&mut self) {
        self.glide.settle();
    }

    /// While it plays, or tiles are on their way.
    fn animating(&self) -> bool {
        self.pace.runs() || self.glide.moving()
    }

    /// The next step when it is time.
    fn tick(&mut self, now: Duration) -> bool {
        let moved = self.glide.tick(now);
        if !self.pace.due(now) {
            return moved;
        }
        let more = self.forward() && self.walk.step < self.walk.steps();
        self.pace.run(more);
        true
    }

    /// Draws it.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(self, frame, area, look);
    }

    /// Rows it needs.
    fn min_height(&self, width: u16) -> u16 {
        draw::min_height(&self.walk, width)
    }

    /// The step, what it loads, the sum, and the bytes so far.
    fn describe(&self) -> Vec<String> {
        let walk = &self.walk;
        let [tiled, naive, fewer] = draw::traffic(walk);
        vec![
            format!("{}, {}.", t!("tile-walk-what", n = walk.n, tile = walk.tile), draw::step(walk)),
            draw::loads(walk),
            draw::total(walk),
            format!("{}: {tiled}. {}: {naive}. {fewer}", t!("tile-walk-tiled"), t!("tile-walk-naive")),
            draw::reuse(walk),
        ]
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("█", t!("tile-walk-sign-now")),
            ("░", t!("tile-walk-sign-past")),
            ("□", t!("tile-walk-sign-next")),
            ("t0 t1 …", t!("tile-walk-sign-step")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
    use super::*;

    fn walk(n: u32, tile: u32, steps: u32) -> TileWalk {
        let mut walk = TileWalk::new(&View { n, tile }, setting());
        (0..steps).for_each(|_| drop(walk.act(Action::StepForward)));
        walk.settle();
        walk
    }

    #[test]
    fn the_walk_is_drawn_in_every_room() {
        let walk = walk(12, 4, 2);
        insta::assert_snapshot!("tile-walk", kept(&walk));
        at_every_size(&walk);
        at_every_size(&TileWalk::new(&View { n: 256, tile: 4 }, setting()));
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
    fn the_picture_has_every_step_where_a_page_leaves_fourteen_rows() {
        for tile in [4, 3] {
            let drawing = screen(&walk(12, tile, 0), (76, 14));
            for step in 0..12 / tile {
                let label = format!("t{step}");
                assert_eq!(drawing.matches(&label).count(), 2, "{label}:\n{drawing}");
            }
        }
    }

    #[test]
    fn every_action_keeps_its_word() {
        for steps in [0, 1, 3] {
            keeps_its_word(|| walk(12, 4, steps));
        }
        keeps_its_word(|| walk(4, 4, 0));
    }

    #[test]
    fn the_tiles_walk_and_arrive() {
        let mut walk = walk(12, 4, 1);
        let before = screen(&walk, (76, 14));
        walk.act(Action::StepForward);
        walk.tick(Duration::from_millis(1000));
        walk.tick(Duration::from_millis(1240));
        let between = screen(&walk, (76, 14));
        walk.settle();
        let after = screen(&walk, (76, 14));
        assert!(before != between && between != after && !walk.animating());
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

    #[test]
    fn all_that_it_says_has_room_in_the_rows_that_it_needs() {
        for (n, tile) in [(12, 4), (12, 3), (64, 16), (16, 16)] {
            let walk = walk(n, tile, 1);
            needs_no_more_than_it_says(&walk, &["elements", "tiled ", "naive ", "bytes", "threads."]);
        }
    }
}
