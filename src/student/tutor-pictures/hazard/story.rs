/*! A run of one block as a story: the loads, barriers and multiplications of a few warps, and one word at stake.

The story is built from the executed events only. Successive accesses of a warp in the same source region become one
step (`multiply k=0…2`). A step is split where a warp accesses the word at stake.
*/

use std::ops::RangeInclusive;

/// A shared-memory access or a barrier that a warp executed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Executed {
    pub(crate) warp: u32,
    pub(crate) line: u32,
    pub(crate) what: Operation,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operation {
    Read(Vec<Lane>),
    Write(Vec<Lane>),
    /// The warp waits at a barrier.
    Arrive,
    /// All warps of the block continue.
    Release,
}

/// One lane's part of an access.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Lane {
    pub(crate) thread: [u32; 3],
    /// Byte offset in shared memory.
    pub(crate) address: u32,
    pub(crate) value: f32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Array {
    pub(crate) name: String,
    pub(crate) offset: u32,
    pub(crate) bytes: u32,
    /// Elements per row.
    pub(crate) pitch: u32,
}

impl Array {
    /// Returns row and column of the element at an address, if the address is in this array.
    fn element(&self, address: u32) -> Option<(u32, u32)> {
        let index = address.checked_sub(self.offset).filter(|at| *at < self.bytes)? / 4;
        Some((index / self.pitch.max(1), index % self.pitch.max(1)))
    }
}

/// Source lines of the phases of a tiled kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Regions {
    pub(crate) load: RangeInclusive<u32>,
    pub(crate) multiply: RangeInclusive<u32>,
    pub(crate) first_barrier: RangeInclusive<u32>,
    pub(crate) second_barrier: RangeInclusive<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StepKind {
    Load {
        tile: usize,
    },
    Multiply {
        tile: usize,
        first: usize,
        last: usize,
    },
    /// All warps pass barrier 1 or 2.
    Barrier(u8),
    /// The warp passes the place of the missing barrier 1 or 2.
    NoBarrier(u8),
}

/// An access to the word at stake.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Touch {
    pub(crate) write: bool,
    pub(crate) thread: [u32; 3],
    /// The value that was written or read.
    pub(crate) value: f32,
    /// The value that a read should get: the one that the load of this tile writes to the word.
    pub(crate) wanted: Option<f32>,
    pub(crate) tile: usize,
    pub(crate) line: u32,
}

impl Touch {
    /// True if a read got a wrong value.
    pub(crate) fn wrong(&self) -> bool {
        !self.write && self.wanted.is_some_and(|wanted| wanted.to_bits() != self.value.to_bits())
    }
}

/// One row of the screen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    /// Index in [`Story::warps`]; None for a barrier, which all warps pass.
    pub(crate) column: Option<usize>,
    pub(crate) what: StepKind,
    pub(crate) touch: Option<Touch>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Story {
    /// Numbers of the warps that are shown: the one that writes the word at stake and the one that reads it.
    pub(crate) warps: Vec<u32>,
    pub(crate) word: String,
    pub(crate) address: u32,
    pub(crate) steps: Vec<Step>,
}

/// A single access to a word.
struct Access {
    touch: Touch,
    address: u32,
}

impl Story {
    /// Creates the story of a word, by its address, and of two warps.
    pub(crate) fn new(
        events: &[Executed],
        regions: &Regions,
        arrays: &[Array],
        removed: Option<u8>,
        (address, warps): (u32, &[u32]),
    ) -> Self {
        let array = arrays.iter().find(|array| array.element(address).is_some());
        let word = array.and_then(|array| Some((array, array.element(address)?))).map_or_else(
            || tutor_support::t!("hazard-byte", byte = address),
            |(array, (row, column))| format!("{}[{row}][{column}]", array.name),
        );
        let steps = steps(events, regions, array, address, warps, removed);
        Self { warps: warps.to_vec(), word, address, steps }
    }

    /// Returns the index of the first step that reads a wrong value.
    pub(crate) fn fault(&self) -> Option<usize> {
        self.steps.iter().position(|step| step.touch.as_ref().is_some_and(Touch::wrong))
    }

    /// Returns the last write to the word up to a step, and its warp.
    pub(crate) fn written(&self, upto: usize) -> Option<(u32, &Touch)> {
        self.steps.iter().take(upto + 1).rev().find_map(|step| {
            let touch = step.touch.as_ref().filter(|touch| touch.write)?;
            Some((*self.warps.get(step.column?)?, touch))
        })
    }
}

/// Returns every access with its tile. A read also has the value that the load of its tile writes, even if it does so
/// later.
fn accesses(events: &[Executed], regions: &Regions) -> Vec<Access> {
    // For each warp: the number of tiles it has begun to load, and true while it is loading.
    let mut ways: std::collections::HashMap<u32, (usize, bool)> = std::collections::HashMap::new();
    let mut all = Vec::new();
    for event in events {
        let (lanes, write) = match &event.what {
            Operation::Read(lanes) => (lanes, false),
            Operation::Write(lanes) => (lanes, true),
            _ => continue,
        };
        let load = write && regions.load.contains(&event.line);
        let (begun, loading) = ways.entry(event.warp).or_default();
        *begun += usize::from(load && !*loading);
        *loading = load;
        let tile = begun.saturating_sub(1);
        for lane in lanes {
            let touch = Touch { write, thread: lane.thread, value: lane.value, wanted: None, tile, line: event.line };
            all.push(Access { touch, address: lane.address });
        }
    }
    let mut written: std::collections::HashMap<(u32, usize), f32> = std::collections::HashMap::new();
    for access in all.iter().filter(|access| access.touch.write) {
        written.entry((access.address, access.touch.tile)).or_insert(access.touch.value);
    }
    for access in all.iter_mut().filter(|access| !access.touch.write) {
        access.touch.wanted = written.get(&(access.address, access.touch.tile)).copied();
    }
    all
}

/// The progress of a warp through the kernel.
#[derive(Debug, Clone, Default)]
struct Way {
    /// The phase of its last access; None after a barrier.
    phase: Option<StepKind>,
    /// Number of tiles that it has begun to load.
    tiles: usize,
    /// The current term of the dot product.
    k: usize,
}

fn steps(
    events: &[Executed],
    regions: &Regions,
    array: Option<&Array>,
    address: u32,
    warps: &[u32],
    removed: Option<u8>,
) -> Vec<Step> {
    let all = accesses(events, regions);
    // The accesses to the word in order, consumed as their events pass.
    let mut touches = all.iter().filter(|access| access.address == address).map(|access| access.touch);
    let mut steps: Vec<Step> = Vec::new();
    let mut ways = vec![Way::default(); warps.len()];
    for event in events {
        let (lanes, write) = match &event.what {
            Operation::Release => {
                let number = if regions.second_barrier.contains(&event.line) { 2 } else { 1 };
                steps.push(Step { column: None, what: StepKind::Barrier(number), touch: None });
                ways.iter_mut().for_each(|way| way.phase = None);
                continue;
            }
            Operation::Arrive => continue,
            Operation::Read(lanes) => (lanes, false),
            Operation::Write(lanes) => (lanes, true),
        };
        let hits = lanes.iter().filter(|lane| lane.address == address).count();
        // Of several lanes that read the same word, the first one represents all.
        let touch = touches.by_ref().take(hits).fold(None, |first, touch| first.or(Some(touch)));
        let load = write && regions.load.contains(&event.line);
        let Some(column) = warps.iter().position(|warp| *warp == event.warp) else { continue };
        if !load && !regions.multiply.contains(&event.line) {
            continue;
        }
        let way = &mut ways[column];
        let before = way.phase.clone();
        let missing = match (&before, load) {
            (Some(StepKind::Load { .. }), false) => Some(1),
            (Some(StepKind::Multiply { .. }), true) => Some(2),
            _ => None,
        };
        if let Some(number) = missing.filter(|number| removed == Some(*number)) {
            steps.push(Step { column: Some(column), what: StepKind::NoBarrier(number), touch: None });
        }
        if load {
            way.tiles += usize::from(!matches!(before, Some(StepKind::Load { .. })));
            way.phase = Some(StepKind::Load { tile: way.tiles - 1 });
        } else {
            if !matches!(before, Some(StepKind::Multiply { .. })) {
                way.k = 0;
            }
            let ours = lanes.first().is_none_or(|lane| array.is_none_or(|array| array.element(lane.address).is_some()));
            way.phase = Some(StepKind::Multiply { tile: way.tiles.saturating_sub(1), first: way.k, last: way.k });
            if !ours {
                // The other factor of the same term does not get a separate step.
                continue;
            }
            way.k += 1;
        }
        let Some(what) = way.phase.clone() else { continue };
        push(&mut steps, Step { column: Some(column), what, touch });
    }
    steps
}

/// Adds a step. Extends the last step instead if its phase continues and no access to the word would be hidden.
fn push(steps: &mut Vec<Step>, step: Step) {
    if let Some(last) = steps.last_mut().filter(|last| last.column == step.column) {
        match (&mut last.what, &step.what) {
            (StepKind::Load { tile }, StepKind::Load { tile: same }) if tile == same => {
                last.touch = last.touch.or(step.touch);
                return;
            }
            (StepKind::Multiply { tile, last: end, .. }, StepKind::Multiply { tile: same, last: k, .. })
                if tile == same && last.touch.is_none() && step.touch.is_none() =>
            {
                *end = *k;
                return;
            }
            _ => {}
        }
    }
    steps.push(step);
}

#[cfg(test)]
#[path = "story_tests.rs"]
mod tests;
