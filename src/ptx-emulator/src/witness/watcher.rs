//! Observes a run for a witness: the accesses of two threads at two locations, and all accesses of a few bytes.

use crate::memory::SLOT_BITS;
use crate::probes::{AsyncAccess, Probe, Seen, Space};
use crate::program::Program;
use std::collections::HashMap;

/// The bytes at stake. Accesses near them are recorded too, because they may be informative.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes {
    /// Linear index of the block that owns the shared memory; `None` for global memory.
    pub(super) block: Option<u64>,
    /// Offset in shared memory, or a global address.
    pub(super) start: u64,
    pub(super) count: u64,
}

/// A thread at a source location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) block: u64,
    pub(super) warp: u32,
    pub(super) lane: u32,
    /// Index in [`Program::places`] of the first place of the same line.
    pub(super) place: u32,
}

/// An access; for a wide access, the part of it that is at stake.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    pub(super) by: Side,
    pub(super) writes: bool,
    pub(super) start: u64,
    pub(super) bytes: u32,
    /// The value as bits. For an asynchronous read it is unknown.
    pub(super) value: u64,
    /// True if it touches the bytes at stake.
    pub(super) exact: bool,
    /// True if it touches these bytes or bytes near them.
    pub(super) hit: bool,
}

/// Number of bytes on either side of the bytes at stake where every access is recorded.
const NEAR: u64 = 128;

/// Maximum number of recorded accesses.
const MAX_TOUCHES: usize = 1 << 16;

/// See the module.
pub(super) struct Watcher<'a> {
    program: &'a Program,
    /// For each place, the first place of its source line.
    lines: &'a [u32],
    bytes: Bytes,
    sides: [Side; 2],
    /// Block by slot and rank, and the running one.
    blocks: HashMap<(usize, u32), u64>,
    slot: usize,
    rank: u32,
    pub(super) touches: Vec<Touch>,
}

impl<'a> Watcher<'a> {
    pub(super) fn new(program: &'a Program, lines: &'a [u32], bytes: Bytes, sides: [Side; 2]) -> Self {
        Self { program, lines, bytes, sides, blocks: HashMap::new(), slot: 0, rank: 0, touches: Vec::new() }
    }

    fn block(&self, rank: u32) -> u64 {
        self.blocks.get(&(self.slot, rank)).copied().unwrap_or(u64::MAX)
    }

    fn by(&self, at: usize, warp: u32, lane: u32) -> Side {
        let place = self.program.notes.get(at).and_then(|note| self.lines.get(note.place as usize));
        Side { block: self.block(self.rank), warp, lane, place: place.copied().unwrap_or(u32::MAX) }
    }

    /// Returns two flags: true if the bytes are at stake, and true if they are near.
    fn hits(&self, block: Option<u64>, start: u64, bytes: u64) -> (bool, bool) {
        let within = |near: u64| {
            start < self.bytes.start + self.bytes.count + near
                && self.bytes.start < start.saturating_add(bytes).saturating_add(near)
        };
        (self.bytes.block == block && within(0), self.bytes.block == block && within(NEAR))
    }

    /// True if an address is in the buffer or the shared memory of the bytes at stake.
    fn is_beside(&self, block: Option<u64>, start: u64) -> bool {
        self.bytes.block == block && (block.is_some() || self.bytes.start >> SLOT_BITS == start >> SLOT_BITS)
    }

    /// True if this is one of the two threads, or another lane of its warp, at the side's location.
    fn is_side(&self, by: &Side) -> bool {
        self.sides.iter().any(|side| Side { lane: by.lane, ..*side } == *by)
    }

    fn keep(&mut self, touch: Touch) {
        if self.touches.len() < MAX_TOUCHES {
            self.touches.push(touch);
        }
    }
}

impl Probe for Watcher<'_> {
    const COUNTS: bool = false;
    const WATCHES: bool = true;
    const TRACES: bool = true;

    fn turn(&mut self, rank: u32) {
        self.rank = rank;
    }

    fn resume(&mut self, slot: usize) {
        self.slot = slot;
    }

    fn threads(&mut self, _: u32, _: u64, block: u64) {
        self.blocks.insert((self.slot, self.rank), block);
    }

    unsafe fn touched(&mut self, space: Space, seen: &Seen<'_>, memory: *const u8) {
        let block = match space {
            Space::Shared(rank) => Some(self.block(rank)),
            Space::Global => None,
        };
        let access = seen.access;
        let size = u64::from(access.size);
        for lane in (0..32usize).filter(|lane| seen.mask >> lane & 1 == 1) {
            let relative = seen.pattern.relative[lane];
            let start = seen.start.wrapping_add(relative as u64);
            let (exact, hit) = self.hits(block, start, access.bytes().into());
            let by = self.by(seen.at, seen.warp, lane as u32);
            let at_the_place = self.is_beside(block, start) && self.is_side(&by);
            if !hit && !at_the_place {
                continue;
            }
            let element = if exact { self.bytes.start.saturating_sub(start) / size } else { 0 };
            let value = if access.atomic.is_some() {
                let mut bytes = [0u8; 8];
                // SAFETY: the contract of `touched` makes the bytes of each active lane readable.
                unsafe {
                    let from = memory.offset(relative as isize).add((element * size) as usize);
                    from.copy_to_nonoverlapping(bytes.as_mut_ptr(), size.min(8) as usize);
                }
                u64::from_le_bytes(bytes)
            } else {
                let all = u64::MAX >> (64 - 8 * size.clamp(1, 8));
                seen.value(element as usize, lane) & all
            };
            let (start, bytes) = (start + element * size, access.size);
            self.keep(Touch { by, writes: access.writes, start, bytes, value, exact, hit });
        }
    }

    fn satisfied(&self) -> bool {
        self.touches.len() >= MAX_TOUCHES
    }

    fn asynchronous(&mut self, access: &AsyncAccess) {
        if access.writes {
            return;
        }
        let block = self.block(access.rank);
        let (exact, hit) = self.hits(Some(block), access.start.into(), access.bytes.into());
        if exact {
            let by = self.by(access.at, access.warp, access.lane);
            let (start, bytes) = (self.bytes.start, self.bytes.count as u32);
            self.keep(Touch { by, writes: false, start, bytes, value: 0, exact, hit });
        }
    }

    fn landed(&mut self, rank: u32, start: u32, bytes: &[u8]) {
        let block = self.block(rank);
        // Record word by word.
        for (at, word) in bytes.chunks(4).enumerate() {
            let start = u64::from(start) + 4 * at as u64;
            let (exact, hit) = self.hits(Some(block), start, 4);
            if hit {
                let value = word.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
                let by = Side { block, warp: u32::MAX, lane: 0, place: u32::MAX };
                self.keep(Touch { by, writes: true, start, bytes: word.len() as u32, value, exact, hit });
            }
        }
    }
}
