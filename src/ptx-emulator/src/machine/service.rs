//! Services of CUDA's device runtime: `printf`, failed assertions, `malloc` and `free`.

use super::print::render;
use super::state::Machine;
use crate::arch::{LOCAL_WINDOW, SHARED_WINDOW, WINDOW};
use crate::arith::Registers;
use crate::memory::SLOT_BITS;
use crate::memory::heap::{FREE, FRESH};
use crate::probes::Probe;
use crate::program::Inst;
use crate::program::calls::{Service, ServiceCall, Span};
use crate::{Fault, FaultKind};
use std::sync::atomic::Ordering::Relaxed;

/// Maximum length of a format and of a `%s` string, in bytes.
const MAX_STRING_BYTES: usize = 1 << 16;

/// A thread that calls a service.
#[derive(Clone, Copy)]
struct Caller<'c> {
    at: usize,
    w: usize,
    lane: usize,
    /// Start of the thread's frame.
    frame: u64,
    call: &'c ServiceCall,
}

impl Caller<'_> {
    /// Returns the thread's index in the block.
    fn thread(&self) -> usize {
        32 * self.w + self.lane
    }
}

impl<P: Probe> Machine<'_, P> {
    /// Returns the byte that a thread sees at a generic address.
    fn peek(&self, thread: usize, address: u64) -> Option<u8> {
        if address.wrapping_sub(SHARED_WINDOW) < WINDOW {
            let at = (address - SHARED_WINDOW).wrapping_sub(self.own_window());
            let unit = self.block.shared.get(at as usize / 16).filter(|_| at < self.setup.shared_bytes)?;
            return unit.to_le_bytes().get(at as usize % 16).copied();
        }
        if address.wrapping_sub(LOCAL_WINDOW) < WINDOW {
            return self.block.local.get(thread, address - LOCAL_WINDOW, 1).map(|byte| byte[0]);
        }
        let view = self.setup.views.get(((address >> SLOT_BITS) as usize).wrapping_sub(1))?;
        view.byte(address & ((1 << SLOT_BITS) - 1)).map(|byte| byte.load(Relaxed))
    }

    fn peek_word(&self, thread: usize, address: u64, bytes: u64) -> Option<u64> {
        (0..bytes)
            .try_fold(0, |word, at| Some(word | u64::from(self.peek(thread, address.wrapping_add(at))?) << (8 * at)))
    }

    /// Returns the string at an address, without its terminating zero.
    fn peek_string(&self, thread: usize, address: u64) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            match self.peek(thread, address.wrapping_add(bytes.len() as u64))? {
                0 => return Some(bytes),
                byte if bytes.len() < MAX_STRING_BYTES => bytes.push(byte),
                _ => return Some(bytes),
            }
        }
    }

    /// Runs [`crate::program::Op::Service`] for the active lanes, lowest first.
    pub(super) fn service(
        &mut self,
        at: usize,
        w: usize,
        inst: &Inst,
        active: u32,
        file: Registers,
    ) -> Result<(), Box<Fault>> {
        let program = self.setup.program;
        let Some(call) = program.services.get(inst.x as usize) else { return Ok(()) };
        // A call may take as long as a million instructions, so check the limits first.
        self.clock = 0;
        self.check(at, w)?;
        for lane in (0..32usize).filter(|lane| active & (1 << lane) != 0) {
            let frame = program.stack.map_or(0, |s| file.lane(s.frame, true, lane));
            let caller = Caller { at, w, lane, frame, call };
            let result = match call.service {
                Service::Print => u64::from(self.print(caller)?),
                Service::Assertion => return Err(self.assertion(caller)),
                Service::Allocate => self.heap_allocate(caller),
                Service::Free => {
                    self.heap_free(caller)?;
                    continue;
                }
            };
            if let Some(Span { at, bytes }) = call.result {
                let bytes = bytes.min(8) as usize;
                if let Some(to) = self.block.local.get_mut(caller.thread(), caller.frame + at, bytes) {
                    to.copy_from_slice(&result.to_le_bytes()[..bytes]);
                }
            }
        }
        Ok(())
    }

    fn argument(&self, caller: Caller<'_>, index: usize) -> u64 {
        let span = caller.call.arguments.get(index);
        let bytes = span
            .and_then(|span| self.block.local.get(caller.thread(), caller.frame + span.at, span.bytes.min(8) as usize));
        bytes.into_iter().flatten().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
    }

    fn bad(&self, caller: Caller<'_>, kind: FaultKind, what: &str) -> Box<Fault> {
        self.fault(kind, caller.at, caller.w, caller.lane as u32, what)
    }

    fn print(&self, caller: Caller<'_>) -> Result<u32, Box<Fault>> {
        let thread = caller.thread();
        let bad = |what: &str| self.bad(caller, FaultKind::OutOfBounds, what);
        let Some(format) = self.peek_string(thread, self.argument(caller, 0)) else {
            return Err(bad("calls `printf` with a format outside all buffers"));
        };
        let mut next = self.argument(caller, 1);
        let mut missing = false;
        let mut value = |bytes: u64| {
            next = next.next_multiple_of(bytes);
            let word = self.peek_word(thread, next, bytes);
            missing |= word.is_none();
            next += bytes;
            word.unwrap_or(0)
        };
        let block = self.setup.linear(self.block.ctaid);
        let capacity = self.setup.printed.lock().map_or(0, |printed| printed.capacity(block));
        let (text, count) = render(&format, capacity, &mut value, &|address| self.peek_string(thread, address));
        if missing {
            return Err(bad("calls `printf` with fewer values than its format has conversions"));
        }
        if let Ok(mut printed) = self.setup.printed.lock() {
            printed.add(block, text);
        }
        Ok(count)
    }

    /// Returns the fault of a failed assertion. It contains CUDA's own message: file, line, function, block, thread and
    /// assertion.
    fn assertion(&self, caller: Caller<'_>) -> Box<Fault> {
        let thread = caller.thread();
        let string = |index: usize| {
            let bytes = self.peek_string(thread, self.argument(caller, index)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let (what, file, line, function) = (string(0), string(1), self.argument(caller, 2) as u32, string(3));
        let [x, y, z] = self.setup.thread(caller.w as u32, caller.lane as u32);
        let [bx, by, bz] = self.block.ctaid;
        let what = format!(
            "finds that an assertion does not hold: {file}:{line}: {function}: block: [{bx},{by},{bz}], thread: \
            [{x},{y},{z}] Assertion `{what}` failed"
        );
        self.bad(caller, FaultKind::Assertion, &what)
    }

    fn heap_allocate(&mut self, caller: Caller<'_>) -> u64 {
        let bytes = self.argument(caller, 0);
        let thread = self.setup.thread(caller.w as u32, caller.lane as u32);
        let spot = self.spot_of(caller.at);
        let Ok(mut heap) = self.setup.heap.lock() else { return 0 };
        let Some(heap) = heap.as_mut() else { return 0 };
        let Some(at) = heap.allocate(bytes, &spot, thread, self.block.ctaid) else { return 0 };
        self.mark(heap.buffer, at, bytes, FRESH);
        let start = ((heap.buffer as u64 + 1) << SLOT_BITS) + at;
        self.probe.allocated(start, bytes);
        start
    }

    fn heap_free(&mut self, caller: Caller<'_>) -> Result<(), Box<Fault>> {
        let address = self.argument(caller, 0);
        if address == 0 {
            return Ok(());
        }
        let thread = self.setup.thread(caller.w as u32, caller.lane as u32);
        let spot = self.spot_of(caller.at);
        let Ok(mut heap) = self.setup.heap.lock() else { return Ok(()) };
        let Some(heap) = heap.as_mut() else { return Ok(()) };
        let start = (heap.buffer as u64 + 1) << SLOT_BITS;
        if address >> SLOT_BITS != start >> SLOT_BITS {
            let what = format!("frees memory that is not from `malloc`, {}", self.describe(address));
            return Err(self.bad(caller, FaultKind::InvalidFree, &what));
        }
        match heap.free(address - start, &spot, thread, self.block.ctaid) {
            Ok(bytes) => self.mark(heap.buffer, address - start, bytes, FREE),
            Err(what) => return Err(self.bad(caller, FaultKind::InvalidFree, &what)),
        }
        Ok(())
    }

    /// Sets the flags of a range of heap bytes.
    fn mark(&self, buffer: usize, at: u64, bytes: u64, flag: u8) {
        let Some(view) = self.setup.views.get(buffer).filter(|view| at + bytes <= view.len) else { return };
        (at..at + bytes).filter_map(|byte| view.flag(byte)).for_each(|of_byte| of_byte.store(flag, Relaxed));
    }
}
