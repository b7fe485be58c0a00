//! Clusters: addresses of other blocks' shared memory, barriers of the cluster; and the fences of proxies.

use super::Place;
use crate::simt::Fault;
use crate::simt::asynch::{Asynch, Kind};
use crate::simt::lower::alu::{refuse, take};
use crate::simt::lower::draft::Lowerer;
use crate::simt::machine::asynch as machine;
use crate::simt::program::{Preload, Special};
use crate::simt::ptx::{Instruction, Operand};

impl<'a> Lowerer<'a> {
    pub(super) fn cluster_barrier(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let [] = take(i)?;
        let (kind, rest) = match m {
            ["arrive", rest @ ..] => (Kind::ClusterArrive, rest),
            ["wait", rest @ ..] => (Kind::ClusterWait, rest),
            _ => return refuse(i),
        };
        if !rest.iter().all(|m| matches!(*m, "aligned" | "relaxed" | "release" | "acquire")) {
            return refuse(i);
        }
        self.emit_asynch(Asynch::new(kind, Vec::new()));
        Ok(())
    }

    /// `fence.proxy…` and `fence.mbarrier_init…`; `m` is what follows `fence`.
    pub(super) fn proxy_fence(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        match m {
            ["proxy", "async" | "async::generic", ..] | ["proxy", "async.global", ..] => {
                self.emit_asynch(Asynch::new(Kind::ProxyFence, Vec::new()));
                Ok(())
            }
            // Memory is sequentially consistent here, and a tensor map is read when it is used.
            ["proxy", "alias" | "tensormap::generic", ..] | ["mbarrier_init", "release", "cluster"] => Ok(()),
            _ => refuse(i),
        }
    }

    pub(super) fn elect(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let (["sync"], [Operand::Pair(d, p), mask]) = (m, i.operands.as_slice()) else { return refuse(i) };
        let mut what = Asynch::new(Kind::Elect, vec![self.value(mask, 32, i)?]);
        what.value = self.destination(d, 32, i.at)?;
        what.predicate = self.destination(p, 1, i.at)?;
        self.emit_asynch(what);
        Ok(())
    }

    /// `setmaxnreg`: how registers are shared out changes no value.
    pub(super) fn register_count(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let ["inc" | "dec", "sync", "aligned", "u32"] = m else { return refuse(i) };
        let [Operand::Int(count)] = take(i)? else {
            return Err(i.at.parse("`setmaxnreg` takes a constant"));
        };
        if !(24..=256).contains(count) || count % 8 != 0 {
            return Err(i.at.parse(format!("{count} registers a thread cannot be; 24 to 256 can, in steps of 8")));
        }
        Ok(())
    }

    /// `mapa`.
    pub(super) fn map_address(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
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
        let function = if shared { machine::map_shared } else { machine::map_generic };
        self.scalar(function, 0, d, &[a, rank]);
        Ok(())
    }

    /// `getctarank`.
    pub(super) fn rank_of_address(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
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
        let own = self.preload(Preload::Special(Special::ClusterRank), 32);
        self.scalar(machine::rank_of, u64::from(!shared), d, &[a, own]);
        Ok(())
    }

    /// `st.async`; `m` is what follows `async`.
    pub(super) fn remote_store(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let (mut lanes, mut ty) = (1usize, None);
        for modifier in m {
            match *modifier {
                "weak" | "shared::cluster" | "mbarrier::complete_tx::bytes" => {}
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                word => ty = Some(word),
            }
        }
        let bits = match ty {
            Some("b32" | "u32" | "s32" | "f32") => 32,
            Some("b64" | "u64" | "s64" | "f64") => 64,
            _ => return refuse(i),
        };
        let [address, values, barrier] = take(i)?;
        let mut inputs = vec![self.place(address, Place::Shared, i)?, self.place(barrier, Place::Shared, i)?];
        let values: Vec<&Operand<'a>> = match values {
            Operand::Vector(all) => all.iter().collect(),
            one => vec![one],
        };
        if values.len() != lanes {
            return Err(i.at.parse("the vector has the wrong length"));
        }
        for value in values {
            inputs.push(self.value(value, bits, i)?);
        }
        self.emit_asynch(Asynch::new(Kind::Remote { size: (bits / 8) as u8 }, inputs));
        Ok(())
    }
}
