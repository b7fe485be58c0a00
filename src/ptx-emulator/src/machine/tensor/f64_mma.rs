//! Products in double precision: one fused multiply-add after another, in the order of ascending depth.

use super::mma::{COLUMNS, operands, place_a, place_b, place_c};
use crate::arith::Registers;
use crate::arith::fma::fma64;
use crate::arith::soft::{F64, Round, Value};
use crate::program::tensor::{Form, Tensor};

/// Runs a fused multiply-add that chooses a NaN as the H200 does: that of `b`, else that of `c`, else that of `a`.
fn fused(round: Round, a: f64, b: f64, c: f64) -> f64 {
    const QUIET: u64 = 1 << 51;
    const DEFAULT: u64 = 0xfff8_0000_0000_0000;
    if let Some(operand) = [b, c, a].into_iter().find(|operand| operand.is_nan()) {
        return f64::from_bits(operand.to_bits() | QUIET);
    }
    if round == Round::Nearest {
        let result = fma64(a, b, c);
        return if result.is_nan() { f64::from_bits(DEFAULT) } else { result };
    }
    let of = |value: f64| Value::of(value.to_bits(), F64);
    f64::from_bits(of(a).times(of(b)).plus(of(c), round).rounded(F64, round, DEFAULT))
}

pub(super) fn multiply(form: Form, tensor: &Tensor, file: Registers) {
    let (a, b, c) = operands(form, tensor);
    let row = |slot: &u32| file.wide_lanes(*slot).map(f64::from_bits);
    let mut left = [[0f64; 16]; 16];
    let mut right = [[0f64; 16]; COLUMNS];
    for (r, slot) in a.iter().enumerate() {
        for (lane, value) in row(slot).iter().enumerate() {
            let (m, k) = place_a(form, r, lane);
            left[m & 15][k & 15] = *value;
        }
    }
    for (r, slot) in b.iter().enumerate() {
        for (lane, value) in row(slot).iter().enumerate() {
            let (k, n) = place_b(form, r, lane);
            right[n][k & 15] = *value;
        }
    }
    let depth = (form.depth as usize).min(16);
    let results: Vec<[f64; 32]> = c
        .iter()
        .enumerate()
        .map(|(i, slot)| {
            let mut result = row(slot);
            for (lane, value) in result.iter_mut().enumerate() {
                let (m, n) = place_c(i, lane);
                let pairs = left[m & 15][..depth].iter().zip(&right[n]);
                *value = pairs.fold(*value, |sum, (a, b)| fused(form.round, *a, *b, sum));
            }
            result
        })
        .collect();
    for (slot, result) in tensor.writes.iter().zip(&results) {
        file.set_wide_lanes(*slot, result.map(f64::to_bits));
    }
}
