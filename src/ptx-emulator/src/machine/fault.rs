//! Run-time faults, with thread, block, line and buffer.

use super::setup::Setup;
use super::state::Machine;
use crate::memory::SLOT_BITS;
use crate::{Dim3, Fault, FaultKind, SourceLocation};

impl Setup<'_> {
    /// Returns the index of a thread in its block.
    pub(crate) fn thread(&self, warp: u32, lane: u32) -> Dim3 {
        let linear = warp * 32 + lane;
        let [x, y, _] = self.block;
        [linear % x, linear / x % y, linear / (x * y)]
    }
}

impl<P> Machine<'_, P> {
    /// Makes the fault of the instruction `at`. `what` continues the text "thread (x,y,z) of block (x,y,z) ".
    #[cold]
    pub(crate) fn fault(&self, kind: FaultKind, at: usize, warp: usize, lane: u32, what: &str) -> Box<Fault> {
        let thread = self.setup.thread(warp as u32, lane);
        let [x, y, z] = thread;
        let [bx, by, bz] = self.block.ctaid;
        let spot = self.spot_of(at);
        let (file, line) = match self.place(at) {
            Some(place) if place.line != 0 => (place.file, place.line),
            Some(place) => (String::new(), place.ptx_line),
            None => (String::new(), 0),
        };
        let message = format!("{spot}: thread ({x},{y},{z}) of block ({bx},{by},{bz}) {what}.");
        Box::new(Fault { line, file, thread: Some(thread), block: Some(self.block.ctaid), ..Fault::new(kind, message) })
    }

    fn place(&self, at: usize) -> Option<SourceLocation> {
        let program = self.setup.program;
        program.notes.get(at).and_then(|note| program.place(note.place))
    }

    /// Returns where the instruction `at` is, for messages.
    pub(crate) fn spot_of(&self, at: usize) -> String {
        match self.place(at) {
            Some(place) if place.line != 0 => {
                let name = place.file.rsplit('/').next().unwrap_or(&place.file);
                let called = place.called_at.map(|line| format!(", called at line {line}")).unwrap_or_default();
                format!("{name}:{}{called} (PTX line {})", place.line, place.ptx_line)
            }
            Some(place) => format!("PTX line {}", place.ptx_line),
            None => self.setup.program.name.clone(),
        }
    }

    /// Describes a global address relative to the nearest buffer.
    pub(crate) fn describe(&self, address: u64) -> String {
        let half = 1u64 << (SLOT_BITS - 1);
        let slot = address.wrapping_add(half) >> SLOT_BITS;
        match slot.checked_sub(1).and_then(|index| Some((self.setup.views.get(index as usize)?, index))) {
            Some((view, index)) => {
                let offset = address.wrapping_sub(slot << SLOT_BITS) as i64;
                let name = &self.setup.names[index as usize];
                format!("at byte {offset} of buffer `{name}`, which has {} bytes", view.len)
            }
            None => format!("at address {address:#x}, outside all buffers"),
        }
    }
}
