/*! The worker process, from both sides.

[`Worker`] is the parent's handle. It starts the child when there is work, passes requests on, and passes every reply to
a sink. A fault in a kernel may end the child. If the child is silent for too long, or does not stop after a
cancellation, it is killed. It starts again for the next request. The caller never waits and only sees replies.
[`serve`] is the child's main function.

The child may run on another machine. The user's own environment may set
`MATMUL_TUTOR_WORKER="ssh gpu-box matmul-tutor worker"`, or use `srun` instead of `ssh` for a machine behind a queue. A
course cannot set this variable. An idle child on another machine may be kept for a while between requests
([`hold_for`]).
*/

mod child;
mod client;
mod config;
mod messages;
mod pending;
#[cfg(unix)]
mod printing;
mod process;
mod queue;
mod sandbox;
mod server;
mod slurm;
mod spent;
mod stream;
mod supervisor;

pub use client::Worker;
#[cfg(feature = "cuda")]
pub(crate) use config::gpu_refused;
pub use config::{COMMAND_VARIABLE, WorkerConfig, hold_for};
pub use messages::{Bounds, MAX_REQUEST_BYTES, Silence, replies, requests};
pub use process::processor_time;
pub use sandbox::SANDBOX_VARIABLE;
#[cfg(feature = "cuda")]
pub(crate) use sandbox::enter_compiler;
pub use server::serve;
pub use slurm::{NoAnswer, answer_of};
pub use spent::Spent;
