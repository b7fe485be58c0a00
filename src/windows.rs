//! What Windows must be told before anything else.

/// Keeps libraries of strangers out, and has the console take colours.
pub(crate) fn prepare() {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        /// Of the Windows API: the directory that is searched for libraries in the place of the working directory.
        fn SetDllDirectoryW(directory: *const u16) -> i32;
    }
    // A library in the working directory, perhaps a course's, must not be taken for the driver's of the same name.
    // SAFETY: an empty string, ended by its zero; it is copied.
    unsafe { SetDllDirectoryW([0].as_ptr()) };
    // Asking switches them on.
    let _ = crossterm::ansi_support::supports_ansi();
}
