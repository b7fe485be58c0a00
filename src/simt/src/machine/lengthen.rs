//! Runs [`crate::program::Op::Lengthen`]: addresses of 32 bits become those of 64 bits that they stand for.

use super::state::Machine;
use crate::program::Inst;

impl<P> Machine<'_, P> {
    /// Runs [`crate::program::Op::Lengthen`] for the active lanes.
    ///
    /// # Safety
    /// The instruction was lowered for this file.
    #[inline(never)]
    pub(super) unsafe fn lengthen(&self, inst: &Inst, active: u32, file: *mut u32) {
        let Some(addresses) = &self.setup.addresses else { return };
        for lane in (0..32usize).filter(|lane| active >> lane & 1 == 1) {
            // SAFETY: by contract; `a` is a row of 32 bits, `d` one of 64.
            unsafe {
                let short = (*file.add(inst.operands.a as usize + lane)).wrapping_add(inst.imm as u32);
                *file.add(inst.operands.d as usize).cast::<u64>().add(lane) = addresses.long(short, inst.x == 1);
            }
        }
    }
}
