//! A small model of the assembler: turns what a warp executed into machine instructions, in the machine's order.
//!
//! The path of a warp is divided into regions, within which the assembler moves instructions: up to a barrier, or the
//! end of an iteration. Short branches forward become predicates, so they end no region. The assembler unrolls an inner
//! loop four times if nothing forbids it.
//!
//! In a region:
//! - moves vanish, and so do instructions whose results nothing uses;
//! - shared loads of neighbouring words become one load of 8 or 16 bytes, if all addresses are aligned;
//! - a list scheduler (`schedule`) orders the rest.

mod schedule;

use super::liveness::{Liveness, Set, contains};
use super::text::{Instruction, Kind, Text};
use super::trace::{Event, Global, Mark, Trace};
use ptx_emulator::cost::{Direction, LINE, SECTOR, shared_wavefronts};
use schedule::{Pressure, ordered};
use std::collections::{HashMap, HashSet};

/// Most events of a region.
const LONGEST: usize = 6000;
/// Iterations that become one.
const UNROLLED: u32 = 4;
/// The longest body of a loop for which the assembler does that, and the most machine instructions between a branch forward
/// and its target that become predicated. Each second number is for code that loads from global memory. We found them with
/// `ptxas` 12.9.
const LONGEST_UNROLLED: [usize; 2] = [22, 35];
const PREDICATED: [usize; 2] = [8, 20];
/// Registers with which an SM is full of warps, less those that are always in use.
const FULL: u32 = 28;
/// Registers that the scheduler adds to those that the source order needs.
const SLACK: u32 = 8;
/// Registers that are in use in addition to those of the text.
pub(crate) const RESERVED: u32 = 4;

/// A machine instruction of a region, in scheduled order.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) slots: u8,
    /// Index of its event in the region.
    pub(crate) event: u32,
    /// Wavefronts of an access to shared memory.
    pub(crate) wavefronts: u32,
    /// Nodes of the region whose results it reads.
    pub(crate) needs: Vec<u16>,
    /// Registers that it reads from before the region.
    pub(crate) registers: Vec<u32>,
}

impl Node {
    /// Returns the wavefronts of the data pipe that it takes: one per line of a global access.
    pub(crate) fn passes(&self, access: Global, mark: Mark) -> f64 {
        let wavefronts = match self.kind {
            Kind::Copy if mark.wavefronts == 0 => mark.sectors.div_ceil((LINE / SECTOR) as u32),
            Kind::Copy => mark.wavefronts,
            kind if kind.is_global() => self.wavefronts.max(u32::from(access.lines)),
            _ => self.wavefronts,
        };
        f64::from(wavefronts.max(1))
    }
}

/// What a register holds at the end of a region: results of nodes, and what registers held before.
pub(crate) type Left = (u32, Value);

/// A stretch of a warp's path, scheduled.
#[derive(Debug, Clone, Default)]
pub(crate) struct Region {
    pub(crate) nodes: Vec<Node>,
    pub(crate) left: Vec<Left>,
}

/// Where a value comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) nodes: Vec<u16>,
    pub(crate) registers: Vec<u32>,
}

impl Value {
    fn join(&mut self, other: &Self) {
        add_new(&mut self.nodes, &other.nodes);
        add_new(&mut self.registers, &other.registers);
    }
}

fn add_new<T: Copy + PartialEq>(to: &mut Vec<T>, from: &[T]) {
    for item in from {
        if !to.contains(item) {
            to.push(*item);
        }
    }
}

/// The regions of all paths: which ones each warp goes through.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    pub(crate) all: Vec<Region>,
    /// For each block and warp: its regions, each with the index of its first event.
    pub(crate) streams: Vec<Vec<Vec<(u32, u32)>>>,
    /// Registers that the kernel takes, as the model of the assembler counts them.
    pub(crate) registers: u32,
    pub(crate) width: usize,
    /// Events per warp that were divided.
    pub(crate) limit: usize,
}

/// Divides and schedules the first `limit` events of all paths. `most_registers` limits the registers per thread.
pub(crate) fn regions(text: &Text, trace: &Trace<'_>, limit: usize, most_registers: u32) -> Regions {
    let liveness = Liveness::of(text);
    let unrolled = unrolled(text);
    let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut first: Vec<(&[Event], Option<usize>)> = Vec::new();
    let mut found = Regions { width: text.widths.len(), limit, ..Regions::default() };
    for block in &trace.paths {
        let mut warps = Vec::new();
        for path in block {
            let mut stream = Vec::new();
            let all = path.events.get(..limit).unwrap_or(&path.events);
            for (start, end) in divided(text, all, &unrolled) {
                let events = &path.events[start..end];
                let key: Vec<u32> = events.iter().map(|event| event.at).collect();
                let id = *known.entry(key).or_insert_with(|| {
                    first.push((events, path.events.get(end).map(|event| event.at as usize)));
                    (first.len() - 1) as u32
                });
                stream.push((id, start as u32));
            }
            warps.push(stream);
        }
        found.streams.push(warps);
    }
    let (mut all, mut carried) = (Vec::new(), HashSet::new());
    for (events, next) in first {
        let live = next.map_or_else(Vec::new, |at| liveness.before(text, at));
        let draft = Draft::new(text, trace, events, &live);
        carried.extend(draft.nodes.iter().flat_map(|node| node.registers.iter().copied()));
        carried.extend(draft.values.values().flat_map(|value| value.registers.iter().copied()));
        all.push((draft, events, live));
    }
    for (draft, events, live) in all {
        let start = events.first().map_or_else(Vec::new, |event| liveness.before(text, event.at as usize));
        let (region, registers) = draft.scheduled(text, &liveness, (&start, &live), most_registers, &carried);
        found.registers = found.registers.max(registers + RESERVED);
        found.all.push(region);
    }
    found
}

/// Returns the branches at whose loops several iterations become one.
fn unrolled(text: &Text) -> HashSet<usize> {
    let backward =
        |at: usize| text.code[at].target.filter(|target| text.code[at].kind == Kind::Branch && *target <= at);
    let fits = |at: &usize| {
        let Some(target) = backward(*at) else { return false };
        let body = &text.code[target..*at];
        body.len() <= LONGEST_UNROLLED[usize::from(loads(body))]
            && !text.rolled.iter().any(|rolled| (target..=*at).contains(rolled))
            && !body.iter().any(|one| one.kind.divides() && !matches!(one.kind, Kind::Wait(_)))
            && !(target..*at).any(|inner| backward(inner).is_some())
    };
    (0..text.code.len()).filter(fits).collect()
}

/// Divides a path into regions.
fn divided(text: &Text, events: &[Event], unrolled: &HashSet<usize>) -> Vec<(usize, usize)> {
    let (mut found, mut start, mut merged) = (Vec::new(), 0, 1);
    for (index, event) in events.iter().enumerate() {
        let at = event.at as usize;
        let one = &text.code[at];
        let next = events.get(index + 1).map(|event| event.at as usize);
        let ends = match one.kind {
            kind if kind.divides() => true,
            Kind::Branch if next.is_some_and(|next| next <= at) => {
                let more = unrolled.contains(&at) && merged < UNROLLED;
                merged = if more { merged + 1 } else { 1 };
                !more
            }
            Kind::Branch => !is_predicated(text, at, one),
            _ => false,
        };
        if ends || index + 1 == events.len() || index + 1 - start >= LONGEST {
            found.push((start, index + 1));
            start = index + 1;
            if one.kind != Kind::Branch {
                merged = 1;
            }
        }
    }
    found
}

fn loads(code: &[Instruction]) -> bool {
    code.iter().any(|one| matches!(one.kind, Kind::GlobalLoad { .. } | Kind::Copy))
}

/// True if a branch forward is so short that the assembler predicates what it jumps over.
fn is_predicated(text: &Text, at: usize, one: &Instruction) -> bool {
    let Some(over) = one.target.and_then(|target| text.code.get(at + 1..target)) else { return false };
    let count = over.iter().filter(|one| one.slots > 0).count();
    count <= PREDICATED[usize::from(loads(over))]
        && !over.iter().any(|one| one.kind.divides() || one.kind == Kind::Branch && one.guarded)
}

/// Returns the number of branches that become predicates of loads.
pub(crate) fn conditional_loads(text: &Text) -> usize {
    let over = |at: usize, one: &Instruction| loads(&text.code[at + 1..one.target.unwrap_or(at + 1)]);
    (0..).zip(&text.code).filter(|(at, one)| is_predicated(text, *at, one) && over(*at, one)).count()
}

/// A region before it is scheduled, in the order of the text.
struct Draft {
    nodes: Vec<Node>,
    /// For each node: those that must come before it, though it reads nothing of theirs.
    after: Vec<Vec<u16>>,
    /// Registers of 32 bits that each node writes.
    widths: Vec<u32>,
    values: HashMap<u32, Value>,
}

impl Draft {
    fn new(text: &Text, trace: &Trace<'_>, events: &[Event], live: &Set) -> Self {
        let mut draft = Self { nodes: Vec::new(), after: Vec::new(), widths: Vec::new(), values: HashMap::new() };
        let last: HashMap<u32, usize> = events.iter().enumerate().map(|(index, event)| (event.at, index)).collect();
        let mut memory = Order::default();
        let mut loads: HashMap<(u32, u32, u32), Vec<(i64, u16)>> = HashMap::new();
        let mut versions: HashMap<u32, u32> = HashMap::new();
        for (index, event) in events.iter().enumerate() {
            let one = &text.code[event.at as usize];
            let mut value = Value::default();
            for register in &one.reads {
                value.join(&draft.value(*register));
            }
            if one.guarded {
                one.writes.iter().for_each(|register| value.join(&draft.value(*register)));
            }
            // An induction variable that is written again: the assembler adds to the offsets of its uses.
            let folded = one.steps && last.get(&event.at) != Some(&index);
            let inner = one.kind == Kind::Branch && index + 1 < events.len();
            let jumps = one.kind == Kind::Branch && one.ends;
            for register in &one.writes {
                *versions.entry(*register).or_default() += 1;
            }
            if one.kind == Kind::Free || folded || inner || jumps {
                draft.values.extend(one.writes.iter().map(|register| (*register, value.clone())));
                continue;
            }
            let number = draft.nodes.len() as u16;
            if let (Kind::SharedLoad, Some((base, offset)), 4, false) = (one.kind, one.address, one.bytes, one.guarded)
            {
                let version = versions.get(&base).copied().unwrap_or(0);
                loads.entry((base, version, memory.stores)).or_default().push((offset, number));
            }
            let shared = trace.shared.get(&event.at);
            let words = if shared.is_none() { one.bytes.div_ceil(4) } else { 1 };
            let wavefronts = shared
                .map_or(words, |shared| (shared.wavefronts as f64 / f64::from(shared.sampled.max(1))).round() as u32);
            draft.after.push(memory.before(one.kind, number));
            draft.widths.push(one.writes.iter().map(|register| u32::from(text.widths[*register as usize])).sum());
            draft.nodes.push(Node {
                kind: one.kind,
                slots: one.slots,
                event: index as u32,
                wavefronts,
                needs: value.nodes,
                registers: value.registers,
            });
            // The parts of one instruction: its result is that of all.
            let part = index.checked_sub(1).is_some_and(|before| events[before].at == event.at);
            for register in &one.writes {
                let mut result = Value { nodes: vec![number], registers: Vec::new() };
                if part {
                    result.join(&draft.value(*register));
                }
                draft.values.insert(*register, result);
            }
        }
        let fused = draft.fuse(trace, events, loads);
        draft.cleaned(live, &fused);
        draft
    }

    fn value(&self, register: u32) -> Value {
        let from_before = || Value { nodes: Vec::new(), registers: vec![register] };
        self.values.get(&register).cloned().unwrap_or_else(from_before)
    }

    /// Makes one load of loads of neighbouring words. Returns for each node the one that has taken its place.
    fn fuse(
        &mut self,
        trace: &Trace<'_>,
        events: &[Event],
        loads: HashMap<(u32, u32, u32), Vec<(i64, u16)>>,
    ) -> HashMap<u16, u16> {
        let mut fused = HashMap::new();
        for (_, mut group) in loads {
            group.sort_unstable();
            let mut rest = group.as_slice();
            while let Some((offset, node)) = rest.first().copied() {
                let at = events[self.nodes[node as usize].event as usize].at;
                let count = [4, 2].into_iter().find(|count| {
                    let run = rest.get(..*count).unwrap_or(&[]);
                    let neighbours = run.iter().zip(0..).all(|((other, _), index)| *other == offset + 4 * index);
                    let aligned = |shared: &super::trace::Shared| {
                        (0..32).all(|lane| {
                            shared.mask >> lane & 1 == 0 || shared.addresses[lane].is_multiple_of(4 * *count as u32)
                        })
                    };
                    run.len() == *count && neighbours && trace.shared.get(&at).is_some_and(aligned)
                });
                let count = count.unwrap_or(1);
                if let (2.., Some(shared)) = (count, trace.shared.get(&at)) {
                    let bytes = 4 * count as u32;
                    let run = &rest[..count];
                    // The first in the order of the text loads for all.
                    let keeper = run.iter().map(|(_, node)| *node).min().unwrap_or(node);
                    let kept = &mut self.nodes[keeper as usize];
                    kept.wavefronts = shared_wavefronts(Direction::Load, bytes, shared.mask, &shared.addresses);
                    self.widths[keeper as usize] = count as u32;
                    fused.extend(run.iter().filter(|(_, node)| *node != keeper).map(|(_, node)| (*node, keeper)));
                }
                rest = &rest[count..];
            }
        }
        fused
    }

    /// Removes nodes that others have replaced, and nodes whose results nothing reads.
    fn cleaned(&mut self, live: &Set, fused: &HashMap<u16, u16>) {
        let replaced = |node: &u16| fused.get(node).copied().unwrap_or(*node);
        let rename = |nodes: &mut Vec<u16>| {
            nodes.iter_mut().for_each(|node| *node = replaced(node));
            nodes.sort_unstable();
            nodes.dedup();
        };
        self.nodes.iter_mut().for_each(|node| rename(&mut node.needs));
        self.after.iter_mut().for_each(rename);
        self.values.retain(|register, _| contains(live, *register));
        self.values.values_mut().for_each(|value| rename(&mut value.nodes));
        let mut used: HashSet<u16> = self.values.values().flat_map(|value| value.nodes.iter().copied()).collect();
        let mut kept = vec![false; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate().rev() {
            let loads = matches!(node.kind, Kind::SharedLoad | Kind::GlobalLoad { .. });
            let acts = !loads && !node.kind.computes();
            let number = number as u16;
            if !fused.contains_key(&number) && (acts || used.contains(&number)) {
                kept[number as usize] = true;
                used.extend(node.needs.iter().copied());
            }
        }
        self.renumber(&kept);
    }

    fn renumber(&mut self, kept: &[bool]) {
        let mut numbers = vec![None; kept.len()];
        let still = kept.iter().enumerate().filter(|(_, kept)| **kept);
        still.enumerate().for_each(|(new, (old, _))| numbers[old] = Some(new as u16));
        let renumber =
            |nodes: &mut Vec<u16>| *nodes = nodes.iter().filter_map(|node| numbers[*node as usize]).collect();
        retain(&mut self.nodes, kept);
        retain(&mut self.after, kept);
        retain(&mut self.widths, kept);
        self.nodes.iter_mut().for_each(|node| renumber(&mut node.needs));
        self.after.iter_mut().for_each(renumber);
        self.values.values_mut().for_each(|value| renumber(&mut value.nodes));
    }

    /// Orders the nodes. Returns the region, and the registers that it takes.
    fn scheduled(
        self,
        text: &Text,
        liveness: &Liveness,
        (start, end): (&Set, &Set),
        most: u32,
        carried: &HashSet<u32>,
    ) -> (Region, u32) {
        let mut pressure = Pressure::new(&self, liveness, (start, end));
        let room = pressure.room;
        let natural = (0..self.nodes.len()).map(|node| pressure.issue(&self, liveness, node)).max().unwrap_or(0);
        let natural = natural.max(room);
        let budget = if natural <= FULL { FULL } else { natural + SLACK }.min(most.saturating_sub(RESERVED));
        let order = ordered(&self, liveness, Pressure::new(&self, liveness, (start, end)), budget);
        let mut pressure = Pressure::new(&self, liveness, (start, end));
        let peak = order.iter().map(|node| pressure.issue(&self, liveness, *node)).max().unwrap_or(0);
        let mut places = vec![0u16; order.len()];
        order.iter().enumerate().for_each(|(place, node)| places[*node] = place as u16);
        let moved = |nodes: &[u16]| nodes.iter().map(|node| places[*node as usize]).collect::<Vec<_>>();
        let nodes = order.iter().map(|number| {
            let node = &self.nodes[*number];
            let registers = node.registers.iter().copied().filter(|register| text.widths.len() > *register as usize);
            Node { needs: moved(&node.needs), registers: registers.collect(), ..node.clone() }
        });
        let left = self.values.iter().filter(|(register, _)| carried.contains(register));
        let left = left.map(|(register, value)| {
            (*register, Value { nodes: moved(&value.nodes), registers: value.registers.clone() })
        });
        (Region { nodes: nodes.collect(), left: left.collect() }, peak.max(room))
    }
}

/// Keeps the items at the marked places.
fn retain<T>(items: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    items.retain(|_| kept.next().is_some_and(|kept| *kept));
}

/// The order that memory requires of a region's nodes.
#[derive(Default)]
struct Order {
    /// Stores to shared memory so far.
    stores: u32,
    shared_stores: Vec<u16>,
    shared_loads: Vec<u16>,
    global: Vec<u16>,
    ordered_loads: Vec<u16>,
    all: Vec<u16>,
}

impl Order {
    /// Returns the nodes before which this one must not move.
    fn before(&mut self, kind: Kind, number: u16) -> Vec<u16> {
        let before = match kind {
            Kind::SharedLoad => {
                self.shared_loads.push(number);
                self.shared_stores.clone()
            }
            Kind::SharedStore | Kind::Copy => {
                let before = self.shared_loads.drain(..).chain(self.shared_stores.drain(..)).collect();
                self.shared_stores.push(number);
                self.stores += 1;
                before
            }
            Kind::GlobalLoad { ordered: true } => {
                self.ordered_loads.push(number);
                self.global.clone()
            }
            Kind::GlobalStore => {
                let before = self.ordered_loads.drain(..).chain(self.global.drain(..)).collect();
                self.global.push(number);
                before
            }
            Kind::Commit => self.shared_stores.clone(),
            Kind::Branch | Kind::Wgmma(_) | Kind::CommitProducts | Kind::Bulk { .. } | Kind::Arrive => self.all.clone(),
            kind if kind.divides() => self.all.clone(),
            _ => Vec::new(),
        };
        self.all.push(number);
        before
    }
}
