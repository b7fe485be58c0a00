//! Units that may follow a number, and their conversion to the requested unit.

use super::korean;
use super::normal::shorten;
use tutor_base::sentence;
use tutor_base::words::Sentence;

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

const BASES: [(&str, Dimension); 23] = [
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
    ("바이트/초", Dimension::BytesPerSecond),
    ("FLOP/바이트", Dimension::FlopPerByte),
    ("FLOP/초", Dimension::FlopPerSecond),
    ("바이트", Dimension::Bytes),
    ("초", Dimension::Seconds),
];

const PREFIXES: [(&str, f64); 22] = [
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
    ("키비", 1024.0),
    ("메비", 1_048_576.0),
    ("기비", 1_073_741_824.0),
    ("메가", 1e6),
    ("기가", 1e9),
    ("테라", 1e12),
    ("밀리", 1e-3),
    ("마이크로", 1e-6),
    ("나노", 1e-9),
];

/// Returns the factor from the typed unit to the requested one. `original` is the latter's name in the original's
/// language.
pub(super) fn scale(typed: &str, asked: Option<&str>, original: Option<&str>) -> Result<f64, Sentence> {
    if typed.is_empty() {
        return Ok(1.0);
    }
    let Some(asked) = asked.map(str::trim).filter(|asked| !asked.is_empty()) else {
        return match typed {
            "%" | "퍼센트" => Ok(0.01),
            _ if korean::is_counter(typed) => Ok(1.0),
            _ => Err(sentence!("mastery-unit-unknown", typed = shorten(typed))),
        };
    };
    if plain(typed) == plain(asked) || original.is_some_and(|original| plain(typed) == plain(original)) {
        return Ok(1.0);
    }
    // Any counter may follow a number of things, but not a measured quantity.
    if korean::is_counter(typed) && known(asked).is_none() && asked != "%" {
        return Ok(1.0);
    }
    let not = || sentence!("mastery-unit-other", typed = shorten(typed), asked = asked);
    let (dimension, to) = known(asked).ok_or_else(not)?;
    if matches!(dimension, Dimension::Bytes) && matches!(typed, "KB" | "kb" | "Kb" | "킬로바이트") {
        return Err(sentence!("mastery-unit-kilo", typed = typed, asked = asked));
    }
    match known(typed) {
        Some((same, from)) if same == dimension => Ok(from / to),
        _ => Err(not()),
    }
}

/// Returns the part of a unit that makes an answer correct: dimension and size. It is empty for the name of counted
/// things.
pub(super) fn measure(unit: &str) -> String {
    known(unit).map_or_else(String::new, |(dimension, scale)| format!("{dimension:?} {scale}"))
}

/// Normalises a unit for comparison: no case, no white space, no plural.
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

/// Returns the prefix before the base unit. The case of a long name such as `gflop/s` does not matter; the case of a
/// symbol does.
fn strip_base<'a>(unit: &'a str, base: &str) -> Option<&'a str> {
    let at = unit.len().checked_sub(base.len())?;
    let (prefix, end) = (unit.get(..at)?, unit.get(at..)?);
    let same = if base.len() > 3 && base != "FLOPS" { end.eq_ignore_ascii_case(base) } else { end == base };
    same.then_some(prefix)
}

#[cfg(test)]
mod tests {
    use super::super::number::{self, Form};
    use tutor_base::words::Sentence;

    fn read(text: &str, unit: Option<&str>) -> Result<f64, Sentence> {
        number::read(text, Form { unit, ..Form::default() })
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
            ("8 apples", "bytes", "asks for bytes"),
            ("8 ms", "bytes", "asks for bytes"),
            ("8 sectors", "wavefronts", "asks for wavefronts"),
        ] {
            let error = read(text, Some(unit)).expect_err(text);
            assert!(error.to_string().contains(says), "{text}: {error}");
        }
    }
}
