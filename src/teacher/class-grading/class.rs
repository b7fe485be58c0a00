//! Judges the submissions of a class, several at the same time.

use crate::files::read_handed_in;
use crate::record::{Outcome, Record};
use crate::similar::without_comments;
use crate::submissions::{MAX_SUBMISSION_BYTES, starter};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;
use tutor_exec::estimate::Estimated;
use tutor_exercises::{Exercise, Judgement, Work, file, reads_clock};
use tutor_support::{t, words};

/// Judges texts, each in a separate process with limits on time and memory.
pub trait Judge: Sync {
    /// Judges a text that the student called `path`. `None` if a signal stopped it.
    fn judge(&self, path: &Path, text: &str) -> Option<Judged>;

    /// Estimates the time of a kernel that passed, if the user asked for it. This happens after the judgement, so that it
    /// cannot change a result.
    fn estimate(&self, judgement: &Judgement, ptx: &str) -> Option<Estimated>;
}

/// What [`Judge::judge`] returns.
pub struct Judged {
    pub outcome: Outcome,
    /// Peak memory of the process in bytes; 0 if the system does not report it.
    pub bytes: u64,
    /// The judged PTX; empty if there is none.
    pub ptx: String,
}

/// The judgement of a class.
pub struct Class<'a> {
    exercise: &'a Exercise,
    judge: &'a dyn Judge,
    /// Set by a signal.
    interrupted: &'a AtomicBool,
    /// True if the solution can be judged here within the limits. Unset until a submission fails for a reason that may
    /// not be its fault.
    solution: OnceLock<bool>,
}

impl<'a> Class<'a> {
    pub fn new(exercise: &'a Exercise, judge: &'a dyn Judge, interrupted: &'a AtomicBool) -> Self {
        Self { exercise, judge, interrupted, solution: OnceLock::new() }
    }

    /// Judges submissions, `jobs` at the same time. Passes each record with its number to `done` as soon as it exists.
    /// Returns true if a signal left out some of them.
    ///
    /// # Errors
    /// The error of `done`.
    pub fn grade(
        &self,
        files: &[(usize, &Path)],
        jobs: u32,
        done: impl FnMut(usize, Record) -> io::Result<()> + Send,
    ) -> io::Result<bool> {
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (language, done) = (words::current(), Mutex::new((done, Ok(()))));
        let ends = || stopped.load(Ordering::Relaxed) || self.interrupted.load(Ordering::Relaxed);
        let work = || {
            while !ends() {
                let Some((at, path)) = files.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                let Some(record) = self.submission(path) else { break };
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                if let Err(error) = (done.0)(*at, record) {
                    stopped.store(true, Ordering::Relaxed);
                    done.1 = Err(error);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| words::speaking(language, work));
            }
        });
        let (_, outcome) = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcome.map(|()| self.interrupted.load(Ordering::Relaxed))
    }

    /// Judges one submission. `None` if a signal stopped it.
    fn submission(&self, path: &Path) -> Option<Record> {
        let began = Instant::now();
        let record = |outcome: &Outcome, bytes| Record {
            seconds: began.elapsed().as_secs_f64(),
            bytes,
            ..Record::new(path.display().to_string(), outcome)
        };
        let text = match read_handed_in(path, MAX_SUBMISSION_BYTES) {
            Ok(text) => text,
            Err(message) => return Some(record(&Outcome::Refused(message), 0)),
        };
        if untouched(self.exercise, &text) {
            return Some(record(&Outcome::Untouched, 0));
        }
        let mut judged = self.judge.judge(path, &text)?;
        if matches!(judged.outcome, Outcome::Crash { .. }) {
            // The system may have ended the process, so it gets a second try.
            judged = self.judge.judge(path, &text)?;
        }
        let blamed = matches!(judged.outcome, Outcome::Crash { .. } | Outcome::Time | Outcome::Memory);
        if blamed && !self.judges_solution()? {
            judged.outcome = Outcome::Unjudged(match judged.outcome {
                Outcome::Crash { why, .. } => why,
                _ => t!("grade-not-even"),
            });
        }
        let mut record = record(&judged.outcome, judged.bytes);
        record.remark = reads_clock(&judged.ptx).then(|| t!("grade-clock"));
        if let Outcome::Judged(judgement) = &judged.outcome {
            record.estimated = self.judge.estimate(judgement, &judged.ptx);
        }
        Some(record)
    }

    /// True if the solution can be judged here within the limits. Then a submission that ends the process or takes too
    /// long is at fault. A submission of choices runs no code of the student, so it is always at fault.
    fn judges_solution(&self) -> Option<bool> {
        if let Some(known) = self.solution.get() {
            return Some(*known);
        }
        let judged = match &self.exercise.work {
            Work::Write(write) => {
                let judged = self.judge.judge(Path::new(&file(self.exercise)), &write.solution)?;
                matches!(judged.outcome, Outcome::Judged(judgement) if judgement.passed())
            }
            _ => true,
        };
        Some(*self.solution.get_or_init(|| judged))
    }
}

/// True if a submission has no code that is not in the starter code.
fn untouched(exercise: &Exercise, text: &str) -> bool {
    let bare = |text: &str| -> String { without_comments(text).chars().filter(|c| !c.is_whitespace()).collect() };
    matches!(exercise.work, Work::Write(_)) && [String::new(), bare(starter(exercise))].contains(&bare(text))
}
