//! The files in the native binary.

pub use rust_embed::EmbeddedFile;

use rust_embed::RustEmbed;

/// The kernels of the ladder: sources and catalogue.
#[derive(RustEmbed)]
#[folder = "../../../kernels/"]
#[include = "*.cu"]
#[include = "*.yaml"]
#[exclude = "exercises/*"]
pub struct Kernels;

/// The exercises' descriptions and solutions.
#[derive(RustEmbed)]
#[folder = "../../../kernels/exercises/"]
#[include = "*.yaml"]
#[include = "*.cu"]
#[include = "*.ptx"]
pub struct Exercises;

/// The PTX of the ladder's kernels.
#[derive(RustEmbed)]
#[folder = "../../../assets/ptx/"]
#[include = "*.ptx"]
#[include = "*.ptx.gz"]
pub struct Ptx;

/// The compiled choices of the exercises, one file per exercise.
#[derive(RustEmbed)]
#[folder = "../../../assets/ptx/exercises/"]
#[include = "*.lzma"]
pub struct Packs;

/// Kernels with a planted fault, for questions.
#[derive(RustEmbed)]
#[folder = "../../../assets/faults/"]
#[include = "kernels/catalog.yaml"]
#[include = "assets/ptx/*.ptx"]
pub struct Faults;

#[derive(RustEmbed)]
#[folder = "../../../modules/"]
#[include = "*.yaml"]
pub struct Modules;

#[derive(RustEmbed)]
#[folder = "../../../quizzes/"]
#[include = "*.yaml"]
pub struct Quizzes;

/// Times measured on named GPUs.
#[derive(RustEmbed)]
#[folder = "../../../assets/recorded/"]
#[include = "*.json"]
#[exclude = "latency/*"]
#[exclude = "sweeps/*"]
#[exclude = "{machine-code,data-pipe}.json"]
pub struct Recordings;

/// Times of all variants of a kernel.
#[derive(RustEmbed)]
#[folder = "../../../assets/recorded/"]
#[include = "sweeps/*.json"]
pub struct Sweeps;

/// The sentences of the interface: `LANGUAGE/NAME.ftl`.
#[derive(RustEmbed)]
#[folder = "../../../assets/i18n"]
#[include = "*.ftl"]
pub struct Sentences;
