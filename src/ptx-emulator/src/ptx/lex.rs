//! Splits a PTX text into tokens.

use super::ast::At;
use crate::LoadError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name, opcode, directive or number. It consists of letters, digits, `_ $ % .` and `::`.
    Word,
    /// A string in quotes. The token's text excludes the quotes.
    Text,
    Mark(u8),
    End,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'a str,
    pub(crate) at: At,
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%' | b'.')
}

/// Splits a text into tokens on demand, because the tokens of a large text would need much memory.
#[derive(Debug)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    /// Offset of the next byte, its line, and the offset at which that line begins.
    at: usize,
    line: u32,
    start_of_line: usize,
    /// The first error. No tokens follow it.
    pub(crate) fault: Option<LoadError>,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        // Editors on Windows put a byte order mark at the start.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // NVRTC counts the NUL at the end of its text, and programs store it in files.
        let text = text.trim_end_matches('\0');
        Self { text, at: 0, line: 1, start_of_line: 0, fault: None }
    }

    fn place(&self) -> At {
        At { line: self.line, column: (self.at - self.start_of_line.min(self.at)) as u32 + 1 }
    }

    /// Returns the next token, or [`TokenKind::End`] after the last token or an error.
    pub(crate) fn token(&mut self) -> Token<'a> {
        if self.fault.is_none()
            && let Err(fault) = self.skip_space()
        {
            self.stop(fault);
        }
        let at = self.place();
        let end = Token { kind: TokenKind::End, text: "", at };
        let Some(&byte) = self.text.as_bytes().get(self.at).filter(|_| self.fault.is_none()) else { return end };
        let start = self.at;
        match byte {
            b'"' => match self.string(at) {
                Ok(text) => Token { kind: TokenKind::Text, text, at },
                Err(fault) => {
                    self.stop(fault);
                    end
                }
            },
            _ if in_word(byte) => {
                self.word();
                Token { kind: TokenKind::Word, text: &self.text[start..self.at], at }
            }
            b',' | b';' | b':' | b'{' | b'}' | b'[' | b']' | b'(' | b')' | b'<' | b'>' | b'+' | b'-' | b'!' | b'@'
            | b'|' | b'=' | b'*' | b'/' | b'&' | b'^' | b'~' | b'?' => {
                self.at += 1;
                Token { kind: TokenKind::Mark(byte), text: &self.text[start..=start], at }
            }
            _ => {
                let found = self.text.get(start..).and_then(|rest| rest.chars().next()).unwrap_or('?');
                self.stop(at.parse(format!("the character {found:?} is not allowed in PTX")));
                end
            }
        }
    }

    fn stop(&mut self, fault: LoadError) {
        self.fault = Some(fault);
    }

    /// Skips blanks, line ends and comments.
    fn skip_space(&mut self) -> Result<(), LoadError> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'\n' => self.end_line(),
                b' ' | b'\t' | b'\r' | 0x0c => self.at += 1,
                b'/' if bytes.get(self.at + 1) == Some(&b'/') => {
                    while bytes.get(self.at).is_some_and(|byte| *byte != b'\n') {
                        self.at += 1;
                    }
                }
                b'/' if bytes.get(self.at + 1) == Some(&b'*') => {
                    let at = self.place();
                    self.at += 2;
                    loop {
                        match bytes.get(self.at) {
                            None => return Err(at.parse("the comment is not closed")),
                            Some(b'*') if bytes.get(self.at + 1) == Some(&b'/') => break,
                            Some(b'\n') => self.end_line(),
                            Some(_) => self.at += 1,
                        }
                    }
                    self.at += 2;
                }
                _ => break,
            }
        }
        Ok(())
    }

    fn end_line(&mut self) {
        self.at += 1;
        self.line += 1;
        self.start_of_line = self.at;
    }

    /// Returns the contents of a string in quotes.
    fn string(&mut self, at: At) -> Result<&'a str, LoadError> {
        let bytes = self.text.as_bytes();
        self.at += 1;
        let start = self.at;
        while self.at < bytes.len() && !matches!(bytes[self.at], b'"' | b'\n') {
            let escape = bytes[self.at] == b'\\' && bytes.get(self.at + 1).is_some_and(|byte| *byte != b'\n');
            self.at += if escape { 2 } else { 1 };
        }
        if bytes.get(self.at) != Some(&b'"') {
            return Err(at.parse("the string is not closed"));
        }
        // The byte after a backslash may have been the first of a multi-byte character.
        let inside = self.text.get(start..self.at).ok_or_else(|| at.parse("the string is not readable"))?;
        self.at += 1;
        Ok(inside)
    }

    fn word(&mut self) {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let directive = bytes[start] == b'.';
        let prefix = bytes.get(start + 1).is_some_and(|byte| matches!(byte | 0x20, b'x' | b'f' | b'd' | b'b'));
        // `1.5e-3` is one number; `0x1e-3` and `%e-3` are not.
        let decimal = digit(start) && !prefix || directive && digit(start + 1);
        while let Some(&byte) = bytes.get(self.at) {
            if directive && self.at > start && byte == b'.' {
                // `.reg.b16` is two tokens.
                break;
            }
            let exponent = decimal && matches!(bytes[self.at.max(start + 1) - 1], b'e' | b'E');
            if in_word(byte) || exponent && matches!(byte, b'+' | b'-') && digit(self.at + 1) {
                self.at += 1;
            } else if byte == b':'
                && bytes.get(self.at + 1) == Some(&b':')
                && bytes.get(self.at + 2).is_some_and(u8::is_ascii_alphanumeric)
            {
                self.at += 2;
            } else {
                break;
            }
        }
    }
}
