//! Asynchronous accesses: in flight until somebody has waited for them.

use super::clock::Agent;
use super::shadow::{Kind, Past};
use super::{FLIGHT, Hazards, WARPS};
use crate::simt::probe::{AsyncAccess, Engine};

impl Hazards {
    /// The agent of an engine; `warp` has last given it something to do.
    pub(super) fn engine(&mut self, engine: Engine, warp: u32) -> Agent {
        let at = self.engines.iter().position(|(known, ..)| *known == engine).unwrap_or_else(|| {
            self.engines.push((engine, warp, 0));
            self.engines.len() - 1
        });
        self.engines[at].1 = warp;
        (WARPS + at) as Agent
    }

    pub(super) fn asynchronous(&mut self, access: &AsyncAccess) {
        let Some(by) = Some(access.warp as usize).filter(|warp| *warp < self.threads.len()) else { return };
        let agent = self.engine(access.engine, access.warp);
        let latest = &mut self.engines[usize::from(agent) - WARPS].2;
        *latest = access.number.max(*latest);
        let past = Past {
            access: self.finds.number(access.at),
            moment: access.number,
            ordinal: access.number,
            agent,
            lane: access.lane as u8,
            kind: Kind::new(access.writes, false),
        };
        self.finds.next();
        let first = (access.start >> self.shift) as usize;
        let last = (access.start.saturating_add(access.bytes.max(1) - 1) >> self.shift) as usize;
        for cell in first..=last.min(self.cells.saturating_sub(1)) {
            self.check_write(cell, past, by as Agent);
            self.check_strong_writes(cell, past, by as Agent);
            if access.writes {
                self.check_readers(cell, past, by as Agent);
                self.check_strong_reads(cell, past, by as Agent);
                self.written[cell] = FLIGHT;
                self.writes[cell] = past;
                self.flights = true;
            } else {
                if access.proxy {
                    self.check_proxy(cell, past, by);
                }
                self.engine_reads.row(agent, self.cells)[cell] = past.pack();
            }
        }
    }

    /// Whether a warp had issued its own copy of a number when it read what another warp's copy of that number writes:
    /// then it means to read what was copied.
    pub(super) fn meant_after(&self, read: &Past, copy: &Past) -> bool {
        let own = Engine::Copies(read.agent.into());
        let of = usize::from(copy.agent).checked_sub(WARPS).and_then(|at| self.engines.get(at));
        matches!(of, Some((Engine::Copies(_), ..)))
            && self.engines.iter().any(|(engine, _, latest)| *engine == own && *latest >= copy.moment)
    }

    /// A read through the asynchronous proxy: the generic write before it must have been fenced.
    fn check_proxy(&mut self, cell: usize, past: Past, by: usize) {
        let write = self.writes[cell];
        let written = self.written[cell];
        let in_block = written >= self.first_interval && written != FLIGHT && usize::from(write.agent) < WARPS;
        if in_block && self.threads[by].fenced.get(write.agent, write.lane) < write.moment {
            self.conflict(write, past, by as u32, cell);
        }
    }

    pub(super) fn learns(&mut self, warp: u32, mask: u32, engine: Engine, number: u32) {
        let agent = self.engine(engine, warp);
        let Some(threads) = self.threads.get_mut(warp as usize) else { return };
        match engine {
            Engine::Copies(_) | Engine::Bulk(_) => threads.learn_own(agent, mask, number),
            Engine::Phase(_) | Engine::Wgmma(_) => threads.learn(agent, mask, number),
        }
    }
}
