/*! Runs kernels: executors, verification, timing, and the worker process.

The tutor runs kernels in a child process, which it controls through a [`worker::Worker`] with JSON lines
([`protocol`]). A kernel that faults or never ends takes down the child, and not the tutor. In the child, an executor
runs the kernels on a GPU or on the emulator, compares every element of the result (`gemm_reference::verify`) and measures times
([`timing`]). Without a GPU, the tutor shows [`recorded`] times with a label. It never shows the emulator's own time as
a kernel's time.
*/

mod answering;
mod assembler;
// A page has neither a GPU nor a supervisor to keep choices.
#[cfg_attr(target_family = "wasm", allow(dead_code))]
pub mod baseline;
#[cfg(test)]
mod batches;
mod counted;
#[cfg(feature = "cuda")]
mod cuda;
mod dispatch;
mod emulation_limits;
mod emulator;
mod epilogue_buffers;
pub mod estimate;
mod estimator;
pub mod fault;
mod footprint;
pub mod frontier;
#[cfg(test)]
mod integers;
mod job;
pub mod judge;
pub mod latency;
mod matrices;
mod prelude;
mod program;
pub mod protocol;
pub mod recorded;
mod resolve;
pub mod results;
pub mod run_record;
pub mod sweep;
pub mod timing;
pub mod tuned;
pub mod variant_model;
pub mod variant_pick;
mod witness;
pub use witness::witness;
#[cfg(not(target_family = "wasm"))]
pub mod worker;

pub use answering::Answering;
pub use counted::{Counted, counted};
pub use emulator::emulates;

use gemm_reference::{input, matrix, verify};
use tutor_kernels::Elements;
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// Describes what cuBLAS computes for this element type, for recordings and screens.
///
/// In the default mode, `cublasSgemm` computes in plain FP32 (cuBLAS documentation, `cublasMath_t`), and so does
/// cuBLASLt with `CUBLAS_COMPUTE_32F`. The worker clears environment variables that would change this.
pub fn cublas_math(elements: Elements) -> Sentence {
    sentence!("exec-math", elements = elements.name())
}

/// Returns cuBLAS's name for this element type, e.g. `cuBLAS BF16`. E4M3 is multiplied with fast accumulation.
pub fn cublas_name(elements: Elements) -> &'static str {
    match elements {
        Elements::F64 => "cuBLAS FP64",
        Elements::F32 => "cuBLAS",
        Elements::Tf32 => "cuBLAS TF32",
        Elements::F16 => "cuBLAS FP16",
        Elements::Bf16 => "cuBLAS BF16",
        Elements::E4m3 => "cuBLASLt E4M3 fast",
        Elements::S8 | Elements::S32 => "cuBLASLt INT8",
    }
}

/// Returns the name of cuBLAS's default choice for this element type, e.g. `cuBLAS BF16 default`.
pub fn cublas_default_name(elements: Elements) -> Sentence {
    sentence!("exec-cublas-default", name = cublas_name(elements))
}

/// The time of cuBLAS with which a kernel was compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Against {
    /// The default choice of `cublasSgemm` or `cublasGemmEx`. Older recordings know no other.
    #[default]
    Default,
    /// The faster of the default choice and the best of cuBLASLt's candidates.
    Best,
}

impl Against {
    /// Returns cuBLAS's name for this element type. The name says so if only the default choice was timed. For 8-bit
    /// elements, cuBLASLt has only candidates.
    pub fn name(self, elements: Elements) -> Sentence {
        if self == Self::Best || elements.bytes() == 1 {
            cublas_name(elements).into()
        } else {
            cublas_default_name(elements)
        }
    }
}
