/*! The screens: what the student sees and does.

Elm's shape. `app::Model` is everything that is shown; `app::update` takes a message (a key, a
click, a reply of the worker, a tick) and returns [`effect::Effect`]s; `app::view` draws the model.
Both are pure, so every screen is tested without a terminal. The runtime owns the terminal, the
threads and the store, carries the effects out, and redraws only when something changed.

What all screens draw with, every key, and the interactive pictures of pages are in [`tutor_pictures`]; the screens
are in `screens/`, one file each.
*/

pub mod app;
pub mod app_data;
pub mod effect;
pub mod highlight;
pub mod plain;
mod recorded;
pub mod runtime;
pub mod screens;

#[cfg(test)]
mod tests;
