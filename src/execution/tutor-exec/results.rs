/*! The results of a launch, collected from the worker's replies.

[`LaunchResults::apply`] is the only place that reads the replies to a launch. Screens, commands, claims and the award of
stars read its fields. It also decides once which result counts as correct ([`ProgramResults::correctness`]).
*/

use crate::estimate::Estimated;
use crate::fault::{ExecError, ExecErrorKind};
use crate::protocol::{Conditions, Device, DeviceKind, LaunchRequest, Queued, Reply, Subject, Timing};
use gemm_reference::{Shape, Verification};
use ptx_emulator::{Counts, Hazard, Undefined};
use serde::Serialize;
use tutor_support::words::Sentence;

/// Maximum number of batches that are kept for each subject.
const MAX_SAMPLES: usize = 240;

/// How far a launch is.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum LaunchState {
    #[default]
    Running,
    /// All replies have arrived, or the launch was cancelled.
    Over { cancelled: bool },
    /// The launch failed as a whole.
    Failed(ExecError),
}

/// The batches of a subject, and its time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Timed {
    /// Milliseconds per launch in each of the last 240 batches, oldest first.
    pub samples: Vec<f64>,
    /// Median and interval so far.
    pub timing: Option<Timing>,
}

impl Timed {
    /// Returns the median in ms per launch.
    pub fn median_ms(&self) -> Option<f64> {
        self.timing.map(|timing| timing.median_ms)
    }
}

/// Whether a program's result is correct.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Correctness {
    /// Every element is correct, and no hazard was found.
    Right,
    /// At least one element is incorrect.
    Wrong,
    /// Every element is correct, but only by luck, because there is a hazard.
    Hazard,
    #[default]
    NotCompared,
}

/// The results of one program of a launch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProgramResults {
    pub timed: Timed,
    /// The kernel that runs instead of this one, and the reason, a clause.
    pub instead: Option<(String, Sentence)>,
    /// Why the device cannot run it.
    pub skipped: Option<ExecError>,
    /// The comparison of its result.
    pub verification: Option<Verification>,
    /// What the emulator counted.
    pub counts: Option<Counts>,
    /// The hazards that the emulator found; `None` if it has not looked for any.
    pub hazards: Option<Vec<Hazard>>,
    /// Other undefined behaviour that it found.
    pub undefined: Vec<Undefined>,
    /// Seconds that the emulator took.
    pub seconds: Option<f64>,
    /// The estimated time, or why there is none.
    pub estimated: Option<Result<Box<Estimated>, Sentence>>,
}

impl ProgramResults {
    /// Returns the hazards that were found.
    pub fn hazards(&self) -> &[Hazard] {
        self.hazards.as_deref().unwrap_or_default()
    }

    /// True if the emulator found no hazard and no other error of undefined behaviour.
    pub fn is_determined(&self) -> bool {
        self.hazards().is_empty() && !self.undefined.iter().any(Undefined::is_error)
    }

    /// Returns the number of incorrect elements. A result that is not verified has at least one.
    pub fn wrong_elements(&self) -> Option<u64> {
        self.verification.as_ref().map(|found| found.mismatches.max(u64::from(!found.verified)))
    }

    /// Decides whether the result is correct. A result that depends on the order of the warps is not.
    pub fn correctness(&self) -> Correctness {
        match self.wrong_elements() {
            None => Correctness::NotCompared,
            Some(0) if self.is_determined() => Correctness::Right,
            Some(0) => Correctness::Hazard,
            Some(_) => Correctness::Wrong,
        }
    }
}

/// A part of the output of the kernels' `printf`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// Index in the launch's programs; absent if the device does not report which program printed it.
    pub program: Option<usize>,
    /// The text as printed, including control characters.
    pub text: String,
    /// Number of bytes after the text that were dropped.
    pub cut: u64,
}

/// The results of a launch, as far as its replies have arrived.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LaunchResults {
    pub id: u64,
    pub shape: Shape,
    pub state: LaunchState,
    /// The device on which it runs, once known.
    pub device: Option<Device>,
    /// Why it does not run on CUDA, if `auto` did not choose it.
    pub why_not_cuda: Option<Sentence>,
    /// The current step, and its completed fraction from 0 to 1.
    pub progress: Option<(Sentence, f64)>,
    /// Seconds since the last reply, and the seconds after which the worker is stopped; only while it is silent.
    pub silent: Option<[f64; 2]>,
    /// Status of the queue in which the worker waits for its machine.
    pub queued: Option<Queued>,
    /// By index in the request's programs.
    pub programs: Vec<ProgramResults>,
    /// cuBLAS, the faster of its default choice and the best of its candidates.
    pub cublas: Timed,
    pub cublas_default: Timed,
    /// Clock and power of the GPU.
    pub conditions: Option<Conditions>,
    /// Remarks of the worker, each once.
    pub notes: Vec<Sentence>,
    pub printed: Vec<Printed>,
    /// True if the emulator looks for hazards.
    seeks_hazards: bool,
}

impl LaunchResults {
    /// Returns the results of a launch before its first reply.
    pub fn of(request: &LaunchRequest) -> Self {
        Self {
            id: request.id,
            shape: request.shape,
            programs: vec![ProgramResults::default(); request.programs.len()],
            seeks_hazards: request.hazards,
            ..Self::default()
        }
    }

    /// Adds a reply. Returns true if it changed anything: false for replies to other requests, and after the last one.
    pub fn apply(&mut self, reply: &Reply) -> bool {
        if reply.id() != self.id || !self.is_running() {
            return false;
        }
        let heard = self.silent.take().is_some() | self.queued.take().is_some();
        self.add(reply).is_some() || heard
    }

    /// Adds a reply to this launch, or returns `None` if there is no place for it.
    fn add(&mut self, reply: &Reply) -> Option<()> {
        match reply {
            Reply::Started { device, note, .. } => {
                (self.device, self.why_not_cuda) = (Some(device.clone()), note.clone());
            }
            Reply::Instead { program, kernel, why, .. } => {
                self.programs.get_mut(*program)?.instead = Some((kernel.clone(), why.clone()));
            }
            Reply::Skipped { program, error, .. } => self.programs.get_mut(*program)?.skipped = Some(error.clone()),
            Reply::Progress { doing, fraction, .. } => self.progress = Some((doing.clone(), *fraction)),
            Reply::Silent { seconds, limit, .. } => self.silent = Some([*seconds, *limit]),
            Reply::Waiting { queued, .. } => self.queued = Some(queued.clone()),
            Reply::Sample { subject, ms, .. } => {
                let samples = &mut self.timed_mut(*subject)?.samples;
                samples.push(*ms);
                samples.drain(..samples.len().saturating_sub(MAX_SAMPLES));
            }
            Reply::Timed { subject, timing, .. } => self.timed_mut(*subject)?.timing = Some(*timing),
            Reply::Conditions { conditions, .. } => self.conditions = Some(*conditions),
            Reply::Verified { program, verification, .. } => {
                self.programs.get_mut(*program)?.verification = Some(verification.clone());
            }
            Reply::Counted { program, counts, hazards, undefined, seconds, .. } => {
                let seeks_hazards = self.seeks_hazards;
                let found = self.programs.get_mut(*program)?;
                (found.counts, found.seconds) = (Some(counts.clone()), Some(*seconds));
                found.hazards = seeks_hazards.then(|| hazards.clone());
                found.undefined.clone_from(undefined);
            }
            Reply::Estimated { program, estimated, .. } => {
                self.programs.get_mut(*program)?.estimated = Some(estimated.clone());
            }
            Reply::Printed { program, text, cut, .. } => {
                self.printed.push(Printed { program: *program, text: text.clone(), cut: *cut });
            }
            Reply::Note { text, .. } if self.notes.contains(text) => return None,
            Reply::Note { text, .. } => self.notes.push(text.clone()),
            Reply::Finished { cancelled, .. } => self.end(LaunchState::Over { cancelled: *cancelled }),
            Reply::Failed { error, .. } => self.end(LaunchState::Failed(error.clone())),
            Reply::Description(_)
            | Reply::Baseline { .. }
            | Reply::Compiled { .. }
            | Reply::Witnessed { .. }
            | Reply::Judged { .. } => return None,
        }
        Some(())
    }

    fn end(&mut self, state: LaunchState) {
        (self.state, self.progress) = (state, None);
    }

    fn timed_mut(&mut self, subject: Subject) -> Option<&mut Timed> {
        match subject {
            Subject::Program(program) => Some(&mut self.programs.get_mut(program)?.timed),
            Subject::Cublas => Some(&mut self.cublas),
            Subject::CublasDefault => Some(&mut self.cublas_default),
        }
    }

    /// True until the last reply.
    pub fn is_running(&self) -> bool {
        self.state == LaunchState::Running
    }

    /// Returns the error of a launch that failed as a whole.
    pub fn error(&self) -> Option<&ExecError> {
        if let LaunchState::Failed(error) = &self.state { Some(error) } else { None }
    }

    /// True if it runs on this kind of device. False until it has a device.
    pub fn is_on(&self, kind: DeviceKind) -> bool {
        self.device.as_ref().is_some_and(|device| device.kind == kind)
    }

    /// Returns the completed fraction of the current step, from 0 to 1.
    pub fn fraction(&self) -> f64 {
        self.progress.as_ref().map_or(0.0, |(_, fraction)| *fraction)
    }

    /// Returns the results of a launch that is over; `None` if it was cancelled.
    ///
    /// # Errors
    /// If the launch failed.
    pub fn finished(self) -> Result<Option<Self>, ExecError> {
        match self.state {
            LaunchState::Failed(error) if error.kind == ExecErrorKind::Interrupted => Ok(None),
            LaunchState::Failed(error) => Err(error),
            LaunchState::Running | LaunchState::Over { cancelled: true } => Ok(None),
            LaunchState::Over { cancelled: false } => Ok(Some(self)),
        }
    }
}

#[cfg(test)]
mod tests;
