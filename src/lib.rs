//! Learn to make a GPU multiply matrices fast, in a terminal, by launching the real kernels.

pub mod author;
mod beneath;
pub mod cli;
pub mod course;
mod crew;
pub mod exec;
pub mod expr;
mod figures;
pub mod kernels;
pub mod mastery;
mod private;
pub mod text;
pub mod tui;
#[cfg(windows)]
mod windows;
pub mod words;
pub mod workshop;
pub mod yaml;
