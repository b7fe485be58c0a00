/*! Text from strangers: which characters never reach a terminal.

A course, a path, a worker's reply and a compiler's log may come from anyone. An escape sequence in a title could move the
cursor, rename the window or worse; a bidirectional override could make code read differently from what it is. Such
characters make a course's file invalid. Elsewhere they are replaced where the text is read, and once more where the command
line prints.
*/

use std::borrow::Cow;

/// Whether a character must not be shown: a control character other than line feed and tab, a
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
    if text.contains(is_forbidden) { Cow::Owned(text.replace(is_forbidden, "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// A text of one line; what must not be shown, and the ends of lines and tabs, become U+FFFD.
pub fn line(text: &str) -> Cow<'_, str> {
    let hidden = |c| is_forbidden(c) || matches!(c, '\n' | '\t');
    if text.contains(hidden) { Cow::Owned(text.replace(hidden, "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// Where a file first holds what must not be shown: line, column, character. A carriage return is fine where it ends a
/// line, a byte-order mark where the file begins.
pub fn forbidden_place(text: &str) -> Option<(u32, u32, char)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.split('\n').zip(1..).find_map(|(line, number)| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) {
            return None;
        }
        line.chars().zip(1..).find(|&(c, _)| is_forbidden(c)).map(|(c, column)| (number, column, c))
    })
}

/// The name nearest to `wrong` by edit distance, if one is near enough to be meant.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Edit distance is quadratic: a name as long as a page is no misspelling.
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

/// Insertions, deletions, substitutions and transpositions of neighbours between two words.
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
    fn escapes_and_bidirectional_controls_are_replaced() {
        assert_eq!(lines("a\u{1b}[31mb\u{202e}c"), "a\u{fffd}[31mb\u{fffd}c");
        assert_eq!(line("a\nb\tc"), "a\u{fffd}b\u{fffd}c");
        assert_eq!(lines("16×16\n한국어\ttab"), "16×16\n한국어\ttab");
        assert!(is_forbidden('\u{9b}'), "the 8-bit CSI");
        assert!(is_forbidden('\r') && is_forbidden('\u{7f}'));
    }

    #[test]
    fn the_nearest_name_is_offered_only_if_it_is_near() {
        assert_eq!(nearest("titel", ["title", "tag", "text"]), Some("title"));
        assert_eq!(nearest("objective", ["objectives", "after"]), Some("objectives"));
        assert_eq!(nearest("colour", ["title", "tag"]), None);
        assert_eq!(nearest("x", ["y", "pitch"]), Some("y"));
    }
}
