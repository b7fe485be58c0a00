//! Instructions of the tensor cores.

use super::alu::{refuse, take};
use super::draft::{Draft, Lowerer, Virtual};
use super::memory::Address;
use crate::LoadError;
use crate::arith::soft::Round;
use crate::arith::tensor::{Accumulator, Format};
use crate::program::tensor::{Form, Matrices, Quads, Sparse, Tensor, TensorOp};
use crate::program::{Access, NONE, Op, StateSpace};
use crate::ptx::{Instruction, Operand};

impl<'a> Lowerer<'a> {
    pub(super) fn transpose(&mut self, i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [d, a] = take(i)?;
        let d = self.destination(d, 32, i.at)?;
        let a = self.source(a, 32, i.at)?;
        self.emit_tensor(TensorOp::Transpose, vec![d], vec![a], 0);
        Ok(())
    }

    pub(super) fn emit_tensor(&mut self, kind: TensorOp, writes: Vec<Virtual>, reads: Vec<Virtual>, flop: u32) {
        let mut draft = Draft::new(Op::Tensor);
        draft.tensor = Some(Box::new(Tensor { kind, writes, reads }));
        draft.flop = flop;
        self.emit(draft);
    }

    /// Returns source registers, which are in braces, or without them if there is only one.
    pub(super) fn fragment(
        &mut self,
        operand: &Operand<'a>,
        count: usize,
        bits: u32,
        i: &Instruction<'a>,
    ) -> Result<Vec<Virtual>, LoadError> {
        let all = self.members(operand, count, i)?;
        all.iter().map(|operand| self.source(operand, bits, i.at)).collect()
    }

    /// Like [`Self::fragment`], for destination registers.
    pub(super) fn written(
        &mut self,
        operand: &Operand<'a>,
        count: usize,
        bits: u32,
        i: &Instruction<'a>,
    ) -> Result<Vec<Virtual>, LoadError> {
        let all = self.members(operand, count, i)?;
        all.iter().map(|operand| self.destination(operand, bits, i.at)).collect()
    }

    fn members<'b>(
        &self,
        operand: &'b Operand<'a>,
        count: usize,
        i: &Instruction<'a>,
    ) -> Result<&'b [Operand<'a>], LoadError> {
        match operand {
            Operand::Vector(all) if all.len() == count => Ok(all),
            Operand::Vector(all) => {
                let has = all.len();
                Err(i.at.parse(format!("`{}` takes {count} registers here, not {has}", i.opcode)))
            }
            one if count == 1 => Ok(std::slice::from_ref(one)),
            _ => Err(i.at.parse("a vector in braces is expected")),
        }
    }

    pub(super) fn move_matrices(&mut self, store: bool, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let ["sync", "aligned", rest @ ..] = m else { return refuse(i) };
        // The assembler accepts any order; for example, CUTLASS writes the count before the shape.
        let (mut count, mut transposed, mut reach) = (1, false, StateSpace::Generic);
        for modifier in rest {
            match *modifier {
                "x1" => count = 1,
                "x2" => count = 2,
                "x4" => count = 4,
                "trans" => transposed = true,
                "shared" | "shared::cta" => reach = StateSpace::Shared,
                "m8n8" | "b16" => {}
                _ => return refuse(i),
            }
        }
        let [first, second] = take(i)?;
        let (address, registers) = if store { (first, second) } else { (second, first) };
        let registers =
            if store { self.fragment(registers, count, 32, i)? } else { self.written(registers, count, 32, i)? };
        let Address::Memory { reach, base, offset } = self.address(address, Some(reach), false, i)? else {
            return refuse(i);
        };
        let base = if base == NONE { self.constant(0, 64) } else { base };
        let base_wide = self.bits[base as usize] == 64;
        if reach == StateSpace::Generic && !base_wide {
            return Err(i.at.unsupported("a 32-bit generic address"));
        }
        let mut draft = Draft::new(Op::Matrix);
        draft.inst.imm = Matrices { count: count as u32, transposed }.pack();
        draft.access = Some(Access {
            reach,
            size: 4,
            lanes: 4,
            // With fewer than four matrices, the remaining rows repeat and are ignored.
            rows: std::array::from_fn(|row| registers[row % count]),
            wide: false,
            signed: false,
            base,
            base_wide,
            pattern: 0,
            offset,
            atomic: None,
            writes: store,
            spins: false,
            returns: false,
            constant: false,
            read_only: false,
            matrix: Some(transposed),
            order: crate::arch::Order::WEAK,
        });
        self.emit(draft);
        Ok(())
    }

    pub(super) fn multiply(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let (sparse, m) = match m {
            ["sp" | "sp::ordered_metadata", rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        if let ["sync", "aligned", "m8n8k4", a, b, d, "f16", "f16", c] = m
            && !sparse
        {
            return self.quads([a, b, d, c], i);
        }
        let ["sync", "aligned", shape, "row", "col", rest @ ..] = m else { return refuse(i) };
        let Some(mut form) = form_of(shape, rest) else { return refuse(i) };
        let [bits, bits_c] = form.widths();
        let (d, a, b, c) = if sparse {
            let [d, a, b, c, _, selector] = take(i)?;
            // A lane holds 16 bits of metadata for each of two rows. The metadata take two bits per stored element of
            // 8 or 16 bits, two per pair of 4-bit elements, and four per 32-bit element.
            let lanes = match form.a.bits() {
                4 => form.depth / 32,
                32 => form.depth / 8,
                _ => form.depth / 16,
            };
            form.sparse = Some(Sparse { selector: self.selector(selector, lanes, i)? });
            (d, a, b, c)
        } else {
            let [d, a, b, c] = take(i)?;
            (d, a, b, c)
        };
        let [count_a, count_b, count_c, count_d] = form.registers();
        let writes = self.written(d, count_d, bits_c, i)?;
        let mut reads = self.fragment(a, count_a, bits, i)?;
        reads.extend(self.fragment(b, count_b, bits, i)?);
        reads.extend(self.fragment(c, count_c, bits_c, i)?);
        if sparse {
            reads.push(self.source(&i.operands[4], 32, i.at)?);
        }
        self.emit_tensor(TensorOp::Multiply(form), writes, reads, form.flop());
        Ok(())
    }

    /// Parses the sparsity selector, which chooses the lanes of a group of four that hold metadata. `lanes` is their
    /// number.
    pub(super) fn selector(&self, operand: &Operand<'a>, lanes: u32, i: &Instruction<'a>) -> Result<u32, LoadError> {
        let most = 4 / lanes - 1;
        match operand {
            Operand::Int(value) if (0..=i128::from(most)).contains(&(*value as i128)) => Ok(*value as u32),
            _ => Err(i.at.parse(format!("the sparsity selector of `{}` must be at most {most}", i.opcode))),
        }
    }

    /// Lowers `mma.m8n8k4` in half precision. The array holds the layouts of A and B and the formats of D and C.
    fn quads(&mut self, [a, b, d, c]: [&str; 4], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let quads = Quads { a_rows: a == "row", b_rows: b == "row", c_half: c == "f16", d_half: d == "f16" };
        let count = |half: bool| if half { 4 } else { 8 };
        let [d, a, b, c] = take(i)?;
        let writes = self.written(d, count(quads.d_half), 32, i)?;
        let mut reads = self.fragment(a, 2, 32, i)?;
        reads.extend(self.fragment(b, 2, 32, i)?);
        reads.extend(self.fragment(c, count(quads.c_half), 32, i)?);
        // There are four products.
        self.emit_tensor(TensorOp::Quads(quads), writes, reads, 4 * 8 * 8 * 4 * 2 / 32);
        Ok(())
    }
}

/// Parses shape and formats of a product in registers, after `row.col`. The table of forms has checked that they fit
/// together.
fn form_of(shape: &str, m: &[&str]) -> Option<Form> {
    let (rows, depth) = match shape.split_once("n8k")? {
        ("m16", depth) => (16, depth.parse::<u32>().ok()?),
        ("m8", depth) => (8, depth.parse::<u32>().ok()?),
        _ => return None,
    };
    let (saturate, m) = match m {
        ["satfinite", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (round, m) = match m {
        ["rn", rest @ ..] => (Some(Round::Nearest), rest),
        ["rz", rest @ ..] => (Some(Round::Zero), rest),
        ["rm", rest @ ..] => (Some(Round::Down), rest),
        ["rp", rest @ ..] => (Some(Round::Up), rest),
        rest => (None, rest),
    };
    let (join, m) = match m {
        [rest @ .., join @ ("and" | "xor"), "popc"] => (Some(*join), rest),
        rest => (None, rest),
    };
    let [_, a, b, c] = m else { return None };
    let (a, b, sums) = (Format::named(a)?, Format::named(b)?, Accumulator::named(c)?);
    // 32 single-bit elements count as one column.
    let depth = if a == Format::B1 { depth / 32 } else { depth };
    Some(Form {
        saturate,
        differ: join == Some("xor"),
        round: round.unwrap_or(Round::Nearest),
        ..Form::new(rows, depth, a, b, sums)
    })
}
