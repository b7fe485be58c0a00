/*! Compiles CUDA C++ to PTX with NVRTC, which is loaded when it is first needed. This needs neither a GPU nor a
driver.

The functions are looked up in the library that the search found, and not through cudarc. cudarc first asks the loader
for `libnvrtc.so`, so it could load a system-wide NVRTC instead of the one that the user named. The committed PTX is
compared byte by byte, so the version matters.
*/

mod assembler;
#[cfg(feature = "cuda")]
mod headers;
mod includes;
#[cfg(feature = "cuda")]
mod jit_link;
#[cfg(feature = "cuda")]
mod library;
mod place;
#[cfg(feature = "cuda")]
mod search;
#[cfg(feature = "cuda")]
mod unwritten;

pub use assembler::{Assembled, Figures, Refusal};
#[cfg(feature = "cuda")]
pub use headers::help;
pub use includes::{Gathered, gather, is_for_kernels};
#[cfg(feature = "cuda")]
pub use jit_link::JitLink;
#[cfg(feature = "cuda")]
pub use library::{Nvrtc, NvrtcError, Options, install_help};
pub use place::{Location, Looked, PATH_VARIABLE, keep_private_in, private};
#[cfg(all(feature = "cuda", target_os = "linux"))]
pub use search::directories;
#[cfg(feature = "cuda")]
pub use search::{is_there, libraries_named, library_in, look};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The result of a compilation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compiled {
    /// The PTX, without absolute paths.
    pub ptx: String,
    /// The compiler's warnings.
    #[serde(default)]
    pub log: String,
    /// The names in the PTX of the kernels that [`Options::instances`] names.
    #[serde(default)]
    pub instances: Vec<String>,
    /// Registers per thread of each kernel, if NVRTC's assembler was asked and knows them.
    #[serde(default)]
    pub registers: BTreeMap<String, u32>,
    /// The PTX without optimisation, if it was asked for.
    #[serde(default)]
    pub unoptimised: Option<String>,
}

/// A PTX that was not compiled here.
impl From<String> for Compiled {
    fn from(ptx: String) -> Self {
        Self { ptx, ..Self::default() }
    }
}

/// The release that made the committed PTX. It writes PTX ISA 8.0, which drivers accept from early 2023 (525) on.
pub const PINNED_RELEASE: &str = "12.0.140";
/// The Python wheel with the pinned release, as in `kernels/requirements.txt`.
pub const PINNED_WHEEL: &str = "nvidia-cuda-nvrtc-cu12==12.0.140";
/// The wheel with nvJitLink, which is newer, because it reads PTX of newer compilers, too.
pub const PINNED_ASSEMBLER: &str = "nvidia-nvjitlink-cu12==12.9.86";

/// True if this program is linked statically. Such a program cannot load libraries, because musl's `dlopen` always
/// fails in it.
pub fn is_static() -> bool {
    cfg!(all(target_env = "musl", target_feature = "crt-static"))
}
