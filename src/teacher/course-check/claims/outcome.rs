//! The result for a claim, and the comparison of a claimed number with a found one.

use super::runs::NoRun;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    Held,
    /// The machine disagrees. The sentence gives the claimed and the found value.
    Failed(String),
    /// The recording is of another kernel. The sentence explains this.
    OfAnother(String),
    /// The claim could not be checked, for this reason.
    Skipped(String),
}

pub(super) type Judged = Result<Outcome, NoRun>;

/// True if two numbers differ by at most the relative tolerance `within`.
pub(super) fn close(claimed: f64, measured: f64, within: f64) -> bool {
    // The small tolerance allows for rounding in binary sums and quotients of whole numbers.
    (measured - claimed).abs() <= within.abs() * claimed.abs() + 1e-9 * claimed.abs().max(1.0)
}

/// Compares a number with the one that was `found`, for example by "the emulator counts".
pub(super) fn compare(claimed: f64, measured: f64, within: f64, what: &str, found: &str) -> Outcome {
    if close(claimed, measured, within) {
        return Outcome::Held;
    }
    let slack = if within > 0.0 { format!(" within {} %", short(within * 100.0)) } else { String::new() };
    Outcome::Failed(format!("The page claims {} {what}{slack}; {found} {}.", short(claimed), short(measured)))
}

/// Formats a number with at most four decimals.
pub(super) fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_close_within_the_relative_tolerance() {
        assert!(close(16.0, 16.3, 0.02) && !close(16.0, 16.4, 0.02));
        assert!(close(0.25, 0.25, 0.0) && !close(0.25, 0.2501, 0.0));
        assert_eq!((short(16.5), short(1.0), short(1.0 / 3.0)), ("16.5".into(), "1".into(), "0.3333".into()));
    }
}
