//! What grading takes for the same answer, for those who check a course.

use super::{number, text, tokens};

/// Whether two short texts are the same answer.
pub fn same_text(a: &str, b: &str) -> bool {
    text::normal(a) == text::normal(b)
}

/// Whether a number is as good as the expected one, within a relative tolerance.
pub fn same_number(typed: f64, expected: f64, tolerance: f64) -> bool {
    number::equal(typed, expected, tolerance)
}

/// Whether two fillings of a blank are the same code.
pub fn same_code(a: &str, b: &str) -> bool {
    tokens::same(a, b)
}
