/*! Numbers as people type them.

Accepted are `8192`, `8 192`, `8_192`, `1,048,576`, `0,25`, `8e3`, `2^13`, `2**13`, `3/4`, `64 × 64`, `10 x 63 + 7`, and `8 KiB` if the
answer is in bytes. Korean also has `3만 2768`, `1억`, `16개`, `16입니다`, `6분의 1`, `육백삼십`, `630블록`, `630개가 필요합니다`.
An ambiguous text (`8,192`, `8 KB`) is an error, whose sentence explains what to type. In Korean `8,192` is not ambiguous.

Typed numbers are parsed by the rules of the current language ([`Form::spoken`]). Grading does not depend on the language
([`Form::given`]).
*/

use super::normal::{narrow, shorten};
use super::unit::scale;
use super::{korean, korean_number};
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
    let text: String =
        text.chars().map(narrow).map(|c| if matches!(c, '\u{2212}' | '\u{2013}') { '-' } else { c }).collect();
    let text = korean::without_beginning(text.trim(), form.unit);
    if text.is_empty() {
        return Err(sentence!("mastery-type-a-number"));
    }
    let mut reader = Reader { rest: text, thousands: form.thousands };
    let value = reader.sum()?;
    let behind = korean::without_verb(reader.rest.trim());
    let scale = match scale(behind, form.unit, form.original) {
        // The ending of a sentence is not a unit: `16입니다`, `128바이트예요`.
        Err(told) => korean::without_endings(behind)
            .iter()
            .find_map(|unit| scale(unit, form.unit, form.original).ok())
            .ok_or(told)?,
        Ok(scale) => scale,
    };
    let value = value * scale;
    if value.is_finite() { Ok(value) } else { Err(sentence!("mastery-number-infinite", typed = text)) }
}

/// Formats a number for authors: in full if that is short, otherwise with four digits.
pub(super) fn for_authors(value: f64) -> String {
    let whole = value.to_string();
    if whole.len() <= 12 { whole } else { tutor_support::figures::significant(value) }
}

/// True if a typed number is the expected one. With a tolerance of 0 it must be exact, except for rounding errors of
/// binary fractions.
pub(super) fn equal(typed: f64, expected: f64, tolerance: f64) -> bool {
    let whole = typed.fract() == 0.0 && expected.fract() == 0.0;
    let slack = if whole { tolerance } else { tolerance.max(1e-9) };
    typed == expected || (typed - expected).abs() <= slack * expected.abs()
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
    (typed - expected).abs() <= 0.5 * unit * (1.0 + 1e-9)
}

struct Reader<'a> {
    rest: &'a str,
    /// True if a comma before three digits always separates thousands.
    thousands: bool,
}

impl Reader<'_> {
    fn sum(&mut self) -> Result<f64, Sentence> {
        let mut value = self.product()?;
        while self.eat(&["+"]) {
            value += self.product()?;
        }
        Ok(value)
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

    fn read(text: &str, unit: Option<&str>) -> Result<f64, Sentence> {
        super::read(text, Form { unit, ..Form::default() })
    }

    #[test]
    fn in_korean_a_number_has_myriads_counters_and_commas_that_part_thousands() {
        for (value, texts) in [
            (65_536.0, &["6만5536", "6만 5536", "6만 5,536", "6만 5천 536"][..]),
            (65_000.0, &["6만 5천"]),
            (32_768.0, &["3만2천7백6십8"]),
            (134_217_728.0, &["1억 3421만 7728"]),
            (134_000_000.0, &["1억 3천4백만"]),
            (15_000.0, &["1.5만"]),
            (150_000_000.0, &["1.5억"]),
            (8000.0, &["8천"]),
            (2e12, &["2조"]),
            (10_240_000.0, &["1,024만"]),
            (10_000.0, &["1만개", "1만 개", "만 개"]),
            (16.0, &["16개", "16 개입니다.", "16입니다", "16이에요"]),
            (8.0, &["8번", "8배"]),
            (8192.0, &["８，１９２개", "8,192"]),
            (128.0, &["１２８"]),
            (-30_000.0, &["-3만"]),
            (60_000.0, &["2 * 3만"]),
            (0.25, &["25퍼센트", "25%입니다"]),
        ] {
            for text in texts {
                assert_eq!(super::read(text, Form { thousands: true, ..Form::default() }), Ok(value), "{text}");
            }
        }
        for text in ["개", "16만 3만", "3만 32768", "3천 2천", "16사과", "16개 17개", "5억 3조", "을", "1만 2 3"]
        {
            let read = super::read(text, Form { thousands: true, ..Form::default() });
            assert!(read.is_err(), "{text}: {read:?}");
        }
    }

    #[test]
    fn a_unit_may_be_named_in_either_language() {
        let read = |text, unit, original| {
            super::read(text, Form { unit: Some(unit), original: Some(original), thousands: true })
        };
        for (unit, original, read_as) in [
            (
                "바이트",
                "bytes",
                &[("128바이트", 128.0), ("128 bytes", 128.0), ("1 KiB", 1024.0), ("2KiB입니다", 2048.0)][..],
            ),
            ("bytes", "bytes", &[("128 바이트입니다", 128.0)]),
            ("웨이브프론트", "wavefronts", &[("8 웨이브프론트", 8.0), ("8웨이브프론트입니다", 8.0), ("8개", 8.0)]),
            ("웨이브프론트", "wavefronts", &[("8 wavefronts", 8.0), ("8 wavefront", 8.0), ("웨이브프론트 8개", 8.0)]),
            ("섹터", "sectors", &[("섹터 4", 4.0), ("약 4개", 4.0)]),
            ("초", "seconds", &[("3밀리초", 0.003)]),
            ("마이크로초", "µs", &[("500 나노초", 0.5)]),
            ("GFLOP/s", "GFLOP/s", &[("2 GFLOP/s", 2.0)]),
        ] {
            for (text, value) in read_as {
                let found = read(text, unit, original).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert!((found - value).abs() < 1e-9 * value, "{text} in {unit}: {found}");
            }
        }
        for (text, unit, original) in [
            ("8섹터", "웨이브프론트", "wavefronts"),
            ("8 sectors", "웨이브프론트", "wavefronts"),
            ("8개", "바이트", "bytes"),
            ("섹터 8", "웨이브프론트", "wavefronts"),
            ("8 킬로바이트", "바이트", "bytes"),
        ] {
            assert!(read(text, unit, original).is_err(), "{text}");
        }
    }

    #[test]
    fn english_says_as_before_what_could_mean_two_things() {
        let english = tutor_support::words::Words::of(tutor_support::words::ENGLISH);
        tutor_support::words::speaking(english, || {
            assert!(super::read("8,192", Form::spoken(None, None)).is_err());
            assert_eq!(super::read("8,192", Form::given(None, None)), Ok(8192.0));
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
        assert!(rounds_to(0.1999, 0.2, 2) && rounds_to(-0.1999, -0.2, 2) && !rounds_to(0.0, 0.0, 2));
    }

    #[test]
    fn people_may_type_a_number_as_they_are_used_to() {
        for (value, texts) in [
            (8192.0, &["8192", " 8 192 ", "8\u{a0}192", "8_192", "8'192", "８１９２"][..]),
            (8192.0, &["8.192E+3", "2^13", "2**13", "8.192 * 10^3"]),
            (1_048_576.0, &["1,048,576"]),
            (8192.5, &["8,192.5"]),
            (1_048_576.5, &["1 048 576,5"]),
            (0.25, &["0,25", ".25", "2 ^ -2", "25 %"]),
            (0.125, &["0,125"]),
            (12.5, &["12,5"]),
            (5.0, &["5."]),
            (8000.0, &["8e3"]),
            (0.001, &["1e-3"]),
            (0.75, &["3/4"]),
            (4096.0, &["64 × 64"]),
            (-7.0, &["-7", "\u{2212}7"]),
            (7.0, &["+7"]),
        ] {
            for text in texts {
                assert_eq!(read(text, None), Ok(value), "{text}");
            }
        }
    }

    #[test]
    fn what_means_two_things_or_nothing_is_said_and_not_guessed() {
        for (says, texts) in [
            ("8192 or 8.192", &["8,192"][..]),
            ("12192 or 12.192", &["12,192"]),
            ("more than one number", &["8 19", "8 192 1"]),
            ("not a number", &["1.2.3", "1,2,3", ",", "8,", "eight", "nan", "inf", "--3"]),
            ("Type a number", &["", "  "]),
            ("divides by zero", &["1/0"]),
            ("not a finite number", &["9e999", "10^400"]),
            ("Type only the number", &["8 wavefronts", "8 +", "0x20"]),
        ] {
            for text in texts {
                let error = read(text, None).expect_err(text);
                assert!(error.to_string().contains(says), "{text}: {error}");
            }
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
