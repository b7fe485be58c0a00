//! The machine: warps that execute a program, 32 lanes at once.

mod access;
mod async_copy;
mod atomic;
mod barrier;
mod block;
mod budget;
mod call;
mod check;
mod cooperative;
mod exchange;
mod fault;
mod fused;
mod gather;
mod lengthen;
mod local;
mod print;
mod product;
mod resident;
mod retries;
mod schedule;
mod service;
mod setup;
mod simd_dispatch;
mod split;
mod state;
mod tensor;
mod texture;
mod transfer;
mod warp;
mod window;

pub(crate) use budget::Budget;
pub(crate) use cooperative::Workspace;
pub use schedule::Schedule;
pub(crate) use setup::{MAX_WORKER, Perturbation, Setup, View};
pub(crate) use state::Machine;
pub use tensor::{Fragment, Held};
