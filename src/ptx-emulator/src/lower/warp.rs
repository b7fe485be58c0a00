//! Instructions on a whole warp or block.

use super::alu::{refuse, take};
use super::draft::{Draft, Lowerer, Virtual};
use crate::LoadError;
use crate::arch::Scope;
use crate::program::{Barrier, NONE, Op};
use crate::ptx::{Instruction, Operand};

impl<'a> Lowerer<'a> {
    pub(super) fn warp_wide(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        match name {
            // The emulator's memory is sequentially consistent. Only hazard detection needs the fence.
            "membar" | "fence" => {
                let [] = take(i)?;
                let scope = match (name, m) {
                    ("membar", [scope @ ("cta" | "gl" | "sys")]) => scope,
                    ("fence", [scope] | ["sc" | "acq_rel" | "acquire" | "release", scope]) => scope,
                    ("fence", [scope, "sc" | "acq_rel"]) => scope,
                    ("fence", ["acquire", "sync_restrict::shared::cluster", scope @ "cluster"])
                    | ("fence", ["release", "sync_restrict::shared::cta", scope @ "cluster"]) => scope,
                    _ => return refuse(i),
                };
                let scope = match (name, *scope) {
                    (_, "cta") => Scope::Block,
                    ("fence", "cluster") => Scope::Cluster,
                    ("membar", "gl") | ("fence", "gpu") | (_, "sys") => Scope::Device,
                    _ => return refuse(i),
                };
                self.emit(Draft::new(Op::Fence(scope)));
                Ok(())
            }
            "bar" if m == ["warp", "sync"] => {
                let [mask] = take(i)?;
                let mut draft = Draft::new(Op::WarpSync);
                draft.inst.operands.a = self.member_mask(mask, i)?;
                self.emit(draft);
                Ok(())
            }
            "bar" | "barrier" => self.barrier(m, i),
            "activemask" if m == ["b32"] => {
                let [d] = take(i)?;
                let d = self.destination(d, 32, i.at)?;
                self.op(Op::ActiveMask, d, &[]);
                Ok(())
            }
            "shfl" => self.shuffle(m, i),
            "vote" => self.vote(m, i),
            "match" => self.matches(m, i),
            "redux" => {
                let ["sync", operation, flags @ .., ty] = m else { return refuse(i) };
                let [d, a, mask] = take(i)?;
                let known = matches!(flags, [] | ["abs"] | ["NaN"] | ["abs", "NaN"] | ["NaN", "abs"]);
                if !known || *ty != "f32" && !flags.is_empty() {
                    return refuse(i);
                }
                let d = self.destination(d, 32, i.at)?;
                let s = [self.source(a, 32, i.at)?, self.member_mask(mask, i)?];
                let mode = match (*operation, *ty) {
                    ("min" | "max", "f32") => {
                        let flag = |word, bit: u32| u32::from(flags.contains(&word)) << bit;
                        8 | u32::from(*operation == "max") | flag("NaN", 1) | flag("abs", 2)
                    }
                    ("add", "u32" | "s32") => 0,
                    ("min", "u32") => 1,
                    ("max", "u32") => 2,
                    ("min", "s32") => 3,
                    ("max", "s32") => 4,
                    ("and", "b32") => 5,
                    ("or", "b32") => 6,
                    ("xor", "b32") => 7,
                    _ => return refuse(i),
                };
                self.op(Op::Reduce, d, &s).inst.x = mode;
                Ok(())
            }
            _ => refuse(i),
        }
    }

    fn barrier(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let m = m.strip_prefix(&["cta"]).unwrap_or(m);
        // `.aligned` states that all threads of the warp arrive. For `bar` that is implicit.
        let aligned = i.opcode.starts_with("barrier");
        let kind = match m {
            ["sync"] => Barrier::Sync,
            ["arrive"] => Barrier::Arrive,
            ["red", "popc", "u32"] => Barrier::Count,
            ["red", "and", "pred"] => Barrier::And,
            ["red", "or", "pred"] => Barrier::Or,
            ["sync", "aligned"] if aligned => Barrier::Sync,
            ["arrive", "aligned"] if aligned => Barrier::Arrive,
            ["red", "popc", "aligned", "u32"] if aligned => Barrier::Count,
            ["red", "and", "aligned", "pred"] if aligned => Barrier::And,
            ["red", "or", "aligned", "pred"] if aligned => Barrier::Or,
            _ => return refuse(i),
        };
        let mut draft = Draft::new(Op::Barrier(kind));
        let reduces = matches!(kind, Barrier::Count | Barrier::And | Barrier::Or);
        let mut operands = i.operands.as_slice();
        if reduces {
            let [d, rest @ .., p] = operands else { return Err(i.at.parse("an operand is missing")) };
            let bits = if kind == Barrier::Count { 32 } else { 1 };
            draft.inst.operands.d = self.destination(d, bits, i.at)?;
            draft.inst.operands.c = self.predicate_source(p, i.at)?;
            operands = rest;
        }
        let (number, count) = match operands {
            [number] => (number, None),
            [number, count] => (number, Some(count)),
            _ => return Err(i.at.parse(format!("`{}` has the wrong number of operands", i.opcode))),
        };
        if let Operand::Int(number) = number
            && *number > 15
        {
            return Err(i.at.parse(format!("there is no barrier {number}; they are numbered 0 to 15")));
        }
        draft.inst.operands.a = self.source(number, 32, i.at)?;
        if let Some(Operand::Int(count)) = count
            && count % 32 != 0
        {
            return Err(i.at.parse(format!("{count} threads are not whole warps")));
        }
        draft.inst.operands.b = match count {
            Some(count) => self.source(count, 32, i.at)?,
            None => NONE,
        };
        if kind == Barrier::Arrive && count.is_none() {
            return Err(i.at.parse("`bar.arrive` needs a thread count"));
        }
        self.emit(draft);
        Ok(())
    }

    /// Returns the row with the mask of participating lanes, or `NONE` if all participate.
    fn member_mask(&mut self, mask: &Operand<'a>, i: &Instruction<'a>) -> Result<Virtual, LoadError> {
        match mask {
            Operand::Int(all) if *all as u32 == u32::MAX => Ok(NONE),
            mask => self.source(mask, 32, i.at),
        }
    }

    /// Returns the mask for an instruction without one, as on old devices: the lanes that execute it together.
    fn active_mask(&mut self, i: &Instruction<'_>) -> Result<Virtual, LoadError> {
        if !self.without_sync {
            let what = format!("`{}` without `.sync`, which sm_70 and later devices need", i.opcode);
            return Err(i.at.unsupported(what));
        }
        let here = self.fresh(32);
        self.op(Op::ActiveMask, here, &[]);
        Ok(here)
    }

    fn shuffle(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let (mode, [d, a, b, c], mask) = match m {
            ["sync", mode, "b32"] => {
                let [d, a, b, c, mask] = take(i)?;
                (mode, [d, a, b, c], Some(mask))
            }
            [mode @ ("up" | "down" | "bfly" | "idx"), "b32"] => {
                let [d, a, b, c] = take(i)?;
                (mode, [d, a, b, c], None)
            }
            _ => return refuse(i),
        };
        let mode = match *mode {
            "up" => 0,
            "down" => 1,
            "bfly" => 2,
            "idx" => 3,
            _ => return refuse(i),
        };
        let (d, p) = match d {
            Operand::Pair(d, p) => (self.destination(d, 32, i.at)?, self.destination(p, 1, i.at)?),
            d => (self.destination(d, 32, i.at)?, NONE),
        };
        let s = [self.source(a, 32, i.at)?, self.source(b, 32, i.at)?, self.source(c, 32, i.at)?];
        let members = match mask {
            Some(mask) => self.member_mask(mask, i)?,
            None => self.active_mask(i)?,
        };
        let draft = self.op(Op::Shuffle, d, &s);
        draft.inst.x = mode;
        draft.inst.imm = u64::from(p) | u64::from(members) << 32;
        Ok(())
    }

    fn vote(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let (synced, m) = match m {
            ["sync", rest @ ..] => (true, rest),
            m => (false, m),
        };
        let ([mode @ "ballot", "b32"] | [mode @ ("all" | "any" | "uni"), "pred"]) = m else { return refuse(i) };
        let ([d, p], mask) = if synced {
            let [d, p, mask] = take(i)?;
            ([d, p], Some(mask))
        } else {
            let [d, p] = take(i)?;
            ([d, p], None)
        };
        let (mode, bits) = match *mode {
            "all" => (0, 1),
            "any" => (1, 1),
            "uni" => (2, 1),
            _ => (3, 32),
        };
        let d = self.destination(d, bits, i.at)?;
        let p = self.predicate_source(p, i.at)?;
        let members = match mask {
            Some(mask) => self.member_mask(mask, i)?,
            None => self.active_mask(i)?,
        };
        self.op(Op::Vote, d, &[p, members]).inst.x = mode;
        Ok(())
    }

    fn matches(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [mode @ ("any" | "all"), "sync", ty @ ("b32" | "b64")] = m else { return refuse(i) };
        let [d, a, mask] = take(i)?;
        let bits = if *ty == "b64" { 64 } else { 32 };
        let (d, p) = match d {
            Operand::Pair(_, _) if *mode == "any" => return refuse(i),
            Operand::Pair(d, p) => (self.destination(d, 32, i.at)?, self.destination(p, 1, i.at)?),
            d => (self.destination(d, 32, i.at)?, NONE),
        };
        let s = [self.source(a, bits, i.at)?, self.member_mask(mask, i)?];
        let draft = self.op(Op::Match, d, &s);
        draft.inst.x = u32::from(bits == 64) | u32::from(*mode == "all") << 1;
        draft.inst.imm = u64::from(p);
        Ok(())
    }
}
