//! Integer, logic, move, convert and compare instructions.

use super::draft::{Lowerer, Meaning, Virtual};
use crate::LoadError;
use crate::arith::scalar;
use crate::arith::{choice, float, integer as k, lanes, test};
use crate::program::{Op, Preload, Scalar, Special};
use crate::ptx::{At, Instruction, Operand};

/// Returns the number of bits of a type, and true if it is signed. A floating-point type is treated as a bit type.
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

pub(super) fn refuse<T>(i: &Instruction<'_>) -> Result<T, LoadError> {
    Err(i.at.unsupported(format!("`{}`", i.opcode)))
}

/// Checks the number of operands.
pub(super) fn take<'b, 'a, const N: usize>(i: &'b Instruction<'a>) -> Result<&'b [Operand<'a>; N], LoadError> {
    <&[Operand<'a>; N]>::try_from(i.operands.as_slice())
        .map_err(|_| i.at.parse(format!("`{}` takes {N} operands, not {}", i.opcode, i.operands.len())))
}

/// Returns the bits of a type as `mov`, `selp` and vector packing use it.
fn word_bits(ty: &str, i: &Instruction<'_>) -> Result<u32, LoadError> {
    match type_of(ty) {
        Some((bits @ (16 | 32 | 64), _)) if !ty.ends_with("f16") && !ty.ends_with("x2") => Ok(bits),
        _ => refuse(i),
    }
}

impl<'a> Lowerer<'a> {
    fn sources(
        &mut self,
        i: &Instruction<'a>,
        from: usize,
        count: usize,
        bits: u32,
    ) -> Result<Vec<Virtual>, LoadError> {
        if i.operands.len() != from + count {
            let wanted = from + count;
            return Err(i.at.parse(format!("`{}` takes {wanted} operands, not {}", i.opcode, i.operands.len())));
        }
        i.operands[from..].iter().map(|operand| self.source(operand, bits, i.at)).collect()
    }

    pub(super) fn select(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [d, a, b, p] = take(i)?;
        let [ty] = m else { return refuse(i) };
        let bits = word_bits(ty, i)?;
        let d = self.destination(d, bits, i.at)?;
        let (a, b) = (self.source(a, bits, i.at)?, self.source(b, bits, i.at)?);
        if let Operand::Int(p) = p {
            let chosen = if *p == 0 { b } else { a };
            let copy = if bits == 64 { lanes::<k::Mov64>() } else { lanes::<k::Mov32>() };
            self.op(Op::lanes(copy), d, &[chosen]);
            return Ok(());
        }
        let (Operand::Name(p) | Operand::Not(p)) = p else {
            return Err(i.at.parse("the last operand of `selp` is a predicate"));
        };
        let negated = matches!(i.operands[3], Operand::Not(_));
        let p = self.predicate(p, i.at)?;
        let (a, b) = if negated { (b, a) } else { (a, b) };
        let op = if bits == 64 { choice::<u64>() } else { choice::<u32>() };
        self.op(Op::lanes(op), d, &[a, b, p]);
        Ok(())
    }

    pub(super) fn select_by_sign(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [d, a, b, c] = take(i)?;
        let (ty, by, ftz) = match m {
            ["ftz", ty, by @ "f32"] => (ty, by, true),
            [ty, by] => (ty, by, false),
            _ => return refuse(i),
        };
        let bits = word_bits(ty, i)?;
        let d = self.destination(d, bits, i.at)?;
        let (a, b) = (self.source(a, bits, i.at)?, self.source(b, bits, i.at)?);
        let c = self.source(c, 32, i.at)?;
        let c = if ftz {
            let flushed = self.fresh(32);
            self.op(Op::lanes(lanes::<float::FlushF32>()), flushed, &[c]);
            flushed
        } else {
            c
        };
        let zero = self.constant(0, 32);
        let p = self.fresh(1);
        let op = match *by {
            "s32" => test::<k::LeS32>(),
            "f32" => test::<float::LeF32>(),
            _ => return refuse(i),
        };
        self.op(Op::lanes(op), p, &[zero, c]);
        let op = if bits == 64 { choice::<u64>() } else { choice::<u32>() };
        self.op(Op::lanes(op), d, &[a, b, p]);
        Ok(())
    }

    pub(super) fn test_property(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
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

    /// `lop3.b32 d, a, b, c, table` and `lop3.or.b32 d|p, a, b, c, table, q`, where p = (d ≠ 0) or q.
    pub(super) fn lop3(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let (d, p, q, [a, b, c, table]) = match (m, i.operands.as_slice()) {
            (["b32"], [d, rest @ ..]) if rest.len() == 4 => (d, None, None, [&rest[0], &rest[1], &rest[2], &rest[3]]),
            (["or" | "and", "b32"], [Operand::Pair(d, p), rest @ ..]) if rest.len() == 5 => {
                (&**d, Some(&**p), Some(&rest[4]), [&rest[0], &rest[1], &rest[2], &rest[3]])
            }
            (["b32"] | ["or" | "and", "b32"], _) => return Err(i.at.parse("`lop3` has the wrong operands")),
            _ => return refuse(i),
        };
        let Operand::Int(table) = table else { return Err(i.at.parse("the table of `lop3` must be a number")) };
        let s = [self.source(a, 32, i.at)?, self.source(b, 32, i.at)?, self.source(c, 32, i.at)?];
        let q = q.map(|q| self.predicate_source(q, i.at)).transpose()?;
        let d = self.destination(d, 32, i.at)?;
        self.scalar(scalar::lop3, *table & 0xff, d, &s);
        if let (Some(p), Some(q)) = (p, q) {
            let p = self.destination(p, 1, i.at)?;
            let raw = self.fresh(1);
            self.nonzero(raw, d);
            let join: fn(u32, u32, u32) -> u32 = if m[0] == "or" { |a, b, _| a | b } else { |a, b, _| a & b };
            self.op(Op::Predicate(join), p, &[raw, q]);
        }
        Ok(())
    }

    pub(super) fn nonzero(&mut self, p: Virtual, flag: Virtual) {
        let zero = self.constant(0, 32);
        self.op(Op::lanes(test::<k::Ne32>()), p, &[flag, zero]);
    }

    /// `and or xor not cnot`, including those on predicates.
    pub(super) fn bits(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [ty] = m else { return refuse(i) };
        let bits = match (*ty, name) {
            ("pred", "and" | "or" | "xor" | "not") => 1,
            ("b16" | "b32" | "b64", _) => type_of(ty).map_or(32, |(bits, _)| bits),
            _ => return refuse(i),
        };
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
        self.op(Op::lanes(op), d, &s);
        Ok(())
    }

    /// Returns a predicate operand, negated if it is written so, or a constant.
    pub(super) fn predicate_source(&mut self, operand: &Operand<'a>, at: At) -> Result<Virtual, LoadError> {
        match operand {
            Operand::Name("%is_explicit_cluster") => {
                let made = self.fresh(1);
                let flag = self.preload(Preload::Special(Special::ExplicitCluster), 32);
                self.nonzero(made, flag);
                Ok(made)
            }
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

    pub(super) fn mov(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [d, a] = take(i)?;
        if m == ["b128"] {
            return self.mov_quad(d, a, i);
        }
        if let [elements @ ("v2" | "v4"), ty] = m {
            let elements = if *elements == "v2" { 2 } else { 4 };
            return self.mov_vector(elements, word_bits(ty, i)?, i);
        }
        let [ty] = m else { return refuse(i) };
        let bits = if *ty == "pred" { 1 } else { word_bits(ty, i)? };
        if matches!((d, a), (Operand::Vector(_), _) | (_, Operand::Vector(_))) && !ty.starts_with('b') {
            return refuse(i);
        }
        match (d, a) {
            (Operand::Vector(parts), _) => {
                let a = self.source(a, bits, i.at)?;
                let each = part_bits(bits, parts, i)?;
                for (index, part) in parts.iter().enumerate() {
                    let d = self.destination(part, each.max(16), i.at)?;
                    self.scalar(take_part, (index as u64) << 8 | u64::from(each), d, &[a]);
                }
                Ok(())
            }
            (_, Operand::Vector(parts)) => {
                let d = self.destination(d, bits, i.at)?;
                let each = part_bits(bits, parts, i)?;
                let mut sources = Vec::new();
                for part in parts {
                    sources.push(self.source(part, each.max(16), i.at)?);
                }
                match (bits, each) {
                    (16, 8) => self.scalar(|a, b, _, _| a & 0xff | (b & 0xff) << 8, 0, d, &sources),
                    (32, 8) => {
                        let low = self.fresh(32);
                        self.scalar(|a, b, c, _| a & 0xff | (b & 0xff) << 8 | (c & 0xff) << 16, 0, low, &sources[..3]);
                        self.scalar(|a, b, _, _| a | (b & 0xff) << 24, 0, d, &[low, sources[3]]);
                    }
                    (64, 32) => {
                        self.op(Op::lanes(lanes::<k::Join64>()), d, &sources);
                    }
                    (32, 16) => self.scalar(|a, b, _, _| a & 0xffff | b << 16, 0, d, &sources),
                    (64, 16) => {
                        let low = self.fresh(32);
                        let high = self.fresh(32);
                        self.scalar(|a, b, _, _| a & 0xffff | b << 16, 0, low, &sources[..2]);
                        self.scalar(|a, b, _, _| a & 0xffff | b << 16, 0, high, &sources[2..4]);
                        self.op(Op::lanes(lanes::<k::Join64>()), d, &[low, high]);
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
                self.op(Op::lanes(op), d, &[a]);
                Ok(())
            }
        }
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
    ) -> Result<(), LoadError> {
        let Some(d) = i.operands.first() else { return Err(i.at.parse("an operand is missing")) };
        let d = self.destination(d, out, i.at)?;
        let s = self.sources(i, 1, n, bits)?;
        self.scalar(op, imm, d, &s);
        Ok(())
    }
}

/// Returns the bits of each part when a word is packed or unpacked.
fn part_bits(bits: u32, parts: &[Operand<'_>], i: &Instruction<'_>) -> Result<u32, LoadError> {
    match (bits, parts.len()) {
        (16, 2) => Ok(8),
        (32, 2) | (64, 4) => Ok(16),
        (32, 4) => Ok(8),
        (64, 2) => Ok(32),
        _ => Err(i.at.parse("the vector has the wrong length")),
    }
}

fn take_part(a: u64, _: u64, _: u64, spec: u64) -> u64 {
    let (index, bits) = (spec >> 8, spec & 0xff);
    a >> ((index * bits) & 63) & (u64::MAX >> (64 - bits.clamp(1, 64)))
}
