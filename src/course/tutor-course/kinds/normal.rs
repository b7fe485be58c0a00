//! Short texts, compared without case, white space and outer punctuation.

use unicode_normalization::UnicodeNormalization;

/// Returns the form in which texts are compared.
///
/// It is composed (NFC, so that composed and decomposed `é` or `각` are equal) and in lower case. Full-width letters
/// become normal ones. One space separates words, and hyphens between letters become spaces. Quotation marks, brackets
/// and stops around the whole are removed. It is not NFKC, because that turns `n²` into `n2`.
pub(super) fn normal(text: &str) -> String {
    let composed: Vec<char> = text.nfc().map(narrow).flat_map(char::to_lowercase).filter(|c| !invisible(*c)).collect();
    let spaced: String = composed
        .iter()
        .enumerate()
        .map(|(at, &c)| {
            let letter = |at: Option<usize>| at.and_then(|at| composed.get(at)).is_some_and(|c| c.is_alphabetic());
            if is_hyphen(c) && letter(at.checked_sub(1)) && letter(Some(at + 1)) { ' ' } else { c }
        })
        .collect();
    let words = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = words.trim_start_matches(is_opening).trim_end_matches(is_closing);
    if bare.is_empty() { words } else { bare.to_owned() }
}

/// Returns the normal form of a full-width letter, digit or sign, which some input methods type.
pub(super) fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

fn invisible(c: char) -> bool {
    (c.is_control() && !c.is_whitespace()) || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

pub(super) fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2014}')
}

fn is_opening(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '"' | '\'' | '`' | '“' | '”' | '„' | '‘' | '’' | '«' | '»' | '(' | '[' | '{' | '_' | '「' | '『')
}

fn is_closing(c: char) -> bool {
    is_opening(c) || matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '}' | '。' | '…' | '」' | '』')
}

/// Shortens a typed text so that a sentence can quote it.
pub(super) fn shorten(text: &str) -> String {
    let text: String = text.trim().chars().filter(|c| !c.is_control()).collect();
    if text.chars().count() <= 24 { text } else { text.chars().take(23).collect::<String>() + "…" }
}
