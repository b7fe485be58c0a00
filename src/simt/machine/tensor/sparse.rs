//! A sparse A: of the elements of a row only half are there, and metadata say where they stand.
//!
//! A row falls into chunks of four elements of which two are there; of two of which one is, for 32-bit elements; of
//! four pairs of which two are, for 4-bit ones. Two bits of metadata for each element (or pair) that is there give its
//! place in the chunk, those of a 32-bit element twice: 4 for the first place, 14 for the second.

use super::format::Format;

/// Which row of B belongs to each element of A's rows: `rows × stored`, row by row, appended to `places`.
pub(super) fn places(format: Format, stored: usize, selector: u32, metadata: &[u32; 32], places: &mut Vec<u32>) {
    for row in 0..16 {
        for k in 0..stored {
            places.push(place(format, stored, selector, metadata, row, k));
        }
    }
}

/// The column of element `k` of a row.
fn place(format: Format, stored: usize, selector: u32, metadata: &[u32; 32], row: usize, k: usize) -> u32 {
    // Index of its two bits within the row.
    let (at, pairs) = match format.bits() {
        32 => (2 * k, false),
        4 => (k / 2, true),
        _ => (k, false),
    };
    let row_bits = match format.bits() {
        32 => 4 * stored,
        4 => stored,
        _ => 2 * stored,
    };
    let halves = format.bits() > 8;
    let (lane, bit) = lane_of(row_bits, halves, selector as usize, row, 2 * at);
    let index = metadata[lane] >> bit & 3;
    match format.bits() {
        32 => (2 * k) as u32 + (index >> 1),
        _ if pairs => (k / 4 * 8) as u32 + 2 * index + (k % 2) as u32,
        _ => (k / 2 * 4) as u32 + index,
    }
}

/// Lane and bit where bit `bit` of the metadata of a row lies, of which there are `row_bits`. A lane holds `halves` for
/// rows `g` and `g + 8`, or is of one row.
fn lane_of(row_bits: usize, halves: bool, selector: usize, row: usize, bit: usize) -> (usize, usize) {
    let (group, low) = (4 * (row % 8), row / 8);
    match row_bits {
        16 => (group + selector, 16 * low + bit),
        32 if halves => (group + 2 * selector + bit / 16, 16 * low + bit % 16),
        _ => (group + 2 * (selector + bit / 32) + low, bit % 32),
    }
}
