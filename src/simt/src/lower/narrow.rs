//! `cvt` to and from floats of eight bits and fewer, and with random rounding.

use super::alu::{refuse, take};
use super::draft::Lowerer;
use crate::Fault;
use crate::arith::narrow;
use crate::arith::narrow::Narrow;
use crate::arith::soft::{BF16, F16, F32};
use crate::ptx::Instruction;

/// Whether a type of `cvt` is one of those.
pub(super) fn is_narrow(ty: &str) -> bool {
    ty == "ue8m0x2" || Narrow::of(ty).is_some()
}

/// `.relu` and `.satfinite`, in either order.
fn limits(flags: &[&str]) -> Option<(bool, bool)> {
    let known = flags.iter().all(|flag| matches!(*flag, "relu" | "satfinite"));
    let relu = flags.contains(&"relu");
    let satfinite = flags.contains(&"satfinite");
    (known && flags.len() == usize::from(relu) + usize::from(satfinite)).then_some((relu, satfinite))
}

impl<'a> Lowerer<'a> {
    /// Two values at once.
    pub(super) fn convert_narrow(
        &mut self,
        flags: &[&str],
        to: &str,
        from: &str,
        i: &'a Instruction<'a>,
    ) -> Result<(), Fault> {
        let [round, flags @ ..] = flags else { return refuse(i) };
        let Some((relu, satfinite)) = limits(flags) else { return refuse(i) };
        let source = match from {
            "f32" => F32,
            "f16x2" => F16,
            "bf16x2" => BF16,
            _ => return self.unpack_narrow((round, relu, satfinite), to, from, i),
        };
        let (function, spec): (crate::program::Scalar, u64) = match (Narrow::of(to), *round) {
            (Some(format), "rn") if satfinite => (narrow::pack, narrow::variant(format, source, relu)),
            (None, "rz" | "rp") if !relu && source != F16 => {
                let up = u64::from(*round == "rp");
                (narrow::pack_powers, u64::from(source == BF16) | up << 1 | u64::from(satfinite) << 2)
            }
            _ => return refuse(i),
        };
        let (d, sources) = if source == F32 {
            let [d, a, b] = take(i)?;
            (d, vec![self.source(a, 32, i.at)?, self.source(b, 32, i.at)?])
        } else {
            let [d, a] = take(i)?;
            (d, vec![self.source(a, 32, i.at)?])
        };
        let d = self.destination(d, 16, i.at)?;
        self.scalar(function, spec, d, &sources);
        Ok(())
    }

    fn unpack_narrow(
        &mut self,
        (round, relu, satfinite): (&str, bool, bool),
        to: &str,
        from: &str,
        i: &'a Instruction<'a>,
    ) -> Result<(), Fault> {
        let (function, spec): (crate::program::Scalar, u64) = match (Narrow::of(from), to) {
            (Some(format), "f16x2") => (narrow::unpack, narrow::variant(format, F16, relu)),
            (None, "bf16x2") if from == "ue8m0x2" && !relu => (narrow::unpack_powers, 0),
            _ => return refuse(i),
        };
        if round != "rn" || satfinite {
            return refuse(i);
        }
        let [d, a] = take(i)?;
        let d = self.destination(d, 32, i.at)?;
        let a = self.source(a, 16, i.at)?;
        self.scalar(function, spec, d, &[a]);
        Ok(())
    }

    /// `cvt.rs`: halves whose last place is decided by random bits that the program gives. Four narrow floats at once
    /// are not supported: the manual leaves open which of the bits each of them takes.
    pub(super) fn convert_random(
        &mut self,
        flags: &[&str],
        to: &str,
        from: &str,
        i: &'a Instruction<'a>,
    ) -> Result<(), Fault> {
        let (["rs", flags @ ..], "f32", "f16x2" | "bf16x2") = (flags, from, to) else { return refuse(i) };
        let Some((relu, satfinite)) = limits(flags) else { return refuse(i) };
        let [d, a, b, random] = take(i)?;
        let (a, b) = (self.source(a, 32, i.at)?, self.source(b, 32, i.at)?);
        let random = self.source(random, 32, i.at)?;
        let d = self.destination(d, 32, i.at)?;
        let bits = if to == "f16x2" { 13 } else { 16 };
        let spec = bits | u64::from(to == "bf16x2") << 8 | u64::from(relu) << 9 | u64::from(satfinite) << 10;
        let upper = self.fresh(32);
        self.scalar(|random, _, _, _| random >> 16, 0, upper, &[random]);
        let halves = [self.fresh(32), self.fresh(32)];
        self.scalar(narrow::random, spec, halves[0], &[b, random]);
        self.scalar(narrow::random, spec, halves[1], &[a, upper]);
        self.scalar(|low, high, _, _| low & 0xffff | high << 16, 0, d, &halves);
        Ok(())
    }
}
