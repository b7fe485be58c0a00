//! Loads, stores and atomics.

use super::alu::{refuse, type_of};
use super::draft::{Draft, Lowerer, Meaning, Virtual};
use super::modifiers::{Modifiers, modifiers};
use crate::LoadError;
use crate::arch::{AtomicKind, Order};
use crate::arith::{integer as k, lanes};
use crate::program::{Access, NONE, Op, Preload, StateSpace};
use crate::ptx::{Instruction, Operand};

pub(super) enum Address {
    /// Bytes of the kernel's parameters.
    Param(u32),
    Memory {
        reach: StateSpace,
        base: Virtual,
        offset: i64,
    },
}

impl<'a> Lowerer<'a> {
    pub(super) fn memory(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let Some(modifiers) = modifiers(name, m) else { return refuse(i) };
        let Modifiers { reach, param, lanes: mut lanes_of, ty, operation, hinted, spins } = modifiers;
        let atomic = matches!(name, "atom" | "red");
        // A 128-bit value is two 64-bit registers.
        let quad = ty == "b128";
        let (bits, signed) = if quad { (64, false) } else { type_of(ty).unwrap_or((32, false)) };
        // With a cache hint, the last operand is the policy.
        let operands = match i.operands.split_last() {
            Some((policy, rest)) if hinted => {
                self.source(policy, 64, i.at)?;
                rest
            }
            _ => i.operands.as_slice(),
        };
        if atomic && quad {
            let kind = match operation {
                Some("exch") => AtomicKind::Exchange,
                _ => AtomicKind::CompareSwap,
            };
            return self.atomic_quad(kind, reach, operands, i);
        }
        if atomic {
            let vector = (lanes_of > 1).then_some(lanes_of as usize);
            return self.atomic(name, reach, operation, (ty, bits), vector, operands, i);
        }
        let store = name == "st";
        let [first, second] = operands else {
            return Err(i.at.parse(format!("`{}` takes an address and a value", i.opcode)));
        };
        let (address, values) = if store { (first, second) } else { (second, first) };
        let address = self.address(address, reach, param, i)?;
        let values: Vec<&Operand<'a>> = match values {
            Operand::Vector(all) if all.len() == lanes_of as usize => all.iter().collect(),
            Operand::Vector(_) => return Err(i.at.parse("the vector has the wrong length")),
            one if lanes_of == 1 => vec![one],
            _ => return Err(i.at.parse("a vector in braces is expected")),
        };
        let mut rows = [NONE; 8];
        let mut width = 0;
        if quad {
            for (at, value) in values.iter().enumerate() {
                rows[2 * at..2 * at + 2].copy_from_slice(&self.quad(value, i)?);
            }
            (lanes_of, width) = (2 * lanes_of, 64);
        }
        for (row, value) in rows.iter_mut().zip(values.iter().filter(|_| !quad)) {
            let (v, has) = match value {
                Operand::Name("_") if !store => (self.fresh(bits.max(16)), bits.max(16)),
                one if self.named_register(one).is_some() => self.register(value, i.at)?,
                _ if store => {
                    let wide = if bits == 64 { 64 } else { 32 };
                    (self.source(value, wide, i.at)?, wide)
                }
                _ => return Err(i.at.parse("the destination must be a register")),
            };
            if has < bits.max(16) && has < bits || has == 1 {
                return Err(i.at.parse("the register is too narrow for the type"));
            }
            if width != 0 && (width == 64) != (has == 64) {
                return refuse(i);
            }
            width = has;
            *row = v;
        }
        match address {
            Address::Param(offset) if !store => {
                for (index, row) in rows.iter().take(lanes_of as usize).enumerate() {
                    let from = Preload::Param { offset: offset + index as u32 * bits / 8, bytes: bits / 8, signed };
                    let has = self.bits[*row as usize];
                    let end = offset + (index as u32 + 1) * bits / 8;
                    if end > self.param_bytes {
                        return Err(i.at.parse("the read goes past the kernel's parameters"));
                    }
                    let source = self.preload(from, has);
                    let op = if has == 64 { lanes::<k::Mov64>() } else { lanes::<k::Mov32>() };
                    self.op(Op::lanes(op), *row, &[source]);
                }
                Ok(())
            }
            Address::Param(_) => Err(i.at.unsupported("a store to a kernel parameter")),
            Address::Memory { reach, base, offset } => {
                let base = if base == NONE { self.constant(0, 64) } else { base };
                let base_wide = self.bits[base as usize] == 64;
                // Split 32 bytes into two accesses of 16, and eight elements into two accesses of four.
                let most = if lanes_of * bits > 128 || lanes_of > 4 { lanes_of / 2 } else { lanes_of };
                let parts = lanes_of / most;
                let base = if parts > 1 && !store {
                    // The first load may overwrite the address register, so keep a copy.
                    let kept = self.fresh(self.bits[base as usize]);
                    let op = if base_wide { lanes::<k::Mov64>() } else { lanes::<k::Mov32>() };
                    self.op(Op::lanes(op), kept, &[base]);
                    kept
                } else {
                    base
                };
                for part in 0..parts {
                    let first = (part * most) as usize;
                    let mut four = [NONE; 4];
                    four[..most as usize].copy_from_slice(&rows[first..first + most as usize]);
                    let mut draft = Draft::new(if store { Op::Store } else { Op::Load });
                    draft.access = Some(Access {
                        reach,
                        size: bits / 8,
                        lanes: most,
                        rows: four,
                        wide: width == 64,
                        signed,
                        base,
                        base_wide,
                        pattern: 0,
                        offset: offset.wrapping_add(i64::from(part * most * bits / 8)),
                        atomic: None,
                        writes: store,
                        spins,
                        returns: false,
                        constant: m.contains(&"const"),
                        read_only: m.contains(&"nc"),
                        matrix: None,
                        order: Order::of(m, false),
                    });
                    self.emit(draft);
                }
                Ok(())
            }
        }
    }

    pub(super) fn address(
        &mut self,
        operand: &Operand<'a>,
        reach: Option<StateSpace>,
        param: bool,
        i: &Instruction<'a>,
    ) -> Result<Address, LoadError> {
        let Operand::Address(base, offset) = operand else {
            return Err(i.at.parse("an address in brackets is expected"));
        };
        let reach_or = reach.unwrap_or(StateSpace::Generic);
        let lengthened = param || matches!(reach_or, StateSpace::Global | StateSpace::Generic);
        let Some(name) = base else {
            if self.short && lengthened {
                let zero = self.constant(0, 32);
                return Ok(self.widen_address(zero, *offset, reach_or));
            }
            return Ok(Address::Memory { reach: reach_or, base: NONE, offset: *offset });
        };
        match self.meaning(name) {
            Some(Meaning::Register(v)) if self.short && lengthened && self.bits[v as usize] == 32 => {
                if param && self.calls.len() > 1 {
                    return Err(i.at.unsupported("a parameter address that is computed"));
                }
                Ok(self.widen_address(v, *offset, if param { StateSpace::Global } else { reach_or }))
            }
            Some(Meaning::Register(_)) if self.short && lengthened => {
                Err(i.at.parse(format!("`{name}` has no address of 32 bits")))
            }
            // The kernel's parameters are in a separate buffer, those of a function in its frame.
            Some(Meaning::Register(v)) if param && self.bits[v as usize] == 64 => {
                let own = if self.framed || self.calls.len() > 1 { StateSpace::Local } else { StateSpace::Global };
                Ok(Address::Memory { reach: own, base: v, offset: *offset })
            }
            Some(Meaning::Register(_)) if param => Err(i.at.unsupported("a parameter address that is computed")),
            Some(Meaning::Register(v)) if matches!(self.bits[v as usize], 32 | 64) => {
                if self.bits[v as usize] == 32 && reach_or == StateSpace::Generic {
                    return Err(i.at.unsupported("a 32-bit generic address"));
                }
                Ok(Address::Memory { reach: reach_or, base: v, offset: *offset })
            }
            Some(Meaning::Param(at)) if param => {
                let at = i64::from(at).checked_add(*offset).and_then(|at| u32::try_from(at).ok());
                at.map(Address::Param).ok_or_else(|| i.at.parse("the offset is outside of the parameters"))
            }
            Some(Meaning::Local(span)) => {
                let base = if self.framed { self.frame() } else { NONE };
                Ok(Address::Memory { reach: StateSpace::Local, base, offset: (span.at as i64).wrapping_add(*offset) })
            }
            Some(meaning @ (Meaning::Shared(_) | Meaning::Global(_))) => {
                let own = if matches!(meaning, Meaning::Shared(_)) { StateSpace::Shared } else { StateSpace::Global };
                let base = match meaning {
                    // Even with 32-bit addresses, the access uses the 64-bit address.
                    Meaning::Global(index) => self.preload(Preload::Global(index), 64),
                    _ => self.address_of(meaning, 0),
                };
                Ok(Address::Memory { reach: own, base, offset: *offset })
            }
            Some(_) => Err(i.at.parse(format!("`{name}` cannot be an address here"))),
            None => Err(i.at.parse(format!("`{name}` is not declared"))),
        }
    }

    /// Returns the memory at a 32-bit address.
    fn widen_address(&mut self, base: Virtual, offset: i64, reach: StateSpace) -> Address {
        let long = self.fresh(64);
        let draft = self.op(Op::WidenAddress, long, &[base]);
        draft.inst.imm = offset as u64;
        draft.inst.x = u32::from(reach == StateSpace::Generic);
        Address::Memory { reach, base: long, offset: 0 }
    }
}
