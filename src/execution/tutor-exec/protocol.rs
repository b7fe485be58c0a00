/*! The messages between the tutor and its worker process: one JSON document per line.

The worker prints nothing else on stdout. A launch sends replies until [`Reply::Finished`] or [`Reply::Failed`]. Each
reply has the `id` of its launch.
*/

mod reply;
mod request;

pub use super::fault::{ExecError, ExecErrorKind, Stop};
pub use super::judge::{JudgeRequest, Verdict};
pub use super::program::{KernelSpec, Program};
pub use gemm_reference::{Shape, Verification};
pub use reply::{
    Conditions, Description, Device, DeviceKind, Queued, Reply, Sandbox, Subject, Submission, Timing, WitnessReport,
};
pub use request::{CompileRequest, LaunchRequest, Request, Target, WitnessRequest};
pub use tutor_kernels::nvrtc::Looked;
