//! Running kernels: executors, verification, timing, and the worker process.

pub mod protocol;
