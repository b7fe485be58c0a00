/*! The register tile: a thread's TM×TN sums, to which each k adds one outer product.

Up and down select a control, left and right change it: the terms so far, the tile's edges, the numbers per load, and
the sum whose two operands are marked. The picture shows what the thread reads, and how many loads it needs.
*/

mod draw;

use super::control::{Panel, cell};
use crate::prelude::*;
use std::time::Duration;
use tutor_course::RegisterTileView;

/// The outer products of a thread, one per k.
#[derive(Debug)]
pub(crate) struct RegisterTile {
    panel: Panel<Tile>,
}

impl RegisterTile {
    /// Creates the page's tile before the first k.
    pub(crate) fn new(view: &RegisterTileView) -> Self {
        Self { panel: Panel::new(Tile::new(view)) }
    }
}

impl Picture for RegisterTile {
    fn kind(&self) -> &'static str {
        self.panel.kind()
    }

    fn actions(&self) -> Vec<Action> {
        self.panel.actions()
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        self.panel.perform(action)
    }

    /// Marks the clicked sum or selects the clicked control. A click on an arrow changes the control.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        let Some(at) = cell(at, area) else { return Vec::new() };
        if let Some(hit) = draw::number(self, at, area) {
            self.panel.turn(hit);
        } else if let Some(sum) = draw::sum(self, at, area) {
            self.panel.dials.sum = sum;
        }
        Vec::new()
    }

    fn animating(&self) -> bool {
        self.panel.animating()
    }

    fn tick(&mut self, now: Duration) -> bool {
        self.panel.tick(now)
    }

    crate::picture::drawn!();

    fn describe(&self) -> Vec<String> {
        let mut sentences: Vec<String> = draw::title(&self.panel.dials).map(|title| format!("{title}.")).into();
        sentences.extend(self.panel.describe());
        sentences
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Control {
    /// Number of terms in each sum so far.
    K,
    Tm,
    Tn,
    /// Numbers per load.
    Width,
    /// The sum whose operands are marked.
    Sum,
}

/// The tile and the progress of its sums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tile {
    tm: u32,
    tn: u32,
    /// Maximum numbers per load.
    width: u32,
    /// Number of terms per tile of A and B.
    depth: u32,
    /// Number of terms in each sum so far.
    done: u32,
    /// Index of the marked sum, row by row.
    sum: u32,
}

impl Tile {
    pub(super) fn new(view: &RegisterTileView) -> Self {
        Self {
            tm: view.tm.max(1),
            tn: view.tn.max(1),
            width: view.width.max(1),
            depth: view.depth.max(1),
            done: 0,
            sum: 0,
        }
    }

    /// Returns how many numbers a thread reads per k.
    fn reads(&self) -> u32 {
        self.tm + self.tn
    }

    /// Returns the multiply-adds per k, which is also the number of sums.
    fn products(&self) -> u32 {
        self.tm * self.tn
    }

    fn loads(&self) -> u32 {
        self.tm.div_ceil(self.width) + self.tn.div_ceil(self.width)
    }

    /// Returns the number of registers for the sums, and for the elements of A and B of one k.
    fn registers(&self) -> u32 {
        self.products() + self.reads()
    }

    /// Returns the load that provides row `i` of A's fragment.
    fn load_of_a(&self, i: u32) -> u32 {
        i / self.width
    }

    /// Returns the load that provides column `j` of B's fragment. These loads come after those of A.
    fn load_of_b(&self, j: u32) -> u32 {
        self.tm.div_ceil(self.width) + j / self.width
    }

    /// Returns row and column of the marked sum.
    fn marked(&self) -> (u32, u32) {
        (self.sum / self.tn, self.sum % self.tn)
    }

    /// Returns the minimum and the maximum value of a control.
    fn range(&self, control: Control) -> [u32; 2] {
        match control {
            Control::K => [0, self.depth],
            Control::Tm | Control::Tn => RegisterTileView::EDGES,
            Control::Width => RegisterTileView::WIDTHS,
            Control::Sum => [0, self.products() - 1],
        }
    }

    fn get(&self, control: Control) -> u32 {
        match control {
            Control::K => self.done,
            Control::Tm => self.tm,
            Control::Tn => self.tn,
            Control::Width => self.width,
            Control::Sum => self.sum,
        }
    }
}

impl Controls for Tile {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::K, Control::Tm, Control::Tn, Control::Width, Control::Sum];

    /// Doubles or halves edges and widths; other values change by one.
    fn apply(&mut self, control: Control, up: bool) {
        let (value, [least, most]) = (self.get(control), self.range(control));
        let next = match (control, up) {
            (Control::K | Control::Sum, true) => value + 1,
            (Control::K | Control::Sum, false) => value.saturating_sub(1),
            (_, true) => value * 2,
            (_, false) => value / 2,
        };
        let next = next.clamp(least, most);
        match control {
            Control::K => self.done = next,
            Control::Sum => self.sum = next,
            Control::Width => self.width = next,
            // The marked sum keeps its row and column, if the tile still contains them.
            Control::Tm | Control::Tn => {
                let (row, column) = self.marked();
                let edge = if control == Control::Tm { &mut self.tm } else { &mut self.tn };
                *edge = next;
                self.sum = row.min(self.tm - 1) * self.tn + column.min(self.tn - 1);
            }
        }
    }
}

/// Returns a ratio of whole numbers in lowest terms: `1/4`, `9/8`, `2`.
fn share(of: u32, all: u32) -> String {
    let (mut a, mut b) = (of, all.max(1));
    while b > 0 {
        (a, b) = (b, a % b);
    }
    let (of, all) = (of / a.max(1), all / a.max(1));
    if all == 1 { of.to_string() } else { format!("{of}/{all}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(tm: u32, tn: u32, width: u32) -> Tile {
        Tile::new(&RegisterTileView { tm, tn, width, depth: 8 })
    }

    #[test]
    fn every_control_stays_in_its_range_and_the_mark_in_the_tile() {
        let mut tile = tile(8, 8, 1);
        (0..63).for_each(|_| tile.change(Control::Sum, true));
        tile.change(Control::Tn, false);
        assert_eq!(tile.marked(), (7, 3));
        for &control in Tile::CONTROLS {
            for up in [true, false, true] {
                (0..400).for_each(|_| tile.change(control, up));
                let [least, most] = tile.range(control);
                assert_eq!(tile.get(control), if up { most } else { least }, "{control:?}");
                assert!(tile.marked().0 < tile.tm && tile.marked().1 < tile.tn);
            }
        }
    }
}
