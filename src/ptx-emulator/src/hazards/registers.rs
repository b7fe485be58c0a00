//! Registers of asynchronous products that are used too early. [`crate::lower`] finds these pairs in the PTX.

use crate::counts::Counter;
use crate::program::{Program, Site};
use crate::report::{AccessKind, Hazard, HazardAccess, HazardKind, HazardSeverity, HazardSpace};

/// Returns the hazards whose two locations have been executed. The thread is always the first one, because every warp
/// has the hazard.
pub(crate) fn early(program: &Program, counter: &Counter) -> Vec<Hazard> {
    let side = |(place, _): Site, access| {
        let place = program.place(place);
        let place = place.unwrap_or_default();
        HazardAccess { thread: [0; 3], block: [0; 3], access, place, launch: None }
    };
    let executed = |(_, block): Site| counter.executed(block);
    let all = program.early.iter().filter(|(first, second, _)| executed(*first) != 0 && executed(*second) != 0);
    let mut found: Vec<Hazard> = Vec::new();
    for (first, second, kind) in all {
        let (writes, reads) = (AccessKind::Write, AccessKind::Read);
        let [first_access, second_access] = match kind {
            HazardKind::Raw => [writes, reads],
            HazardKind::War => [reads, writes],
            HazardKind::Waw => [writes, writes],
        };
        let hazard = Hazard {
            kind: *kind,
            space: HazardSpace::Registers,
            severity: HazardSeverity::Warning,
            buffer: None,
            block: [0; 3],
            address: 0,
            bytes: 4,
            first: side(*first, first_access),
            second: side(*second, second_access),
            occurrences: executed(*second),
        };
        // A product has many registers, and a source line may use several.
        let same = |known: &&mut Hazard| {
            let lines = |h: &Hazard| (h.kind, h.first.place.line, h.second.place.line);
            hazard.first.place.line != 0 && lines(known) == lines(&hazard)
        };
        if found.iter_mut().find(same).is_none() {
            found.push(hazard);
        }
    }
    found
}
