//! Code that the fuzz targets share: mutations that keep most of a PTX text intact.

mod mutate;

pub use mutate::{cross, mutate};
