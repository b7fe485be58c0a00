//! Calls and returns: see [`crate::program::calls`].

use super::frames::Frame;
use super::lanes::{self, lanes_where};
use super::split::Split;
use super::state::Machine;
use crate::arith::Registers;
use crate::probes::Probe;
use crate::program::calls::{Call, Stack};
use crate::program::{Inst, Op, Slot};
use crate::text::plain_name;
use crate::{Fault, FaultKind};

fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    lanes::lanes_of(mask).map(|lane| lane as usize)
}

/// Saves the lanes' values of a row.
fn keep(file: Registers, row: Slot, wide: bool, lanes: u32, words: &mut Vec<u32>) {
    for lane in lanes_of(lanes) {
        let value = file.lane(row, wide, lane);
        words.extend(wide.then_some((value >> 32) as u32));
        words.push(value as u32);
    }
}

/// Restores for `lanes` the values that [`keep`] has saved for the lanes `kept`.
fn put_back(file: Registers, row: Slot, wide: bool, kept: u32, lanes: u32, words: &[u32]) {
    let each = if wide { words.chunks_exact(2) } else { words.chunks_exact(1) };
    for (words, lane) in each.zip(lanes_of(kept)).filter(|(_, lane)| lanes >> lane & 1 == 1) {
        file.set_lane(row, wide, lane, words.iter().fold(0, |value, word| value << 32 | u64::from(*word)));
    }
}

impl<P: Probe> Machine<'_, P> {
    /// Resets the stack of a warp: no lane is in a call.
    pub(crate) fn start_stack(&mut self, w: usize, stack: Stack) {
        // SAFETY: the registers are not used after this function.
        let file = unsafe { self.file(w) };
        self.block.warps[w].frames.clear();
        let end = self.setup.program.local_bytes;
        file.set_wide_lanes(stack.frame, [0; 32]);
        file.set_wide_lanes(stack.top, [end; 32]);
    }

    /// Runs [`crate::program::Op::Call`]: the lanes continue in the functions that they call and reconverge after the
    /// call.
    pub(super) fn call(&mut self, w: usize, inst: &Inst, split: Split, file: Registers) -> Result<(), Box<Fault>> {
        let at = split.at;
        let program = self.setup.program;
        let index = inst.x as usize;
        let (Some(call), Some(stack)) = (program.calls.get(index), program.stack) else { return Ok(()) };
        let join = self.block.warps[w].splits.call(call.back as usize, split.mask, split.join);
        let mut rest = split.mask;
        while rest != 0 {
            let (callee, group) = match call.callee {
                Some(callee) => (callee, rest),
                None => {
                    let pointer = |lane: usize| file.lane(inst.operands.a, true, lane);
                    let first = rest.trailing_zeros() as usize & 31;
                    let address = pointer(first);
                    let found = call.among.iter().find(|f| program.functions[**f as usize].address == address);
                    let Some(callee) = found else { return Err(self.no_function(at, w, first as u32, address)) };
                    (*callee, lanes_where(rest, |lane| pointer(lane as usize) == address))
                }
            };
            self.enter(at, w, (index, callee as usize), group, (stack, file))?;
            let entry = program.functions[callee as usize].entry as usize;
            self.block.warps[w].splits.ready.push(Split { at: entry, mask: group, join });
            rest &= !group;
        }
        Ok(())
    }

    /// Saves the rows that the caller needs again, and gives the lanes a frame with the arguments in it.
    fn enter(
        &mut self,
        at: usize,
        w: usize,
        (index, callee): (usize, usize),
        lanes: u32,
        (stack, file): (Stack, Registers),
    ) -> Result<(), Box<Fault>> {
        let program = self.setup.program;
        let (call, function) = (&program.calls[index], &program.functions[callee]);
        let (slot, mut frame) = self.block.warps[w].frames.take();
        (frame.call, frame.callee, frame.lanes, frame.left) = (index, callee, lanes, lanes);
        frame.words.push(call.predicates.len() as u32);
        frame.words.extend(call.predicates.iter().map(|predicate| file.predicate(*predicate)));
        let mut highest = 0;
        for lane in lanes_of(lanes) {
            let (old_frame, old_top) = (file.lane(stack.frame, true, lane), file.lane(stack.top, true, lane));
            frame.words.extend([self.block.warps[w].frames.top[lane], old_frame as u32, old_top as u32]);
            let start = (old_top + call.kept_bytes()).next_multiple_of(stack.align);
            let top = start + function.frame;
            if top > self.setup.stack_end {
                self.block.warps[w].frames.spare.push(slot as u32);
                return Err(self.overflow(
                    at,
                    w,
                    lane,
                    &format!("calls `{}`", plain_name(&function.name)),
                    top - old_top,
                ));
            }
            highest = top.max(highest);
            file.set_lane(stack.frame, true, lane, start);
            file.set_lane(stack.top, true, lane, top);
        }
        self.grow_local(highest);
        for row in &call.rows {
            keep(file, *row, false, lanes, &mut frame.words);
        }
        for row in &call.wide {
            keep(file, *row, true, lanes, &mut frame.words);
        }
        let before = frame.words[1 + call.predicates.len()..].chunks_exact(3);
        for (lane, before) in lanes_of(lanes).zip(before) {
            let (caller, own) = (u64::from(before[1]), file.lane(stack.frame, true, lane));
            for (from, to) in call.arguments.iter().zip(&function.params) {
                self.block.local.copy(32 * w + lane, caller + from.at, own + to.at, from.bytes.min(to.bytes) as usize);
            }
        }
        let warp = &mut self.block.warps[w];
        lanes_of(lanes).for_each(|lane| warp.frames.top[lane] = slot as u32);
        warp.frames.frames[slot] = frame;
        if let Some(pattern) = stack.pattern {
            warp.patterns[pattern as usize].valid = false;
        }
        Ok(())
    }

    /// Runs [`crate::program::Op::Return`].
    pub(super) fn give_back(&mut self, w: usize, split: Split, file: Registers) {
        let program = self.setup.program;
        let Some(stack) = program.stack else { return };
        let mut rest = split.mask;
        while rest != 0 {
            let top = self.block.warps[w].frames.top;
            let slot = top[rest.trailing_zeros() as usize & 31];
            let group = lanes_where(rest, |lane| top[lane as usize] == slot);
            rest &= !group;
            let Some(frame) = self.block.warps[w].frames.frames.get_mut(slot as usize) else { continue };
            let mut frame = std::mem::take(frame);
            let call = &program.calls[frame.call];
            self.leave(w, &frame, call, group, (stack, file));
            frame.left &= !group;
            let warp = &mut self.block.warps[w];
            if frame.left & warp.live == 0 {
                warp.frames.spare.push(slot);
            }
            warp.frames.frames[slot as usize] = frame;
            warp.splits.back(call.back as usize, group, split.join);
        }
    }

    /// Copies the results of lanes to their caller and restores the caller's saved rows.
    fn leave(&mut self, w: usize, frame: &Frame, call: &Call, lanes: u32, (stack, file): (Stack, Registers)) {
        let function = &self.setup.program.functions[frame.callee];
        let (predicates, words) = frame.words[1..].split_at(call.predicates.len());
        let (before, mut words) = words.split_at(3 * frame.lanes.count_ones() as usize);
        for (before, lane) in before.chunks_exact(3).zip(lanes_of(frame.lanes)) {
            if lanes >> lane & 1 == 0 {
                continue;
            }
            let (own, caller) = (file.lane(stack.frame, true, lane), u64::from(before[1]));
            for (from, to) in function.returns.iter().zip(&call.results) {
                self.block.local.copy(32 * w + lane, own + from.at, caller + to.at, from.bytes.min(to.bytes) as usize);
            }
            self.block.warps[w].frames.top[lane] = before[0];
            file.set_lane(stack.frame, true, lane, caller);
            file.set_lane(stack.top, true, lane, before[2].into());
        }
        for (predicate, kept) in call.predicates.iter().zip(predicates) {
            file.set_predicate(*predicate, lanes, *kept);
        }
        let rows = call.rows.iter().map(|row| (*row, false)).chain(call.wide.iter().map(|row| (*row, true)));
        for (row, wide) in rows {
            put_back(file, row, wide, frame.lanes, lanes, words);
            words = &words[(1 + usize::from(wide)) * frame.lanes.count_ones() as usize..];
        }
        let patterns = &mut self.block.warps[w].patterns;
        for pattern in call.patterns.iter().chain(&stack.pattern) {
            patterns[*pattern as usize].valid = false;
        }
    }

    /// Runs `alloca` and the instructions that need a service of the environment.
    #[cold]
    #[inline(never)]
    pub(super) fn serve(
        &mut self,
        at: usize,
        w: usize,
        inst: &Inst,
        active: u32,
        file: Registers,
    ) -> Result<(), Box<Fault>> {
        match inst.op {
            Op::Allocate => self.allocate(at, w, inst, active, file),
            _ => self.service(at, w, inst, active, file),
        }
    }

    /// Runs [`crate::program::Op::Allocate`].
    fn allocate(&mut self, at: usize, w: usize, inst: &Inst, active: u32, file: Registers) -> Result<(), Box<Fault>> {
        let Some(stack) = self.setup.program.stack else { return Ok(()) };
        for lane in lanes_of(active) {
            let (size, top) = (file.lane(inst.operands.a, true, lane), file.lane(stack.top, true, lane));
            let start = top.next_multiple_of(inst.imm);
            let end = start.saturating_add(size);
            if end > self.setup.stack_end {
                return Err(self.overflow(at, w, lane, "executes `alloca`", end - top));
            }
            self.grow_local(end);
            file.set_lane(inst.operands.d, true, lane, start);
            file.set_lane(stack.top, true, lane, end);
        }
        Ok(())
    }

    /// Grows local memory so that a stack can end at `end`.
    fn grow_local(&mut self, end: u64) {
        if end > self.block.local.each() {
            let each = end.max(2 * self.block.local.each()).min(self.setup.stack_end);
            self.block.local.grow(each, self.setup.threads);
        }
    }

    #[cold]
    fn overflow(&self, at: usize, w: usize, lane: usize, doing: &str, bytes: u64) -> Box<Fault> {
        let depth = self.block.warps[w].frames.depth(lane);
        let limit = self.setup.stack_end.saturating_sub(self.setup.program.local_bytes);
        let what = format!(
            "{doing}, {depth} calls deep, which takes {bytes} bytes; its stack of {limit} has no more: a stack overflow. \
            Look for a recursion that does not end; if it does, ask for a larger stack (here `--stack`, \
            `Options::stack_bytes`; on a GPU `cudaDeviceSetLimit(cudaLimitStackSize, …)`)"
        );
        self.fault(FaultKind::StackOverflow, at, w, lane as u32, &what)
    }

    #[cold]
    fn no_function(&self, at: usize, w: usize, lane: u32, address: u64) -> Box<Fault> {
        let program = self.setup.program;
        let index = address.wrapping_sub(crate::arch::FUNCTION_WINDOW) / 16;
        let what = match usize::try_from(index).ok().and_then(|index| program.function_names.get(index)) {
            Some(name) if address.is_multiple_of(16) => {
                let name = plain_name(name);
                format!(
                    "calls `{name}` through a pointer: it has no body in this text, or other parameters than the call"
                )
            }
            _ if address == 0 => "calls a function through a null pointer".to_owned(),
            _ => format!("calls a function through an invalid pointer, {address:#x}"),
        };
        self.fault(FaultKind::OutOfBounds, at, w, lane, &what)
    }
}
