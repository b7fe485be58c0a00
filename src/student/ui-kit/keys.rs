//! Key events. Crossterm's, except for WebAssembly, for which crossterm does not compile.

#[cfg(not(target_family = "wasm"))]
pub use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// Returns the Latin letter on the same key as a Hangul letter of the two-set keyboard.
pub fn latin(jamo: char) -> Option<char> {
    const HANGUL: &str = "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆㅒㅖ";
    const LATIN: &str = "qwertyuiopasdfghjklzxcvbnmQWERTOP";
    HANGUL.chars().zip(LATIN.chars()).find(|(hangul, _)| *hangul == jamo).map(|(_, latin)| latin)
}

#[cfg(target_family = "wasm")]
mod wasm;
#[cfg(target_family = "wasm")]
pub use wasm::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
