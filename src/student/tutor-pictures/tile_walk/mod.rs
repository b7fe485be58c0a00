/*! The tile walk: one block of C, and the tiles of A and B that it works through.

Left and right step t. The matrices show the past, current and future tiles of A and B in shared memory, and the
progress of the sum. The text shows what this step loads, how often each loaded element is used, and the bytes so far,
compared with those of the naive kernel.
*/

mod draw;
mod model;

use super::pace::{Glide, Pace};
use crate::prelude::*;
use model::Walk;
use std::time::Duration;
use tutor_course::TileWalk as View;

/// Time for each step while the animation plays.
const STEP: Duration = Duration::from_millis(900);

/// A block's walk over the tiles of a product.
#[derive(Debug)]
pub(crate) struct TileWalk {
    walk: Walk,
    pace: Pace,
    /// Animates the tiles on their way to the next step.
    glide: Glide,
}

impl TileWalk {
    pub(crate) fn new(view: &View) -> Self {
        Self { walk: Walk::new(view.n, view.tile), pace: Pace::new(STEP), glide: Glide::default() }
    }

    /// Goes one step forward and starts the animation; false at the end.
    fn forward(&mut self) -> bool {
        let more = self.walk.forward();
        if more {
            self.glide.start();
        }
        more
    }

    /// Selects the block of C that is `by` blocks further, row by row.
    fn neighbour(&mut self, by: u32) {
        let steps = self.walk.steps();
        let at = (self.walk.block_row * steps + self.walk.block_column + by) % (steps * steps);
        self.walk.select(at / steps, at % steps);
    }
}

impl Picture for TileWalk {
    fn name(&self) -> String {
        t!("pictures-name-tile-walk")
    }

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

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        self.glide.finish();
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

    /// Goes to the step of a tile of A or B, or to the block of a tile of C. Any other click goes one step forward.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        self.pace.run(false);
        self.glide.finish();
        match draw::hit(&self.walk, at, area) {
            Some(draw::ClickTarget::Step(t)) => self.walk.step = (t + 1).min(self.walk.steps()),
            Some(draw::ClickTarget::Block(row, column)) => self.walk.select(row, column),
            None => {
                self.forward();
            }
        }
        Vec::new()
    }

    fn finish_animation(&mut self) {
        self.glide.finish();
    }

    fn animating(&self) -> bool {
        self.pace.runs() || self.glide.moving()
    }

    fn tick(&mut self, now: Duration) -> bool {
        let moved = self.glide.tick(now);
        if !self.pace.due(now) {
            return moved;
        }
        let more = self.forward() && self.walk.step < self.walk.steps();
        self.pace.run(more);
        true
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(self, frame, area, look);
    }

    fn min_height(&self, width: u16) -> u16 {
        draw::min_height(&self.walk, width)
    }

    fn describe(&self) -> Vec<String> {
        let walk = &self.walk;
        let what = format!("{}, {}.", t!("tile-walk-what", n = walk.n, tile = walk.tile), draw::step(walk));
        std::iter::once(what).chain(ui_kit::sheet::describe(|sheet| draw::words(walk, 0, sheet))).collect()
    }

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
    use super::super::checks::screen;
    use super::*;

    fn walk(n: u32, tile: u32, steps: u32) -> TileWalk {
        let mut walk = TileWalk::new(&View { n, tile });
        (0..steps).for_each(|_| drop(walk.act(Action::StepForward)));
        walk.finish_animation();
        walk
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
    fn the_tiles_walk_and_arrive() {
        let mut walk = walk(12, 4, 1);
        let before = screen(&walk, (76, 14));
        walk.act(Action::StepForward);
        walk.tick(Duration::from_millis(1000));
        walk.tick(Duration::from_millis(1240));
        let between = screen(&walk, (76, 14));
        walk.finish_animation();
        let after = screen(&walk, (76, 14));
        assert!(before != between && between != after && !walk.animating());
    }
}
