//! Instructions at which lanes of a warp wait for each other: `bar.warp.sync`, shuffles, votes, matches, reductions.
//!
//! Each lane names the lanes that take part. They may arrive one after another, from different splits and even from
//! different places. The first ones are held until the last has arrived. Lanes that have ended are not expected.

use super::exchange;
use super::lanes::lanes_where;
use super::split::Split;
use super::state::Machine;
use crate::arith::Registers;
use crate::probes::Probe;
use crate::program::{Inst, NONE, Op};
use crate::{Fault, FaultKind, Rule};

/// Returns, for each lane, the mask of participating lanes that it names.
#[inline(always)]
fn members(file: Registers, inst: &Inst) -> [u32; 32] {
    let row = match inst.op {
        Op::WarpSync => inst.operands.a,
        Op::Shuffle => (inst.imm >> 32) as u32,
        _ => inst.operands.b,
    };
    if row == NONE {
        return [u32::MAX; 32];
    }
    file.lanes(row)
}

impl<P: Probe> Machine<'_, P> {
    /// Runs a warp-wide instruction for the lanes whose partners have all arrived, and holds the others. Returns false
    /// if no lane of the split continues.
    #[inline]
    pub(super) fn together(
        &mut self,
        w: usize,
        inst: &Inst,
        active: u32,
        split: &mut Split,
        file: Registers,
    ) -> Result<bool, Box<Fault>> {
        let named = members(file, inst);
        let wanted = named[(active.trailing_zeros() & 31) as usize];
        let other = (0..32).fold(0, |other, l| other | ((named[l] ^ wanted) & ((active >> l & 1).wrapping_neg())));
        if other == 0 && wanted & self.block.warps[w].live == active {
            self.exchange(w, split.at, (active, active), wanted, file);
            return Ok(true);
        }
        self.wait_for_lanes(w, active, split, file, &named)
    }

    /// Runs the exchange at `at` among `lanes`; `named` is their member mask. `all` have come, some to other places.
    fn exchange(&mut self, w: usize, at: usize, (lanes, all): (u32, u32), named: u32, file: Registers) {
        let inst = &self.setup.program.code[at];
        if P::WATCHES {
            if named != lanes {
                self.not_all_there(w, at, (lanes, all), named);
            }
            // Only `bar.warp.sync` orders memory (PTX ISA, bar.warp.sync). Before sm_70, lanes run in step.
            if matches!(inst.op, Op::WarpSync) || self.setup.program.target.sm < 70 {
                self.probe.warp_sync(w as u32, lanes);
            }
        }
        if P::TRACES {
            let sources = matches!(inst.op, Op::Shuffle).then(|| exchange::sources(file, inst, lanes));
            self.probe.exchanged(at, w as u32, lanes, named, sources);
        }
        exchange::exchange(file, inst, lanes);
    }

    /// Reports lanes that are named and do not take part. They have ended, on a way around the instruction or before, or
    /// they are at another instruction. Only `bar.warp.sync` may be at several places.
    #[cold]
    #[inline(never)]
    fn not_all_there(&mut self, w: usize, at: usize, (lanes, all): (u32, u32), named: u32) {
        let (warp, op) = (&self.block.warps[w], self.setup.program.code[at].op);
        let missing = named & warp.full & if matches!(op, Op::WarpSync) { !all } else { !lanes };
        let passed = missing & (warp.splits.passed | all);
        let (rule, lane) = match passed {
            0 => (Rule::ExitedLane, missing.trailing_zeros()),
            _ => (Rule::MissingLane, passed.trailing_zeros()),
        };
        if missing != 0 {
            let detail = || format!("{named:#010x} names lane {lane}");
            self.probe.undefined(rule, at, w as u32, lanes.trailing_zeros() & 31, &detail);
        }
    }

    #[cold]
    #[inline(never)]
    fn wait_for_lanes(
        &mut self,
        w: usize,
        active: u32,
        split: &mut Split,
        file: Registers,
        named: &[u32; 32],
    ) -> Result<bool, Box<Fault>> {
        let at = split.at;
        let (mut rest, mut exchanged) = (active, 0);
        while rest != 0 {
            let first = rest.trailing_zeros() as usize & 31;
            let wanted = named[first];
            let group = lanes_where(rest, |lane| named[lane as usize] == wanted);
            rest &= !group;
            if group & !wanted != 0 {
                let lane = (group & !wanted).trailing_zeros();
                let what = format!("gives the lane mask {wanted:#010x}, which lacks its own lane");
                return Err(self.fault(FaultKind::LaneMask, at, w, lane, &what));
            }
            if wanted & self.block.warps[w].live & !group == 0 {
                self.exchange(w, at, (group, group), wanted, file);
                exchanged |= group;
                continue;
            }
            split.mask &= !group;
            self.block.warps[w].splits.hold_for(Split { at, mask: group, join: split.join }, wanted);
            self.release_lanes(w, file);
        }
        if split.mask != active {
            self.block.warps[w].splits.passed |= exchanged;
        }
        Ok(split.mask != 0)
    }

    /// Releases held lanes whose partners have all arrived or ended. Returns true if it released any.
    pub(super) fn release_lanes(&mut self, w: usize, file: Registers) -> bool {
        let live = self.block.warps[w].live;
        let Some((complete, named)) = self.block.warps[w].splits.complete(live) else { return false };
        let all = complete.iter().fold(0, |mask, split| mask | split.mask);
        // Lanes may wait for each other at different places.
        let syncs = |split: &Split| matches!(self.setup.program.code[split.at].op, Op::WarpSync);
        if P::WATCHES && complete.iter().all(syncs) {
            self.probe.warp_sync(w as u32, all);
        }
        let mut done: Vec<usize> = Vec::new();
        for split in &complete {
            if !done.contains(&split.at) {
                done.push(split.at);
                let here = complete.iter().filter(|s| s.at == split.at).fold(0, |mask, s| mask | s.mask);
                self.exchange(w, split.at, (here, all), named, file);
            }
        }
        // Lanes that come from one place and have the same join continue together.
        let mut ready: Vec<Split> = Vec::new();
        for split in complete {
            match ready.iter_mut().find(|r| (r.at, r.join) == (split.at + 1, split.join)) {
                Some(same) => same.mask |= split.mask,
                None => ready.push(Split { at: split.at + 1, ..split }),
            }
        }
        self.block.warps[w].splits.ready.extend(ready);
        if let Some((block, warp, lanes)) = self.setup.perturbation.ahead
            && (warp as usize, block) == (w, self.setup.linear(self.block.ctaid))
        {
            self.block.warps[w].splits.run_ahead(lanes);
        }
        true
    }
}
