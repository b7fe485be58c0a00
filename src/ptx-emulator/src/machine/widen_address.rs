//! Converts 32-bit addresses to the 64-bit addresses that they stand for.

use super::state::Machine;
use crate::arith::Registers;
use crate::program::Inst;

impl<P> Machine<'_, P> {
    /// Runs [`crate::program::Op::WidenAddress`] for the active lanes.
    #[inline(never)]
    pub(super) fn widen_address(&self, inst: &Inst, active: u32, file: Registers) {
        let Some(addresses) = &self.setup.addresses else { return };
        for lane in (0..32usize).filter(|lane| active >> lane & 1 == 1) {
            let short = (file.lane(inst.operands.a, false, lane) as u32).wrapping_add(inst.imm as u32);
            file.set_lane(inst.operands.d, true, lane, addresses.long(short, inst.x == 1));
        }
    }
}
