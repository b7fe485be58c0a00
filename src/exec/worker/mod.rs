/*! The worker process, from both sides.

[`Worker`] is the parent's handle: it starts the child when there is something to do, passes
requests on, and hands every reply to a sink. The child dies with a fault, is killed when it
falls silent or does not heed a cancellation, and is started again for the next request; the
caller never waits and only sees replies. [`serve`] is the child.

The child may be elsewhere: `MATMUL_TUTOR_WORKER="ssh gpu-box matmul-tutor worker"` in the
user's own environment puts it on another machine, and `srun` in the place of `ssh` into a queue. Nothing in a course can set
it. A child that is elsewhere may be kept for a while between requests ([`hold_for`]).
*/

mod child;
mod client;
mod config;
mod messages;
#[cfg(unix)]
mod printing;
mod queue;
mod sandbox;
mod server;
mod slurm;
mod stream;

pub use client::Worker;
pub use config::{COMMAND_VARIABLE, WorkerConfig, hold_for};
pub use messages::{Bounds, MAX_REQUEST_BYTES, Silence, replies, requests};
pub use sandbox::SANDBOX_VARIABLE;
pub use server::serve;
pub use slurm::{NoAnswer, answer_of};
