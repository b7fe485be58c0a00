//! The screens driven without a terminal: keys in, what the student sees out.

pub(in crate::tui) mod drive;
mod flows;
mod map;
mod quizzes;
mod screens;
