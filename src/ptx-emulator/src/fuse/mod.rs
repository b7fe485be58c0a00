/*! Finds fused regions: straight-line code that a whole warp runs without returning to the interpreter's loop.

[`fuse`] is the last step of lowering. It looks for sequences of unguarded instructions in a basic block that neither
branch nor wait, and puts an [`Op::Region`] before each. The instructions themselves stay in place, and the region is a
faster way through the same code. The instructions run one by one if some lanes of the warp are inactive or a probe
observes each instruction. They also do from the first instruction to which the fast path does not apply (see
[`crate::machine`]). So results, counts and faults are always those of the instructions.

A region may be a whole basic block except for a final branch back to its beginning. It then repeats as long as all
lanes take the branch.

Some patterns run as one step:

- *Multiply-adds* in a row, as in a register tile: a list of rows.
- *Products* ([`Product`](crate::program::fused::Product)): load, load, multiply-add, each adding to the previous sum. A
  loaded value or sum stays out of the register file if the same region overwrites it later and nothing reads it before.
- *Loops* ([`ProductLoop`](crate::program::fused::ProductLoop)) that only compute one product, of one term or more, and
  advance its two addresses. The counters and addresses of all rounds come first, then the products of all rounds as
  one.
- *Load groups* ([`LoadGroup`](crate::program::fused::LoadGroup)): loads of adjacent words from global
  memory, read together.
*/

mod load_group;
mod product;
mod product_loop;

use crate::program::fused::{FusedRegion, FusedStep};
use crate::program::{Inst, NONE, Note, Op, Program};

/// Minimum number of terms of a product that is not in a loop.
const MIN_TERMS: usize = 2;
/// Minimum number of instructions in a region that is worth its own instruction.
const MIN_LENGTH: usize = 2;

/// True if an instruction may be part of a region.
fn fusible(program: &Program, inst: &Inst) -> bool {
    inst.guard == NONE
        && match inst.op {
            Op::Lanes(..) | Op::Fma | Op::LoadShared | Op::Predicate(_) | Op::InvalidatePattern => true,
            Op::Load | Op::Store => {
                let access = &program.accesses[inst.x as usize];
                !access.spins && access.atomic.is_none()
            }
            _ => false,
        }
}

/// Finds the fused regions of a program.
pub(crate) fn fuse(mut program: Program) -> Program {
    let old = std::mem::take(&mut program.code);
    let old_notes = std::mem::take(&mut program.notes);
    let mut regions: Vec<(usize, usize)> = Vec::new();
    let mut start = 0;
    while start < old.len() {
        let length = old[start..].iter().take_while(|inst| fusible(&program, inst)).count();
        let real = old[start..start + length].iter().filter(|inst| !matches!(inst.op, Op::InvalidatePattern)).count();
        if real >= MIN_LENGTH {
            regions.push((start, start + length));
        }
        start += length.max(1);
    }
    // Each instruction moves down by the number of regions that begin at or before it. Branch targets are the
    // beginnings of blocks, which are never inside a region.
    let mut moved: Vec<u32> = Vec::with_capacity(old.len() + 1);
    let mut next = regions.iter().peekable();
    for (at, (inst, note)) in old.into_iter().zip(old_notes).enumerate() {
        if let Some((_, end)) = next.next_if(|(start, _)| *start == at) {
            let begin = program.code.len() + 1;
            let mut enter = Inst::new(Op::Region(program.regions.len() as u32));
            enter.x = (end - at) as u32;
            program.code.push(enter);
            program.notes.push(Note { place: note.place, name: String::new(), block: note.block, flop: 0 });
            program.regions.push(FusedRegion {
                begin,
                steps: Vec::new(),
                end: begin + (end - at),
                again: None,
                product_loop: None,
            });
        }
        moved.push(program.code.len() as u32);
        program.code.push(inst);
        program.notes.push(note);
    }
    let target = |at: u32| moved.get(at as usize).copied().unwrap_or(at);
    for inst in &mut program.code {
        if matches!(inst.op, Op::Branch | Op::BranchTable) {
            inst.operands.d = target(inst.operands.d);
        }
        if matches!(inst.op, Op::Branch) {
            inst.x = target(inst.x);
        }
    }
    for entry in program.tables.iter_mut().flatten() {
        *entry = target(*entry);
    }
    for function in &mut program.functions {
        function.entry = target(function.entry);
    }
    for call in &mut program.calls {
        call.back = target(call.back);
    }
    let mut found = std::mem::take(&mut program.regions);
    for region in &mut found {
        region.steps = steps(&mut program, region.begin, region.end);
        region.again = program.loops(region.begin - 1, region.end);
        region.product_loop = product_loop::find(&mut program, region);
    }
    program.regions = found;
    program
}

/// Returns the steps of the instructions `start..end`.
fn steps(program: &mut Program, start: usize, end: usize) -> Vec<FusedStep> {
    let mut steps = Vec::new();
    let mut at = start;
    // The group that each load belongs to.
    let mut groups = vec![NONE; end - start];
    while at < end {
        let inst = program.code[at];
        let here = at as u32;
        if let Some(product) = product::find(&program.code[at..end], here, MIN_TERMS) {
            at += 3 * product.terms.len();
            steps.push(FusedStep::Product { at: here, index: program.products.len() as u32 });
            program.products.push(product);
            continue;
        }
        at += 1;
        match inst.op {
            Op::Fma => {
                let first = program.multiply_adds.len() as u32;
                program.multiply_adds.push(inst.operands);
                while at < end && matches!(program.code[at].op, Op::Fma) {
                    program.multiply_adds.push(program.code[at].operands);
                    at += 1;
                }
                steps.push(FusedStep::MultiplyAdds { first, end: program.multiply_adds.len() as u32 });
            }
            Op::Lanes(..) => {
                let mut touched = NONE;
                let mut advance = None;
                if at < end && matches!(program.code[at].op, Op::InvalidatePattern) {
                    let touch = &program.code[at];
                    match i32::try_from(touch.imm as i64) {
                        Ok(by) if by != 0 => {
                            advance = Some(FusedStep::Advance { pattern: touch.x, by, wide: touch.operands.c == 1 });
                        }
                        _ => touched = touch.x,
                    }
                    at += 1;
                }
                steps.push(FusedStep::Lanes { at: here, touched });
                steps.extend(advance);
            }
            Op::LoadShared => steps.push(FusedStep::LoadShared { at: here }),
            Op::Load if load_group::loads_word(program, &inst).is_some() => {
                let found = load_group::find(program, here as usize, end);
                if let Some(group) = found.filter(|_| groups[here as usize - start] == NONE) {
                    let index = program.load_groups.len() as u32;
                    group.loads.iter().for_each(|load| groups[*load as usize - start] = index);
                    steps.push(FusedStep::LoadGroup { index });
                    program.load_groups.push(group);
                }
                steps.push(FusedStep::LoadGlobal { at: here, group: groups[here as usize - start] });
            }
            Op::Load | Op::Store => steps.push(FusedStep::Access { at: here }),
            Op::Predicate(_) => steps.push(FusedStep::Predicate { at: here }),
            _ => steps.push(FusedStep::InvalidatePattern { pattern: inst.x }),
        }
    }
    steps
}
