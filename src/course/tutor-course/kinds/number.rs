/*! Numbers as people type them.

Accepted are `8192`, `8 192`, `8_192`, `1,048,576`, `0,25`, `8e3`, `2^13`, `2**13`, `3/4`, `64 × 64`, `10 x 63 + 7`, and `8 KiB` if the
answer is in bytes, `2×10⁻⁴`, `lane 25`, `e = 22`, `264 - 192 = 72`. Korean also has `3만 2768`, `1억`, `16개`, `16입니다`, `6분의 1`, `육백삼십`,
`630블록`, `630개가 필요합니다`.
An ambiguous text (`8,192`, `8 KB`) is an error, whose sentence explains what to type. In Korean `8,192` is not ambiguous.

Typed numbers are parsed by the rules of the current language ([`Form::spoken`]). Grading does not depend on the language
([`Form::given`]).
*/

use super::normal::{narrow, shorten};
use super::unit::{is_times, scale};
use super::{counted, korean, korean_number};
use crate::prelude::*;
use tutor_support::words;

/// Maximum length of a number, in bytes.
const MAX_LENGTH: usize = 200;

/// How to read a number.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Form<'a> {
    /// The unit of the answer.
    pub(super) unit: Option<&'a str>,
    /// The name of the unit in the original's language.
    pub(super) original: Option<&'a str>,
    /// True if a comma before three digits always separates thousands.
    pub(super) thousands: bool,
}

impl<'a> Form<'a> {
    /// Returns the form for a number that is typed now, in the current language.
    pub(super) fn spoken(unit: Option<&'a str>, original: Option<&'a str>) -> Self {
        Self { unit, original, thousands: words::current().code() == korean::CODE }
    }

    /// Returns the form for a number that was accepted before, in any language. An ambiguous comma was not accepted
    /// then.
    pub(super) fn given(unit: Option<&'a str>, original: Option<&'a str>) -> Self {
        Self { unit, original, thousands: true }
    }
}

/// Reads `text` as a number.
///
/// # Errors
/// A sentence that explains why it is not a number, and what to type.
pub(super) fn read(text: &str, form: Form<'_>) -> Result<f64, Sentence> {
    if text.len() > MAX_LENGTH {
        return Err(sentence!("mastery-number-long", most = MAX_LENGTH));
    }
    let text = ascii(text);
    let text = counted::without_beginning(text.trim(), form.unit, form.original);
    let (per, text) = counted::per(text);
    if text.is_empty() {
        return Err(sentence!("mastery-type-a-number"));
    }
    let factor = text.strip_prefix('×').filter(|_| form.unit.is_none_or(is_times));
    let text = factor.unwrap_or(text);
    let mut reader = Reader { rest: text, thousands: form.thousands };
    let mut value = reader.sum()?;
    // `264 - 192 = 72`
    while let Some(result) = reader.rest.trim_start().strip_prefix('=') {
        let calculated = value;
        reader.rest = result;
        value = reader.sum()?;
        if !equal(calculated, value, 0.0) && !rounds_to(calculated, value, 2) {
            return Err(sentence!("mastery-several-numbers", typed = shorten(text)));
        }
    }
    let value = value * behind(reader.rest, per, form)?;
    if value.is_finite() { Ok(value) } else { Err(sentence!("mastery-number-infinite", typed = text)) }
}

/// Returns the factor from the unit in the text behind a number to the requested one. `per` is the unit's denominator.
fn behind(text: &str, per: Option<&str>, form: Form<'_>) -> Result<f64, Sentence> {
    let scale = |unit: &str| match per {
        Some(per) => scale(&format!("{unit}/{}", if per == "초" { "s" } else { per }), form.unit, form.original),
        None => scale(unit, form.unit, form.original),
    };
    // The ending of a sentence is not a unit: `16입니다`, `128바이트예요`.
    let ended = |unit: &&str| korean::without_endings(unit).iter().find_map(|unit| scale(unit).ok());
    let found = counted::units(text).iter().find_map(|unit| scale(unit).ok().or_else(|| ended(unit)));
    found.map_or_else(|| scale(text.trim()), Ok)
}

/// Returns the digits of a whole number and nothing else: 32 for `３２`, `32개` and `32 sectors`. `None` for any other text.
pub(super) fn whole(text: &str) -> Option<String> {
    let text = ascii(text);
    let (digits, rest) =
        text.trim().split_at(text.trim().find(|c: char| !c.is_ascii_digit()).unwrap_or(text.trim().len()));
    let things = Form { unit: Some("개"), original: None, thousands: false };
    (!digits.is_empty() && behind(rest, None, things).is_ok()).then(|| digits.to_owned())
}

/// Returns the text with normal digits and signs for full-width ones, and `^-4` for `⁻⁴`.
fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut raised = false;
    for c in text.chars().map(narrow) {
        let above = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺".chars().zip("0123456789-+".chars()).find(|(above, _)| *above == c);
        if above.is_some() && !raised {
            out.push('^');
        }
        raised = above.is_some();
        out.push(match above {
            Some((_, digit)) => digit,
            None if matches!(c, '\u{2212}' | '\u{2013}') => '-',
            None => c,
        });
    }
    out
}

/// Formats a number for authors: in full if that is short, otherwise with four digits.
pub(super) fn for_authors(value: f64) -> String {
    let whole = value.to_string();
    if whole.len() <= 12 { whole } else { tutor_support::figures::significant(value) }
}

/// The share by which a limit may be exceeded because of rounding errors of binary fractions.
const ROUNDING: f64 = 1e-9;

/// True if a typed number is the expected one. With a tolerance of 0 it must be exact, except for rounding errors of
/// binary fractions.
pub(super) fn equal(typed: f64, expected: f64, tolerance: f64) -> bool {
    let whole = typed.fract() == 0.0 && expected.fract() == 0.0;
    typed == expected || (typed - expected).abs() <= slack(tolerance, whole) * expected.abs()
}

/// Returns the relative tolerance, with the rounding errors of binary fractions. `whole` is true if both numbers are whole.
pub fn slack(tolerance: f64, whole: bool) -> f64 {
    if whole { tolerance } else { (tolerance * (1.0 + ROUNDING)).max(ROUNDING) }
}

/// True if a typed number is the expected one, rounded to the number of typed digits, but to at least `fewest`
/// significant digits.
pub(super) fn rounds_to(expected: f64, typed: f64, fewest: u32) -> bool {
    if expected == 0.0 || !typed.is_finite() {
        return false;
    }
    let written = format!("{typed:e}");
    let typed_digits = written.split('e').next().unwrap_or("").chars().filter(char::is_ascii_digit).count();
    let digits = typed_digits.max(fewest as usize);
    let unit = 10f64.powi(expected.abs().log10().floor() as i32 + 1 - digits as i32);
    // 0.98 has two digits, but 1 rounded to two digits is 1.0.
    let steps = typed / unit;
    (steps - steps.round()).abs() < 1e-6 && (typed - expected).abs() <= 0.5 * unit * (1.0 + ROUNDING)
}

/// Returns the numbers that `rounds_to` accepts for `expected`, up to 15 significant digits. Two numbers are equally near in a tie.
pub fn roundings(expected: f64, fewest: u32) -> Vec<f64> {
    if expected == 0.0 || !expected.is_finite() {
        return Vec::new();
    }
    let first = expected.abs().log10().floor() as i32;
    let written = |digits: u32, round: fn(f64) -> f64| -> Option<f64> {
        let down = digits as i32 - 1 - first;
        // Through decimal text, because a power of ten below 1 has a rounding error.
        let steps = if down >= 0 { expected * 10f64.powi(down) } else { expected / 10f64.powi(-down) };
        format!("{:.0}e{}", round(steps), -down).parse().ok()
    };
    let mut all: Vec<f64> = (fewest.max(1)..=15)
        .flat_map(|digits| [written(digits, f64::floor), written(digits, f64::ceil)])
        .flatten()
        .filter(|typed| rounds_to(expected, *typed, fewest))
        .collect();
    all.dedup();
    all
}

struct Reader<'a> {
    rest: &'a str,
    /// True if a comma before three digits always separates thousands.
    thousands: bool,
}

impl Reader<'_> {
    fn sum(&mut self) -> Result<f64, Sentence> {
        let mut value = self.product()?;
        loop {
            let before = self.rest;
            if self.eat(&["+"]) {
                value += self.product()?;
            } else if self.eat(&["-"]) {
                let less = self.product()?;
                // `7-8` is a range.
                if less > value {
                    self.rest = before;
                    return Ok(value);
                }
                value -= less;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, Sentence> {
        let mut value = self.power()?;
        loop {
            // `0x20` is no product.
            if self.eat(&["*", "×", "·", "⋅"]) || value != 0.0 && self.eat(&["x", "X"]) {
                value *= self.power()?;
            } else if let Some(after) = self.rest.trim_start().strip_prefix("분의") {
                // A fraction names its denominator first: `6분의 1`.
                self.rest = after;
                value = self.power()? / value;
            } else if self.eat(&["/", "÷"]) {
                let divisor = self.power()?;
                if divisor == 0.0 {
                    return Err(sentence!("mastery-divides-by-zero"));
                }
                value /= divisor;
            } else {
                return Ok(value);
            }
        }
    }

    fn power(&mut self) -> Result<f64, Sentence> {
        let negative = self.sign();
        let base = self.magnitude()?;
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

    /// Consumes white space and one of the tokens, if a number may follow it.
    fn eat(&mut self, tokens: &[&str]) -> bool {
        let rest = self.rest.trim_start();
        for token in tokens {
            // `*` must not match half of `**`.
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

    /// Reads a number with the myriads that may follow its digits: `3만 2768`, `1억 3천만`.
    fn magnitude(&mut self) -> Result<f64, Sentence> {
        let mut sum = korean_number::Sum::default();
        loop {
            let before = self.rest;
            let number = self.literal();
            if let (Err(_), true) = (&number, sum.begun()) {
                // A unit follows the last magnitude sign.
                self.rest = before;
                return Ok(sum.total());
            }
            let (number, rest) = (number?, self.rest);
            let Some(after) = sum.take(number, rest) else {
                if !sum.begun() {
                    return Ok(number);
                }
                // The last part has no sign. Any remaining text is read as a unit.
                return match sum.end(number, rest) {
                    Some(total) => Ok(total),
                    None => Err(sentence!("mastery-several-numbers", typed = shorten(before))),
                };
            };
            self.rest = after;
        }
    }

    fn literal(&mut self) -> Result<f64, Sentence> {
        let rest = self.rest.trim_start();
        let end = end_of_literal(rest);
        let (written, after) = rest.split_at(end);
        if end == 0
            && let Some((number, after)) = korean_number::in_words(rest)
        {
            self.rest = after;
            return Ok(number);
        }
        if !written.contains(|c: char| c.is_ascii_digit()) {
            return Err(sentence!("mastery-no-number", typed = shorten(self.rest)));
        }
        self.rest = after;
        let (mantissa, exponent) = match written.find(['e', 'E']) {
            Some(at) => written.split_at(at),
            None => (written, ""),
        };
        let plain = ungroup(mantissa, self.thousands)? + exponent;
        plain.parse().map_err(|_| sentence!("mastery-no-number", typed = shorten(written)))
    }
}

/// Returns the length of the digits, points, group signs and exponent at the start of `text`.
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

/// Removes group signs. Returns an error if they do not separate groups.
fn ungroup(written: &str, thousands: bool) -> Result<String, Sentence> {
    let not = || sentence!("mastery-no-number", typed = shorten(written));
    let joined: String = written.chars().filter(|c| !matches!(c, '_' | '\'' | '’')).collect();
    let spaced: Vec<&str> = joined.split_whitespace().collect();
    if spaced.len() > 1 && !grouped(&spaced) {
        return Err(sentence!("mastery-several-numbers", typed = shorten(written)));
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
                if thousands {
                    return Ok(commas.concat());
                }
                return Err(sentence!("mastery-number-comma", typed = &joined, whole, part));
            }
            Ok(format!("{whole}.{part}"))
        }
        [..] if grouped(&commas) => Ok(commas.concat()),
        [..] => Err(not()),
    }
}

/// True if the pieces are groups of three digits. The first may be shorter, and the last may have decimals.
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
    fn english_says_as_before_what_could_mean_two_things() {
        let english = tutor_support::words::Words::of(tutor_support::words::ENGLISH);
        tutor_support::words::speaking(english, || {
            assert!(read("8,192", Form::spoken(None, None)).is_err());
            assert_eq!(read("8,192", Form::given(None, None)), Ok(8192.0));
            assert!(read(&"1".repeat(1000), Form::default()).is_err());
        });
    }

    #[test]
    fn two_significant_digits_are_enough_unless_more_are_asked_for() {
        let sixth = 1.0 / 6.0;
        assert!(rounds_to(sixth, 0.17, 2) && rounds_to(sixth, 0.167, 2) && rounds_to(sixth, 0.1667, 2));
        assert!(!rounds_to(sixth, 0.2, 2) && !rounds_to(sixth, 0.16, 2) && !rounds_to(sixth, 0.166, 2));
        assert!(!rounds_to(sixth, 0.17, 3) && rounds_to(sixth, 0.167, 3));
        assert!(rounds_to(1.0 / 12.0, 0.083, 2) && !rounds_to(1.0 / 12.0, 0.08, 2));
        assert!(rounds_to(1143.4, 1100.0, 2) && !rounds_to(1143.4, 1200.0, 2) && !rounds_to(1143.4, 1000.0, 2));
        // `0.2` is written with one digit, but compared with two: 0.20.
        assert!(!rounds_to(1.0, 0.98, 2) && rounds_to(9.96, 10.0, 2) && rounds_to(0.996, 1.0, 2));
        assert!(rounds_to(0.1999, 0.2, 2) && rounds_to(-0.1999, -0.2, 2) && !rounds_to(0.0, 0.0, 2));
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
