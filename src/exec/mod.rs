//! Running kernels: executors, verification, timing, and the worker process.

pub mod input;
pub mod protocol;
pub mod timing;
pub mod verify;
