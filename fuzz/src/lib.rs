//! What the fuzz targets share: mutations that keep most of a PTX text whole.

mod mutate;

pub use mutate::{cross, mutate};
