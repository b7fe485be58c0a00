//! Units that may follow a number, and their conversion to the requested unit.

use super::counted;
use super::normal::shorten;
use crate::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dimension {
    Bytes,
    BytesPerSecond,
    Flop,
    FlopPerSecond,
    FlopPerByte,
    Seconds,
    Hertz,
    Cycles,
    Share,
}

/// The names of each dimension. `FLOPS` comes before `FLOPs`, whose case does not matter.
const BASES: [(Dimension, &[&str]); 9] = [
    (Dimension::BytesPerSecond, &["bytes/s", "byte/s", "B/s", "바이트/초"]),
    (Dimension::FlopPerByte, &["FLOP/byte", "FLOPs/byte", "FLOP/B", "FLOPs/B", "FLOP/바이트", "플롭/바이트"]),
    (Dimension::FlopPerSecond, &["FLOP/s", "FLOPs/s", "FLOPS", "FLOP/초", "플롭스"]),
    (Dimension::Flop, &["FLOPs", "FLOP", "플롭"]),
    (Dimension::Bytes, &["bytes", "byte", "B", "바이트"]),
    (Dimension::Seconds, &["seconds", "s", "초"]),
    (Dimension::Hertz, &["Hz", "헤르츠"]),
    (Dimension::Cycles, &["cycles", "cycle", "clocks", "사이클", "클럭", "클록"]),
    (Dimension::Share, &["%", "percent", "per cent", "퍼센트", "프로"]),
];

const PREFIXES: [(f64, &[&str]); 12] = [
    (1.0, &[""]),
    (1024.0, &["Ki", "키비"]),
    (1_048_576.0, &["Mi", "메비"]),
    (1_073_741_824.0, &["Gi", "기비"]),
    (1_099_511_627_776.0, &["Ti"]),
    (1e3, &["k", "K", "킬로"]),
    (1e6, &["M", "메가"]),
    (1e9, &["G", "기가"]),
    (1e12, &["T", "테라"]),
    (1e-3, &["m", "밀리"]),
    (1e-6, &["u", "µ", "마이크로"]),
    (1e-9, &["n", "나노"]),
];

/// Units that many people use for powers of 1000 and of 1024. All but the first are ambiguous only where the question
/// asks for a power of 1024. A question that asks for `KB` means 1024 bytes, as CUDA's documentation does; `kB` are 1000.
const AMBIGUOUS: [(&str, &[&str]); 3] = [
    ("KiB", &["KB", "kb", "Kb", "킬로바이트"]),
    ("MiB", &["MB", "mb", "Mb", "메가바이트"]),
    ("GiB", &["GB", "gb", "Gb", "기가바이트"]),
];

/// Returns the factor from the typed unit to the requested one. `original` is the latter's name in the original's
/// language.
pub(super) fn scale(typed: &str, asked: Option<&str>, original: Option<&str>) -> Result<f64, Sentence> {
    let (asked, original) = (asked.map(str::trim).filter(|asked| !asked.is_empty()), original.map(str::trim));
    let factor = is_times(typed) && asked.is_none_or(is_times);
    if typed.is_empty() || factor || counted::counts(typed, asked, original) {
        return Ok(1.0);
    }
    let Some(asked) = asked else {
        return match known(typed) {
            Some((Dimension::Share, _)) => Ok(0.01),
            _ => Err(sentence!("mastery-unit-unknown", typed = shorten(typed))),
        };
    };
    let kilo = |unit: &str| AMBIGUOUS.iter().find(|(_, names)| names.contains(&unit)).map(|(binary, _)| *binary);
    let is = |name: &str| plain(typed) == plain(name) || kilo(name).is_some() && kilo(name) == kilo(typed);
    if is(asked) || original.is_some_and(is) {
        return Ok(1.0);
    }
    let not = || sentence!("mastery-unit-other", typed = shorten(typed), asked);
    let (dimension, to) = known(asked).ok_or_else(not)?;
    if dimension == Dimension::Bytes
        && let Some(binary) = kilo(typed)
        && (binary == "KiB" || to.log2().fract() == 0.0 && to > 1.0)
    {
        return Err(sentence!("mastery-unit-kilo", typed, binary, asked));
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

/// True if the unit marks a factor, as in `2x`.
pub(super) fn is_times(unit: &str) -> bool {
    matches!(plain(unit).as_str(), "배" | "time" | "x" | "×")
}

/// True if the unit measures a quantity. Others count things.
pub(super) fn is_measured(unit: &str) -> bool {
    known(unit).is_some()
}

/// Normalises a unit for comparison: no case, no white space, no plural.
pub(super) fn plain(unit: &str) -> String {
    let unit: String = unit.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
    unit.strip_suffix('s').filter(|rest| rest.len() > 1 && !rest.ends_with('/')).unwrap_or(&unit).to_owned()
}

fn known(unit: &str) -> Option<(Dimension, f64)> {
    let unit: String = unit.chars().filter(|c| !c.is_whitespace()).map(|c| if c == 'μ' { 'µ' } else { c }).collect();
    let unit = ["KiB", "MiB", "GiB", "TiB"]
        .iter()
        .find(|binary| binary.eq_ignore_ascii_case(&unit))
        .map_or(unit, |binary| (*binary).to_owned());
    let mut bases = BASES.iter().flat_map(|(dimension, names)| names.iter().map(|base| (*dimension, *base)));
    bases.find_map(|(dimension, base)| {
        let prefix = strip_base(&unit, base)?;
        let (scale, _) = PREFIXES.iter().find(|(_, names)| names.contains(&prefix))?;
        match dimension {
            Dimension::Share if !prefix.is_empty() => None,
            Dimension::Bytes if prefix == "K" => Some((dimension, 1024.0)),
            _ => Some((dimension, *scale)),
        }
    })
}

/// Returns the prefix before the base unit. The case of a long name such as `gflop/s` does not matter; the case of a
/// symbol does.
fn strip_base<'a>(unit: &'a str, base: &str) -> Option<&'a str> {
    let at = unit.len().checked_sub(base.len())?;
    let (prefix, end) = (unit.get(..at)?, unit.get(at..)?);
    let same = if base.len() > 3 && base != "FLOPS" { end.eq_ignore_ascii_case(base) } else { end == base };
    same.then_some(prefix)
}
