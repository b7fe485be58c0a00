//! `cvta` and `isspacep`: generic addresses.

use super::alu::{refuse, take};
use super::draft::Lowerer;
use crate::LoadError;
use crate::arch;
use crate::arith::{integer as k, lanes};
use crate::program::{Op, Preload, Special};
use crate::ptx::Instruction;

impl<'a> Lowerer<'a> {
    pub(super) fn cvta(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let (bits, ty) = if self.short { (32, "u32") } else { (64, "u64") };
        let [d, a] = take(i)?;
        let d = self.destination(d, bits, i.at)?;
        let a = self.source(a, bits, i.at)?;
        let (to, space) = match m {
            ["to", space, named] if *named == ty => (true, *space),
            [space, named] if *named == ty => (false, *space),
            _ => return refuse(i),
        };
        let window = match (space, self.short) {
            ("global" | "const" | "param" | "param::entry", _) => 0,
            ("shared" | "shared::cta" | "shared::cluster", false) => arch::SHARED_WINDOW,
            ("shared" | "shared::cta" | "shared::cluster", true) => arch::SHARED_WINDOW_32.into(),
            ("local", false) => arch::LOCAL_WINDOW,
            ("local", true) => arch::LOCAL_WINDOW_32.into(),
            _ => return refuse(i),
        };
        let amount = if to { window.wrapping_neg() } else { window };
        let (copy, add) = if self.short {
            (lanes::<k::Mov32>(), lanes::<k::Add32>())
        } else {
            (lanes::<k::Mov64>(), lanes::<k::Add64>())
        };
        if amount == 0 {
            self.op(Op::lanes(copy), d, &[a]);
        } else {
            let amount = self.constant(amount, bits);
            self.op(Op::lanes(add), d, &[a, amount]);
        }
        Ok(())
    }

    pub(super) fn isspacep(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [p, a] = take(i)?;
        let p = self.destination(p, 1, i.at)?;
        let a = self.source(a, if self.short { 32 } else { 64 }, i.at)?;
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
        let inside = if self.short { arch::in_window_32 } else { arch::in_window };
        self.scalar(inside, kind, flag, &[a, rank]);
        self.nonzero(p, flag);
        Ok(())
    }
}
