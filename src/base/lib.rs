//! What every package may use, and which knows none of them: sentences of the interface, text and YAML of strangers,
//! expressions, numbers as they are shown, private files. Begin with [`words`] and [`text`].

pub mod beneath;
pub mod crew;
pub mod expr;
pub mod figures;
pub mod private;
pub mod text;
pub mod words;
pub mod yaml;
