/*! The line-by-line tutor, for screen readers, logs, and terminals without cursor control.

It shares the model with the screens, but not the drawing. [`lines`] describes the screen in lines of text. [`Reader`]
remembers the last output, so that only new lines are printed. [`typed`] turns a typed line into input for
[`super::app::update`]: a key by its character or name, an action by its label, a number for a row of a list, and in a
text field the text itself. `runtime::plain` reads and prints the lines.
*/

mod output;
mod typed;

pub use output::{Reader, lines};
pub(crate) use output::{heading, unstyled};
pub use typed::typed;

#[cfg(test)]
mod tests;
