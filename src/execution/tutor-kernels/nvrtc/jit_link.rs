//! Loads nvJitLink, and assembles PTX with it.

use super::assembler::{Assembled, Refusal};
use super::library::joined;
use super::search::libraries_named;
use crate::Arch;
use libloading::Library;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::path::PathBuf;
use std::sync::{LazyLock, OnceLock};

#[cfg(windows)]
const NAMES: [&str; 2] = ["nvJitLink_120_0.dll", "nvJitLink_130_0.dll"];
#[cfg(not(windows))]
const NAMES: [&str; 2] = ["libnvJitLink.so.12", "libnvJitLink.so.13"];

/// The libraries to try. The search runs only once, so that a process in the sandbox still knows them.
pub(super) static FOUND: LazyLock<Vec<PathBuf>> = LazyLock::new(|| libraries_named(&NAMES));

type Status = c_int;
type Handle = *mut c_void;
/// `NVJITLINK_INPUT_PTX`.
const PTX: c_int = 2;

#[derive(Debug)]
pub struct JitLink {
    library: Library,
    version: [u32; 2],
}

impl JitLink {
    /// Returns the nvJitLink of this process, loaded at the first call.
    pub fn get() -> Option<&'static Self> {
        static LOADED: OnceLock<Option<JitLink>> = OnceLock::new();
        LOADED.get_or_init(|| FOUND.iter().find_map(Self::open)).as_ref()
    }

    fn open(path: &PathBuf) -> Option<Self> {
        if super::is_static() || (path.exists() && tutor_support::private::is_plain(path).is_err()) {
            return None;
        }
        // SAFETY: The path has the name of NVIDIA's library and is in a directory of the system, of CUDA, of the active
        // environment, or of `nvrtc install`.
        let library = unsafe { Library::new(path) }.ok()?;
        let (mut major, mut minor) = (12, 0);
        type Version = unsafe extern "C" fn(*mut c_uint, *mut c_uint) -> Status;
        // SAFETY: nvJitLinkVersion has this signature. Releases before 12.3 do not have it.
        if let Ok(version) = unsafe { library.get::<Version>(b"nvJitLinkVersion\0") } {
            // SAFETY: Both pointers are valid.
            unsafe { version(&raw mut major, &raw mut minor) };
        }
        let found = Self { library, version: [major, minor] };
        found.symbol::<unsafe extern "C" fn(Handle) -> Status>("Complete").is_some().then_some(found)
    }

    /// Returns its name and version, e.g. `nvJitLink 12.9`.
    pub fn name(&self) -> String {
        let [major, minor] = self.version;
        format!("nvJitLink {major}.{minor}")
    }

    /// Assembles a text for a GPU. `file` names it in messages. Returns `None` if the assembler says nothing about it:
    /// it is older than the text, or lacks a function that the text does not contain.
    pub fn assemble(&self, ptx: &str, file: &str, arch: Arch) -> Option<Result<Assembled, Refusal>> {
        let options = [format!("-arch={arch}"), "-Xptxas=-v".to_owned()].map(CString::new);
        let [Ok(arch_option), Ok(verbose)] = options else { return None };
        let options = [arch_option.as_ptr(), verbose.as_ptr()];
        let (text, name) = (CString::new(ptx).ok()?, c"kernel.ptx");
        type Create = unsafe extern "C" fn(*mut Handle, u32, *const *const c_char) -> Status;
        type Add = unsafe extern "C" fn(Handle, c_int, *const c_char, usize, *const c_char) -> Status;
        let create = self.symbol::<Create>("Create")?;
        let (add, complete) =
            (self.symbol::<Add>("AddData")?, self.symbol::<unsafe extern "C" fn(Handle) -> Status>("Complete")?);
        let destroy = self.symbol::<unsafe extern "C" fn(*mut Handle) -> Status>("Destroy")?;
        let mut handle = std::ptr::null_mut();
        // SAFETY: The options and texts are NUL-terminated and outlive the calls. The length includes the NUL, as the
        // library requires of PTX. The handle is valid from its creation to its destruction.
        unsafe {
            if create(&raw mut handle, options.len() as u32, options.as_ptr()) != 0 {
                return None;
            }
            let bytes = text.as_bytes_with_nul().len();
            let done = add(handle, PTX, text.as_ptr(), bytes, name.as_ptr()) == 0 && complete(handle) == 0;
            let log = self.log(handle, if done { "Info" } else { "Error" });
            destroy(&raw mut handle);
            let (by, arch) = (self.name(), arch.to_string());
            if done {
                Some(Ok(Assembled::read(&log?, by, arch)))
            } else {
                Refusal::read(&log?, ptx, file, by, arch).map(Err)
            }
        }
    }

    /// # Safety
    /// The handle must be valid.
    unsafe fn log(&self, handle: Handle, which: &str) -> Option<String> {
        type Size = unsafe extern "C" fn(Handle, *mut usize) -> Status;
        type Log = unsafe extern "C" fn(Handle, *mut c_char) -> Status;
        let (size, log) =
            (self.symbol::<Size>(&format!("Get{which}LogSize"))?, self.symbol::<Log>(&format!("Get{which}Log"))?);
        let mut bytes = 0;
        // SAFETY: The handle is valid, and the buffer has room for the log and a NUL.
        unsafe {
            (size(handle, &raw mut bytes) == 0).then_some(())?;
            let mut text = vec![0u8; bytes + 1];
            (log(handle, text.as_mut_ptr().cast()) == 0).then_some(())?;
            Some(joined(text))
        }
    }

    /// Returns a function. Before 12.3, its name states the release.
    fn symbol<T>(&self, name: &str) -> Option<libloading::Symbol<'_, T>> {
        let names = [format!("nvJitLink{name}\0"), format!("__nvJitLink{name}_12_0\0")];
        // SAFETY: The callers give each symbol the signature that nvJitLink.h declares.
        names.iter().find_map(|name| unsafe { self.library.get(name.as_bytes()) }.ok())
    }
}
