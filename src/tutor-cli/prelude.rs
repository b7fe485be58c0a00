//! The names that nearly every subcommand uses: `use crate::prelude::*;`.

pub(crate) use crate::session::Session;
pub(crate) use crate::{Exit, Globals, failure, failure_of, output};
pub(crate) use serde::Serialize;
pub(crate) use std::path::{Path, PathBuf};
pub(crate) use tutor_course::CourseSource;
pub(crate) use tutor_kernels::{Catalog, Kernel};
pub(crate) use tutor_support::t;
pub(crate) use ui_kit::look::{pad, pad_left};
