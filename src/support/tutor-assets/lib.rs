/*! Every file that the program contains. With them, it needs no other file.

Each struct is one folder; `get` takes a path in that folder. The native binary embeds the files; a page in a browser loads
them in archives (`packed.rs`). This package does not interpret the files.
*/

#[cfg(not(target_family = "wasm"))]
mod embedded;
#[cfg(target_family = "wasm")]
mod packed;

#[cfg(not(target_family = "wasm"))]
pub use embedded::*;
#[cfg(target_family = "wasm")]
pub use packed::*;

/// Returns a file that a page loads after its first screen, by its path in the repository: `assets/ptx/…` with the packed
/// PTX of variants and exercises. `None` outside of a page, whose binary contains these files.
pub fn late(path: &str) -> Option<Vec<u8>> {
    if cfg!(target_family = "wasm") { std::fs::read(format!("/late/{path}")).ok() } else { None }
}
