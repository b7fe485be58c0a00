/*! The cooperative load: which thread loads which element, and which threads use it.

The arrows choose a thread of the block. The two tiles show the element that it loads, the elements that it multiplies,
and the threads of its warp. Below are the index formulas with this thread's numbers, and the sectors of the warp's
loads.
*/

mod draw;

use crate::prelude::*;
use ptx_emulator::cost::{WARP, global_sectors};

/// Columns of A and B in the example. Only the numbers in the formulas depend on it.
const LEADING: u32 = 1024;

/// A block of `tile`×`tile` threads, and the chosen thread in it.
#[derive(Debug, Clone)]
pub(crate) struct Cooperative {
    /// Edge of the tile and of the block.
    tile: u32,
    /// `threadIdx.x` of the chosen thread.
    tx: u32,
    /// `threadIdx.y` of the chosen thread.
    ty: u32,
    /// Step of the loop over tiles.
    t: u32,
    /// The block's index, `[x, y]`.
    block: [u32; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Element {
    row: u32,
    column: u32,
}

impl Element {
    /// Returns the index in a row-major array with [`LEADING`] columns.
    fn index(self) -> u64 {
        u64::from(self.row) * u64::from(LEADING) + u64::from(self.column)
    }
}

/// The tile of A or the tile of B.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Matrix {
    A,
    B,
}

impl Cooperative {
    /// Clamps `tile` to 1 to 32, because a block has at most 1024 threads.
    pub(crate) fn new(tile: u32) -> Self {
        let tile = tile.clamp(1, 32);
        Self { tile, tx: 3.min(tile - 1), ty: 5.min(tile - 1), t: 2.min(LEADING / tile - 1), block: [0, 0] }
    }

    /// Returns the number of tiles along k.
    fn steps(&self) -> u32 {
        LEADING / self.tile
    }

    /// Returns the element of A or B that a thread loads in step t.
    fn loads(&self, matrix: Matrix, tx: u32, ty: u32) -> Element {
        let [bx, by] = self.block;
        match matrix {
            Matrix::A => Element { row: by * self.tile + ty, column: self.t * self.tile + tx },
            Matrix::B => Element { row: self.t * self.tile + ty, column: bx * self.tile + tx },
        }
    }

    /// True if the chosen thread reads this element of a tile: its row of `A_tile`, or its column of `B_tile`.
    fn reads(&self, matrix: Matrix, row: u32, column: u32) -> bool {
        match matrix {
            Matrix::A => row == self.ty,
            Matrix::B => column == self.tx,
        }
    }

    /// Returns the linear index of the chosen thread.
    fn thread(&self) -> u32 {
        self.ty * self.tile + self.tx
    }

    fn warp(&self) -> u32 {
        self.thread() / WARP as u32
    }

    /// True if a thread is in the chosen thread's warp.
    fn in_warp(&self, tx: u32, ty: u32) -> bool {
        (ty * self.tile + tx) / WARP as u32 == self.warp()
    }

    /// Returns the lane mask of the warp's load and its byte addresses from the start of the matrix.
    fn warp_load(&self, matrix: Matrix) -> (u32, [u64; WARP]) {
        let mut addresses = [0; WARP];
        let mut mask = 0;
        for (lane, address) in addresses.iter_mut().enumerate() {
            let thread = self.warp() * WARP as u32 + lane as u32;
            if thread < self.tile * self.tile {
                let element = self.loads(matrix, thread % self.tile, thread / self.tile);
                *address = element.index() * 4;
                mask |= 1 << lane;
            }
        }
        (mask, addresses)
    }

    /// Returns the number of sectors that the warp's load moves.
    fn sectors(&self, matrix: Matrix) -> u32 {
        let (mask, addresses) = self.warp_load(matrix);
        global_sectors(4, mask, &addresses)
    }

    /// Chooses a thread, clamped to the block.
    fn choose(&mut self, tx: u32, ty: u32) {
        (self.tx, self.ty) = (tx.min(self.tile - 1), ty.min(self.tile - 1));
    }

    /// Goes to a step of the loop, clamped to the last one.
    fn set_step(&mut self, t: u32) {
        self.t = t.min(self.steps().saturating_sub(1));
    }
}

impl Picture for Cooperative {
    fn kind(&self) -> &'static str {
        "cooperative-load"
    }

    fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.tile > 1 {
            actions.extend([Action::Left, Action::Down, Action::Up, Action::Right]);
        }
        actions.extend((self.t > 0).then_some(Action::PreviousTile));
        actions.extend((self.t + 1 < self.steps()).then_some(Action::NextTile));
        actions
    }

    /// Applies an action. Moves wrap around at the edges.
    fn perform(&mut self, action: Action) -> Vec<Effect> {
        let (tx, ty, t, tile) = (self.tx, self.ty, self.t, self.tile);
        match action {
            Action::Left => self.choose((tx + tile - 1) % tile, ty),
            Action::Right => self.choose((tx + 1) % tile, ty),
            Action::Up => self.choose(tx, (ty + tile - 1) % tile),
            Action::Down => self.choose(tx, (ty + 1) % tile),
            Action::PreviousTile => self.set_step(t - 1),
            Action::NextTile => self.set_step(t + 1),
            _ => {}
        }
        Vec::new()
    }

    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        if let Some((tx, ty)) = draw::hit(self, at, area) {
            self.choose(tx, ty);
        }
        Vec::new()
    }

    crate::picture::drawn!();

    fn describe(&self) -> Vec<String> {
        let what = t!("cooperative-what", bx = self.block[0], by = self.block[1], t = self.t);
        let mut sentences = vec![what, t!("cooperative-thread", tx = self.tx, ty = self.ty)];
        sentences.extend(ui_kit::sheet::describe(|sheet| draw::write(self, 0, sheet)));
        sentences
    }
}
