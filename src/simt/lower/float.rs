//! Floating-point arithmetic.

use super::alu::refuse;
use super::draft::Lowerer;
use crate::simt::Fault;
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
        let (how, count, flop) = match ty {
            "f32" => self.single(name, round, ftz, i)?,
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

    fn single(&self, name: &str, m: &[&str], ftz: bool, i: &Instruction<'a>) -> Result<(How, usize, u32), Fault> {
        macro_rules! pair {
            ($keep:ident, $flush:ident) => {
                if ftz { lanes::<g::$flush>() } else { lanes::<g::$keep>() }
            };
        }
        let approximate = |which: u64| How::Slow(scalar::approximate32, which | u64::from(ftz) << 4);
        Ok(match (name, m) {
            ("fma" | "mad", ["rn"]) => (How::Fast(pair!(FmaF32, FmaFtzF32)), 3, 2),
            ("add", [] | ["rn"]) => (How::Fast(pair!(AddF32, AddFtzF32)), 2, 1),
            ("sub", [] | ["rn"]) => (How::Fast(pair!(SubF32, SubFtzF32)), 2, 1),
            ("mul", [] | ["rn"]) => (How::Fast(pair!(MulF32, MulFtzF32)), 2, 1),
            ("div", ["rn" | "full" | "approx"]) => (How::Fast(pair!(DivF32, DivFtzF32)), 2, 1),
            ("rcp", ["rn" | "approx"]) => (How::Fast(pair!(RcpF32, RcpFtzF32)), 1, 1),
            ("sqrt", ["rn" | "approx"]) => (How::Fast(pair!(SqrtF32, SqrtFtzF32)), 1, 1),
            ("neg", []) => (How::Fast(pair!(NegF32, NegFtzF32)), 1, 0),
            ("abs", []) => (How::Fast(pair!(AbsF32, AbsFtzF32)), 1, 0),
            ("min", []) => (How::Fast(pair!(MinF32, MinFtzF32)), 2, 0),
            ("max", []) => (How::Fast(pair!(MaxF32, MaxFtzF32)), 2, 0),
            ("copysign", []) if !ftz => (How::Slow(scalar::copysign32, 0), 2, 0),
            ("sin", ["approx"]) => (approximate(0), 1, 1),
            ("cos", ["approx"]) => (approximate(1), 1, 1),
            ("ex2", ["approx"]) => (approximate(2), 1, 1),
            ("lg2", ["approx"]) => (approximate(3), 1, 1),
            ("tanh", ["approx"]) => (approximate(4), 1, 1),
            ("rsqrt", ["approx"]) => (approximate(5), 1, 1),
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
            ("neg", []) => (How::Fast(lanes::<g::NegF64>()), 1, 0),
            ("abs", []) => (How::Fast(lanes::<g::AbsF64>()), 1, 0),
            ("min", []) => (How::Fast(lanes::<g::MinF64>()), 2, 0),
            ("max", []) => (How::Fast(lanes::<g::MaxF64>()), 2, 0),
            ("copysign", []) => (How::Slow(scalar::copysign64, 0), 2, 0),
            _ => return refuse(i),
        })
    }
}
