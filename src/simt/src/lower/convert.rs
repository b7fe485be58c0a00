//! `cvt`.

use super::alu::{refuse, take, type_of};
use super::draft::{Lowerer, Virtual};
use super::narrow::is_narrow;
use crate::Fault;
use crate::arith::convert;
use crate::arith::convert::{Conversion, Number};
use crate::arith::soft::Round;
use crate::arith::{half, integer as k, lanes};
use crate::program::Op;
use crate::ptx::{Instruction, Operand};

/// The rounding that a modifier names, and whether it is one to whole numbers.
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

/// Whether a conversion has such modifiers: a result that may not be exact must say how it is rounded, and nothing may
/// stand there that changes nothing.
fn fits(how: &Conversion, to: &str, from: &str, given: Option<(Round, bool)>) -> bool {
    let single = to == "f32" || from == "f32";
    let bfloat = to == "bf16" || from == "bf16";
    let round = given.map(|(round, _)| round);
    if from == "tf32" || to == "tf32" && from != "f32" {
        return false;
    }
    let (fits_round, fits_sat) = match (how.to(), how.from()) {
        (Number::Int { bits, signed }, Number::Int { bits: old, signed: was_signed }) => {
            let contains = if signed == was_signed { bits >= old } else { signed && bits > old };
            (given.is_none(), !contains)
        }
        (Number::Int { .. }, Number::Float(_)) => (given.is_some_and(|(_, integral)| integral), !bfloat),
        (Number::Float(_), Number::Int { .. }) => {
            (given.is_some_and(|(round, integral)| !integral && round != Round::Away), !bfloat)
        }
        (Number::Float(_), Number::Float(_)) if to == "tf32" => {
            let away = round != Some(Round::Away) || !how.relu;
            let known = matches!(given, Some((Round::Nearest | Round::Zero | Round::Away, false)));
            (away && known, false)
        }
        (Number::Float(a), Number::Float(b)) => {
            let directed = given.is_some_and(|(round, integral)| !integral && round != Round::Away);
            let fits = match (a == b, a.exponent + a.mantissa < b.exponent + b.mantissa) {
                (true, _) => given.is_none_or(|(_, integral)| integral),
                (false, true) => directed,
                // Of bfloat16 and halves neither contains the other.
                (false, false) => given.is_none() || bfloat && directed,
            };
            (fits, !bfloat)
        }
    };
    let limited = how.relu || how.satfinite;
    let fits_limits = !limited
        || from == "f32"
            && matches!(to, "f16" | "bf16" | "tf32")
            && !how.sat
            && !how.ftz
            && (matches!(round, Some(Round::Nearest | Round::Zero)) || to == "tf32");
    fits_round && (fits_sat || !how.sat) && (!how.ftz || single && to != "tf32") && fits_limits
}

impl<'a> Lowerer<'a> {
    pub(super) fn convert(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let [flags @ .., to, from] = m else { return refuse(i) };
        if m.first() == Some(&"pack") {
            return self.pack_integers(&m[1..], i);
        }
        if is_narrow(to) || is_narrow(from) {
            return self.convert_narrow(flags, to, from, i);
        }
        if flags.contains(&"rs") {
            return self.convert_random(flags, to, from, i);
        }
        let two = matches!(*to, "f16x2" | "bf16x2") && *from == "f32";
        let element = if two { &to[..to.len() - 2] } else { to };
        let Some(mut how) = Conversion::between(element, from) else {
            return refuse(i);
        };
        let mut given = None;
        for flag in flags {
            let set = match *flag {
                "sat" => &mut how.sat,
                "ftz" => &mut how.ftz,
                "relu" => &mut how.relu,
                "satfinite" => &mut how.satfinite,
                word => {
                    let Some(round) = rounding(word) else { return refuse(i) };
                    if given.replace(round).is_some() {
                        return refuse(i);
                    }
                    (how.round, how.integral) = round;
                    continue;
                }
            };
            if std::mem::replace(set, true) {
                return refuse(i);
            }
        }
        let directed = matches!(how.round, Round::Nearest | Round::Zero) && given.is_some();
        if !fits(&how, element, from, given) || two && (how.sat || how.ftz || !directed) {
            return refuse(i);
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
            _ => {
                self.scalar(convert::convert, how.pack(), d, &[a]);
                return Ok(());
            }
        };
        self.op(Op::lanes(op), d, &[a]);
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
}
