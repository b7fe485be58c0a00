/*! The warp tile: the position of each lane, and which lanes read the same words of A and B.

Up and down select a control, left and right change it: the lane, or the order of lanes, in rows or in squares. The cost
of a load depends on which lanes share an address ([`ptx_emulator::cost`]).
*/

mod draw;

use crate::prelude::*;
use ptx_emulator::cost::{Direction, shared_wavefronts};
use tutor_course::{LaneOrder, WarpTileView};

/// Rows and columns of lanes in a warp's tile.
const ROWS: usize = 4;
const COLUMNS: usize = 8;
/// Bytes of a piece. Pieces are next to each other in shared memory.
const A_PIECE: u32 = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    Lane,
    Order,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WarpTile {
    order: LaneOrder,
    lane: usize,
}

impl WarpTile {
    pub(crate) fn new(view: &WarpTileView) -> Self {
        Self { order: view.order, lane: (view.lane as usize).min(ROWS * COLUMNS - 1) }
    }

    /// Returns row and column of a lane, which are also its pieces of A and B.
    fn place(&self, lane: usize) -> (usize, usize) {
        match self.order {
            LaneOrder::Rows => (lane / COLUMNS, lane % COLUMNS),
            LaneOrder::Squares => (lane / 16 * 2 + lane / 2 % 2, lane / 4 % 4 * 2 + lane % 2),
        }
    }

    /// Returns the lane at a position.
    fn lane_at(&self, row: usize, column: usize) -> usize {
        (0..ROWS * COLUMNS).find(|lane| self.place(*lane) == (row, column)).unwrap_or(0)
    }

    /// Returns the lanes that read the same piece of A (the chosen lane's row) and of B (its column).
    fn sharers(&self) -> [Vec<usize>; 2] {
        let (row, column) = self.place(self.lane);
        let of = |same: &dyn Fn((usize, usize)) -> bool| {
            (0..ROWS * COLUMNS).filter(|lane| same(self.place(*lane))).collect()
        };
        [of(&|place| place.0 == row), of(&|place| place.1 == column)]
    }

    /// Returns the wavefronts of the warp's 16-byte loads of A and of B.
    fn wavefronts(&self) -> [u32; 2] {
        let cost = |piece: &dyn Fn((usize, usize)) -> usize| {
            let address = std::array::from_fn(|lane| piece(self.place(lane)) as u32 * A_PIECE);
            shared_wavefronts(Direction::Load, 16, u32::MAX, &address)
        };
        [cost(&|place| place.0), cost(&|place| place.1)]
    }
}

impl Controls for WarpTile {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::Lane, Control::Order];

    fn apply(&mut self, control: Control, up: bool) {
        match control {
            Control::Lane => self.lane = (self.lane + if up { 1 } else { ROWS * COLUMNS - 1 }) % (ROWS * COLUMNS),
            Control::Order => {
                self.order = if self.order == LaneOrder::Rows { LaneOrder::Squares } else { LaneOrder::Rows };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes(order: LaneOrder) -> WarpTile {
        WarpTile::new(&WarpTileView { order, lane: 0 })
    }

    #[test]
    fn each_place_has_one_lane() {
        for order in [LaneOrder::Rows, LaneOrder::Squares] {
            let lanes = lanes(order);
            let mut all: Vec<_> = (0..32).map(|lane| lanes.place(lane)).collect();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), 32);
            assert!((0..32).all(|lane| {
                let (row, column) = lanes.place(lane);
                lanes.lane_at(row, column) == lane
            }));
        }
    }
}
