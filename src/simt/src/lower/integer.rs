//! Integer arithmetic and bit-field instructions.

use super::alu::{int_type, refuse, take, type_of};
use super::draft::Lowerer;
use crate::Fault;
use crate::arith::{integer as k, lanes, scalar};
use crate::program::{Op, Scalar};
use crate::ptx::{Instruction, Operand};

impl<'a> Lowerer<'a> {
    pub(super) fn integer(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        // `.relu` may stand behind the type.
        let relu_last: Vec<&str>;
        let m = match m {
            [ty @ ("s16x2" | "s32"), "relu"] if matches!(name, "min" | "max") => {
                relu_last = vec!["relu", ty];
                relu_last.as_slice()
            }
            m => m,
        };
        let [flags @ .., ty] = m else { return refuse(i) };
        if matches!(name, "shf" | "prmt" | "dp4a" | "dp2a" | "mul24" | "mad24" | "bmsk" | "szext")
            || ty.ends_with("x2")
            || flags == ["relu"]
        {
            return self.special_integer(name, m, i);
        }
        let Some((bits, signed)) = type_of(ty).filter(|(bits, _)| matches!(bits, 16 | 32 | 64)) else {
            return refuse(i);
        };
        // Types of bits are for instructions that look at nothing else, numbers for all others.
        let fits = match name {
            "popc" | "clz" | "brev" | "bfi" | "fns" => ty.starts_with('b') && bits > 16,
            "bfind" | "bfe" => !ty.starts_with('b') && bits > 16,
            "shl" => ty.starts_with('b'),
            "shr" => !matches!(*ty, "f16" | "bf16"),
            "abs" | "neg" => signed,
            _ => ty.starts_with(['u', 's']),
        };
        if !fits || ty.starts_with('f') {
            return refuse(i);
        }
        let kind = int_type(bits, signed);
        let wide = |i: &Instruction<'a>| if bits == 64 { refuse(i) } else { Ok(2 * bits) };
        let (fast, slow): (Option<crate::arith::Handler>, Option<Scalar>) = match (name, flags) {
            ("add", []) => (pick(bits, lanes::<k::Add32>(), lanes::<k::Add64>()), Some(scalar::add)),
            ("sub", []) => (pick(bits, lanes::<k::Sub32>(), lanes::<k::Sub64>()), Some(scalar::sub)),
            ("add", ["sat"]) if *ty == "s32" => (None, Some(scalar::add_sat)),
            ("sub", ["sat"]) if *ty == "s32" => (None, Some(scalar::sub_sat)),
            ("mul", ["lo"]) => (pick(bits, lanes::<k::Mul32>(), lanes::<k::Mul64>()), Some(scalar::mul)),
            ("mul", ["hi"]) => {
                let fast = if signed { lanes::<k::MulHiS32>() } else { lanes::<k::MulHiU32>() };
                ((bits == 32).then_some(fast), Some(scalar::mul_hi))
            }
            ("mul", ["wide"]) => {
                let [d, a, b] = take(i)?;
                let d = self.destination(d, wide(i)?, i.at)?;
                let s = [self.source(a, bits, i.at)?, self.source(b, bits, i.at)?];
                if bits == 16 {
                    self.scalar(scalar::mul_wide16, kind, d, &s);
                } else {
                    let op = if signed { lanes::<k::MulWideS32>() } else { lanes::<k::MulWideU32>() };
                    self.op(Op::lanes(op), d, &s);
                }
                return Ok(());
            }
            ("mad", ["wide"]) => {
                let [d, a, b, c] = take(i)?;
                let d = self.destination(d, wide(i)?, i.at)?;
                let s = [self.source(a, bits, i.at)?, self.source(b, bits, i.at)?, self.source(c, 2 * bits, i.at)?];
                if bits == 16 {
                    self.scalar(scalar::mad_wide16, kind, d, &s);
                } else {
                    let op = if signed { lanes::<k::MadWideS32>() } else { lanes::<k::MadWideU32>() };
                    self.op(Op::lanes(op), d, &s);
                }
                return Ok(());
            }
            ("mad", ["lo"]) => {
                return self.arithmetic(
                    pick(bits, lanes::<k::Mad32>(), lanes::<k::Mad64>()),
                    scalar::mad,
                    kind,
                    bits,
                    i,
                    3,
                );
            }
            ("mad", ["hi"]) => return self.integer_scalar(scalar::mad_hi, kind, bits, bits, i, 3),
            ("mad", ["hi", "sat"]) if *ty == "s32" => {
                return self.integer_scalar(scalar::mad_hi_sat, kind, bits, bits, i, 3);
            }
            ("sad", []) => return self.integer_scalar(scalar::sad, kind, bits, bits, i, 3),
            ("div", []) => (None, Some(scalar::div)),
            ("rem", []) => (None, Some(scalar::rem)),
            ("neg", []) => {
                let fast = pick(bits, lanes::<k::Neg32>(), lanes::<k::Neg64>());
                return self.arithmetic(fast, scalar::neg, kind, bits, i, 1);
            }
            ("abs", []) => {
                let fast = pick(bits, lanes::<k::Abs32>(), lanes::<k::Abs64>());
                return self.arithmetic(fast, scalar::abs, kind, bits, i, 1);
            }
            ("min", []) => {
                let fast = if signed {
                    pick(bits, lanes::<k::MinS32>(), lanes::<k::MinS64>())
                } else {
                    pick(bits, lanes::<k::MinU32>(), lanes::<k::MinU64>())
                };
                (fast, Some(scalar::min))
            }
            ("max", []) => {
                let fast = if signed {
                    pick(bits, lanes::<k::MaxS32>(), lanes::<k::MaxS64>())
                } else {
                    pick(bits, lanes::<k::MaxU32>(), lanes::<k::MaxU64>())
                };
                (fast, Some(scalar::max))
            }
            ("shl" | "shr", []) => {
                let [d, a, b] = take(i)?;
                let d = self.destination(d, bits, i.at)?;
                let s = [self.source(a, bits, i.at)?, self.source(b, 32, i.at)?];
                let op = match (name, bits, signed) {
                    ("shl", 16, _) => {
                        self.scalar(scalar::shl16, kind, d, &s);
                        return Ok(());
                    }
                    (_, 16, _) => {
                        self.scalar(scalar::shr16, kind, d, &s);
                        return Ok(());
                    }
                    ("shl", 32, _) => lanes::<k::Shl32>(),
                    ("shl", _, _) => lanes::<k::Shl64>(),
                    (_, 32, true) => lanes::<k::ShrS32>(),
                    (_, 32, false) => lanes::<k::ShrU32>(),
                    (_, _, true) => lanes::<k::ShrS64>(),
                    (_, _, false) => lanes::<k::ShrU64>(),
                };
                self.op(Op::lanes(op), d, &s);
                return Ok(());
            }
            ("popc", []) => return self.integer_scalar(scalar::popc, kind, bits, 32, i, 1),
            ("clz", []) => return self.integer_scalar(scalar::clz, kind, bits, 32, i, 1),
            ("brev", []) => return self.integer_scalar(scalar::brev, kind, bits, bits, i, 1),
            ("bfind", []) => return self.integer_scalar(scalar::bfind, kind, bits, 32, i, 1),
            ("bfind", ["shiftamt"]) => return self.integer_scalar(scalar::bfind, kind | 1 << 16, bits, 32, i, 1),
            ("fns", []) if bits == 32 => return self.integer_scalar(scalar::fns, 0, 32, 32, i, 3),
            ("bfe", []) => {
                let [d, a, b, c] = take(i)?;
                let d = self.destination(d, bits, i.at)?;
                let s = [self.source(a, bits, i.at)?, self.source(b, 32, i.at)?, self.source(c, 32, i.at)?];
                self.scalar(scalar::bfe, kind, d, &s);
                return Ok(());
            }
            ("bfi", []) => {
                let [d, a, b, position, length] = take(i)?;
                let d = self.destination(d, bits, i.at)?;
                let where_to = [self.source(position, 32, i.at)?, self.source(length, 32, i.at)?];
                let packed = self.fresh(64);
                self.op(Op::lanes(lanes::<k::Join64>()), packed, &where_to);
                let s = [self.source(a, bits, i.at)?, self.source(b, bits, i.at)?, packed];
                self.scalar(scalar::bfi, kind, d, &s);
                return Ok(());
            }
            _ => return refuse(i),
        };
        let Some(slow) = slow else { return refuse(i) };
        self.arithmetic(fast, slow, kind, bits, i, 2)?;
        // An address in a loop.
        if let ("add", [], [Operand::Name(d), Operand::Name(a), Operand::Int(by)]) =
            (name, flags, i.operands.as_slice())
            && d == a
            && let Some(draft) = self.drafts.last_mut()
        {
            draft.adds = *by as i64;
        }
        Ok(())
    }

    fn arithmetic(
        &mut self,
        fast: Option<crate::arith::Handler>,
        slow: Scalar,
        kind: u64,
        bits: u32,
        i: &Instruction<'a>,
        count: usize,
    ) -> Result<(), Fault> {
        self.integer_scalar(slow, kind, bits, bits, i, count)?;
        if let (Some(fast), Some(draft)) = (fast, self.drafts.last_mut()) {
            draft.inst.op = Op::lanes(fast);
        }
        Ok(())
    }

    fn special_integer(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        match (name, m) {
            ("shf", [side @ ("l" | "r"), mode @ ("wrap" | "clamp"), "b32"]) => {
                let imm = u64::from(*side == "r") | u64::from(*mode == "clamp") << 1;
                self.integer_scalar(scalar::funnel, imm, 32, 32, i, 3)
            }
            ("prmt", ["b32"]) => self.integer_scalar(scalar::prmt, 0, 32, 32, i, 3),
            ("prmt", ["b32", mode]) => {
                let modes = ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"];
                let Some(mode) = modes.iter().position(|known| known == mode) else { return refuse(i) };
                self.integer_scalar(scalar::prmt, mode as u64 + 1, 32, 32, i, 3)
            }
            ("dp4a", [a @ ("u32" | "s32"), b @ ("u32" | "s32")]) => {
                let imm = u64::from(*a == "s32") | u64::from(*b == "s32") << 1;
                self.integer_scalar(scalar::dot, imm, 32, 32, i, 3)
            }
            ("dp2a", [half @ ("lo" | "hi"), a @ ("u32" | "s32"), b @ ("u32" | "s32")]) => {
                let half = if *half == "lo" { 1 } else { 2 };
                let imm = u64::from(*a == "s32") | u64::from(*b == "s32") << 1 | half << 8;
                self.integer_scalar(scalar::dot, imm, 32, 32, i, 3)
            }
            ("mul24" | "mad24", [part @ ("lo" | "hi"), ty @ ("u32" | "s32")]) => {
                let imm = int_type(32, *ty == "s32") | u64::from(*part == "hi") << 16;
                let count = if name == "mul24" { 2 } else { 3 };
                self.integer_scalar(scalar::mad24, imm, 32, 32, i, count)?;
                if let (2, Some(draft)) = (count, self.drafts.last_mut()) {
                    // The third operand of a scalar that is absent reads as zero.
                    draft.inst.operands.c = crate::program::NONE;
                }
                Ok(())
            }
            ("mad24", ["hi", "sat", "s32"]) => self.integer_scalar(scalar::mad24_hi_sat, 0, 32, 32, i, 3),
            ("szext", [mode @ ("wrap" | "clamp"), ty @ ("u32" | "s32")]) => {
                let imm = u64::from(*ty == "s32") | u64::from(*mode == "clamp") << 1;
                self.integer_scalar(scalar::szext, imm, 32, 32, i, 2)
            }
            ("bmsk", [mode @ ("wrap" | "clamp"), "b32"]) => {
                self.integer_scalar(scalar::bmsk, u64::from(*mode == "clamp") << 1, 32, 32, i, 2)
            }
            ("add" | "min" | "max", [relu @ .., ty @ ("u16x2" | "s16x2")]) => {
                let relu = match relu {
                    [] => 0,
                    ["relu"] if name != "add" && *ty == "s16x2" => 8,
                    _ => return refuse(i),
                };
                let mode = ["add", "min", "max"].iter().position(|known| *known == name).unwrap_or(0) as u64;
                self.integer_scalar(scalar::two16, mode | u64::from(*ty == "s16x2") << 2 | relu, 32, 32, i, 2)
            }
            ("min" | "max", ["relu", "s32"]) => {
                self.integer_scalar(scalar::extreme_relu, u64::from(name == "max"), 32, 32, i, 2)
            }
            _ => refuse(i),
        }
    }
}

fn pick(bits: u32, narrow: crate::arith::Handler, wide: crate::arith::Handler) -> Option<crate::arith::Handler> {
    match bits {
        32 => Some(narrow),
        64 => Some(wide),
        _ => None,
    }
}
