/*! Cost of a warp's `cp.async` and of bulk copies, as measured with an NVIDIA H200's hardware counters.

- The hardware serves `cp.async.ca` in phases: one for 4 bytes per lane, two for 8 (half warps), four for 16 (quarter
  warps). A phase takes as many wavefronts as the busiest bank has words. Words read and words written are counted
  separately, by the word address modulo 32. Lanes never share a word, even if they read the same one. Lanes that read
  nothing, and only fill with zeros, add the wavefronts that their written words need. This is exact if the distances
  between lanes are equal (40 patterns), and for 59 of 77 random patterns. The others conflict on both sides at once,
  and the GPU needs more wavefronts, because it does not find the best order.
- `cp.async.cg` bypasses the first-level cache. It takes no wavefronts if it reads all 16 bytes. Its cost with fewer
  bytes is not counted. It requests sectors for four lanes at a time.
- Bulk copies take no wavefronts. Their sectors are counted for each 128-byte line of shared memory. If the two sides
  are not aligned to each other, the copy touches sectors of global memory twice (60 linear copies, 113 boxes). If a box
  extends beyond a tensor's edge, the GPU also counts the bytes that it fills in. They are not counted here.
*/

use super::{BANKS, SECTOR};

/// Bytes per line of shared memory.
const LINE: u64 = 128;

/// Returns the number of words in the busiest bank, and the number of words in all banks.
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

/// Returns the wavefronts of a `cp.async.ca` of `bytes` per lane, and their number without bank conflicts. `reading`
/// are the lanes of `mask` that read.
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

/// Returns the number of sectors that a range of bytes of a bulk copy touches; `shared` is its address in shared
/// memory.
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
        // Bytes per lane, distance between lanes in global and in shared memory, wavefronts.
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
        // First no lane reads, then every other lane.
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
