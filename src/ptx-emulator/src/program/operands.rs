//! Lists the registers that each instruction reads and writes.

use super::tensor::TensorOp;
use super::{Access, Barrier, Inst, NONE, Op, Program, Slot, async_copy};
use crate::arch::AtomicKind;
use crate::arith::Width;
use crate::arith::tensor::Format;

/// A register that an instruction uses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Use {
    pub(crate) slot: Slot,
    pub(crate) width: Width,
    pub(crate) writes: bool,
    /// True if the operand may be absent.
    pub(crate) optional: bool,
}

impl Use {
    fn reads(slot: Slot, width: Width) -> Self {
        Self { slot, width, writes: false, optional: false }
    }

    fn writes(slot: Slot, width: Width) -> Self {
        Self { writes: true, ..Self::reads(slot, width) }
    }

    fn perhaps(self) -> Self {
        Self { optional: true, ..self }
    }

    /// True if the use overlaps the register at `slot` (64-bit if `wide`).
    pub(crate) fn overlaps(&self, slot: Slot, wide: bool) -> bool {
        let apart = slot >= self.slot + self.width.words() || self.slot >= slot + Width::of(wide).words();
        self.width != Width::Predicate && !apart
    }
}

impl Program {
    /// Returns the registers that an instruction uses, results first, without its guard.
    pub(crate) fn uses(&self, inst: &Inst) -> Vec<Use> {
        use Width::{Predicate, Row, Wide};
        let (on, x) = (inst.operands, inst.x as usize);
        let result = |width| Use::writes(on.d, width);
        let mut all = match inst.op {
            Op::Enter(_)
            | Op::Reconverge
            | Op::InvalidatePattern
            | Op::Fence(_)
            | Op::Return
            | Op::Exit
            | Op::Trap
            | Op::Region(_) => {
                vec![]
            }
            Op::Lanes(_, [d, a, b, c]) => {
                vec![result(d), Use::reads(on.a, a), Use::reads(on.b, b), Use::reads(on.c, c)]
            }
            Op::Scalar(_) => {
                let width = |bit: u32| Width::of(inst.x >> bit & 1 == 1);
                let source = |slot, bit| Use::reads(slot, width(bit)).perhaps();
                vec![result(width(3)), source(on.a, 0), source(on.b, 1), source(on.c, 2)]
            }
            Op::Predicate(_) => {
                let source = |slot| Use::reads(slot, Predicate).perhaps();
                vec![result(Predicate), source(on.a), source(on.b), source(on.c)]
            }
            Op::Fma => vec![result(Row), Use::reads(on.a, Row), Use::reads(on.b, Row), Use::reads(on.c, Row)],
            Op::LoadShared => vec![result(Row), Use::reads(on.a, Width::of(on.c == 1))],
            Op::Load | Op::Store | Op::Matrix => self.accesses.get(x).map_or(vec![], Access::uses),
            Op::Atomic => {
                let Some(access) = self.accesses.get(x) else { return vec![] };
                let width = Width::of(access.wide);
                let mut all = access.uses();
                if access.bytes() == 16 && access.size == 8 {
                    all.extend([Use::reads(on.a, Wide), Use::reads(on.b, Wide)]);
                } else {
                    all.extend([result(width).perhaps(), Use::reads(on.a, width).perhaps()]);
                    let second = Use::reads(on.b, width);
                    let compares = access.atomic == Some(AtomicKind::CompareSwap);
                    all.push(if compares { second } else { second.perhaps() });
                }
                all
            }
            Op::Tensor => self.tensors.get(x).map_or(vec![], |tensor| {
                let double = matches!(tensor.kind, TensorOp::Multiply(form) if form.a == Format::F64);
                let width = |index: usize| match tensor.kind {
                    // The operands are: four registers of A or its descriptor, the descriptor of B, and the predicate
                    // that adds D.
                    TensorOp::Group(group) => match index + if group.a_registers { 0 } else { 3 } {
                        3 if !group.a_registers => Wide,
                        4 => Wide,
                        5 => Predicate,
                        _ => Row,
                    },
                    _ => Width::of(double),
                };
                let writes = tensor.writes.iter().map(|slot| Use::writes(*slot, Width::of(double)));
                let reads = tensor.reads.iter().enumerate().map(|(index, slot)| Use::reads(*slot, width(index)));
                writes.chain(reads).collect()
            }),
            Op::Branch => vec![],
            Op::BranchTable => vec![Use::reads(on.a, Row)],
            Op::Barrier(kind) => {
                let all = vec![Use::reads(on.a, Row), Use::reads(on.b, Row).perhaps()];
                match kind {
                    Barrier::Sync | Barrier::Arrive => all,
                    Barrier::Count => [vec![result(Row)], all, vec![Use::reads(on.c, Predicate)]].concat(),
                    Barrier::And | Barrier::Or => {
                        [vec![result(Predicate)], all, vec![Use::reads(on.c, Predicate)]].concat()
                    }
                }
            }
            Op::WarpSync => vec![Use::reads(on.a, Row).perhaps()],
            Op::Shuffle => vec![
                result(Row),
                Use::writes(inst.imm as u32, Predicate).perhaps(),
                Use::reads(on.a, Row),
                Use::reads(on.b, Row),
                Use::reads(on.c, Row),
                Use::reads((inst.imm >> 32) as u32, Row).perhaps(),
            ],
            Op::Vote => {
                let width = if inst.x > 2 { Row } else { Predicate };
                vec![result(width), Use::reads(on.a, Predicate), Use::reads(on.b, Row).perhaps()]
            }
            Op::ActiveMask => vec![result(Row)],
            Op::Match => vec![
                result(Row),
                Use::writes(inst.imm as u32, Predicate).perhaps(),
                Use::reads(on.a, Width::of(inst.x & 1 == 1)),
                Use::reads(on.b, Row).perhaps(),
            ],
            Op::Reduce => vec![result(Row), Use::reads(on.a, Row), Use::reads(on.b, Row).perhaps()],
            Op::Elect => {
                vec![result(Row).perhaps(), Use::writes(inst.imm as u32, Predicate), Use::reads(on.b, Row).perhaps()]
            }
            Op::Call => match self.calls.get(x) {
                Some(call) if call.callee.is_none() => vec![Use::reads(on.a, Wide)],
                _ => vec![],
            },
            Op::Allocate => vec![result(Wide), Use::reads(on.a, Wide)],
            Op::Service => vec![],
            Op::Asynch => self.async_copy.get(x).map_or(vec![], |what| {
                let results = [Use::writes(what.value, Width::Row), Use::writes(what.predicate, Predicate)];
                let ignores = |index| index == 3 && matches!(what.kind, async_copy::AsyncOp::Copy { .. });
                let inputs = what.inputs.iter().enumerate().map(|(index, input)| {
                    let width = if ignores(index) { Predicate } else { Width::of(input.wide) };
                    Use::reads(input.slot, width)
                });
                results.into_iter().chain(inputs).map(Use::perhaps).collect()
            }),
            Op::WidenAddress => vec![result(Wide), Use::reads(on.a, Row)],
            Op::Clock => vec![result(Width::of(inst.x == 1))],
        };
        all.retain(|used| used.width != Width::Absent && !(used.optional && used.slot == NONE));
        all
    }
}

impl Access {
    /// Returns the registers that the access moves, and the address register.
    pub(super) fn uses(&self) -> Vec<Use> {
        let width = Width::of(self.wide);
        let moved = |rows: &[Slot], writes| -> Vec<Use> {
            rows.iter().map(|slot| Use { writes, ..Use::reads(*slot, width) }.perhaps()).collect()
        };
        let mut all = match (self.atomic, self.writes) {
            (Some(_), _) => [moved(&self.rows[..2], true), moved(&self.rows[2..], false)].concat(),
            (None, stores) => moved(&self.rows[..self.lanes.min(4) as usize], !stores),
        };
        all.push(Use::reads(self.base, Width::of(self.base_wide)).perhaps());
        all
    }
}
