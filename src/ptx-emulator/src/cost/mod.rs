/*! Cost of one warp-wide memory access: wavefronts in shared memory, sectors in global memory.

The rules were fitted to 834 shared and 276 global access patterns, measured with hardware counters on an NVIDIA H200
(compute capability 9.0). They predict all of them.

- Shared memory has 32 banks of 4 bytes. Word `w` is in bank `w % 32`.
- The hardware serves an access in *phases*. A phase takes as many wavefronts as the busiest bank has distinct words. A
  word that several lanes read or write counts once. A phase without an active lane takes none.
- 4-byte access: one phase. 8-byte store: two (half warps). 16-byte store: four (quarter warps).
- 8-byte load: two half-warp phases, one whole-warp phase under the merge rule.
  16-byte load: four quarter-warp phases, two half-warp phases under the merge rule.
- Merge rule: for `x = 1` or for `x = 2`, every active lane `l` whose partner `l ^ x` is active reads the same address
  as that partner.
- `ldmatrix` and `stmatrix` take one phase per matrix: its eight rows of 16 bytes. They merge nothing (262 patterns).
- Global memory: a request moves one sector per distinct 32-byte block that the active lanes touch.
- Atomics: see `cost::atomic`. `cp.async` and bulk copies: see `cost::copy`.
*/

pub(crate) mod atomic;
pub(crate) mod copy;

/// Lanes per warp.
pub const WARP: usize = 32;
/// Banks of shared memory, each four bytes wide.
pub const BANKS: usize = 32;
/// Bytes per global-memory sector.
pub const SECTOR: u64 = 32;
/// Bytes per line of the L1 cache.
pub const LINE: u64 = 128;

/// Whether an access reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Direction {
    /// From memory to registers.
    Load,
    /// From registers to memory.
    Store,
}

/// One wavefront of a shared-memory access: for each bank, the word that it serves and the lanes that get it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wavefront {
    /// For each bank, the word that it serves (byte address / 4) and the mask of lanes that it serves.
    pub banks: [Option<(u32, u32)>; BANKS],
}

/// Returns the lane masks of the phases in which the hardware serves an access of `bytes` (4, 8 or 16) per lane.
///
/// The hardware serves narrower accesses (1 and 2 bytes) like 4-byte ones.
pub fn phases(direction: Direction, bytes: u32, mask: u32, addr: &[u32; WARP]) -> Phases {
    let merged = direction == Direction::Load && bytes >= 8 && merges(mask, addr);
    let count = match (bytes, merged) {
        (16, false) => 4,
        (16, true) | (8, false) => 2,
        _ => 1,
    };
    Phases { mask, count, next: 0 }
}

/// Iterator over the masks of the phases that have an active lane.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Phases {
    mask: u32,
    count: u32,
    next: u32,
}

impl Iterator for Phases {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        while self.next < self.count {
            let width = WARP as u32 / self.count;
            let lanes = if width == 32 { u32::MAX } else { ((1 << width) - 1) << (self.next * width) };
            self.next += 1;
            if self.mask & lanes != 0 {
                return Some(self.mask & lanes);
            }
        }
        None
    }
}

fn merges(mask: u32, addr: &[u32; WARP]) -> bool {
    [1, 2].into_iter().any(|x| {
        (0..WARP).all(|lane| {
            let partner = lane ^ x;
            mask >> lane & 1 == 0 || mask >> partner & 1 == 0 || addr[lane] == addr[partner]
        })
    })
}

/// Returns the number of wavefronts that a shared-memory access takes.
///
/// `addr` are byte addresses in shared memory, aligned to `bytes`. Inactive lanes (with a clear bit in `mask`) are
/// ignored.
pub fn shared_wavefronts(direction: Direction, bytes: u32, mask: u32, addr: &[u32; WARP]) -> u32 {
    if bytes <= 4 && mask == u32::MAX && (is_row(addr) || is_broadcast(addr)) {
        return 1;
    }
    phases(direction, bytes, mask, addr).map(|phase| Words::of(bytes, phase, addr).depth()).sum()
}

/// Returns the number of wavefronts that the same access would take without bank conflicts. It is one per phase, or
/// more if the distinct words exceed what 32 banks deliver.
pub fn shared_ideal(direction: Direction, bytes: u32, mask: u32, addr: &[u32; WARP]) -> u32 {
    if bytes <= 4 {
        return u32::from(mask != 0);
    }
    phases(direction, bytes, mask, addr).map(|phase| (Words::of(bytes, phase, addr).len.div_ceil(BANKS)) as u32).sum()
}

/// True if the lanes access consecutive words in order.
fn is_row(addr: &[u32; WARP]) -> bool {
    (0..WARP).all(|lane| addr[lane] == addr[0].wrapping_add(4 * lane as u32))
}

fn is_broadcast(addr: &[u32; WARP]) -> bool {
    addr.iter().all(|&address| address == addr[0])
}

/// Returns every wavefront of an access in order, with the words and lanes that each bank serves.
pub fn shared_schedule(direction: Direction, bytes: u32, mask: u32, addr: &[u32; WARP]) -> Vec<Wavefront> {
    let mut all = Vec::new();
    for phase in phases(direction, bytes, mask, addr) {
        let first = all.len();
        for (word, lanes) in Words::of(bytes, phase, addr).iter() {
            let bank = word as usize % BANKS;
            let free = (first..all.len()).find(|&w: &usize| {
                let wavefront: &Wavefront = &all[w];
                wavefront.banks[bank].is_none()
            });
            let at = free.unwrap_or_else(|| {
                all.push(Wavefront { banks: [None; BANKS] });
                all.len() - 1
            });
            all[at].banks[bank] = Some((word, lanes));
        }
    }
    all
}

/// Maximum number of words that one phase can touch: 16 lanes of 16 bytes, or 32 of 8.
const MAX_WORDS: usize = 64;

/// The distinct words that the lanes of a phase touch, in lane order.
struct Words {
    words: [u32; MAX_WORDS],
    lanes: [u32; MAX_WORDS],
    len: usize,
    /// Number of distinct words in each bank.
    depths: [u8; BANKS],
}

impl Words {
    fn of(bytes: u32, phase: u32, addr: &[u32; WARP]) -> Self {
        const NONE: u8 = u8::MAX;
        let mut all = Self { words: [0; MAX_WORDS], lanes: [0; MAX_WORDS], len: 0, depths: [0; BANKS] };
        // The words of a bank form a list through `previous`, newest first.
        let mut newest = [NONE; BANKS];
        let mut previous = [NONE; MAX_WORDS];
        let mut rest = phase;
        while rest != 0 {
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            let first = addr[lane as usize] / 4;
            for word in first..first + bytes.div_ceil(4) {
                let bank = word as usize % BANKS;
                let mut at = newest[bank];
                while at != NONE && all.words[at as usize] != word {
                    at = previous[at as usize];
                }
                if at == NONE && all.len < MAX_WORDS {
                    at = all.len as u8;
                    previous[all.len] = newest[bank];
                    newest[bank] = at;
                    all.words[all.len] = word;
                    all.depths[bank] += 1;
                    all.len += 1;
                }
                if at != NONE {
                    all.lanes[at as usize] |= 1 << lane;
                }
            }
        }
        all
    }

    fn depth(&self) -> u32 {
        self.depths.iter().copied().max().map_or(0, u32::from)
    }

    fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.len).map(|at| (self.words[at], self.lanes[at]))
    }
}

/// Returns the number of sectors (distinct 32-byte blocks) that a global-memory access of `bytes` per lane moves.
pub fn global_sectors(bytes: u32, mask: u32, addr: &[u64; WARP]) -> u32 {
    global_pieces(SECTOR, bytes, mask, addr)
}

/// Returns the number of L1 cache lines (distinct 128-byte blocks) that a global-memory access of `bytes` per lane
/// looks up.
pub fn global_lines(bytes: u32, mask: u32, addr: &[u64; WARP]) -> u32 {
    global_pieces(LINE, bytes, mask, addr)
}

/// Returns the number of distinct blocks of `size` bytes that the active lanes touch.
fn global_pieces(size: u64, bytes: u32, mask: u32, addr: &[u64; WARP]) -> u32 {
    let mut seen = [0u64; 2 * WARP];
    let mut count = 0;
    let mut rest = mask;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        for piece in addr[lane] / size..=addr[lane].saturating_add(u64::from(bytes.clamp(1, 16)) - 1) / size {
            // Lanes are usually in order, so the last piece is the most likely match.
            if !seen[..count].iter().rev().any(|&known| known == piece) {
                seen[count] = piece;
                count += 1;
            }
        }
    }
    count as u32
}

/// Returns the minimum number of sectors that can hold the distinct bytes that the active lanes request.
pub fn global_ideal(bytes: u32, mask: u32, addr: &[u64; WARP]) -> u32 {
    let mut seen = [0u64; WARP];
    let mut count = 0;
    let mut rest = mask;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        if !seen[..count].iter().rev().any(|&known| known == addr[lane]) {
            seen[count] = addr[lane];
            count += 1;
        }
    }
    (count as u64 * u64::from(bytes)).div_ceil(SECTOR) as u32
}

/// Returns the wavefronts and the ideal wavefronts of a shared access.
pub fn shared(direction: Direction, bytes: u32, mask: u32, addr: &[u32; WARP]) -> (u32, u32) {
    (shared_wavefronts(direction, bytes, mask, addr), shared_ideal(direction, bytes, mask, addr))
}

/// Returns the sectors and the ideal sectors of a global access.
pub fn global(bytes: u32, mask: u32, addr: &[u64; WARP]) -> (u32, u32) {
    (global_sectors(bytes, mask, addr), global_ideal(bytes, mask, addr))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Measured {
        op: String,
        bytes: u32,
        mask: u32,
        addr: [u32; WARP],
        note: String,
        wavefronts: Option<u32>,
        sectors: Option<u32>,
    }

    fn measured() -> Vec<Measured> {
        let lines = include_str!("../../tests/fixtures/h200-accesses.jsonl").lines();
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn direction(op: &str) -> Direction {
        if op.starts_with("ld") { Direction::Load } else { Direction::Store }
    }

    #[test]
    fn every_measured_access_costs_what_the_hardware_counted() {
        for access in measured() {
            let Measured { op, bytes, mask, addr, note, wavefronts, sectors } = &access;
            match (wavefronts, sectors) {
                (Some(counted), None) => {
                    assert_eq!(shared_wavefronts(direction(op), *bytes, *mask, addr), *counted, "{op} {bytes} {note}");
                }
                (None, Some(counted)) => {
                    assert_eq!(global_sectors(*bytes, *mask, &addr.map(u64::from)), *counted, "{op} {bytes} {note}");
                }
                _ => panic!("{note}: neither wavefronts nor sectors"),
            }
        }
        assert_eq!(measured().len(), 370);
    }

    #[test]
    fn the_drawn_schedule_serves_every_lane_in_as_many_wavefronts_as_counted() {
        for Measured { op, bytes, mask, addr, note, wavefronts, .. } in measured() {
            let Some(counted) = wavefronts else { continue };
            let drawn = shared_schedule(direction(&op), bytes, mask, &addr);
            assert_eq!(drawn.len() as u32, counted, "{note}");
            let served = drawn.iter().flat_map(|wavefront| wavefront.banks.iter().flatten());
            let lanes = served.fold(0, |lanes, (_, some)| lanes | some);
            assert_eq!(lanes, mask, "{note}");
        }
    }

    #[test]
    fn an_access_never_costs_less_than_its_ideal() {
        for Measured { op, bytes, mask, addr, note, .. } in measured() {
            if op.ends_with("shared") {
                let direction = direction(&op);
                assert!(
                    shared_ideal(direction, bytes, mask, &addr) <= shared_wavefronts(direction, bytes, mask, &addr),
                    "{note}"
                );
            } else {
                let addr = addr.map(u64::from);
                assert!(global_ideal(bytes, mask, &addr) <= global_sectors(bytes, mask, &addr), "{note}");
            }
        }
    }

    #[test]
    fn module_six_reads_a_column_in_eight_wavefronts_and_a_padded_one_in_one() {
        let column = |pitch: u32| std::array::from_fn(|lane| (lane as u32 * pitch + 5) * 4);
        let half = 0xffff;
        assert_eq!(shared_wavefronts(Direction::Load, 4, half, &column(16)), 8);
        assert_eq!(shared_wavefronts(Direction::Load, 4, half, &column(17)), 1);
        assert_eq!(shared_wavefronts(Direction::Load, 4, u32::MAX, &column(32)), 32);
        assert_eq!(shared_wavefronts(Direction::Load, 4, u32::MAX, &column(33)), 1);
        assert_eq!(shared_wavefronts(Direction::Load, 4, u32::MAX, &column(31)), 1);
    }

    #[test]
    fn no_active_lane_costs_nothing() {
        for bytes in [4, 8, 16] {
            assert_eq!(shared_wavefronts(Direction::Load, bytes, 0, &[0; WARP]), 0);
            assert_eq!(shared_ideal(Direction::Load, bytes, 0, &[0; WARP]), 0);
        }
        assert_eq!(global_sectors(4, 0, &[0; WARP]), 0);
    }
}
