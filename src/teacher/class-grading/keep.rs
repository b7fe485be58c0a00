//! `--keep`: stores results in a file, so that an interrupted call can be continued.

use crate::files::read_handed_in;
use crate::record::Record;
use crate::submissions::MAX_SUBMISSION_BYTES;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use tutor_course::CourseSource;
use tutor_exec::protocol::Target;
use tutor_exercises::{Exercise, packed};
use tutor_support::{private, t};

/// Maximum size of the file, in bytes.
const MAX_RESULTS_BYTES: u64 = 256 << 20;

/// The options of a call that determine a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    pub on: Target,
    /// Maximum processor time per submission.
    pub seconds: u64,
    /// Maximum memory per submission, in MiB.
    pub memory: u64,
}

/// Everything that determines a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Basis {
    program: String,
    exercise: String,
    #[serde(flatten)]
    limits: Limits,
    seed: u64,
    text: String,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    basis: Basis,
    record: Record,
}

/// The file of results: one JSON line per result.
pub struct Keep {
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
    pub fn open(path: &Path, source: &CourseSource, exercise: &Exercise, limits: Limits) -> Result<Self, String> {
        let failed = |error: io::Error| t!("grade-keep", file = path.display().to_string(), why = error.to_string());
        let mut hash = Sha256::new();
        hash.update(format!("{exercise:?}"));
        hash.update(source.bytes(&packed(&exercise.id)).unwrap_or_default());
        let program = env!("CARGO_PKG_VERSION").to_owned();
        let basis = Basis { program, exercise: hex(hash), limits, seed: 0, text: String::new() };
        let text = if path.exists() {
            let too_long = || t!("file-too-long", file = path.display().to_string(), most = MAX_RESULTS_BYTES >> 20);
            private::read(path, MAX_RESULTS_BYTES).map_err(failed)?.ok_or_else(too_long)?
        } else {
            Vec::new()
        };
        // A line that is incomplete or damaged is ignored, so that its submission is judged again.
        let kept = text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
        let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
        if text.last().is_some_and(|last| *last != b'\n') {
            file.write_all(b"\n").map_err(failed)?;
        }
        Ok(Self { file, torn: false, kept, basis })
    }

    /// Returns the seed of the latest result for this exercise.
    pub fn seed(&self) -> Option<u64> {
        let mut kept = self.kept.iter().map(|kept| &kept.basis).rev();
        kept.find(|basis| basis.exercise == self.basis.exercise).map(|basis| basis.seed)
    }

    /// Returns the latest result for the current content of a file.
    pub fn find(&self, file: &Path, seed: u64) -> Option<Record> {
        let (name, basis) = (file.display().to_string(), self.of(file, seed)?);
        let mut kept = self.kept.iter().rev();
        kept.find(|kept| kept.record.file == name && kept.basis == basis).map(|kept| kept.record.clone())
    }

    /// Stores the result of a file, unless the submission could not be judged.
    pub fn add(&mut self, file: &Path, seed: u64, record: &Record) -> io::Result<()> {
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
        hash.update(read_handed_in(file, MAX_SUBMISSION_BYTES).ok()?);
        Some(Basis { seed, text: hex(hash), ..self.basis.clone() })
    }
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
