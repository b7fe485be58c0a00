//! One block's walk over its tiles: loads, partial sums, and traffic so far.

/// Bytes of an FP32 element.
const ELEMENT: u64 = 4;

/// The walk of one block of C over a square product.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    /// Edge of the matrices, in elements.
    pub(crate) n: u32,
    /// Edge of a tile, in elements.
    pub(crate) tile: u32,
    /// Row of the block's tile in C, in tiles.
    pub(crate) block_row: u32,
    /// Column of the block's tile in C, in tiles.
    pub(crate) block_column: u32,
    /// Number of finished steps: 0 before the first load, [`Walk::steps`] at the end.
    pub(crate) step: u32,
}

/// Bytes that the block has requested from global memory so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Traffic {
    pub(crate) tiled: u64,
    /// Bytes that the naive kernel requests for the same partial sums.
    pub(crate) naive: u64,
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
    pub(crate) fn steps(&self) -> u32 {
        self.n.div_ceil(self.tile)
    }

    /// Returns the index t of the tiles that are in shared memory, if any.
    pub(crate) fn current(&self) -> Option<u32> {
        self.step.checked_sub(1)
    }

    pub(crate) fn forward(&mut self) -> bool {
        let more = self.step < self.steps();
        self.step += u32::from(more);
        more
    }

    pub(crate) fn back(&mut self) {
        self.step = self.step.saturating_sub(1);
    }

    /// Selects a block of C and restarts the walk.
    pub(crate) fn select(&mut self, row: u32, column: u32) {
        let last = self.steps() - 1;
        (self.block_row, self.block_column, self.step) = (row.min(last), column.min(last), 0);
    }

    /// Returns the first and the last element of tile `t` along an edge. The last tile may be narrower.
    pub(crate) fn span(&self, t: u32) -> (u32, u32) {
        (t * self.tile, ((t + 1) * self.tile).min(self.n) - 1)
    }

    fn extent(&self, t: u32) -> u64 {
        let (first, last) = self.span(t);
        u64::from(last - first + 1)
    }

    /// Returns how many elements of A and of B step `t` loads.
    pub(crate) fn loads(&self, t: u32) -> (u64, u64) {
        (self.extent(self.block_row) * self.extent(t), self.extent(t) * self.extent(self.block_column))
    }

    /// Returns the bytes requested from global memory so far.
    pub(crate) fn traffic(&self) -> Traffic {
        let outputs = self.extent(self.block_row) * self.extent(self.block_column);
        (0..self.step).fold(Traffic { tiled: 0, naive: 0 }, |sum, t| {
            let (a, b) = self.loads(t);
            Traffic { tiled: sum.tiled + (a + b) * ELEMENT, naive: sum.naive + outputs * 2 * self.extent(t) * ELEMENT }
        })
    }

    /// Returns how often this block uses each loaded element of A, and of B.
    pub(crate) fn reuse(&self) -> (u64, u64) {
        (self.extent(self.block_column), self.extent(self.block_row))
    }

    /// Returns an element of A, a small whole number so that the student can follow the sums.
    pub(crate) fn a(&self, row: u32, column: u32) -> i64 {
        i64::from((row + 2 * column) % 4)
    }

    /// Returns an element of B, also a small whole number.
    pub(crate) fn b(&self, row: u32, column: u32) -> i64 {
        i64::from((2 * row + column) % 3)
    }

    /// Returns what step `t` adds to the first element of the block's tile of C.
    pub(crate) fn contribution(&self, t: u32) -> i64 {
        let (row, column) = (self.span(self.block_row).0, self.span(self.block_column).0);
        let (first, last) = self.span(t);
        (first..=last).map(|k| self.a(row, k) * self.b(k, column)).sum()
    }

    /// Returns that element after the finished steps.
    pub(crate) fn sum(&self) -> i64 {
        (0..self.step).map(|t| self.contribution(t)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_of_sixteen_need_a_sixteenth_of_the_bytes_at_every_step() {
        let mut walk = Walk::new(64, 16);
        assert_eq!(walk.steps(), 4);
        while walk.forward() {
            let Traffic { tiled, naive } = walk.traffic();
            assert_eq!(naive, 16 * tiled);
            assert_eq!(tiled, u64::from(walk.step) * 2 * 16 * 16 * 4);
        }
        assert_eq!(walk.reuse(), (16, 16));
    }

    #[test]
    fn the_steps_add_up_to_the_dot_product() {
        let mut walk = Walk::new(10, 4);
        walk.select(2, 1);
        while walk.forward() {}
        let (row, column) = (8, 4);
        let product: i64 = (0..10).map(|k| walk.a(row, k) * walk.b(k, column)).sum();
        assert_eq!(walk.sum(), product);
    }

    #[test]
    fn the_last_tile_of_a_ragged_edge_is_narrower() {
        let walk = Walk::new(10, 4);
        assert_eq!((walk.steps(), walk.span(2)), (3, (8, 9)));
        assert_eq!(walk.loads(2), (8, 8));
    }

    #[test]
    fn the_walk_ends_and_goes_back() {
        let mut walk = Walk::new(8, 4);
        assert_eq!(walk.current(), None);
        assert!(walk.forward() && walk.forward() && !walk.forward());
        assert_eq!(walk.current(), Some(1));
        walk.back();
        walk.back();
        walk.back();
        assert_eq!(walk.step, 0);
    }
}
