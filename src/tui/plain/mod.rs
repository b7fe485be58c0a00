/*! The tutor line by line: for screen readers, logs, and terminals that cannot be drawn on.

It shares the model with the screens, not the drawing. [`lines`] says what a screen would show as sentences;
[`Reader`] remembers what was said, so that only what is new is said again; [`typed`] turns a line that was typed
into messages for [`super::app::update`]: a key by its letter or name, an action by its label, a number for a row
of a list, and in a text field the text itself. The runtime's part is `runtime::plain`.
*/

mod output;
mod typed;

pub use output::{Reader, lines};
pub(crate) use output::{heading, unstyled};
pub use typed::typed;

#[cfg(test)]
mod tests;
