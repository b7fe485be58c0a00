//! What instructors write: types, loading with places, localisation.

mod access;
mod claim;
mod lesson;
mod quiz;
mod spanned;

pub use access::*;
pub use claim::*;
pub use lesson::*;
pub use quiz::*;
pub use spanned::At;
