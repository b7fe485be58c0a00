//! `cvt` to and from floating-point formats of eight bits and fewer, and with stochastic rounding.

use super::alu::{refuse, take};
use super::draft::Lowerer;
use crate::LoadError;
use crate::arith::narrow;
use crate::arith::narrow::Narrow;
use crate::arith::soft::{BF16, F16, F32};
use crate::ptx::Instruction;

impl<'a> Lowerer<'a> {
    /// Converts two values at once.
    pub(super) fn convert_narrow(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [flags @ .., to, from] = m else { return refuse(i) };
        let (relu, satfinite) = (flags.contains(&"relu"), flags.contains(&"satfinite"));
        let source = match *from {
            "f32" => F32,
            "f16x2" => F16,
            "bf16x2" => BF16,
            _ => return self.unpack_narrow(relu, from, i),
        };
        let (function, spec): (crate::program::Scalar, u64) = match Narrow::of(to) {
            Some(format) => (narrow::pack, narrow::variant(format, source, relu)),
            None => {
                let up = u64::from(flags.contains(&"rp"));
                (narrow::pack_powers, u64::from(source == BF16) | up << 1 | u64::from(satfinite) << 2)
            }
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

    fn unpack_narrow(&mut self, relu: bool, from: &str, i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let (function, spec): (crate::program::Scalar, u64) = match Narrow::of(from) {
            Some(format) => (narrow::unpack, narrow::variant(format, F16, relu)),
            None => (narrow::unpack_powers, 0),
        };
        let [d, a] = take(i)?;
        let d = self.destination(d, 32, i.at)?;
        let a = self.source(a, 16, i.at)?;
        self.scalar(function, spec, d, &[a]);
        Ok(())
    }

    /// Lowers `cvt.rs` to half-precision formats, where random bits from the program decide the rounding. Conversions
    /// to four narrow values at once are not supported, because the manual does not specify which bits each value
    /// uses.
    pub(super) fn convert_random(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let (relu, satfinite) = (m.contains(&"relu"), m.contains(&"satfinite"));
        let bfloat = m.contains(&"bf16x2");
        let [d, a, b, random] = take(i)?;
        let (a, b) = (self.source(a, 32, i.at)?, self.source(b, 32, i.at)?);
        let random = self.source(random, 32, i.at)?;
        let d = self.destination(d, 32, i.at)?;
        let bits = if bfloat { 16 } else { 13 };
        let spec = bits | u64::from(bfloat) << 8 | u64::from(relu) << 9 | u64::from(satfinite) << 10;
        let upper = self.fresh(32);
        self.scalar(|random, _, _, _| random >> 16, 0, upper, &[random]);
        let halves = [self.fresh(32), self.fresh(32)];
        self.scalar(narrow::random, spec, halves[0], &[b, random]);
        self.scalar(narrow::random, spec, halves[1], &[a, upper]);
        self.scalar(|low, high, _, _| low & 0xffff | high << 16, 0, d, &halves);
        Ok(())
    }
}
