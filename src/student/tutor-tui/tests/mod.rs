//! Tests the screens without a terminal: they send keys and check what the student sees.

mod answers;
#[cfg(unix)]
mod breakages;
pub(crate) mod drive;
mod exam;
mod flows;
mod keys;
mod languages;
mod launches;
mod map;
mod optional;
mod preview;
mod problems;
mod pure;
pub(crate) mod quizzes;
mod room;
mod saving;
mod scenes;
mod screens;
mod workshop;
