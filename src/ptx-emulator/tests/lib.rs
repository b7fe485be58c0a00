//! What several tests of the emulator share, those of the tutor's kernels included.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

pub mod conformance;
pub mod questions;
pub mod random;
pub mod statements;
pub mod support;
