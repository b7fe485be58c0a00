//! A sparse A: of the elements of a row only half are there, and metadata say where they stand.
//!
//! A row falls into chunks of four elements of which two are there; of two of which one is, for 32-bit elements; of
//! four pairs of which two are, for 4-bit ones. Each chunk has four bits of metadata: the places of both. Those of a
//! 32-bit element are the places of its halves among the four halves of the chunk: 4 for the first element, 14 for the
//! second.
//!
//! The PTX ISA wants the places of a chunk in ascending order and 32-bit elements whole. The tensor cores of an H200 look
//! for neither: each place selects what of B it is multiplied with, also the same one twice. So it is here.

use crate::arith::tensor::Format;

/// A place that is no row of B: its low bits are the metadata of a 32-bit element whose halves come from two.
const MIXED: u32 = 1 << 31;

/// Which row of B belongs to each of `stored` elements of each of A's sixteen rows, appended to `places`. Rows that
/// [`mix`] has to make are not told yet.
pub(super) fn places(format: Format, stored: usize, selector: u32, metadata: &[u32; 32], places: &mut Vec<u32>) {
    let bits = format.bits();
    // Elements to a chunk that are there, and chunks to a row.
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

/// Lane and bit where the metadata of a chunk of a row lie. A lane holds them for the rows `g` and `g + 8`, a half for
/// each, or for one row.
fn lane_of(chunks: usize, halves: bool, selector: usize, row: usize, chunk: usize) -> (usize, usize) {
    let (group, low) = (4 * (row % 8), row / 8);
    match chunks {
        4 => (group + selector, 16 * low + 4 * chunk),
        8 if halves => (group + 2 * selector + chunk / 4, 16 * low + 4 * (chunk % 4)),
        _ => (group + 2 * (selector + chunk / 8) + low, 4 * (chunk % 8)),
    }
}

/// Appends rows to B, of 32-bit elements, for the places that are none of its own.
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
