//! Follows undefined values through registers, shared memory and local memory, as Valgrind's `memcheck` does (Seward and Nethercote,
//! USENIX 2005). A program may copy such a value. It must not let it decide a branch, an address or a result.
//!
//! Sources are registers that a thread has not written, lanes that do not take part in a shuffle, and, with
//! [`Options::follow_unwritten`](crate::Options::follow_unwritten), unwritten bytes of shared memory. Each lane of a register is
//! defined or not. The result of an operation is undefined if an operand is. Exceptions are a choice, logic with a predicate,
//! and a bitwise or integer product with a zero. Tensor instructions and asynchronous copies give defined values, so that
//! the padding of a tile is not reported. In local memory, an element is undefined if the thread has not written it, or has
//! stored an undefined value there.

use super::Hazards;
use super::clock::lanes;
use crate::arch::AtomicKind;
use crate::arith::{Registers, Width};
use crate::probes::{LocalElement, Seen, Space};
use crate::program::calls::Call;
use crate::program::tensor::Matrices;
use crate::program::{Inst, NONE, Op, Program, StateSpace, Use};
use crate::undefined::Rule;
use std::collections::HashMap;
use std::sync::Arc;

/// Where an undefined value comes from.
type Origin = (Rule, u32);

/// The origin of a register that was not written before its first use.
const START: Origin = (Rule::UnwrittenRegister, u32::MAX);

/// What the program's instructions read and write.
#[derive(Debug)]
pub(crate) struct Flow {
    uses: Vec<Vec<Use>>,
    /// True if unwritten shared memory is undefined.
    unwritten: bool,
}

/// The undefined values of the blocks of a cluster.
#[derive(Debug)]
pub(super) struct Values {
    flow: Arc<Flow>,
    blocks: Vec<BlockValues>,
}

#[derive(Debug, Default)]
struct BlockValues {
    /// For each word of the warps' register files that begins a row, and for each predicate: the undefined lanes.
    file: Vec<u32>,
    origins: HashMap<usize, Origin>,
    /// True for each warp that may have an undefined value.
    warps: u32,
    /// For each byte of shared memory, whether it is defined.
    shared: Vec<bool>,
    stored: HashMap<usize, Origin>,
    /// By thread and place: the origin of undefined values that were stored in local memory.
    local: HashMap<(u32, u64), Origin>,
    /// For each thread, its calls, and what they have saved of the caller's registers.
    calls: HashMap<u32, Vec<(u32, Vec<Bad>)>>,
}

impl Flow {
    /// Returns what is needed to follow a program's values, if it can have undefined ones.
    pub(crate) fn new(program: &Program, unwritten: bool) -> Option<Arc<Self>> {
        let shuffles = program.code.iter().any(|inst| matches!(inst.op, Op::Shuffle));
        let sources = shuffles || !program.cleared.is_empty() || unwritten;
        let uses = || program.code.iter().map(|inst| program.uses(inst)).collect();
        sources.then(|| Arc::new(Self { uses: uses(), unwritten }))
    }
}

impl Values {
    pub(super) fn new(flow: &Arc<Flow>, size: u32) -> Self {
        Self { flow: Arc::clone(flow), blocks: (0..size.max(1)).map(|_| BlockValues::default()).collect() }
    }

    pub(super) fn start(&mut self, program: &Program, rank: u32, threads: u32, shared_bytes: u64) {
        let Some(block) = self.blocks.get_mut(rank as usize) else { return };
        let words = program.file_words as usize;
        block.file.clear();
        block.file.resize(words * threads.div_ceil(32) as usize, 0);
        block.origins.clear();
        block.stored.clear();
        block.local.clear();
        block.calls.clear();
        block.shared.clear();
        block.shared.resize(shared_bytes as usize, !self.flow.unwritten);
        block.warps = if program.cleared.is_empty() { 0 } else { u32::MAX };
        for warp in 0..threads.div_ceil(32) as usize {
            for (slot, width) in &program.cleared {
                (*slot..slot + width).step_by(32).for_each(|slot| block.file[warp * words + slot as usize] = u32::MAX);
            }
        }
    }

    /// Records that bytes of the shared memory of a block have been written with defined values.
    pub(super) fn written(&mut self, rank: u32, start: usize, bytes: usize) {
        if let Some(bytes) = self.blocks.get_mut(rank as usize).and_then(|b| b.shared.get_mut(start..start + bytes)) {
            bytes.fill(true);
        }
    }
}

/// An undefined value that an instruction uses: lanes and origin.
type Bad = (u32, Origin);

/// The values of a warp.
struct WarpValues<'a> {
    block: &'a mut BlockValues,
    first: usize,
    at: usize,
}

impl WarpValues<'_> {
    fn lanes(&self, slot: u32, width: Width) -> u32 {
        let word = |slot: u32| self.block.file.get(self.first + slot as usize).copied().unwrap_or(0);
        word(slot) | if width == Width::Wide { word(slot + 32) } else { 0 }
    }

    /// Returns the undefined lanes of a register among `mask`, with their origin.
    fn get(&self, slot: u32, width: Width, mask: u32) -> Bad {
        let lanes = if slot == NONE { 0 } else { self.lanes(slot, width) & mask };
        if lanes == 0 {
            return (0, START);
        }
        let (rule, at) = self.block.origins.get(&(self.first + slot as usize)).copied().unwrap_or(START);
        (lanes, (rule, if at == u32::MAX { self.at as u32 } else { at }))
    }

    /// Sets the undefined lanes of a register among `mask`.
    fn set(&mut self, slot: u32, width: Width, mask: u32, (lanes, origin): Bad) {
        for slot in [slot, slot + 32].into_iter().take(if width == Width::Wide { 2 } else { 1 }) {
            let index = self.first + slot as usize;
            let Some(word) = self.block.file.get_mut(index) else { return };
            *word = *word & !mask | lanes & mask;
            if lanes & mask != 0 {
                self.block.origins.insert(index, origin);
            }
        }
    }

    /// Returns the undefined lanes of an operation's result.
    fn result(&self, program: &Program, inst: &Inst, uses: &[Use], mask: u32, file: Registers) -> Bad {
        let reads = || uses.iter().filter(|used| !used.writes);
        let all = reads().map(|used| self.get(used.slot, used.width, mask)).fold((0, START), join);
        if all.0 == 0 {
            return all;
        }
        let on = inst.operands;
        let name = program.notes.get(self.at).map_or("", |note| note.name.as_str());
        let exact = match inst.op {
            Op::Predicate(logic) => {
                // A result is undefined if another value of an undefined operand would change it.
                let operands = [on.a, on.b, on.c].map(|slot| {
                    if slot == NONE { (0, 0) } else { (file.predicate(slot), self.lanes(slot, Width::Predicate)) }
                });
                let with = |values: u32| {
                    let word = |at: usize| {
                        operands[at].0 & !operands[at].1 | if values >> at & 1 == 1 { operands[at].1 } else { 0 }
                    };
                    logic(word(0), word(1), word(2))
                };
                (1..8).fold(0, |differs, values| differs | with(values) ^ with(0))
            }
            Op::Lanes(_, [_, _, _, Width::Predicate]) if name == "selp" => {
                let (width, p) = (uses.first().map_or(Width::Row, |used| used.width), file.predicate(on.c));
                let (a, b) = (self.lanes(on.a, width), self.lanes(on.b, width));
                self.lanes(on.c, Width::Predicate) | p & a | !p & b
            }
            Op::Lanes(..) if matches!(name, "and" | "mul") && reads().all(|used| used.width == Width::Row) => {
                let zero = |slot: u32| {
                    let value = file.lanes(slot);
                    lanes(!self.lanes(slot, Width::Row))
                        .filter(|lane| value[*lane] == 0)
                        .fold(0, |mask, lane| mask | 1 << lane)
                };
                let float = matches!(inst.op, Op::Lanes(..)) && program.notes[self.at].flop != 0;
                if float { u32::MAX } else { !(zero(on.a) | zero(on.b)) }
            }
            _ => u32::MAX,
        };
        (all.0 & exact, all.1)
    }
}

/// Returns the registers that a call saves.
fn saved(call: &Call) -> impl Iterator<Item = (u32, Width)> {
    let all = [(&call.predicates, Width::Predicate), (&call.rows, Width::Row), (&call.wide, Width::Wide)];
    all.into_iter().flat_map(|(slots, width)| slots.iter().map(move |slot| (*slot, width)))
}

fn join(one: Bad, other: Bad) -> Bad {
    (one.0 | other.0, if one.0 != 0 { one.1 } else { other.1 })
}

impl LocalElement {
    /// Returns its register, the register's width, and the lane as a mask.
    fn register(self, program: &Program) -> (u32, Width, u32) {
        let access = &program.accesses[program.code[self.at].x as usize];
        (access.rows[self.element & 3], Width::of(access.wide), 1 << (self.lane & 31))
    }

    /// Returns its thread and its place.
    fn key(self) -> (u32, u64) {
        (32 * self.warp + self.lane, self.place)
    }
}

impl Hazards {
    fn values_of(&mut self, program: &Program, at: usize, warp: u32) -> Option<(Arc<Flow>, WarpValues<'_>)> {
        let values = self.values.as_mut()?;
        let block = values.blocks.get_mut(self.rank as usize)?;
        Some((Arc::clone(&values.flow), WarpValues { block, first: program.file_words as usize * warp as usize, at }))
    }

    /// Reports undefined values that an instruction uses for `how`.
    #[cold]
    fn uses_undefined(&mut self, program: &Program, at: usize, warp: u32, (lanes, origin): Bad, how: &str) {
        let place = program.notes.get(at).and_then(|note| program.place(note.place)).unwrap_or_default();
        let line = if place.line == 0 { place.ptx_line } else { place.line };
        let detail = || format!("{how} in line {line}");
        self.undefined(origin.0, origin.1 as usize, warp, lanes.trailing_zeros() & 31, &detail);
    }

    /// Handles an instruction before a warp runs it.
    pub(super) fn step(&mut self, program: &Program, at: usize, warp: u32, mask: u32, file: Registers) {
        let Some((flow, mut values)) = self.values_of(program, at, warp) else { return };
        if values.block.warps >> (warp & 31) & 1 == 0 {
            return;
        }
        let inst = &program.code[at];
        let guard = if inst.guard == NONE { (0, START) } else { values.get(inst.guard, Width::Predicate, mask) };
        let mask = if inst.guard == NONE { mask } else { mask & (file.predicate(inst.guard) ^ inst.flip) | guard.0 };
        let of = |slot: u32, width: Width| values.get(slot, width, mask);
        let (mut bad, mut how) = (guard, "decides which instructions run");
        match inst.op {
            Op::Branch | Op::Exit | Op::Trap | Op::Barrier(_) | Op::Asynch | Op::Tensor => {}
            Op::Call => {
                let call = &program.calls[inst.x as usize];
                if call.callee.is_none() {
                    (bad, how) = (join(bad, of(inst.operands.a, Width::Wide)), "decides which function is called");
                }
                for lane in lanes(mask) {
                    let first = values.first;
                    let saved = saved(call).map(|(slot, width)| {
                        let origin = values.block.origins.get(&(first + slot as usize)).copied().unwrap_or(START);
                        (values.lanes(slot, width) & 1 << lane, origin)
                    });
                    let saved = (inst.x, saved.collect());
                    values.block.calls.entry(32 * warp + lane as u32).or_default().push(saved);
                }
            }
            Op::Return => {
                for lane in lanes(mask) {
                    let last = values.block.calls.get_mut(&(32 * warp + lane as u32)).and_then(Vec::pop);
                    if let Some((call, saved)) = &last {
                        let slots = self::saved(&program.calls[*call as usize]).zip(saved);
                        slots.for_each(|((slot, width), bad)| values.set(slot, width, 1 << lane, *bad));
                    }
                }
            }
            Op::BranchTable => bad = join(bad, of(inst.operands.a, Width::Row)),
            Op::Load | Op::LoadShared | Op::Store | Op::Atomic | Op::Matrix => {
                let access = &program.accesses[inst.x as usize];
                let mut address = of(access.base, Width::of(access.base_wide));
                if matches!(inst.op, Op::Matrix) && program.target.sm > 75 {
                    address.0 &= Matrices::unpack(inst.imm).lanes();
                }
                let (combines, moves) = (access.atomic.is_some(), access.writes && !matches!(inst.op, Op::Matrix));
                let loads = !access.writes && !matches!(inst.op, Op::Matrix);
                let width = Width::of(access.wide);
                let global = matches!(access.reach, StateSpace::Global | StateSpace::Generic);
                if address.0 != 0 {
                    (bad, how) = (address, "is part of an address");
                } else if combines && global {
                    bad = join(guard, join(of(inst.operands.a, width), of(inst.operands.b, width)));
                    how = "goes to global memory";
                } else if loads {
                    bad = (0, START);
                    let rows = &access.rows[..access.lanes.min(4) as usize];
                    rows.iter().for_each(|slot| values.set(*slot, width, mask, guard));
                } else if !moves {
                    bad = guard;
                }
                if combines || matches!(inst.op, Op::Matrix) {
                    let written = flow.uses[at].iter().filter(|used| used.writes);
                    written.for_each(|used| values.set(used.slot, used.width, mask, (0, START)));
                }
            }
            Op::Shuffle | Op::Vote | Op::Match | Op::Reduce | Op::Elect | Op::WarpSync => {}
            _ => {
                let result = join(values.result(program, inst, &flow.uses[at], mask, file), guard);
                let written = flow.uses[at].iter().filter(|used| used.writes);
                written.for_each(|used| values.set(used.slot, used.width, mask, result));
                bad = (0, START);
            }
        }
        if matches!(inst.op, Op::Barrier(_) | Op::Asynch | Op::Tensor) {
            let written = flow.uses[at].iter().filter(|used| used.writes);
            written.for_each(|used| values.set(used.slot, used.width, mask, (0, START)));
        }
        if bad.0 != 0 {
            self.uses_undefined(program, at, warp, bad, how);
        }
    }

    /// Handles an exchange of lanes before it runs.
    pub(super) fn exchanged(
        &mut self,
        program: &Program,
        at: usize,
        warp: u32,
        mask: u32,
        named: u32,
        sources: Option<[u8; 32]>,
    ) {
        let Some((flow, mut values)) = self.values_of(program, at, warp) else { return };
        let inst = &program.code[at];
        let uses = &flow.uses[at];
        let operand = uses.iter().find(|used| !used.writes && used.slot == inst.operands.a);
        let (from, origin) = operand.map_or((0, START), |used| values.get(used.slot, used.width, u32::MAX));
        let mut result = (if from & mask == 0 { 0 } else { mask }, origin);
        if let Some(sources) = sources {
            let reads =
                |set: u32| lanes(mask).filter(move |lane| set >> sources[*lane] & 1 == 1).fold(0, |m, l| m | 1 << l);
            let absent = (reads(named & !mask), (Rule::AbsentLane, at as u32));
            let unnamed = (reads(!named & !mask), (Rule::UnnamedLane, at as u32));
            result = join(join(absent, unnamed), (reads(from & mask), origin));
        }
        if result.0 != 0 {
            values.block.warps |= 1 << (warp & 31);
        }
        for used in uses.iter().filter(|used| used.writes) {
            // The predicate of a shuffle says whether its source is inside the segment.
            let bad = if sources.is_some() && used.width == Width::Predicate { (0, origin) } else { result };
            values.set(used.slot, used.width, mask, bad);
        }
    }

    /// Handles a load of an element of local memory that the lane has not written, or whose value was undefined.
    pub(super) fn loads_unwritten(&mut self, program: &Program, local: LocalElement) {
        let Some((_, mut values)) = self.values_of(program, local.at, local.warp) else { return };
        let (slot, width, lane) = local.register(program);
        values.block.warps |= 1 << (local.warp & 31);
        let origin = values.block.local.get(&local.key()).copied();
        values.set(slot, width, lane, (lane, origin.unwrap_or((Rule::UnwrittenRegister, local.at as u32))));
    }

    /// Handles a store of an element to local memory. Returns true if the value is undefined.
    pub(super) fn stores_undefined(&mut self, program: &Program, local: LocalElement) -> bool {
        let Some((_, values)) = self.values_of(program, local.at, local.warp) else { return false };
        let (slot, width, lane) = local.register(program);
        let (bad, origin) = values.get(slot, width, lane);
        if bad != 0 {
            values.block.local.insert(local.key(), origin);
        }
        bad != 0
    }

    /// Handles an access after it has run.
    pub(super) fn touched(&mut self, program: &Program, space: Space, seen: &Seen<'_>) {
        let Some((_, values)) = self.values_of(program, seen.at, seen.warp) else { return };
        let access = seen.access;
        let width = Width::of(access.wide);
        let elements = access.lanes.min(4) as usize;
        let Space::Shared(rank) = space else {
            if access.writes && access.atomic.is_none() {
                let bad = access.rows[..elements]
                    .iter()
                    .map(|slot| values.get(*slot, width, seen.mask))
                    .fold((0, START), join);
                if bad.0 != 0 {
                    self.uses_undefined(program, seen.at, seen.warp, bad, "goes to global memory");
                }
            }
            return;
        };
        let exchanges = access.atomic == Some(AtomicKind::Exchange);
        let stored: [Bad; 4] = access.rows.map(|slot| values.get(slot, width, seen.mask));
        let first = values.first;
        let Some(blocks) = self.values.as_mut().map(|values| &mut values.blocks) else { return };
        let Some(owner) = blocks.get_mut(rank as usize) else { return };
        let mut loaded = [(0u32, START); 4];
        for lane in lanes(seen.mask) {
            let start = seen.start.wrapping_add(seen.pattern.relative[lane] as u64) as usize;
            for element in 0..elements {
                let bytes = start + element * access.size as usize..start + (element + 1) * access.size as usize;
                let Some(flags) = owner.shared.get_mut(bytes.clone()) else { continue };
                if access.writes && access.atomic.is_none() {
                    let (undefined, origin) = stored[element];
                    flags.fill(undefined >> lane & 1 == 0);
                    if undefined >> lane & 1 == 1 {
                        owner.stored.insert(bytes.start / 4, origin);
                    }
                } else if flags.contains(&false) {
                    let origin = owner.stored.get(&(bytes.start / 4)).copied();
                    let origin = origin.unwrap_or((Rule::UnwrittenShared, seen.at as u32));
                    loaded[element] = (loaded[element].0 | 1 << lane, origin);
                    if exchanges {
                        flags.fill(true);
                    }
                }
            }
        }
        let own = &mut blocks[self.rank as usize];
        if loaded.iter().any(|bad| bad.0 != 0) {
            own.warps |= 1 << (seen.warp & 31);
        }
        let mut values = WarpValues { block: own, first, at: seen.at };
        let rows =
            if access.atomic.is_some() { [program.code[seen.at].operands.d, NONE, NONE, NONE] } else { access.rows };
        for (slot, bad) in rows.into_iter().zip(loaded).filter(|(slot, bad)| *slot != NONE && bad.0 != 0) {
            if !access.writes || access.atomic.is_some() {
                values.set(slot, width, bad.0, bad);
            }
        }
    }
}
