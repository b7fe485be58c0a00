/*! Running kernels: executors, verification, timing, and the worker process.

The tutor never runs a kernel itself. It keeps a [`worker::Worker`], a child process that it
talks to in JSON lines ([`protocol`]); a kernel that faults or never ends takes the child
down, not the tutor. In the child, an executor runs the kernels on a GPU or on the emulator,
compares every element of the result ([`verify`]) and takes times that can be trusted
([`timing`]). Where there is no GPU there are [`recorded`] times, labelled as such: an
emulator's own time is never shown as a kernel's.
*/

pub mod choice;
mod counted;
#[cfg(feature = "cuda")]
mod cuda;
mod dispatch;
mod emulator;
pub mod fault;
mod footprint;
pub mod frontier;
pub mod input;
mod job;
pub mod judge;
pub mod latency;
mod matrices;
pub mod matrix;
mod program;
pub mod protocol;
pub mod recorded;
mod resolve;
pub mod sweep;
pub mod taken;
pub mod timing;
pub mod tuned;
pub mod verify;
mod witness;
pub use witness::witness;
pub mod worker;

pub use counted::{Counted, counted};
pub use emulator::emulates;

use tutor_base::sentence;
use tutor_base::words::Sentence;
use tutor_kernels::Elements;

/// What cuBLAS computes beside the kernels of this element type, in words, for recordings and screens.
///
/// The default mode computes `cublasSgemm` in plain FP32 (cuBLAS documentation, `cublasMath_t`); the worker
/// switches off what the environment could put in its place.
pub fn cublas_math(elements: Elements) -> Sentence {
    match elements {
        Elements::F32 => sentence!("exec-math-f32"),
        Elements::Tf32 => sentence!("exec-math-tf32"),
        Elements::F16 => sentence!("exec-math-f16"),
        Elements::Bf16 => sentence!("exec-math-bf16"),
    }
}

/// cuBLAS's name beside the kernels of this element type, e.g. `cuBLAS BF16`.
pub fn cublas_name(elements: Elements) -> &'static str {
    match elements {
        Elements::F32 => "cuBLAS",
        Elements::Tf32 => "cuBLAS TF32",
        Elements::F16 => "cuBLAS FP16",
        Elements::Bf16 => "cuBLAS BF16",
    }
}
