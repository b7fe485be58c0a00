//! Quizzes, gates, progress and the store.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod drawing;
mod grading;
mod harm;
mod scenarios;
#[path = "../shared/mod.rs"]
mod shared;
mod store;
mod support;
