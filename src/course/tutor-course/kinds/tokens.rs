//! Compares pieces of C token by token, so that white space and comments do not matter.

/// Operators of several characters, the longest first.
const OPERATORS: [&str; 27] = [
    "<<<", ">>>", "<<=", ">>=", "...", "->*", "<<", ">>", "++", "--", "->", "::", "<=", ">=", "==", "!=", "&&", "||",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##",
];

/// True if two pieces of code have the same tokens, apart from a final semicolon.
pub(super) fn same(left: &str, right: &str) -> bool {
    let (left, right) = (tokens(left), tokens(right));
    statement(&left) == statement(&right)
}

/// True if the code contains only white space and comments.
pub(super) fn is_empty(code: &str) -> bool {
    tokens(code).is_empty()
}

fn statement<'a, 'b>(tokens: &'b [&'a str]) -> &'b [&'a str] {
    match tokens {
        [rest @ .., ";"] if !rest.is_empty() => rest,
        all => all,
    }
}

fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while !rest.is_empty() {
        let (length, keep) = token(rest);
        let (token, after) = rest.split_at(length);
        if keep {
            tokens.push(token);
        }
        rest = after.trim_start();
    }
    tokens
}

/// Returns the length in bytes of the first token, at least one character. The flag is false for white space and
/// comments.
fn token(code: &str) -> (usize, bool) {
    let until = |stop: &dyn Fn(char) -> bool| code.find(stop).unwrap_or(code.len());
    let first = code.chars().next().unwrap_or(' ');
    if code.starts_with("//") {
        return (until(&|c| c == '\n'), false);
    }
    if let Some(comment) = code.strip_prefix("/*") {
        return (comment.find("*/").map_or(code.len(), |at| at + 4), false);
    }
    if let Some(operator) = OPERATORS.iter().find(|operator| code.starts_with(**operator)) {
        return (operator.len(), true);
    }
    if first.is_ascii_digit() || (first == '.' && code[1..].starts_with(|c: char| c.is_ascii_digit())) {
        return (number(code), true);
    }
    if is_word(first) {
        return (until(&|c| !is_word(c)), true);
    }
    if matches!(first, '"' | '\'') {
        return (quoted(code, first), true);
    }
    (first.len_utf8(), true)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the length of a preprocessing number: digits, letters, points, and signs after an exponent letter.
fn number(code: &str) -> usize {
    let mut before = ' ';
    for (at, c) in code.char_indices() {
        let signed = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P') && !code.starts_with("0x");
        if !(c.is_ascii_alphanumeric() || c == '.' || signed) {
            return at;
        }
        before = c;
    }
    code.len()
}

fn quoted(code: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in code.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_code_is_read_to_its_end() {
        for code in ["\"open", "'", "/* open", "/*/", "//", "é", "1e", ".", "\\", "\"\\"] {
            tokens(code);
        }
        assert!(is_empty(" /* nothing */ "));
        assert!(!is_empty("x"));
    }
}
