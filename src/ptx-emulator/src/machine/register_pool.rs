//! What a warpgroup's four warps do together: `wgmma`, and `setmaxnreg`, which moves registers between warps.
//!
//! A block gets its registers at the launch: the same number for every thread. `setmaxnreg.dec` gives some back to the
//! block's pool, and `setmaxnreg.inc` waits until the pool has enough (PTX ISA, `setmaxnreg`). The kernel's
//! directives determine the number at the launch; without them, `setmaxnreg` has no effect.

use super::async_copy::Next;
use super::state::Machine;
use crate::probes::Probe;
use crate::{Fault, FaultKind};

impl<P: Probe> Machine<'_, P> {
    /// Notes that a warp executes an instruction that the four warps of its warpgroup must execute.
    pub(super) fn with_warpgroup(&mut self, at: usize, w: usize, what: &str) -> Result<(), Box<Fault>> {
        if self.block.warps.len() < (w / 4 + 1) * 4 {
            let what =
                format!("executes {what}, which needs four warps, starting at a multiple of four; the block has fewer");
            return Err(self.fault(FaultKind::DivergentBarrier, at, w, 0, &what));
        }
        let warp = &mut self.block.warps[w];
        warp.together = warp.together.wrapping_add(1);
        warp.together_at = at;
        Ok(())
    }

    /// Checks at the end of a block that the warps of each warpgroup have executed the same number of such instructions.
    pub(super) fn warpgroups_agree(&self) -> Result<(), Box<Fault>> {
        for (group, warps) in self.block.warps.chunks(4).enumerate() {
            let most = warps.iter().enumerate().max_by_key(|(_, warp)| warp.together);
            let least = warps.iter().enumerate().min_by_key(|(_, warp)| warp.together);
            if let Some(((most, warp), (least, other))) = most.zip(least)
                && warp.together != other.together
            {
                let (most, least) = (4 * group + most, 4 * group + least);
                let what = format!(
                    "executes an instruction that all four warps of its warpgroup must execute; warp {least} has executed {} \
                    such instructions, and warp {most} has executed {}",
                    other.together, warp.together
                );
                return Err(self.fault(FaultKind::DivergentBarrier, warp.together_at, most, 0, &what));
            }
        }
        Ok(())
    }

    /// Runs `setmaxnreg`: changes the number of registers of each thread of a warp to `count`.
    pub(super) fn resize(&mut self, at: usize, w: usize, count: u32) -> Result<Next, Box<Fault>> {
        if let Some(first) = self.setup.program.registers {
            let has = std::mem::replace(&mut self.block.warps[w].registers, count);
            let has = if has == 0 { first } else { has };
            let free = self.block.free_registers + has;
            if count > free {
                self.block.warps[w].registers = has;
                return Ok(Next::Again);
            }
            self.block.free_registers = free - count;
            self.progress += 1;
        }
        self.with_warpgroup(at, w, "`setmaxnreg`")?;
        Ok(Next::On)
    }
}
