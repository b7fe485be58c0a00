//! What `emulate` says of hazards.

use crate::cli::output;
use crate::simt::{AccessKind, Hazard, HazardAccess, HazardKind, HazardSeverity, HazardSpace, NoWitness, Way, Witness};
use serde::Serialize;

/// A hazard's two ways and values, or why there are none.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(super) enum Shown {
    Witness {
        /// What goes another way than the program means.
        way: Way,
        /// The values are what stays at the address, else what is read there.
        stays: bool,
        /// The thread that reads, or whose value should stay, and where it does.
        thread: [u32; 3],
        block: [u32; 3],
        line: u32,
        address: u64,
        bytes: u32,
        reader: u32,
        writer: u32,
        /// The value as the program means it, and the other way, as bits.
        right: u64,
        wrong: u64,
    },
    Without {
        why: String,
    },
}

impl Shown {
    pub(super) fn new(outcome: Result<Witness, NoWitness>) -> Self {
        match outcome {
            Ok(witness) => Self::Witness {
                line: line(witness.place.line, witness.place.ptx_line),
                way: witness.way,
                stays: witness.stays,
                thread: witness.thread,
                block: witness.block,
                address: witness.address,
                bytes: witness.bytes,
                reader: witness.reader,
                writer: witness.writer,
                right: witness.right,
                wrong: witness.wrong,
            },
            Err(why) => Self::Without { why: why.to_string() },
        }
    }

    /// As a sentence.
    fn tell(&self) -> String {
        match self {
            Self::Witness { way, stays, thread, line, right, wrong, .. } => {
                let thread = index(*thread);
                if *stays {
                    format!(
                        "if {way}, {wrong:#x} stays instead of {right:#x}, which thread {thread} writes in line {line}"
                    )
                } else {
                    format!("if {way}, thread {thread} reads {wrong:#x} in line {line} instead of {right:#x}")
                }
            }
            Self::Without { why } => format!("not shown: {why}"),
        }
    }
}

/// Line in the source where it is known, else in the PTX.
fn line(source: u32, ptx: u32) -> u32 {
    if source == 0 { ptx } else { source }
}

fn index([x, y, z]: [u32; 3]) -> String {
    format!("({x},{y},{z})")
}

/// Each hazard as a sentence, and below it what became of trying it.
pub(super) fn tell(hazards: &[Hazard], witnesses: &[Shown]) -> std::io::Result<()> {
    for (number, hazard) in hazards.iter().enumerate() {
        let kind = match hazard.kind {
            HazardKind::Raw => "RAW",
            HazardKind::War => "WAR",
            HazardKind::Waw => "WAW",
        };
        let severity = match hazard.severity {
            HazardSeverity::Error => "error",
            HazardSeverity::Warning => "warning, within a warp",
        };
        let blocks = hazard.first.block != hazard.second.block;
        let place = match (hazard.space, &hazard.buffer) {
            (HazardSpace::Global, Some(buffer)) => format!("`{buffer}` (between blocks)"),
            (HazardSpace::Global, None) => "global memory (between blocks)".to_owned(),
            (HazardSpace::Shared, _) => format!("shared memory of block {}", index(hazard.block)),
            (HazardSpace::Registers, _) => "registers of a `wgmma`".to_owned(),
        };
        let at = match hazard.space {
            HazardSpace::Registers => "in".to_owned(),
            _ => format!("at byte {} of", hazard.address),
        };
        let side = |side: &HazardAccess| {
            let verb = if side.access == AccessKind::Write { "write" } else { "read" };
            let line = line(side.place.line, side.place.ptx_line);
            let of = if blocks { format!(" of block {}", index(side.block)) } else { String::new() };
            format!("{verb} in line {line} by thread {}{of}", index(side.thread))
        };
        output::line(format_args!(
            "{kind} hazard ({severity}) {at} {place}: {}, then {}; {} times",
            side(&hazard.first),
            side(&hazard.second),
            hazard.occurrences
        ))?;
        if let Some(shown) = witnesses.get(number) {
            output::line(format_args!("    {}", shown.tell()))?;
        }
    }
    Ok(())
}
