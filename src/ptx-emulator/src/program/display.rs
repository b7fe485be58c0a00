//! Prints a program as text.

use super::operands::Use;
use super::{Inst, NONE, Op, Program};
use crate::arith::Width;
use std::fmt;

/// A register: `p3` is a predicate, `r5` the 32-bit row at word 160, `d5` that row and the next as one 64-bit row.
struct Register(Use);

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Use { slot, width, .. } = self.0;
        match width {
            Width::Absent => f.write_str("-"),
            Width::Predicate => write!(f, "p{slot}"),
            Width::Row => write!(f, "r{}", slot / 32),
            Width::Wide => write!(f, "d{}", slot / 32),
        }
    }
}

/// Prints the whole program: first the rows filled before a block starts, then one instruction per line. Each line
/// shows the index, the registers written and read, the PTX opcode and the PTX line.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.file_words.div_ceil(32);
        writeln!(
            f,
            "{}: instructions {}, rows of 32 lanes {rows}, patterns {}",
            self.name,
            self.code.len(),
            self.patterns
        )?;
        let (shared, local) = (self.shared_bytes, self.local_bytes);
        writeln!(f, "shared memory {shared} bytes, local memory {local} bytes, parameters {} bytes", self.param_bytes)?;
        for fill in &self.fills {
            let to = Use { slot: fill.slot, width: Width::of(fill.wide), writes: true, optional: false };
            writeln!(f, "{:>8} = {:?}", Register(to).to_string(), fill.from)?;
        }
        for (at, inst) in self.code.iter().enumerate() {
            for function in self.functions.iter().filter(|function| function.entry as usize == at) {
                writeln!(f, "{}:", function.name)?;
            }
            self.write_inst(f, at, inst)?;
        }
        Ok(())
    }
}

impl Program {
    fn write_inst(&self, f: &mut fmt::Formatter<'_>, at: usize, inst: &Inst) -> fmt::Result {
        let mut line = format!("{at:>6}  ");
        if inst.guard != NONE {
            line += &format!("@{}p{} ", if inst.flip == 0 { "" } else { "!" }, inst.guard);
        }
        line += &operation(&inst.op);
        let uses = self.uses(inst);
        let list = |writes: bool| -> String {
            let of = uses.iter().filter(|used| used.writes == writes);
            of.map(|used| Register(*used).to_string()).collect::<Vec<_>>().join(", ")
        };
        let (written, read) = (list(true), list(false));
        if !written.is_empty() {
            line += &format!(" {written} <-");
        }
        if !read.is_empty() {
            line += &format!(" {read}");
        }
        line += &self.rest(inst);
        let note = self.notes.get(at);
        let text = note.filter(|note| !note.name.is_empty());
        match text.and_then(|note| Some((note, self.places.get(note.place as usize)?))) {
            Some((note, place)) => writeln!(f, "{line:<56}  ; {} (line {})", note.name, place.ptx_line),
            None => writeln!(f, "{}", line.trim_end()),
        }
    }

    /// Formats everything except registers and the opcode.
    fn rest(&self, inst: &Inst) -> String {
        let joins = |d: u32| if d == NONE { String::new() } else { format!(", reconverge at {d}") };
        match inst.op {
            Op::InvalidatePattern => format!(" pattern {}", inst.x),
            Op::Load | Op::Store | Op::Atomic | Op::Matrix | Op::LoadShared => {
                self.accesses.get(inst.x as usize).map_or_else(String::new, |access| {
                    let (reach, offset, bytes) = (access.reach, access.offset, access.bytes());
                    let atomic = access.atomic.map_or_else(String::new, |kind| format!(" {kind:?}"));
                    let pattern =
                        if access.base == NONE { String::new() } else { format!(", pattern {}", access.pattern) };
                    format!(" {reach:?}{atomic} {offset:+}, {bytes} bytes{pattern}")
                })
            }
            Op::Tensor => self.tensors.get(inst.x as usize).map_or_else(String::new, |t| format!(" {:?}", t.kind)),
            Op::Asynch => {
                self.async_copy.get(inst.x as usize).map_or_else(String::new, |what| format!(" {:?}", what.kind))
            }
            Op::Branch => format!(" to {}{}", inst.x, joins(inst.operands.d)),
            Op::BranchTable => {
                let to = self.tables.get(inst.x as usize);
                format!(" to one of {:?}{}", to.map_or(&[][..], Vec::as_slice), joins(inst.operands.d))
            }
            Op::Call => self.calls.get(inst.x as usize).map_or_else(String::new, |call| {
                let name = |index: u32| self.functions.get(index as usize).map_or("?", |f| f.name.as_str());
                let whom = call.callee.map_or("through a pointer", name);
                format!(" {whom}, back at {}", call.back)
            }),
            Op::Service => {
                self.services.get(inst.x as usize).map_or_else(String::new, |call| format!(" {:?}", call.service))
            }
            Op::Region(run) => self
                .regions
                .get(run as usize)
                .map_or_else(String::new, |region| format!(" up to {}: {} steps", region.end, region.steps.len())),
            Op::Scalar(_) if inst.imm != 0 => format!(", {:#x}", inst.imm),
            Op::Vote | Op::Reduce | Op::Shuffle => format!(", mode {}", inst.x),
            _ => String::new(),
        }
    }
}

/// Formats an operation without its function pointer, because that differs in every run.
fn operation(op: &Op) -> String {
    let name = match op {
        Op::Lanes(..) => "Lanes".to_owned(),
        Op::Scalar(_) => "Scalar".to_owned(),
        Op::Predicate(_) => "Predicate".to_owned(),
        Op::Region(region) => format!("Region({region})"),
        other => format!("{other:?}"),
    };
    format!("{name:<17}")
}
