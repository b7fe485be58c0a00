//! 128-bit values in pairs of 64-bit registers: moves and atomics.

use super::alu::refuse;
use super::draft::{Draft, Lowerer, Meaning, Virtual};
use super::memory::Address;
use crate::LoadError;
use crate::arch::{AtomicKind, Order};
use crate::arith::{integer as k, lanes};
use crate::program::{Access, NONE, Op, StateSpace};
use crate::ptx::{Instruction, Operand};

impl<'a> Lowerer<'a> {
    /// Returns the two registers of a 128-bit operand, the lower one first.
    pub(super) fn quad(&mut self, operand: &Operand<'a>, i: &Instruction<'a>) -> Result<[Virtual; 2], LoadError> {
        match operand {
            Operand::Name("_") => Ok([self.fresh(64), self.fresh(64)]),
            Operand::Name(name) => match self.meaning(name) {
                Some(Meaning::Quad(low)) => Ok([low, low + 1]),
                _ => Err(i.at.parse(format!("`{name}` is not a register of 128 bits"))),
            },
            _ => Err(i.at.parse("the operand must be a register of 128 bits")),
        }
    }

    /// `mov.b128`: between whole values, or packing from or unpacking into two 64-bit or four 32-bit registers.
    pub(super) fn mov_quad(
        &mut self,
        d: &'a Operand<'a>,
        a: &'a Operand<'a>,
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        match (d, a) {
            (Operand::Vector(parts), a) if matches!(parts.len(), 2 | 4) => {
                let from = self.quad(a, i)?;
                let each = 128 / parts.len() as u32;
                for (at, part) in parts.iter().enumerate() {
                    let d = self.destination(part, each, i.at)?;
                    match each {
                        64 => self.op(Op::lanes(lanes::<k::Mov64>()), d, &[from[at]]),
                        _ if at % 2 == 0 => self.op(Op::lanes(lanes::<k::Narrow64>()), d, &[from[at / 2]]),
                        _ => {
                            self.scalar(|a, _, _, _| a >> 32, 0, d, &[from[at / 2]]);
                            continue;
                        }
                    };
                }
            }
            (d, Operand::Vector(parts)) if matches!(parts.len(), 2 | 4) => {
                let to = self.quad(d, i)?;
                let each = 128 / parts.len() as u32;
                for (d, parts) in to.into_iter().zip(parts.chunks_exact(parts.len() / 2)) {
                    let a = self.source(&parts[0], each, i.at)?;
                    match parts.get(1) {
                        Some(high) => {
                            let high = self.source(high, each, i.at)?;
                            self.op(Op::lanes(lanes::<k::Join64>()), d, &[a, high])
                        }
                        None => self.op(Op::lanes(lanes::<k::Mov64>()), d, &[a]),
                    };
                }
            }
            (Operand::Vector(_), _) | (_, Operand::Vector(_)) => {
                return Err(i.at.parse("the vector has the wrong length"));
            }
            (d, a) => {
                let (from, to) = (self.quad(a, i)?, self.quad(d, i)?);
                for (d, a) in to.into_iter().zip(from) {
                    self.op(Op::lanes(lanes::<k::Mov64>()), d, &[a]);
                }
            }
        }
        Ok(())
    }

    /// `atom.exch.b128` and `atom.cas.b128`.
    pub(super) fn atomic_quad(
        &mut self,
        kind: AtomicKind,
        reach: Option<StateSpace>,
        operands: &'a [Operand<'a>],
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        let modifiers: Vec<&str> = i.opcode.split('.').collect();
        let (d, address, first, second) = match (kind, operands) {
            (AtomicKind::Exchange, [d, address, value]) => (d, address, value, None),
            (AtomicKind::CompareSwap, [d, address, compare, value]) => (d, address, compare, Some(value)),
            _ => return Err(i.at.parse(format!("`{}` has the wrong number of operands", i.opcode))),
        };
        let Address::Memory { reach, base, offset } = self.address(address, reach, false, i)? else {
            return refuse(i);
        };
        if reach == StateSpace::Local {
            return refuse(i);
        }
        let base = if base == NONE { self.constant(0, 64) } else { base };
        let [low, high] = self.quad(first, i)?;
        let [new_low, new_high] = match second {
            Some(second) => self.quad(second, i)?,
            None => [NONE; 2],
        };
        let [d_low, d_high] = self.quad(d, i)?;
        let mut draft = Draft::new(Op::Atomic);
        (draft.inst.operands.a, draft.inst.operands.b) = (low, high);
        draft.access = Some(Access {
            reach,
            size: 8,
            lanes: 2,
            rows: [d_low, d_high, new_low, new_high],
            wide: true,
            signed: false,
            base,
            base_wide: self.bits[base as usize] == 64,
            pattern: 0,
            offset,
            atomic: Some(kind),
            writes: true,
            spins: true,
            returns: false,
            constant: false,
            read_only: false,
            matrix: None,
            order: Order::of(&modifiers, true),
        });
        self.emit(draft);
        Ok(())
    }
}
