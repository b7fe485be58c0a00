//! Extended-precision integer arithmetic. The carry flag is a separate register.

use super::alu::{refuse, type_of};
use super::draft::{Lowerer, Virtual};
use crate::LoadError;
use crate::arith::Handler;
use crate::arith::{extended_precision as g, integer as k, lanes, scalar};
use crate::program::Op;
use crate::ptx::Instruction;

fn pick(bits: u32, narrow: Handler, wide: Handler) -> Handler {
    if bits == 64 { wide } else { narrow }
}

impl<'a> Lowerer<'a> {
    /// Returns the register with each thread's carry flag, 0 or 1.
    fn carry(&mut self) -> Virtual {
        if let Some(carry) = self.carry {
            return carry;
        }
        let made = self.fresh(32);
        self.carry = Some(made);
        made
    }

    /// `add sub mad` with `.cc`, and `addc subc madc`.
    pub(super) fn extended(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let (stem, takes) = match name.strip_suffix('c') {
            Some(stem) => (stem, true),
            None => (name, false),
        };
        let mut flags = m.to_vec();
        let number = flags.pop().filter(|ty| matches!(*ty, "u32" | "s32" | "u64" | "s64"));
        let Some((bits, signed)) = number.and_then(type_of) else { return refuse(i) };
        let gives = flags.last() == Some(&"cc");
        if gives {
            flags.pop();
        }
        let count = if stem == "mad" { 3 } else { 2 };
        let Some((d, operands)) = i.operands.split_first().filter(|(_, rest)| rest.len() == count) else {
            return Err(i.at.parse(format!("`{}` takes {} operands", i.opcode, count + 1)));
        };
        let d = self.destination(d, bits, i.at)?;
        let mut s = Vec::new();
        for operand in operands {
            s.push(self.source(operand, bits, i.at)?);
        }
        let (a, b) = match (stem, flags.as_slice(), s.as_slice()) {
            ("add" | "sub", [], [a, b]) => (*a, *b),
            ("mad", [part @ ("lo" | "hi")], [a, b, c]) => {
                let product = self.fresh(bits);
                if *part == "lo" {
                    let op = pick(bits, lanes::<k::Mul32>(), lanes::<k::Mul64>());
                    self.op(Op::lanes(op), product, &[*a, *b]);
                } else {
                    self.scalar(scalar::mul_hi, scalar::int(bits, signed), product, &[*a, *b]);
                }
                (product, *c)
            }
            _ => return refuse(i),
        };
        // A difference is a sum with the complement. Its carry means that there was no borrow.
        let b = if stem == "sub" {
            let complement = self.fresh(bits);
            self.op(Op::lanes(pick(bits, lanes::<k::Not32>(), lanes::<k::Not64>())), complement, &[b]);
            complement
        } else {
            b
        };
        let carry = self.carry();
        let into = if takes { carry } else { self.constant(u64::from(stem == "sub"), 32) };
        let out = self.fresh(32);
        if gives {
            let op = pick(bits, lanes::<g::Carry32>(), lanes::<g::Carry64>());
            self.op(Op::lanes(op), out, &[a, b, into]);
        }
        let op = pick(bits, lanes::<g::Add32>(), lanes::<g::Add64>());
        self.op(Op::lanes(op), d, &[a, b, into]);
        if gives {
            self.op(Op::lanes(lanes::<k::Mov32>()), carry, &[out]);
        }
        Ok(())
    }
}
