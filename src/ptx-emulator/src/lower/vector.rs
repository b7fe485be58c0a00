//! Vector registers: consecutive virtual registers, one per element.

use super::alu::{refuse, take};
use super::draft::{Lowerer, Meaning, Virtual};
use super::names::register_bits;
use crate::LoadError;
use crate::ptx::{At, Instruction, Operand, Variable, type_bytes};

impl<'a> Lowerer<'a> {
    /// Creates `elements` consecutive registers.
    pub(super) fn new_vector(&mut self, bits: u32, elements: u32) -> Meaning {
        let first = self.fresh(bits);
        for _ in 1..elements {
            self.fresh(bits);
        }
        Meaning::Vector(first)
    }

    /// Returns the register that an operand names: a scalar register, or an element of a vector.
    pub(super) fn named_register(&mut self, operand: &Operand<'a>) -> Option<Virtual> {
        match operand {
            Operand::Name(name) => match self.meaning(name)? {
                Meaning::Register(v) => Some(v),
                _ => None,
            },
            Operand::Element(name, index) => match self.meaning(name)? {
                Meaning::Vector(first) => Some(first + index),
                _ => None,
            },
            _ => None,
        }
    }

    /// Creates the registers of a register parameter: one, or one per element of its vector.
    pub(super) fn formal_registers(&mut self, formal: &Variable<'a>) -> Result<(Meaning, Vec<Virtual>), LoadError> {
        let bits = register_bits(formal.ty)
            .ok_or_else(|| formal.at.unsupported(format!("registers of type `.{}`", formal.ty)))?;
        let elements = (formal.bytes / type_bytes(formal.ty).unwrap_or(1)).clamp(1, 4) as u32;
        let meaning = if elements > 1 { self.new_vector(bits, elements) } else { Meaning::Register(self.fresh(bits)) };
        let (Meaning::Register(first) | Meaning::Vector(first)) = meaning else {
            return Err(formal.at.unsupported(format!("registers of type `.{}`", formal.ty)));
        };
        Ok((meaning, (first..first + elements).collect()))
    }

    /// Returns the operands that a call passes for a register parameter of `elements` registers.
    pub(super) fn actual_elements<'b>(
        &self,
        actual: &'b Operand<'a>,
        elements: usize,
        at: At,
    ) -> Result<&'b [Operand<'a>], LoadError> {
        let all = match actual {
            Operand::Vector(all) => all.as_slice(),
            one => std::slice::from_ref(one),
        };
        if all.len() == elements { Ok(all) } else { Err(at.parse("the vector has the wrong length")) }
    }

    /// `mov.v2` and `mov.v4`: moves all elements at once, so that they may be permuted.
    pub(super) fn mov_vector(&mut self, elements: usize, bits: u32, i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [d, a] = take(i)?;
        let Operand::Vector(d) = d else { return Err(i.at.parse("a vector is expected")) };
        let special =
            |names: [&'static str; 3]| names.map(Operand::Name).into_iter().chain([Operand::Int(0)]).collect();
        let own: Vec<Operand<'a>> = match a {
            Operand::Vector(a) => a.clone(),
            Operand::Name("%tid") => special(["%tid.x", "%tid.y", "%tid.z"]),
            Operand::Name("%ntid") => special(["%ntid.x", "%ntid.y", "%ntid.z"]),
            Operand::Name("%ctaid") => special(["%ctaid.x", "%ctaid.y", "%ctaid.z"]),
            Operand::Name("%nctaid") => special(["%nctaid.x", "%nctaid.y", "%nctaid.z"]),
            _ => return refuse(i),
        };
        if d.len() != elements || own.len() != elements {
            return Err(i.at.parse("the vector has the wrong length"));
        }
        let mut copies = Vec::new();
        for a in &own {
            let value = self.source(a, bits, i.at)?;
            let copy = self.fresh(bits);
            self.copy(copy, value, bits);
            copies.push(copy);
        }
        for (d, copy) in d.iter().zip(copies) {
            let d = self.destination(d, bits, i.at)?;
            self.copy(d, copy, bits);
        }
        Ok(())
    }
}
