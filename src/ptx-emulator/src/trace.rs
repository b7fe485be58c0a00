/*! One block, step by step: what each warp did, in the order in which it happened.

A [`Trace`] is a list of [`Event`]s of bounded length. A [`Schedule`] decides which warp runs when, so two traces
of the same block show how the order of warps changes what is read: see [`super::witness`].
*/

use super::arch::Order;
use super::control::Control;
use super::memory::Memory;
use super::program::{Op, Program};
use super::report::{AccessKind, Fault, SourceLocation};
use crate::arith::Registers;
use crate::machine::Schedule;
use crate::module::Kernel;
use crate::probes::{AsyncAccess, Object, Probe, Seen};
use crate::run;
use crate::run::{Launch, Options};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// The kind of an [`Event`], with its details. *It* is the warp.
#[expect(clippy::large_enum_variant, reason = "most events of a trace are accesses")]
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum EventKind {
    /// It reaches another source line.
    Line,
    /// It reads or writes shared memory.
    Shared {
        /// Read or write.
        access: AccessKind,
        /// Active lanes.
        mask: u32,
        /// Byte offset in shared memory of each lane's first byte. Meaningless for inactive lanes.
        address: [u32; 32],
        /// Bytes that a lane reads or writes.
        bytes: u32,
        /// The first element that each lane reads or writes, as bits.
        value: [u64; 32],
    },
    /// One of its lanes initialises an `mbarrier`.
    Init {
        /// Byte offset of the `mbarrier` in shared memory, here and below.
        object: u32,
    },
    /// One of its lanes arrives at an `mbarrier`.
    ArriveAt {
        /// The `mbarrier`.
        object: u32,
    },
    /// It tests whether a phase of an `mbarrier` is complete. Repeated tests are recorded once.
    WaitAt {
        /// The `mbarrier`.
        object: u32,
        /// Parity of the phase.
        parity: bool,
    },
    /// It starts an asynchronous copy from or to shared memory.
    Copy {
        /// Byte offset in shared memory.
        address: u32,
        /// Bytes there.
        bytes: u32,
        /// True if the copy writes them.
        writes: bool,
    },
    /// It waits at a barrier.
    Arrive,
    /// It passes the barrier.
    Release,
    /// Its last thread has ended.
    Exit,
}

/// Something that a warp did.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct Event {
    /// Number of the warp in its block.
    pub warp: u32,
    /// Its position in the program.
    pub place: SourceLocation,
    /// What the warp did.
    pub kind: EventKind,
}

/// Which events are recorded, and how many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// Only these warps; all if empty.
    pub warps: Vec<u32>,
    /// Maximum number of events. The run continues after them without a record.
    pub limit: usize,
    /// Record changes of the source line.
    pub lines: bool,
    /// Record shared-memory accesses, and what is done with `mbarrier` objects.
    pub accesses: bool,
}

impl Default for Watch {
    fn default() -> Self {
        Self { warps: Vec::new(), limit: 10_000, lines: true, accesses: true }
    }
}

/// The events of one block.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Trace {
    /// In the order in which it happened.
    pub events: Vec<Event>,
    /// More happened than the watch allows to record.
    pub truncated: bool,
    /// The fault that ended the run early.
    pub fault: Option<Fault>,
}

/// Runs one block (linear index, x first) of a launch, and records it. It runs alone; of a cooperative launch all blocks run.
/// The memory stays as it is.
///
/// A fault while it runs ends the trace and is part of it.
///
/// # Errors
/// If the launch does not fit the kernel.
pub fn trace(
    kernel: &Kernel,
    launch: &Launch,
    memory: &Memory,
    block: u64,
    schedule: &Schedule,
    watch: &Watch,
    control: &Control<'_>,
) -> Result<Trace, Fault> {
    let mut memory = memory.clone();
    let program = kernel.program.as_ref();
    let options = Options { schedule: schedule.clone(), ..Options::default() };
    let recorder = Recorder {
        watch,
        program,
        events: Vec::new(),
        truncated: false,
        lines: [u32::MAX; 32],
        at: [0; 32],
        rank: 0,
        slot: 0,
        own: 0,
        quiet: false,
    };
    let (recorder, outcome) = run::run_one(program, launch, &mut memory, &options, control, block, recorder)?;
    Ok(Trace { events: recorder.events, truncated: recorder.truncated, fault: outcome.err() })
}

struct Recorder<'a> {
    watch: &'a Watch,
    program: &'a Program,
    events: Vec<Event>,
    truncated: bool,
    /// Place at which each warp last was, and its instruction.
    lines: [u32; 32],
    at: [usize; 32],
    /// Rank of the block of interest in its cluster. Nothing is recorded while another block runs.
    rank: u32,
    /// The place among the clusters that run in turns: the present one's, and that of the one of interest.
    slot: usize,
    own: usize,
    quiet: bool,
}

impl Recorder<'_> {
    fn record(&mut self, warp: u32, at: usize, kind: EventKind) {
        if self.quiet || !self.watch.warps.is_empty() && !self.watch.warps.contains(&warp) {
            return;
        }
        if self.events.len() >= self.watch.limit {
            self.truncated = true;
            return;
        }
        let Some(place) = self.program.notes.get(at).and_then(|note| self.program.place(note.place)) else {
            return;
        };
        self.events.push(Event { warp, place, kind });
    }
}

impl Probe for Recorder<'_> {
    const COUNTS: bool = false;
    const WATCHES: bool = true;
    const TRACES: bool = true;

    fn turn(&mut self, rank: u32) {
        self.quiet = rank != self.rank || self.slot != self.own;
    }

    fn resume(&mut self, slot: usize) {
        self.slot = slot;
        self.turn(0);
    }

    fn watch(&mut self, rank: u32, yes: bool) {
        if yes {
            (self.rank, self.own) = (rank, self.slot);
        } else if rank == self.rank && self.slot == self.own {
            // Another cluster takes the place.
            self.own = usize::MAX;
        }
        self.quiet = !yes;
    }

    fn step(&mut self, at: usize, warp: u32, _: u32, _: Registers) {
        if self.quiet {
            return;
        }
        self.at[warp as usize & 31] = at;
        let note = &self.program.notes[at];
        let known = &mut self.lines[warp as usize & 31];
        let text = !note.name.is_empty()
            && !matches!(self.program.code[at].op, Op::Enter(_) | Op::Reconverge | Op::InvalidatePattern);
        let same = |a: u32, b: u32| {
            let places = &self.program.places;
            a == b
                || matches!((places.get(a as usize), places.get(b as usize)), (Some(a), Some(b))
                    if a.line != 0 && (a.line, a.file) == (b.line, b.file))
        };
        if self.watch.lines && text && !same(*known, note.place) {
            *known = note.place;
            self.record(warp, at, EventKind::Line);
        }
    }

    fn shared(&mut self, seen: &mut Seen<'_>) {
        if !self.watch.accesses || self.events.len() >= self.watch.limit {
            self.truncated |= self.watch.accesses;
            return;
        }
        let kind = EventKind::Shared {
            access: if seen.access.writes { AccessKind::Write } else { AccessKind::Read },
            mask: seen.mask,
            address: seen.pattern.relative.map(|r| (seen.start as u32).wrapping_add(r as u32)),
            bytes: seen.access.bytes(),
            value: if seen.access.atomic.is_some() { [0; 32] } else { seen.values(0) },
        };
        self.record(seen.warp, seen.at, kind);
    }

    fn asynchronous(&mut self, access: &AsyncAccess) {
        if self.watch.accesses && access.rank == self.rank {
            let kind = EventKind::Copy { address: access.start, bytes: access.bytes, writes: access.writes };
            self.record(access.warp, access.at, kind);
        }
    }

    fn mbarrier_init(&mut self, at: usize, warp: u32, _: u32, object: u32) {
        if self.watch.accesses {
            self.record(warp, at, EventKind::Init { object });
        }
    }

    fn mbarrier_arrive(&mut self, warp: u32, _: u32, (rank, object): Object, _: Order) {
        if self.watch.accesses && rank == self.rank {
            self.record(warp, self.at[warp as usize & 31], EventKind::ArriveAt { object });
        }
    }

    fn mbarrier_test(&mut self, at: usize, warp: u32, (rank, object): Object, parity: bool) {
        let kind = EventKind::WaitAt { object, parity };
        let last = self.events.iter().rev().find(|event| event.warp == warp);
        if self.watch.accesses && rank == self.rank && last.is_none_or(|event| event.kind != kind) {
            self.record(warp, at, kind);
        }
    }

    fn arrive(&mut self, at: usize, warp: u32, _: usize) {
        self.record(warp, at, EventKind::Arrive);
    }

    fn release(&mut self, _: usize, waiting: u32, _: bool) {
        for warp in (0..32).filter(|warp| waiting >> warp & 1 == 1) {
            self.record(warp, self.at[warp as usize], EventKind::Release);
        }
    }

    fn ended(&mut self, warp: u32) {
        self.record(warp, self.at[warp as usize & 31], EventKind::Exit);
    }
}
