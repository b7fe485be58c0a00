//! Key events. Crossterm's, except for WebAssembly, for which crossterm does not compile.

#[cfg(not(target_family = "wasm"))]
pub use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

#[cfg(target_family = "wasm")]
mod wasm;
#[cfg(target_family = "wasm")]
pub use wasm::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
