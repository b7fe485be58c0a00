/*! Numbers as people type them.

Accepted: `8192`, `8 192`, `8_192`, `1,048,576`, `0,25`, `8e3`, `2^13`, `2**13`, `3/4`, `64 × 64`,
`8 KiB` where bytes are asked. What could mean two things (`8,192`, `8 KB`) is not guessed: the
sentence says how to write it.
*/

/// Longest text read as a number, in bytes.
const MAX_LENGTH: usize = 200;

/// Reads `text` as a number in `unit`.
///
/// # Errors
/// A sentence that says why it is not one, and what to type.
pub(super) fn read(text: &str, unit: Option<&str>) -> Result<f64, String> {
    if text.len() > MAX_LENGTH {
        return Err(format!("A number has at most {MAX_LENGTH} characters."));
    }
    let text = text.replace(['\u{2212}', '\u{2013}'], "-");
    let text = text.trim();
    if text.is_empty() {
        return Err("Type a number.".into());
    }
    let mut reader = Reader { rest: text };
    let value = reader.product()?;
    let scale = scale(reader.rest.trim(), unit)?;
    let value = value * scale;
    if value.is_finite() { Ok(value) } else { Err(format!("`{text}` is not a finite number.")) }
}

/// Whether a typed number is the expected one. A tolerance of 0 asks for the exact number,
/// but forgives what binary fractions lose.
pub(super) fn equal(typed: f64, expected: f64, tolerance: f64) -> bool {
    let whole = typed.fract() == 0.0 && expected.fract() == 0.0;
    let slack = if whole { tolerance } else { tolerance.max(1e-9) };
    typed == expected || (typed - expected).abs() <= slack * expected.abs()
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
                    return Err("This divides by zero.".into());
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
            return Err(format!("`{}` is not a number.", shorten(self.rest)));
        }
        self.rest = after;
        let (mantissa, exponent) = match written.find(['e', 'E']) {
            Some(at) => written.split_at(at),
            None => (written, ""),
        };
        let plain = ungroup(mantissa)? + exponent;
        plain.parse().map_err(|_| format!("`{}` is not a number.", shorten(written)))
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
    let not = || format!("`{}` is not a number.", shorten(written));
    let joined: String = written.chars().filter(|c| !matches!(c, '_' | '\'' | '’')).collect();
    let spaced: Vec<&str> = joined.split_whitespace().collect();
    if spaced.len() > 1 && !grouped(&spaced) {
        return Err(format!("`{}` is more than one number. Type one, without spaces.", shorten(written)));
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
                return Err(format!(
                    "`{joined}` can be read as {whole}{part} or as {whole}.{part}. \
                     Type it without a comma, with a point before decimals."
                ));
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

/// What a dimension measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dimension {
    Bytes,
    BytesPerSecond,
    Flop,
    FlopPerSecond,
    FlopPerByte,
    Seconds,
    Hertz,
}

const BASES: [(&str, Dimension); 18] = [
    ("bytes/s", Dimension::BytesPerSecond),
    ("byte/s", Dimension::BytesPerSecond),
    ("B/s", Dimension::BytesPerSecond),
    ("FLOP/byte", Dimension::FlopPerByte),
    ("FLOPs/byte", Dimension::FlopPerByte),
    ("FLOP/B", Dimension::FlopPerByte),
    ("FLOPs/B", Dimension::FlopPerByte),
    ("FLOP/s", Dimension::FlopPerSecond),
    ("FLOPs/s", Dimension::FlopPerSecond),
    ("FLOPS", Dimension::FlopPerSecond),
    ("FLOPs", Dimension::Flop),
    ("FLOP", Dimension::Flop),
    ("bytes", Dimension::Bytes),
    ("byte", Dimension::Bytes),
    ("B", Dimension::Bytes),
    ("seconds", Dimension::Seconds),
    ("s", Dimension::Seconds),
    ("Hz", Dimension::Hertz),
];

const PREFIXES: [(&str, f64); 13] = [
    ("", 1.0),
    ("Ki", 1024.0),
    ("Mi", 1_048_576.0),
    ("Gi", 1_073_741_824.0),
    ("Ti", 1_099_511_627_776.0),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("T", 1e12),
    ("m", 1e-3),
    ("u", 1e-6),
    ("µ", 1e-6),
    ("n", 1e-9),
];

/// The factor from the unit that was typed to the one that was asked for.
fn scale(typed: &str, asked: Option<&str>) -> Result<f64, String> {
    if typed.is_empty() {
        return Ok(1.0);
    }
    let Some(asked) = asked.map(str::trim).filter(|asked| !asked.is_empty()) else {
        return match typed {
            "%" => Ok(0.01),
            _ => Err(format!("`{}` is not understood here. Type the number alone.", shorten(typed))),
        };
    };
    if plain(typed) == plain(asked) {
        return Ok(1.0);
    }
    let not =
        || format!("`{}` is not understood. The answer is asked in {asked}; type the number alone.", shorten(typed));
    let (dimension, to) = known(asked).ok_or_else(not)?;
    if matches!(dimension, Dimension::Bytes) && matches!(typed, "KB" | "kb" | "Kb") {
        return Err(format!(
            "`{typed}` can be 1000 or 1024 bytes. Type `kB` for 1000, `KiB` for 1024, or the number in {asked}."
        ));
    }
    match known(typed) {
        Some((same, from)) if same == dimension => Ok(from / to),
        _ => Err(not()),
    }
}

/// For comparing spellings: no case, no white space, no plural.
fn plain(unit: &str) -> String {
    let unit: String = unit.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
    unit.strip_suffix('s').filter(|rest| rest.len() > 1 && !rest.ends_with('/')).unwrap_or(&unit).to_owned()
}

fn known(unit: &str) -> Option<(Dimension, f64)> {
    let unit: String = unit.chars().filter(|c| !c.is_whitespace()).map(|c| if c == 'μ' { 'µ' } else { c }).collect();
    let unit = ["KiB", "MiB", "GiB", "TiB"]
        .iter()
        .find(|binary| binary.eq_ignore_ascii_case(&unit))
        .map_or(unit, |binary| (*binary).to_owned());
    for (base, dimension) in BASES {
        if let Some(prefix) = strip_base(&unit, base)
            && let Some((_, scale)) = PREFIXES.iter().find(|(known, _)| *known == prefix)
        {
            return Some((dimension, *scale));
        }
    }
    None
}

/// What stands before the base unit. Long names may be in any case (`gflop/s`), symbols of one letter not.
fn strip_base<'a>(unit: &'a str, base: &str) -> Option<&'a str> {
    let at = unit.len().checked_sub(base.len())?;
    let (prefix, end) = (unit.get(..at)?, unit.get(at..)?);
    let same = if base.len() > 3 && base != "FLOPS" { end.eq_ignore_ascii_case(base) } else { end == base };
    same.then_some(prefix)
}

fn shorten(text: &str) -> String {
    let text: String = text.trim().chars().filter(|c| !c.is_control()).collect();
    if text.chars().count() <= 24 { text } else { text.chars().take(23).collect::<String>() + "…" }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_unit_may_be_typed_and_is_converted() {
        for (text, unit, value) in [
            ("8 KiB", "bytes", 8192.0),
            ("8kib", "B", 8192.0),
            ("8 kB", "bytes", 8000.0),
            ("8192 B", "KiB", 8.0),
            ("8 bytes", "bytes", 8.0),
            ("1 byte", "bytes", 1.0),
            ("8 wavefronts", "wavefronts", 8.0),
            ("1 wavefront", "wavefronts", 1.0),
            ("8 Wavefronts", "wavefronts", 8.0),
            ("2 TFLOP/s", "GFLOP/s", 2000.0),
            ("2000 gflop/s", "GFLOP/s", 2000.0),
            ("2000 GFLOPS", "GFLOP/s", 2000.0),
            ("1/4 FLOP/byte", "FLOP/byte", 0.25),
            ("0.25 FLOP/B", "FLOP/byte", 0.25),
            ("3 μs", "ms", 0.003),
            ("4.29 TB/s", "GB/s", 4290.0),
            ("25 %", "%", 25.0),
            ("25", "%", 25.0),
            ("64 FLOPs", "FLOP", 64.0),
        ] {
            let read = read(text, Some(unit)).expect(text);
            assert!((read - value).abs() < 1e-9 * value, "{text} in {unit}: {read}");
        }
        for (text, unit, says) in [
            ("8 KB", "bytes", "1000 or 1024"),
            ("8 apples", "bytes", "asked in bytes"),
            ("8 ms", "bytes", "asked in bytes"),
            ("8 sectors", "wavefronts", "asked in wavefronts"),
        ] {
            let error = read(text, Some(unit)).expect_err(text);
            assert!(error.contains(says), "{text}: {error}");
        }
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
