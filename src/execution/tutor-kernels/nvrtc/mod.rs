/*! Compiles CUDA C++ to PTX with NVRTC, which is loaded when it is first needed. This needs neither a GPU nor a
driver.

The functions are looked up in the library that the search found, and not through cudarc. cudarc first asks the loader
for `libnvrtc.so`, so it could load a system-wide NVRTC instead of the one that the user named. The committed PTX is
compared byte by byte, so the version matters.
*/

#[cfg(feature = "cuda")]
mod headers;
mod includes;
#[cfg(feature = "cuda")]
mod library;
mod place;
#[cfg(feature = "cuda")]
mod search;

#[cfg(feature = "cuda")]
pub use headers::help;
pub use includes::{Gathered, gather};
#[cfg(feature = "cuda")]
pub use library::{Nvrtc, NvrtcError, Options, install_help};
pub use place::{Location, Looked, PATH_VARIABLE, keep_private_in, private};
#[cfg(all(feature = "cuda", target_os = "linux"))]
pub use search::directories;
#[cfg(feature = "cuda")]
pub use search::{is_there, libraries_named, library_in, look};

/// The result of a compilation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The PTX, without absolute paths.
    pub ptx: String,
    pub log: String,
    /// The name in the PTX of the kernel that [`Options::instance`] names.
    pub instance: Option<String>,
}

/// The release that made the committed PTX. It writes PTX ISA 8.0, which drivers accept from early 2023 (525) on.
pub const PINNED_RELEASE: &str = "12.0.140";
/// The Python wheel with the pinned release, as in `kernels/requirements.txt`.
pub const PINNED_WHEEL: &str = "nvidia-cuda-nvrtc-cu12==12.0.140";

/// True if this program is linked statically. Such a program cannot load libraries, because musl's `dlopen` always
/// fails in it.
pub fn is_static() -> bool {
    cfg!(all(target_env = "musl", target_feature = "crt-static"))
}
