//! Asynchronous copies and `mbarrier` objects.

mod bulk;
mod cluster;
mod copy;
mod form;
mod mbarrier;
mod remote;
mod tensormap;
mod tile;

use super::draft::{AsynchDraft, Draft, Lowerer, Meaning, Virtual};
use crate::LoadError;
use crate::program::async_copy::{Asynch, Input};
use crate::program::{Access, Op, StateSpace};
use crate::ptx::{Instruction, Operand};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AddressSpace {
    /// Shared memory, by its own address.
    Shared,
    /// Shared memory, by a generic address.
    Generic,
    Global,
}

/// True if an instruction accepts only 64-bit addresses.
pub(super) fn needs_long_addresses(name: &str, m: &[&str]) -> bool {
    matches!(name, "cp" | "mbarrier" | "mapa" | "getctarank" | "tensormap")
        || matches!(name, "st" | "red") && m.first() == Some(&"async")
}

impl<'a> Lowerer<'a> {
    pub(super) fn emit_asynch(&mut self, what: Asynch) {
        self.emit_counted(what, [None, None]);
    }

    fn emit_counted(&mut self, what: Asynch, counted: [Option<Access>; 2]) {
        let mut draft = Draft::new(Op::Asynch);
        draft.async_copy = Some(Box::new(AsynchDraft { what, counted }));
        self.emit(draft);
    }

    /// Returns a 32-bit or 64-bit value.
    fn value(&mut self, operand: &Operand<'a>, bits: u32, i: &Instruction<'a>) -> Result<Input, LoadError> {
        let slot = self.source(operand, bits, i.at)?;
        Ok(Input { slot, wide: bits == 64, offset: 0, generic: false })
    }

    fn row(&self, slot: Virtual) -> Input {
        Input { slot, wide: self.bits[slot as usize] == 64, offset: 0, generic: false }
    }

    /// Parses `[register+offset]` or `[variable+offset]`.
    fn place(&mut self, operand: &Operand<'a>, place: AddressSpace, i: &Instruction<'a>) -> Result<Input, LoadError> {
        let Operand::Address(base, offset) = operand else {
            return Err(i.at.parse("an address in brackets is expected"));
        };
        let Some(name) = base else {
            let slot = self.constant(*offset as u64, 64);
            return Ok(self.row(slot));
        };
        match self.meaning(name) {
            Some(Meaning::Register(slot)) if matches!(self.bits[slot as usize], 32 | 64) => {
                let wide = self.bits[slot as usize] == 64;
                if !wide && place != AddressSpace::Shared {
                    return Err(i.at.unsupported("a 32-bit address of global or generic memory"));
                }
                Ok(Input { slot, wide, offset: *offset, generic: place == AddressSpace::Generic })
            }
            Some(meaning @ Meaning::Shared(_)) if place != AddressSpace::Global => {
                let slot = self.address_of(meaning, *offset);
                Ok(self.row(slot))
            }
            Some(meaning @ (Meaning::Global(_) | Meaning::Param(_))) if place == AddressSpace::Global => {
                let slot = self.address_of(meaning, *offset);
                Ok(self.row(slot))
            }
            Some(_) => Err(i.at.parse(format!("`{name}` cannot be an address here"))),
            None => Err(i.at.parse(format!("`{name}` is not declared"))),
        }
    }
}

/// Returns an access that is only counted.
fn counted(reach: StateSpace, bytes: u32, writes: bool) -> Access {
    let none = crate::program::NONE;
    let size = bytes.min(4);
    Access {
        reach,
        size,
        lanes: bytes / size,
        rows: [none; 4],
        wide: false,
        signed: false,
        base: none,
        base_wide: true,
        pattern: 0,
        offset: 0,
        atomic: None,
        writes,
        spins: false,
        returns: false,
        order: crate::arch::Order::WEAK,
        constant: false,
        read_only: false,
        matrix: None,
    }
}

/// Parses the operand of `wait_group`, a constant.
fn counted_group(i: &Instruction<'_>) -> Result<u32, LoadError> {
    match i.operands.as_slice() {
        [Operand::Int(count)] => Ok(u32::try_from(*count).unwrap_or(u32::MAX)),
        _ => Err(i.at.parse(format!("`{}` takes one constant", i.opcode))),
    }
}
