//! What subcommands are made of: the options of all of them, exit codes, standard output, a worker for a command.

pub(super) mod bounds;
mod globals;
pub(super) mod language;
pub(super) mod locale;
pub(super) mod output;
pub(super) mod paint;
pub(super) mod session;

pub use globals::{Exit, Globals};
pub use language::Lang;
pub(super) use crate::text::read as read_text;
