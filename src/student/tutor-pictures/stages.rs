/*! The stage timeline: load, wait and multiply over time, with one stage or several.

Up and down select a control, left and right change it: the number of stages, the cycles of a load, and the cycles of a
tile's multiply-adds. The latencies of loads were measured on the student's GPU, or recorded. The times are computed
from them, not measured.
*/

mod draw;

use super::control::next_in_order;
use crate::prelude::*;
use std::sync::Arc;
use tutor_course::StagesView;
use tutor_exec::latency::Latencies;

/// Number of tiles that are drawn.
const TILES: u32 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    Stages,
    Load,
    Multiply,
}

/// A time span in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    start: u32,
    end: u32,
}

/// The cycles in which a tile is loaded and multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tile {
    load: Span,
    multiply: Span,
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
    stages: u32,
    /// Cycles from the request for a tile to its arrival.
    load: u32,
    multiply: u32,
    /// Latencies that the keys step through, ascending: the page's and the measured ones.
    loads: Vec<u32>,
    /// The student's GPU if measured, else the recorded one.
    known: Option<Arc<Latencies>>,
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
    fn memory(&self) -> Option<Memory> {
        measured(self.known.as_deref()).into_iter().find(|(cycles, _)| *cycles == self.load).map(|(_, memory)| memory)
    }

    /// Returns the timeline with another number of stages.
    fn with(&self, stages: u32) -> Self {
        Self { stages, ..self.clone() }
    }

    /// Returns the tiles in order.
    ///
    /// With S stages, S - 1 tiles are in flight when the first one is multiplied. Each time a multiplication begins,
    /// the next tile is requested. With one stage, a tile is requested only after the previous one is multiplied.
    fn tiles(&self) -> Vec<Tile> {
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
    fn total(&self) -> u32 {
        self.tiles().last().map_or(0, |tile| tile.multiply.end)
    }

    /// Returns the cycles in which nothing is multiplied.
    fn waiting(&self) -> u32 {
        self.total() - TILES * self.multiply
    }

    /// Returns the cycles from one tile's multiplication to the next one's, in the steady state.
    fn period(&self) -> f64 {
        match self.stages {
            1 => f64::from(self.load + self.multiply),
            stages => (f64::from(self.load) / f64::from(stages - 1)).max(self.multiply.into()),
        }
    }
}

impl Controls for Stages {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::Stages, Control::Load, Control::Multiply];

    fn apply(&mut self, control: Control, up: bool) {
        match control {
            Control::Stages => {
                let [least, most] = StagesView::STAGES;
                self.stages = (if up { self.stages + 1 } else { self.stages - 1 }).clamp(least, most);
            }
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
    use super::super::Panel;
    use super::super::checks::flowing;
    use super::*;
    use std::sync::Arc;
    use tutor_course::StagesView;
    use tutor_exec::latency::{Latencies, Summary};

    #[test]
    fn a_load_takes_what_was_measured_on_the_student_s_own_gpu() {
        let recorded = Latencies::built_in().unwrap();
        let summary = Summary { memory_512_mib: 900.4, ..recorded.summary };
        let own = Arc::new(Latencies { device: "Tesla T4".into(), summary, ..(**recorded).clone() });
        let view = StagesView { stages: 2, load: 664, multiply: 1024 };
        let mut it = Panel::new(Stages::new(&view, Some(&own)));
        assert!(flowing(&it, (76, 18)).contains(&t!("stages-page-s")), "664 is the recorded GPU's");
        [Action::NextField, Action::Increase].into_iter().for_each(|action| drop(it.act(action)));
        let drawing = flowing(&it, (76, 18));
        assert!(
            drawing.contains("900") && drawing.contains(&t!("stages-recorded", memory = "memory", device = "Tesla T4")),
            "{drawing}"
        );
    }

    fn line(stages: u32, load: u32, multiply: u32) -> Stages {
        Stages::new(&StagesView { stages, load, multiply }, None)
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
