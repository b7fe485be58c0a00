//! Turns the browser's keys into the terminal's.

use ui_kit::keys::{KeyCode, KeyEvent, KeyModifiers};

/// Returns the key event; `None` for a key that the tutor does not know, such as a modifier alone.
///
/// `key` is the browser's value. `code` names the place on the keyboard, which counts while an input method for Korean
/// would compose letters from commands.
pub(crate) fn event(key: &str, code: &str, ctrl: bool, alt: bool, shift: bool) -> Option<KeyEvent> {
    let mut characters = key.chars();
    let found = match (characters.next(), characters.next()) {
        (Some(c), None) => KeyCode::Char(if c.is_ascii() { c } else { latin(code, shift).unwrap_or(c) }),
        _ => match key {
            "Enter" => KeyCode::Enter,
            "Escape" => KeyCode::Esc,
            "Tab" if shift => KeyCode::BackTab,
            "Tab" => KeyCode::Tab,
            "Backspace" => KeyCode::Backspace,
            "Delete" => KeyCode::Delete,
            "ArrowLeft" => KeyCode::Left,
            "ArrowRight" => KeyCode::Right,
            "ArrowUp" => KeyCode::Up,
            "ArrowDown" => KeyCode::Down,
            "Home" => KeyCode::Home,
            "End" => KeyCode::End,
            "PageUp" => KeyCode::PageUp,
            "PageDown" => KeyCode::PageDown,
            "Process" | "Dead" => KeyCode::Char(latin(code, shift)?),
            _ => KeyCode::F(key.strip_prefix('F')?.parse().ok()?),
        },
    };
    // A browser keeps some keys with Ctrl for itself. With Alt they reach the page.
    let mut modifiers = if ctrl || alt { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
    // A terminal reports Shift only with keys that type nothing.
    if shift && !matches!(found, KeyCode::Char(_)) {
        modifiers = modifiers | KeyModifiers::SHIFT;
    }
    Some(KeyEvent::new(found, modifiers))
}

/// Returns the Latin letter or digit at a place on the keyboard, for example `n` for `KeyN`.
fn latin(code: &str, shift: bool) -> Option<char> {
    let letter = code.strip_prefix("Key").or_else(|| code.strip_prefix("Digit").filter(|_| !shift))?.chars().next()?;
    Some(if shift { letter } else { letter.to_ascii_lowercase() })
}
