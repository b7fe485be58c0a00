/*! Every file that the binary contains. With them, the program needs no other file.

Each struct is one folder; `get` takes a path in that folder. This package does not interpret the files.
*/

use rust_embed::RustEmbed;

/// Returns a file that a page loads after its first screen, by its path in the repository: `assets/ptx/…` with the packed
/// PTX of variants and exercises. `None` outside of a page, whose binary contains these files.
pub fn late(path: &str) -> Option<Vec<u8>> {
    if cfg!(target_family = "wasm") { std::fs::read(format!("/late/{path}")).ok() } else { None }
}

/// The kernels of the ladder: sources and catalogue.
#[derive(RustEmbed)]
#[folder = "../../kernels/"]
#[include = "*.cu"]
#[include = "*.yaml"]
#[exclude = "exercises/*"]
pub struct Kernels;

/// The exercises' descriptions and solutions.
#[derive(RustEmbed)]
#[folder = "../../kernels/exercises/"]
#[include = "*.yaml"]
#[include = "*.cu"]
#[include = "*.ptx"]
pub struct Exercises;

/// The PTX of the ladder's kernels.
#[derive(RustEmbed)]
#[folder = "../../assets/ptx/"]
#[include = "*.ptx"]
#[cfg_attr(not(target_family = "wasm"), include = "*.ptx.gz")]
pub struct Ptx;

/// The compiled choices of the exercises, one file per exercise.
#[derive(RustEmbed)]
#[folder = "../../assets/ptx/exercises/"]
#[cfg_attr(not(target_family = "wasm"), include = "*.lzma")]
#[cfg_attr(target_family = "wasm", include = "nothing")]
pub struct Packs;

/// Kernels with a planted fault, for questions.
#[derive(RustEmbed)]
#[folder = "../../assets/faults/"]
#[include = "kernels/catalog.yaml"]
#[include = "assets/ptx/*.ptx"]
pub struct Faults;

#[derive(RustEmbed)]
#[folder = "../../modules/"]
#[include = "*.yaml"]
pub struct Modules;

#[derive(RustEmbed)]
#[folder = "../../quizzes/"]
#[include = "*.yaml"]
pub struct Quizzes;

/// Times measured on named GPUs.
#[derive(RustEmbed)]
#[folder = "../../assets/recorded/"]
#[include = "*.json"]
#[exclude = "latency/*"]
#[exclude = "sweeps/*"]
#[exclude = "machine-code.json"]
pub struct Recordings;

/// Times of all variants of a kernel.
#[derive(RustEmbed)]
#[folder = "../../assets/recorded/"]
#[include = "sweeps/*.json"]
pub struct Sweeps;

/// The sentences of the interface: `LANGUAGE/NAME.ftl`.
#[derive(RustEmbed)]
#[folder = "../../assets/i18n"]
#[include = "*.ftl"]
pub struct Sentences;
