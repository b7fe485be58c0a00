//! Code that every package may use: sentences of the interface, checks of untrusted text and YAML, expressions, number
//! formats, private files. Of our packages, it depends only on the embedded files (`tutor_assets`). Begin with [`words`] and
//! [`text`].

pub mod archive;
mod decode;
pub mod expr;
pub mod figures;
pub mod name;
pub mod private;
pub mod random;
pub mod text;
pub mod thread_pool;
pub mod words;
mod write;
pub mod xml;
pub mod yaml;

pub use write::write;

/// True if the tutor runs in a browser, which has no compiler, no other programs, and at most 4 GB of memory.
pub const IN_A_PAGE: bool = cfg!(target_family = "wasm");
