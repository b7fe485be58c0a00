//! A hazard shown to be one: two orders of its two warps, and the value that each makes a thread read.

use super::launch::{Kernel, Launch, Schedule};
use super::memory::Memory;
use super::report::{AccessKind, Dim3, Hazard, HazardKind, HazardSpace, Place};
use super::trace::{Event, Trace, Watch, What, trace};

/// A read that gets the right value in one order of the warps and a wrong one in another. Both values were read in
/// a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Witness {
    /// Byte offset in shared memory.
    pub address: u32,
    /// Bytes read.
    pub bytes: u32,
    /// The reading thread.
    pub thread: Dim3,
    /// Its warp.
    pub reader: u32,
    /// The warp that writes.
    pub writer: u32,
    /// Where it reads.
    pub place: Place,
    /// What it reads when the warps come in the order that the program means, as bits.
    pub right: u64,
    /// What it reads in the other order.
    pub wrong: u64,
    /// The run that gives the right value, and the index of the read in its events.
    pub right_trace: (Trace, usize),
    /// The run that gives the wrong value, and the index of the read in its events.
    pub wrong_trace: (Trace, usize),
}

/// Runs the hazard's block in two orders and finds the first read of the hazard's place that differs.
///
/// For RAW the right order lets the writing warp run first, for WAR the reading one. `None` if the hazard is not a
/// read and a write in shared memory, or if no value differs (equal data, or a read that changes nothing).
pub fn witness(kernel: &Kernel, launch: &Launch, memory: &Memory, hazard: &Hazard) -> Option<Witness> {
    if hazard.space != HazardSpace::Shared || hazard.kind == HazardKind::Waw {
        return None;
    }
    let read = [&hazard.first, &hazard.second].into_iter().find(|side| side.access == AccessKind::Read)?;
    let write = [&hazard.first, &hazard.second].into_iter().find(|side| side.access == AccessKind::Write)?;
    let [bx, by, _] = launch.block;
    let linear = |[x, y, z]: Dim3| x + bx * (y + by * z);
    let (reader, lane) = (linear(read.thread) / 32, linear(read.thread) % 32);
    let writer = linear(write.thread) / 32;
    let [gx, gy, _] = launch.grid.map(u64::from);
    let [x, y, z] = hazard.block.map(u64::from);
    let block = x + gx * (y + gy * z);
    let watch = Watch { warps: vec![reader, writer], limit: 20_000, ..Watch::default() };
    let run = |first: u32, second: u32| {
        trace(kernel, launch, memory, block, &Schedule::Priority(vec![first, second]), &watch).ok()
    };
    let writer_first = run(writer, reader)?;
    let reader_first = run(reader, writer)?;
    let (right, wrong) =
        if hazard.kind == HazardKind::Raw { (writer_first, reader_first) } else { (reader_first, writer_first) };
    // The same dynamic read in both runs: the same number among the reads of the lane at this source line. A lane
    // reads several words there, so the hazard's own address is preferred, and any other is taken after it.
    let reads = |trace: &Trace, only: Option<u64>| -> Vec<(usize, u32, u32, u64)> {
        let of = |event: &Event| match &event.what {
            What::Shared { access: AccessKind::Read, mask, address, bytes, value }
                if event.warp == reader
                    && mask >> lane & 1 == 1
                    && (event.place.line, &event.place.file) == (read.place.line, &read.place.file) =>
            {
                let at = address[lane as usize];
                let hit = only.is_none_or(|only| (u64::from(at)..u64::from(at + bytes)).contains(&only));
                hit.then(|| (at, *bytes, value[lane as usize]))
            }
            _ => None,
        };
        trace.events.iter().enumerate().filter_map(|(i, e)| of(e).map(|(a, b, v)| (i, a, b, v))).collect()
    };
    [Some(hazard.address), None].into_iter().find_map(|only| {
        let (good, bad) = (reads(&right, only), reads(&wrong, only));
        let both = good.iter().zip(&bad);
        let (good, bad) = both.into_iter().find(|(good, bad)| good.1 == bad.1 && good.3 != bad.3)?;
        Some(Witness {
            address: good.1,
            bytes: good.2,
            thread: read.thread,
            reader,
            writer,
            place: right.events[good.0].place.clone(),
            right: good.3,
            wrong: bad.3,
            right_trace: (right.clone(), good.0),
            wrong_trace: (wrong.clone(), bad.0),
        })
    })
}
