//! A sparse A: only half the elements of a row are stored, and metadata give their places.
//!
//! A row consists of chunks. A chunk is four elements, and two of them are stored. For 32-bit elements, a chunk is two
//! elements, and one is stored. For 4-bit elements, a chunk is four pairs of elements, and two pairs are stored. Each
//! chunk has four bits of
//! metadata: the two places. A 32-bit element has the places of its two halves among the four halves of the chunk: 4
//! for the first element, 14 for the second.
//!
//! The PTX ISA requires ascending places in a chunk and whole 32-bit elements. The tensor cores of an H200 check
//! neither: each place selects the row of B for the product, even twice the same row. The emulator does the same.

use crate::arith::tensor::Format;

/// Marks a place that is not a row of B. The low bits are the metadata of a 32-bit element whose halves come from two
/// rows.
const MIXED: u32 = 1 << 31;

/// Appends to `places`, for each of A's sixteen rows, the row of B that belongs to each of its `stored` elements. Rows
/// that [`mix`] still has to make are marked with [`MIXED`].
pub(super) fn places(format: Format, stored: usize, selector: u32, metadata: &[u32; 32], places: &mut Vec<u32>) {
    let bits = format.bits();
    // Stored elements per chunk.
    let each = match bits {
        32 => 1,
        4 => 4,
        _ => 2,
    };
    for row in 0..16 {
        for k in 0..stored {
            let (chunk, chunks) = (k / each, stored / each);
            let (lane, shift) = lane_of(chunks, bits > 8, selector as usize, row, chunk);
            let nibble = metadata[lane] >> shift & 15;
            let first = 2 * (chunk * each) as u32;
            places.push(match bits {
                32 if nibble == 4 || nibble == 14 => first + u32::from(nibble == 14),
                32 => MIXED | nibble,
                4 => first + 2 * (nibble >> (2 * (k / 2 % 2)) & 3) + k as u32 % 2,
                _ => first + (nibble >> (2 * (k % 2)) & 3),
            });
        }
    }
}

/// Returns the lane and bit position of a chunk's metadata. A lane holds them for one row, or for the rows `g` and `g +
/// 8`, one in each half.
fn lane_of(chunks: usize, halves: bool, selector: usize, row: usize, chunk: usize) -> (usize, usize) {
    let (group, low) = (4 * (row % 8), row / 8);
    match chunks {
        4 => (group + selector, 16 * low + 4 * chunk),
        8 if halves => (group + 2 * selector + chunk / 4, 16 * low + 4 * (chunk % 4)),
        _ => (group + 2 * (selector + chunk / 8) + low, 4 * (chunk % 8)),
    }
}

/// Each entry of `places` from `MIXED` on is not a row of B (32-bit elements). Appends a new row for it to B, and
/// writes that row's index into the entry.
pub(super) fn mix(stored: usize, places: &mut [u32], columns: usize, b: &mut Vec<u32>) {
    for (at, place) in places.iter_mut().enumerate().filter(|(_, place)| **place >= MIXED) {
        let chunk = at % stored;
        let made = (b.len() / columns) as u32;
        for column in 0..columns {
            let half =
                |place: u32| b[(2 * chunk + place as usize / 2) * columns + column] >> (16 * (place % 2)) & 0xffff;
            b.push(half(*place & 3) | half(*place >> 2 & 3) << 16);
        }
        *place = made;
    }
}
