//! Integer instructions that are more than a function of their operands. The others are in the table of instructions.

use super::alu::{take, type_of};
use super::draft::Lowerer;
use crate::LoadError;
use crate::arith::{integer as k, lanes, scalar};
use crate::program::Op;
use crate::ptx::{Instruction, Operand};

impl<'a> Lowerer<'a> {
    pub(super) fn add(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let (bits, signed) = m.last().and_then(|ty| type_of(ty)).unwrap_or((32, false));
        self.integer_scalar(scalar::add, scalar::int(bits, signed), bits, bits, i, 2)?;
        let Some(draft) = self.drafts.last_mut() else { return Ok(()) };
        match bits {
            32 => draft.inst.op = Op::lanes(lanes::<k::Add32>()),
            64 => draft.inst.op = Op::lanes(lanes::<k::Add64>()),
            _ => {}
        }
        // An address that a loop advances.
        if let [Operand::Name(d), Operand::Name(a), Operand::Int(by)] = i.operands.as_slice()
            && d == a
        {
            draft.adds = *by as i64;
        }
        Ok(())
    }

    pub(super) fn bit_field_insert(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let bits = if m.contains(&"b64") { 64 } else { 32 };
        let [d, a, b, position, length] = take(i)?;
        let d = self.destination(d, bits, i.at)?;
        let where_to = [self.source(position, 32, i.at)?, self.source(length, 32, i.at)?];
        let packed = self.fresh(64);
        self.op(Op::lanes(lanes::<k::Join64>()), packed, &where_to);
        let s = [self.source(a, bits, i.at)?, self.source(b, bits, i.at)?, packed];
        self.scalar(scalar::bfi, scalar::int(bits, false), d, &s);
        Ok(())
    }
}
