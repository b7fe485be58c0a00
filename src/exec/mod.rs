/*! Running kernels: executors, verification, timing, and the worker process.

The tutor never runs a kernel itself. It keeps a [`worker::Worker`], a child process that it
talks to in JSON lines ([`protocol`]); a kernel that faults or never ends takes the child
down, not the tutor. In the child, an executor runs the kernels on a GPU or on the emulator,
compares every element of the result ([`verify`]) and takes times that can be trusted
([`timing`]). Where there is no GPU there are [`recorded`] times, labelled as such: an
emulator's own time is never shown as a kernel's.
*/

#[cfg(feature = "cuda")]
mod cuda;
mod dispatch;
mod emulator;
pub mod input;
mod job;
pub mod protocol;
pub mod recorded;
pub mod timing;
pub mod verify;
mod witness;
#[cfg(test)]
pub(crate) use witness::witness;
pub mod worker;

pub use emulator::emulates;

/// cuBLAS's math mode in words, for recordings and screens.
///
/// The default mode computes `cublasSgemm` in plain FP32 (cuBLAS documentation, `cublasMath_t`); the worker
/// switches off what the environment could put in its place.
pub const CUBLAS_MATH: &str = "CUBLAS_DEFAULT_MATH: cublasSgemm in plain FP32, neither TF32 nor emulated";
