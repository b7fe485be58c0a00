/*! The thread map: the iteration space, and the thread that computes each element.

A is to the left of C, and B is above C. The chosen element of C shows its thread, the row of A and the column of B that
the thread reads, and the pair that it multiplies now. `m` changes whether `threadIdx.x` selects the row or the column
of C. The work is the same, but neighbouring threads then access other addresses.
*/

mod draw;

use super::pace::Pace;
use crate::prelude::*;
use ptx_emulator::cost::global_sectors;
use std::time::Duration;

/// Time for each k while the animation plays.
const STEP: Duration = Duration::from_millis(400);

const WARP: u32 = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Matrix {
    A,
    B,
    C,
}

/// The cost of one access by the warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Request {
    words: u32,
    /// Number of 32-byte blocks that move.
    sectors: u32,
}

/// The index of C that `threadIdx.x` selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mapping {
    /// Neighbouring threads have neighbouring rows: uncoalesced.
    XToRow,
    /// Neighbouring threads have neighbouring columns: coalesced.
    XToColumn,
}

/// A product with m×n elements of C, each a sum over k. Blocks have `edge`×`edge` threads.
#[derive(Debug)]
pub(crate) struct ThreadMap {
    m: u32,
    n: u32,
    k: u32,
    /// Edge of a block, small enough for the picture.
    edge: u32,
    mapping: Mapping,
    /// Row of the chosen element of C.
    i: u32,
    /// Column of the chosen element of C.
    j: u32,
    /// Number of terms in the sum so far, 0 to `k`.
    step: u32,
    pace: Pace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Owner {
    /// `blockIdx`, x first.
    block: [u32; 2],
    /// `threadIdx`, x first.
    thread: [u32; 2],
    warp: u32,
    lane: u32,
}

impl ThreadMap {
    /// Clamps the extents from a file to what can be drawn.
    pub(crate) fn new(m: u32, n: u32, k: u32) -> Self {
        let (m, n, k) = (m.clamp(1, 64), n.clamp(1, 64), k.clamp(1, 64));
        Self { m, n, k, edge: m.min(n).min(8), mapping: Mapping::XToColumn, i: 0, j: 0, step: 0, pace: Pace::new(STEP) }
    }

    /// Returns the thread that computes `C[i][j]`.
    fn owner(&self, i: u32, j: u32) -> Owner {
        let (x, y) = match self.mapping {
            Mapping::XToRow => (i, j),
            Mapping::XToColumn => (j, i),
        };
        let thread = [x % self.edge, y % self.edge];
        let linear = thread[1] * self.edge + thread[0];
        Owner { block: [x / self.edge, y / self.edge], thread, warp: linear / WARP, lane: linear % WARP }
    }

    /// True if the chosen element's warp computes this element.
    fn same_warp(&self, i: u32, j: u32) -> bool {
        let (one, other) = (self.owner(self.i, self.j), self.owner(i, j));
        one.block == other.block && one.warp == other.warp
    }

    /// Returns the element of C for each lane of the chosen element's warp; None outside C.
    fn lanes(&self) -> [Option<(u32, u32)>; WARP as usize] {
        let chosen = self.owner(self.i, self.j);
        std::array::from_fn(|lane| {
            let thread = chosen.warp * WARP + lane as u32;
            let x = chosen.block[0] * self.edge + thread % self.edge;
            let y = chosen.block[1] * self.edge + thread / self.edge;
            let (i, j) = match self.mapping {
                Mapping::XToRow => (x, y),
                Mapping::XToColumn => (y, x),
            };
            (thread < self.edge * self.edge && i < self.m && j < self.n).then_some((i, j))
        })
    }

    /// Returns the cost of the warp's load of A or B for one k, or of its store of C. Matrices are FP32 and row-major
    /// without gaps.
    fn request(&self, matrix: Matrix) -> Request {
        let (mut mask, mut addresses) = (0, [0; WARP as usize]);
        for (lane, element) in self.lanes().iter().enumerate() {
            let Some((i, j)) = *element else { continue };
            mask |= 1 << lane;
            let index = match matrix {
                Matrix::A => i * self.k,
                Matrix::B => j,
                Matrix::C => i * self.n + j,
            };
            addresses[lane] = u64::from(index) * 4;
        }
        let mut words: Vec<u64> =
            (0..32usize).filter(|lane| mask >> lane & 1 == 1).map(|lane| addresses[lane]).collect();
        words.sort_unstable();
        words.dedup();
        Request { words: words.len() as u32, sectors: global_sectors(4, mask, &addresses) }
    }

    /// Returns the distance in bytes between the elements of C of lanes 0 and 1.
    fn apart(&self) -> u64 {
        4 * match self.mapping {
            Mapping::XToColumn => 1,
            Mapping::XToRow => u64::from(self.n),
        }
    }

    fn choose(&mut self, i: u32, j: u32) {
        (self.i, self.j, self.step) = (i.min(self.m - 1), j.min(self.n - 1), 0);
    }

    fn swap_mapping(&mut self) {
        self.mapping = match self.mapping {
            Mapping::XToRow => Mapping::XToColumn,
            Mapping::XToColumn => Mapping::XToRow,
        };
    }

    /// Adds a term to the sum; false if all are added.
    fn forward(&mut self) -> bool {
        let more = self.step < self.k;
        self.step += u32::from(more);
        more
    }

    fn play_step(&mut self) -> bool {
        self.forward() && self.step < self.k
    }

    fn back(&mut self) {
        self.step = self.step.saturating_sub(1);
    }

    /// Returns the multiply-adds of the whole product.
    fn volume(&self) -> u64 {
        u64::from(self.m) * u64::from(self.n) * u64::from(self.k)
    }
}

impl Picture for ThreadMap {
    fn kind(&self) -> &'static str {
        "thread-map"
    }

    fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.n > 1 {
            actions.extend([Action::Left, Action::Right]);
        }
        if self.m > 1 {
            actions.extend([Action::Down, Action::Up]);
        }
        actions.push(Action::Mapping);
        if self.step > 0 {
            actions.push(Action::PreviousK);
        }
        if self.step < self.k {
            actions.push(Action::NextK);
        }
        actions.push(Action::Play);
        actions
    }

    /// Applies an action. Moves wrap around at the edges.
    fn perform(&mut self, action: Action) -> Vec<Effect> {
        self.pace.run(action == Action::Play && !self.pace.runs());
        let (i, j, m, n) = (self.i, self.j, self.m, self.n);
        match action {
            Action::Left => self.choose(i, (j + n - 1) % n),
            Action::Right => self.choose(i, (j + 1) % n),
            Action::Up => self.choose((i + m - 1) % m, j),
            Action::Down => self.choose((i + 1) % m, j),
            Action::Mapping => self.swap_mapping(),
            Action::NextK => {
                self.forward();
            }
            Action::PreviousK => self.back(),
            Action::Play if self.step == self.k => self.step = 0,
            _ => {}
        }
        Vec::new()
    }

    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        if let Some((i, j)) = draw::hit(self, at, area) {
            self.choose(i, j);
        }
        Vec::new()
    }

    crate::picture::played!();

    crate::picture::drawn!();

    fn describe(&self) -> Vec<String> {
        let lanes: Vec<String> = (self.lanes().iter().enumerate())
            .filter_map(|(lane, element)| element.map(|(i, j)| format!("{lane}: C[{i}][{j}]")))
            .collect();
        let mut sentences = vec![format!("{} {}.", t!("thread-map-extent", m = self.m, n = self.n), draw::along(self))];
        sentences.extend(ui_kit::sheet::describe(|sheet| draw::words(self, true, sheet)));
        sentences.extend([
            t!("thread-map-walk", i = self.i, j = self.j),
            t!("thread-map-warp-lanes", lanes = lanes.join(", ")),
        ]);
        sentences
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_has_one_owner_under_either_mapping() {
        for mapping in [Mapping::XToRow, Mapping::XToColumn] {
            let map = ThreadMap { mapping, ..ThreadMap::new(10, 12, 3) };
            let mut owners: Vec<_> = (0..120).map(|e| map.owner(e / 12, e % 12)).map(|o| (o.block, o.thread)).collect();
            owners.sort_unstable();
            owners.dedup();
            assert_eq!(owners.len(), 120);
        }
    }

    #[test]
    fn the_other_mapping_asks_for_more_sectors_of_the_same_words() {
        let mut map = ThreadMap::new(32, 32, 32);
        let all = |map: &ThreadMap| [Matrix::A, Matrix::B, Matrix::C].map(|matrix| map.request(matrix));
        let request = |words, sectors| Request { words, sectors };
        assert_eq!(all(&map), [request(4, 4), request(8, 1), request(32, 4)]);
        map.swap_mapping();
        assert_eq!(all(&map), [request(8, 8), request(4, 1), request(32, 8)]);
        assert_eq!(map.lanes()[1], Some((1, 0)));
        for mapping in [Mapping::XToRow, Mapping::XToColumn] {
            let map = ThreadMap { mapping, ..ThreadMap::new(10, 9, 3) };
            for (lane, element) in map.lanes().into_iter().enumerate() {
                let Some((i, j)) = element else { continue };
                assert_eq!(map.owner(i, j).lane as usize, lane);
            }
        }
    }
}
