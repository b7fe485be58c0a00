//! The device heap of `malloc` and `free`, and descriptions of invalid accesses to it.
//!
//! The heap is a buffer with one flag per byte: not allocated, written, or allocated but not written yet. Gaps separate
//! the allocations, and freed bytes are reused as late as possible. So an access past an end, or after `free`, finds
//! bytes that are not allocated.

use crate::Dim3;
use std::collections::BTreeMap;

/// Bytes of the heap: the default of a GPU.
pub(crate) const HEAP_BYTES: u64 = 8 << 20;

/// Flag of a byte that is not allocated.
pub(crate) const FREE: u8 = 0;
/// Flag of a byte that has been written.
pub(crate) const WRITTEN: u8 = 1;
/// Flag of a byte that is allocated but not written.
pub(crate) const FRESH: u8 = 2;

/// Alignment of allocations, and number of bytes between them.
const ALIGN: u64 = 16;

/// The thread that allocated or freed, and its place in the kernel.
#[derive(Debug, Clone)]
struct AllocationSite {
    place: u32,
    thread: Dim3,
    block: Dim3,
}

#[derive(Debug, Clone)]
struct Allocation {
    bytes: u64,
    made: AllocationSite,
    freed: Option<AllocationSite>,
}

impl Allocation {
    /// Returns the size, including the gap that follows.
    fn padded_bytes(&self) -> u64 {
        padded(self.bytes)
    }
}

fn padded(bytes: u64) -> u64 {
    bytes.max(1).next_multiple_of(ALIGN) + ALIGN
}

/// The allocations of the device heap.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heap {
    /// Index of the heap's buffer.
    pub(crate) buffer: usize,
    bytes: u64,
    /// Allocations by offset. Those of one map do not overlap each other.
    live: BTreeMap<u64, Allocation>,
    freed: BTreeMap<u64, Allocation>,
    /// Where the search for the next allocation begins.
    next: u64,
    /// Number of bytes for which no space was found. Nothing has been freed since.
    full: Option<u64>,
    places: Vec<String>,
}

impl Heap {
    pub(crate) fn new(buffer: usize, bytes: u64) -> Self {
        Self { buffer, bytes, ..Self::default() }
    }

    fn site(&mut self, spot: &str, thread: Dim3, block: Dim3) -> AllocationSite {
        let place = self.places.iter().position(|known| known == spot).unwrap_or_else(|| {
            self.places.push(spot.to_owned());
            self.places.len() - 1
        });
        AllocationSite { place: place as u32, thread, block }
    }

    /// Allocates bytes and returns their offset; `None` if they do not fit.
    pub(crate) fn allocate(&mut self, bytes: u64, spot: &str, thread: Dim3, block: Dim3) -> Option<u64> {
        if bytes > self.bytes || self.full.is_some_and(|full| bytes >= full) {
            return None;
        }
        let found = self.search(self.next, bytes).or_else(|| self.search(0, bytes));
        let Some(at) = found else {
            self.full = Some(bytes);
            return None;
        };
        let end = at + padded(bytes);
        let over = |(start, old): (&u64, &Allocation)| (start + old.padded_bytes() > at).then_some(*start);
        let stale: Vec<u64> = self.freed.range(..end).rev().map_while(over).collect();
        stale.iter().for_each(|start| {
            self.freed.remove(start);
        });
        self.next = end;
        let made = self.site(spot, thread, block);
        self.live.insert(at, Allocation { bytes, made, freed: None });
        Some(at)
    }

    /// Returns the first free offset at or after `from`.
    fn search(&self, from: u64, bytes: u64) -> Option<u64> {
        let mut at = from;
        while at + padded(bytes) <= self.bytes {
            let before = self.live.range(..at + padded(bytes)).next_back();
            match before.map(|(start, allocation)| start + allocation.padded_bytes()).filter(|end| *end > at) {
                Some(end) => at = end,
                None => return Some(at),
            }
        }
        None
    }

    /// Frees the allocation that begins at `at`. Returns its size, or what is wrong.
    pub(crate) fn free(&mut self, at: u64, spot: &str, thread: Dim3, block: Dim3) -> Result<u64, String> {
        let Some(mut allocation) = self.live.remove(&at) else {
            let again = self.freed.contains_key(&at);
            let what =
                if again { "frees memory that is already free: " } else { "frees memory that is not from `malloc`: " };
            return Err(format!("{what}{}", self.describe(at)));
        };
        let bytes = allocation.bytes;
        allocation.freed = Some(self.site(spot, thread, block));
        self.freed.insert(at, allocation);
        self.full = None;
        Ok(bytes)
    }

    /// Describes a byte by its allocation.
    pub(crate) fn describe(&self, at: u64) -> String {
        let before = |all: &BTreeMap<u64, Allocation>| {
            let found = all.range(..=at).next_back();
            found.map(|(start, allocation)| (*start, allocation.clone()))
        };
        let live = before(&self.live).filter(|(start, allocation)| at < start + allocation.padded_bytes());
        let freed = before(&self.freed).filter(|(start, allocation)| at < start + allocation.padded_bytes());
        let Some((start, allocation)) = live.or(freed) else {
            return format!("byte {at} of the device heap, where nothing is allocated");
        };
        let Allocation { bytes, made, freed } = &allocation;
        let mut text = format!("byte {} of {bytes} that `malloc` gave at {}", at - start, self.by(made));
        if let Some(freed) = freed {
            text += &format!(" and that were freed at {}", self.by(freed));
        }
        text
    }

    fn by(&self, site: &AllocationSite) -> String {
        let AllocationSite { place, thread: [x, y, z], block: [bx, by, bz] } = site;
        let spot = self.places.get(*place as usize).map_or("", String::as_str);
        format!("{spot} by thread ({x},{y},{z}) of block ({bx},{by},{bz})")
    }
}

#[cfg(test)]
mod tests {
    use super::{Heap, padded};

    fn give(heap: &mut Heap, bytes: u64) -> Option<u64> {
        heap.allocate(bytes, "a.cu:1", [0; 3], [0; 3])
    }

    #[test]
    fn what_is_freed_is_given_again_once_all_else_is_used() {
        let mut heap = Heap::new(0, 10 * padded(40));
        let all: Vec<u64> = std::iter::from_fn(|| give(&mut heap, 40)).collect();
        assert_eq!(all.len(), 10);
        assert!(all.windows(2).all(|pair| pair[1] >= pair[0] + 40 + 16 && pair[1] % 16 == 0));
        for at in [all[3], all[4], all[7]] {
            assert_eq!(heap.free(at, "a.cu:2", [1, 0, 0], [0; 3]), Ok(40));
        }
        assert!(
            heap.free(all[3], "a.cu:3", [2, 0, 0], [0; 3])
                .unwrap_err()
                .starts_with("frees memory that is already free")
        );
        assert!(
            heap.free(all[5] + 16, "a.cu:3", [2, 0, 0], [0; 3])
                .unwrap_err()
                .contains("not from `malloc`: byte 16 of 40")
        );
        // More than 40 bytes fit only where two adjacent allocations were freed.
        assert_eq!(give(&mut heap, 90), Some(all[3]));
        assert_eq!(give(&mut heap, 90), None);
        assert_eq!(give(&mut heap, 40), Some(all[7]));
        assert_eq!(give(&mut heap, 1), None);
    }

    #[test]
    fn a_byte_is_described_by_who_had_it() {
        let mut heap = Heap::new(0, 1 << 10);
        let at = give(&mut heap, 24).unwrap();
        assert_eq!(
            heap.describe(at + 24),
            "byte 24 of 24 that `malloc` gave at a.cu:1 by thread (0,0,0) of block (0,0,0)"
        );
        heap.free(at, "a.cu:2", [1, 0, 0], [3, 0, 0]).unwrap();
        let text = heap.describe(at + 8);
        assert!(text.ends_with("and that were freed at a.cu:2 by thread (1,0,0) of block (3,0,0)"), "{text}");
        assert_eq!(heap.describe(1000), "byte 1000 of the device heap, where nothing is allocated");
        assert_eq!(heap.allocate(2000, "", [0; 3], [0; 3]), None);
    }
}
