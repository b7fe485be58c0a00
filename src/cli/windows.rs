//! What Windows must be told before anything else.

use std::os::windows::ffi::OsStrExt as _;

/// `LOAD_LIBRARY_SEARCH_DEFAULT_DIRS`: the program's own directory, the system's, and those that were added.
const DEFAULT_DIRECTORIES: u32 = 0x1000;

/// Keeps libraries of strangers out, and has the console take colours.
pub(crate) fn prepare() {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn SetDefaultDllDirectories(which: u32) -> i32;
        fn AddDllDirectory(directory: *const u16) -> *const u8;
    }
    // A library in the working directory, perhaps a course's, must not be taken for the driver's of the same name.
    // SAFETY: changes where libraries are looked for from here on.
    unsafe { SetDefaultDllDirectories(DEFAULT_DIRECTORIES) };
    let path = std::env::var_os("PATH").unwrap_or_default();
    for directory in std::env::split_paths(&path).filter(|directory| directory.is_absolute()) {
        let name: Vec<u16> = directory.as_os_str().encode_wide().chain([0]).collect();
        // SAFETY: the name ends with its zero; it is copied.
        unsafe { AddDllDirectory(name.as_ptr()) };
    }
    // Asking switches them on.
    let _ = crossterm::ansi_support::supports_ansi();
}
