//! Half-precision and bfloat16 arithmetic.

use super::alu::refuse;
use super::draft::Lowerer;
use crate::Fault;
use crate::arith::half;
use crate::arith::half::{Flags, Operation};
use crate::arith::lanes;
use crate::program::Op;
use crate::ptx::Instruction;

impl<'a> Lowerer<'a> {
    pub(super) fn half(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let [flags @ .., ty] = m else { return refuse(i) };
        let mut how = Flags { bfloat: ty.starts_with('b'), packed: ty.ends_with("x2"), ..Flags::default() };
        let (mut round, mut approximate) = (false, false);
        for flag in flags {
            match *flag {
                "rn" => round = true,
                "approx" => approximate = true,
                "ftz" => how.ftz = true,
                "sat" => how.sat = true,
                "relu" => how.relu = true,
                "NaN" => how.nan = true,
                // One modifier of two words.
                "xorsign" => {}
                "abs" => how.xorsign = true,
                "oob" => how.oob = true,
                _ => return refuse(i),
            }
        }
        let unique = flags.iter().enumerate().all(|(at, flag)| !flags[..at].contains(flag));
        let signs = flags.windows(2).any(|two| two == ["xorsign", "abs"]);
        let bits_of = |word: &str| flags.contains(&word);
        if !unique || signs != (bits_of("xorsign") || bits_of("abs")) {
            return refuse(i);
        }
        // The approximate exponential of bfloat16 has no other form than one that flushes.
        let flushes = if how.bfloat { (name == "ex2") == how.ftz } else { name != "tanh" || !how.ftz };
        if !flushes || how.sat && (how.bfloat || how.relu) || how.oob && (how.ftz || how.sat) {
            return refuse(i);
        }
        let flop = 1 + u32::from(how.packed);
        let (operation, count, flop) = match name {
            "add" => (Operation::Add, 2, flop),
            "sub" => (Operation::Sub, 2, flop),
            "mul" => (Operation::Mul, 2, flop),
            "fma" if round => (Operation::Fma, 3, 2 * flop),
            "neg" => (Operation::Neg, 1, 0),
            "abs" => (Operation::Abs, 1, 0),
            "min" => (Operation::Min, 2, 0),
            "max" => (Operation::Max, 2, 0),
            "ex2" if approximate => (Operation::Exp2, 1, flop),
            "tanh" if approximate => (Operation::Tanh, 1, flop),
            _ => return refuse(i),
        };
        let arithmetic = matches!(name, "add" | "sub" | "mul" | "fma");
        let extreme = matches!(name, "min" | "max");
        let fits = (arithmetic || !(round || how.sat))
            && (name == "fma" || !(how.relu || how.oob))
            && (extreme || !(how.nan || how.xorsign))
            && (approximate == matches!(name, "ex2" | "tanh"));
        if !fits {
            return refuse(i);
        }
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
                // A single half leaves the upper half of its row zero: nothing comes of zeros but zero.
                draft.inst.op = Op::lanes(fast);
            }
        }
        Ok(())
    }
}
