//! The cost of the same kind of access in the real kernel, counted by the emulator for each source line.

use crate::effect::{message, request};
use crate::prelude::*;
use ptx_emulator::Counts;
use tutor_course::AccessDirection;
use tutor_exec::protocol::{LaunchRequest, Program, Reply, Target};
use tutor_exec::results::LaunchResults;

/// Square size that is counted: large enough for full tiles, small enough to be quick.
pub(crate) const SIZE: u32 = 128;

/// A launch of the real kernel that counts its accesses.
#[derive(Debug)]
pub(crate) struct Real {
    pub(crate) kernel: String,
    results: LaunchResults,
    direction: AccessDirection,
}

#[derive(Debug)]
pub(crate) enum CountState {
    Waiting(f64),
    Counted(Vec<LineCost>),
    Failed(String),
}

/// The counts of one source line's instructions with the same name and width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineCost {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) op: String,
    pub(crate) bytes: u32,
    pub(crate) requests: u64,
    pub(crate) wavefronts: u64,
    pub(crate) ideal: u64,
}

impl Real {
    /// Returns the launch and the effect that requests it.
    pub(crate) fn launch(kernel: &str, direction: AccessDirection) -> (Self, Effect) {
        let programs = vec![Program::new(kernel)];
        let request = LaunchRequest { on: Target::Emulator, counts: true, ..request(programs, SIZE, 1) };
        let results = LaunchResults::of(&request);
        (Self { kernel: kernel.to_owned(), results, direction }, Effect::Launch(Box::new(request)))
    }

    /// Takes a reply; true if it belongs to this launch.
    pub(crate) fn reply(&mut self, reply: &Reply) -> bool {
        self.results.apply(reply)
    }

    pub(crate) fn state(&self) -> CountState {
        match (self.results.programs.first().and_then(|found| found.counts.as_ref()), self.results.error()) {
            (Some(counts), _) => CountState::Counted(rows(counts, self.direction)),
            (None, Some(error)) => CountState::Failed(message(error)),
            (None, None) if self.results.is_running() => CountState::Waiting(self.results.fraction()),
            (None, None) => CountState::Failed(t!("banks-real-stopped")),
        }
    }
}

fn rows(counts: &Counts, direction: AccessDirection) -> Vec<LineCost> {
    let op = match direction {
        AccessDirection::Load => "ld.shared",
        AccessDirection::Store => "st.shared",
    };
    let mut rows: Vec<LineCost> = Vec::new();
    for line in counts.lines.iter().filter(|line| line.op.starts_with(op)) {
        let file = line.place.file.rsplit('/').next().unwrap_or_default();
        let same = |row: &&mut LineCost| {
            row.line == line.place.line && row.file == file && row.op == line.op && row.bytes == line.bytes
        };
        if let Some(row) = rows.iter_mut().find(same) {
            row.requests += line.requests;
            row.wavefronts += line.wavefronts;
            row.ideal += line.wavefronts_ideal;
        } else {
            rows.push(LineCost {
                file: file.to_owned(),
                line: line.place.line,
                op: line.op.clone(),
                bytes: line.bytes,
                requests: line.requests,
                wavefronts: line.wavefronts,
                ideal: line.wavefronts_ideal,
            });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::super::checks::line_counts as line;
    use super::*;

    #[test]
    fn instructions_of_one_source_line_are_added_and_the_other_direction_left_out() {
        let (mut real, effect) = Real::launch("sgemm", AccessDirection::Load);
        let Effect::Launch(request) = effect else { panic!() };
        assert!(request.counts && !request.time);
        let mut counts = Counts::default();
        counts.lines = vec![line(47, "ld.shared", 8, 8), line(47, "ld.shared", 8, 16), line(38, "st.shared", 4, 8)];
        let counted = |id| Reply::Counted {
            id,
            program: 0,
            counts: counts.clone(),
            hazards: vec![],
            undefined: vec![],
            seconds: 0.0,
        };
        assert!(!real.reply(&counted(request.id + 1)));
        assert!(real.reply(&counted(request.id)));
        let CountState::Counted(rows) = real.state() else { panic!() };
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].file.as_str(), rows[0].requests, rows[0].wavefronts), ("sgemm_tiled.cu", 16, 24));
    }
}
