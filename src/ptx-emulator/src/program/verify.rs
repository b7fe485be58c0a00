/*! Checks the properties of a program that memory safety depends on.

The interpreter's hot loop accesses registers, address patterns and tables without checks. [`Program::verify`] proves
once per load, in every build, that these accesses are valid. Only it creates a [`Verified`] program, and the machine
runs nothing else. It does not prove that a fused region computes what its instructions compute: the tests and the
fuzzer compare both.
*/

use super::fused::{FusedStep, Move};
use super::operands::Use;
use super::{Access, Inst, NONE, Op, Program, Slot};
use crate::arith::Width;

/// A program that [`Program::verify`] has accepted. It never changes afterwards.
#[derive(Debug)]
pub(crate) struct Verified(Program);

impl std::ops::Deref for Verified {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.0
    }
}

impl Program {
    /// Verifies the program.
    ///
    /// # Errors
    /// Fails as [`Self::proof`] does.
    pub(crate) fn verify(self) -> Result<Verified, String> {
        self.proof().map(|()| Verified(self))
    }

    /// Checks that all slots are inside the register file and all indices inside their tables. Also checks that all
    /// branch targets start a basic block, and that execution cannot run past the last instruction.
    ///
    /// # Errors
    /// Names the instruction and the rule that it breaks.
    fn proof(&self) -> Result<(), String> {
        if self.notes.len() != self.code.len() {
            return Err(format!("{} instructions have {} notes", self.code.len(), self.notes.len()));
        }
        if !self.file_words.is_multiple_of(32) {
            return Err(format!("a register file of {} words is not a whole number of rows", self.file_words));
        }
        for (at, inst) in self.code.iter().enumerate() {
            self.verify_inst(at, inst)
                .map_err(|what| format!("instruction {at}, `{}`: {what}", self.notes[at].name))?;
        }
        let ends = |inst: &Inst| {
            inst.guard == NONE && matches!(inst.op, Op::Exit | Op::Trap | Op::Return | Op::Branch | Op::BranchTable)
        };
        if !self.code.last().is_some_and(ends) {
            return Err("the last instruction continues after the code".to_owned());
        }
        self.verify_tables()?;
        self.verify_fused_regions()
    }

    fn verify_inst(&self, at: usize, inst: &Inst) -> Result<(), String> {
        if inst.guard != NONE {
            self.within(inst.guard, Width::Predicate)?;
        }
        for Use { slot, width, .. } in self.uses(inst) {
            self.within(slot, width)?;
        }
        let note = &self.notes[at];
        index("block", note.block, self.blocks.len())?;
        // Code without a PTX line has no place.
        match self.places.get(note.place as usize) {
            Some(place) => index("file", place.file, self.files.len())?,
            None => index("place", note.place, self.places.len() + usize::from(note.name.is_empty()))?,
        }
        if inst.op.accesses() {
            index("access", inst.x, self.accesses.len())?;
            self.verify_access(inst.op, &self.accesses[inst.x as usize])?;
        }
        let joins = |at: Slot| if at == NONE { Ok(()) } else { self.begins_block(at) };
        match inst.op {
            Op::Enter(block) => index("block", block, self.blocks.len()),
            Op::InvalidatePattern => index("pattern", inst.x, self.patterns as usize),
            Op::LoadShared => index("pattern", inst.operands.b, self.patterns as usize),
            Op::Tensor => index("product", inst.x, self.tensors.len()),
            Op::Branch => self.begins_block(inst.x).and_then(|()| joins(inst.operands.d)),
            Op::BranchTable => {
                index("table", inst.x, self.tables.len())?;
                let targets = &self.tables[inst.x as usize];
                if targets.is_empty() {
                    return Err("its table is empty".to_owned());
                }
                targets.iter().try_for_each(|target| self.begins_block(*target)).and_then(|()| joins(inst.operands.d))
            }
            Op::Call => index("call", inst.x, self.calls.len()),
            Op::Allocate | Op::Return if self.stack.is_none() => Err("there is no stack".to_owned()),
            Op::Service => index("service", inst.x, self.services.len()),
            Op::Asynch => index("asynchronous instruction", inst.x, self.async_copy.len()),
            Op::Region(run) => {
                index("fused region", run, self.regions.len())?;
                let end = at + 1 + inst.x as usize;
                if self.regions[run as usize].end != end || end >= self.code.len() {
                    return Err(format!("its fused region ends at {}", self.regions[run as usize].end));
                }
                if self.regions[run as usize].again.is_some_and(|block| self.loops(at, end) != Some(block)) {
                    return Err("its fused region is repeated, but no branch leads back to it".to_owned());
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn verify_access(&self, op: Op, access: &Access) -> Result<(), String> {
        let atomic = access.atomic.is_some();
        let fits = match op {
            Op::Atomic => atomic && access.size != 1 && matches!(access.lanes, 1 | 2 | 4 | 8),
            // A row of a matrix has 16 bytes.
            Op::Matrix => !atomic && access.bytes() == 16,
            Op::LoadShared => !atomic && access.bytes() == 4,
            _ => !atomic && matches!(access.lanes, 1 | 2 | 4),
        };
        // A load or store has a register for each element. Operands of an atomic may be absent.
        let moved = if atomic { 0 } else { access.lanes.min(4) as usize };
        if !fits || !matches!(access.size, 1 | 2 | 4 | 8) {
            return Err(format!("it moves {} elements of {} bytes", access.lanes, access.size));
        }
        if access.base == NONE || access.rows[..moved].contains(&NONE) {
            return Err("an operand is missing".to_owned());
        }
        access
            .uses()
            .iter()
            .filter(|used| used.slot != NONE)
            .try_for_each(|used| self.within(used.slot, used.width))?;
        index("pattern", access.pattern, self.patterns as usize)
    }

    fn verify_tables(&self) -> Result<(), String> {
        for fill in &self.fills {
            self.within(fill.slot, Width::of(fill.wide)).map_err(|what| format!("{:?}: {what}", fill.from))?;
        }
        for (slot, words) in &self.cleared {
            let width = [Width::Predicate, Width::Row, Width::Wide].into_iter().find(|width| width.words() == *words);
            self.within(*slot, width.ok_or_else(|| format!("{words} words are to be cleared"))?)?;
        }
        if let Some(stack) = self.stack {
            self.within(stack.frame, Width::Wide)?;
            self.within(stack.top, Width::Wide)?;
            stack.pattern.map_or(Ok(()), |pattern| index("pattern", pattern, self.patterns as usize))?;
        }
        for function in &self.functions {
            self.begins_block(function.entry).map_err(|what| format!("function `{}`: {what}", function.name))?;
        }
        for call in &self.calls {
            self.begins_block(call.back)?;
            for callee in call.callee.iter().chain(&call.among) {
                index("function", *callee, self.functions.len())?;
            }
            let kept = [(&call.predicates, Width::Predicate), (&call.rows, Width::Row), (&call.wide, Width::Wide)];
            for (slots, width) in kept {
                slots.iter().try_for_each(|slot| self.within(*slot, width))?;
            }
            call.patterns.iter().try_for_each(|pattern| index("pattern", *pattern, self.patterns as usize))?;
        }
        for what in &self.async_copy {
            let accesses = what.accesses.iter().filter(|index| **index != NONE);
            accesses.into_iter().try_for_each(|access| index("access", *access, self.accesses.len()))?;
        }
        Ok(())
    }

    /// Checks that the steps of fused regions refer to suitable instructions and valid table entries.
    fn verify_fused_regions(&self) -> Result<(), String> {
        let is = |at, fits: fn(&Op) -> bool| self.is_step(at, fits);
        for region in &self.regions {
            let Some(product_loop) = &region.product_loop else { continue };
            index("product", product_loop.product, self.products.len())?;
            if region.again.is_none() || self.products[product_loop.product as usize].at as usize != region.begin {
                return Err("a fused region is not a loop that begins with its product".to_owned());
            }
            if product_loop.steps.iter().any(|step| step % 4 != 0) {
                return Err("a loop moves addresses by a part of a word".to_owned());
            }
            product_loop.control.iter().try_for_each(|step| self.verify_register_step(step))?;
            for Move { address, .. } in &product_loop.moves {
                self.within(address.slot, Width::of(address.wide))?;
                index("pattern", address.pattern, self.patterns as usize)?;
            }
        }
        for step in self.regions.iter().flat_map(|run| &run.steps) {
            match *step {
                FusedStep::MultiplyAdds { first, end } if first <= end => {
                    index("multiply-add", end, self.multiply_adds.len() + 1)?;
                }
                FusedStep::MultiplyAdds { .. } => return Err("multiply-adds end before they begin".to_owned()),
                FusedStep::Product { at, index: product } => {
                    is(at, |op| matches!(op, Op::LoadShared))?;
                    index("product", product, self.products.len())?;
                }
                FusedStep::LoadShared { at } => is(at, |op| matches!(op, Op::LoadShared))?,
                FusedStep::LoadGroup { index: group } => index("load group", group, self.load_groups.len())?,
                FusedStep::LoadGlobal { at, group } => {
                    is(at, |op| matches!(op, Op::Load))?;
                    if group != NONE {
                        index("load group", group, self.load_groups.len())?;
                    }
                }
                FusedStep::Access { at } => is(at, |op| matches!(op, Op::Load | Op::Store))?,
                _ => self.verify_register_step(step)?,
            }
        }
        for row in &self.multiply_adds {
            [row.a, row.b, row.c, row.d].into_iter().try_for_each(|slot| self.within(slot, Width::Row))?;
        }
        for product in &self.products {
            for source in [product.x, product.y] {
                self.within(source.slot, Width::of(source.wide))?;
                index("pattern", source.pattern, self.patterns as usize)?;
            }
            // The machine checks bounds for the ranges, and alignment for the addresses.
            let inside = |offset: i32, [low, high]: [i32; 2]| (low..=high).contains(&offset) && offset % 4 == 0;
            let ranges = |[x, y]: &[i32; 2]| inside(*x, product.x_range) && inside(*y, product.y_range);
            if product.kept.len() > product.terms.len() || !product.terms.iter().all(ranges) {
                return Err("a product has a term beyond its range".to_owned());
            }
            let kept = product.kept.iter().flat_map(|kept| [kept.x, kept.y, kept.d]);
            kept.chain([product.c, product.d]).try_for_each(|slot| self.within(slot, Width::Row))?;
            let loads = (0..product.terms.len() as u32).flat_map(|term| [3 * term, 3 * term + 1]);
            loads.into_iter().try_for_each(|load| is(product.at + load, |op| matches!(op, Op::LoadShared)))?;
        }
        for load in self.load_groups.iter().flat_map(|group| &group.loads) {
            is(*load, |op| matches!(op, Op::Load))?;
        }
        Ok(())
    }

    fn verify_register_step(&self, step: &FusedStep) -> Result<(), String> {
        match *step {
            FusedStep::Lanes { at, touched } => {
                self.is_step(at, |op| matches!(op, Op::Lanes(..)))?;
                if touched == NONE { Ok(()) } else { index("pattern", touched, self.patterns as usize) }
            }
            FusedStep::Predicate { at } => self.is_step(at, |op| matches!(op, Op::Predicate(_))),
            FusedStep::InvalidatePattern { pattern } | FusedStep::Advance { pattern, .. } => {
                index("pattern", pattern, self.patterns as usize)
            }
            _ => Err(format!("{step:?} reaches more than registers")),
        }
    }

    fn is_step(&self, at: u32, fits: fn(&Op) -> bool) -> Result<(), String> {
        match self.code.get(at as usize) {
            Some(inst) if fits(&inst.op) => Ok(()),
            _ => Err(format!("a fused region has a step at {at} that belongs to a different instruction")),
        }
    }

    /// Checks that a register of this width is inside the register file, and that rows are aligned.
    fn within(&self, slot: Slot, width: Width) -> Result<(), String> {
        let aligned = width == Width::Predicate || slot.is_multiple_of(32);
        match slot.checked_add(width.words()) {
            Some(end) if end <= self.file_words && aligned => Ok(()),
            _ if slot == NONE => Err(format!("an operand is missing, a {width:?}")),
            _ => Err(format!("no {width:?} begins at word {slot} of a register file of {}", self.file_words)),
        }
    }

    fn begins_block(&self, target: u32) -> Result<(), String> {
        match self.code.get(target as usize).map(|inst| inst.op) {
            Some(Op::Enter(_) | Op::Reconverge) => Ok(()),
            _ => Err(format!("no block begins at {target}")),
        }
    }
}

fn index(what: &str, index: u32, count: usize) -> Result<(), String> {
    if (index as usize) < count { Ok(()) } else { Err(format!("there is no {what} {index}; there are {count}")) }
}

#[cfg(test)]
mod tests {
    use super::FusedStep;
    use crate::Module;
    use crate::program::{Inst, NONE, Op, Program};
    use std::sync::Arc;

    const TEXT: &str = ".version 8.0\n.target sm_80\n.address_size 64\n\
        .func (.param .b32 back) twice(.param .b32 n) {\n.reg .b32 %r<3>; .reg .pred %p;\n\
        ld.param.b32 %r1, [n]; setp.eq.u32 %p, %r1, 0; @%p bra E;\n\
        { .param .b32 a; .param .b32 b; sub.u32 %r2, %r1, 1; st.param.b32 [a], %r2; call (b), twice, (a); \
        ld.param.b32 %r1, [b]; add.u32 %r1, %r1, 2; }\nE: st.param.b32 [back], %r1; ret;\n}\n\
        .visible .entry k(.param .u64 out) {\n.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .pred %p<4>;\n\
        .shared .align 4 .b32 tile[64];\n\
        ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4; add.u64 %rd0, %rd0, %rd1;\n\
        mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; st.shared.u32 [%r1], %r0; bar.sync 0;\n\
        mov.f32 %f3, 0f00000000;\nL: ld.shared.f32 %f1, [%r1]; ld.shared.f32 %f2, [%r1+4]; fma.rn.f32 %f3, %f1, %f2, %f3;\n\
        ld.shared.f32 %f1, [%r1+8]; ld.shared.f32 %f2, [%r1+12]; fma.rn.f32 %f3, %f1, %f2, %f3;\n\
        setp.gt.f32 %p1, %f3, 0f3f800000; shfl.sync.idx.b32 %r3|%p2, %r0, 0, 31, -1; @%p1 bra L;\n\
        { .param .b32 a; .param .b32 b; st.param.b32 [a], %r3; call (b), twice, (a); ld.param.b32 %r4, [b]; }\n\
        atom.global.add.u32 %r5, [%rd0], %r4; st.global.f32 [%rd0], %f3;\nret;\n}";

    fn program() -> Program {
        let kernel = Module::parse(TEXT).unwrap().kernel("k").unwrap();
        Arc::try_unwrap(kernel.program).unwrap().0
    }

    #[test]
    fn a_program_as_it_was_lowered_is_right() {
        assert!(program().verify().is_ok());
    }

    fn first(program: &mut Program, is: fn(&Op) -> bool) -> &mut Inst {
        program.code.iter_mut().find(|inst| is(&inst.op)).unwrap()
    }

    type Cut = (fn(&mut Program), &'static str);

    #[test]
    fn a_mutilated_program_is_refused() {
        let cuts: [Cut; 30] = [
            (|p| p.file_words -= 1, "is not a whole number of rows"),
            (|p| p.file_words -= 32, "of a register file of"),
            (|p| first(p, |op| matches!(op, Op::Lanes(..))).operands.d = 33, "begins at word 33 of a register file of"),
            (|p| first(p, |op| matches!(op, Op::Lanes(..))).operands.d = NONE, "an operand is missing"),
            (|p| first(p, |op| matches!(op, Op::Lanes(..))).operands.a = p.file_words, "no "),
            (|p| first(p, |op| matches!(op, Op::Branch)).guard = p.file_words, "no Predicate begins"),
            (|p| first(p, |op| matches!(op, Op::Branch)).x += 1, "no block begins at"),
            (|p| first(p, |op| matches!(op, Op::Branch)).operands.d = 0xffff, "no block begins at 65535"),
            (|p| first(p, |op| matches!(op, Op::Store)).x = 99, "there is no access 99"),
            (|p| first(p, |op| matches!(op, Op::LoadShared)).operands.b = p.patterns, "there is no pattern"),
            (|p| first(p, |op| matches!(op, Op::Call)).x = 9, "there is no call 9"),
            (|p| first(p, |op| matches!(op, Op::Enter(_))).op = Op::Enter(99), "there is no block 99"),
            (
                |p| first(p, |op| matches!(op, Op::Shuffle)).imm = 0x7777 | 0xffff_ffff << 32,
                "no Predicate begins at word 30583",
            ),
            (|p| first(p, |op| matches!(op, Op::Region(_))).op = Op::Region(99), "there is no fused region 99"),
            (|p| first(p, |op| matches!(op, Op::Region(_))).x += 1, "its fused region ends at"),
            (|p| p.regions[0].again = Some(0), "no branch leads back to it"),
            (|p| p.regions[0].steps.push(FusedStep::InvalidatePattern { pattern: 9 }), "there is no pattern 9"),
            (|p| p.products[0].kept[0].d = 7, "no Row begins at word 7"),
            (|p| p.products[0].at += 1, "belongs to a different instruction"),
            (|p| p.accesses[0].pattern = 77, "there is no pattern 77"),
            (|p| p.accesses.iter_mut().for_each(|access| access.base = 1), "begins at word 1"),
            (|p| p.accesses.iter_mut().for_each(|access| access.base = NONE), "an operand is missing"),
            (|p| p.accesses.iter_mut().for_each(|access| access.rows[0] = NONE), "an operand is missing"),
            (|p| p.products[0].terms[0][0] -= 4, "beyond its range"),
            (|p| p.products[0].terms[0][1] += 1, "beyond its range"),
            (|p| p.fills[0].slot = p.file_words, "of a register file of"),
            (|p| p.calls[0].back = 1 << 20, "no block begins at 1048576"),
            (|p| p.calls[0].callee = Some(3), "there is no function 3"),
            (|p| p.functions[0].entry += 1, "no block begins at"),
            (|p| _ = (p.code.pop(), p.notes.pop()), "continues after the code"),
        ];
        for (number, (cut, says)) in cuts.into_iter().enumerate() {
            let mut program = program();
            cut(&mut program);
            let found = program.verify().expect_err(&format!("cut {number}"));
            assert!(found.contains(says), "cut {number}: {found}");
        }
    }
}
