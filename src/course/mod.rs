//! What instructors write: types, loading with places, localisation.

mod access;
mod claim;
mod lesson;
mod problem;
mod quiz;
mod shape;
mod spanned;
pub mod text;
pub mod tree;

pub use access::*;
pub use claim::*;
pub use lesson::*;
pub use problem::{Problem, Severity};
pub use quiz::*;
pub use spanned::At;
