//! `setp` and `set`.

use super::alu::{refuse, type_of};
use super::draft::{Lowerer, Virtual};
use crate::LoadError;
use crate::arith::{choice, float, half, integer as k, lanes, scalar, test};
use crate::program::Op;
use crate::ptx::{Instruction, Operand};

type Logic = fn(u32, u32, u32) -> u32;

impl<'a> Lowerer<'a> {
    pub(super) fn compare(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
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
        if ftz && !matches!(ty, "f32" | "f16" | "f16x2") {
            return refuse(i);
        }
        let wanted = 3 + usize::from(combine.is_some());
        if i.operands.len() != wanted {
            return Err(i.at.parse(format!("`{}` takes {wanted} operands", i.opcode)));
        }
        let a = self.source(&i.operands[1], bits, i.at)?;
        let b = self.source(&i.operands[2], bits, i.at)?;
        let other = match (combine, i.operands.get(3)) {
            (Some(_), Some(operand)) => {
                // The combined predicate may also be a destination, so keep its old value.
                let other = self.predicate_source(operand, i.at)?;
                let kept = self.fresh(1);
                self.op(Op::Predicate(|a, _, _| a), kept, &[other]);
                Some(kept)
            }
            _ => None,
        };
        let (join, join_not): (Logic, Logic) = match combine {
            Some("and") => (|a, b, _| a & b, |a, b, _| !a & b),
            Some("or") => (|a, b, _| a | b, |a, b, _| !a | b),
            _ => (|a, b, _| a ^ b, |a, b, _| !a ^ b),
        };
        let base = ty.strip_suffix("x2").unwrap_or(ty);
        if let (Some(set_type), true) = (set_type, name == "set") {
            return self.set(set_type, ty, base, relation, other.map(|other| (join, other)), ftz, [a, b], i);
        }
        let (p, q) = match &i.operands[0] {
            Operand::Pair(p, q) => (self.destination(p, 1, i.at)?, Some(self.destination(q, 1, i.at)?)),
            p => (self.destination(p, 1, i.at)?, None),
        };
        if matches!(ty, "f16" | "bf16") && q.is_some() {
            return Err(i.at.parse("comparing two separate halves gives one predicate"));
        }
        if ty.ends_with("x2") {
            // A single predicate receives the result for the lower halves.
            let q = q.unwrap_or_else(|| self.fresh(1));
            let raw = [self.fresh(1), self.fresh(1)];
            for (at, raw) in raw.into_iter().enumerate() {
                self.test_into(raw, relation, base, ftz, [a, b], Some(at as u64), i)?;
            }
            for (d, raw) in [p, q].into_iter().zip(raw) {
                match other {
                    Some(other) => self.op(Op::Predicate(join), d, &[raw, other]),
                    None => self.op(Op::Predicate(|a, _, _| a), d, &[raw]),
                };
            }
            return Ok(());
        }
        if other.is_none() && q.is_none() {
            return self.test_into(p, relation, ty, ftz, [a, b], None, i);
        }
        let raw = self.fresh(1);
        self.test_into(raw, relation, ty, ftz, [a, b], None, i)?;
        match other {
            Some(other) => self.op(Op::Predicate(join), p, &[raw, other]),
            None => self.op(Op::Predicate(|a, _, _| a), p, &[raw]),
        };
        if let Some(q) = q {
            match other {
                Some(other) => self.op(Op::Predicate(join_not), q, &[raw, other]),
                None => self.op(Op::Predicate(|a, _, _| !a), q, &[raw]),
            };
        }
        Ok(())
    }

    /// Compares two operands, or only half `part` of each.
    #[expect(clippy::too_many_arguments, reason = "what a comparison consists of")]
    fn test_into(
        &mut self,
        p: Virtual,
        relation: &str,
        ty: &str,
        ftz: bool,
        operands: [Virtual; 2],
        part: Option<u64>,
        i: &Instruction<'a>,
    ) -> Result<(), LoadError> {
        let [mut a, mut b] = operands;
        let ty = match ty {
            "f16" | "bf16" => {
                // Every half-precision number is exact in single precision.
                let spec = u64::from(ty == "bf16") | part.unwrap_or(0) << 1 | u64::from(ftz) << 2;
                for side in [&mut a, &mut b] {
                    let wide = self.fresh(32);
                    self.scalar(half::to_single, spec, wide, &[*side]);
                    *side = wide;
                }
                "f32"
            }
            "f32" if ftz => {
                for side in [&mut a, &mut b] {
                    let flushed = self.fresh(32);
                    self.op(Op::lanes(lanes::<float::FlushF32>()), flushed, &[*side]);
                    *side = flushed;
                }
                "f32"
            }
            "u16" | "s16" | "b16" => {
                // Compare as 32-bit values with the same signedness.
                let signed = ty == "s16";
                for side in [&mut a, &mut b] {
                    let wide = self.fresh(32);
                    self.scalar(scalar::extend32, scalar::int(16, signed), wide, &[*side]);
                    *side = wide;
                }
                ty
            }
            _ => ty,
        };
        let Some((op, swap)) = relation_of(relation, ty) else { return refuse(i) };
        self.op(Op::lanes(op), p, &if swap { [b, a] } else { [a, b] });
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "what a comparison consists of")]
    fn set(
        &mut self,
        to: &str,
        ty: &str,
        base: &str,
        relation: &str,
        combine: Option<(Logic, Virtual)>,
        ftz: bool,
        operands: [Virtual; 2],
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        let two = ty.ends_with("x2");
        let fits = match ty {
            "f16" => to != "f32",
            "bf16" => !matches!(to, "f32" | "f16"),
            "f16x2" | "bf16x2" => to == ty || matches!(to, "u32" | "s32"),
            _ => !matches!(to, "u16" | "s16"),
        };
        if !fits || ftz && to == "bf16" {
            return refuse(i);
        }
        let (bits, yes) = match (to, two) {
            ("u32" | "s32", false) => (32, 0xffff_ffff),
            ("u16" | "s16", false) => (16, 0xffff),
            ("f32", false) => (32, u64::from(1.0f32.to_bits())),
            ("f16", false) => (16, 0x3c00),
            ("bf16", false) => (16, 0x3f80),
            ("u32" | "s32", true) => (32, 0xffff),
            ("f16x2", true) => (32, 0x3c00),
            ("bf16x2", true) => (32, 0x3f80),
            _ => return refuse(i),
        };
        let d = self.destination(&i.operands[0], bits, i.at)?;
        let no = self.constant(0, bits);
        let mut halves = Vec::new();
        for part in 0..=u64::from(two) {
            let raw = self.fresh(1);
            self.test_into(raw, relation, base, ftz, operands, two.then_some(part), i)?;
            if let Some((join, other)) = combine {
                self.op(Op::Predicate(join), raw, &[raw, other]);
            }
            let yes = self.constant(yes << (16 * part), bits);
            let value = if two { self.fresh(32) } else { d };
            self.op(Op::lanes(choice::<u32>()), value, &[yes, no, raw]);
            halves.push(value);
        }
        if two {
            self.op(Op::lanes(lanes::<k::Or32>()), d, &halves);
        }
        Ok(())
    }
}

/// Returns the handler of a comparison, and true if its operands must be swapped.
fn relation_of(relation: &str, ty: &str) -> Option<(crate::arith::Handler, bool)> {
    use float as g;
    let signed = matches!(ty, "s16" | "s32" | "s64");
    if ty.starts_with('b') && !matches!(relation, "eq" | "ne") {
        return None;
    }
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
