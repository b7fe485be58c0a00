//! The screens driven without a terminal: keys in, what the student sees out.

mod answers;
pub(in crate::tui) mod drive;
mod flows;
mod keys;
mod languages;
mod launches;
mod map;
mod problems;
pub(in crate::tui) mod quizzes;
mod room;
mod saving;
mod screens;
mod workshop;
