//! `mma.sync`: registers to matrices, product, and back.

use super::dot::{Matrix, Sum, multiply};
use super::form::{Form, Kind, Tensor};
use super::format::{Accumulator, Float, Format};
use super::warpgroup::Spot;
use crate::simt::Fault;
use crate::simt::machine::asynch::Next;
use crate::simt::machine::lanes::has_fast;
use crate::simt::machine::state::Machine;
use crate::simt::probe::Probe;
use crate::simt::program::Inst;

/// Matrices of one instruction, kept so that their memory is.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(super) a: Matrix,
    pub(super) b: Matrix,
    pub(super) bits: Vec<u32>,
    pub(super) c: Vec<u32>,
}

/// Columns of B, C and D.
const COLUMNS: usize = 8;

/// How sums are rounded on the H200: blocks of 32 bytes, 25 fraction bits; 13 in `wgmma` of 8-bit formats.
pub(super) fn rounding(format: Float, accumulator: Accumulator) -> Sum {
    let block = (32 * 8 / format.bits) as usize;
    let (kept, fraction) = if format.bits == 8 { (13, 13) } else { (25, 23) };
    Sum { block, kept, half: accumulator == Accumulator::F16, fraction }
}

impl<P: Probe> Machine<'_, P> {
    /// Runs an instruction on matrices in registers; all lanes are active.
    #[inline(never)]
    pub(crate) fn tensor(&mut self, at: usize, warp: usize, inst: &Inst, file: *mut u32) -> Result<Next, Box<Fault>> {
        let tensor = &self.setup.program.tensors[inst.x as usize];
        // SAFETY: the instruction was lowered for this file.
        unsafe {
            match tensor.kind {
                Kind::Transpose => super::matrix::transpose(file, tensor),
                Kind::Group(group) => self.warpgroup(Spot { at, warp }, group, tensor, file)?,
                Kind::Fence => {}
                Kind::Commit => self.commit_group(warp),
                Kind::Wait(pending) => return Ok(self.wait_group(warp, pending)),
                Kind::Multiply(form) => match (form.a, form.b) {
                    (Format::Float(format), _) => self.scratch.floats(format, form, tensor, file),
                    (Format::F64, _) => doubles(form, tensor, file),
                    _ => integers(form, tensor, file),
                },
            }
        }
        Ok(Next::On)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn multiply_fast(format: Float, sum: Sum, a: &Matrix, b: &Matrix, columns: usize, c: &mut [u32]) {
    multiply(format, sum, a, b, columns, c);
}

/// Row and first column of what register `r` of A holds in a lane.
#[inline(always)]
fn place_a(form: Form, r: usize, lane: usize) -> (usize, usize) {
    let halves = form.rows as usize / 8;
    (lane / 4 + 8 * (r % halves), form.a.each() as usize * (lane % 4 + 4 * (r / halves)))
}

/// First row and column of what register `r` of B holds in a lane.
#[inline(always)]
fn place_b(form: Form, r: usize, lane: usize) -> (usize, usize) {
    (form.b.each() as usize * (lane % 4 + 4 * r), lane / 4)
}

/// Row and column of element `i` of C and D.
#[inline(always)]
fn place_c(i: usize, lane: usize) -> (usize, usize) {
    (lane / 4 + 8 * (i / 2), 2 * (lane % 4) + i % 2)
}

/// The registers of A, B and C.
fn operands(form: Form, tensor: &Tensor) -> (&[u32], &[u32], &[u32]) {
    let [a, b, _] = form.registers();
    let (first, rest) = tensor.reads.split_at(a.min(tensor.reads.len()));
    let (second, third) = rest.split_at(b.min(rest.len()));
    (first, second, third)
}

impl Scratch {
    /// `c` becomes A·B + `c`, in the variant for this CPU.
    pub(super) fn multiply(&mut self, format: Float, sum: Sum, columns: usize) {
        #[cfg(target_arch = "x86_64")]
        if has_fast() {
            // SAFETY: the features were just checked.
            unsafe { multiply_fast(format, sum, &self.a, &self.b, columns, &mut self.c) };
            return;
        }
        multiply(format, sum, &self.a, &self.b, columns, &mut self.c);
    }

    /// # Safety
    /// The instruction was lowered for this file.
    unsafe fn floats(&mut self, format: Float, form: Form, tensor: &Tensor, file: *mut u32) {
        let (a, b, c) = operands(form, tensor);
        let (rows, depth) = (form.rows as usize, form.depth as usize);
        let each = form.a.each() as usize;
        let element = |word: u32, j: usize| {
            if each == 1 { word } else { word >> (j as u32 * format.bits) & ((1 << format.bits) - 1) }
        };
        // SAFETY: by contract the registers are rows of this file.
        let row = |slot: &u32| unsafe { &*file.add(*slot as usize).cast::<[u32; 32]>() };
        self.bits.clear();
        self.bits.resize(rows * depth, 0);
        for (r, slot) in a.iter().enumerate() {
            for (lane, word) in row(slot).iter().enumerate() {
                let (m, k) = place_a(form, r, lane);
                for (j, to) in self.bits[m * depth + k..][..each].iter_mut().enumerate() {
                    *to = element(*word, j);
                }
            }
        }
        let sum = rounding(format, form.c);
        self.a.set_rows(format, sum, &self.bits, depth);
        self.bits.clear();
        self.bits.resize(depth * COLUMNS, 0);
        for (r, slot) in b.iter().enumerate() {
            for (lane, word) in row(slot).iter().enumerate() {
                let (k, n) = place_b(form, r, lane);
                for j in 0..each {
                    self.bits[(k + j) * COLUMNS + n] = element(*word, j);
                }
            }
        }
        self.b.set_columns(format, &self.bits, COLUMNS);
        let half = form.c == Accumulator::F16;
        self.c.clear();
        self.c.resize(rows * COLUMNS, 0);
        for (r, slot) in c.iter().enumerate() {
            for (lane, word) in row(slot).iter().enumerate() {
                if half {
                    let (m, n) = place_c(2 * r, lane);
                    self.c[m * COLUMNS + n] = word & 0xffff;
                    self.c[m * COLUMNS + n + 1] = word >> 16;
                } else {
                    let (m, n) = place_c(r, lane);
                    self.c[m * COLUMNS + n] = *word;
                }
            }
        }
        self.multiply(format, sum, COLUMNS);
        for (r, slot) in tensor.writes.iter().enumerate() {
            // SAFETY: as above.
            let to = unsafe { &mut *file.add(*slot as usize).cast::<[u32; 32]>() };
            for (lane, word) in to.iter_mut().enumerate() {
                let (m, n) = place_c(if half { 2 * r } else { r }, lane);
                let at = m * COLUMNS + n;
                *word = if half { self.c[at] | self.c[at + 1] << 16 } else { self.c[at] };
            }
        }
    }
}

/// # Safety
/// The instruction was lowered for this file.
unsafe fn integers(form: Form, tensor: &Tensor, file: *mut u32) {
    let (a, b, c) = operands(form, tensor);
    // SAFETY: by contract the registers are rows of this file.
    let row = |slot: &u32| unsafe { *file.add(*slot as usize).cast::<[u32; 32]>() };
    let value = |format: Format, word: u32, j: usize| {
        let byte = (word >> (8 * j)) as u8;
        if format == Format::S8 { i32::from(byte as i8) } else { i32::from(byte) }
    };
    let mut left = [[0i32; 32]; 16];
    let mut right = [[0i32; 32]; COLUMNS];
    for (r, slot) in a.iter().enumerate() {
        for (lane, word) in row(slot).iter().enumerate() {
            let (m, k) = place_a(form, r, lane);
            (0..4).for_each(|j| left[m & 15][(k + j) & 31] = value(form.a, *word, j));
        }
    }
    for (r, slot) in b.iter().enumerate() {
        for (lane, word) in row(slot).iter().enumerate() {
            let (k, n) = place_b(form, r, lane);
            (0..4).for_each(|j| right[n][(k + j) & 31] = value(form.b, *word, j));
        }
    }
    let mut results = [[0u32; 32]; 4];
    for (i, (from, result)) in c.iter().zip(&mut results).enumerate() {
        *result = row(from);
        for (lane, word) in result.iter_mut().enumerate() {
            let (m, n) = place_c(i, lane);
            let sum: i32 = left[m & 15].iter().zip(&right[n]).map(|(a, b)| a * b).sum();
            *word = if form.saturate {
                (i64::from(*word as i32) + i64::from(sum)).clamp(i32::MIN.into(), i32::MAX.into()) as u32
            } else {
                word.wrapping_add(sum as u32)
            };
        }
    }
    for (slot, result) in tensor.writes.iter().zip(&results) {
        // SAFETY: as above.
        unsafe { *file.add(*slot as usize).cast::<[u32; 32]>() = *result };
    }
}

/// A fused multiply-add that treats NaN as the H200 does: that of `b` goes before that of `c`, that before `a`'s.
fn fused(a: f64, b: f64, c: f64) -> f64 {
    const QUIET: u64 = 1 << 51;
    const DEFAULT: u64 = 0xfff8_0000_0000_0000;
    let result = a.mul_add(b, c);
    match [b, c, a].into_iter().find(|operand| operand.is_nan()) {
        Some(operand) => f64::from_bits(operand.to_bits() | QUIET),
        None if result.is_nan() => f64::from_bits(DEFAULT),
        None => result,
    }
}

/// One fused multiply-add after the other, the depth ascending.
///
/// # Safety
/// The instruction was lowered for this file.
unsafe fn doubles(form: Form, tensor: &Tensor, file: *mut u32) {
    let (a, b, c) = operands(form, tensor);
    // SAFETY: by contract the registers are pairs of rows of this file.
    let row = |slot: &u32| unsafe { *file.add(*slot as usize).cast::<[f64; 32]>() };
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
                *value = pairs.fold(*value, |sum, (a, b)| fused(*a, *b, sum));
            }
            result
        })
        .collect();
    for (slot, result) in tensor.writes.iter().zip(&results) {
        // SAFETY: as above.
        unsafe { *file.add(*slot as usize).cast::<[f64; 32]>() = *result };
    }
}
