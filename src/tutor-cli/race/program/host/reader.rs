//! Tokens that are read one after another, numbers and characters.

use super::*;

/// Tokens that are read one after another.
pub(super) struct Reader<'t, 'a> {
    pub(super) tokens: Tokens<'t, 'a>,
    pub(super) at: usize,
}

impl<'a> Reader<'_, 'a> {
    pub(super) fn sign(&self) -> &'a str {
        self.tokens.get(self.at).filter(|token| token.kind == Kind::Sign).map_or("", |token| token.text)
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.tokens.get(self.at).is_some_and(|token| token.is(text))
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    /// True if these signs follow each other without a gap.
    pub(super) fn adjacent(&self, signs: &[&str]) -> bool {
        let here = self.tokens.get(self.at..self.at + signs.len()).unwrap_or_default();
        let touch = here.windows(2).all(|pair| pair[0].end() == pair[1].at);
        here.len() == signs.len() && touch && here.iter().zip(signs).all(|(token, sign)| token.is(sign))
    }
}

pub(super) fn number(text: &str) -> Out {
    let text: String = text.chars().filter(|c| *c != '\'').collect::<String>().to_lowercase();
    let of = |value: Value, ty: &str| Out::of(value, ty.to_owned());
    let digits = text.trim_end_matches(['u', 'l', 'z']);
    let ty = match (text.contains('u'), text.contains('l')) {
        (false, false) => "int",
        (true, false) => "unsigned int",
        (false, true) => "long long",
        (true, true) => "size_t",
    };
    let parsed = match digits.get(..2) {
        Some("0x") => i64::from_str_radix(&digits[2..], 16).ok(),
        Some("0b") => i64::from_str_radix(&digits[2..], 2).ok(),
        _ if digits.len() > 1 && digits.starts_with('0') && !digits.contains(['.', 'e']) => {
            i64::from_str_radix(digits, 8).ok()
        }
        _ => digits.parse().ok(),
    };
    if let Some(n) = parsed {
        return of(Value::Int(n), ty);
    }
    let real = text.trim_end_matches(['f', 'l']);
    let ty = if text.ends_with('f') { "float" } else { "double" };
    real.parse().map_or_else(|_| Out::default(), |n| of(Value::Real(n).cast(ty), ty))
}

pub(super) fn character(text: &str) -> Option<i64> {
    let inside = text.trim_matches('\'');
    match inside.strip_prefix('\\') {
        Some("n") => Some(10),
        Some("0") => Some(0),
        Some("t") => Some(9),
        Some(_) => None,
        None => inside.chars().next().map(|c| i64::from(u32::from(c))),
    }
}
