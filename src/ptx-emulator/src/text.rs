/*! Cleans text from outside that people read: names of source files, messages, output of kernels.

On a terminal, a control character may write to the clipboard or hide a line. A bidirectional or invisible character may
disguise a name. Names and messages are cleaned where they are made, so a [`Fault`](super::Fault) and a
[`SourceLocation`](super::SourceLocation) are safe to print. A kernel's output stays unchanged: call [`lines`] before you
show it.
*/

use std::borrow::Cow;

const REPLACEMENT: char = '\u{fffd}';
/// Maximum length of a source file's name and of a message, in characters.
const MAX_NAME: usize = 1 << 10;
const MAX_MESSAGE: usize = 1 << 12;

/// True if a character must not be shown. These are control characters (C0, C1, delete) except line feed and tab,
/// bidirectional controls, and invisible format characters.
pub fn is_forbidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        _ if c.is_control() => true,
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}

/// Cleans a text of several lines: forbidden characters become U+FFFD.
pub fn lines(text: &str) -> Cow<'_, str> {
    replaced(text, is_forbidden)
}

/// Cleans a text of one line: forbidden characters, line feeds and tabs become U+FFFD.
pub fn line(text: &str) -> Cow<'_, str> {
    replaced(text, |c| is_forbidden(c) || matches!(c, '\n' | '\t'))
}

fn replaced(text: &str, hidden: impl Fn(char) -> bool + Copy) -> Cow<'_, str> {
    if text.contains(hidden) {
        Cow::Owned(text.chars().map(|c| if hidden(c) { REPLACEMENT } else { c }).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Cleans the name of a source file. A name that is too long loses its beginning.
pub(crate) fn file_name(text: &str) -> String {
    match text.char_indices().rev().nth(MAX_NAME - 1) {
        Some((cut, _)) if cut != 0 => format!("…{}", line(&text[cut..])),
        _ => line(text).into_owned(),
    }
}

/// Cleans a message. A message that is too long loses its end.
pub(crate) fn message(text: String) -> String {
    match text.char_indices().nth(MAX_MESSAGE) {
        Some((cut, _)) => format!("{}…", line(&text[..cut])),
        None => match line(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(clean) => clean,
        },
    }
}

/// Returns a function's name as in its source, without parameters: `_ZN6Louder5twiceEj` is `Louder::twice`.
pub(crate) fn plain_name(name: &str) -> String {
    let Some(rest) = name.strip_prefix("_Z") else { return name.to_owned() };
    let (mut rest, nested) = rest.strip_prefix('N').map_or((rest, false), |rest| (rest, true));
    rest = rest.trim_start_matches(|c| nested && matches!(c, 'K' | 'V' | 'r'));
    let mut parts = Vec::new();
    while rest.starts_with(|c: char| c.is_ascii_digit()) {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (length, behind) = rest.split_at(digits);
        let Some((part, behind)) = length.parse().ok().and_then(|length| behind.split_at_checked(length)) else {
            break;
        };
        parts.push(part);
        rest = behind;
        if !nested {
            break;
        }
    }
    if parts.is_empty() { name.to_owned() } else { parts.join("::") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_or_hide_is_replaced() {
        for hidden in "\u{0}\u{7}\r\u{1b}\u{7f}\u{80}\u{9b}\u{9d}\u{61c}\u{200b}\u{200d}\u{200e}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{feff}".chars() {
            assert_eq!(lines(&format!("a{hidden}b")), "a\u{fffd}b", "{hidden:?}");
        }
        assert_eq!(lines("größe\t×\n"), "größe\t×\n");
        assert_eq!(line("a\tb\nc"), "a\u{fffd}b\u{fffd}c");
    }

    #[test]
    fn names_and_messages_have_an_end() {
        assert_eq!(file_name("src/a.cu"), "src/a.cu");
        let long = format!("{}/é.cu", "x".repeat(10_000_000));
        let name = file_name(&long);
        assert!(name.starts_with('…') && name.ends_with("x/é.cu"), "{name}");
        assert_eq!(name.chars().count(), 1 + MAX_NAME);
        assert_eq!(message("m".repeat(MAX_MESSAGE)).chars().count(), MAX_MESSAGE);
        assert_eq!(message("m".repeat(10_000_000)).chars().count(), MAX_MESSAGE + 1);
    }

    #[test]
    fn names_lose_their_mangling() {
        for (mangled, plain) in [
            ("_Z4sinkjj", "sink"),
            ("_ZN6Louder5twiceEj", "Louder::twice"),
            ("_ZNK6Square4areaEv", "Square::area"),
            ("weave", "weave"),
            ("_ZThn16_N1C1gEj", "_ZThn16_N1C1gEj"),
            ("_Z99short", "_Z99short"),
        ] {
            assert_eq!(plain_name(mangled), plain);
        }
    }
}
