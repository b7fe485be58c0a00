/*! Checks of untrusted text: some characters must never reach a terminal.

A course, a path, a worker's reply and a compiler's log may come from anyone. An escape sequence in a title could move the
cursor or rename the window. A bidirectional override could make code look different from what it is. Such characters make a
file of a course invalid. In other text they are replaced when the text is read, and again when the command line prints it.
*/

pub use crate::decode::decode;

use crate::sentence;
use crate::words::Sentence;
use std::borrow::Cow;

const REPLACEMENT: char = '\u{fffd}';

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

/// Returns the first forbidden character of a file: line, column, character. A carriage return is allowed at the end of
/// a line, and a byte-order mark at the beginning of the file.
pub fn forbidden_place(text: &str) -> Option<(u32, u32, char)> {
    forbidden_places(text).next()
}

/// Returns the places of all forbidden characters.
pub fn forbidden_places(text: &str) -> impl Iterator<Item = (u32, u32, char)> + '_ {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.split('\n').zip(1..).flat_map(|(line, number)| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        // A fold, unlike `all`, is compiled to vector instructions.
        let plain = line.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~' | b'\t'));
        let line = if plain { "" } else { line };
        let mut before = ' ';
        line.char_indices().zip(1..).filter_map(move |((at, c), column)| {
            let next = line[at + c.len_utf8()..].chars().next();
            let joins = joins(before, c, next);
            before = c;
            (is_forbidden(c) && !joins).then_some((number, column, c))
        })
    })
}

/// True if `c` is a joiner between two characters that may be joined, as in emoji and in some scripts. A joiner is not
/// allowed anywhere else.
fn joins(before: char, c: char, next: Option<char>) -> bool {
    let joined = |c: char| !c.is_ascii() && !is_forbidden(c) && !c.is_whitespace();
    matches!(c, '\u{200c}' | '\u{200d}') && joined(before) && next.is_some_and(joined)
}

/// Replaces each forbidden character by the replacement character U+FFFD. All other characters keep their places.
pub fn without_forbidden(text: &str) -> String {
    let mut places = forbidden_places(text).peekable();
    let (mut line, mut column) = (1, 0);
    let shown = |c: char| {
        if c == '\u{feff}' && (line, column) == (1, 0) {
            return c;
        }
        column += 1;
        let replaced = places.next_if(|&(at, of, _)| (at, of) == (line, column)).is_some();
        if c == '\n' {
            (line, column) = (line + 1, 0);
        }
        if replaced { REPLACEMENT } else { c }
    };
    text.chars().map(shown).collect()
}

/// Maximum length of a file that is read whole, in bytes.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// Reads a file that a user named, up to 4 MiB.
///
/// # Errors
/// If it cannot be read, is too long, or is not text.
pub fn read(path: &std::path::Path) -> Result<String, Sentence> {
    read_within(path, MAX_FILE_BYTES)
}

/// Reads a file that a user named, up to `most` bytes.
///
/// # Errors
/// If it cannot be read, is too long, or is not text.
pub fn read_within(path: &std::path::Path, most: u64) -> Result<String, Sentence> {
    Ok(read_decoded(path, most)?.0)
}

/// Reads a file that a user named, up to `most` bytes, and decodes it. Also returns the name of its encoding if that is not
/// UTF-8. Anything but a regular file is refused at once: a pipe may never have a writer, and a device may never end.
///
/// # Errors
/// If it cannot be read, is too long, or is not text.
pub fn read_decoded(path: &std::path::Path, most: u64) -> Result<(String, Option<&'static str>), Sentence> {
    let shown = path.display().to_string();
    let unreadable = |why: Sentence| sentence!("file-not-read", file = shown, why);
    match crate::private::read(path, most).map_err(|error| unreadable(error.into()))? {
        None => Err(sentence!("file-too-long", file = shown, most = most >> 20)),
        Some(bytes) => decode(bytes).map_err(unreadable),
    }
}

/// Returns what `serde` says of a value that has the wrong type, without the names of Rust's types: `invalid type: map, expected
/// u32` becomes `expected a whole number from 0, found named fields`.
pub fn without_types(message: &str) -> String {
    let told = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    let Some((found, expected)) = told.and_then(|told| told.rsplit_once(", expected ")) else {
        return message.to_owned();
    };
    let (expected, place) = expected.split_at(expected.find(" at line ").unwrap_or(expected.len()));
    format!("expected {}, found {}{place}", plain_type(expected), plain_type(found))
}

fn plain_type(name: &str) -> String {
    let (first, rest) = name.split_once(' ').unwrap_or((name, ""));
    let plain = match (first, rest) {
        ("u8" | "u16" | "u32" | "u64" | "u128" | "usize", "") => "a whole number from 0",
        ("i8" | "i16" | "i32" | "i64" | "i128" | "isize", "") => "a whole number",
        ("f32" | "f64", "") => "a number",
        ("a", "string") => "text",
        ("a", "boolean") => "true or false",
        ("a", "sequence") | ("sequence" | "tuple", _) => "a list",
        ("a", "map") | ("map" | "struct", _) => "named fields",
        ("unit" | "null", _) => "nothing",
        ("enum" | "variant" | "field", _) => "a known name",
        ("integer" | "string" | "boolean", value) => return value.to_owned(),
        ("floating", value) => return value.trim_start_matches("point ").to_owned(),
        _ => name,
    };
    plain.to_owned()
}

/// Returns the words and numbers of a text in lower case, without what separates them. A number keeps its decimal
/// point, its slash and its groups of thousands: `4.8`, `3/16`, `65536`. `%` is a word.
pub fn words(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, &c) in chars.iter().enumerate() {
        let digit = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(char::is_ascii_digit);
        let amid = digit(at.checked_sub(1)) && digit(Some(at + 1));
        match c {
            c if c.is_alphanumeric() || c == '_' => word.extend(c.to_lowercase()),
            '.' | '/' if amid => word.push(c),
            '\u{a0}' | '\u{202f}' if amid => {}
            _ => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
        }
        words.extend((c == '%').then(|| "%".to_owned()));
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// Returns the known name with the smallest edit distance to `wrong`, if that is small enough.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // The edit distance takes quadratic time, and a name as long as a page is not a misspelling.
    let length = wrong.chars().count();
    if length > 64 {
        return None;
    }
    known
        .into_iter()
        .filter(|name| name.len() <= 64)
        .map(|name| (distance(wrong, name), name))
        .filter(|&(edits, name)| edits <= 1.max(length.max(name.chars().count()) / 3))
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, name)| name)
}

/// Returns the edit distance of two words: insertions, deletions, substitutions and swaps of neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substituted = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substituted.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_type_is_described_without_types_of_rust() {
        for (said, plain) in [
            (
                "invalid type: string \"a, expected b\", expected u32",
                "expected a whole number from 0, found \"a, expected b\"",
            ),
            (
                "invalid value: integer `-6`, expected u32 at line 1",
                "expected a whole number from 0, found `-6` at line 1",
            ),
            ("invalid type: sequence, expected struct A", "expected named fields, found a list"),
            ("invalid type: floating point `1.5`, expected i64", "expected a whole number, found `1.5`"),
            ("missing field `a`", "missing field `a`"),
        ] {
            assert_eq!(without_types(said), plain);
        }
    }

    #[test]
    fn words_are_taken_without_what_stands_between_them() {
        assert_eq!(
            words("About **4.8** %, 3/16 of 65\u{a0}536 `cp.async`s"),
            ["about", "4.8", "%", "3/16", "of", "65536", "cp", "async", "s"]
        );
    }

    #[test]
    fn what_must_not_be_shown_is_found_where_it_stands() {
        assert_eq!(forbidden_place("a\u{1b}"), Some((1, 2, '\u{1b}')));
        assert_eq!(forbidden_place("\u{feff}a\r\n\tÄ\u{202e}"), Some((2, 3, '\u{202e}')));
        assert_eq!(forbidden_place("16×16\n한국어\ttab\r\n"), None);
        assert_eq!(forbidden_place("👩\u{200d}💻 نمی\u{200c}خواهم"), None, "joined as they are written");
        assert_eq!(forbidden_place("a\u{200d}b"), Some((1, 2, '\u{200d}')), "nothing to join");
        let text = "\u{feff}a\u{1b}b\nc\u{202e}\r\n\u{200d}";
        assert_eq!(
            forbidden_places(text).map(|(line, column, _)| (line, column)).collect::<Vec<_>>(),
            [(1, 2), (2, 2), (3, 1)]
        );
        assert_eq!(without_forbidden(text), "\u{feff}a\u{fffd}b\nc\u{fffd}\r\n\u{fffd}");
    }

    #[test]
    fn the_nearest_name_is_offered_only_if_it_is_near() {
        assert_eq!(nearest("titel", ["title", "tag", "text"]), Some("title"));
        assert_eq!(nearest("objective", ["objectives", "after"]), Some("objectives"));
        assert_eq!(nearest("colour", ["title", "tag"]), None);
        assert_eq!(nearest("x", ["y", "pitch"]), Some("y"));
    }
}
