/*! Numbers as people type them.

Accepted: `8192`, `8 192`, `8_192`, `1,048,576`, `0,25`, `8e3`, `2^13`, `2**13`, `3/4`, `64 × 64`,
`8 KiB` where bytes are asked. What could mean two things (`8,192`, `8 KB`) is not guessed: the
sentence says how to write it.
*/

use super::normal::{narrow, shorten};
use super::unit::scale;
use crate::t;

/// Longest text read as a number, in bytes.
const MAX_LENGTH: usize = 200;

/// Reads `text` as a number in `unit`.
///
/// # Errors
/// A sentence that says why it is not one, and what to type.
pub(super) fn read(text: &str, unit: Option<&str>) -> Result<f64, String> {
    if text.len() > MAX_LENGTH {
        return Err(t!("mastery-number-long", most = MAX_LENGTH));
    }
    let text: String =
        text.chars().map(narrow).map(|c| if matches!(c, '\u{2212}' | '\u{2013}') { '-' } else { c }).collect();
    let text = text.trim();
    if text.is_empty() {
        return Err(t!("mastery-type-a-number"));
    }
    let mut reader = Reader { rest: text };
    let value = reader.product()?;
    let scale = scale(reader.rest.trim(), unit)?;
    let value = value * scale;
    if value.is_finite() { Ok(value) } else { Err(t!("mastery-number-infinite", typed = text)) }
}

/// A number as an author is shown it: whole where that is short, else with four digits.
pub(super) fn told(value: f64) -> String {
    let whole = value.to_string();
    if whole.len() <= 12 { whole } else { crate::figures::significant(value) }
}

/// Whether a typed number is the expected one. A tolerance of 0 asks for the exact number,
/// but forgives what binary fractions lose.
pub(super) fn equal(typed: f64, expected: f64, tolerance: f64) -> bool {
    let whole = typed.fract() == 0.0 && expected.fract() == 0.0;
    let slack = if whole { tolerance } else { tolerance.max(1e-9) };
    typed == expected || (typed - expected).abs() <= slack * expected.abs()
}

/// Whether a typed number is the expected one, rounded to as many significant digits as were typed, if those are enough.
pub(super) fn rounds_to(expected: f64, typed: f64, fewest: u32) -> bool {
    if expected == 0.0 || !typed.is_finite() {
        return false;
    }
    let written = format!("{typed:e}");
    let typed_digits = written.split('e').next().unwrap_or("").chars().filter(char::is_ascii_digit).count();
    let digits = typed_digits.max(fewest as usize);
    let unit = 10f64.powi(expected.abs().log10().floor() as i32 + 1 - digits as i32);
    (typed - expected).abs() <= 0.5 * unit * (1.0 + 1e-9)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.power()?;
        loop {
            if self.eat(&["*", "×", "·", "⋅"]) {
                value *= self.power()?;
            } else if self.eat(&["/", "÷"]) {
                let divisor = self.power()?;
                if divisor == 0.0 {
                    return Err(t!("mastery-divides-by-zero"));
                }
                value /= divisor;
            } else {
                return Ok(value);
            }
        }
    }

    fn power(&mut self) -> Result<f64, String> {
        let negative = self.sign();
        let base = self.literal()?;
        let value = if self.eat(&["^", "**"]) {
            let down = self.sign();
            let exponent = self.literal()?;
            base.powf(if down { -exponent } else { exponent })
        } else {
            base
        };
        Ok(if negative { -value } else { value })
    }

    fn sign(&mut self) -> bool {
        let negative = self.eat(&["-"]);
        if !negative {
            self.eat(&["+"]);
        }
        negative
    }

    /// Consumes one of the tokens, after white space, if a number may follow it.
    fn eat(&mut self, tokens: &[&str]) -> bool {
        let rest = self.rest.trim_start();
        for token in tokens {
            // `*` must not take the half of `**`.
            if let Some(after) = rest.strip_prefix(token)
                && !(*token == "*" && after.starts_with('*'))
                && after.trim_start().starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))
            {
                self.rest = after;
                return true;
            }
        }
        false
    }

    fn literal(&mut self) -> Result<f64, String> {
        let rest = self.rest.trim_start();
        let end = end_of_literal(rest);
        let (written, after) = rest.split_at(end);
        if !written.contains(|c: char| c.is_ascii_digit()) {
            return Err(t!("mastery-no-number", typed = shorten(self.rest)));
        }
        self.rest = after;
        let (mantissa, exponent) = match written.find(['e', 'E']) {
            Some(at) => written.split_at(at),
            None => (written, ""),
        };
        let plain = ungroup(mantissa)? + exponent;
        plain.parse().map_err(|_| t!("mastery-no-number", typed = shorten(written)))
    }
}

/// Length of the digits, points, group signs and exponent at the start of `text`.
fn end_of_literal(text: &str) -> usize {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let after = &text[at + c.len_utf8()..];
        let belongs = match c {
            '0'..='9' => true,
            '.' | ',' => true,
            '_' | '\'' | '’' => after.starts_with(|c: char| c.is_ascii_digit()),
            _ if c.is_whitespace() => at > 0 && after.starts_with(|c: char| c.is_ascii_digit()),
            'e' | 'E' => {
                let digits = after.strip_prefix(['-', '+']).unwrap_or(after);
                if at > 0 && digits.starts_with(|c: char| c.is_ascii_digit()) {
                    let sign = after.len() - digits.len();
                    let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
                    return at + 1 + sign + length;
                }
                false
            }
            _ => false,
        };
        if !belongs {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// Removes group signs, or says why they are none.
fn ungroup(written: &str) -> Result<String, String> {
    let not = || t!("mastery-no-number", typed = shorten(written));
    let joined: String = written.chars().filter(|c| !matches!(c, '_' | '\'' | '’')).collect();
    let spaced: Vec<&str> = joined.split_whitespace().collect();
    if spaced.len() > 1 && !grouped(&spaced) {
        return Err(t!("mastery-several-numbers", typed = shorten(written)));
    }
    let joined = spaced.concat();
    let commas: Vec<&str> = joined.split(',').collect();
    match commas.as_slice() {
        [plain] => Ok((*plain).to_owned()),
        [whole, part] if !part.contains('.') => {
            if part.is_empty() || whole.contains('.') {
                return Err(not());
            }
            if part.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0') {
                return Err(t!("mastery-number-comma", typed = &joined, whole = whole, part = part));
            }
            Ok(format!("{whole}.{part}"))
        }
        [..] if grouped(&commas) => Ok(commas.concat()),
        [..] => Err(not()),
    }
}

/// Whether the pieces are groups of three digits, the first of one to three; the last may have decimals.
fn grouped(pieces: &[&str]) -> bool {
    let digits = |piece: &str| piece.bytes().all(|b| b.is_ascii_digit());
    let Some(((first, last), middle)) =
        pieces.split_first().and_then(|(first, rest)| rest.split_last().map(|(last, middle)| ((first, last), middle)))
    else {
        return false;
    };
    let last = last.split(['.', ',']).next().unwrap_or_default();
    (1..=3).contains(&first.len())
        && digits(first)
        && middle.iter().chain([&last]).all(|piece| piece.len() == 3 && digits(piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_significant_digits_are_enough_unless_more_are_asked_for() {
        let sixth = 1.0 / 6.0;
        assert!(rounds_to(sixth, 0.17, 2) && rounds_to(sixth, 0.167, 2) && rounds_to(sixth, 0.1667, 2));
        assert!(!rounds_to(sixth, 0.2, 2) && !rounds_to(sixth, 0.16, 2) && !rounds_to(sixth, 0.166, 2));
        assert!(!rounds_to(sixth, 0.17, 3) && rounds_to(sixth, 0.167, 3));
        assert!(rounds_to(1.0 / 12.0, 0.083, 2) && !rounds_to(1.0 / 12.0, 0.08, 2));
        assert!(rounds_to(1143.4, 1100.0, 2) && !rounds_to(1143.4, 1200.0, 2) && !rounds_to(1143.4, 1000.0, 2));
        // Written with one digit, it is one of two: 0.20.
        assert!(rounds_to(0.1999, 0.2, 2) && rounds_to(-0.1999, -0.2, 2) && !rounds_to(0.0, 0.0, 2));
    }

    #[test]
    fn people_may_type_a_number_as_they_are_used_to() {
        for (text, value) in [
            ("8192", 8192.0),
            (" 8 192 ", 8192.0),
            ("8\u{a0}192", 8192.0),
            ("8_192", 8192.0),
            ("8'192", 8192.0),
            ("1,048,576", 1_048_576.0),
            ("8,192.5", 8192.5),
            ("1 048 576,5", 1_048_576.5),
            ("0,25", 0.25),
            ("0,125", 0.125),
            ("12,5", 12.5),
            (".25", 0.25),
            ("5.", 5.0),
            ("8e3", 8000.0),
            ("8.192E+3", 8192.0),
            ("1e-3", 0.001),
            ("2^13", 8192.0),
            ("2**13", 8192.0),
            ("2 ^ -2", 0.25),
            ("3/4", 0.75),
            ("64 × 64", 4096.0),
            ("8.192 * 10^3", 8192.0),
            ("８１９２", 8192.0),
            ("-7", -7.0),
            ("\u{2212}7", -7.0),
            ("+7", 7.0),
            ("25 %", 0.25),
        ] {
            assert_eq!(read(text, None), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_means_two_things_or_nothing_is_said_and_not_guessed() {
        for (text, says) in [
            ("8,192", "8192 or as 8.192"),
            ("12,192", "12192 or as 12.192"),
            ("8 19", "more than one number"),
            ("8 192 1", "more than one number"),
            ("1.2.3", "not a number"),
            ("1,2,3", "not a number"),
            (",", "not a number"),
            ("8,", "not a number"),
            ("", "Type a number"),
            ("  ", "Type a number"),
            ("eight", "not a number"),
            ("nan", "not a number"),
            ("inf", "not a number"),
            ("1/0", "divides by zero"),
            ("9e999", "not a finite number"),
            ("10^400", "not a finite number"),
            ("8 wavefronts", "Type the number alone"),
            ("8 +", "Type the number alone"),
            ("0x20", "Type the number alone"),
            ("--3", "not a number"),
        ] {
            let error = read(text, None).expect_err(text);
            assert!(error.contains(says), "{text}: {error}");
        }
        assert!(read(&"1".repeat(1000), None).is_err());
    }

    #[test]
    fn a_tolerance_is_relative_and_none_means_exact() {
        assert!(equal(8192.0, 8192.0, 0.0));
        assert!(!equal(8193.0, 8192.0, 0.0));
        assert!(!equal(1e12, 1e12 + 1.0, 0.0));
        assert!(equal(0.1 + 0.2, 0.3, 0.0));
        assert!(equal(12.4, 12.5, 0.01));
        assert!(!equal(12.3, 12.5, 0.01));
        assert!(equal(-12.4, -12.5, 0.01));
        assert!(equal(0.0, 0.0, 0.01));
        assert!(!equal(0.1, 0.0, 0.01));
    }
}
