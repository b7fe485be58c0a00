/*! Text of a stranger that people read: names of source files, messages, what a kernel prints.

On a terminal a control character may write to the clipboard or hide a line, and a bidirectional or invisible one make a name
seem to be another. Names and messages are cleaned where they are made, so that a [`Fault`](super::Fault) and a
[`Place`](super::Place) can be printed as they are. A kernel's output stays as it is: [`lines`] is for showing it.
*/

use std::borrow::Cow;

/// What stands in place of what must not be shown.
const REPLACEMENT: char = '\u{fffd}';
/// Longest name of a source file, and longest message, in characters.
const LONGEST_NAME: usize = 1 << 10;
const LONGEST_MESSAGE: usize = 1 << 12;

/// Whether a character must not be shown: a control character (C0, C1, delete) other than line feed and tab, a
/// bidirectional control, or an invisible format character.
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

/// A text of several lines; what must not be shown becomes U+FFFD.
pub fn lines(text: &str) -> Cow<'_, str> {
    replaced(text, is_forbidden)
}

/// A text of one line; what must not be shown, and the ends of lines and tabs, become U+FFFD.
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

/// The name of a source file, of which the end says most.
pub(crate) fn file_name(text: &str) -> String {
    match text.char_indices().rev().nth(LONGEST_NAME - 1) {
        Some((cut, _)) if cut != 0 => format!("…{}", line(&text[cut..])),
        _ => line(text).into_owned(),
    }
}

/// A message, of which the beginning says most.
pub(crate) fn message(text: String) -> String {
    match text.char_indices().nth(LONGEST_MESSAGE) {
        Some((cut, _)) => format!("{}…", line(&text[..cut])),
        None => match line(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(clean) => clean,
        },
    }
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
        assert_eq!(name.chars().count(), 1 + LONGEST_NAME);
        assert_eq!(message("m".repeat(LONGEST_MESSAGE)).chars().count(), LONGEST_MESSAGE);
        assert_eq!(message("m".repeat(10_000_000)).chars().count(), LONGEST_MESSAGE + 1);
    }
}
