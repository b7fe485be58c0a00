//! Prints undefined behaviour that is not a race.

use super::hazards::{at_line, index, settle_header};
use crate::output;
use ptx_emulator::{Undefined, UndefinedSeverity};
use std::path::Path;
use tutor_support::t;

/// Describes undefined behaviour in a sentence or two, with its place, its thread and its clause.
pub(crate) fn describe(found: &Undefined) -> String {
    let severity = match found.severity {
        UndefinedSeverity::Error => t!("emulate-undefined-error"),
        UndefinedSeverity::Warning => t!("emulate-undefined-warning"),
        UndefinedSeverity::Note => t!("emulate-undefined-note"),
    };
    let line = found.place.known_line();
    let (message, clause, times) = (found.message.as_str(), found.clause.as_str(), found.occurrences);
    let thread = found
        .thread
        .zip(found.block)
        .map(|(thread, block)| t!("emulate-undefined-thread", thread = index(thread), block = index(block)));
    let thread = thread.unwrap_or_default();
    t!("emulate-undefined", rule = found.rule.name(), severity, line, message, thread, times, clause)
}

pub(crate) fn print(all: &[Undefined]) -> std::io::Result<()> {
    all.iter().map(describe).try_for_each(output::paragraph)
}

/// Adds what a launch found to what earlier ones did, each place once.
pub(crate) fn merge(all: &mut Vec<Undefined>, new: Vec<Undefined>) {
    for found in new {
        let place = |of: &Undefined| (of.rule, at_line(&of.place));
        let same = |known: &&mut Undefined| place(known) == place(&found);
        match all.iter_mut().find(same) {
            Some(known) => known.occurrences += found.occurrences,
            None => all.push(found),
        }
    }
}

/// Returns what a launch found, each source line once, with the headers settled. A note about one of CUDA's own headers is left out.
pub(crate) fn settled(all: Vec<Undefined>, near: &[&Path]) -> Vec<Undefined> {
    let note = |found: &Undefined| found.severity == UndefinedSeverity::Note;
    let mut lines = Vec::new();
    let own = all.into_iter().filter_map(|mut found| {
        let kept = !settle_header(&mut found.place, near) || !note(&found);
        kept.then_some(found)
    });
    merge(&mut lines, own.collect());
    lines
}
