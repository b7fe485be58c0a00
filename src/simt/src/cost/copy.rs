/*! What a warp's `cp.async` and bulk copies cost, as an NVIDIA H200's hardware counters have it.

- `cp.async.ca` is served in phases: one of 4 bytes a lane, two of 8 (half warps), four of 16 (quarter warps). A phase takes as
  many wavefronts as the busiest bank has words, counted for the words read and for the words written, each by its address
  modulo 32; no two lanes share a word, not even where they read the same one. Lanes that read nothing, and only fill with
  zeros, take as many more as the words that they write need. That is exact wherever lanes lie at even distances (40 patterns)
  and on 59 of 77 random ones; on the others, which conflict on both sides at once, the card takes more: it does not find the
  best order.
- `cp.async.cg` goes past the first-level cache: while it reads all 16 bytes, it takes no wavefront. What it takes where it
  reads fewer is not counted. Its sectors are those of four lanes at a time.
- Bulk copies take no wavefronts. Their sectors are counted for each line of 128 bytes of shared memory: a copy whose two
  sides are not aligned to each other touches sectors of global memory twice (60 linear copies, 113 boxes). Of boxes that are
  loaded from beyond a tensor's edge, the card also counts what it fills in; that is not counted here.
*/

use super::{BANKS, SECTOR};

/// Bytes of a line of shared memory.
const LINE: u64 = 128;

/// Most words of a bank that lanes touch, and their sum.
fn busiest(words: u32, mask: u32, address: impl Fn(usize) -> u64) -> (u32, u32) {
    let mut banks = [0u32; BANKS];
    for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
        let first = address(lane) / 4;
        for word in first..first + u64::from(words) {
            banks[word as usize % BANKS] += 1;
        }
    }
    (banks.iter().copied().max().unwrap_or(0), banks.iter().sum())
}

/// Wavefronts of a `cp.async.ca` of `bytes` a lane, and what they would be without bank conflicts; `reading` are the lanes
/// of `mask` that read.
pub(crate) fn wavefronts(bytes: u32, reading: u32, mask: u32, from: &[u64; 32], to: &[u32; 32]) -> (u32, u32) {
    let words = (bytes / 4).max(1);
    let lanes = 32 / words;
    let (mut found, mut ideal) = (0, 0);
    for phase in (0..words).map(|phase| (u32::MAX >> (32 - lanes)) << (phase * lanes)) {
        let written = |part: u32| busiest(words, part & phase, |lane| to[lane].into());
        let (read, _) = busiest(words, reading & phase, |lane| from[lane]);
        let (moved, moved_words) = written(reading);
        let (cleared, cleared_words) = written(mask & !reading);
        found += read.max(moved) + cleared;
        ideal += moved_words.div_ceil(BANKS as u32) + cleared_words.div_ceil(BANKS as u32);
    }
    (found, ideal)
}

/// Sectors that a run of bytes of a bulk copy touches; `shared` is where it lies in shared memory.
pub(crate) fn sectors(global: u64, shared: u64, bytes: u64) -> u64 {
    let (mut done, mut sum) = (0, 0);
    while done < bytes {
        let piece = (LINE - (shared + done) % LINE).min(bytes - done);
        let (first, last) = (global.wrapping_add(done), global.wrapping_add(done + piece - 1));
        sum += (last / SECTOR).wrapping_sub(first / SECTOR) + 1;
        done += piece;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_a_warp_take_the_wavefronts_of_an_h200() {
        // Bytes a lane, distance of lanes in global and in shared memory, wavefronts.
        let measured = [
            (4, 4, 4, 1),
            (4, 8, 4, 2),
            (4, 32, 4, 8),
            (4, 0, 4, 32),
            (4, 4, 8, 2),
            (4, 4, 32, 8),
            (4, 4, 128, 32),
            (8, 8, 8, 2),
            (8, 16, 8, 4),
            (8, 64, 8, 16),
            (8, 0, 8, 32),
            (8, 8, 16, 4),
            (8, 8, 64, 16),
            (8, 8, 256, 32),
            (16, 16, 16, 4),
            (16, 32, 16, 8),
            (16, 128, 16, 32),
            (16, 0, 16, 32),
            (16, 16, 32, 8),
            (16, 16, 128, 32),
        ];
        for (bytes, source, target, expected) in measured {
            let from = std::array::from_fn(|lane| lane as u64 * source);
            let to = std::array::from_fn(|lane| lane as u32 * target);
            let (found, ideal) = wavefronts(bytes, u32::MAX, u32::MAX, &from, &to);
            assert_eq!((found, ideal), (expected, bytes / 4), "{bytes} bytes, {source} and {target} apart");
        }
        // Nothing is read; every other lane reads.
        for bytes in [4, 8, 16] {
            let from = std::array::from_fn(|lane| lane as u64 * u64::from(bytes));
            let to = std::array::from_fn(|lane| lane as u32 * bytes);
            assert_eq!(wavefronts(bytes, 0, u32::MAX, &from, &to).0, bytes / 4);
            assert_eq!(wavefronts(bytes, 0xaaaa_aaaa, u32::MAX, &from, &to).0, bytes / 2);
        }
    }

    #[test]
    fn bulk_copies_touch_the_sectors_of_an_h200() {
        // Bytes, offsets in global and in shared memory, sectors.
        let measured = [
            (16, 0, 0, 1),
            (64, 0, 0, 2),
            (64, 16, 0, 3),
            (512, 0, 0, 16),
            (512, 16, 0, 20),
            (512, 64, 0, 16),
            (1024, 0, 16, 40),
            (4096, 16, 0, 160),
            (4096, 64, 0, 128),
            (16384, 0, 16, 640),
        ];
        for (bytes, global, shared, expected) in measured {
            assert_eq!(sectors(global, shared, bytes), expected, "{bytes} bytes, +{global} and +{shared}");
        }
    }
}
