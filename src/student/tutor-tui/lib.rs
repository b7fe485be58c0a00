/*! The terminal interface of the tutor: screens, keys, and the runtime behind them.

It follows the Elm architecture. `app::Model` holds everything that is shown. `app::update` takes a message (a key, a
click, a reply from the worker, a tick) and returns [`effect::Effect`]s. `app::view` draws the model. Both functions are
pure, so the tests need no terminal. The runtime owns the terminal, the threads and the store. It carries out the
effects and redraws only when something has changed.

[`tutor_pictures`] contains the drawing helpers, the table of keys, and the interactive pictures of pages. Each screen
is a file in `screens/`.
*/

pub mod app;
pub mod app_data;
pub mod effect;
pub mod highlight;
pub mod host;
pub mod loading;
pub mod plain;
mod prelude;
mod recorded;
#[cfg(not(target_family = "wasm"))]
pub mod runtime;
pub mod screens;
pub mod storing;

#[cfg(test)]
mod tests;
