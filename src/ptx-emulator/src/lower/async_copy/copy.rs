//! `cp.async`.

use super::{AddressSpace, counted, counted_group};
use crate::LoadError;
use crate::lower::alu::{refuse, take};
use crate::lower::draft::{Lowerer, Meaning};
use crate::program::StateSpace;
use crate::program::async_copy::{AsyncOp, Asynch, Input};
use crate::ptx::{Instruction, Operand};

impl<'a> Lowerer<'a> {
    /// Lowers an instruction; `m` are the modifiers after `cp.async`.
    pub(in crate::lower) fn async_copy(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        match m {
            ["commit_group"] => {
                let [] = take(i)?;
                self.emit_asynch(Asynch::new(AsyncOp::CommitCopies, Vec::new()));
            }
            ["wait_all"] => {
                let [] = take(i)?;
                self.emit_asynch(Asynch::new(AsyncOp::WaitCopies { pending: None }, Vec::new()));
            }
            ["wait_group"] => {
                let pending = counted_group(i)?;
                self.emit_asynch(Asynch::new(AsyncOp::WaitCopies { pending: Some(pending) }, Vec::new()));
            }
            ["mbarrier", "arrive", rest @ ..] => {
                let (noinc, rest) = match rest {
                    ["noinc", rest @ ..] => (true, rest),
                    rest => (false, rest),
                };
                let place = match rest {
                    ["shared" | "shared::cta", "b64"] => AddressSpace::Shared,
                    ["b64"] => AddressSpace::Generic,
                    _ => return refuse(i),
                };
                let [address] = take(i)?;
                let address = self.place(address, place, i)?;
                self.emit_asynch(Asynch::new(AsyncOp::TrackCopies { noinc }, vec![address]));
            }
            ["ca" | "cg", "shared" | "shared::cta", "global", hints @ ..] => self.copy_bytes(m[0], hints, i)?,
            _ => return refuse(i),
        }
        Ok(())
    }

    fn copy_bytes(&mut self, cache: &str, hints: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let mut policy = false;
        for hint in hints {
            match *hint {
                "L2::cache_hint" => policy = true,
                "L2::64B" | "L2::128B" | "L2::256B" => {}
                _ => return refuse(i),
            }
        }
        let (fixed, mut rest) = match i.operands.as_slice() {
            [to, from, Operand::Int(bytes), rest @ ..] => ((to, from, *bytes), rest),
            _ => return Err(i.at.parse("`cp.async` takes two addresses and a size in bytes")),
        };
        let (to, from, bytes) = fixed;
        let fits = if cache == "cg" { bytes == 16 } else { matches!(bytes, 4 | 8 | 16) };
        if !fits {
            return Err(i.at.parse(format!("`cp.async.{cache}` cannot copy {bytes} bytes at once")));
        }
        if policy {
            let [before @ .., policy] = rest else { return Err(i.at.parse("the cache policy is missing")) };
            self.source(policy, 64, i.at)?;
            rest = before;
        }
        let mut size = Input::ABSENT;
        let mut ignore = Input::ABSENT;
        match rest {
            [] => {}
            [Operand::Not(_)] => {
                let slot = self.predicate_source(&rest[0], i.at)?;
                ignore.slot = slot;
            }
            [Operand::Name(name)] if matches!(self.meaning(name), Some(Meaning::Register(v)) if self.bits[v as usize] == 1) =>
            {
                let slot = self.predicate_source(&rest[0], i.at)?;
                ignore.slot = slot;
            }
            [operand] => size = self.value(operand, 32, i)?,
            _ => return Err(i.at.parse("`cp.async` has too many operands")),
        }
        let to = self.place(to, AddressSpace::Shared, i)?;
        let from = self.place(from, AddressSpace::Global, i)?;
        let bytes = bytes as u32;
        let what = Asynch::new(AsyncOp::Copy { bytes, cached: cache == "ca" }, vec![to, from, size, ignore]);
        self.emit_counted(
            what,
            [Some(counted(StateSpace::Shared, bytes, true)), Some(counted(StateSpace::Global, bytes, false))],
        );
        Ok(())
    }
}
