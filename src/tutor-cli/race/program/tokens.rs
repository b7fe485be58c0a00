//! Splits CUDA C++ into tokens, follows the directives of its preprocessor, and expands macros.

use super::host::constant;
use std::collections::HashMap;
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    /// A string or a character, with its quotes.
    Text,
    Sign,
}

/// A token. `at` is its byte in the file, or that of the macro's use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl Token<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != Kind::Text
    }

    /// True if it is one of these words, which blanks separate.
    pub(super) fn is_in(&self, words: &str) -> bool {
        words.split_whitespace().any(|word| self.is(word))
    }

    pub(super) fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// A macro: its parameters, if it has a list of them, and its replacement.
#[derive(Debug)]
pub(super) struct Macro<'a> {
    parameters: Option<Vec<&'a str>>,
    pub(super) body: Vec<Token<'a>>,
}

pub(super) type Macros<'a> = HashMap<&'a str, Macro<'a>>;

/// Signs of several characters, longest first. `>>` is two signs, because it may close two lists of template arguments.
const SIGNS: [&str; 23] = [
    "<<<", "<<=", "...", "::", "->", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=",
    "&=", "|=", "^=", "<<", "##",
];
const MAX_DEPTH: usize = 24;
/// Maximum number of tokens that a macro may become.
const MAX_EXPANDED: usize = 1 << 20;

/// Returns the place after white space and comments, and whether a line has ended.
fn gap(text: &str, mut at: usize) -> (usize, bool) {
    let bytes = text.as_bytes();
    let mut line = false;
    loop {
        let rest = &bytes[at..];
        let step = match rest {
            [b'\\', b'\n', ..] => 2,
            [b'\\', b'\r', b'\n', ..] => 3,
            [b'/', b'/', ..] => {
                // A line that continues a comment belongs to it.
                let ends = |&(at, byte): &(usize, &u8)| *byte == b'\n' && rest[at - 1] != b'\\';
                rest.iter().enumerate().skip(2).find(ends).map_or(rest.len(), |(at, _)| at)
            }
            [b'/', b'*', inner @ ..] => inner.windows(2).position(|pair| pair == b"*/").map_or(rest.len(), |at| at + 4),
            [byte, ..] if byte.is_ascii_whitespace() => {
                line |= *byte == b'\n';
                1
            }
            _ => return (at, line),
        };
        at += step;
    }
}

/// Returns the length of the token that begins here.
fn length(rest: &str) -> (Kind, usize) {
    let bytes = rest.as_bytes();
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let run = |from: usize| from + bytes[from..].iter().position(|byte| !word(byte)).unwrap_or(bytes.len() - from);
    match bytes[0] {
        b'"' | b'\'' => {
            let mut at = 1;
            while at < bytes.len() && bytes[at] != bytes[0] && bytes[at] != b'\n' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            let end = (at + 1).min(bytes.len());
            (Kind::Text, (end..=bytes.len()).find(|end| rest.is_char_boundary(*end)).unwrap_or(bytes.len()))
        }
        b'0'..=b'9' | b'.' if bytes[0] != b'.' || bytes.get(1).is_some_and(u8::is_ascii_digit) => {
            let mut at = 1;
            while at < bytes.len() {
                let exponent = matches!(bytes[at], b'+' | b'-') && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P');
                let exponent = exponent && !(rest.starts_with("0x") && matches!(bytes[at - 1], b'e' | b'E'));
                let separator = bytes[at] == b'\'' && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
                if !(word(&bytes[at]) || bytes[at] == b'.' || exponent || separator) {
                    break;
                }
                at += 1;
            }
            (Kind::Number, at)
        }
        first if word(&first) => {
            let end = run(0);
            let raw = rest[..end].ends_with('R') && bytes.get(end) == Some(&b'"');
            let close = raw.then(|| rest[end + 1..].split_once('(')).flatten().and_then(|(mark, text)| {
                let close = format!("){mark}\"");
                text.find(&close).map(|at| end + 1 + mark.len() + 1 + at + close.len())
            });
            close.map_or((Kind::Word, end), |end| (Kind::Text, end))
        }
        _ => {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign)).map(|sign| sign.len());
            (Kind::Sign, sign.unwrap_or_else(|| rest.chars().next().map_or(1, char::len_utf8)))
        }
    }
}

/// Splits a text without directives into tokens.
fn plain<'a>(text: &'a str, from: usize) -> Vec<Token<'a>> {
    let mut tokens = Vec::new();
    let (mut at, _) = gap(text, 0);
    while at < text.len() {
        let (kind, length) = length(&text[at..]);
        tokens.push(Token { kind, text: &text[at..at + length], at: from + at });
        at = gap(text, at + length).0;
    }
    tokens
}

/// Returns the end of a directive that begins here: of its line, or of the last of its continued lines.
fn directive_end(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let Some(newline) = text[end..].find('\n') else { return text.len() };
        end += newline + 1;
        let line = text[..end - 1].trim_end_matches('\r');
        // A comment that begins in the line may end in a later one.
        let open = text[at..end].matches("/*").count() > text[at..end].matches("*/").count();
        if !line.ends_with('\\') && !open {
            return end - 1;
        }
    }
}

/// The tokens of a file that its directives leave, its includes, and the macros that it defines.
pub(super) struct File<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    /// Names as in `#include`, with the lines' bytes.
    pub(super) includes: Vec<(&'a str, Range<usize>)>,
}

/// Reads a file.
pub(super) fn read<'a>(text: &'a str, macros: &mut Macros<'a>) -> File<'a> {
    let mut file = File { tokens: Vec::new(), includes: Vec::new() };
    // For each open `#if`: whether its text is active, whether one of its branches was, and whether the text around it is.
    let mut open: Vec<(bool, bool, bool)> = Vec::new();
    let (mut at, mut line) = (gap(text, 0).0, true);
    while at < text.len() {
        let active = open.last().is_none_or(|(active, ..)| *active);
        if line && text[at..].starts_with('#') {
            let end = directive_end(text, at);
            let tokens = plain(&text[at + 1..end], at + 1);
            let (name, rest) = tokens.split_first().map_or(("", &[][..]), |(first, rest)| (first.text, rest));
            match name {
                "if" | "ifdef" | "ifndef" => {
                    let holds = active && condition(name, rest, macros);
                    open.push((holds, holds, active));
                }
                "elif" | "else" => {
                    if let Some((active, taken, outer)) = open.last_mut() {
                        *active = *outer && !*taken && (name == "else" || condition("if", rest, macros));
                        *taken |= *active;
                    }
                }
                "endif" => drop(open.pop()),
                "define" if active => define(rest, macros),
                "undef" if active => drop(rest.first().and_then(|name| macros.remove(name.text))),
                "include" if active => {
                    let line = &text[at..end];
                    let name = line.split(['"', '<']).nth(1).and_then(|name| name.split(['"', '>']).next());
                    file.includes.extend(name.map(|name| (name, at..end)));
                }
                _ => {}
            }
            (at, line) = (gap(text, end).0, true);
            continue;
        }
        let (kind, length) = length(&text[at..]);
        if active {
            file.tokens.push(Token { kind, text: &text[at..at + length], at });
        }
        (at, line) = gap(text, at + length);
    }
    file
}

fn condition<'a>(name: &str, tokens: &[Token<'a>], macros: &Macros<'a>) -> bool {
    let defined = |token: Option<&Token>| token.is_some_and(|token| macros.contains_key(token.text));
    match name {
        "ifdef" => return defined(tokens.first()),
        "ifndef" => return !defined(tokens.first()),
        _ => {}
    }
    let mut plain = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is("defined") {
            let open = tokens.get(at + 1).is_some_and(|token| token.is("("));
            let text = if defined(tokens.get(at + 1 + usize::from(open))) { "1" } else { "0" };
            plain.push(Token { kind: Kind::Number, text, at: tokens[at].at });
            at += if open { 4 } else { 2 };
        } else {
            plain.push(tokens[at]);
            at += 1;
        }
    }
    constant(&expanded(&plain, macros)).is_some_and(|value| value != 0)
}

/// Reads `NAME TEXT` or `NAME(A, B) TEXT`.
fn define<'a>(tokens: &[Token<'a>], macros: &mut Macros<'a>) {
    let Some((name, rest)) = tokens.split_first() else { return };
    let listed = rest.first().is_some_and(|open| open.is("(") && open.at == name.end());
    let close = rest.iter().position(|token| token.is(")"));
    let (parameters, body) = match close.filter(|_| listed) {
        Some(close) => {
            let names = rest[1..close].iter().filter(|token| !token.is(","));
            let names = names.map(|token| if token.is("...") { "__VA_ARGS__" } else { token.text });
            (Some(names.collect()), &rest[close + 1..])
        }
        None => (None, rest),
    };
    macros.insert(name.text, Macro { parameters, body: body.to_vec() });
}

/// Adds the macro of `-D NAME` or `-D NAME=TEXT`.
pub(super) fn given<'a>(text: &'a str, macros: &mut Macros<'a>) {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let mut tokens = plain(name, 0);
    tokens.extend(plain(value, name.len() + 1));
    define(&tokens, macros);
}

/// Expands the macros.
pub(super) fn expanded<'a>(tokens: &[Token<'a>], macros: &Macros<'a>) -> Vec<Token<'a>> {
    let mut out = Vec::with_capacity(tokens.len());
    expand(tokens, macros, &mut Vec::new(), None, &mut out);
    out
}

fn expand<'a>(
    tokens: &[Token<'a>],
    macros: &Macros<'a>,
    hidden: &mut Vec<&'a str>,
    place: Option<usize>,
    out: &mut Vec<Token<'a>>,
) {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let found = macros.get(token.text).filter(|_| {
            let room = hidden.len() < MAX_DEPTH && out.len() < MAX_EXPANDED;
            token.kind == Kind::Word && room && !hidden.contains(&token.text)
        });
        let here = place.unwrap_or(token.at);
        let body = match found {
            Some(Macro { parameters: None, body }) => body.clone(),
            Some(Macro { parameters: Some(names), body }) if tokens.get(at).is_some_and(|open| open.is("(")) => {
                let close = closing(tokens, at);
                let values = split(&tokens[at + 1..close.min(tokens.len())], ",");
                at = close + 1;
                let mut filled = Vec::new();
                for word in body {
                    match names.iter().position(|name| *name == word.text) {
                        Some(number) if word.kind == Kind::Word => {
                            let all = if names[number] == "__VA_ARGS__" { usize::MAX } else { 1 };
                            for (nth, value) in values.iter().skip(number).take(all).enumerate() {
                                if nth > 0 {
                                    filled.push(Token { kind: Kind::Sign, text: ",", at: here });
                                }
                                expand(value, macros, hidden, Some(here), &mut filled);
                            }
                        }
                        _ => filled.push(*word),
                    }
                }
                filled
            }
            _ => {
                out.push(Token { at: here, ..*token });
                continue;
            }
        };
        hidden.push(token.text);
        expand(&body, macros, hidden, Some(here), out);
        hidden.pop();
    }
}

/// Returns the place of the bracket that closes the one here, or the end.
pub(super) fn closing(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0usize;
    for (place, token) in tokens.iter().enumerate().skip(at) {
        match token.text {
            "(" | "[" | "{" if token.kind == Kind::Sign => depth += 1,
            ")" | "]" | "}" if token.kind == Kind::Sign => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return place;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// Returns the place after the `>` that closes the `<` here, if one does before the statement ends.
pub(super) fn angles(tokens: &[Token], at: usize) -> Option<usize> {
    let (mut depth, mut place) = (0usize, at);
    while let Some(token) = tokens.get(place) {
        match token.text {
            "<" => depth += 1,
            ">" => depth -= 1,
            "(" | "[" => place = closing(tokens, place),
            ";" | "{" | "}" | "&&" | "||" | "<<<" => return None,
            _ => {}
        }
        place += 1;
        if depth == 0 {
            return Some(place);
        }
    }
    None
}

/// Splits at a sign outside brackets and lists of template arguments. Nothing has no parts.
pub(super) fn split<'t, 'a>(tokens: &'t [Token<'a>], sign: &str) -> Vec<&'t [Token<'a>]> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(token) = tokens.get(at) {
        match token.text {
            "(" | "[" | "{" if token.kind == Kind::Sign => at = closing(tokens, at),
            "<" if at > 0 && tokens[at - 1].kind == Kind::Word => {
                // `a < b, c > d` is read as a template. A list of arguments seldom has two comparisons.
                at = angles(tokens, at).map_or(at, |end| end - 1);
            }
            text if text == sign && token.kind == Kind::Sign => {
                parts.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if !tokens.is_empty() {
        parts.push(&tokens[start.min(tokens.len())..]);
    }
    parts
}

/// Joins tokens to a text, with blanks only between words.
pub(super) fn joined(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if text.ends_with(word) && token.text.starts_with(word) {
            text.push(' ');
        }
        text.push_str(token.text);
    }
    text
}
