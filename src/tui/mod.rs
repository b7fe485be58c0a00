/*! The screens: what the student sees and does.

Elm's shape. `app::Model` is everything that is shown; `app::update` takes a message (a key, a
click, a reply of the worker, a tick) and returns [`effect::Effect`]s; `app::view` draws the model.
Both are pure, so every screen is tested without a terminal. The runtime owns the terminal, the
threads and the store, carries the effects out, and redraws only when something changed.

What exists: [`theme`] (styles by meaning), [`action`] (every key, once), [`look`] (the small pieces),
`screens/` (one file each), [`instruments`] (the interactive pictures of pages).
*/

pub mod action;
pub mod app;
pub mod code;
pub mod effect;
pub mod field;
pub mod highlight;
pub mod instruments;
pub mod look;
pub mod markdown;
pub mod plain;
mod recorded;
pub mod runtime;
pub mod screens;
pub mod theme;
pub mod world;
pub mod wrap;

#[cfg(test)]
mod snapshot;
#[cfg(test)]
mod tests;
