//! When each tile is loaded and multiplied, with one or several stages.

use super::super::control::next_in_order;
use crate::prelude::*;
use std::sync::Arc;
use tutor_course::StagesView;
use tutor_exec::latency::Latencies;

/// Number of tiles that are drawn.
pub(super) const TILES: u32 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    Stages,
    Load,
    Multiply,
}

/// A time span in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The cycles in which a tile is loaded and multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tile {
    pub(super) load: Span,
    pub(super) multiply: Span,
}

/// The memory that a load comes from, identified by its measured latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    L1,
    L2,
    Global,
}

/// The number of stages, and the cycles per tile.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stages {
    pub(super) stages: u32,
    /// Cycles from the request for a tile to its arrival.
    pub(super) load: u32,
    pub(super) multiply: u32,
    /// Latencies that the keys step through, ascending: the page's and the measured ones.
    loads: Vec<u32>,
    /// The student's GPU if measured, else the recorded one.
    pub(super) known: Option<Arc<Latencies>>,
}

/// Returns the measured latencies in whole cycles.
fn measured(known: Option<&Latencies>) -> Vec<(u32, Memory)> {
    let Some(known) = known else { return Vec::new() };
    let of = known.summary;
    let all = [(of.l1_16_kib, Memory::L1), (of.l2_4_mib, Memory::L2), (of.memory_512_mib, Memory::Global)];
    all.map(|(cycles, memory)| (cycles.round() as u32, memory)).to_vec()
}

impl Stages {
    pub(crate) fn new(view: &StagesView, own: Option<&Arc<Latencies>>) -> Self {
        let known = Latencies::nearest(own);
        let clamped = |value: u32, [least, most]: [u32; 2]| value.clamp(least, most);
        let load = clamped(view.load, StagesView::CYCLES);
        let mut loads: Vec<u32> =
            measured(known.as_deref()).into_iter().map(|(cycles, _)| cycles).chain([load]).collect();
        loads.sort_unstable();
        loads.dedup();
        let (stages, multiply) = (clamped(view.stages, StagesView::STAGES), clamped(view.multiply, StagesView::CYCLES));
        Self { stages, load, multiply, loads, known }
    }

    /// Returns the memory that has the load's latency.
    pub(super) fn memory(&self) -> Option<Memory> {
        measured(self.known.as_deref()).into_iter().find(|(cycles, _)| *cycles == self.load).map(|(_, memory)| memory)
    }

    /// Returns the timeline with another number of stages.
    pub(super) fn with(&self, stages: u32) -> Self {
        Self { stages, ..self.clone() }
    }

    /// Returns the tiles in order.
    ///
    /// With S stages, S - 1 tiles are in flight when the first one is multiplied. Each time a multiplication begins,
    /// the next tile is requested. With one stage, a tile is requested only after the previous one is multiplied.
    pub(super) fn tiles(&self) -> Vec<Tile> {
        let mut tiles: Vec<Tile> = Vec::new();
        for number in 0..TILES as usize {
            let before = |by: usize| number.checked_sub(by).and_then(|at| tiles.get(at));
            let start = match self.stages {
                1 => before(1).map_or(0, |tile| tile.multiply.end),
                stages => before(stages as usize - 1).map_or(0, |tile| tile.multiply.start),
            };
            let load = Span { start, end: start + self.load };
            let free = before(1).map_or(0, |tile| tile.multiply.end);
            let start = load.end.max(free);
            tiles.push(Tile { load, multiply: Span { start, end: start + self.multiply } });
        }
        tiles
    }

    /// Returns the cycles of all tiles.
    pub(super) fn total(&self) -> u32 {
        self.tiles().last().map_or(0, |tile| tile.multiply.end)
    }

    /// Returns the cycles in which nothing is multiplied.
    pub(super) fn waiting(&self) -> u32 {
        self.total() - TILES * self.multiply
    }

    /// Returns the cycles from one tile's multiplication to the next one's, in the steady state.
    pub(super) fn period(&self) -> f64 {
        match self.stages {
            1 => f64::from(self.load + self.multiply),
            stages => (f64::from(self.load) / f64::from(stages - 1)).max(self.multiply.into()),
        }
    }
}

impl Controls for Stages {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::Stages, Control::Load, Control::Multiply];

    fn can(&self, control: Control, up: bool) -> bool {
        let within = |value: u32, [least, most]: [u32; 2]| if up { value < most } else { value > least };
        match control {
            Control::Stages => within(self.stages, StagesView::STAGES),
            Control::Load => next_in_order(&self.loads, self.load, up).is_some(),
            Control::Multiply => within(self.multiply, StagesView::CYCLES),
        }
    }

    fn apply(&mut self, control: Control, up: bool) {
        let by = |value: u32| if up { value + 1 } else { value - 1 };
        match control {
            Control::Stages => self.stages = by(self.stages),
            Control::Load => self.load = next_in_order(&self.loads, self.load, up).unwrap_or(self.load),
            Control::Multiply => {
                let [least, most] = StagesView::CYCLES;
                let next = if up { self.multiply.saturating_mul(2) } else { self.multiply / 2 };
                self.multiply = next.clamp(least, most);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(stages: u32, load: u32, multiply: u32) -> Stages {
        Stages::new(&StagesView { stages, load, multiply }, None)
    }

    #[test]
    fn one_stage_adds_and_two_hide_the_shorter_part() {
        assert_eq!(line(1, 664, 1024).total(), TILES * (664 + 1024));
        assert_eq!(line(2, 664, 1024).total(), 664 + TILES * 1024);
        assert_eq!(line(2, 1024, 512).total(), 1024 + (TILES - 1) * 1024 + 512);
    }

    #[test]
    fn a_stage_is_never_loaded_while_it_is_multiplied() {
        for stages in 1..=4 {
            for (load, multiply) in [(664, 1024), (664, 128), (32, 256), (664, 300)] {
                let line = line(stages, load, multiply);
                let tiles = line.tiles();
                for (number, tile) in tiles.iter().enumerate().skip(stages as usize) {
                    assert!(tile.load.start >= tiles[number - stages as usize].multiply.end, "{line:?}, tile {number}");
                }
                let [a, b] = [tiles[TILES as usize - 5], tiles[TILES as usize - 1]].map(|tile| tile.multiply.start);
                let steady = f64::from(b - a) / 4.0;
                assert!((steady / line.period() - 1.0).abs() < 0.35 || stages == 4, "{line:?}: {steady}");
            }
        }
    }

    #[test]
    fn the_latencies_are_the_recorded_ones_and_the_pages() {
        let line = line(2, 500, 1024);
        assert_eq!(line.loads, [32, 281, 500, 664]);
        assert_eq!((line.memory(), self::line(2, 664, 1024).memory()), (None, Some(Memory::Global)));
    }
}
