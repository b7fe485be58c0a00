/*! What leaves a course: its questions for other programs, and the course without keys for an exam.

[`export`] writes a level's questions as Moodle XML, GIFT or QTI. [`seal`](fn@seal) removes the keys from a course.
*/

mod gift;
mod html;
mod moodle;
mod posed;
mod qti;
mod questions;
mod seal;

pub use questions::{ExportFormat, Exported, export};
pub use seal::{SealError, Sealed, seal, sealed_quizzes};

#[cfg(test)]
mod tests;
