//! The emulator as an executor.
use super::job::{Executor, Job, emulator_device};
use super::protocol::{Device, ExecError, ExecErrorKind};
pub(super) struct Emulator {
    device: Device,
}
impl Default for Emulator {
    fn default() -> Self {
        Self { device: emulator_device() }
    }
}
impl Executor for Emulator {
    fn device(&self) -> &Device {
        &self.device
    }
    fn run(&mut self, job: &Job) -> Result<(), ExecError> {
        count(job)
    }
}
pub(super) fn count(job: &Job) -> Result<(), ExecError> {
    let _ = job.cancel_flag();
    Err(ExecError::new(ExecErrorKind::NoDevice, "The emulator is not part of this build yet."))
}

/// Whether the emulator can run a PTX.
///
/// # Errors
/// The reason why not.
pub fn emulates(_: &str) -> Result<(), String> {
    Err("it is not part of this build yet.".into())
}
