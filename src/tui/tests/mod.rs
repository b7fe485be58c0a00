//! The screens driven without a terminal: keys in, what the student sees out.

mod answers;
mod drive;
mod flows;
mod map;
mod quizzes;
mod room;
mod screens;
