//! The names that many files of this package use: `use crate::prelude::*;`.

pub(crate) use crate::input::Inputs;
pub(crate) use crate::job::Job;
pub(crate) use crate::protocol::{Device, DeviceKind, ExecError, ExecErrorKind, Reply, Shape};
pub(crate) use crate::resolve::Resolved;
pub(crate) use crate::verify::Problem;
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use std::sync::Arc;
pub(crate) use std::time::Duration;
pub(crate) use tutor_kernels::{Elements, Kernel};
pub(crate) use tutor_support::sentence;
pub(crate) use tutor_support::words::Sentence;
