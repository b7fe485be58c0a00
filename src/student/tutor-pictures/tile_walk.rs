/*! The tile walk: one block of C, and the tiles of A and B that it works through.

Left and right step t. The matrices show the past, current and future tiles of A and B in shared memory, and the
progress of the sum. The text shows what this step loads, how often each loaded element is used, and the bytes so far,
compared with those of the naive kernel.
*/

mod draw;

use super::pace::Pace;
use crate::prelude::*;
use std::time::Duration;
use tutor_course::TileWalk as View;

/// Time for each step while the animation plays.
const STEP: Duration = Duration::from_millis(900);

/// A block's walk over the tiles of a product.
#[derive(Debug)]
pub(crate) struct TileWalk {
    walk: Walk,
    /// Also animates the tiles on their way to the next step.
    pace: Pace,
}

impl TileWalk {
    pub(crate) fn new(view: &View) -> Self {
        Self { walk: Walk::new(view.n, view.tile), pace: Pace::new(STEP) }
    }

    /// Goes one step forward and starts the animation; false at the end.
    fn forward(&mut self) -> bool {
        let more = self.walk.forward();
        if more {
            self.pace.glide.start();
        }
        more
    }

    fn play_step(&mut self) -> bool {
        self.forward() && self.walk.step < self.walk.steps()
    }

    /// Selects the block of C that is `by` blocks further, row by row.
    fn neighbour(&mut self, by: u32) {
        let steps = self.walk.steps();
        let at = (self.walk.block_row * steps + self.walk.block_column + by) % (steps * steps);
        self.walk.select(at / steps, at % steps);
    }
}

impl Picture for TileWalk {
    fn kind(&self) -> &'static str {
        "tile-walk"
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
        self.pace.glide.finish();
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
        self.pace.glide.finish();
        match draw::hit(&self.walk, at, area) {
            Some(draw::ClickTarget::Step(t)) => self.walk.step = (t + 1).min(self.walk.steps()),
            Some(draw::ClickTarget::Block(row, column)) => self.walk.select(row, column),
            None => {
                self.forward();
            }
        }
        Vec::new()
    }

    crate::picture::played!();

    crate::picture::drawn!();

    fn describe(&self) -> Vec<String> {
        let walk = &self.walk;
        let what = format!("{}, {}.", t!("tile-walk-what", n = walk.n, tile = walk.tile), draw::step(walk));
        std::iter::once(what).chain(ui_kit::sheet::describe(|sheet| draw::words(walk, 0, sheet))).collect()
    }
}

/// Bytes of an FP32 element.
const ELEMENT: u64 = 4;

/// The walk of one block of C over a square product.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    /// Edge of the matrices, in elements.
    n: u32,
    /// Edge of a tile, in elements.
    tile: u32,
    /// Row of the block's tile in C, in tiles.
    block_row: u32,
    /// Column of the block's tile in C, in tiles.
    block_column: u32,
    /// Number of finished steps: 0 before the first load, [`Walk::steps`] at the end.
    step: u32,
}

/// Bytes that the block has requested from global memory so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Traffic {
    tiled: u64,
    /// Bytes that the naive kernel requests for the same partial sums.
    naive: u64,
}

impl Walk {
    /// Clamps `n` and `tile`, which come from a file, to what can be drawn.
    pub(crate) fn new(n: u32, tile: u32) -> Self {
        let n = n.clamp(1, 256);
        let tile = tile.clamp(1, n);
        let tiles = n.div_ceil(tile);
        Self { n, tile, block_row: tiles.saturating_sub(1).min(1), block_column: 0, step: 0 }
    }

    /// Returns the number of tiles along each edge, which is also the number of steps.
    fn steps(&self) -> u32 {
        self.n.div_ceil(self.tile)
    }

    /// Returns the index t of the tiles that are in shared memory, if any.
    fn current(&self) -> Option<u32> {
        self.step.checked_sub(1)
    }

    fn forward(&mut self) -> bool {
        let more = self.step < self.steps();
        self.step += u32::from(more);
        more
    }

    fn back(&mut self) {
        self.step = self.step.saturating_sub(1);
    }

    /// Selects a block of C and restarts the walk.
    fn select(&mut self, row: u32, column: u32) {
        let last = self.steps() - 1;
        (self.block_row, self.block_column, self.step) = (row.min(last), column.min(last), 0);
    }

    /// Returns the first and the last element of tile `t` along an edge. The last tile may be narrower.
    fn span(&self, t: u32) -> (u32, u32) {
        (t * self.tile, ((t + 1) * self.tile).min(self.n) - 1)
    }

    fn extent(&self, t: u32) -> u64 {
        let (first, last) = self.span(t);
        u64::from(last - first + 1)
    }

    /// Returns how many elements of A and of B step `t` loads.
    fn loads(&self, t: u32) -> (u64, u64) {
        (self.extent(self.block_row) * self.extent(t), self.extent(t) * self.extent(self.block_column))
    }

    /// Returns the bytes requested from global memory so far.
    fn traffic(&self) -> Traffic {
        let outputs = self.extent(self.block_row) * self.extent(self.block_column);
        (0..self.step).fold(Traffic { tiled: 0, naive: 0 }, |sum, t| {
            let (a, b) = self.loads(t);
            Traffic { tiled: sum.tiled + (a + b) * ELEMENT, naive: sum.naive + outputs * 2 * self.extent(t) * ELEMENT }
        })
    }

    /// Returns how often this block uses each loaded element of A, and of B.
    fn reuse(&self) -> (u64, u64) {
        (self.extent(self.block_column), self.extent(self.block_row))
    }

    /// Returns an element of A, a small whole number so that the student can follow the sums.
    fn a(&self, row: u32, column: u32) -> i64 {
        i64::from((row + 2 * column) % 4)
    }

    /// Returns an element of B, also a small whole number.
    fn b(&self, row: u32, column: u32) -> i64 {
        i64::from((2 * row + column) % 3)
    }

    /// Returns what step `t` adds to the first element of the block's tile of C.
    fn contribution(&self, t: u32) -> i64 {
        let (row, column) = (self.span(self.block_row).0, self.span(self.block_column).0);
        let (first, last) = self.span(t);
        (first..=last).map(|k| self.a(row, k) * self.b(k, column)).sum()
    }

    /// Returns that element after the finished steps.
    fn sum(&self) -> i64 {
        (0..self.step).map(|t| self.contribution(t)).sum()
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
