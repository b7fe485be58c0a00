//! Clusters: addresses of other blocks' shared memory, cluster barriers; also proxy fences.

use super::AddressSpace;
use super::form::Form;
use super::mbarrier::order_of;
use crate::LoadError;
use crate::arch;
use crate::lower::alu::{refuse, take};
use crate::lower::draft::Lowerer;
use crate::program::async_copy::{AsyncOp, Asynch};
use crate::program::{NONE, Op};
use crate::ptx::{Instruction, Operand};

impl<'a> Lowerer<'a> {
    pub(in crate::lower) fn cluster_barrier(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [] = take(i)?;
        let (kind, rest) = match m {
            ["arrive", rest @ ..] => (AsyncOp::ClusterArrive, rest),
            ["wait", rest @ ..] => (AsyncOp::ClusterWait, rest),
            _ => return refuse(i),
        };
        let mut form = Form::of(rest);
        form.has("aligned");
        form.one(if kind == AsyncOp::ClusterArrive { &["release", "relaxed"] } else { &["acquire"] });
        form.end(i)?;
        self.emit_asynch(Asynch { order: order_of(m), ..Asynch::new(kind, Vec::new()) });
        Ok(())
    }

    /// Lowers proxy fences and cluster fences; `m` are the modifiers after `fence`.
    pub(in crate::lower) fn proxy_fence(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        match m {
            ["proxy", "async"] | ["proxy", "async", "global" | "shared::cta" | "shared::cluster"] => {
                let [] = take(i)?;
                self.emit_asynch(Asynch::new(AsyncOp::ProxyFence, Vec::new()));
                Ok(())
            }
            // The emulator's memory is sequentially consistent, and a tensor map is read when it is used.
            ["proxy", "tensormap::generic", "acquire", "cta" | "cluster" | "gpu" | "sys"] => {
                let [map, Operand::Int(128)] = take(i)? else {
                    return Err(i.at.parse("the fence takes the address of a tensor map, which has 128 bytes"));
                };
                self.place(map, AddressSpace::Generic, i).map(|_| ())
            }
            ["proxy", "alias"]
            | ["proxy", "tensormap::generic", "release", "cta" | "cluster" | "gpu" | "sys"]
            | ["mbarrier_init", "release", "cluster"]
            | ["proxy", "async::generic", "acquire", "sync_restrict::shared::cluster", "cluster"]
            | ["proxy", "async::generic", "release", "sync_restrict::shared::cta", "cluster"]
            | ["acquire", "sync_restrict::shared::cluster", "cluster"]
            | ["release", "sync_restrict::shared::cta", "cluster"] => {
                let [] = take(i)?;
                Ok(())
            }
            _ => refuse(i),
        }
    }

    /// `elect.sync`: the lanes of the mask synchronise, and the lowest one is elected.
    pub(in crate::lower) fn elect(&mut self, i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [Operand::Pair(d, p), mask] = i.operands.as_slice() else {
            return Err(i.at.parse("`elect.sync` takes `lane|predicate` and a mask"));
        };
        if **p == Operand::Name("_") {
            return Err(i.at.parse("`elect.sync` gives a predicate; only the lane can be left out"));
        }
        let leader = if **d == Operand::Name("_") { NONE } else { self.destination(d, 32, i.at)? };
        let elected = self.destination(p, 1, i.at)?;
        let members = self.source(mask, 32, i.at)?;
        self.op(Op::Elect, leader, &[NONE, members]).inst.imm = elected.into();
        Ok(())
    }

    pub(in crate::lower) fn register_count(&mut self, i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [Operand::Int(count)] = take(i)? else {
            return Err(i.at.parse("`setmaxnreg` takes a constant"));
        };
        if !(24..=256).contains(count) || count % 8 != 0 {
            return Err(i
                .at
                .parse(format!("{count} registers per thread are not possible; use 24 to 256, in steps of 8")));
        }
        self.emit_asynch(Asynch::new(AsyncOp::Registers { count: *count as u16 }, Vec::new()));
        Ok(())
    }

    /// `mapa`.
    pub(in crate::lower) fn map_address(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [d, a, rank] = take(i)?;
        let (shared, ty) = match m {
            ["shared::cluster", ty] => (true, *ty),
            [ty] => (false, *ty),
            _ => return refuse(i),
        };
        let bits = match ty {
            "u32" if shared => 32,
            "u64" => 64,
            _ => return refuse(i),
        };
        let d = self.destination(d, bits, i.at)?;
        let (a, rank) = (self.source(a, bits, i.at)?, self.source(rank, 32, i.at)?);
        let function = if shared { arch::map_shared } else { arch::map_generic };
        self.scalar(function, 0, d, &[a, rank]);
        Ok(())
    }

    /// `getctarank`.
    pub(in crate::lower) fn rank_of_address(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [d, a] = take(i)?;
        let (shared, ty) = match m {
            ["shared::cluster", ty] => (true, *ty),
            [ty] => (false, *ty),
            _ => return refuse(i),
        };
        let bits = match ty {
            "u32" if shared => 32,
            "u64" => 64,
            _ => return refuse(i),
        };
        let d = self.destination(d, 32, i.at)?;
        let a = self.source(a, bits, i.at)?;
        self.scalar(arch::rank_of, 0, d, &[a]);
        Ok(())
    }
}
