//! Products of four-bit and eight-bit integers, and of single bits. Sums are exact. A sum that does not fit in 32 bits
//! is clamped or wraps.

use crate::arith::tensor::Format;
use crate::program::tensor::Form;

const WIDE: usize = 8;

/// The operation that combines a row and a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    /// The sum of integer products, clamped if `saturate`.
    Numbers { saturate: bool },
    /// The number of bits that are set in both.
    And,
    /// The number of bits that differ.
    Xor,
}

impl Join {
    pub(super) fn of(form: Form) -> Self {
        match (form.a, form.differ) {
            (Format::B1, false) => Self::And,
            (Format::B1, true) => Self::Xor,
            _ => Self::Numbers { saturate: form.saturate },
        }
    }
}

/// Converts the elements of an operand to integers, in place.
pub(super) fn numbers(format: Format, bits: &mut [u32]) {
    bits.iter_mut().for_each(|bits| *bits = format.value(*bits) as u32);
}

/// Computes `c` = A·B + `c`. `a` and `b` contain [`numbers`] row by row, and `columns` is a multiple of eight.
/// `place(row, k)` is the row of B for element `k` of a row of A.
#[inline(always)]
pub(super) fn multiply(
    join: Join,
    a: &[u32],
    b: &[u32],
    columns: usize,
    c: &mut [u32],
    place: impl Fn(usize, usize) -> usize,
) {
    let depth = a.len().checked_div(c.len() / columns.max(1)).unwrap_or(0);
    let rows = a.chunks_exact(depth.max(1)).zip(c.chunks_exact_mut(columns.max(1)));
    for (row, (a, c)) in rows.enumerate() {
        for (chunk, c) in c.chunks_exact_mut(WIDE).enumerate() {
            // At most 128 products, each below 2¹⁶.
            let mut sums = [0i32; WIDE];
            for (k, a) in a.iter().enumerate() {
                let Some(b) = b[place(row, k) * columns + chunk * WIDE..].first_chunk::<WIDE>() else { continue };
                for (sum, b) in sums.iter_mut().zip(b) {
                    *sum += match join {
                        Join::Numbers { .. } => *a as i32 * *b as i32,
                        Join::And => (a & b).count_ones() as i32,
                        Join::Xor => (a ^ b).count_ones() as i32,
                    };
                }
            }
            for (c, sum) in c.iter_mut().zip(sums) {
                let clamped = join == Join::Numbers { saturate: true };
                let total = *c as i32;
                *c = if clamped { total.saturating_add(sum) } else { total.wrapping_add(sum) } as u32;
            }
        }
    }
}
