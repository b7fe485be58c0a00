//! Loads and stores.

use super::cas_loop_cost::looped;
use super::lanes::lanes_where;
use super::state::Machine;
use super::transfer::{Common, Own, load, put, sign, store, words};
use crate::arch::{LOCAL_WINDOW, SHARED_WINDOW, WINDOW};
use crate::arith::{Registers, Width};
use crate::cost::atomic::Served;
use crate::memory::SLOT_BITS;
use crate::probes::AddressPattern;
use crate::probes::{LocalElement, Probe, Seen, Space};
use crate::program::{Access, Inst, StateSpace};
use crate::{Fault, FaultKind};

/// The memory that the lanes of an access reach, and the start of the access there.
#[derive(Clone, Copy)]
pub(super) enum Where {
    Shared(u64),
    Global(u64),
    Local(u64),
    /// Several spaces or buffers, out of bounds, or misaligned: see [`Machine::access_in_parts`].
    Unclear,
}

/// Returns the addresses in a row. 32-bit addresses are sign-extended: they only reach shared memory, and if a base
/// is below its start, the access's offset may lead back into it.
#[inline(always)]
pub(super) fn addresses(file: Registers, slot: u32, wide: bool) -> [u64; 32] {
    if wide { file.wide_lanes(slot) } else { file.lanes(slot).map(|address| address as i32 as u64) }
}

/// Updates an address pattern to the addresses in its row; `near` is the block's [`Machine::near_bytes`].
///
/// # Safety
/// `slot` is a row of the file, of 64 bits if `wide`.
#[inline(always)]
pub(crate) unsafe fn refresh_pattern(
    pattern: &mut AddressPattern,
    file: Registers,
    slot: u32,
    wide: bool,
    mask: u32,
    near: u64,
) {
    // SAFETY: the caller passes a row of this width.
    if mask != u32::MAX || !unsafe { pattern.translated(file.at(slot, Width::of(wide)), wide) } {
        pattern.rescan(&addresses(file, slot, wide), mask, near);
    }
}

#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "one for each field")]
pub(super) fn seen<'a>(
    at: usize,
    warp: usize,
    inst: &Inst,
    mask: u32,
    start: u64,
    pattern: &'a mut AddressPattern,
    access: &'a Access,
    file: Registers,
) -> Seen<'a> {
    let (warp, memory) = (warp as u32, std::ptr::null());
    Seen { at, warp, mask, start, pattern, access, access_index: inst.x, file, memory, engine: None }
}

/// True for an element of a vector atomic that is counted with another element.
#[inline(always)]
fn is_part(inst: &Inst, access: &Access) -> bool {
    access.atomic.is_some() && inst.imm == 1
}

impl<P: Probe> Machine<'_, P> {
    #[inline(always)]
    pub(super) fn find(&self, pattern: &AddressPattern, access: &Access) -> Where {
        let start = pattern.base.wrapping_add(access.offset as u64);
        let bytes = u64::from(access.bytes());
        if pattern.wide || (start as u32 | pattern.bits) & (access.bytes() - 1) != 0 {
            return Where::Unclear;
        }
        let low = start.wrapping_add(pattern.low as u64);
        let last = start.wrapping_add(pattern.high as u64);
        let (reach, window) = match access.reach {
            StateSpace::Shared => (StateSpace::Shared, self.own_window()),
            StateSpace::Cluster => return Where::Unclear,
            StateSpace::Global => (StateSpace::Global, 0),
            StateSpace::Local => (StateSpace::Local, 0),
            StateSpace::Generic if low.wrapping_sub(SHARED_WINDOW) < WINDOW => {
                (StateSpace::Shared, SHARED_WINDOW + self.own_window())
            }
            StateSpace::Generic if low.wrapping_sub(LOCAL_WINDOW) < WINDOW => (StateSpace::Local, LOCAL_WINDOW),
            StateSpace::Generic => (StateSpace::Global, 0),
        };
        let within = |low: u64, last: u64, len: u64| low <= last && last < len && len - last >= bytes;
        match reach {
            StateSpace::Shared
                if within(low.wrapping_sub(window), last.wrapping_sub(window), self.setup.shared_bytes) =>
            {
                Where::Shared(start.wrapping_sub(window))
            }
            StateSpace::Local if within(low - window, last.wrapping_sub(window), self.block.local.each()) => {
                Where::Local(start - window)
            }
            StateSpace::Global => {
                let slot = low >> SLOT_BITS;
                match self.setup.views.get((slot as usize).wrapping_sub(1)) {
                    Some(view) if within(low - (slot << SLOT_BITS), last.wrapping_sub(slot << SLOT_BITS), view.len) => {
                        Where::Global(start)
                    }
                    _ => Where::Unclear,
                }
            }
            _ => Where::Unclear,
        }
    }

    /// Runs the most common access, [`crate::program::Op::LoadShared`]. Returns false, having done nothing, unless the
    /// fast path applies (see [`crate::machine`]).
    ///
    /// # Safety
    /// The instruction belongs to this program, and the file and the patterns belong to the warp.
    #[inline(always)]
    pub(crate) unsafe fn load_shared(
        &mut self,
        at: usize,
        warp: usize,
        inst: &Inst,
        mask: u32,
        file: Registers,
        patterns: *mut AddressPattern,
    ) -> bool {
        // SAFETY: verification proves that `b` is the index of a pattern, and `a` and `d` are rows. The code compares the
        // bounds with `lowest_max`.
        unsafe {
            let pattern = &mut *patterns.add(inst.operands.b as usize);
            if !pattern.valid || pattern.mask != mask {
                refresh_pattern(pattern, file, inst.operands.a, inst.operands.c == 1, mask, self.near_bytes);
            }
            let start = pattern.base.wrapping_add(inst.imm);
            let inside = pattern.lowest.wrapping_add(inst.imm) <= pattern.lowest_max && pattern.lowest != u64::MAX;
            if !inside || (start as u32 | pattern.bits) & 3 != 0 || self.setup.uninitialised_shared {
                return false;
            }
            if P::COUNTS || P::TRACES {
                self.probe.request(at);
            }
            let from = self.block.shared.as_ptr().cast::<u8>().wrapping_add(start as usize);
            let to = file.row(inst.operands.d).cast::<[u32; 8]>();
            let mut value = words::<Own>(from, pattern);
            for (g, value) in value.iter_mut().enumerate() {
                if mask != u32::MAX {
                    let old = *to.add(g);
                    for i in 0..8 {
                        value[i] = if mask & (1 << (8 * g + i)) != 0 { value[i] } else { old[i] };
                    }
                }
                *to.add(g) = *value;
            }
            if P::COUNTS || P::WATCHES {
                let access = &self.setup.program.accesses[inst.x as usize];
                let mut seen = seen(at, warp, inst, mask, start, pattern, access, file);
                self.probe.shared(&mut seen);
                if P::TRACES {
                    self.probe.touched(Space::Shared(self.rank), &seen, from);
                }
            }
            true
        }
    }

    /// Runs a load, store or atomic of the active lanes.
    ///
    /// # Safety
    /// File and patterns belong to the warp, and the instruction belongs to this program.
    #[inline(always)]
    pub(crate) unsafe fn access<const FAST: bool>(
        &mut self,
        at: usize,
        warp: usize,
        inst: &Inst,
        mask: u32,
        file: Registers,
        patterns: *mut AddressPattern,
    ) -> Result<(), Box<Fault>> {
        let program = self.setup.program;
        let access = &program.accesses[inst.x as usize];
        if (P::COUNTS || P::TRACES) && !is_part(inst, access) {
            self.probe.request(at);
        }
        // SAFETY: verification proves that the pattern exists and that the base is a row of this width. Nothing else uses
        // the warp's patterns during the access. The caller guarantees the rest, and `find` has just located the pattern.
        unsafe {
            let pattern = &mut *patterns.add(access.pattern as usize);
            if !pattern.valid || pattern.mask != mask {
                refresh_pattern(pattern, file, access.base, access.base_wide, mask, self.near_bytes);
            }
            let place = self.find(pattern, access);
            self.at::<FAST>(at, warp, inst, access, pattern, place, mask, file)
        }
    }

    /// Runs an access whose location is known.
    ///
    /// # Safety
    /// As for [`Self::access`]. `pattern` is the pattern of `mask`, and `place` is the result of [`Self::find`] for it.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the hot path keeps all of them in registers")]
    unsafe fn at<const FAST: bool>(
        &mut self,
        at: usize,
        warp: usize,
        inst: &Inst,
        access: &Access,
        pattern: &mut AddressPattern,
        place: Where,
        mask: u32,
        file: Registers,
    ) -> Result<(), Box<Fault>> {
        match place {
            Where::Shared(start) => {
                if (P::COUNTS || P::WATCHES) && access.writes {
                    self.probe.shared(&mut seen(at, warp, inst, mask, start, pattern, access, file));
                }
                if self.setup.uninitialised_shared {
                    self.shared_flags(at, warp, pattern, access, start, mask)?;
                }
                // SAFETY: `find` has checked the alignment and the bounds against the shared memory.
                unsafe {
                    let data = self.block.shared.as_mut_ptr().cast::<u8>().add(start as usize);
                    match access.atomic {
                        Some(_) => {
                            if P::COUNTS && access.served() == Served::Loop {
                                let bytes_left = self.setup.shared_bytes - start;
                                let costs = looped::<false>(data, bytes_left, start, pattern, access, inst, file, mask);
                                self.probe.looped(at, false, costs);
                            }
                            super::atomic::apply::<false>(data, pattern, access, inst, file, mask);
                        }
                        None if access.writes => store::<Own>(data, pattern, access, file, mask),
                        None => load::<Own>(data, pattern, access, file, mask),
                    }
                    if P::TRACES {
                        let seen = seen(at, warp, inst, mask, start, pattern, access, file);
                        self.probe.touched(Space::Shared(self.rank), &seen, data);
                    }
                }
                if (P::COUNTS || P::WATCHES) && !access.writes {
                    self.probe.shared(&mut seen(at, warp, inst, mask, start, pattern, access, file));
                }
                Ok(())
            }
            Where::Global(start) => {
                let slot = start.wrapping_add(pattern.low as u64) >> SLOT_BITS;
                let view = self.setup.views[slot as usize - 1];
                if P::COUNTS && !is_part(inst, access) {
                    let memory = view.data.wrapping_offset(start.wrapping_sub(slot << SLOT_BITS) as isize);
                    let seen = &mut seen(at, warp, inst, mask, start, pattern, access, file);
                    seen.memory = memory;
                    self.probe.global(seen);
                }
                if !view.written.is_null() || (view.constant && access.writes) {
                    self.global_flags(at, warp, pattern, access, start, mask)?;
                }
                // SAFETY: `find` has checked the alignment and the bounds against this buffer.
                unsafe {
                    let data = view.data.offset(start.wrapping_sub(slot << SLOT_BITS) as isize);
                    match access.atomic {
                        Some(_) => {
                            if P::COUNTS && access.size == 2 {
                                let bytes_left = view.len.wrapping_sub(start.wrapping_sub(slot << SLOT_BITS));
                                let costs = looped::<true>(data, bytes_left, start, pattern, access, inst, file, mask);
                                self.probe.looped(at, true, costs);
                            }
                            super::atomic::apply::<true>(data, pattern, access, inst, file, mask);
                        }
                        None if access.writes => store::<Common<FAST>>(data, pattern, access, file, mask),
                        None => load::<Common<FAST>>(data, pattern, access, file, mask),
                    }
                    if P::TRACES {
                        let seen = seen(at, warp, inst, mask, start, pattern, access, file);
                        self.probe.touched(Space::Global, &seen, data);
                    }
                }
                Ok(())
            }
            Where::Local(start) => self.local(at, warp, pattern, access, start, mask, file),
            // SAFETY: the caller guarantees the contract.
            Where::Unclear => unsafe { self.access_in_parts::<FAST>(at, warp, inst, access, mask, file) },
        }
    }

    /// Runs an access to the threads' local memory.
    #[inline(never)]
    #[expect(clippy::too_many_arguments, reason = "as for `at`")]
    fn local(
        &mut self,
        at: usize,
        warp: usize,
        pattern: &AddressPattern,
        access: &Access,
        start: u64,
        mask: u32,
        file: Registers,
    ) -> Result<(), Box<Fault>> {
        let stack = self.setup.program.stack;
        for lane in (0..32).filter(|lane| mask & (1 << lane) != 0) {
            let relative = pattern.relative[lane] as u64;
            let first = start.wrapping_add(relative);
            let end = stack.map(|stack| file.lane(stack.top, true, lane));
            if end.is_some_and(|end| first + u64::from(access.bytes()) > end) {
                return Err(self.wrong(at, warp, lane as u32, access, pattern.base.wrapping_add(relative)));
            }
            let size = access.size as usize;
            for element in 0..access.lanes as usize {
                let (thread, place) = (warp * 32 + lane, first + (element * size) as u64);
                let local = LocalElement { at, warp: warp as u32, lane: lane as u32, element, place };
                let mut value = [0u8; 8];
                if access.writes {
                    let Some(bytes) = self.block.local.get_mut(thread, place, size) else { continue };
                    let stored = file.lane(access.rows[element], access.wide, lane);
                    bytes.copy_from_slice(&stored.to_le_bytes()[..size]);
                    if !self.setup.uninitialised_local && self.probe.stores_undefined(local) {
                        self.block.local.forget(thread, place, size);
                    }
                } else {
                    let unwritten = self.block.local.is_unwritten(thread, place, size);
                    if unwritten && !self.setup.uninitialised_local {
                        self.probe.loads_unwritten(local);
                    } else if unwritten {
                        let what =
                            format!("reads {size} bytes at byte {place} of its local memory, which it has not written");
                        return Err(self.fault(FaultKind::Uninitialised, at, warp, lane as u32, &what));
                    }
                    let Some(bytes) = self.block.local.get(thread, place, size) else { continue };
                    value[..size].copy_from_slice(bytes);
                    let value = sign(u64::from_le_bytes(value), access.size, access.signed);
                    put(file, access, element, lane, value);
                }
            }
        }
        Ok(())
    }

    /// Runs an access to several buffers or spaces in parts, one per buffer or space. Reports a fault if a lane's
    /// access is invalid.
    ///
    /// # Safety
    /// As for [`Self::access`].
    #[cold]
    #[inline(never)]
    unsafe fn access_in_parts<const FAST: bool>(
        &mut self,
        at: usize,
        warp: usize,
        inst: &Inst,
        access: &Access,
        mask: u32,
        file: Registers,
    ) -> Result<(), Box<Fault>> {
        let address = addresses(file, access.base, access.base_wide);
        let mut mask = mask;
        if matches!(access.reach, StateSpace::Cluster | StateSpace::Generic) {
            // SAFETY: the caller guarantees the contract.
            mask = unsafe { self.remote_access(at, warp, inst, access, &address, mask, file)? };
            if access.reach == StateSpace::Cluster && mask != 0 {
                let own = Access { reach: StateSpace::Shared, ..access.clone() };
                // SAFETY: the caller guarantees the contract.
                return unsafe { self.access_in_parts::<FAST>(at, warp, inst, &own, mask, file) };
            }
        }
        let key = |address: u64| {
            let address = address.wrapping_add(access.offset as u64);
            match access.reach {
                StateSpace::Generic if address.wrapping_sub(SHARED_WINDOW) < WINDOW => u64::MAX,
                StateSpace::Generic if address.wrapping_sub(LOCAL_WINDOW) < WINDOW => u64::MAX - 1,
                _ => address >> SLOT_BITS,
            }
        };
        let mut rest = mask;
        while rest != 0 {
            let first = rest.trailing_zeros() as usize;
            let mut part = lanes_where(rest, |lane| key(address[lane as usize]) == key(address[first]));
            let mut pattern = AddressPattern::default();
            pattern.rescan(&address, part, self.near_bytes);
            if matches!(self.find(&pattern, access), Where::Unclear) {
                part = 1 << first;
                pattern = AddressPattern::default();
                pattern.rescan(&address, part, self.near_bytes);
            }
            match self.find(&pattern, access) {
                Where::Unclear => return Err(self.wrong(at, warp, first as u32, access, address[first])),
                // SAFETY: the caller guarantees the contract, and `find` has just returned this place for this pattern.
                place => unsafe { self.at::<FAST>(at, warp, inst, access, &mut pattern, place, part, file)? },
            }
            rest &= !part;
        }
        Ok(())
    }
}
