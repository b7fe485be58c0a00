//! `--keep`: stores results in a file, so that an interrupted call can be continued.

use super::Args;
use super::record::Record;
use crate::support::read_handed_in;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use tutor_course::CourseSource;
use tutor_exec::protocol::Target;
use tutor_exercises::{Exercise, packed};
use tutor_support::t;

/// Everything that determines a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Basis {
    program: String,
    /// Digest of the exercise.
    exercise: String,
    on: Target,
    seconds: u64,
    memory: u64,
    seed: u64,
    /// Digest of the submission.
    text: String,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    basis: Basis,
    record: Record,
}

/// The file of results: one JSON line per result.
pub(super) struct Keep {
    file: File,
    /// True if the last line may be incomplete, because the disk was full.
    torn: bool,
    kept: Vec<Kept>,
    /// The basis of this call, without seed and text.
    basis: Basis,
}

impl Keep {
    /// Opens or creates the file.
    ///
    /// # Errors
    /// A sentence for the user.
    pub(super) fn open(
        path: &Path,
        source: &CourseSource,
        exercise: &Exercise,
        args: &Args,
        on: Target,
    ) -> Result<Self, String> {
        let exercise = {
            let mut hash = Sha256::new();
            hash.update(format!("{exercise:?}"));
            hash.update(source.bytes(&packed(&exercise.id)).unwrap_or_default());
            hex(hash)
        };
        let program = env!("CARGO_PKG_VERSION").to_owned();
        let (seconds, memory) = (args.seconds, args.memory);
        let basis = Basis { program, exercise, on, seconds, memory, seed: 0, text: String::new() };
        let text =
            if path.exists() { tutor_support::text::read_within(path, MAX_RESULTS_BYTES)? } else { String::new() };
        // An incomplete line is ignored, so that submission is judged again.
        let kept = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let open = || {
            let mut file = OpenOptions::new().append(true).create(true).open(path)?;
            if !text.is_empty() && !text.ends_with('\n') {
                file.write_all(b"\n")?;
            }
            Ok(file)
        };
        let failed = |error: io::Error| t!("grade-keep", file = path.display().to_string(), why = error.to_string());
        Ok(Self { file: open().map_err(failed)?, torn: false, kept, basis })
    }

    /// Returns the seed of the latest result for this exercise.
    pub(super) fn seed(&self) -> Option<u64> {
        let mut kept = self.kept.iter().map(|kept| &kept.basis).rev();
        kept.find(|basis| basis.exercise == self.basis.exercise).map(|basis| basis.seed)
    }

    /// Returns the latest result for the current content of a file.
    pub(super) fn find(&self, file: &Path, seed: u64) -> Option<Record> {
        let (name, basis) = (file.display().to_string(), self.of(file, seed)?);
        let mut kept = self.kept.iter().rev();
        kept.find(|kept| kept.record.file == name && kept.basis == basis).map(|kept| kept.record.clone())
    }

    /// Stores the result of a file, unless the submission could not be judged.
    pub(super) fn add(&mut self, file: &Path, seed: u64, record: &Record) -> io::Result<()> {
        let Some(basis) = self.of(file, seed).filter(|_| !record.is_unjudged()) else { return Ok(()) };
        let mut line = if self.torn { vec![b'\n'] } else { Vec::new() };
        serde_json::to_writer(&mut line, &Kept { basis, record: record.clone() })?;
        line.push(b'\n');
        // Written in one call, so that an interruption leaves only complete lines.
        let written = self.file.write_all(&line);
        self.torn = written.is_err();
        written
    }

    fn of(&self, file: &Path, seed: u64) -> Option<Basis> {
        let mut hash = Sha256::new();
        hash.update(read_handed_in(file, super::MAX_SUBMISSION_BYTES).ok()?);
        Some(Basis { seed, text: hex(hash), ..self.basis.clone() })
    }
}

/// Maximum size of the file, in bytes.
const MAX_RESULTS_BYTES: u64 = 256 << 20;

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
