//! Asynchronous accesses. They are in flight until threads have waited for them.
//!
//! A write is in flight until all threads of the block know that it is complete. Barriers check this. Afterwards, its
//! cells count as written in an earlier interval, and reads of them no longer have to be checked against it.

use super::clock::Agent;
use super::deferred::Part;
use super::shadow::{AccessKind, Past};
use super::{EngineState, FLIGHT, Hazards};
use crate::probes::{AsyncAccess, Engine};

/// Maximum number of writes in flight that are listed separately.
const MAX_FLIGHTS: usize = 1 << 11;

/// Asynchronous writes to the block's shared memory that some of its threads do not know to be complete.
#[derive(Debug, Default)]
pub(super) struct Flights {
    list: Vec<Flight>,
    /// The cells that they write, and the cells of the writes that did not fit in the list.
    pub(super) cells: Part,
    others: Part,
}

/// An asynchronous write to the cells from `first` to `last`.
#[derive(Debug, Clone, Copy)]
struct Flight {
    agent: Agent,
    moment: u32,
    first: usize,
    last: usize,
}

/// The reads by one engine that the writing thread is known to know: all up to `known`, and some later packed ones.
#[derive(Debug, Default)]
struct Reader {
    known: u32,
    known_reads: [u64; MAX_KNOWN_READS],
}

/// Maximum number of later reads: the parts of a tile along K are adjacent, and each belongs to a different product.
const MAX_KNOWN_READS: usize = 4;

impl Flights {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        (self.cells, self.others) = (Part::default(), Part::default());
    }

    fn add(&mut self, flight: Flight, cells: Part) {
        self.cells.add(cells);
        if self.list.len() < MAX_FLIGHTS {
            self.list.push(flight);
        } else {
            self.others.add(cells);
        }
    }
}

impl Hazards {
    /// Returns the agent of an engine. `warp` is the warp that last started an operation on it.
    pub(super) fn engine(&mut self, engine: Engine, warp: Agent) -> Agent {
        let rank = if let Engine::Phase(rank, _) = engine { rank } else { self.rank };
        let at = self.find_engine(rank, engine).unwrap_or_else(|| {
            self.engines.push(EngineState { rank, engine, warp, latest: 0 });
            self.engines.len() - 1
        });
        self.engines[at].warp = warp;
        (self.threads.len() + at) as Agent
    }

    pub(super) fn find_engine(&self, rank: u32, engine: Engine) -> Option<usize> {
        self.engines.iter().position(|known| (known.rank, known.engine) == (rank, engine))
    }

    pub(super) fn asynchronous(&mut self, access: &AsyncAccess) {
        let by = self.first + access.warp as usize;
        if by >= self.threads.len() {
            return;
        }
        let by = by as Agent;
        let agent = self.engine(access.engine, by);
        let latest = &mut self.engines[usize::from(agent) - self.threads.len()].latest;
        *latest = access.number.max(*latest);
        let past = Past {
            access: self.finds.number(access.at),
            moment: access.number,
            ordinal: access.number,
            agent,
            lane: access.lane as u8,
            kind: AccessKind::new(access.writes, access.reduces),
        };
        self.finds.next();
        let own = self.rank;
        if access.rank != own {
            self.visit(own);
            self.visit(access.rank);
        }
        self.asynchronous_at(access, past, by);
        if access.rank != own {
            self.visit(access.rank);
            self.visit(own);
        }
    }

    /// As above, with the shadow of the block that owns the shared memory in place.
    fn asynchronous_at(&mut self, access: &AsyncAccess, mut past: Past, by: Agent) {
        let (agent, lane) = (past.agent, past.lane);
        let first = (access.start >> self.shift) as usize;
        let last = (access.start.saturating_add(access.bytes.max(1) - 1) >> self.shift) as usize;
        let last = last.min(self.shadow.cells.saturating_sub(1));
        let cells = self.deferred.part(first, last);
        self.flush_reads(cells);
        if access.writes && self.size == 1 {
            self.deferred.flights.add(Flight { agent, moment: past.moment, first, last }, cells);
        }
        // True for a copy to cells that no other access touches in this interval.
        let quiet =
            access.writes && !access.reduces && !self.shadow.has_others(first, last) && self.shadow.foreign.is_empty();
        let mut readers: Vec<Reader> = Vec::new();
        if access.writes && !quiet {
            let threads = &self.threads[usize::from(by)];
            let reader = |(agent, _)| Reader { known: threads.floor(agent), ..Reader::default() };
            readers.extend(self.shadow.engine_reads.agents().map(reader));
        }
        // The last write that was found to be known.
        let mut known_write = None;
        let each = (access.each >> self.shift).max(1) as usize;
        for cell in first..=last {
            let of = lane + ((cell - first) / each) as u8;
            if of != past.lane {
                past.lane = of;
                self.finds.next();
                known_write = None;
                readers.iter_mut().for_each(|reader| reader.known_reads = [0; MAX_KNOWN_READS]);
            }
            let cells = self.shadow.cells;
            let interval = self.shadow.interval;
            if quiet && self.shadow.written[cell] < interval && self.shadow.read[cell] != interval {
                self.shadow.written[cell] = FLIGHT;
                self.shadow.writes[cell] = past;
                self.shadow.flights = true;
                continue;
            }
            if self.shadow.written[cell] >= interval {
                let old = self.shadow.writes[cell];
                let write = Some((old.agent, old.lane, old.moment));
                if write != known_write {
                    let known = self.threads[usize::from(by)].floor(old.agent) >= old.moment;
                    known_write = write.filter(|_| known || !self.check(old, past, by, cell));
                }
            }
            self.check_strong_writes(cell, past, by);
            if access.writes {
                self.check_own_readers(cell, past, by);
                if self.shadow.foreign.is_empty() {
                    self.check_engines(cell, past, by, &mut readers);
                } else {
                    self.check_other_readers(cell, past, by);
                }
                self.check_strong_reads(cell, past, by);
            }
            if access.reduces {
                self.shadow.strong_writes.row(agent, cells, cell, cell)[cell] = past.pack();
            } else if access.writes {
                self.shadow.written[cell] = FLIGHT;
                self.shadow.writes[cell] = past;
                self.shadow.flights = true;
            } else if access.proxy {
                self.check_proxy(cell, past, by);
            }
        }
        if !access.writes {
            let row = self.shadow.engine_reads.row(agent, self.shadow.cells, first, last);
            past.lane = lane;
            for (i, cell) in row[first..=last].iter_mut().enumerate() {
                *cell = Past { lane: lane + (i / each) as u8, ..past }.pack();
            }
        }
    }

    /// Checks a write against the reads of engines. `readers` has an entry for each engine.
    #[inline(always)]
    fn check_engines(&mut self, cell: usize, past: Past, by: Agent, readers: &mut [Reader]) {
        for (at, reader) in readers.iter_mut().enumerate() {
            let (agent, packed) = self.shadow.engine_reads.at(at, cell);
            if (packed >> 32) as u32 <= reader.known || reader.known_reads.contains(&packed) {
                continue;
            }
            if !self.check_reader(agent, packed, AccessKind::Read, past, by, cell) {
                reader.known_reads.rotate_right(1);
                reader.known_reads[0] = packed;
            }
        }
    }

    /// After a barrier of all warps: removes the writes that all threads know to be complete.
    pub(super) fn retire_flights(&mut self) {
        let mut flights = std::mem::take(&mut self.deferred.flights);
        let before = flights.list.len();
        flights.list.retain(|flight| {
            let known = |threads: &super::warp::Warp| threads.floor(flight.agent) >= flight.moment;
            if !self.threads.iter().all(|threads| threads.live == 0 || known(threads)) {
                return true;
            }
            let shadow = &mut self.shadow;
            for (written, write) in
                shadow.written[flight.first..=flight.last].iter_mut().zip(&shadow.writes[flight.first..=flight.last])
            {
                if (write.agent, write.moment) == (flight.agent, flight.moment) && *written == FLIGHT {
                    *written = shadow.interval - 1;
                }
            }
            false
        });
        if flights.list.len() != before {
            let parts = flights.list.iter().map(|flight| self.deferred.part(flight.first, flight.last));
            flights.cells = parts.fold(flights.others, |mut sum, part| {
                sum.add(part);
                sum
            });
        }
        self.deferred.flights = flights;
    }

    /// True if the reading warp had already issued its own copy of the same number when it read what `copy` writes.
    /// Then the program intends the read to follow the copy.
    pub(super) fn meant_after(&self, read: &Past, copy: &Past) -> bool {
        if !self.is_warp(read.agent) {
            return false;
        }
        let (rank, warp) = (self.rank_of(read.agent), usize::from(read.agent) % self.warps.max(1));
        let own = self.find_engine(rank, Engine::Copies(warp as u32));
        let of = usize::from(copy.agent).checked_sub(self.threads.len()).and_then(|at| self.engines.get(at));
        matches!(of.map(|worked| worked.engine), Some(Engine::Copies(_)))
            && own.is_some_and(|at| self.engines[at].latest >= copy.moment)
    }

    /// True if the writing warp had already executed its own part of a product when it wrote what another warp's part
    /// reads. Then the program intends the write to follow the product.
    pub(super) fn multiplied_before(&self, write: &Past, product: &Past) -> bool {
        let of = usize::from(product.agent).checked_sub(self.threads.len()).and_then(|at| self.engines.get(at));
        if !self.is_warp(write.agent) || !matches!(of.map(|worked| worked.engine), Some(Engine::Wgmma(_))) {
            return false;
        }
        let (rank, warp) = (self.rank_of(write.agent), usize::from(write.agent) % self.warps.max(1));
        let own = self.find_engine(rank, Engine::Wgmma(warp as u32));
        own.is_some_and(|at| self.engines[at].latest >= product.moment)
    }

    /// Checks a read through the asynchronous proxy: a proxy fence must separate it from an earlier generic write.
    fn check_proxy(&mut self, cell: usize, past: Past, by: Agent) {
        let write = self.shadow.writes[cell];
        let written = self.shadow.written[cell];
        let in_block = written >= self.shadow.first_interval && written != FLIGHT && self.is_warp(write.agent);
        if in_block && self.threads[usize::from(by)].fenced.get(write.agent, write.lane) < write.moment {
            self.conflict(write, past, by, cell);
        }
    }

    pub(super) fn learns(&mut self, warp: u32, mask: u32, engine: Engine, number: u32) {
        let warp = self.first + warp as usize;
        let agent = self.engine(engine, warp as Agent);
        let Some(threads) = self.threads.get_mut(warp) else { return };
        match engine {
            Engine::Copies(_) | Engine::Bulk(_) | Engine::Stores(_) => threads.learn_own(agent, mask, number),
            Engine::Phase(..) | Engine::Wgmma(_) => threads.learn(agent, mask, number),
        }
    }
}
