//! Finds what is wrong with an access.

use super::setup::View;
use super::state::Machine;
use crate::arch::{LOCAL_WINDOW, SHARED_WINDOW, WINDOW};
use crate::memory::SLOT_BITS;
use crate::memory::heap::{FREE, FRESH, WRITTEN};
use crate::probes::AddressPattern;
use crate::program::{Access, StateSpace};
use crate::{Fault, FaultKind};
use std::sync::atomic::Ordering::Relaxed;

impl<P> Machine<'_, P> {
    /// Returns the fault of one lane's access.
    #[cold]
    pub(crate) fn wrong(&self, at: usize, warp: usize, lane: u32, access: &Access, base: u64) -> Box<Fault> {
        let address = base.wrapping_add(access.offset as u64);
        let bytes = access.bytes();
        let verb = if access.writes { "writes" } else { "reads" };
        let mut global = None;
        let window = |start: u64| access.reach == StateSpace::Generic && address.wrapping_sub(start) < WINDOW;
        let spot = match access.reach {
            StateSpace::Shared => {
                let offset = address.wrapping_sub(self.own_window()) as i64;
                format!("at byte {offset} of shared memory, which has {} bytes", self.setup.shared_bytes)
            }
            StateSpace::Local => self.local_spot(address, warp, lane),
            _ if window(SHARED_WINDOW) => {
                format!(
                    "at byte {} of shared memory, which has {} bytes",
                    (address - SHARED_WINDOW).wrapping_sub(self.own_window()) as i64,
                    self.setup.shared_bytes
                )
            }
            _ if window(LOCAL_WINDOW) => self.local_spot(address - LOCAL_WINDOW, warp, lane),
            _ => {
                global = Some(address);
                self.describe(address)
            }
        };
        let (kind, what) = match address & u64::from(bytes - 1) {
            0 => (FaultKind::OutOfBounds, format!("{verb} {bytes} bytes {spot}")),
            _ => {
                let what = format!("{verb} {bytes} bytes {spot}; the address is not a multiple of {bytes}");
                (FaultKind::Misaligned, what)
            }
        };
        let mut fault = self.fault(kind, at, warp, lane, &what);
        fault.address = global;
        fault
    }

    fn local_spot(&self, at: u64, warp: usize, lane: u32) -> String {
        let has = match self.setup.program.stack {
            None => format!("{} bytes", self.setup.program.local_bytes),
            Some(stack) => {
                let top = warp * self.rows() * 32 + stack.top as usize + 2 * lane as usize;
                let bytes = self.block.file.get(top / 32).map_or(0, |row| row.0[top % 32]);
                format!("{bytes} bytes for its current calls")
            }
        };
        format!("at byte {} of its local memory, which has {has}", at as i64)
    }

    /// Checks and sets the flags of a buffer's written bytes.
    #[cold]
    #[inline(never)]
    pub(crate) fn global_flags(
        &mut self,
        at: usize,
        warp: usize,
        pattern: &AddressPattern,
        access: &Access,
        start: u64,
        mask: u32,
    ) -> Result<(), Box<Fault>> {
        let slot = start.wrapping_add(pattern.low as u64) >> SLOT_BITS;
        let view = self.setup.views[slot as usize - 1];
        let name = &self.setup.names[slot as usize - 1];
        for lane in (0..32usize).filter(|lane| mask & (1 << lane) != 0) {
            let offset = start.wrapping_add(pattern.relative[lane] as u64).wrapping_sub(slot << SLOT_BITS);
            if view.constant && access.writes {
                let what = format!("writes to the constant `{name}`");
                return Err(self.fault(FaultKind::OutOfBounds, at, warp, lane as u32, &what));
            }
            if view.heap {
                let offset = offset..offset + u64::from(access.bytes());
                self.heap_flags((at, warp, lane as u32), access, view, offset)?;
                continue;
            }
            for byte in offset..offset + u64::from(access.bytes()) {
                let Some(flag) = view.flag(byte) else { continue };
                if !access.writes || access.atomic.is_some() {
                    if flag.load(Relaxed) == 0 {
                        let what = format!("reads byte {byte} of buffer `{name}`, which has not been written");
                        return Err(self.fault(FaultKind::Uninitialised, at, warp, lane as u32, &what));
                    }
                } else {
                    flag.store(1, Relaxed);
                }
            }
        }
        Ok(())
    }

    /// Checks and sets the flags of the device heap. A kernel may copy a structure together with its padding. So a read
    /// is a fault only if none of its bytes has been written.
    fn heap_flags(
        &self,
        (at, warp, lane): (usize, usize, u32),
        access: &Access,
        view: View,
        bytes: std::ops::Range<u64>,
    ) -> Result<(), Box<Fault>> {
        let flags = || bytes.clone().filter_map(|byte| Some((byte, view.flag(byte)?)));
        let describe = |byte: u64| {
            let heap = self.setup.heap.lock();
            heap.ok().and_then(|heap| heap.as_ref().map(|heap| heap.describe(byte))).unwrap_or_default()
        };
        let verb = if access.writes { "writes" } else { "reads" };
        if let Some((byte, _)) = flags().find(|(_, flag)| flag.load(Relaxed) == FREE) {
            let what = format!("{verb} {} bytes of the device heap: {}", access.bytes(), describe(byte));
            return Err(self.fault(FaultKind::OutOfBounds, at, warp, lane, &what));
        }
        if access.writes && access.atomic.is_none() {
            flags().for_each(|(_, flag)| flag.store(WRITTEN, Relaxed));
        } else if flags().all(|(_, flag)| flag.load(Relaxed) == FRESH) {
            let what = format!("reads bytes that have not been written: {}", describe(bytes.start));
            return Err(self.fault(FaultKind::Uninitialised, at, warp, lane, &what));
        }
        Ok(())
    }

    /// Checks and sets the flags of shared memory.
    #[cold]
    #[inline(never)]
    pub(crate) fn shared_flags(
        &mut self,
        at: usize,
        warp: usize,
        pattern: &AddressPattern,
        access: &Access,
        start: u64,
        mask: u32,
    ) -> Result<(), Box<Fault>> {
        for lane in (0..32usize).filter(|lane| mask & (1 << lane) != 0) {
            let offset = start.wrapping_add(pattern.relative[lane] as u64) as usize;
            for byte in offset..offset + access.bytes() as usize {
                let Some(flag) = self.block.shared_written.get_mut(byte) else { continue };
                if access.writes && access.atomic.is_none() {
                    *flag = 1;
                } else if *flag == 0 {
                    let what = format!("reads byte {byte} of shared memory, which the block has not written");
                    return Err(self.fault(FaultKind::Uninitialised, at, warp, lane as u32, &what));
                }
            }
        }
        Ok(())
    }
}
