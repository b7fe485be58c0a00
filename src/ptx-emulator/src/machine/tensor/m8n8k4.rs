//! `mma` of 8×8×4 in half precision, made for compute capability 7.0. The warp computes four products, each with eight
//! lanes.
//!
//! An H200 no longer has this instruction. The assembler expands it into single-precision code, which rounds
//! differently from the tensor cores. D in single precision is `C + (a₃b₃ + (a₂b₂ + (a₁b₁ + a₀b₀)))`. D in half
//! precision is `(C + (a₁b₁ + a₀b₀)) + (a₃b₃ + a₂b₂)`, computed in single precision and then rounded. Every sum is
//! rounded to nearest. Products of two halves are exact.

use crate::arith::Registers;
use crate::arith::soft::{F16, F32, Round, Value};
use crate::program::tensor::{Quads, Tensor};

/// The NaN that single-precision arithmetic produces, and that of half precision.
const NAN: u64 = 0x7fff_ffff;
const NAN_HALF: u64 = 0x7fff;

/// Returns the value of half number `half` of a word.
fn from_half(word: u32, half: usize) -> f32 {
    let bits = u64::from(word >> (16 * half) & 0xffff);
    f32::from_bits(Value::of(bits, F16).rounded(F32, Round::Nearest, NAN) as u32)
}

/// Returns the bits of a number in half precision.
fn to_half(value: f32) -> u32 {
    Value::of(value.to_bits().into(), F32).rounded(F16, Round::Nearest, NAN_HALF) as u32
}

/// Returns row and column of element `i` of C or D. One lane holds a row in half precision, four lanes hold it
/// otherwise.
fn place(half: bool, i: usize, lane: usize) -> (usize, usize) {
    let low = lane / 16 * 4;
    if half { (lane % 4 + low, i) } else { ((lane & 1) + (i & 2) + low, (i & 4) + (lane & 2) + (i & 1)) }
}

pub(super) fn multiply(quads: Quads, tensor: &Tensor, file: Registers) {
    let row = |slot: u32| file.lanes(slot);
    let [a0, a1, b0, b1, from_c @ ..] = tensor.reads.as_slice() else { return };
    let (a, b) = ([row(*a0), row(*a1)], [row(*b0), row(*b1)]);
    let c: Vec<[u32; 32]> = from_c.iter().map(|slot| row(*slot)).collect();
    let mut results = vec![[0u32; 32]; tensor.writes.len()];
    for quad in 0..4 {
        let lane_of = |row: usize| 4 * quad + row % 4 + row / 4 * 16;
        let (mut left, mut right, mut sums) = ([[0f32; 4]; 8], [[0f32; 8]; 4], [[0f32; 8]; 8]);
        for lane in (0..8).map(lane_of) {
            let low = lane / 16 * 4;
            for i in 0..4 {
                let (m, k) = if quads.a_rows { (lane % 4 + low, i) } else { (i + low, lane % 4) };
                left[m][k] = from_half(a[i / 2][lane], i % 2);
                let (k, n) = if quads.b_rows { (lane % 4, i + low) } else { (i, lane % 4 + low) };
                right[k][n] = from_half(b[i / 2][lane], i % 2);
            }
            for i in 0..8 {
                let (m, n) = place(quads.c_half, i, lane);
                sums[m][n] = if quads.c_half { from_half(c[i / 2][lane], i % 2) } else { f32::from_bits(c[i][lane]) };
            }
        }
        for (left, sums) in left.iter().zip(&mut sums) {
            for (n, sum) in sums.iter_mut().enumerate() {
                let product = |k: usize| left[k] * right[k][n];
                *sum = if quads.d_half {
                    (*sum + (product(1) + product(0))) + (product(3) + product(2))
                } else {
                    *sum + (product(3) + (product(2) + (product(1) + (product(0) + 0.0))))
                };
            }
        }
        for lane in (0..8).map(lane_of) {
            for i in 0..8 {
                let (m, n) = place(quads.d_half, i, lane);
                if quads.d_half {
                    results[i / 2][lane] |= to_half(sums[m][n]) << (16 * (i % 2));
                } else {
                    let nan = sums[m][n].is_nan();
                    results[i][lane] = if nan { NAN as u32 } else { sums[m][n].to_bits() };
                }
            }
        }
    }
    for (slot, result) in tensor.writes.iter().zip(&results) {
        file.set_lanes(*slot, *result);
    }
}
