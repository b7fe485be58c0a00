//! Code that every package may use and that depends on no other one: sentences of the interface, checks of untrusted
//! text and YAML, expressions, number formats, private files. Begin with [`words`] and [`text`].

pub mod archive;
pub mod base_course;
pub mod expr;
pub mod figures;
pub mod private;
pub mod text;
pub mod thread_pool;
pub mod words;
pub mod yaml;
