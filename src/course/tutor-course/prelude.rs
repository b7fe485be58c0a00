//! The names that many files of this package use: `use crate::prelude::*;`.

pub(crate) use crate::kinds::{Fnv, Item, Miss, Parameters, Reason, Verdict};
pub(crate) use crate::lint::{ID, Lint};
pub(crate) use crate::problem::Problem;
pub(crate) use crate::quiz::Variant;
pub(crate) use crate::source::{CourseSource, ReadError};
pub(crate) use schemars::JsonSchema;
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use serde_json::Value;
pub(crate) use std::collections::BTreeMap;
pub(crate) use tutor_support::words::Sentence;
pub(crate) use tutor_support::yaml::At;
pub(crate) use tutor_support::{sentence, t, text};

/// Returns `N`, for a field that is absent: `#[serde(default = "number::<64>")]`.
pub(crate) fn number<const N: u32>() -> u32 {
    N
}
