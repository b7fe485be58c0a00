//! Integer, logic, move, convert and compare instructions.

use super::draft::{Lowerer, Meaning, Virtual};
use crate::simt::Fault;
use crate::simt::machine::scalar::{self, Number, Round, int};
use crate::simt::machine::{choice, float, integer as k, lanes, test};
use crate::simt::program::{Op, Scalar};
use crate::simt::ptx::{At, Instruction, Operand};

/// Bits and signedness of an integer or bit type; floats count as bits.
pub(super) fn type_of(ty: &str) -> Option<(u32, bool)> {
    Some(match ty {
        "pred" => (1, false),
        "b8" | "u8" => (8, false),
        "s8" => (8, true),
        "b16" | "u16" | "f16" | "bf16" => (16, false),
        "s16" => (16, true),
        "b32" | "u32" | "f32" | "f16x2" | "bf16x2" => (32, false),
        "s32" => (32, true),
        "b64" | "u64" | "f64" => (64, false),
        "s64" => (64, true),
        _ => return None,
    })
}

pub(super) fn refuse<T>(i: &Instruction<'_>) -> Result<T, Fault> {
    Err(i.at.unsupported(format!("`{}`", i.opcode)))
}

/// Checks the number of operands.
pub(super) fn take<'b, 'a, const N: usize>(i: &'b Instruction<'a>) -> Result<&'b [Operand<'a>; N], Fault> {
    <&[Operand<'a>; N]>::try_from(i.operands.as_slice())
        .map_err(|_| i.at.parse(format!("`{}` takes {N} operands, not {}", i.opcode, i.operands.len())))
}

impl<'a> Lowerer<'a> {
    fn sources(&mut self, i: &Instruction<'a>, from: usize, count: usize, bits: u32) -> Result<Vec<Virtual>, Fault> {
        if i.operands.len() != from + count {
            let wanted = from + count;
            return Err(i.at.parse(format!("`{}` takes {wanted} operands, not {}", i.opcode, i.operands.len())));
        }
        i.operands[from..].iter().map(|operand| self.source(operand, bits, i.at)).collect()
    }

    /// The last modifier as a type.
    fn last_type(&self, m: &[&str], i: &Instruction<'a>) -> Result<(u32, bool), Fault> {
        m.last().and_then(|ty| type_of(ty)).ok_or_else(|| i.at.parse(format!("`{}` has no type", i.opcode)))
    }

    pub(super) fn logic(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        match name {
            "setp" | "set" => self.compare(name, m, i),
            "cvt" => self.convert(m, i),
            "mov" => self.mov(m, i),
            "cvta" => {
                let [d, a] = take(i)?;
                let d = self.destination(d, 64, i.at)?;
                let a = self.source(a, 64, i.at)?;
                let (to, space) = (m.first() == Some(&"to"), m.iter().find(|m| !matches!(**m, "to" | "u64" | "u32")));
                if m.last() != Some(&"u64") {
                    return refuse(i);
                }
                let window = match space.copied() {
                    Some("global" | "const" | "param") => 0,
                    Some("shared" | "shared::cta" | "shared::cluster") => crate::simt::machine::SHARED_WINDOW,
                    Some("local") => crate::simt::machine::LOCAL_WINDOW,
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
            "isspacep" => {
                let [p, a] = take(i)?;
                let p = self.destination(p, 1, i.at)?;
                let a = self.source(a, 64, i.at)?;
                let kind = match m {
                    ["global"] => 0,
                    ["shared" | "shared::cta" | "shared::cluster"] => 1,
                    ["local"] => 2,
                    ["const" | "param" | "param::entry"] => 3,
                    _ => return refuse(i),
                };
                let flag = self.fresh(32);
                self.scalar(crate::simt::machine::in_window, kind, flag, &[a]);
                self.nonzero(p, flag);
                Ok(())
            }
            "selp" => {
                let [d, a, b, p] = take(i)?;
                let (bits, _) = self.last_type(m, i)?;
                let d = self.destination(d, bits, i.at)?;
                let (a, b) = (self.source(a, bits, i.at)?, self.source(b, bits, i.at)?);
                let (Operand::Name(p) | Operand::Not(p)) = p else {
                    return Err(i.at.parse("the last operand of `selp` is a predicate"));
                };
                let negated = matches!(i.operands[3], Operand::Not(_));
                let p = self.predicate(p, i.at)?;
                let (a, b) = if negated { (b, a) } else { (a, b) };
                let op = if bits == 64 { choice::<u64>() } else { choice::<u32>() };
                self.op(Op::Lanes(op), d, &[a, b, p]);
                Ok(())
            }
            "slct" => {
                let [d, a, b, c] = take(i)?;
                let [.., ty, by] = m else { return refuse(i) };
                let (bits, _) = type_of(ty).ok_or_else(|| i.at.parse("`slct` has no type"))?;
                let d = self.destination(d, bits, i.at)?;
                let (a, b) = (self.source(a, bits, i.at)?, self.source(b, bits, i.at)?);
                let c = self.source(c, 32, i.at)?;
                let zero = self.constant(0, 32);
                let p = self.fresh(1);
                let op = match *by {
                    "s32" => test::<k::LeS32>(),
                    "f32" => test::<float::LeF32>(),
                    _ => return refuse(i),
                };
                self.op(Op::Lanes(op), p, &[zero, c]);
                let op = if bits == 64 { choice::<u64>() } else { choice::<u32>() };
                self.op(Op::Lanes(op), d, &[a, b, p]);
                Ok(())
            }
            "testp" => {
                let [p, a] = take(i)?;
                let [kind, ty] = m else { return refuse(i) };
                let kinds = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"];
                let Some(kind) = kinds.iter().position(|k| k == kind) else { return refuse(i) };
                let p = self.destination(p, 1, i.at)?;
                let (bits, op): (u32, Scalar) = match *ty {
                    "f32" => (32, scalar::testp32),
                    "f64" => (64, scalar::testp64),
                    _ => return refuse(i),
                };
                let a = self.source(a, bits, i.at)?;
                let flag = self.fresh(32);
                self.scalar(op, kind as u64, flag, &[a]);
                self.nonzero(p, flag);
                Ok(())
            }
            "lop3" => {
                let [d, a, b, c, table] = take(i)?;
                let (["b32"], Operand::Int(table)) = (m, table) else { return refuse(i) };
                let d = self.destination(d, 32, i.at)?;
                let s = [self.source(a, 32, i.at)?, self.source(b, 32, i.at)?, self.source(c, 32, i.at)?];
                self.scalar(scalar::lop3, *table & 0xff, d, &s);
                Ok(())
            }
            _ => self.bits(name, m, i),
        }
    }

    fn nonzero(&mut self, p: Virtual, flag: Virtual) {
        let zero = self.constant(0, 32);
        self.op(Op::Lanes(test::<k::Ne32>()), p, &[flag, zero]);
    }

    /// `and or xor not cnot`, on predicates too.
    fn bits(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let [ty] = m else { return refuse(i) };
        let Some((bits, _)) = type_of(ty) else { return refuse(i) };
        let Some(d) = i.operands.first() else { return Err(i.at.parse("an operand is missing")) };
        let d = self.destination(d, bits, i.at)?;
        let count = if matches!(name, "not" | "cnot") { 1 } else { 2 };
        if bits == 1 {
            let mut sources = Vec::new();
            for operand in i.operands.iter().skip(1) {
                sources.push(self.predicate_source(operand, i.at)?);
            }
            if sources.len() != count {
                return Err(i.at.parse(format!("`{}` takes {} operands", i.opcode, count + 1)));
            }
            let op: fn(u32, u32, u32) -> u32 = match name {
                "and" => |a, b, _| a & b,
                "or" => |a, b, _| a | b,
                "xor" => |a, b, _| a ^ b,
                "not" => |a, _, _| !a,
                _ => return refuse(i),
            };
            self.op(Op::Predicate(op), d, &sources);
            return Ok(());
        }
        let s = self.sources(i, 1, count, bits)?;
        let op = match (name, bits == 64) {
            ("and", false) => lanes::<k::And32>(),
            ("and", true) => lanes::<k::And64>(),
            ("or", false) => lanes::<k::Or32>(),
            ("or", true) => lanes::<k::Or64>(),
            ("xor", false) => lanes::<k::Xor32>(),
            ("xor", true) => lanes::<k::Xor64>(),
            ("not", false) if bits == 16 => lanes::<k::Not16>(),
            ("not", false) => lanes::<k::Not32>(),
            ("not", true) => lanes::<k::Not64>(),
            _ => {
                let count: Scalar = |a, _, _, _| u64::from(a == 0);
                self.scalar(count, 0, d, &s);
                return Ok(());
            }
        };
        self.op(Op::Lanes(op), d, &s);
        Ok(())
    }

    /// A predicate operand, negated if it says so, or a constant.
    pub(super) fn predicate_source(&mut self, operand: &Operand<'a>, at: At) -> Result<Virtual, Fault> {
        match operand {
            Operand::Name(name) => self.predicate(name, at),
            Operand::Not(name) => {
                let p = self.predicate(name, at)?;
                let inverted = self.fresh(1);
                self.op(Op::Predicate(|a, _, _| !a), inverted, &[p]);
                Ok(inverted)
            }
            Operand::Int(value) => {
                let made = self.fresh(1);
                let op: fn(u32, u32, u32) -> u32 = if *value == 0 { |_, _, _| 0 } else { |_, _, _| u32::MAX };
                self.op(Op::Predicate(op), made, &[]);
                Ok(made)
            }
            _ => Err(at.parse("the operand must be a predicate")),
        }
    }

    fn mov(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let [d, a] = take(i)?;
        let (bits, _) = self.last_type(m, i)?;
        match (d, a) {
            (Operand::Vector(parts), _) => {
                let a = self.source(a, bits, i.at)?;
                let each = bits / parts.len().max(1) as u32;
                for (index, part) in parts.iter().enumerate() {
                    let d = self.destination(part, each, i.at)?;
                    self.scalar(take_part, (index as u64) << 8 | u64::from(each), d, &[a]);
                }
                Ok(())
            }
            (_, Operand::Vector(parts)) => {
                let d = self.destination(d, bits, i.at)?;
                let each = bits / parts.len().max(1) as u32;
                let mut sources = Vec::new();
                for part in parts {
                    sources.push(self.source(part, each, i.at)?);
                }
                match (bits, each) {
                    (64, 32) => {
                        self.op(Op::Lanes(lanes::<k::Join64>()), d, &sources);
                    }
                    (32, 16) => self.scalar(|a, b, _, _| a & 0xffff | b << 16, 0, d, &sources),
                    (64, 16) => {
                        let low = self.fresh(32);
                        let high = self.fresh(32);
                        self.scalar(|a, b, _, _| a & 0xffff | b << 16, 0, low, &sources[..2]);
                        self.scalar(|a, b, _, _| a & 0xffff | b << 16, 0, high, &sources[2..4]);
                        self.op(Op::Lanes(lanes::<k::Join64>()), d, &[low, high]);
                    }
                    _ => return refuse(i),
                }
                Ok(())
            }
            _ if bits == 1 => {
                let p = self.predicate_source(a, i.at)?;
                let d = self.destination(d, 1, i.at)?;
                self.op(Op::Predicate(|a, _, _| a), d, &[p]);
                Ok(())
            }
            _ => {
                let d = self.destination(d, bits, i.at)?;
                let a = self.source(a, bits, i.at)?;
                let op = if bits == 64 { lanes::<k::Mov64>() } else { lanes::<k::Mov32>() };
                self.op(Op::Lanes(op), d, &[a]);
                Ok(())
            }
        }
    }

    fn convert(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let [d, a] = take(i)?;
        let [flags @ .., to, from] = m else { return refuse(i) };
        let number = |ty: &str| match ty {
            "f32" => Some(Number::F32),
            "f64" => Some(Number::F64),
            "f16" | "bf16" | "f16x2" | "bf16x2" | "b8" | "b16" | "b32" | "b64" | "pred" => None,
            _ => type_of(ty).map(|(bits, signed)| Number::Int { bits, signed }),
        };
        let (Some(to_number), Some(from_number)) = (number(to), number(from)) else { return refuse(i) };
        let (mut round, mut integral, mut rounding, mut sat, mut ftz) = (Round::Nearest, false, false, false, false);
        for flag in flags {
            (round, integral) = match *flag {
                "rn" => (Round::Nearest, false),
                "rz" => (Round::Zero, false),
                "rm" => (Round::Down, false),
                "rp" => (Round::Up, false),
                "rni" => (Round::Nearest, true),
                "rzi" => (Round::Zero, true),
                "rmi" => (Round::Down, true),
                "rpi" => (Round::Up, true),
                "sat" => {
                    sat = true;
                    continue;
                }
                "ftz" => {
                    ftz = true;
                    continue;
                }
                _ => return refuse(i),
            };
            rounding = true;
        }
        let (from_bits, _) = type_of(from).unwrap_or((32, false));
        let (to_bits, _) = type_of(to).unwrap_or((32, false));
        // Registers may be wider than the types.
        let (d, d_bits) = match d {
            Operand::Name("_") => (self.fresh(to_bits.max(16)), to_bits.max(16)),
            _ => self.register(d, i.at)?,
        };
        let a = match a {
            Operand::Name(_) => match self.register(a, i.at) {
                Ok((v, bits)) if bits >= from_bits => v,
                Ok(_) => return Err(i.at.parse("the source register is too narrow")),
                Err(_) => self.source(a, from_bits.max(32), i.at)?,
            },
            _ => self.source(a, from_bits.max(16), i.at)?,
        };
        if d_bits < to_bits || d_bits == 1 {
            return Err(i.at.parse("the destination register is too narrow"));
        }
        let a_bits = self.bits[a as usize];
        let plain = !rounding && !sat && !ftz;
        let op = match (*to, *from) {
            ("s64" | "u64", "s32") if plain && a_bits == 32 => lanes::<k::WidenS32>(),
            ("s64" | "u64", "u32") if plain && a_bits == 32 => lanes::<k::WidenU32>(),
            ("s32" | "u32", "s64" | "u64") if plain && d_bits == 32 => lanes::<k::Narrow64>(),
            _ => {
                let imm = scalar::conversion(to_number, from_number, round, integral, sat, ftz, d_bits);
                self.scalar(scalar::convert, imm, d, &[a]);
                return Ok(());
            }
        };
        self.op(Op::Lanes(op), d, &[a]);
        Ok(())
    }

    fn compare(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let mut parts = m.to_vec();
        let ftz = parts.iter().position(|p| *p == "ftz").map(|at| parts.remove(at)).is_some();
        let Some(ty) = parts.pop() else { return refuse(i) };
        let set_type = if name == "set" { parts.pop() } else { None };
        let (relation, combine) = match parts.as_slice() {
            [relation] => (*relation, None),
            [relation, combine @ ("and" | "or" | "xor")] => (*relation, Some(*combine)),
            _ => return refuse(i),
        };
        let (bits, _) = type_of(ty).ok_or_else(|| i.at.parse(format!("`{}` has no type", i.opcode)))?;
        let wanted = 3 + usize::from(combine.is_some());
        if i.operands.len() != wanted {
            return Err(i.at.parse(format!("`{}` takes {wanted} operands", i.opcode)));
        }
        let mut a = self.source(&i.operands[1], bits, i.at)?;
        let mut b = self.source(&i.operands[2], bits, i.at)?;
        if ftz {
            let (x, y) = (self.fresh(32), self.fresh(32));
            self.op(Op::Lanes(lanes::<float::FlushF32>()), x, &[a]);
            self.op(Op::Lanes(lanes::<float::FlushF32>()), y, &[b]);
            (a, b) = (x, y);
        }
        if bits == 16 {
            // Compared as 32-bit values of the same sign.
            let imm = scalar::conversion(
                Number::Int { bits: 32, signed: ty == "s16" },
                Number::Int { bits: 16, signed: ty == "s16" },
                Round::Nearest,
                false,
                false,
                false,
                32,
            );
            let (x, y) = (self.fresh(32), self.fresh(32));
            self.scalar(scalar::convert, imm, x, &[a]);
            self.scalar(scalar::convert, imm, y, &[b]);
            (a, b) = (x, y);
        }
        let Some((op, swap)) = relation_of(relation, ty) else { return refuse(i) };
        let sources = if swap { [b, a] } else { [a, b] };
        let both = match &i.operands[0] {
            Operand::Pair(p, q) if name == "setp" => {
                Some((self.destination(p, 1, i.at)?, self.destination(q, 1, i.at)?))
            }
            _ => None,
        };
        let other = match (combine, i.operands.get(3)) {
            (Some(_), Some(operand)) => Some(self.predicate_source(operand, i.at)?),
            _ => None,
        };
        let join: fn(u32, u32, u32) -> u32 = match combine {
            Some("and") => |a, b, _| a & b,
            Some("or") => |a, b, _| a | b,
            _ => |a, b, _| a ^ b,
        };
        let join_not: fn(u32, u32, u32) -> u32 = match combine {
            Some("and") => |a, b, _| !a & b,
            Some("or") => |a, b, _| !a | b,
            _ => |a, b, _| !a ^ b,
        };
        if both.is_none() && other.is_none() && name == "setp" {
            let p = self.destination(&i.operands[0], 1, i.at)?;
            self.op(Op::Lanes(op), p, &sources);
            return Ok(());
        }
        let raw = self.fresh(1);
        self.op(Op::Lanes(op), raw, &sources);
        if let Some((p, q)) = both {
            // The combined predicate may be a destination too: keep its old value.
            let kept = other.map(|other| {
                let kept = self.fresh(1);
                self.op(Op::Predicate(|a, _, _| a), kept, &[other]);
                kept
            });
            match kept {
                Some(kept) => {
                    self.op(Op::Predicate(join), p, &[raw, kept]);
                    self.op(Op::Predicate(join_not), q, &[raw, kept]);
                }
                None => {
                    self.op(Op::Predicate(|a, _, _| a), p, &[raw]);
                    self.op(Op::Predicate(|a, _, _| !a), q, &[raw]);
                }
            }
            return Ok(());
        }
        let result = if name == "setp" { self.destination(&i.operands[0], 1, i.at)? } else { self.fresh(1) };
        match other {
            Some(other) => self.op(Op::Predicate(join), result, &[raw, other]),
            None => self.op(Op::Predicate(|a, _, _| a), result, &[raw]),
        };
        if name == "set" {
            let yes = match set_type {
                Some("u32" | "s32") => u64::from(u32::MAX),
                Some("f32") => 1.0f32.to_bits().into(),
                _ => return refuse(i),
            };
            let d = self.destination(&i.operands[0], 32, i.at)?;
            let (yes, no) = (self.constant(yes, 32), self.constant(0, 32));
            self.op(Op::Lanes(choice::<u32>()), d, &[yes, no, result]);
        }
        Ok(())
    }

    pub(super) fn is_register(&mut self, name: &'a str) -> bool {
        matches!(self.meaning(name), Some(Meaning::Register(_)))
    }

    pub(super) fn integer_scalar(
        &mut self,
        op: Scalar,
        imm: u64,
        bits: u32,
        out: u32,
        i: &Instruction<'a>,
        n: usize,
    ) -> Result<(), Fault> {
        let Some(d) = i.operands.first() else { return Err(i.at.parse("an operand is missing")) };
        let d = self.destination(d, out, i.at)?;
        let s = self.sources(i, 1, n, bits)?;
        self.scalar(op, imm, d, &s);
        Ok(())
    }
}

fn take_part(a: u64, _: u64, _: u64, spec: u64) -> u64 {
    let (index, bits) = (spec >> 8, spec & 0xff);
    a >> ((index * bits) & 63) & (u64::MAX >> (64 - bits.clamp(1, 64)))
}

/// Handler of a comparison and whether its operands change places.
fn relation_of(relation: &str, ty: &str) -> Option<(crate::simt::machine::Handler, bool)> {
    use float as g;
    let signed = matches!(ty, "s16" | "s32" | "s64");
    Some(match ty {
        "f32" => match relation {
            "eq" => (test::<g::EqF32>(), false),
            "ne" => (test::<g::NeF32>(), false),
            "lt" => (test::<g::LtF32>(), false),
            "le" => (test::<g::LeF32>(), false),
            "gt" => (test::<g::LtF32>(), true),
            "ge" => (test::<g::LeF32>(), true),
            "equ" => (test::<g::EquF32>(), false),
            "neu" => (test::<g::NeuF32>(), false),
            "ltu" => (test::<g::LtuF32>(), false),
            "leu" => (test::<g::LeuF32>(), false),
            "gtu" => (test::<g::LtuF32>(), true),
            "geu" => (test::<g::LeuF32>(), true),
            "num" => (test::<g::NumF32>(), false),
            "nan" => (test::<g::NanF32>(), false),
            _ => return None,
        },
        "f64" => match relation {
            "eq" => (test::<g::EqF64>(), false),
            "ne" => (test::<g::NeF64>(), false),
            "lt" => (test::<g::LtF64>(), false),
            "le" => (test::<g::LeF64>(), false),
            "gt" => (test::<g::LtF64>(), true),
            "ge" => (test::<g::LeF64>(), true),
            "equ" => (test::<g::EquF64>(), false),
            "neu" => (test::<g::NeuF64>(), false),
            "ltu" => (test::<g::LtuF64>(), false),
            "leu" => (test::<g::LeuF64>(), false),
            "gtu" => (test::<g::LtuF64>(), true),
            "geu" => (test::<g::LeuF64>(), true),
            "num" => (test::<g::NumF64>(), false),
            "nan" => (test::<g::NanF64>(), false),
            _ => return None,
        },
        "u64" | "s64" | "b64" => match (relation, signed) {
            ("eq", _) => (test::<k::Eq64>(), false),
            ("ne", _) => (test::<k::Ne64>(), false),
            ("lt", true) => (test::<k::LtS64>(), false),
            ("le", true) => (test::<k::LeS64>(), false),
            ("gt", true) => (test::<k::LtS64>(), true),
            ("ge", true) => (test::<k::LeS64>(), true),
            ("lt" | "lo", false) => (test::<k::LtU64>(), false),
            ("le" | "ls", false) => (test::<k::LeU64>(), false),
            ("gt" | "hi", false) => (test::<k::LtU64>(), true),
            ("ge" | "hs", false) => (test::<k::LeU64>(), true),
            _ => return None,
        },
        "u32" | "s32" | "b32" | "u16" | "s16" | "b16" => match (relation, signed) {
            ("eq", _) => (test::<k::Eq32>(), false),
            ("ne", _) => (test::<k::Ne32>(), false),
            ("lt", true) => (test::<k::LtS32>(), false),
            ("le", true) => (test::<k::LeS32>(), false),
            ("gt", true) => (test::<k::LtS32>(), true),
            ("ge", true) => (test::<k::LeS32>(), true),
            ("lt" | "lo", false) => (test::<k::LtU32>(), false),
            ("le" | "ls", false) => (test::<k::LeU32>(), false),
            ("gt" | "hi", false) => (test::<k::LtU32>(), true),
            ("ge" | "hs", false) => (test::<k::LeU32>(), true),
            _ => return None,
        },
        _ => return None,
    })
}

/// Type constant of the integer scalars.
pub(super) fn int_type(bits: u32, signed: bool) -> u64 {
    int(bits, signed)
}
