//! Atomics and reductions, including those on vectors.

use super::alu::refuse;
use super::draft::{Draft, Lowerer};
use super::memory::Address;
use crate::LoadError;
use crate::arch::{AtomicKind, Order};
use crate::program::{Access, NONE, Op, StateSpace};
use crate::ptx::{Instruction, Operand};

/// Returns the kind of an operation on a type, or `None` if it does not exist.
pub(super) fn kind_of(operation: Option<&str>, ty: &str) -> Option<AtomicKind> {
    use AtomicKind as A;
    Some(match (operation?, ty) {
        ("exch", "b32" | "b64") => A::Exchange,
        ("cas", "b16" | "b32" | "b64") => A::CompareSwap,
        ("add", "u32" | "s32" | "u64") => A::Add,
        ("add", "f32") => A::AddF32,
        ("add", "f64") => A::AddF64,
        ("add", "f16" | "f16x2") => A::AddF16,
        ("add", "bf16" | "bf16x2") => A::AddBf16,
        ("min", "f16" | "f16x2") => A::MinF16,
        ("max", "f16" | "f16x2") => A::MaxF16,
        ("min", "bf16" | "bf16x2") => A::MinBf16,
        ("max", "bf16" | "bf16x2") => A::MaxBf16,
        ("min", "s32") => A::MinS32,
        ("min", "s64") => A::MinS64,
        ("max", "s32") => A::MaxS32,
        ("max", "s64") => A::MaxS64,
        ("min", "u32" | "u64") => A::Min,
        ("max", "u32" | "u64") => A::Max,
        ("and", "b32" | "b64") => A::And,
        ("or", "b32" | "b64") => A::Or,
        ("xor", "b32" | "b64") => A::Xor,
        ("inc", "u32") => A::Increment,
        ("dec", "u32") => A::Decrement,
        _ => return None,
    })
}

impl<'a> Lowerer<'a> {
    /// Lowers an atomic. `vector` is the number of elements, each of which becomes an atomic.
    #[expect(clippy::too_many_arguments, reason = "what an atomic consists of")]
    pub(super) fn atomic(
        &mut self,
        name: &str,
        reach: Option<StateSpace>,
        operation: Option<&str>,
        (ty, bits): (&str, u32),
        vector: Option<usize>,
        operands: &'a [Operand<'a>],
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        let Some(kind) = kind_of(operation, ty) else { return refuse(i) };
        let reduction = name == "red";
        let modifiers: Vec<&str> = i.opcode.split('.').collect();
        let (d, rest) = match (reduction, operands.split_first()) {
            (true, _) => (None, operands),
            (false, Some((d, rest))) => (Some(d), rest),
            (false, None) => return Err(i.at.parse("an operand is missing")),
        };
        let (address, values) = match rest {
            [address, values @ ..] if values.len() == 1 + usize::from(kind == AtomicKind::CompareSwap) => {
                (address, values)
            }
            _ => return Err(i.at.parse(format!("`{}` has the wrong number of operands", i.opcode))),
        };
        let Address::Memory { reach, base, offset } = self.address(address, reach, false, i)? else {
            return refuse(i);
        };
        if reach == StateSpace::Local || (vector.is_some() && reach == StateSpace::Shared) {
            return refuse(i);
        }
        let base = if base == NONE { self.constant(0, 64) } else { base };
        let elements = vector.unwrap_or(1);
        // Element 0 comes last, because the whole instruction is counted with it.
        for element in (1..elements).chain([0]) {
            let part = |operand: &'a Operand<'a>| match (operand, vector) {
                (one, None) => Some(one),
                (Operand::Vector(all), Some(count)) if all.len() == count => all.get(element),
                _ => None,
            };
            let pick = |operand| part(operand).ok_or_else(|| i.at.parse("the vector has the wrong length"));
            let d = match d {
                Some(d) => self.destination(pick(d)?, bits, i.at)?,
                None => NONE,
            };
            let mut draft = Draft::new(Op::Atomic);
            draft.inst.operands.d = d;
            draft.inst.imm = u64::from(element != 0);
            draft.inst.operands.a = self.source(pick(&values[0])?, bits, i.at)?;
            if let Some(second) = values.get(1) {
                draft.inst.operands.b = self.source(second, bits, i.at)?;
            }
            draft.flop = u32::from(matches!(kind, AtomicKind::AddF32 | AtomicKind::AddF64));
            draft.access = Some(Access {
                reach,
                size: bits / 8,
                lanes: if element == 0 { elements as u32 } else { 1 },
                rows: [NONE; 4],
                wide: bits == 64,
                signed: false,
                base,
                base_wide: self.bits[base as usize] == 64,
                pattern: 0,
                offset: offset.wrapping_add((element as u32 * bits / 8).into()),
                atomic: Some(kind),
                writes: true,
                spins: !reduction,
                returns: false,
                constant: false,
                read_only: false,
                matrix: None,
                order: Order::of(&modifiers, true),
            });
            self.emit(draft);
        }
        Ok(())
    }
}
