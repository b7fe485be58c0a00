//! `mma.sync`: takes matrices from registers, multiplies, and puts the result back.

use super::integer_mma::{self, Join};
use super::warpgroup::Issue;
use super::{f64_mma, m8n8k4, sparse};
use crate::Fault;
use crate::arith::Registers;
#[cfg(target_arch = "x86_64")]
use crate::arith::lanes::has_fast;
use crate::arith::soft;
use crate::arith::soft::{Round, Value};
use crate::arith::tensor::dot::{Matrix, Sum, half_nearest, multiply};
use crate::arith::tensor::{Accumulator, Float, Format};
use crate::machine::async_copy::Next;
use crate::machine::state::Machine;
use crate::probes::Probe;
use crate::program::Inst;
use crate::program::tensor::{Form, Sparse, Tensor, TensorOp};

/// Matrices of one instruction, kept to reuse their memory.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(super) a: Matrix,
    pub(super) b: Matrix,
    pub(super) bits: Vec<u32>,
    /// The other operand of an integer product.
    pub(super) left: Vec<u32>,
    pub(super) c: Vec<u32>,
    /// Places of the elements of a sparse A; empty if A is dense.
    pub(super) places: Vec<u32>,
}

/// Columns of B, C and D.
pub(super) const COLUMNS: usize = 8;

/// Returns how the H200 rounds sums: in blocks of 32 bytes with 25 fraction bits, or 13 in `wgmma` of 8-bit formats.
pub(super) fn rounding(a: Float, b: Float, sums: Accumulator) -> Sum {
    let block = (32 * 8 / a.bits) as usize;
    let (kept, fraction) = if a.bits == 8 { (13, 13) } else { (25, 23) };
    Sum { a, b, block, kept, half: sums == Accumulator::F16, fraction }
}

impl<P: Probe> Machine<'_, P> {
    /// Runs an instruction on matrices in registers; all lanes are active.
    #[inline(never)]
    pub(crate) fn tensor(&mut self, at: usize, warp: usize, inst: &Inst, file: Registers) -> Result<Next, Box<Fault>> {
        let tensor = &self.setup.program.tensors[inst.x as usize];
        match tensor.kind {
            TensorOp::Transpose => super::matrix::transpose(file, tensor),
            TensorOp::Group(group) => self.warpgroup(Issue { at, warp }, group, tensor, file)?,
            TensorOp::Fence => {}
            TensorOp::Commit => self.commit_group(warp),
            TensorOp::Wait(pending) => return Ok(self.wait_group(warp, pending)),
            TensorOp::Quads(_) | TensorOp::Multiply(_) if !P::PRODUCTS => {}
            TensorOp::Quads(quads) => m8n8k4::multiply(quads, tensor, file),
            TensorOp::Multiply(form) => match (form.a, form.b) {
                (Format::Float(a), Format::Float(b)) if a.bits == 8 => {
                    self.scratch.narrow([a, b], form, tensor, file);
                }
                (Format::Float(a), Format::Float(b)) => self.scratch.floats([a, b], form, tensor, file),
                (Format::F64, _) => f64_mma::multiply(form, tensor, file),
                _ => self.scratch.integers(form, tensor, file),
            },
        }
        Ok(Next::On)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn multiply_fast(sum: Sum, scratch: &mut Scratch, columns: usize) {
    // SAFETY: this function is only for CPUs that have AVX2.
    unsafe { multiply_in::<true>(sum, scratch, columns) };
}

/// # Safety
/// The CPU has AVX2 if `FAST`.
#[inline(always)]
unsafe fn multiply_in<const FAST: bool>(sum: Sum, Scratch { a, b, c, places, .. }: &mut Scratch, columns: usize) {
    // SAFETY: the caller guarantees the contract.
    unsafe {
        if places.is_empty() {
            multiply::<FAST, true>(sum, a, b, columns, c, |_, k| k);
        } else {
            let stored = places.len() / (c.len() / columns.max(1)).max(1);
            multiply::<FAST, false>(sum, a, b, columns, c, |row, k| places[row * stored + k] as usize);
        }
    }
}

/// Returns row and first column of the elements that register `r` of A holds in a lane.
#[inline(always)]
pub(super) fn place_a(form: Form, r: usize, lane: usize) -> (usize, usize) {
    let halves = form.rows as usize / 8;
    (lane / 4 + 8 * (r % halves), form.a.each() as usize * (lane % 4 + 4 * (r / halves)))
}

/// Returns first row and column of the elements that register `r` of B holds in a lane.
#[inline(always)]
pub(super) fn place_b(form: Form, r: usize, lane: usize) -> (usize, usize) {
    (form.b.each() as usize * (lane % 4 + 4 * r), lane / 4)
}

/// Returns row and column of element `i` of C and D.
#[inline(always)]
pub(super) fn place_c(i: usize, lane: usize) -> (usize, usize) {
    (lane / 4 + 8 * (i / 2), 2 * (lane % 4) + i % 2)
}

/// Returns the registers of A, B and C. The register of the metadata may follow those of C.
pub(super) fn operands(form: Form, tensor: &Tensor) -> (&[u32], &[u32], &[u32]) {
    let [a, b, ..] = form.registers();
    let (first, rest) = tensor.reads.split_at(a.min(tensor.reads.len()));
    let (second, third) = rest.split_at(b.min(rest.len()));
    (first, second, third)
}

/// Returns element `j` of a word.
#[inline(always)]
fn element<const BITS: usize>(word: u32, j: usize) -> u32 {
    word >> (j * BITS) & (u32::MAX >> (32 - BITS))
}

/// Unpacks a register of A into rows of `depth` elements. The elements of lane 0 go to `(m, k)`.
pub(super) fn spread(format: Format, row: &[u32; 32], (m, k): (usize, usize), depth: usize, to: &mut [u32]) {
    // With the format as a constant, each format has a loop of its own.
    match format.bits() {
        16 => rows::<16>(row, &mut to[m * depth + k..], depth),
        32 => rows::<32>(row, &mut to[m * depth + k..], depth),
        8 => rows::<8>(row, &mut to[m * depth + k..], depth),
        _ => rows::<4>(row, &mut to[m * depth + k..], depth),
    }
}

/// Unpacks words. Four lanes in a row hold consecutive elements of one matrix row.
#[inline(always)]
fn rows<const BITS: usize>(words: &[u32; 32], to: &mut [u32], depth: usize) {
    let each = 32 / BITS;
    for (words, to) in words.chunks_exact(4).zip(to.chunks_mut(depth)) {
        for (word, to) in words.iter().zip(to.chunks_exact_mut(each)) {
            for (j, to) in to.iter_mut().enumerate() {
                *to = element::<BITS>(*word, j);
            }
        }
    }
}

/// Unpacks words. Four lanes in a row hold consecutive elements of one matrix column.
#[inline(always)]
fn columns<const BITS: usize>(words: &[u32; 32], to: &mut [u32]) {
    for (at, to) in to.chunks_exact_mut(COLUMNS).enumerate() {
        let (t, j) = (at / (32 / BITS), at % (32 / BITS));
        for (n, to) in to.iter_mut().enumerate() {
            *to = element::<BITS>(words[4 * n + (t & 3)], j);
        }
    }
}

impl Scratch {
    /// Computes `c` = A·B + `c`, in the variant for this CPU.
    pub(super) fn multiply(&mut self, sum: Sum, columns: usize) {
        #[cfg(target_arch = "x86_64")]
        if has_fast() {
            // SAFETY: `has_fast` has just checked the CPU features.
            unsafe { multiply_fast(sum, self, columns) };
            return;
        }
        // SAFETY: without `FAST`, the function needs no CPU features.
        unsafe { multiply_in::<false>(sum, self, columns) };
    }

    /// Computes `c` = A·B + `c` in integers, with A in `left` and B in `bits`.
    pub(super) fn multiply_whole(&mut self, join: Join, columns: usize) {
        let Self { left, bits, c, places, .. } = self;
        if places.is_empty() {
            integer_mma::multiply(join, left, bits, columns, c, |_, k| k);
        } else {
            let stored = places.len() / (c.len() / columns.max(1)).max(1);
            integer_mma::multiply(join, left, bits, columns, c, |row, k| places[row * stored + k] as usize);
        }
    }

    /// Reads the metadata of a sparse A from a register.
    pub(super) fn set_places(
        &mut self,
        sparse: Option<Sparse>,
        format: Format,
        stored: usize,
        register: Option<&u32>,
        file: Registers,
    ) {
        self.places.clear();
        if let (Some(Sparse { selector }), Some(slot)) = (sparse, register) {
            let metadata = &file.lanes(*slot);
            sparse::places(format, stored, selector, metadata, &mut self.places);
        }
    }

    /// Unpacks the elements of A into `bits`, row by row.
    fn take_a(&mut self, form: Form, a: &[u32], file: Registers) {
        let depth = form.stored() as usize;
        self.bits.clear();
        self.bits.resize(form.rows as usize * depth, 0);
        for (r, slot) in a.iter().enumerate() {
            let row = &file.lanes(*slot);
            spread(form.a, row, place_a(form, r, 0), depth, &mut self.bits);
        }
    }

    /// Unpacks the elements of B into `bits`, row by row.
    fn take_b(&mut self, form: Form, b: &[u32], file: Registers) {
        self.bits.clear();
        self.bits.resize(form.depth as usize * COLUMNS, 0);
        for (r, slot) in b.iter().enumerate() {
            let row = &file.lanes(*slot);
            let (k, _) = place_b(form, r, 0);
            let to = &mut self.bits[k * COLUMNS..][..4 * form.b.each() as usize * COLUMNS];
            // With the format as a constant, each format has a loop of its own.
            match form.b.bits() {
                16 => columns::<16>(row, to),
                32 => columns::<32>(row, to),
                8 => columns::<8>(row, to),
                _ => columns::<4>(row, to),
            }
        }
    }

    /// Unpacks the elements of C into `c`, row by row.
    fn take_c(&mut self, form: Form, c: &[u32], file: Registers) {
        let half = form.c == Accumulator::F16;
        let widens = half && form.sums() != Accumulator::F16;
        self.c.clear();
        self.c.resize(form.rows as usize * COLUMNS, 0);
        for (r, slot) in c.iter().enumerate().take(form.registers()[2]) {
            let row = &file.lanes(*slot);
            let Some(to) = self.eight_rows(if half { r } else { r / 2 }) else { break };
            for (lane, word) in row.iter().enumerate() {
                if half {
                    (to[2 * lane], to[2 * lane + 1]) = (word & 0xffff, word >> 16);
                } else {
                    to[2 * lane + r % 2] = *word;
                }
            }
        }
        if widens {
            self.c.iter_mut().for_each(|bits| *bits = converted(*bits, soft::F16, soft::F32));
        }
    }

    /// Packs `c` into the registers of D.
    fn give_d(&mut self, form: Form, d: &[u32], file: Registers) {
        let half = form.d == Accumulator::F16;
        if half && form.sums() != Accumulator::F16 {
            self.c.iter_mut().for_each(|bits| *bits = converted(*bits, soft::F32, soft::F16));
        }
        for (r, slot) in d.iter().enumerate() {
            let Some(from) = self.eight_rows(if half { r } else { r / 2 }) else { break };
            file.set_lanes(
                *slot,
                std::array::from_fn(|lane| {
                    if half { from[2 * lane] | from[2 * lane + 1] << 16 } else { from[2 * lane + r % 2] }
                }),
            );
        }
    }

    /// Returns the elements of eight rows of C. Lane `i` has elements 2i and 2i + 1 (PTX ISA, "Matrix Fragments for
    /// mma").
    #[inline(always)]
    fn eight_rows(&mut self, at: usize) -> Option<&mut [u32; 8 * COLUMNS]> {
        self.c.get_mut(at * 8 * COLUMNS..)?.first_chunk_mut()
    }

    fn floats(&mut self, [fa, fb]: [Float; 2], form: Form, tensor: &Tensor, file: Registers) {
        let (a, b, c) = operands(form, tensor);
        let sum = rounding(fa, fb, form.sums());
        let stored = form.stored() as usize;
        self.set_places(form.sparse, form.a, stored, tensor.reads.last(), file);
        self.take_a(form, a, file);
        self.a.set_rows(sum, &self.bits, stored);
        self.take_b(form, b, file);
        sparse::mix(stored, &mut self.places, COLUMNS, &mut self.bits);
        self.b.set_columns(sum, &self.bits, COLUMNS);
        self.take_c(form, c, file);
        self.multiply(sum, COLUMNS);
        self.give_d(form, &tensor.writes, file);
    }

    /// Multiplies 8-bit formats. The H200 has no such product of registers, so the assembler converts to half precision
    /// and makes two products. The first takes elements 0 and 1 of each register, the second elements 2 and 3. C is
    /// added at the end, rounded to nearest.
    fn narrow(&mut self, formats: [Float; 2], form: Form, tensor: &Tensor, file: Registers) {
        let (a, b, c) = operands(form, tensor);
        let stored = form.stored() as usize;
        let sum = rounding(Float::F16, Float::F16, form.sums());
        self.set_places(form.sparse, form.a, stored, tensor.reads.last(), file);
        self.take_c(form, c, file);
        let added = std::mem::take(&mut self.c);
        self.c.resize(added.len(), 0);
        self.take_b(form, b, file);
        self.bits.iter_mut().for_each(|bits| *bits = widened(formats[1], *bits));
        self.b.set_columns(sum, &self.bits, COLUMNS);
        self.take_a(form, a, file);
        let all: Vec<u32> = self.bits.iter().map(|bits| widened(formats[0], *bits)).collect();
        let everywhere = std::mem::take(&mut self.places);
        for part in 0..2 {
            self.bits.clear();
            self.places.clear();
            for (row, row_bits) in all.chunks_exact(stored).enumerate() {
                for k in (0..stored).filter(|k| k / 2 % 2 == part) {
                    self.bits.push(row_bits[k]);
                    self.places.push(everywhere.get(row * stored + k).copied().unwrap_or(k as u32));
                }
            }
            self.a.set_rows(sum, &self.bits, stored / 2);
            self.multiply(sum, COLUMNS);
        }
        let format = if sum.half { soft::F16 } else { soft::F32 };
        for (sum, added) in self.c.iter_mut().zip(&added) {
            let total = Value::of((*sum).into(), format).plus(Value::of((*added).into(), format), Round::Nearest);
            *sum = total.rounded(format, Round::Nearest, nan_of(format)) as u32;
        }
        self.give_d(form, &tensor.writes, file);
    }

    fn integers(&mut self, form: Form, tensor: &Tensor, file: Registers) {
        let (a, b, c) = operands(form, tensor);
        self.set_places(form.sparse, form.a, form.stored() as usize, tensor.reads.last(), file);
        self.take_a(form, a, file);
        integer_mma::numbers(form.a, &mut self.bits);
        std::mem::swap(&mut self.left, &mut self.bits);
        self.take_b(form, b, file);
        integer_mma::numbers(form.b, &mut self.bits);
        self.take_c(form, c, file);
        self.multiply_whole(Join::of(form), COLUMNS);
        self.give_d(form, &tensor.writes, file);
    }
}

/// Returns the NaN that arithmetic produces.
fn nan_of(format: soft::FloatFormat) -> u64 {
    format.sign() - 1
}

/// Converts a number to another format, rounded to nearest.
fn converted(bits: u32, from: soft::FloatFormat, to: soft::FloatFormat) -> u32 {
    Value::of(bits.into(), from).rounded(to, Round::Nearest, nan_of(to)) as u32
}

/// Converts a number of an 8-bit format to half precision.
fn widened(format: Float, bits: u32) -> u32 {
    if format == Float::E5M2 {
        return bits << 8;
    }
    if format.special(bits) {
        return nan_of(soft::F16) as u32;
    }
    let (exponent, significand) = format.decode(bits);
    half_nearest(f64::from(significand) * f64::from(exponent - format.fraction_bits as i32).exp2())
}
