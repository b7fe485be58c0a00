/*! CUDA C++ to PTX with NVRTC, loaded when it is first needed; no GPU and no driver needed.

The functions are looked up in the very library that was found, and not through cudarc:
cudarc asks the loader for `libnvrtc.so` first, so that a system-wide NVRTC would be taken
in the place of the one that the user named, and the committed PTX is compared byte by byte.
*/

#[cfg(feature = "cuda")]
mod headers;
#[cfg(feature = "cuda")]
mod library;
mod place;
#[cfg(feature = "cuda")]
mod search;

#[cfg(feature = "cuda")]
pub use headers::help;
#[cfg(feature = "cuda")]
pub use library::{Compiled, Diagnostic, Nvrtc, NvrtcError, Options, install_help};
pub use place::{Looked, PATH_VARIABLE, Place, keep_private_in, private};
#[cfg(all(feature = "cuda", target_os = "linux"))]
pub use search::directories;
#[cfg(feature = "cuda")]
pub use search::{in_python, is_there, library_in, look, own_environment};

/// The release that made the committed PTX. It writes PTX 8.0, which drivers from early 2023 (525) on accept.
pub const PINNED_RELEASE: &str = "12.0.140";
/// The Python wheel that brings the pinned release, as `kernels/requirements.txt` asks for it.
pub const PINNED_WHEEL: &str = "nvidia-cuda-nvrtc-cu12==12.0.140";

/// Whether this program is a static one, which can load no library: musl's `dlopen` does nothing but fail in it.
pub fn is_static() -> bool {
    cfg!(all(target_env = "musl", target_feature = "crt-static"))
}
