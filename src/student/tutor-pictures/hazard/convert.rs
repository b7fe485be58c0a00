//! Turns the worker's report into stories: source lines become phases, and addresses become array elements.

use super::story::{Array, Executed, Lane, Operation, Regions, Story};
use ptx_emulator::{AccessKind, Event, EventKind};
use tutor_exec::protocol::WitnessReport;
use tutor_kernels::{HazardName, Kernel};

/// The three runs that the student can step through.
#[derive(Debug, Clone)]
pub(super) struct Stories {
    pub(super) wrong: Story,
    pub(super) right: Option<Story>,
    pub(super) correct: Option<Story>,
}

impl Stories {
    /// Returns None if the kernels lack the regions `tile load`, `multiply`, `first barrier` and `second barrier`, or
    /// if the report's word is never read wrongly.
    pub(super) fn new(report: &WitnessReport, kernel: &Kernel, correct: &Kernel) -> Option<Self> {
        let mut warps = vec![report.writer, report.reader];
        warps.sort_unstable();
        let story = |events: &[Event], kernel: &Kernel, removed| {
            let (executed, word) = (executed(events, kernel.block), (report.address, warps.as_slice()));
            Some(Story::new(&executed, &regions(kernel)?, &arrays(kernel), removed, word))
        };
        let removed = match kernel.hazard {
            Some(HazardName::Raw) => Some(1),
            Some(HazardName::War) => Some(2),
            _ => None,
        };
        Some(Self {
            wrong: story(&report.wrong, kernel, removed).filter(|story| story.fault().is_some())?,
            right: story(&report.right, kernel, removed),
            correct: story(&report.correct, correct, None),
        })
    }
}

/// Returns the phases that the source marks. If it marks none, as in a student's kernel, derives them from the PTX.
pub(super) fn regions(kernel: &Kernel) -> Option<Regions> {
    marked(kernel).or_else(|| compiled(kernel.ptx.as_deref()?))
}

/// Treats stores to shared memory as loads of tiles, and loads from it as the multiplication.
///
/// Returns None unless all lines with stores come before all lines with loads.
fn compiled(ptx: &str) -> Option<Regions> {
    let (mut line, mut loads, mut multiplies) = (0u32, Vec::new(), Vec::new());
    for text in ptx.lines().map(str::trim) {
        if let Some(place) = text.strip_prefix(".loc") {
            line = place.split_whitespace().nth(1)?.parse().ok()?;
        } else if text.contains("st.shared") {
            loads.push(line);
        } else if text.contains("ld.shared") {
            multiplies.push(line);
        }
    }
    let (load, multiply) =
        (*loads.iter().min()?..=*loads.iter().max()?, *multiplies.iter().min()?..=*multiplies.iter().max()?);
    (0 < *load.start() && load.end() < multiply.start()).then(|| Regions {
        first_barrier: load.end() + 1..=multiply.start() - 1,
        second_barrier: multiply.end() + 1..=u32::MAX,
        load,
        multiply,
    })
}

fn marked(kernel: &Kernel) -> Option<Regions> {
    let lines = |name: &str| kernel.source.region(name).map(|region| region.lines.clone());
    Some(Regions {
        load: lines("tile load")?,
        multiply: lines("multiply")?,
        first_barrier: lines("first barrier")?,
        second_barrier: lines("second barrier")?,
    })
}

/// Returns the shared arrays of the PTX, laid out one after the other.
fn arrays(kernel: &Kernel) -> Vec<Array> {
    let mut offset = 0u32;
    let mut all = Vec::new();
    for line in kernel.ptx.iter().flat_map(|ptx| ptx.lines()) {
        let Some(rest) = line.trim().strip_prefix(".shared .align ") else { continue };
        let mut words = rest.split_whitespace();
        let align = words.next().and_then(|word| word.parse::<u32>().ok()).unwrap_or(4).max(1);
        let Some((symbol, size)) = words.nth(1).and_then(|word| word.split_once('[')) else { continue };
        let Some(bytes) = size.split(']').next().and_then(|size| size.parse::<u32>().ok()) else { continue };
        offset = offset.next_multiple_of(align);
        let rows = kernel.block[1].max(1);
        all.push(Array { name: variable_name(symbol), offset, bytes, pitch: (bytes / 4 / rows).max(1) });
        offset = offset.saturating_add(bytes);
    }
    all
}

/// Returns the variable's name within a mangled name: `A_tile` for `_ZZ11sgemm_tiledE6A_tile`.
fn variable_name(symbol: &str) -> String {
    let inner = symbol.strip_prefix("_ZZ").and_then(|rest| rest.split_once('E')).map_or(symbol, |(_, name)| name);
    inner.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned()
}

fn executed(events: &[Event], [x, y, _]: [u32; 3]) -> Vec<Executed> {
    let (x, y) = (x.max(1), y.max(1));
    let mut all: Vec<Executed> = Vec::new();
    for event in events {
        let what = match &event.kind {
            EventKind::Release => Operation::Release,
            EventKind::Arrive => Operation::Arrive,
            EventKind::Shared { access, mask, address, value, .. } => {
                let lanes = (0..32usize).filter(|lane| mask >> lane & 1 == 1).map(|lane| {
                    let thread = event.warp * 32 + lane as u32;
                    Lane {
                        thread: [thread % x, thread / x % y, thread / x / y],
                        address: address[lane],
                        value: f32::from_bits(value[lane] as u32),
                    }
                });
                match access {
                    AccessKind::Read => Operation::Read(lanes.collect()),
                    AccessKind::Write => Operation::Write(lanes.collect()),
                }
            }
            _ => continue,
        };
        // One barrier releases several warps, but the story has one step for it.
        let again = what == Operation::Release && all.last().is_some_and(|last| last.what == Operation::Release);
        if !again {
            all.push(Executed { warp: event.warp, line: event.place.line, what });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_kernels::Catalog;

    #[test]
    fn the_arrays_of_the_tiled_kernel_are_found_in_its_ptx() {
        let kernel = Catalog::built_in().kernel("sgemm_tiled").unwrap();
        let array = |name: &str, offset| Array { name: name.into(), offset, bytes: 1024, pitch: 16 };
        assert_eq!(arrays(kernel), [array("A_tile", 0), array("B_tile", 1024)]);
        let padded = arrays(Catalog::built_in().kernel("sgemm_tiled_padded").unwrap());
        assert_eq!((padded[1].offset, padded[1].pitch), (1088, 17));
    }
}
