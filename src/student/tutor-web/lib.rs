/*! The tutor as a page: one more runtime next to the terminal's, compiled for WebAssembly (`scripts/release/web`).

The model, [`tutor_tui::app::update`] and [`tutor_tui::app::view`] are the terminal's. The script `page/page.js` owns what
a page touches: the canvas, keys, the browser's storage and two workers. It passes each event to [`abi::event`] as JSON
([`messages::In`]), and takes the answers of [`page::Page`] as JSON ([`messages::Out`]). The same module runs in a worker,
where [`worker`] answers the requests of `tutor_exec::protocol`. A worker that must stop is terminated: a page on a plain
host has no memory that two threads could share.

The system interface is WASI's. `page/wasi.js` implements the functions that are called: clock, randomness and files in memory.
*/

#[cfg(target_family = "wasm")]
mod abi;
#[cfg(target_family = "wasm")]
mod browser_store;
#[cfg(target_family = "wasm")]
mod grid;
#[cfg(target_family = "wasm")]
mod host;
#[cfg(target_family = "wasm")]
mod keys;
#[cfg(target_family = "wasm")]
mod links;
#[cfg(target_family = "wasm")]
mod messages;
#[cfg(target_family = "wasm")]
mod page;
#[cfg(target_family = "wasm")]
mod worker;
