/*! The raster map: the tiles of C that are computed at the same time, and the strips of A and B that their blocks
share.

Up and down select a control, left and right change it: the tile rows per group, the tiles of C, and which blocks run.
The picture counts bytes, not time.
*/

mod draw;

use crate::prelude::*;
use tutor_course::RasterView;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    /// Number of tile rows that are processed together.
    Group,
    /// Number of tile rows in C.
    Rows,
    /// Number of tile columns in C.
    Columns,
    /// Number of blocks that ran before the current ones.
    First,
}

/// C in tiles, and the order in which blocks take them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Raster {
    group: u32,
    rows: u32,
    columns: u32,
    /// Number of blocks that run at the same time.
    blocks: u32,
    first: u32,
    /// Rows and columns of C per tile.
    tile: [u32; 2],
}

impl Raster {
    pub(crate) fn new(view: &RasterView) -> Self {
        let clamped = |value: u32, [least, most]: [u32; 2]| value.clamp(least, most);
        let (rows, columns) = (clamped(view.rows, RasterView::TILES), clamped(view.columns, RasterView::TILES));
        let tile = view.tile.map(|edge| clamped(edge, RasterView::EDGE));
        let blocks = clamped(view.blocks, RasterView::BLOCKS);
        Self { group: clamped(view.group, RasterView::TILES).min(rows), rows, columns, blocks, first: 0, tile }
    }

    fn all(&self) -> u32 {
        self.rows * self.columns
    }

    /// Returns the tile of a block. As in the kernels, blocks go through groups of rows, and through each group column
    /// by column.
    fn tile_of(&self, block: u32) -> (u32, u32) {
        let (group, in_group) = (block / (self.group * self.columns), block % (self.group * self.columns));
        let rows = self.group.min(self.rows - (group * self.group).min(self.rows - 1));
        (group * self.group + in_group % rows, in_group / rows)
    }

    /// Returns the tiles of the running blocks.
    fn running(&self) -> Vec<(u32, u32)> {
        (self.first..self.all().min(self.first + self.blocks)).map(|block| self.tile_of(block)).collect()
    }

    /// Returns the number of strips of A (rows of tiles) and of B (columns of tiles) that the running blocks read.
    fn strips(&self) -> [u32; 2] {
        let count = |of: &dyn Fn(&(u32, u32)) -> u32| {
            let mut all: Vec<u32> = self.running().iter().map(of).collect();
            all.sort_unstable();
            all.dedup();
            all.len() as u32
        };
        [count(&|tile| tile.0), count(&|tile| tile.1)]
    }

    /// Returns the bytes that L2 delivers to the blocks per k, and how many of them are distinct.
    fn bytes(&self) -> [u64; 2] {
        let [a, b] = self.strips().map(u64::from);
        let [rows, columns] = self.tile.map(|edge| u64::from(edge) * 4);
        [self.running().len() as u64 * (rows + columns), a * rows + b * columns]
    }
}

impl Controls for Raster {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::Group, Control::Rows, Control::Columns, Control::First];

    fn apply(&mut self, control: Control, up: bool) {
        let [least, most] = RasterView::TILES;
        let by = |value: u32| (if up { value * 2 } else { value / 2 }).clamp(least, most);
        let before = self.clone();
        match control {
            Control::Group => self.group = by(self.group).min(self.rows),
            Control::Rows => self.rows = by(self.rows),
            Control::Columns => self.columns = by(self.columns),
            Control::First if !up => self.first = self.first.saturating_sub(self.blocks),
            Control::First if self.first + self.blocks < self.all() => self.first += self.blocks,
            Control::First => {}
        }
        self.group = self.group.min(self.rows);
        if control != Control::First && *self != before {
            self.first = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(group: u32, rows: u32, columns: u32) -> Raster {
        Raster::new(&RasterView { group, rows, columns, blocks: 132, tile: [128, 256] })
    }

    #[test]
    fn every_tile_is_taken_once_whatever_the_group() {
        for (group, rows, columns) in [(1, 32, 16), (4, 32, 16), (8, 30, 7), (16, 3, 200), (5, 12, 1)] {
            let order = Raster { group: group.min(rows), ..order(1, rows, columns) };
            let mut tiles: Vec<_> = (0..rows * columns).map(|block| order.tile_of(block)).collect();
            tiles.sort_unstable();
            tiles.dedup();
            assert_eq!(tiles.len() as u32, rows * columns, "{order:?}");
            assert!(tiles.iter().all(|(row, column)| *row < rows && *column < columns));
        }
    }
}
