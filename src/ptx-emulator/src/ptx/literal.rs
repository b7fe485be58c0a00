//! Number literals.

use super::ast::{At, Operand};
use crate::LoadError;

/// Parses a word that starts with a digit.
pub(crate) fn number<'a>(word: &str, at: At) -> Result<Operand<'a>, LoadError> {
    let wrong = || at.parse(format!("`{word}` is not a number"));
    let lower = |prefix: &str| word.get(..2).filter(|p| p.eq_ignore_ascii_case(prefix)).and(word.get(2..));
    if let Some(hex) = lower("0f").filter(|hex| hex.len() == 8) {
        return u32::from_str_radix(hex, 16).map(Operand::F32).map_err(|_| wrong());
    }
    if let Some(hex) = lower("0d").filter(|hex| hex.len() == 16) {
        return u64::from_str_radix(hex, 16).map(Operand::F64).map_err(|_| wrong());
    }
    let digits = word.strip_suffix(['U', 'u']).unwrap_or(word);
    let parse = |digits: &str, radix| u64::from_str_radix(digits, radix).map(Operand::Int).map_err(|_| wrong());
    if let Some(hex) = lower("0x") {
        return parse(hex.strip_suffix(['U', 'u']).unwrap_or(hex), 16);
    }
    if let Some(binary) = lower("0b") {
        return parse(binary.strip_suffix(['U', 'u']).unwrap_or(binary), 2);
    }
    if word.contains(['.', 'e', 'E']) {
        return word.parse::<f64>().map(|value| Operand::F64(value.to_bits())).map_err(|_| wrong());
    }
    if digits.len() > 1 && digits.starts_with('0') {
        return parse(digits, 8);
    }
    parse(digits, 10)
}

pub(crate) fn negative(number: Operand<'_>) -> Operand<'_> {
    match number {
        Operand::Int(value) => Operand::Int(value.wrapping_neg()),
        Operand::F32(bits) => Operand::F32(bits ^ 1 << 31),
        Operand::F64(bits) => Operand::F64(bits ^ 1 << 63),
        other => other,
    }
}
