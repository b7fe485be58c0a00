//! Settings that Windows needs before anything else runs.

use std::os::windows::ffi::OsStrExt as _;

/// `LOAD_LIBRARY_SEARCH_DEFAULT_DIRS`: the program's directory, the system's, and the added ones.
const DEFAULT_DIRECTORIES: u32 = 0x1000;

/// Restricts where Windows searches for libraries, and turns on colours in the console.
pub(crate) fn prepare() {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn SetDefaultDllDirectories(which: u32) -> i32;
        fn AddDllDirectory(directory: *const u16) -> *const u8;
    }
    // A library in the working directory, perhaps from a course, must not be loaded instead of the driver's library of
    // the same name.
    //
    // SAFETY: the call only changes where libraries are searched for from now on.
    unsafe { SetDefaultDllDirectories(DEFAULT_DIRECTORIES) };
    let path = std::env::var_os("PATH").unwrap_or_default();
    for directory in std::env::split_paths(&path).filter(|directory| directory.is_absolute()) {
        let name: Vec<u16> = directory.as_os_str().encode_wide().chain([0]).collect();
        // SAFETY: `name` ends with a zero, and the system copies it.
        unsafe { AddDllDirectory(name.as_ptr()) };
    }
    // The query also turns on ANSI colours.
    let _ = crossterm::ansi_support::supports_ansi();
}
