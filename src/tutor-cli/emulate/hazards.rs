//! Prints hazards.

use crate::output;
use ptx_emulator::{
    AccessKind, Hazard, HazardAccess, HazardSeverity, HazardSpace, NoWitness, SourceLocation, Way, Witness,
};
use serde::Serialize;
use std::path::{Component, Path, PathBuf};
use tutor_exec::fault::hazard_letters;
use tutor_support::t;

/// Two possible results of a hazard, or why there are none.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(crate) enum Shown {
    Witness {
        #[serde(flatten)]
        witness: Witness,
        /// The line of the witness's thread.
        line: u32,
        /// The buffer, for global memory.
        #[serde(skip_serializing_if = "Option::is_none")]
        buffer: Option<String>,
        /// True if the value is not at the bytes that the hazard names.
        #[serde(skip)]
        elsewhere: bool,
    },
    Without {
        why: String,
    },
}

impl Shown {
    pub(crate) fn new(outcome: Result<Witness, NoWitness>, hazard: &Hazard) -> Self {
        match outcome {
            Ok(witness) => Self::Witness {
                line: witness.place.known_line(),
                buffer: hazard.buffer.clone(),
                elsewhere: witness.address >= hazard.address + u64::from(hazard.bytes)
                    || hazard.address >= witness.address + u64::from(witness.bytes),
                witness,
            },
            Err(why) => Self::Without { why: why.to_string() },
        }
    }

    /// Describes it in a sentence.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Witness { witness, line, elsewhere, .. } => {
                let (way, thread) = (describe_way(&witness.way), index(witness.thread));
                let (wrong, right) = (format!("{:#x}", witness.wrong), format!("{:#x}", witness.right));
                let shown = if witness.stays {
                    t!("emulate-stays", way, wrong, right, thread, line = *line)
                } else {
                    t!("emulate-reads", way, wrong, right, thread, line = *line)
                };
                if *elsewhere { t!("emulate-elsewhere", shown, byte = witness.address.to_string()) } else { shown }
            }
            Self::Without { why } => t!("emulate-no-witness", why),
        }
    }
}

/// Returns a clause for use after "if".
fn describe_way(way: &Way) -> String {
    match way {
        Way::Warps { first, second } => t!("emulate-way-warps", first = *first, second = *second),
        Way::Lanes { first, second } => t!("emulate-way-lanes", first = index(*first), second = index(*second)),
        Way::Blocks { first, second } => t!("emulate-way-blocks", first = index(*first), second = index(*second)),
        Way::Copy { late: true } => t!("emulate-way-copy-late"),
        Way::Copy { late: false } => t!("emulate-way-copy-at-once"),
        Way::LateRead => t!("emulate-way-late-read"),
        Way::LateStore => t!("emulate-way-late-store"),
    }
}

/// Shows an index or an extent.
pub(crate) fn index([x, y, z]: [u32; 3]) -> String {
    format!("({x},{y},{z})")
}

/// Returns the severity in words.
fn severity(hazard: &Hazard) -> String {
    match hazard.severity {
        HazardSeverity::Error => t!("emulate-error"),
        HazardSeverity::Warning => t!("emulate-warning"),
        HazardSeverity::Volatile => t!("emulate-volatile"),
        HazardSeverity::Unfenced => t!("emulate-unfenced"),
        HazardSeverity::SameValue => t!("emulate-same-value"),
    }
}

/// Describes a hazard in a sentence.
pub(crate) fn describe(hazard: &Hazard) -> String {
    let launches = hazard.first.launch.as_ref().zip(hazard.second.launch.as_ref());
    let blocks = hazard.first.block != hazard.second.block || launches.is_some();
    let byte = hazard.address.to_string();
    let place = match (hazard.space, &hazard.buffer) {
        (HazardSpace::Global, Some(buffer)) if blocks => t!("emulate-in-buffer", byte, buffer),
        (HazardSpace::Global, None) if blocks => t!("emulate-in-global", byte),
        (HazardSpace::Global, buffer) => {
            let buffer = buffer.clone().unwrap_or_default();
            t!("emulate-in-block", byte, buffer, block = index(hazard.block))
        }
        (HazardSpace::Shared, _) => t!("emulate-in-shared", byte, block = index(hazard.block)),
        (HazardSpace::Registers, _) => t!("emulate-in-registers"),
    };
    let side = |side: &HazardAccess| {
        let said = describe_access(side, blocks);
        match &side.launch {
            Some(launch) => {
                t!("emulate-of-launch", access = said, number = launch.number, kernel = launch.kernel.as_str())
            }
            None => said,
        }
    };
    let said = t!(
        "emulate-hazard",
        kind = hazard_letters(hazard.kind),
        severity = severity(hazard),
        place,
        first = side(&hazard.first),
        second = side(&hazard.second),
        times = hazard.occurrences,
    );
    match launches {
        None => said,
        Some((first, second)) if second.number > first.number + 1 => {
            format!("{said}. {}", t!("emulate-overlap-chain", first = first.number, second = second.number))
        }
        Some(_) => format!("{said}. {}", t!("emulate-overlap")),
    }
}

/// Describes one access of a hazard. `blocks` is true if the two accesses are of different blocks.
pub(crate) fn describe_access(side: &HazardAccess, blocks: bool) -> String {
    let header = side.place.header.as_ref();
    let line = match header {
        Some(header) => {
            let file = Path::new(&header.file).file_name().unwrap_or_default().to_string_lossy();
            t!("emulate-header-line", line = header.line.to_string(), file)
        }
        None => side.place.known_line().to_string(),
    };
    let thread = match blocks {
        true => t!("emulate-thread-of-block", thread = index(side.thread), block = index(side.block)),
        false => t!("emulate-thread", thread = index(side.thread)),
    };
    let said = match side.access == AccessKind::Write {
        true => t!("emulate-write", line, thread),
        false => t!("emulate-read", line, thread),
    };
    match side.place.called_at.or(header.map(|_| side.place.line)) {
        Some(call) => t!("emulate-called", access = said, line = call),
        None => said,
    }
}

/// Settles the headers in a hazard's places.
pub(crate) fn settle_headers(hazard: &mut Hazard, near: &[&Path]) {
    for side in [&mut hazard.first, &mut hazard.second] {
        settle_header(&mut side.place, near);
    }
}

/// Gives the header in a place the path under which it is found on this machine, in the folders `near` or where the PTX says.
/// Returns true for CUDA's own headers. The place is then that of the call.
pub(crate) fn settle_header(place: &mut SourceLocation, near: &[&Path]) -> bool {
    let Some(header) = &mut place.header else { return false };
    let parts: Vec<Component<'_>> = Path::new(&header.file).components().collect();
    let known = Path::new(&header.file).canonicalize().ok();
    let is_it = |path: &PathBuf| path.is_file() && (known.is_none() || path.canonicalize().ok() == known);
    let ends = (1..parts.len()).map(|from| parts[from..].iter().collect::<PathBuf>());
    let found = ends.flat_map(|end| near.iter().map(move |root| root.join(&end))).find(is_it);
    let found = found.or_else(|| Some(PathBuf::from(&header.file)).filter(|path| path.is_file()));
    let named = |part: &Component<'_>| part.as_os_str().to_string_lossy().starts_with("cuda");
    let of_cuda = |folder: &Path| ["cuda_runtime.h", "cuda/std"].iter().any(|name| folder.join(name).exists());
    let own = match &found {
        Some(path) => path.ancestors().any(of_cuda),
        None => parts.iter().any(named),
    };
    if let Some(path) = found {
        header.file = path.to_string_lossy().into_owned();
    }
    if own {
        place.header = None;
    }
    own
}

/// Returns a place for comparisons. The instructions of one source line count as one place.
pub(crate) fn at_line(place: &SourceLocation) -> SourceLocation {
    let mut place = place.clone();
    place.ptx_line *= u32::from(place.line == 0);
    place
}

/// Prints each hazard with its witness, then the checks that were left out.
pub(crate) fn print(hazards: &[Hazard], witnesses: &[Shown], left_out: &[String]) -> std::io::Result<()> {
    for (number, hazard) in hazards.iter().enumerate() {
        output::paragraph(describe(hazard))?;
        if let Some(shown) = witnesses.get(number) {
            output::paragraph(format_args!("    {}", shown.describe()))?;
        }
    }
    left_out.iter().try_for_each(output::paragraph)
}
