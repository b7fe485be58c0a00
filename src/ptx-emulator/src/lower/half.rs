//! Half-precision and bfloat16 arithmetic.

use super::alu::refuse;
use super::draft::Lowerer;
use crate::LoadError;
use crate::arith::half;
use crate::arith::half::{Flags, Operation};
use crate::arith::lanes;
use crate::program::Op;
use crate::ptx::Instruction;

impl<'a> Lowerer<'a> {
    pub(super) fn half(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [flags @ .., ty] = m else { return refuse(i) };
        let mut how = Flags { bfloat: ty.starts_with('b'), packed: ty.ends_with("x2"), ..Flags::default() };
        for flag in flags {
            match *flag {
                "ftz" => how.ftz = true,
                "sat" => how.sat = true,
                "relu" => how.relu = true,
                "NaN" => how.nan = true,
                "xorsign" => how.xorsign = true,
                "oob" => how.oob = true,
                // `.rn` and `.approx`: no instruction here has another choice.
                _ => {}
            }
        }
        let flop = 1 + u32::from(how.packed);
        let (operation, count, flop) = match name {
            "add" => (Operation::Add, 2, flop),
            "sub" => (Operation::Sub, 2, flop),
            "mul" => (Operation::Mul, 2, flop),
            "fma" => (Operation::Fma, 3, 2 * flop),
            "neg" => (Operation::Neg, 1, 0),
            "abs" => (Operation::Abs, 1, 0),
            "min" => (Operation::Min, 2, 0),
            "max" => (Operation::Max, 2, 0),
            "ex2" => (Operation::Exp2, 1, flop),
            "tanh" => (Operation::Tanh, 1, flop),
            _ => return refuse(i),
        };
        let bits = if how.packed { 32 } else { 16 };
        self.integer_scalar(half::arithmetic, half::variant(operation, how), bits, bits, i, count)?;
        let plain = how == Flags { bfloat: how.bfloat, packed: how.packed, ..Flags::default() };
        let fast = match (operation, how.bfloat) {
            _ if !plain => None,
            (Operation::Add, false) => Some(lanes::<half::AddF16>()),
            (Operation::Sub, false) => Some(lanes::<half::SubF16>()),
            (Operation::Mul, false) => Some(lanes::<half::MulF16>()),
            (Operation::Fma, false) => Some(lanes::<half::FmaF16>()),
            (Operation::Add, true) => Some(lanes::<half::AddBf16>()),
            (Operation::Sub, true) => Some(lanes::<half::SubBf16>()),
            (Operation::Mul, true) => Some(lanes::<half::MulBf16>()),
            (Operation::Fma, true) => Some(lanes::<half::FmaBf16>()),
            _ => None,
        };
        if let Some(draft) = self.drafts.last_mut() {
            draft.flop = flop;
            if let Some(fast) = fast {
                // The upper half of the row is zero and stays zero, so the packed handler works for a single half
                // too.
                draft.inst.op = Op::lanes(fast);
            }
        }
        Ok(())
    }
}
