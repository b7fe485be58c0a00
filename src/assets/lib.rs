/*! Every file that the binary carries, so that it needs no other file.

Each struct is one folder; `get` takes a path below that folder. The package knows nothing of what the files mean.
*/

use rust_embed::RustEmbed;

/// The ladder's sources and their catalogue.
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

/// What the ladder's kernels compile to.
#[derive(RustEmbed)]
#[folder = "../../assets/ptx/"]
#[include = "*.ptx"]
#[include = "*.ptx.gz"]
pub struct Ptx;

/// What the exercises' choices compile to, one file per exercise.
#[derive(RustEmbed)]
#[folder = "../../assets/ptx/exercises/"]
#[include = "*.lzma"]
pub struct Packs;

/// Kernels with a planted fault.
#[derive(RustEmbed)]
#[folder = "../../assets/faults/"]
#[include = "kernels/catalog.yaml"]
#[include = "assets/ptx/*.ptx"]
pub struct Faults;

/// The lessons.
#[derive(RustEmbed)]
#[folder = "../../modules/"]
#[include = "*.yaml"]
pub struct Modules;

/// The quizzes.
#[derive(RustEmbed)]
#[folder = "../../quizzes/"]
#[include = "*.yaml"]
pub struct Quizzes;

/// Times that were measured on named GPUs.
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

/// The interface's sentences, `LANGUAGE/NAME.ftl`.
#[derive(RustEmbed)]
#[folder = "../../assets/i18n"]
#[include = "*.ftl"]
pub struct Sentences;
