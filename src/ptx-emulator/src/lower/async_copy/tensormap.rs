//! `tensormap.replace` and `tensormap.cp_fenceproxy`.

use super::AddressSpace;
use crate::LoadError;
use crate::lower::alu::{refuse, take};
use crate::lower::draft::Lowerer;
use crate::program::async_copy::{AsyncOp, Asynch};
use crate::ptx::{Instruction, Operand};
use crate::tensor_map::TensorMapField;

impl<'a> Lowerer<'a> {
    /// Lowers an instruction; `m` are the modifiers after `tensormap`.
    pub(in crate::lower) fn tensor_map(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        match m {
            ["replace", "tile", field, rest @ ..] => self.replace_field(field, rest, i),
            ["cp_fenceproxy", "global", "shared::cta", "tensormap::generic", "release", scope, "sync", "aligned"]
                if matches!(*scope, "cta" | "cluster" | "gpu" | "sys") =>
            {
                let [to, from, bytes] = take(i)?;
                if *bytes != Operand::Int(128) {
                    return Err(i.at.parse("a tensor map has 128 bytes"));
                }
                let inputs = vec![self.place(to, AddressSpace::Global, i)?, self.place(from, AddressSpace::Shared, i)?];
                self.emit_asynch(Asynch::new(AsyncOp::CopyMap, inputs));
                Ok(())
            }
            _ => refuse(i),
        }
    }

    fn replace_field(&mut self, field: &str, rest: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let (shared, bits) = match rest {
            [space @ .., "b1024", ty] => {
                let shared = match space {
                    ["shared::cta"] => true,
                    ["global"] | [] => false,
                    _ => return refuse(i),
                };
                match *ty {
                    "b32" => (shared, 32),
                    "b64" => (shared, 64),
                    _ => return refuse(i),
                }
            }
            _ => return refuse(i),
        };
        let (map, ordinal, value) = match i.operands.as_slice() {
            [map, value] => (map, None, value),
            [map, Operand::Int(ordinal @ 0..=4), value] => (map, Some(*ordinal as u8), value),
            _ => return Err(i.at.parse(format!("`{}` takes a map, which dimension if any, and a value", i.opcode))),
        };
        let Some((field, wide)) = TensorMapField::of(field, ordinal) else { return refuse(i) };
        if wide != (bits == 64) {
            return refuse(i);
        }
        if let (Some(max), Operand::Int(value)) = (field.max_value(), value)
            && *value > max
        {
            return Err(i.at.unsupported(format!("`{}` with the value {value}; the largest is {max}", i.opcode)));
        }
        if field.max_value().is_some() && !matches!(value, Operand::Int(_)) {
            return Err(i.at.parse(format!("`{}` takes a constant", i.opcode)));
        }
        let place = if shared { AddressSpace::Shared } else { AddressSpace::Global };
        let inputs = vec![self.place(map, place, i)?, self.value(value, bits, i)?];
        self.emit_asynch(Asynch::new(AsyncOp::ReplaceField { field, shared }, inputs));
        Ok(())
    }
}
