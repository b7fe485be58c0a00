//! Instructions of the tensor cores.

use super::alu::{refuse, take};
use super::draft::{Draft, Lowerer, Virtual};
use super::memory::Address;
use crate::simt::Fault;
use crate::simt::machine::tensor::{Accumulator, Float, Form, Format, Kind, Matrices, Tensor};
use crate::simt::program::{Access, NONE, Op, Reach};
use crate::simt::ptx::{Instruction, Operand};

impl<'a> Lowerer<'a> {
    pub(super) fn tensor(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        match name {
            "ldmatrix" | "stmatrix" => self.move_matrices(name == "stmatrix", m, i),
            "movmatrix" => {
                let ["sync", "aligned", "m8n8", "trans", "b16"] = m else { return refuse(i) };
                let [d, a] = take(i)?;
                let d = self.destination(d, 32, i.at)?;
                let a = self.source(a, 32, i.at)?;
                self.emit_tensor(Kind::Transpose, vec![d], vec![a], 0);
                Ok(())
            }
            "wgmma" => self.warpgroup(m, i),
            "wmma" => self.wmma(m, i),
            _ => self.multiply(m, i),
        }
    }

    pub(super) fn emit_tensor(&mut self, kind: Kind, writes: Vec<Virtual>, reads: Vec<Virtual>, flop: u32) {
        let mut draft = Draft::new(Op::Tensor);
        draft.tensor = Some(Box::new(Tensor { kind, writes, reads }));
        draft.flop = flop;
        self.emit(draft);
    }

    /// Source registers, in braces or, if it is one, alone.
    pub(super) fn fragment(
        &mut self,
        operand: &Operand<'a>,
        count: usize,
        bits: u32,
        i: &Instruction<'a>,
    ) -> Result<Vec<Virtual>, Fault> {
        let all = self.members(operand, count, i)?;
        all.iter().map(|operand| self.source(operand, bits, i.at)).collect()
    }

    /// As [`Self::fragment`], for registers that are written.
    pub(super) fn written(
        &mut self,
        operand: &Operand<'a>,
        count: usize,
        bits: u32,
        i: &Instruction<'a>,
    ) -> Result<Vec<Virtual>, Fault> {
        let all = self.members(operand, count, i)?;
        all.iter().map(|operand| self.destination(operand, bits, i.at)).collect()
    }

    fn members<'b>(
        &self,
        operand: &'b Operand<'a>,
        count: usize,
        i: &Instruction<'a>,
    ) -> Result<&'b [Operand<'a>], Fault> {
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

    fn move_matrices(&mut self, store: bool, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let ["sync", "aligned", "m8n8", count, rest @ .., "b16"] = m else { return refuse(i) };
        let count = match *count {
            "x1" => 1,
            "x2" => 2,
            "x4" => 4,
            _ => return refuse(i),
        };
        let (transposed, rest) = match rest {
            ["trans", rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let reach = match rest {
            ["shared" | "shared::cta"] => Reach::Shared,
            [] => Reach::Generic,
            _ => return refuse(i),
        };
        let [first, second] = take(i)?;
        let (address, registers) = if store { (first, second) } else { (second, first) };
        let registers =
            if store { self.fragment(registers, count, 32, i)? } else { self.written(registers, count, 32, i)? };
        let Address::Memory { reach, base, offset } = self.address(address, Some(reach), false, i)? else {
            return refuse(i);
        };
        let base = if base == NONE { self.constant(0, 64) } else { base };
        let base_wide = self.bits[base as usize] == 64;
        if reach == Reach::Generic && !base_wide {
            return Err(i.at.unsupported("a 32-bit generic address"));
        }
        let mut draft = Draft::new(Op::Matrix);
        draft.inst.imm = Matrices { count: count as u32, transposed }.pack();
        draft.access = Some(Access {
            reach,
            size: 4,
            lanes: 4,
            // Fewer than four matrices: the rest of the rows repeat, and are not looked at.
            rows: std::array::from_fn(|row| registers[row % count]),
            wide: false,
            signed: false,
            base,
            base_wide,
            shape: 0,
            offset,
            atomic: None,
            writes: store,
            spins: false,
            matrix: true,
            order: crate::simt::program::Order::WEAK,
        });
        self.emit(draft);
        Ok(())
    }

    fn multiply(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let ["sync", "aligned", shape, "row", "col", rest @ ..] = m else { return refuse(i) };
        let (saturate, rest) = match rest {
            ["satfinite", rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let [d, a, b, c] = rest else { return refuse(i) };
        let (Some(a), Some(b), Some(depth)) = (Format::named(a), Format::named(b), depth_of(shape)) else {
            return refuse(i);
        };
        let rows = if shape.starts_with("m16") { 16 } else { 8 };
        let c = match (*c, *d) {
            ("f32", "f32") => Accumulator::F32,
            ("f16", "f16") => Accumulator::F16,
            ("s32", "s32") => Accumulator::S32,
            ("f64", "f64") => Accumulator::F64,
            _ => return refuse(i),
        };
        let known = match (a, c) {
            (Format::Float(Float::F16), Accumulator::F32 | Accumulator::F16)
            | (Format::Float(Float::BF16), Accumulator::F32) => a == b && rows == 16 && matches!(depth, 8 | 16),
            (Format::Float(Float::TF32), Accumulator::F32) => a == b && rows == 16 && matches!(depth, 4 | 8),
            (Format::S8 | Format::U8, Accumulator::S32) => {
                matches!(b, Format::S8 | Format::U8) && matches!((rows, depth), (8 | 16, 16) | (16, 32))
            }
            (Format::F64, Accumulator::F64) => a == b && matches!((rows, depth), (8 | 16, 4) | (16, 8 | 16)),
            _ => false,
        };
        if !known || (saturate && c != Accumulator::S32) {
            return refuse(i);
        }
        let form = Form { rows, depth, a, b, c, saturate };
        let [count_a, count_b, count_c] = form.registers();
        let [bits, bits_c] = form.widths();
        let [d, a, b, c] = take(i)?;
        let writes = self.written(d, count_c, bits_c, i)?;
        let mut reads = self.fragment(a, count_a, bits, i)?;
        reads.extend(self.fragment(b, count_b, bits, i)?);
        reads.extend(self.fragment(c, count_c, bits_c, i)?);
        self.emit_tensor(Kind::Multiply(form), writes, reads, form.flop());
        Ok(())
    }
}

/// The depth of a shape with eight columns.
fn depth_of(shape: &str) -> Option<u32> {
    let rest = shape.strip_prefix("m16n8k").or_else(|| shape.strip_prefix("m8n8k"))?;
    rest.parse().ok().filter(|depth| matches!(depth, 4 | 8 | 16 | 32))
}
