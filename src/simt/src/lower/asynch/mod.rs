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
use crate::Fault;
use crate::program::asynch::{Asynch, Input};
use crate::program::{Access, Op, Reach};
use crate::ptx::{Instruction, Operand};

/// What an address reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Shared memory, by its own address.
    Shared,
    /// Shared memory, by a generic address.
    Generic,
    Global,
}

/// Whether an instruction is run here.
pub(super) fn is_asynchronous(name: &str, m: &[&str]) -> bool {
    match name {
        "cp" | "mbarrier" | "elect" | "setmaxnreg" | "mapa" | "getctarank" | "tensormap" | "multimem" => true,
        "barrier" => m.first() == Some(&"cluster"),
        "fence" => matches!(m, ["proxy" | "mbarrier_init", ..] | ["acquire" | "release", _, "cluster"]),
        "st" | "red" => m.first() == Some(&"async"),
        _ => false,
    }
}

impl<'a> Lowerer<'a> {
    pub(super) fn asynchronous(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        match (name, m) {
            ("mbarrier", m) => self.mbarrier(m, i),
            ("cp", ["async", "bulk", rest @ ..]) => self.bulk(rest, i),
            ("cp", ["async", rest @ ..]) => self.async_copy(rest, i),
            ("cp", ["reduce", "async", "bulk", rest @ ..]) => self.bulk_reduction(rest, i),
            ("barrier", ["cluster", rest @ ..]) => self.cluster_barrier(rest, i),
            ("fence", m) => self.proxy_fence(m, i),
            ("elect", m) => self.elect(m, i),
            ("setmaxnreg", m) => self.register_count(m, i),
            ("mapa", m) => self.map_address(m, i),
            ("getctarank", m) => self.rank_of_address(m, i),
            ("st", ["async", rest @ ..]) => self.remote_store(rest, i),
            ("red", ["async", rest @ ..]) => self.remote_reduction(rest, i),
            ("tensormap", m) => self.tensor_map(m, i),
            ("multimem", _) => {
                Err(i.at.unsupported(format!("`{}`, which reaches the memories of several devices at once", i.opcode)))
            }
            _ => super::alu::refuse(i),
        }
    }

    fn emit_asynch(&mut self, what: Asynch) {
        self.emit_counted(what, [None, None]);
    }

    fn emit_counted(&mut self, what: Asynch, counted: [Option<Access>; 2]) {
        let mut draft = Draft::new(Op::Asynch);
        draft.asynch = Some(Box::new(AsynchDraft { what, counted }));
        self.emit(draft);
    }

    /// A value of 32 or 64 bits.
    fn value(&mut self, operand: &Operand<'a>, bits: u32, i: &Instruction<'a>) -> Result<Input, Fault> {
        let slot = self.source(operand, bits, i.at)?;
        Ok(Input { slot, wide: bits == 64, offset: 0, generic: false })
    }

    fn row(&self, slot: Virtual) -> Input {
        Input { slot, wide: self.bits[slot as usize] == 64, offset: 0, generic: false }
    }

    /// `[register+offset]` or `[variable+offset]`.
    fn place(&mut self, operand: &Operand<'a>, place: Place, i: &Instruction<'a>) -> Result<Input, Fault> {
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
                if !wide && place != Place::Shared {
                    return Err(i.at.unsupported("a 32-bit address of global or generic memory"));
                }
                Ok(Input { slot, wide, offset: *offset, generic: place == Place::Generic })
            }
            Some(meaning @ Meaning::Shared(_)) if place != Place::Global => {
                let slot = self.address_of(meaning, *offset);
                Ok(self.row(slot))
            }
            Some(meaning @ (Meaning::Global(_) | Meaning::Param(_))) if place == Place::Global => {
                let slot = self.address_of(meaning, *offset);
                Ok(self.row(slot))
            }
            Some(_) => Err(i.at.parse(format!("`{name}` cannot be an address here"))),
            None => Err(i.at.parse(format!("`{name}` is not declared"))),
        }
    }
}

/// An access that is only counted.
fn counted(reach: Reach, bytes: u32, writes: bool) -> Access {
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
        shape: 0,
        offset: 0,
        atomic: None,
        writes,
        spins: false,
        order: crate::arch::Order::WEAK,
        matrix: false,
    }
}

/// The operand of `wait_group`: a constant.
fn counted_group(i: &Instruction<'_>) -> Result<u32, Fault> {
    match i.operands.as_slice() {
        [Operand::Int(count)] => Ok(u32::try_from(*count).unwrap_or(u32::MAX)),
        _ => Err(i.at.parse(format!("`{}` takes one constant", i.opcode))),
    }
}
