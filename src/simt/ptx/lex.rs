//! Tokens.

use super::ast::At;
use crate::simt::Fault;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name, opcode, directive or number: letters, digits, `_ $ % .` and `::`.
    Word,
    /// A string in quotes; the text is without them.
    Text,
    /// One character.
    Mark(u8),
    End,
}

/// A token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    pub(crate) text: &'a str,
    pub(crate) at: At,
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%' | b'.')
}

/// Splits the text; the last token is [`Kind::End`].
pub(crate) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Fault> {
    let bytes = text.as_bytes();
    let mut all = Vec::with_capacity(bytes.len() / 4);
    let (mut i, mut line, mut start_of_line) = (0usize, 1u32, 0usize);
    while i < bytes.len() {
        let at = At { line, column: (i - start_of_line) as u32 + 1 };
        let byte = bytes[i];
        match byte {
            b'\n' => {
                i += 1;
                line += 1;
                start_of_line = i;
            }
            b' ' | b'\t' | b'\r' | 0x0c => i += 1,
            b'/' if bytes.get(i + 1) == Some(&b'/') => {
                while i < bytes.len() && bytes[i] != b'\n' {
                    i += 1;
                }
            }
            b'/' if bytes.get(i + 1) == Some(&b'*') => {
                i += 2;
                loop {
                    match bytes.get(i) {
                        None => return Err(at.parse("the comment is not closed")),
                        Some(b'*') if bytes.get(i + 1) == Some(&b'/') => break,
                        Some(b'\n') => {
                            line += 1;
                            start_of_line = i + 1;
                        }
                        Some(_) => {}
                    }
                    i += 1;
                }
                i += 2;
            }
            b'"' => {
                let start = i + 1;
                i = start;
                while i < bytes.len() && bytes[i] != b'"' && bytes[i] != b'\n' {
                    i += if bytes[i] == b'\\' && i + 1 < bytes.len() && bytes[i + 1] != b'\n' { 2 } else { 1 };
                }
                if bytes.get(i) != Some(&b'"') {
                    return Err(at.parse("the string is not closed"));
                }
                // A backslash may have stepped into the middle of a character.
                let Some(inside) = text.get(start..i) else {
                    return Err(at.parse("the string is not readable"));
                };
                all.push(Token { kind: Kind::Text, text: inside, at });
                i += 1;
            }
            _ if in_word(byte) => {
                let start = i;
                loop {
                    if byte == b'.' && i > start && bytes.get(i) == Some(&b'.') {
                        // `.reg.b16` is two words.
                        break;
                    }
                    if i < bytes.len() && in_word(bytes[i]) {
                        i += 1;
                    } else if bytes.get(i) == Some(&b':')
                        && bytes.get(i + 1) == Some(&b':')
                        && bytes.get(i + 2).is_some_and(u8::is_ascii_alphanumeric)
                    {
                        i += 2;
                    } else {
                        break;
                    }
                }
                all.push(Token { kind: Kind::Word, text: &text[start..i], at });
            }
            b',' | b';' | b':' | b'{' | b'}' | b'[' | b']' | b'(' | b')' | b'<' | b'>' | b'+' | b'-' | b'!' | b'@'
            | b'|' | b'=' | b'*' => {
                all.push(Token { kind: Kind::Mark(byte), text: &text[i..=i], at });
                i += 1;
            }
            _ => {
                let found = text.get(i..).and_then(|rest| rest.chars().next()).unwrap_or('?');
                return Err(at.parse(format!("the character {found:?} cannot stand in PTX")));
            }
        }
    }
    let at = At { line, column: (bytes.len() - start_of_line.min(bytes.len())) as u32 + 1 };
    all.push(Token { kind: Kind::End, text: "", at });
    Ok(all)
}
