//! The places in which NVRTC may be, by name.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tutor_base::words::Sentence;

/// The environment variable that names NVRTC's library by its full path.
pub const PATH_VARIABLE: &str = "MATMUL_TUTOR_NVRTC";

/// A place in which NVRTC may be, in the order of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Named by [`PATH_VARIABLE`], which rules the others out.
    Variable,
    /// In the Python environment that the tutor's own wheel is installed in.
    OwnWheel,
    /// What `nvrtc install` got.
    Private,
    /// In the active Python environment: `VIRTUAL_ENV`, `CONDA_PREFIX`.
    Environment,
    /// In the toolkit that `CUDA_HOME` or `CUDA_PATH` names.
    Toolkit,
    /// Where the system's loader looks, or `/usr/local/cuda`.
    System,
}

impl Place {
    /// All, in the order of the search.
    pub const ALL: [Self; 6] =
        [Self::Variable, Self::OwnWheel, Self::Private, Self::Environment, Self::Toolkit, Self::System];
}

/// What was found in one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looked {
    /// Which.
    pub place: Place,
    /// The directory or file that it stands for; none if nothing names one.
    pub root: Option<String>,
    /// The library there; none if there is none.
    pub path: Option<String>,
    /// Its version, e.g. `12.0`.
    pub version: Option<String>,
    /// Why the library there cannot be used.
    pub problem: Option<Sentence>,
    /// Whether it is the one that compiles.
    pub taken: bool,
}

static PRIVATE: OnceLock<PathBuf> = OnceLock::new();

/// Says where `nvrtc install` puts its NVRTC, once for this process.
pub fn keep_private_in(dir: PathBuf) {
    let _ = PRIVATE.set(dir);
}

/// Where `nvrtc install` puts its NVRTC; none if nobody has said.
pub fn private() -> Option<&'static Path> {
    PRIVATE.get().map(PathBuf::as_path)
}
