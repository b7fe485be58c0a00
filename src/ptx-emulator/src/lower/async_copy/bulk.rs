//! `cp.async.bulk` and `cp.reduce.async.bulk`: copies of consecutive bytes.

use super::form::Form;
use super::{AddressSpace, counted_group};
use crate::LoadError;
use crate::arch::AtomicKind;
use crate::lower::alu::{refuse, take, type_of};
use crate::lower::atomic::kind_of;
use crate::lower::draft::Lowerer;
use crate::program::async_copy::{AsyncOp, Asynch, Input, Reduce};
use crate::ptx::{Instruction, Operand};

/// Optional operands after the required ones.
#[derive(Default, Clone, Copy)]
pub(super) struct Extras {
    pub(super) barrier: bool,
    /// Number of offsets in braces.
    pub(super) offsets: usize,
    pub(super) multicast: bool,
    pub(super) policy: bool,
    pub(super) bytes_mask: bool,
}

const MBARRIER: &str = "mbarrier::complete_tx::bytes";
const OPERATIONS: &[&str] = &["add", "min", "max", "inc", "dec", "and", "or", "xor"];

impl Extras {
    /// Parses the completion mechanism and its modifiers.
    ///
    /// # Errors
    /// Fails if the instruction has no completion mechanism.
    pub(super) fn of(form: &mut Form<'_>, barrier: bool, i: &Instruction<'_>) -> Result<Self, LoadError> {
        let way = if barrier { MBARRIER } else { "bulk_group" };
        if !form.has(way) {
            return Err(i.at.parse(format!("`{}` lacks `.{way}`, the way in which it completes", i.opcode)));
        }
        let multicast = barrier && form.has("multicast::cluster");
        Ok(Self { barrier, offsets: 0, multicast, policy: form.has("L2::cache_hint"), bytes_mask: false })
    }
}

impl<'a> Lowerer<'a> {
    /// Lowers an instruction; `m` are the modifiers after `cp.async.bulk`.
    pub(in crate::lower) fn bulk(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        match m {
            ["commit_group"] => {
                let [] = take(i)?;
                self.emit_asynch(Asynch::new(AsyncOp::CommitBulk, Vec::new()));
                Ok(())
            }
            ["wait_group", rest @ ..] => {
                let read = match rest {
                    [] => false,
                    ["read"] => true,
                    _ => return refuse(i),
                };
                let pending = counted_group(i)?;
                self.emit_asynch(Asynch::new(AsyncOp::WaitBulk { pending, read }, Vec::new()));
                Ok(())
            }
            ["prefetch", "tensor", rank, "L2", "global", rest @ ..] => self.prefetch_tile(rank, rest, i),
            ["prefetch", "L2", "global", rest @ ..] => self.prefetch(rest, i),
            ["tensor", rank, rest @ ..] => self.tile(rank, rest, i),
            _ => self.linear(m, None, i),
        }
    }

    /// Lowers an instruction; `m` are the modifiers after `cp.reduce.async.bulk`.
    pub(in crate::lower) fn bulk_reduction(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        if let ["tensor", rank, rest @ ..] = m {
            return self.tile_reduction(rank, rest, i);
        }
        let [to, from, rest @ .., ty] = m else { return refuse(i) };
        let mut form = Form::of(rest);
        let Some(operation) = form.one(OPERATIONS) else { return refuse(i) };
        let halves = matches!(*ty, "f16" | "bf16");
        // Sums of halves must have `.noftz`; nothing else may.
        if form.has("noftz") != (halves && operation == "add") {
            return refuse(i);
        }
        let common = *to == "global";
        let Some(reduce) = reduction(operation, ty).filter(|reduce| common || reduces_shared(*reduce, ty)) else {
            return refuse(i);
        };
        let mut linear: Vec<&str> = vec![to, from];
        linear.extend(form.one(&["bulk_group", MBARRIER]));
        linear.extend(form.one(&["L2::cache_hint"]));
        form.end(i)?;
        self.linear(&linear, Some(reduce), i)
    }

    fn linear(&mut self, m: &[&str], reduce: Option<Reduce>, i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [to, from, rest @ ..] = m else { return refuse(i) };
        let mut form = Form::of(rest);
        if form.has("ignore_oob") {
            return Err(i.at.unsupported(format!("`{}`, which leaves out bytes at both ends of a copy", i.opcode)));
        }
        let (kind, places, barrier) = match (*to, *from) {
            ("shared::cluster" | "shared::cta", "global") if reduce.is_none() => {
                (AsyncOp::BulkLoad, [AddressSpace::Shared, AddressSpace::Global], true)
            }
            ("shared::cluster", "shared::cta") => {
                (AsyncOp::BulkShared { reduce }, [AddressSpace::Shared, AddressSpace::Shared], true)
            }
            ("global", "shared::cta") => {
                (AsyncOp::BulkStore { reduce }, [AddressSpace::Global, AddressSpace::Shared], false)
            }
            _ => return refuse(i),
        };
        let mut extras = Extras::of(&mut form, barrier, i)?;
        extras.bytes_mask = !barrier && reduce.is_none() && form.has("cp_mask");
        if (extras.multicast && (*to, *from) != ("shared::cluster", "global"))
            || (extras.policy && *from != "global" && barrier)
        {
            return refuse(i);
        }
        form.end(i)?;
        let [to, from, bytes, rest @ ..] = i.operands.as_slice() else {
            return Err(i.at.parse(format!("`{}` takes two addresses and a size in bytes", i.opcode)));
        };
        if let Operand::Int(bytes) = bytes
            && bytes % 16 != 0
        {
            return Err(i.at.parse(format!("{bytes} bytes cannot be copied in bulk; they must be a multiple of 16")));
        }
        let mut inputs =
            vec![self.place(to, places[0], i)?, self.place(from, places[1], i)?, self.value(bytes, 32, i)?];
        self.ending(&extras, rest, &mut inputs, i)?;
        self.emit_asynch(Asynch::new(kind, inputs));
        Ok(())
    }

    /// Checks the operands of a prefetch, which has no other effect.
    fn prefetch(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let mut form = Form::of(m);
        let extras = Extras { policy: form.has("L2::cache_hint"), ..Extras::default() };
        form.end(i)?;
        let [from, bytes, rest @ ..] = i.operands.as_slice() else {
            return Err(i.at.parse(format!("`{}` takes an address and a size in bytes", i.opcode)));
        };
        self.place(from, AddressSpace::Global, i)?;
        self.value(bytes, 32, i)?;
        self.ending(&extras, rest, &mut Vec::new(), i)?;
        Ok(())
    }

    /// Parses the optional operands of this form: `[mbarrier]`, offsets, mask of blocks, cache policy, mask of bytes.
    /// Returns the offsets and adds the others to the inputs.
    pub(super) fn ending(
        &mut self,
        extras: &Extras,
        mut rest: &[Operand<'a>],
        inputs: &mut Vec<Input>,
        i: &Instruction<'a>,
    ) -> Result<Vec<Input>, LoadError> {
        let mut offsets = Vec::new();
        let mut next = |what: &str| match rest {
            [operand, others @ ..] => {
                rest = others;
                Ok(operand)
            }
            [] => Err(i.at.parse(format!("{what} is missing"))),
        };
        if extras.barrier {
            let barrier = next("the `mbarrier`")?;
            inputs.push(self.place(barrier, AddressSpace::Shared, i)?);
        }
        if extras.offsets != 0 {
            let Operand::Vector(all) = next("the vector of offsets")? else {
                return Err(i.at.parse("offsets in braces are expected"));
            };
            if all.len() != extras.offsets {
                return Err(i.at.parse(format!("{} offsets are expected, not {}", extras.offsets, all.len())));
            }
            offsets = all.iter().map(|offset| self.half_word(offset, i)).collect::<Result<_, _>>()?;
        }
        if extras.multicast {
            let mask = next("the mask of blocks")?;
            inputs.push(self.half_word(mask, i)?);
        }
        if extras.policy {
            let policy = next("the cache policy")?;
            self.source(policy, 64, i.at)?;
        }
        if extras.bytes_mask {
            let mask = next("the mask of bytes")?;
            inputs.push(self.half_word(mask, i)?);
        }
        if rest.is_empty() { Ok(offsets) } else { Err(i.at.parse(format!("`{}` has too many operands", i.opcode))) }
    }

    fn half_word(&mut self, operand: &Operand<'a>, i: &Instruction<'a>) -> Result<Input, LoadError> {
        let slot = self.source(operand, 16, i.at)?;
        Ok(Input { slot, ..Input::ABSENT })
    }
}

/// Returns the reduction of this operation and type, or `None` if no asynchronous reduction has it.
pub(super) fn reduction(operation: &str, ty: &str) -> Option<Reduce> {
    let known = match operation {
        // Signed and unsigned sums have the same bits, but the assembler has no bulk `.add.s64`.
        "add" => ty != "s64",
        _ => true,
    };
    let kind = match kind_of(Some(operation), ty).filter(|_| known)? {
        AtomicKind::AddF32 => AtomicKind::AddF32NoFtz,
        kind => kind,
    };
    Some(Reduce { kind, size: (type_of(ty)?.0 / 8) as u8 })
}

/// True if shared memory supports the reduction: 32-bit integers and 64-bit sums.
pub(super) fn reduces_shared(reduce: Reduce, ty: &str) -> bool {
    matches!(ty, "u32" | "s32" | "b32") || (ty == "u64" && reduce.kind == AtomicKind::Add)
}
