//! Floating-point arithmetic.

use super::alu::refuse;
use super::draft::Lowerer;
use crate::simt::Fault;
use crate::simt::machine::approximate::{self, Function};
use crate::simt::machine::directed::{self, Operation};
use crate::simt::machine::soft::Round;
use crate::simt::machine::{Handler, float as g, lanes, scalar};
use crate::simt::program::{Op, Scalar};
use crate::simt::ptx::Instruction;

enum How {
    Fast(Handler),
    Slow(Scalar, u64),
}

impl<'a> Lowerer<'a> {
    pub(super) fn float(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
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
        if matches!(name, "min" | "max") && ty == "f32" && (!round.is_empty() || i.operands.len() == 4) {
            return self.extreme(name, round, ftz, i);
        }
        let (how, count, flop) = match ty {
            "f32" => self.single(name, round, ftz, i)?,
            "f64" if ftz && !sat && round == ["approx"] && matches!(name, "rcp" | "rsqrt") => {
                (How::Slow(approximate::upper_word, u64::from(name == "rsqrt")), 1, 1)
            }
            "f64" if !ftz && !sat => self.double(name, round, i)?,
            _ => return refuse(i),
        };
        let bits = if ty == "f32" { 32 } else { 64 };
        match how {
            How::Fast(op) => {
                self.integer_scalar(scalar::popc, 0, bits, bits, i, count)?;
                if let Some(draft) = self.drafts.last_mut() {
                    let plain = ty == "f32" && !ftz && matches!((name, count), ("fma", 3));
                    draft.inst.op = if plain { Op::Fma } else { Op::Lanes(op) };
                }
            }
            How::Slow(op, imm) => self.integer_scalar(op, imm, bits, bits, i, count)?,
        }
        if let Some(draft) = self.drafts.last_mut() {
            draft.flop = flop;
            let d = draft.inst.d;
            if sat {
                self.op(Op::Lanes(lanes::<g::SaturateF32>()), d, &[d]);
            }
        }
        Ok(())
    }

    /// `min` and `max` with `.NaN`, `.xorsign.abs` or three operands.
    fn extreme(&mut self, name: &str, m: &[&str], ftz: bool, i: &'a Instruction<'a>) -> Result<(), Fault> {
        let (nan, sign) = match m {
            [] => (0, 0),
            ["NaN"] => (1, 0),
            ["xorsign", "abs"] => (0, 1),
            ["NaN", "xorsign", "abs"] => (1, 1),
            _ => return refuse(i),
        };
        let spec = u64::from(name == "max") | nan << 1 | sign << 2 | u64::from(ftz) << 3;
        self.integer_scalar(g::extreme, spec | u64::from(i.operands.len() == 4) << 4, 32, 32, i, i.operands.len() - 1)
    }

    fn single(&self, name: &str, m: &[&str], ftz: bool, i: &Instruction<'a>) -> Result<(How, usize, u32), Fault> {
        macro_rules! pair {
            ($keep:ident, $flush:ident) => {
                if ftz { lanes::<g::$flush>() } else { lanes::<g::$keep>() }
            };
        }
        let approximate = |which| How::Slow(approximate::single, approximate::variant(which, ftz));
        Ok(match (name, m) {
            ("fma" | "mad", ["rn"]) => (How::Fast(pair!(FmaF32, FmaFtzF32)), 3, 2),
            ("add", [] | ["rn"]) => (How::Fast(pair!(AddF32, AddFtzF32)), 2, 1),
            ("sub", [] | ["rn"]) => (How::Fast(pair!(SubF32, SubFtzF32)), 2, 1),
            ("mul", [] | ["rn"]) => (How::Fast(pair!(MulF32, MulFtzF32)), 2, 1),
            ("div", ["rn"]) => (How::Fast(pair!(DivF32, DivFtzF32)), 2, 1),
            ("rcp", ["rn"]) => (How::Fast(pair!(RcpF32, RcpFtzF32)), 1, 1),
            ("sqrt", ["rn"]) => (How::Fast(pair!(SqrtF32, SqrtFtzF32)), 1, 1),
            ("neg", []) => (How::Fast(pair!(NegF32, NegFtzF32)), 1, 0),
            ("abs", []) => (How::Fast(pair!(AbsF32, AbsFtzF32)), 1, 0),
            ("min", []) => (How::Fast(pair!(MinF32, MinFtzF32)), 2, 0),
            ("max", []) => (How::Fast(pair!(MaxF32, MaxFtzF32)), 2, 0),
            ("copysign", []) if !ftz => (How::Slow(scalar::copysign32, 0), 2, 0),
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

    fn double(&self, name: &str, m: &[&str], i: &Instruction<'a>) -> Result<(How, usize, u32), Fault> {
        Ok(match (name, m) {
            ("fma" | "mad", ["rn"]) => (How::Fast(lanes::<g::FmaF64>()), 3, 2),
            ("add", [] | ["rn"]) => (How::Fast(lanes::<g::AddF64>()), 2, 1),
            ("sub", [] | ["rn"]) => (How::Fast(lanes::<g::SubF64>()), 2, 1),
            ("mul", [] | ["rn"]) => (How::Fast(lanes::<g::MulF64>()), 2, 1),
            ("div", ["rn"]) => (How::Fast(lanes::<g::DivF64>()), 2, 1),
            ("rcp", ["rn"]) => (How::Fast(lanes::<g::RcpF64>()), 1, 1),
            ("sqrt", ["rn"]) => (How::Fast(lanes::<g::SqrtF64>()), 1, 1),
            ("rsqrt", ["approx"]) => (How::Slow(approximate::rsqrt64, 0), 1, 1),
            ("neg", []) => (How::Fast(lanes::<g::NegF64>()), 1, 0),
            ("abs", []) => (How::Fast(lanes::<g::AbsF64>()), 1, 0),
            ("min", []) => (How::Fast(lanes::<g::MinF64>()), 2, 0),
            ("max", []) => (How::Fast(lanes::<g::MaxF64>()), 2, 0),
            ("copysign", []) => (How::Slow(scalar::copysign64, 0), 2, 0),
            _ => return refuse(i),
        })
    }
}

/// The operation with one of the roundings that the processor does not have: function, constant, operands, flop.
fn directed(name: &str, m: &[&str], ty: &str, ftz: bool, sat: bool) -> Option<(Scalar, u64, usize, u32)> {
    let [round] = m else { return None };
    let round = match *round {
        "rz" => Round::Zero,
        "rm" => Round::Down,
        "rp" => Round::Up,
        _ => return None,
    };
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
