//! The places where NVRTC may be, by name.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tutor_support::words::Sentence;

/// The environment variable with the full path of NVRTC's library.
pub const PATH_VARIABLE: &str = "MATMUL_TUTOR_NVRTC";

/// A place where NVRTC may be. The variants are in search order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Location {
    /// The path in [`PATH_VARIABLE`]. If it is set, no other place is searched.
    Variable,
    /// The Python environment in which the tutor's wheel is installed.
    OwnWheel,
    /// The directory of `nvrtc install`.
    Private,
    /// The active Python environment: `VIRTUAL_ENV`, `CONDA_PREFIX`.
    Environment,
    /// The toolkit that `CUDA_HOME` or `CUDA_PATH` names.
    Toolkit,
    /// The search path of the system's loader, or `/usr/local/cuda`.
    System,
}

impl Location {
    /// All places in search order.
    pub const ALL: [Self; 6] =
        [Self::Variable, Self::OwnWheel, Self::Private, Self::Environment, Self::Toolkit, Self::System];
}

/// The result of the search in one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looked {
    pub place: Location,
    /// Its directory or file; `None` if nothing names one.
    pub root: Option<String>,
    /// The library found there, if any.
    pub path: Option<String>,
    /// Version of the library, e.g. `12.0`.
    pub version: Option<String>,
    /// Why the library cannot be used.
    pub problem: Option<Sentence>,
    /// True if this library is used for compiling.
    pub taken: bool,
}

static PRIVATE: OnceLock<PathBuf> = OnceLock::new();

/// Sets the directory of `nvrtc install`, once for this process.
pub fn keep_private_in(dir: PathBuf) {
    let _ = PRIVATE.set(dir);
}

/// Returns the directory of `nvrtc install`, if it has been set.
pub fn private() -> Option<&'static Path> {
    PRIVATE.get().map(PathBuf::as_path)
}
