//! What the warps of some blocks did, from the emulator: instructions in order, with the memory that each touched.

use super::Refusal;
use super::l1::Map;
use super::text::{Kind, Text};
use ptx_emulator::cost::{Direction, LINE, SECTOR, shared_wavefronts};
use ptx_emulator::{Access, BufferId, Control, Effect, Instruction, Observer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Accesses of an instruction to shared memory whose wavefronts are computed. Later ones are taken to cost the same.
const SAMPLES: u32 = 64;
/// The trace looks this often, in instructions, whether it should stop.
const LOOK: u32 = 1 << 14;
/// An event without an access to global memory.
pub(crate) const NOTHING: u32 = u32::MAX;

/// An instruction that a warp executed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event {
    /// Index in [`Text::code`].
    pub(crate) at: u32,
    /// Index in [`Trace::accesses`], or [`NOTHING`].
    pub(crate) access: u32,
    /// Index in [`Trace::marks`], or [`NOTHING`].
    pub(crate) mark: u32,
}

/// What an asynchronous instruction or a barrier did.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mark {
    pub(crate) wavefronts: u32,
    pub(crate) sectors: u32,
    /// Address and number of the phase at which it arrives, or for which it has waited.
    pub(crate) phase: Option<(u32, u32)>,
    pub(crate) barrier: u32,
}

/// An access of a warp to global memory: its sectors in [`Trace::sectors`], and the number of its lines.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Global {
    pub(crate) start: u32,
    pub(crate) sectors: u16,
    pub(crate) lines: u16,
}

/// Wavefronts of an instruction that accesses shared memory, and the addresses of its first access.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Shared {
    pub(crate) sampled: u32,
    pub(crate) wavefronts: u64,
    pub(crate) mask: u32,
    pub(crate) addresses: [u32; 32],
}

#[derive(Debug, Default)]
pub(crate) struct Path {
    pub(crate) events: Vec<Event>,
    /// Instructions that it executed, those after the last recorded event included.
    pub(crate) executed: u64,
    line: u32,
    /// The last instruction: its index in [`Text::code`].
    at: Option<u32>,
    full: bool,
}

/// What the warps of some blocks did.
#[derive(Debug)]
pub(crate) struct Trace<'a> {
    pub(crate) text: &'a Text,
    /// Events that are recorded per warp.
    limit: usize,
    /// By block, in the order in which the blocks ran, and by warp.
    pub(crate) paths: Vec<Vec<Path>>,
    warps: usize,
    /// Number of the block that is recorded. Other blocks of its cluster run with it.
    block: u64,
    /// For each block that ran to its end: the lines of its global stores, also after the last recorded event.
    pub(crate) stored: Vec<u64>,
    pub(crate) accesses: Vec<Global>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) sectors: Vec<u64>,
    pub(crate) shared: Map<u32, Shared>,
    pub(crate) buffers: Vec<BufferId>,
    /// Bytes of each of these buffers.
    pub(crate) bytes: Vec<u64>,
    /// Buffers from which the blocks load.
    pub(crate) loaded: Vec<BufferId>,
    /// Executed instructions on lines that the reader does not know.
    unknown: Option<u32>,
    /// Warps of the block that are still recorded. If there is none, the block stops, unless it runs to its end.
    recording: usize,
    stops: bool,
    stop: Arc<AtomicBool>,
    control: &'a Control<'a>,
    looks: u32,
}

impl<'a> Trace<'a> {
    pub(crate) fn new(text: &'a Text, warps: usize, limit: usize, control: &'a Control<'a>) -> Self {
        Self {
            text,
            limit,
            paths: Vec::new(),
            warps,
            block: 0,
            stored: Vec::new(),
            accesses: Vec::new(),
            marks: Vec::new(),
            sectors: Vec::new(),
            shared: Map::default(),
            buffers: Vec::new(),
            bytes: Vec::new(),
            loaded: Vec::new(),
            unknown: None,
            recording: 0,
            stops: false,
            stop: Arc::default(),
            control,
            looks: 0,
        }
    }

    /// Begins the next block. If it `stops`, it ends once all its warps are recorded. Returns the flag that ends it.
    pub(crate) fn begin(&mut self, stops: bool, block: u64) -> Arc<AtomicBool> {
        self.block = block;
        self.paths.push((0..self.warps).map(|_| Path::default()).collect());
        self.stored.extend((!stops).then_some(0));
        (self.recording, self.stops, self.stop) = (self.warps, stops, Arc::default());
        Arc::clone(&self.stop)
    }

    /// Returns the number of instructions of the current block, and adds those of a block that was stopped: as many as
    /// the same warps of the `whole` first blocks executed on average.
    pub(crate) fn end(&mut self, stopped: bool, whole: usize) -> u64 {
        if let (true, Some((own, before))) = (stopped, self.paths.split_last_mut()) {
            let first = before.get(..whole).unwrap_or(before);
            for (warp, path) in own.iter_mut().enumerate() {
                let all: u64 = first.iter().map(|block| block[warp].executed).sum();
                path.executed = path.executed.max(all / first.len().max(1) as u64);
            }
        }
        self.paths.last().map_or(0, |block| block.iter().map(|path| path.executed).sum())
    }

    /// # Errors
    /// If the kernel executed an instruction outside of its own text, for example in a function.
    pub(crate) fn checked(self) -> Result<Self, Refusal> {
        match self.unknown {
            Some(line) => Err(Refusal::Unreadable { line }),
            None => Ok(self),
        }
    }

    /// Returns how often each warp goes through a whole buffer, and the buffers that it goes through, as bits. The part that
    /// is recorded shows how fast it advances.
    pub(crate) fn sweeps(&self) -> (f64, u64) {
        let (mut most, mut swept) = (1.0f64, 0);
        for path in self.paths.iter().flatten() {
            let more = path.executed as f64 / path.events.len().max(1) as f64;
            let mut spans: Vec<Option<(u64, u64)>> = vec![None; self.buffers.len()];
            for access in path.events.iter().filter_map(|event| self.accesses.get(event.access as usize)) {
                for sector in &self.sectors[access.start as usize..access.start as usize + usize::from(access.sectors)]
                {
                    if let Some(span) = spans.get_mut((sector >> 40) as usize) {
                        let (low, high) = span.unwrap_or((*sector, *sector));
                        *span = Some((low.min(*sector), high.max(*sector)));
                    }
                }
            }
            for (number, span) in spans.into_iter().enumerate() {
                let Some((low, high)) = span.filter(|_| self.loaded.contains(&self.buffers[number])) else { continue };
                let times = more * ((high - low) * SECTOR) as f64 / self.bytes[number].max(1) as f64;
                most = most.max(times);
                swept |= u64::from(times > 0.5).checked_shl(number as u32).unwrap_or(0);
            }
        }
        (most, swept)
    }

    /// Returns the access and the mark of an event.
    pub(crate) fn of(&self, event: Event) -> (Global, Mark) {
        let access = self.accesses.get(event.access as usize).copied().unwrap_or_default();
        (access, self.marks.get(event.mark as usize).copied().unwrap_or_default())
    }

    fn path(&mut self, warp: u32) -> Option<&mut Path> {
        self.paths.last_mut()?.get_mut(warp as usize)
    }

    /// Returns the number of a buffer, and notes whether blocks load from it.
    fn buffer(&mut self, buffer: BufferId, writes: bool) -> usize {
        if !writes && !self.loaded.contains(&buffer) {
            self.loaded.push(buffer);
        }
        self.buffers.iter().position(|known| *known == buffer).unwrap_or_else(|| {
            self.buffers.push(buffer);
            self.buffers.len() - 1
        })
    }

    /// Returns the last event of a warp, if it is recorded and stands on this line, as its index in the text.
    fn last(&mut self, by: &Instruction<'_>) -> Option<u32> {
        let (line, text, block) = (by.ptx_line(), self.text, self.block);
        let path = self.path(by.warp()).filter(|path| path.events.len() as u64 == path.executed)?;
        let last = path.events.last().map_or(0, |last| last.at);
        let (first, count) = text.on_line(line)?;
        (by.block() == block && (first..first + count).contains(&last)).then_some(last)
    }

    fn mark(&mut self, warp: u32) -> Option<&mut Mark> {
        let next = self.marks.len() as u32;
        let last = self.path(warp)?.events.last_mut()?;
        let new = last.mark == NOTHING;
        if new {
            last.mark = next;
        }
        let at = last.mark as usize;
        self.marks.extend(new.then(Mark::default));
        self.marks.get_mut(at)
    }

    fn global(&mut self, access: &Access<'_>, buffer: BufferId) -> Global {
        let number = self.buffer(buffer, access.writes());
        let start = self.sectors.len();
        for offset in (0..32).filter_map(|lane| access.offset(lane)) {
            let (first, last) = (offset / SECTOR, (offset + u64::from(access.bytes()).max(1) - 1) / SECTOR);
            for sector in (first..=last).map(|sector| (number as u64) << 40 | sector) {
                if !self.sectors[start..].contains(&sector) {
                    self.sectors.push(sector);
                }
            }
        }
        let lines = if access.writes() { lines(access) } else { windows(access) };
        Global { start: start as u32, sectors: (self.sectors.len() - start) as u16, lines: lines as u16 }
    }

    fn shared(&mut self, access: &Access<'_>, at: u32) {
        let entry = self.shared.entry(at).or_insert_with(|| Shared {
            sampled: 0,
            wavefronts: 0,
            mask: access.lanes(),
            addresses: std::array::from_fn(|lane| access.offset(lane as u32).unwrap_or(0) as u32),
        });
        if entry.sampled < SAMPLES {
            let addresses = std::array::from_fn(|lane| access.offset(lane as u32).unwrap_or(0) as u32);
            let direction = if access.writes() { Direction::Store } else { Direction::Load };
            entry.sampled += 1;
            entry.wavefronts +=
                u64::from(shared_wavefronts(direction, access.bytes().max(4), access.lanes(), &addresses));
        }
    }
}

/// Returns the number of lines that an access touches.
fn lines(access: &Access<'_>) -> u64 {
    let mut lines: Vec<u64> = (0..32).filter_map(|lane| access.offset(lane)).map(|offset| offset / LINE).collect();
    lines.sort_unstable();
    lines.dedup();
    lines.len() as u64
}

/// Returns the number of wavefronts of a load: one for all lanes within 128 bytes, even if these belong to two lines.
/// Nsight Compute counted so on an H200 (n = 1000, 30 November 2026).
fn windows(access: &Access<'_>) -> u64 {
    let mut offsets: Vec<u64> = (0..32).filter_map(|lane| access.offset(lane)).collect();
    offsets.sort_unstable();
    let (mut count, mut end) = (0, 0);
    for offset in offsets {
        if count == 0 || offset + u64::from(access.bytes()) > end {
            (count, end) = (count + 1, offset + LINE);
        }
    }
    count
}

/// Returns the index of an instruction by its line and, where a line has several, by its name: the next one after the
/// last, if that is on the line too.
fn found(text: &Text, line: u32, name: &str, last: Option<u32>) -> Option<u32> {
    let (first, count) = text.on_line(line)?;
    if count == 1 {
        return Some(first);
    }
    let begin = last.map(|last| last + 1).filter(|next| (first..first + count).contains(next)).unwrap_or(first);
    let fits = |at: &u32| text.code.get(*at as usize).is_some_and(|one| one.opcode.starts_with(name));
    (begin..first + count).chain(first..begin).find(fits)
}

impl Observer for Trace<'_> {
    const PRODUCTS: bool = false;

    fn instruction(&mut self, instruction: &Instruction<'_>) {
        if instruction.lanes() == 0 && instruction.name() != "bra" {
            return;
        }
        self.looks = self.looks.wrapping_add(1);
        if self.looks.is_multiple_of(LOOK) && self.control.cancelled() {
            self.stop.store(true, Ordering::Relaxed);
        }
        let (line, warp) = (instruction.ptx_line(), instruction.warp());
        let (limit, text, block) = (self.limit, self.text, self.block);
        let Some(path) = self.path(warp).filter(|_| instruction.block() == block) else { return };
        let again =
            path.line == line && text.on_line(line).is_some_and(|(at, _)| text.code[at as usize].kind.repeats());
        if again {
            return;
        }
        path.line = line;
        let Some(at) = found(text, line, instruction.name(), path.at) else {
            self.unknown = self.unknown.or(Some(line));
            return;
        };
        // The emulator does not report branches that no lane takes.
        let before = path.at.replace(at).filter(|last| text.code[*last as usize].target != Some(at as usize));
        let one = &text.code[at as usize];
        if one.opcode.starts_with("wmma") && !one.kind.multiplies() && before != Some(at) {
            // The first part of such a load or store only says that the warp is whole.
            return;
        }
        let passed = before.map_or(at, |last| last + 1)..at;
        let branches = passed.filter(|over| text.code[*over as usize].kind == Kind::Branch);
        for at in branches.chain([at]) {
            path.executed += 1;
            if path.events.len() < limit {
                path.events.push(Event { at, access: NOTHING, mark: NOTHING });
            }
        }
        if path.events.len() == limit && !std::mem::replace(&mut path.full, true) {
            self.recording -= 1;
            if self.stops && self.recording == 0 {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    fn access(&mut self, access: &Access<'_>) {
        let by = access.instruction();
        if let (Some(stored), true) = (self.stored.last_mut().filter(|_| !self.stops), access.writes()) {
            let by_us = access.buffer().is_some() && by.block() == self.block;
            *stored += if by_us { lines(access) } else { 0 };
        }
        let Some(last) = self.last(&by) else { return };
        if self.text.code[last as usize].kind.is_shared() {
            self.shared(access, last);
            return;
        }
        let Some(buffer) = access.buffer() else { return };
        let global = self.global(access, buffer);
        let index = self.accesses.len() as u32;
        self.accesses.push(global);
        if let Some(last) = self.path(by.warp()).and_then(|path| path.events.last_mut()) {
            last.access = index;
        }
    }

    fn effect(&mut self, by: &Instruction<'_>, effect: Effect) {
        if let Effect::Copies(buffer, writes) = effect {
            self.buffer(buffer, writes);
        }
        let Some(last) = self.last(by) else { return };
        let kind = self.text.code[last as usize].kind;
        if let (Effect::Wavefronts(wavefronts), Kind::SharedLoad | Kind::SharedStore) = (effect, kind) {
            let entry = self.shared.entry(last).or_default();
            entry.sampled += 1;
            entry.wavefronts += u64::from(wavefronts);
            return;
        }
        let Some(mark) = self.mark(by.warp()) else { return };
        match effect {
            Effect::Wavefronts(wavefronts) => mark.wavefronts += wavefronts,
            Effect::Sectors(sectors) => mark.sectors += sectors as u32,
            Effect::Arrives(address, phase) | Effect::Waited(address, phase) => mark.phase = Some((address, phase)),
            Effect::Barrier(number) => mark.barrier = number,
            _ => {}
        }
    }

    fn merge(&mut self, _: Self) {}
}
