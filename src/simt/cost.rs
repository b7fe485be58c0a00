/*! What one warp-wide memory access costs: wavefronts for shared memory, sectors for global memory.

The rules were fitted on 834 shared and 276 global access patterns measured with
hardware counters on an NVIDIA H200 (compute capability 9.0), without an exception:

- Shared memory has 32 banks of 4 bytes; word `w` lives in bank `w % 32`.
- An access is served in *phases*. A phase takes as many wavefronts as the
  busiest bank has distinct words; the same word read (or written) by several
  lanes is one word. A phase without an active lane takes none.
- 4-byte access: one phase. 8-byte store: two (half warps). 16-byte store: four (quarter warps).
- 8-byte load: two half-warp phases, one whole-warp phase under the merge rule.
  16-byte load: four quarter-warp phases, two half-warp phases under the merge rule.
- Merge rule: for `x = 1` or for `x = 2`, every active lane `l` whose partner
  `l ^ x` is active reads the same address as that partner.
- Global memory: a request moves as many sectors as the active lanes touch distinct 32-byte blocks.
*/

/// Lanes in a warp.
pub const WARP: usize = 32;
/// Banks of shared memory, each four bytes wide.
pub const BANKS: usize = 32;
/// Bytes in a global-memory sector.
pub const SECTOR: u64 = 32;

/// Whether an access reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Memory to register.
    Load,
    /// Register to memory.
    Store,
}

/// One wavefront of a shared-memory access: for each bank, the word served and the lanes that get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wavefront {
    /// Indexed by bank: the word index (byte address / 4) and the mask of lanes served.
    pub banks: [Option<(u32, u32)>; BANKS],
}

/// The lane masks of the phases in which the hardware serves an access of `bytes` (4, 8 or 16) per lane.
///
/// Narrower accesses (1 and 2 bytes) are served like 4-byte ones.
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

/// Wavefronts that a shared-memory access takes.
///
/// `addr` are byte addresses in shared memory, aligned to `bytes`; inactive lanes (bit of `mask` clear) are ignored.
pub fn shared_wavefronts(direction: Direction, bytes: u32, mask: u32, addr: &[u32; WARP]) -> u32 {
    phases(direction, bytes, mask, addr).map(|phase| phase_wavefronts(bytes, phase, addr)).sum()
}

/// Wavefronts that the same access would take without any bank conflict: one a phase,
/// or more where the distinct words alone exceed what 32 banks deliver.
pub fn shared_ideal(direction: Direction, bytes: u32, mask: u32, addr: &[u32; WARP]) -> u32 {
    phases(direction, bytes, mask, addr)
        .map(|phase| (words_of_phase(bytes, phase, addr).len().div_ceil(BANKS) as u32).max(1))
        .sum()
}

/// The access drawn out: every wavefront with the words and lanes that each bank serves, in order.
pub fn shared_schedule(direction: Direction, bytes: u32, mask: u32, addr: &[u32; WARP]) -> Vec<Wavefront> {
    let mut all = Vec::new();
    for phase in phases(direction, bytes, mask, addr) {
        let first = all.len();
        for (word, lanes) in words_of_phase(bytes, phase, addr) {
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

/// Distinct words that the lanes of a phase touch, in lane order, each with the mask of its lanes.
fn words_of_phase(bytes: u32, phase: u32, addr: &[u32; WARP]) -> Vec<(u32, u32)> {
    let mut words: Vec<(u32, u32)> = Vec::with_capacity(WARP);
    for (lane, &address) in addr.iter().enumerate().filter(|(lane, _)| phase >> lane & 1 == 1) {
        for word in address / 4..address / 4 + bytes.div_ceil(4) {
            match words.iter_mut().find(|(known, _)| *known == word) {
                Some((_, lanes)) => *lanes |= 1 << lane,
                None => words.push((word, 1 << lane)),
            }
        }
    }
    words
}

fn phase_wavefronts(bytes: u32, phase: u32, addr: &[u32; WARP]) -> u32 {
    let mut depth = [0u32; BANKS];
    for (word, _) in words_of_phase(bytes, phase, addr) {
        depth[word as usize % BANKS] += 1;
    }
    depth.into_iter().max().unwrap_or(0)
}

/// Sectors (distinct 32-byte blocks) that a global-memory access of `bytes` per lane moves.
pub fn global_sectors(bytes: u32, mask: u32, addr: &[u64; WARP]) -> u32 {
    let mut sectors: Vec<u64> = Vec::with_capacity(WARP);
    for (_, &address) in addr.iter().enumerate().filter(|(lane, _)| mask >> lane & 1 == 1) {
        for sector in address / SECTOR..=(address + u64::from(bytes.max(1)) - 1) / SECTOR {
            if !sectors.contains(&sector) {
                sectors.push(sector);
            }
        }
    }
    sectors.len() as u32
}

/// Fewest sectors that could hold as many distinct bytes as the active lanes ask for.
pub fn global_ideal(bytes: u32, mask: u32, addr: &[u64; WARP]) -> u32 {
    let mut distinct: Vec<u64> = (0..WARP).filter(|lane| mask >> lane & 1 == 1).map(|lane| addr[lane]).collect();
    distinct.sort_unstable();
    distinct.dedup();
    (distinct.len() as u64 * u64::from(bytes)).div_ceil(SECTOR) as u32
}
