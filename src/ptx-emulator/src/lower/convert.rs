//! `cvt`.

use super::alu::{refuse, take, type_of};
use super::draft::{Lowerer, Virtual};
use crate::LoadError;
use crate::arith::convert;
use crate::arith::convert::Conversion;
use crate::arith::soft::Round;
use crate::arith::{half, integer as k, lanes};
use crate::program::Op;
use crate::ptx::{Instruction, Operand};

/// Returns the rounding that a modifier names, and true if it rounds to an integer.
fn rounding(word: &str) -> Option<(Round, bool)> {
    Some(match word {
        "rn" => (Round::Nearest, false),
        "rz" => (Round::Zero, false),
        "rm" => (Round::Down, false),
        "rp" => (Round::Up, false),
        "rna" => (Round::Away, false),
        "rni" => (Round::Nearest, true),
        "rzi" => (Round::Zero, true),
        "rmi" => (Round::Down, true),
        "rpi" => (Round::Up, true),
        _ => return None,
    })
}

impl<'a> Lowerer<'a> {
    pub(super) fn convert(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [flags @ .., to, from] = m else { return refuse(i) };
        let two = matches!(*to, "f16x2" | "bf16x2") && *from == "f32";
        let element = if two { &to[..to.len() - 2] } else { to };
        let Some(mut how) = Conversion::between(element, from) else {
            return refuse(i);
        };
        for flag in flags {
            match *flag {
                "sat" => how.sat = true,
                "ftz" => how.ftz = true,
                "relu" => how.relu = true,
                "satfinite" => how.satfinite = true,
                word => {
                    let Some(round) = rounding(word) else { return refuse(i) };
                    (how.round, how.integral) = round;
                }
            }
        }
        let plain = flags.is_empty();
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
            ("tf32", "f32", ["rna"]) if d_bits == 32 && a_bits == 32 => lanes::<half::NarrowTf32>(),
            _ => {
                self.scalar(convert::convert, how.pack(), d, &[a]);
                return Ok(());
            }
        };
        self.op(Op::lanes(op), d, &[a]);
        Ok(())
    }

    /// Returns the registers of a conversion, which may be wider than the types.
    fn convertible(
        &mut self,
        d: &Operand<'a>,
        a: &Operand<'a>,
        to: &str,
        from: &str,
        i: &Instruction<'a>,
    ) -> Result<(Virtual, Virtual), LoadError> {
        let bits = |ty: &str| if ty == "tf32" { 32 } else { type_of(ty).map_or(32, |(bits, _)| bits) };
        let (from_bits, to_bits) = (bits(from), bits(to));
        let d = match d {
            Operand::Name("_") => self.fresh(to_bits.max(16)),
            _ => self.register(d, i.at)?.0,
        };
        let a = match a {
            Operand::Name(_) | Operand::Element(..) => match self.register(a, i.at) {
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
    pub(super) fn pack_integers(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [_, _, to, ..] = m else { return refuse(i) };
        let bits: u64 = match to.get(1..) {
            Some("16") => 16,
            Some("8") => 8,
            Some("4") => 4,
            _ => 2,
        };
        let spec = bits | u64::from(to.starts_with('s')) << 8 | u64::from(bits != 16) << 9;
        self.integer_scalar(convert::pack_integers, spec, 32, 32, i, if bits == 16 { 2 } else { 3 })
    }
}
