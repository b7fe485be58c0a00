//! Numbers that an option takes only within bounds.

/// Reads a number of `what` from `least` to `most`; a refusal says so.
pub(super) fn between(
    what: &'static str,
    least: f64,
    most: f64,
) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    move |text: &str| {
        let number = text.trim().parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("it takes {what} from {least} to {most}"))
    }
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn what_is_no_number_or_beyond_the_bounds_is_refused_with_them() {
        let seconds = between("seconds", 0.0, 3600.0);
        assert_eq!([seconds("0"), seconds("3600"), seconds(" 1e-3 ")], [Ok(0.0), Ok(3600.0), Ok(0.001)]);
        for wrong in ["-1", "3600.1", "nan", "inf", "", "two"] {
            assert_eq!(seconds(wrong).unwrap_err(), "it takes seconds from 0 to 3600", "{wrong}");
        }
    }
}
