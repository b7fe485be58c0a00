//! The machine: warps that execute a program, 32 lanes at once.
//!
//! # Fast paths
//!
//! The most common accesses have a *fast path*. It applies if all of these are true:
//!
//! - The words of all active lanes are aligned and inside one memory: the block's shared memory, or one buffer.
//! - No byte of it has a flag to check: [`Setup::uninitialised_shared`] is off, and the buffer's [`View::written`] is
//!   null.
//! - In a fused region, no probe traces accesses.
//!
//! If it does not apply, it does nothing. The instruction then runs in the general way, which also finds its fault.

mod access;
mod async_copy;
mod atomic;
mod barrier;
mod block;
mod budget;
mod call;
mod cas_loop_cost;
mod check;
mod collective;
mod cooperative;
mod exchange;
mod fault;
mod frames;
mod fused;
mod lanes;
mod load_group;
mod local;
mod print;
mod product;
mod register_pool;
mod resident;
mod schedule;
mod service;
mod setup;
mod simd_dispatch;
mod split;
mod state;
mod tensor;
mod transfer;
mod warp;
mod widen_address;

pub(crate) use budget::Budget;
pub(crate) use cooperative::Workspace;
pub use schedule::Schedule;
pub(crate) use setup::{MAX_WORKER, Perturbation, Setup, View};
pub(crate) use state::Machine;
pub use tensor::{Fragment, Held};
