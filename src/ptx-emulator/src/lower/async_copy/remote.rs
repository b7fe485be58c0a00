//! `st.async` and `red.async`: write to shared memory of the cluster and complete at an `mbarrier`.

use super::AddressSpace;
use super::bulk::{reduces_shared, reduction};
use super::form::Form;
use crate::LoadError;
use crate::lower::alu::{refuse, take};
use crate::lower::draft::Lowerer;
use crate::program::async_copy::{AsyncOp, Asynch, Reduce};
use crate::ptx::{Instruction, Operand};

impl<'a> Lowerer<'a> {
    /// Lowers an instruction; `m` are the modifiers after `st.async`.
    pub(in crate::lower) fn remote_store(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let mut form = Form::of(m);
        form.has("weak");
        let place = where_to(&mut form, true, i)?;
        let lanes = match form.one(&["v2", "v4"]) {
            None => 1,
            Some("v2") => 2,
            Some(_) => 4,
        };
        let bits = match form.one(&["b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"]) {
            Some("b32" | "u32" | "s32" | "f32") => 32,
            Some(_) if lanes != 4 => 64,
            _ => return refuse(i),
        };
        form.end(i)?;
        self.send(place, lanes, bits, None, i)
    }

    /// Lowers an instruction; `m` are the modifiers after `red.async`.
    pub(in crate::lower) fn remote_reduction(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [rest @ .., operation, ty] = m else { return refuse(i) };
        let mut form = Form::of(rest);
        let place = where_to(&mut form, false, i)?;
        if !form.has("relaxed") || !form.has("cluster") {
            return refuse(i);
        }
        form.end(i)?;
        // Only `red.async` can add signed numbers. The bits are the same as for unsigned numbers.
        let ty = if (*operation, *ty) == ("add", "s64") { "u64" } else { ty };
        match reduction(operation, ty).filter(|reduce| reduces_shared(*reduce, ty)) {
            Some(reduce) => self.send(place, 1, u32::from(reduce.size) * 8, Some(reduce), i),
            None => refuse(i),
        }
    }

    fn send(
        &mut self,
        place: AddressSpace,
        lanes: usize,
        bits: u32,
        reduce: Option<Reduce>,
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        let [address, values, barrier] = take(i)?;
        let mut inputs = vec![self.place(address, place, i)?, self.place(barrier, place, i)?];
        let values = match values {
            Operand::Vector(all) => all.as_slice(),
            one => std::slice::from_ref(one),
        };
        if values.len() != lanes {
            return Err(i.at.parse("the vector has the wrong length"));
        }
        for value in values {
            inputs.push(self.value(value, bits, i)?);
        }
        self.emit_asynch(Asynch::new(AsyncOp::Remote { size: (bits / 8) as u8, reduce }, inputs));
        Ok(())
    }
}

/// Parses the state space and the completion mechanism.
fn where_to(form: &mut Form<'_>, own: bool, i: &Instruction<'_>) -> Result<AddressSpace, LoadError> {
    if !form.has("mbarrier::complete_tx::bytes") {
        return Err(i.at.unsupported(format!("`{}`, because no `mbarrier` counts it", i.opcode)));
    }
    let shared = form.has("shared::cluster") || (own && form.has("shared::cta"));
    Ok(if shared { AddressSpace::Shared } else { AddressSpace::Generic })
}
