//! Quizzes, gates, progress and the store.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "mastery/drawing.rs"]
mod drawing;
#[path = "mastery/grading.rs"]
mod grading;
#[path = "mastery/harm.rs"]
mod harm;
#[path = "mastery/processes.rs"]
mod processes;
#[path = "mastery/scenarios.rs"]
mod scenarios;
#[path = "shared/mod.rs"]
mod shared;
#[path = "mastery/store.rs"]
mod store;
#[path = "mastery/support.rs"]
mod support;
