//! The runner of the cases: reads their files, launches their kernels, and compares.

mod judge;
mod launch;
mod number;
mod read;

pub(crate) use judge::{Verdict, judge};
pub(crate) use read::{Case, cases_of};
