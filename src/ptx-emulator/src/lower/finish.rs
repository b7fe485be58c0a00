//! Assigns slots to registers and generates the final code.

use super::draft::{Draft, Lowerer, Target, Virtual};
use super::flow::{self, Block};
use super::liveness::{Across, MAX_ACROSS, ranges};
use crate::LoadError;
use crate::program::calls::{Call, Service, Stack};
use crate::program::tensor::Tensor;
use crate::program::*;
use std::collections::{HashMap, HashSet};

/// The slot of each register. Registers that are never live together share slots.
struct Slots {
    of: Vec<Slot>,
    words: u32,
    cleared: Vec<(Slot, u32)>,
    /// Registers live after each call, except those that only the launch fills.
    across: Across,
}

impl Slots {
    /// Records the registers that a call must save.
    fn keep(&self, call: &mut Call, live: &[Virtual], bits: &[u32], patterns: &Patterns) {
        for v in live {
            let slot = self.of[*v as usize];
            match bits[*v as usize] {
                1 => call.predicates.push(slot),
                64 => call.wide.push(slot),
                _ => call.rows.push(slot),
            }
            call.patterns.extend(patterns.get(*v, self));
        }
    }
}

impl Lowerer<'_> {
    pub(super) fn finish(mut self) -> Result<Program, LoadError> {
        let mut labels = Vec::with_capacity(self.labels.len());
        for label in &self.labels {
            // Every label that a branch can name has been placed. The fallback is the final exit.
            labels.push(label.unwrap_or(self.drafts.len() - 1).min(self.drafts.len() - 1));
        }
        let (blocks, of_draft) = flow::blocks(&self.drafts, &labels);
        let slots = self.slots(&blocks);
        if slots.across.registers >= MAX_ACROSS {
            let what = format!("calls of functions that have to keep more than {MAX_ACROSS} registers");
            return Err(self.function.at.unsupported(what));
        }
        let patterns = Patterns::of(&self.drafts, &slots);
        let mut reconverging = vec![false; blocks.len()];
        for block in &blocks {
            if let (true, Some(at)) = (block.next.len() > 1, block.reconverges) {
                reconverging[at] = true;
            }
        }
        let mut program = self.empty(&slots, &patterns);
        let mut starts = vec![0u32; blocks.len() + 1];
        let mut patches: Vec<(usize, usize, Option<Target>)> = Vec::new();
        let mut back: Vec<(usize, usize)> = Vec::new();
        let mut drafts = std::mem::take(&mut self.drafts);
        super::roles::assign(&mut drafts, &blocks, &of_draft);
        let mut used = vec![false; self.bits.len()];
        drafts.iter().flat_map(Draft::reads).for_each(|v| used[v as usize] = true);
        let early = super::in_flight::early(&drafts, &blocks);
        let masks = super::undefined::active_masks(&drafts);
        let after = super::undefined::after_barriers(&drafts, &blocks);
        let mut block_of = vec![0u32; drafts.len()];
        for (index, block) in blocks.iter().enumerate() {
            starts[index] = program.code.len() as u32;
            let place = drafts[block.start].place;
            let push = |program: &mut Program, inst: Inst, note: Note| {
                program.code.push(inst);
                program.notes.push(note);
            };
            let plain = |place| Note { place, name: String::new(), block: index as u32, flop: 0 };
            if reconverging[index] {
                push(&mut program, Inst::new(Op::Reconverge), plain(place));
            }
            push(&mut program, Inst::new(Op::Enter(index as u32)), plain(place));
            let mut info = BlockInfo::default();
            for (at, draft) in drafts.iter().enumerate().take(block.end).skip(block.start) {
                block_of[at] = index as u32;
                info.length += u32::from(!draft.name.is_empty() && !draft.part);
                info.flop += if draft.guard.is_none() { draft.flop } else { 0 };
                let jumps_to_next =
                    matches!(draft.target, Some(Target::Label(label)) if of_draft[labels[label]] == index + 1);
                if jumps_to_next && matches!(draft.inst.op, Op::Branch) {
                    continue;
                }
                if matches!(draft.inst.op, Op::Call)
                    && let Some(call) = program.calls.get_mut(draft.inst.x as usize)
                    && let Some(live) = slots.across.calls.get(&index)
                {
                    slots.keep(call, live, &self.bits, &patterns);
                    back.push((draft.inst.x as usize, index + 1));
                }
                let mut inst = place_operands(draft, &slots, &mut program, &patterns);
                if matches!(inst.op, Op::Barrier(_)) {
                    inst.x = after.get(&index).map_or(0, |after| *after as u32 + 1);
                }
                if let (Op::Atomic, Some(access)) = (inst.op, program.accesses.last_mut()) {
                    let d = draft.inst.operands.d;
                    access.returns = access.rows[0] != NONE || d != NONE && used[d as usize];
                }
                if draft.target.is_some() {
                    patches.push((program.code.len(), index, draft.target.clone()));
                }
                let note = Note { name: draft.name.clone(), flop: draft.flop, ..plain(draft.place) };
                push(&mut program, inst, note);
                let mut touched: Vec<u32> = draft.writes().filter_map(|v| patterns.get(v, &slots)).collect();
                touched.dedup();
                for pattern in touched {
                    let mut touch = Inst::new(Op::InvalidatePattern);
                    touch.x = pattern;
                    if draft.adds != 0 && draft.guard.is_none() {
                        touch.imm = draft.adds as u64;
                        touch.operands.c = u32::from(self.bits[draft.inst.operands.d as usize] == 64);
                    }
                    push(&mut program, touch, plain(draft.place));
                }
            }
            program.blocks.push(info);
        }
        let side = |at: usize| (drafts[at].place, block_of[at]);
        program.early = early.into_iter().map(|(first, second, kind)| (side(first), side(second), kind)).collect();
        program.active_masks = masks.into_iter().map(side).collect();
        for (at, block, target) in patches {
            let joined = blocks[block].reconverges.map_or(NONE, |at| starts[at]);
            program.code[at].operands.d = joined;
            match target {
                Some(Target::Label(label)) => program.code[at].x = starts[of_draft[labels[label]]],
                Some(Target::Table(table)) => {
                    program.code[at].x = program.tables.len() as u32;
                    program.tables.push(table.iter().map(|label| starts[of_draft[labels[*label]]]).collect());
                }
                None => {}
            }
        }
        for (call, block) in back {
            program.calls[call].back = starts[block];
        }
        program.functions = self.functions(|label| starts[of_draft[labels[label]]]);
        Ok(program)
    }

    fn empty(&mut self, slots: &Slots, patterns: &Patterns) -> Program {
        let mut fills: Vec<Fill> = self
            .preloads
            .iter()
            .map(|((from, bits), v)| Fill { slot: slots.of[*v as usize], wide: *bits == 64, from: *from })
            .collect();
        fills.sort_unstable_by_key(|fill| fill.slot);
        let accesses = || self.drafts.iter().filter_map(|draft| draft.access.as_ref());
        let shared_granule = accesses()
            .filter(|a| matches!(a.reach, StateSpace::Shared | StateSpace::Cluster | StateSpace::Generic))
            .map(|a| a.size.min(4))
            .min();
        let ordered_blocks = accesses()
            .any(|a| a.order.strong && matches!(a.reach, StateSpace::Global | StateSpace::Generic))
            || self
                .drafts
                .iter()
                .filter_map(|draft| draft.async_copy.as_ref())
                .any(|copy| copy.what.kind.reduces_global())
            || self.services.iter().any(|call| call.service == Service::Allocate);
        Program {
            name: self.function.name.to_owned(),
            params: std::mem::take(&mut self.params),
            param_bytes: self.param_bytes,
            code: Vec::new(),
            notes: Vec::new(),
            places: std::mem::take(&mut self.places),
            files: std::mem::take(&mut self.files),
            blocks: Vec::new(),
            accesses: Vec::new(),
            tensors: Vec::new(),
            async_copy: Vec::new(),
            tables: Vec::new(),
            regions: Vec::new(),
            multiply_adds: Vec::new(),
            products: Vec::new(),
            early: Vec::new(),
            load_groups: Vec::new(),
            fills,
            cleared: slots.cleared.clone(),
            file_words: slots.words,
            patterns: patterns.index.len() as u32,
            shared_bytes: self.shared_bytes,
            dynamic_align: self.dynamic_align,
            local_bytes: self.kernel_local_bytes,
            stack: self.stack.map(|(frame, top)| Stack {
                frame: slots.of[frame as usize],
                top: slots.of[top as usize],
                pattern: patterns.get(frame, slots),
                align: self.local_align,
            }),
            functions: Vec::new(),
            calls: std::mem::take(&mut self.call_sites),
            services: std::mem::take(&mut self.services),
            function_names: self.function_names(),
            max_threads: self.function.max_threads.unwrap_or(1024).min(1024),
            registers: self.function.registers(),
            target: self.tree.target,
            threads: self.function.threads,
            cluster: self.function.cluster,
            max_cluster: self.function.max_cluster,
            variables: std::mem::take(&mut self.variables),
            short: self.short,
            ordered_blocks,
            writable: self.writable(),
            shared_granule: shared_granule.unwrap_or(4),
            active_masks: Vec::new(),
            module: self.module,
        }
    }

    /// Assigns slots by a linear scan over live ranges. A 32-bit row and a 64-bit row never share a slot. A masked
    /// write touches only the words of its own lanes, but only if both registers have the same width.
    fn slots(&self, blocks: &[Block]) -> Slots {
        let registers = self.bits.len();
        let ranges = ranges(&self.drafts, blocks, registers);
        let predicates = self.bits.iter().filter(|bits| **bits == 1).count() as u32;
        let mut words = predicates.div_ceil(32).max(1) * 32;
        let mut of = vec![NONE; registers];
        let mut next_predicate = 0;
        for (v, bits) in self.bits.iter().enumerate() {
            if *bits == 1 {
                of[v] = next_predicate;
                next_predicate += 1;
            }
        }
        let mut grow = |width: u32| {
            let at = words;
            words += width;
            at
        };
        let mut fixed = vec![false; registers];
        let stack = self.stack.iter().flat_map(|(frame, top)| [*frame, *top]);
        for v in self.preloads.values().copied().chain(stack) {
            fixed[v as usize] = true;
        }
        for wide in [true, false] {
            let width = if wide { 64 } else { 32 };
            let mut members: Vec<Virtual> = (0..registers as u32)
                .filter(|v| self.bits[*v as usize] != 1 && (self.bits[*v as usize] == 64) == wide)
                .collect();
            members.sort_by_key(|v| ranges.live[*v as usize].0);
            let mut active: std::collections::BinaryHeap<std::cmp::Reverse<(usize, Slot)>> = Default::default();
            let mut free: Vec<Slot> = Vec::new();
            for v in members {
                let (start, end) = ranges.live[v as usize];
                if fixed[v as usize] {
                    of[v as usize] = grow(width);
                    continue;
                }
                if start > end {
                    // Neither read nor written; it still needs a slot.
                    of[v as usize] = grow(width);
                    continue;
                }
                while let Some(std::cmp::Reverse((over, slot))) = active.peek().copied() {
                    if over >= start {
                        break;
                    }
                    active.pop();
                    free.push(slot);
                }
                let slot = free.pop().unwrap_or_else(|| grow(width));
                active.push(std::cmp::Reverse((end, slot)));
                of[v as usize] = slot;
            }
        }
        let cleared = ranges
            .entry
            .iter()
            .filter(|v| !fixed[**v as usize])
            .map(|v| {
                (
                    of[*v as usize],
                    match self.bits[*v as usize] {
                        1 => 1,
                        64 => 64,
                        _ => 32,
                    },
                )
            })
            .collect();
        let mut across = ranges.across;
        across.calls.values_mut().for_each(|live| live.retain(|v| !fixed[*v as usize]));
        Slots { of, words, cleared, across }
    }
}

/// Maximum number of address registers per kernel with separate patterns.
const MAX_SHAPES: usize = 256;

/// Maps address registers to their [`AddressPattern`](crate::probes::AddressPattern)s. Each register has its own
/// pattern, unless there are very many. Then registers in the same slot share one.
struct Patterns {
    index: HashMap<u32, u32>,
    by_slot: bool,
}

impl Patterns {
    fn of(drafts: &[Draft], slots: &Slots) -> Self {
        let bases = || drafts.iter().filter_map(|draft| Some(draft.access.as_ref()?.base)).filter(|base| *base != NONE);
        let by_slot = bases().collect::<HashSet<_>>().len() > MAX_SHAPES;
        let mut patterns = Self { index: HashMap::new(), by_slot };
        for base in bases() {
            let next = patterns.index.len() as u32;
            patterns.index.entry(patterns.key(base, slots)).or_insert(next);
        }
        patterns
    }

    fn key(&self, register: Virtual, slots: &Slots) -> u32 {
        if self.by_slot { slots.of[register as usize] } else { register }
    }

    fn get(&self, register: Virtual, slots: &Slots) -> Option<u32> {
        if register == NONE { None } else { self.index.get(&self.key(register, slots)).copied() }
    }
}

fn place_operands(draft: &Draft, slots: &Slots, program: &mut Program, patterns: &Patterns) -> Inst {
    let slot = |v: Virtual| if v == NONE { NONE } else { slots.of[v as usize] };
    let mut inst = draft.inst;
    (inst.operands.a, inst.operands.b, inst.operands.c) =
        (slot(inst.operands.a), slot(inst.operands.b), slot(inst.operands.c));
    if draft.target.is_none() {
        inst.operands.d = slot(inst.operands.d);
    }
    if matches!(inst.op, Op::Match | Op::Elect) {
        inst.imm = slot(inst.imm as u32).into();
    }
    if matches!(inst.op, Op::Shuffle) {
        inst.imm = u64::from(slot(inst.imm as u32)) | u64::from(slot((inst.imm >> 32) as u32)) << 32;
    }
    if let Some((predicate, negated)) = draft.guard {
        inst.guard = slot(predicate);
        inst.flip = if negated { u32::MAX } else { 0 };
    }
    if let Some(async_copy) = &draft.async_copy {
        inst.x = program.async_copy.len() as u32;
        let mut what = async_copy.what.clone();
        what.inputs.iter_mut().for_each(|input| input.slot = slot(input.slot));
        (what.value, what.predicate) = (slot(what.value), slot(what.predicate));
        for (index, access) in what.accesses.iter_mut().zip(&async_copy.counted) {
            if let Some(access) = access {
                *index = program.accesses.len() as u32;
                program.accesses.push(access.clone());
            }
        }
        program.async_copy.push(what);
    }
    if let Some(access) = &draft.access {
        let mut access = access.clone();
        access.pattern = patterns.get(access.base, slots).unwrap_or(0);
        access.base = slot(access.base);
        access.rows = access.rows.map(slot);
        inst.x = program.accesses.len() as u32;
        let plain = access.size == 4 && access.lanes == 1 && !access.wide && !access.spins;
        if plain && access.reach == StateSpace::Shared && matches!(inst.op, Op::Load) {
            inst.op = Op::LoadShared;
            (inst.operands.a, inst.operands.b, inst.operands.d) = (access.base, access.pattern, access.rows[0]);
            inst.operands.c = u32::from(access.base_wide);
            inst.imm = access.offset as u64;
        }
        program.accesses.push(access);
    }
    if let Some(tensor) = &draft.tensor {
        let mut tensor = Tensor::clone(tensor);
        tensor.reads.iter_mut().chain(&mut tensor.writes).for_each(|v| *v = slot(*v));
        inst.x = program.tensors.len() as u32;
        program.tensors.push(tensor);
    }
    inst
}
