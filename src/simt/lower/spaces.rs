//! `cvta` and `isspacep`: generic addresses.

use super::alu::{refuse, take};
use super::draft::Lowerer;
use crate::simt::Fault;
use crate::simt::machine::{self, integer as k, lanes};
use crate::simt::program::{Op, Preload, Special};
use crate::simt::ptx::Instruction;

impl<'a> Lowerer<'a> {
    pub(super) fn cvta(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let [d, a] = take(i)?;
        let d = self.destination(d, 64, i.at)?;
        let a = self.source(a, 64, i.at)?;
        let (to, space) = match m {
            ["to", space, "u64"] => (true, *space),
            [space, "u64"] => (false, *space),
            _ => return refuse(i),
        };
        let window = match space {
            "global" | "const" | "param" | "param::entry" => 0,
            "shared" | "shared::cta" | "shared::cluster" => machine::SHARED_WINDOW,
            "local" => machine::LOCAL_WINDOW,
            _ => return refuse(i),
        };
        let amount = if to { window.wrapping_neg() } else { window };
        if amount == 0 {
            self.op(Op::Lanes(lanes::<k::Mov64>()), d, &[a]);
        } else {
            let amount = self.constant(amount, 64);
            self.op(Op::Lanes(lanes::<k::Add64>()), d, &[a, amount]);
        }
        Ok(())
    }

    pub(super) fn isspacep(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let [p, a] = take(i)?;
        let p = self.destination(p, 1, i.at)?;
        let a = self.source(a, 64, i.at)?;
        let kind = match m {
            ["global"] => 0,
            ["shared" | "shared::cta"] => 1,
            ["shared::cluster"] => 4,
            ["local"] => 2,
            ["const" | "param" | "param::entry"] => 3,
            _ => return refuse(i),
        };
        let flag = self.fresh(32);
        let rank = self.preload(Preload::Special(Special::ClusterRank), 32);
        self.scalar(machine::in_window, kind, flag, &[a, rank]);
        self.nonzero(p, flag);
        Ok(())
    }
}
