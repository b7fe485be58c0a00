//! `cvt`.

use super::alu::{refuse, take, type_of};
use super::draft::{Lowerer, Virtual};
use crate::simt::Fault;
use crate::simt::machine::convert::{self, Conversion};
use crate::simt::machine::soft::Round;
use crate::simt::machine::{half, integer as k, lanes};
use crate::simt::program::Op;
use crate::simt::ptx::{Instruction, Operand};

impl<'a> Lowerer<'a> {
    pub(super) fn convert(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let [flags @ .., to, from] = m else { return refuse(i) };
        if m.first() == Some(&"pack") {
            return self.pack_integers(&m[1..], i);
        }
        if to.starts_with("e4m3") || to.starts_with("e5m2") || from.starts_with("e4m3") || from.starts_with("e5m2") {
            return self.eight(flags, to, from, i);
        }
        let two = matches!(*to, "f16x2" | "bf16x2") && *from == "f32";
        let Some(mut how) = Conversion::between(if two { &to[..to.len() - 2] } else { to }, from) else {
            return refuse(i);
        };
        let mut plain = true;
        for flag in flags {
            plain = false;
            let mut round = |round, integral| (how.round, how.integral) = (round, integral);
            match *flag {
                "rn" => round(Round::Nearest, false),
                "rz" => round(Round::Zero, false),
                "rm" => round(Round::Down, false),
                "rp" => round(Round::Up, false),
                "rna" => round(Round::Away, false),
                "rni" => round(Round::Nearest, true),
                "rzi" => round(Round::Zero, true),
                "rmi" => round(Round::Down, true),
                "rpi" => round(Round::Up, true),
                "sat" => how.sat = true,
                "ftz" => how.ftz = true,
                "relu" => how.relu = true,
                "satfinite" => how.satfinite = true,
                _ => return refuse(i),
            }
        }
        if two {
            let [d, a, b] = take(i)?;
            let d = self.destination(d, 32, i.at)?;
            let s = [self.source(a, 32, i.at)?, self.source(b, 32, i.at)?];
            self.scalar(convert::convert_two, how.pack(), d, &s);
            return Ok(());
        }
        let [d, a] = take(i)?;
        let (d, a) = self.convertible(d, a, to, from, i)?;
        let (d_bits, a_bits) = (self.bits[d as usize], self.bits[a as usize]);
        how.width = d_bits;
        let op = match (*to, *from, flags) {
            ("s64" | "u64", "s32", []) if a_bits == 32 => lanes::<k::WidenS32>(),
            ("s64" | "u64", "u32", []) if a_bits == 32 => lanes::<k::WidenU32>(),
            ("s32" | "u32", "s64" | "u64", []) if plain && d_bits == 32 => lanes::<k::Narrow64>(),
            ("f32", "f32", []) => lanes::<k::Mov32>(),
            ("f64", "f64", []) => lanes::<k::Mov64>(),
            ("f32", "f16", []) => lanes::<half::WidenF16>(),
            ("f32", "bf16", []) => lanes::<half::WidenBf16>(),
            ("f16", "f32", ["rn"]) => lanes::<half::NarrowF16>(),
            ("bf16", "f32", ["rn"]) => lanes::<half::NarrowBf16>(),
            _ => {
                self.scalar(convert::convert, how.pack(), d, &[a]);
                return Ok(());
            }
        };
        self.op(Op::Lanes(op), d, &[a]);
        Ok(())
    }

    /// Registers of a conversion, which may be wider than the types.
    fn convertible(
        &mut self,
        d: &Operand<'a>,
        a: &Operand<'a>,
        to: &str,
        from: &str,
        i: &Instruction<'a>,
    ) -> Result<(Virtual, Virtual), Fault> {
        let bits = |ty: &str| if ty == "tf32" { 32 } else { type_of(ty).map_or(32, |(bits, _)| bits) };
        let (from_bits, to_bits) = (bits(from), bits(to));
        let d = match d {
            Operand::Name("_") => self.fresh(to_bits.max(16)),
            _ => self.register(d, i.at)?.0,
        };
        let a = match a {
            Operand::Name(_) => match self.register(a, i.at) {
                Ok((v, bits)) if bits >= from_bits => v,
                Ok(_) => return Err(i.at.parse("the source register is too narrow")),
                Err(_) => self.source(a, from_bits.max(32), i.at)?,
            },
            _ => self.source(a, from_bits.max(16), i.at)?,
        };
        let has = self.bits[d as usize];
        if has < to_bits || has == 1 {
            return Err(i.at.parse("the destination register is too narrow"));
        }
        Ok((d, a))
    }

    /// `cvt.pack.sat.TO.s32 d, a, b` and `cvt.pack.sat.TO.s32.b32 d, a, b, c`.
    fn pack_integers(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let (["sat", to, "s32"] | ["sat", to, "s32", "b32"]) = m else { return refuse(i) };
        let bits: u64 = match (to.get(1..), m.len()) {
            (Some("16"), 3) => 16,
            (Some("8"), 4) => 8,
            (Some("4"), 4) => 4,
            (Some("2"), 4) => 2,
            _ => return refuse(i),
        };
        let spec = bits | u64::from(to.starts_with('s')) << 8 | u64::from(bits != 16) << 9;
        self.integer_scalar(convert::pack_integers, spec, 32, 32, i, m.len() - 1)
    }

    /// Conversions of two eight-bit floats at once.
    fn eight(&mut self, flags: &[&str], to: &str, from: &str, i: &'a Instruction<'a>) -> Result<(), Fault> {
        let relu = match flags {
            ["rn", "satfinite"] | ["rn"] => 0,
            ["rn", "satfinite", "relu"] | ["rn", "relu"] => 2,
            _ => return refuse(i),
        };
        let satfinite = flags.contains(&"satfinite");
        match (to, from) {
            ("e4m3x2" | "e5m2x2", "f32") if satfinite => {
                let [d, a, b] = take(i)?;
                let d = self.destination(d, 16, i.at)?;
                let s = [self.source(a, 32, i.at)?, self.source(b, 32, i.at)?];
                self.scalar(convert::pack_eight, u64::from(to == "e5m2x2") | relu, d, &s);
            }
            ("e4m3x2" | "e5m2x2", "f16x2") if satfinite => {
                let [d, a] = take(i)?;
                let d = self.destination(d, 16, i.at)?;
                let a = self.source(a, 32, i.at)?;
                self.scalar(convert::pack_eight, u64::from(to == "e5m2x2") | relu | 4, d, &[a]);
            }
            ("f16x2", "e4m3x2" | "e5m2x2") if !satfinite => {
                let [d, a] = take(i)?;
                let d = self.destination(d, 32, i.at)?;
                let a = self.source(a, 16, i.at)?;
                self.scalar(convert::unpack_eight, u64::from(from == "e5m2x2") | relu, d, &[a]);
            }
            _ => return refuse(i),
        }
        Ok(())
    }
}
