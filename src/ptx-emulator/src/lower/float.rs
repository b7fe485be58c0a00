//! Floating-point arithmetic.

use super::alu::refuse;
use super::draft::Lowerer;
use crate::LoadError;
use crate::arith::approximate;
use crate::arith::approximate::Function;
use crate::arith::directed;
use crate::arith::directed::Operation;
use crate::arith::soft::Round;
use crate::arith::{Handler, float as g, half, lanes, scalar};
use crate::program::{Op, Scalar};
use crate::ptx::Instruction;

enum Handling {
    Fast(Handler),
    Slow(Scalar, u64),
}

impl<'a> Lowerer<'a> {
    pub(super) fn float(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let mut rest = m.to_vec();
        let Some(ty) = rest.pop() else { return refuse(i) };
        let mut flag = |word: &str| rest.iter().position(|m| *m == word).map(|at| rest.remove(at)).is_some();
        let (ftz, sat) = (flag("ftz"), flag("sat"));
        let round = rest.as_slice();
        if let (Some((op, imm, count, flop)), "f32" | "f64") = (directed(name, round, ty, ftz, sat), ty) {
            let bits = if ty == "f32" { 32 } else { 64 };
            self.integer_scalar(op, imm, bits, bits, i, count)?;
            if let Some(draft) = self.drafts.last_mut() {
                draft.flop = flop;
            }
            return Ok(());
        }
        if sat && !matches!(name, "add" | "sub" | "mul" | "fma" | "mad") {
            return refuse(i);
        }
        if matches!(name, "min" | "max") && ty == "f32" && (!round.is_empty() || i.operands.len() == 4) {
            return self.extreme(name, round, ftz, i);
        }
        let (how, count, flop) = match ty {
            "f32" => self.single(name, round, ftz, i)?,
            "f64" if ftz && !sat && round == ["approx"] && matches!(name, "rcp" | "rsqrt") => {
                (Handling::Slow(approximate::upper_word, u64::from(name == "rsqrt")), 1, 1)
            }
            "f64" if !ftz && !sat => self.double(name, round, i)?,
            _ => return refuse(i),
        };
        let bits = if ty == "f32" { 32 } else { 64 };
        match how {
            Handling::Fast(op) => {
                self.integer_scalar(scalar::popc, 0, bits, bits, i, count)?;
                if let Some(draft) = self.drafts.last_mut() {
                    let plain = ty == "f32" && !ftz && matches!((name, count), ("fma", 3));
                    draft.inst.op = if plain { Op::Fma } else { Op::lanes(op) };
                }
            }
            Handling::Slow(op, imm) => self.integer_scalar(op, imm, bits, bits, i, count)?,
        }
        if let Some(draft) = self.drafts.last_mut() {
            draft.flop = flop;
            let d = draft.inst.operands.d;
            if sat {
                self.op(Op::lanes(lanes::<g::SaturateF32>()), d, &[d]);
            }
        }
        Ok(())
    }

    /// Lowers sums and products of two single-precision numbers in a 64-bit register.
    pub(super) fn packed_single(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let (round, ftz) = match m {
            [round @ .., "ftz", _] | ["ftz", round @ .., _] => (round, true),
            [round @ .., _] => (round, false),
            [] => return refuse(i),
        };
        let (operation, count, flop) = match (name, round) {
            ("add", [] | [_]) => (Operation::Add, 2, 2),
            ("sub", [] | [_]) => (Operation::Sub, 2, 2),
            ("mul", [] | [_]) => (Operation::Mul, 2, 2),
            ("fma", [_]) => (Operation::Fma, 3, 4),
            _ => return refuse(i),
        };
        let Some(round) = rounding(round) else { return refuse(i) };
        let fast = match (operation, ftz) {
            (Operation::Add, false) => lanes::<g::AddF32x2>(),
            (Operation::Add, true) => lanes::<g::AddFtzF32x2>(),
            (Operation::Sub, false) => lanes::<g::SubF32x2>(),
            (Operation::Sub, true) => lanes::<g::SubFtzF32x2>(),
            (Operation::Mul, false) => lanes::<g::MulF32x2>(),
            (Operation::Mul, true) => lanes::<g::MulFtzF32x2>(),
            (_, false) => lanes::<g::FmaF32x2>(),
            (_, true) => lanes::<g::FmaFtzF32x2>(),
        };
        let spec = directed::variant(operation, round, ftz, false);
        self.integer_scalar(directed::arithmetic32x2, spec, 64, 64, i, count)?;
        if let Some(draft) = self.drafts.last_mut() {
            draft.flop = flop;
            if round == Round::Nearest {
                draft.inst.op = Op::lanes(fast);
            }
        }
        Ok(())
    }

    /// Lowers `add`, `sub` and `fma` with half-precision operands, except for the last operand and the result.
    pub(super) fn mixed(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let (round, sat, ty) = match m {
            [round @ .., "sat", "f32", ty] => (round, true, *ty),
            [round @ .., "f32", ty] => (round, false, *ty),
            _ => return refuse(i),
        };
        let (operation, halves, flop) = match (name, round) {
            ("add", [] | [_]) => (Operation::Add, 1, 1),
            ("sub", [] | [_]) => (Operation::Sub, 1, 1),
            ("fma", [_]) => (Operation::Fma, 2, 2),
            _ => return refuse(i),
        };
        let Some(round) = rounding(round) else { return refuse(i) };
        let [d, operands @ ..] = i.operands.as_slice() else { return Err(i.at.parse("an operand is missing")) };
        if operands.len() != halves + 1 {
            return Err(i.at.parse(format!("`{}` takes {} operands", i.opcode, halves + 2)));
        }
        let mut sources = Vec::new();
        for (at, operand) in operands.iter().enumerate() {
            if at == halves {
                sources.push(self.source(operand, 32, i.at)?);
                continue;
            }
            let half = self.source(operand, 16, i.at)?;
            let wide = self.fresh(32);
            self.scalar(half::to_single, u64::from(ty == "bf16"), wide, &[half]);
            sources.push(wide);
        }
        let d = self.destination(d, 32, i.at)?;
        self.scalar(directed::arithmetic32, directed::variant(operation, round, false, sat), d, &sources);
        if let Some(draft) = self.drafts.last_mut() {
            draft.flop = flop;
        }
        Ok(())
    }

    /// Lowers `min` and `max` with `.NaN`, `.xorsign.abs` or three operands.
    fn extreme(&mut self, name: &str, m: &[&str], ftz: bool, i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let three = i.operands.len() == 4;
        let (nan, sign, abs) = match (m, three) {
            ([], _) => (0, 0, 0),
            (["NaN"], _) => (1, 0, 0),
            (["xorsign", "abs"], false) => (0, 1, 0),
            (["NaN", "xorsign", "abs"] | ["xorsign", "abs", "NaN"], false) => (1, 1, 0),
            (["abs"], true) => (0, 0, 1),
            (["NaN", "abs"] | ["abs", "NaN"], true) => (1, 0, 1),
            _ => return refuse(i),
        };
        let flags = nan << 1 | sign << 2 | u64::from(ftz) << 3 | u64::from(three) << 4 | abs << 5;
        let spec = u64::from(name == "max") | flags;
        self.integer_scalar(g::extreme, spec, 32, 32, i, if three { 3 } else { 2 })
    }

    fn single(
        &self,
        name: &str,
        m: &[&str],
        ftz: bool,
        i: &Instruction<'a>,
    ) -> Result<(Handling, usize, u32), LoadError> {
        macro_rules! pair {
            ($keep:ident, $flush:ident) => {
                if ftz { lanes::<g::$flush>() } else { lanes::<g::$keep>() }
            };
        }
        let approximate = |which| Handling::Slow(approximate::single, approximate::variant(which, ftz));
        Ok(match (name, m) {
            ("fma" | "mad", ["rn"]) => (Handling::Fast(pair!(FmaF32, FmaFtzF32)), 3, 2),
            ("add", [] | ["rn"]) => (Handling::Fast(pair!(AddF32, AddFtzF32)), 2, 1),
            ("sub", [] | ["rn"]) => (Handling::Fast(pair!(SubF32, SubFtzF32)), 2, 1),
            ("mul", [] | ["rn"]) => (Handling::Fast(pair!(MulF32, MulFtzF32)), 2, 1),
            ("div", ["rn"]) => (Handling::Fast(pair!(DivF32, DivFtzF32)), 2, 1),
            ("rcp", ["rn"]) => (Handling::Fast(pair!(RcpF32, RcpFtzF32)), 1, 1),
            ("sqrt", ["rn"]) => (Handling::Fast(pair!(SqrtF32, SqrtFtzF32)), 1, 1),
            ("neg", []) => (Handling::Fast(pair!(NegF32, NegFtzF32)), 1, 0),
            ("abs", []) => (Handling::Fast(pair!(AbsF32, AbsFtzF32)), 1, 0),
            ("min", []) => (Handling::Fast(pair!(MinF32, MinFtzF32)), 2, 0),
            ("max", []) => (Handling::Fast(pair!(MaxF32, MaxFtzF32)), 2, 0),
            ("copysign", []) if !ftz => (Handling::Slow(scalar::copysign32, 0), 2, 0),
            ("sin", ["approx"]) => (approximate(Function::Sin), 1, 1),
            ("cos", ["approx"]) => (approximate(Function::Cos), 1, 1),
            ("ex2", ["approx"]) => (approximate(Function::Exp2), 1, 1),
            ("lg2", ["approx"]) => (approximate(Function::Log2), 1, 1),
            ("tanh", ["approx"]) if !ftz => (approximate(Function::Tanh), 1, 1),
            ("rsqrt", ["approx"]) => (approximate(Function::Rsqrt), 1, 1),
            ("sqrt", ["approx"]) => (approximate(Function::Sqrt), 1, 1),
            ("rcp", ["approx"]) => (approximate(Function::Rcp), 1, 1),
            ("div", ["approx"]) => (approximate(Function::Quotient), 2, 1),
            ("div", ["full"]) => (approximate(Function::FullQuotient), 2, 1),
            _ => return refuse(i),
        })
    }

    fn double(&self, name: &str, m: &[&str], i: &Instruction<'a>) -> Result<(Handling, usize, u32), LoadError> {
        Ok(match (name, m) {
            ("fma" | "mad", ["rn"]) => (Handling::Fast(lanes::<g::FmaF64>()), 3, 2),
            ("add", [] | ["rn"]) => (Handling::Fast(lanes::<g::AddF64>()), 2, 1),
            ("sub", [] | ["rn"]) => (Handling::Fast(lanes::<g::SubF64>()), 2, 1),
            ("mul", [] | ["rn"]) => (Handling::Fast(lanes::<g::MulF64>()), 2, 1),
            ("div", ["rn"]) => (Handling::Fast(lanes::<g::DivF64>()), 2, 1),
            ("rcp", ["rn"]) => (Handling::Fast(lanes::<g::RcpF64>()), 1, 1),
            ("sqrt", ["rn"]) => (Handling::Fast(lanes::<g::SqrtF64>()), 1, 1),
            ("rsqrt", ["approx"]) => (Handling::Slow(approximate::rsqrt64, 0), 1, 1),
            ("neg", []) => (Handling::Fast(lanes::<g::NegF64>()), 1, 0),
            ("abs", []) => (Handling::Fast(lanes::<g::AbsF64>()), 1, 0),
            ("min", []) => (Handling::Fast(lanes::<g::MinF64>()), 2, 0),
            ("max", []) => (Handling::Fast(lanes::<g::MaxF64>()), 2, 0),
            ("copysign", []) => (Handling::Slow(scalar::copysign64, 0), 2, 0),
            _ => return refuse(i),
        })
    }
}

/// Returns the rounding that a modifier names. The default is to nearest.
fn rounding(m: &[&str]) -> Option<Round> {
    match m {
        [] | ["rn"] => Some(Round::Nearest),
        ["rz"] => Some(Round::Zero),
        ["rm"] => Some(Round::Down),
        ["rp"] => Some(Round::Up),
        _ => None,
    }
}

/// Returns an operation with a rounding that the CPU does not have: function, constant, number of operands, flop.
fn directed(name: &str, m: &[&str], ty: &str, ftz: bool, sat: bool) -> Option<(Scalar, u64, usize, u32)> {
    let round = rounding(m).filter(|round| *round != Round::Nearest)?;
    let (operation, count, flop) = match name {
        "add" => (Operation::Add, 2, 1),
        "sub" => (Operation::Sub, 2, 1),
        "mul" => (Operation::Mul, 2, 1),
        "fma" | "mad" => (Operation::Fma, 3, 2),
        "div" => (Operation::Div, 2, 1),
        "rcp" => (Operation::Rcp, 1, 1),
        "sqrt" => (Operation::Sqrt, 1, 1),
        _ => return None,
    };
    if (ty == "f64" && (ftz || sat)) || (sat && matches!(name, "div" | "rcp" | "sqrt")) {
        return None;
    }
    let op: Scalar = if ty == "f32" { directed::arithmetic32 } else { directed::arithmetic64 };
    Some((op, directed::variant(operation, round, ftz, sat), count, flop))
}
