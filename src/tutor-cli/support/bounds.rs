//! Parsers for numeric options with bounds.

use tutor_kernels::MAX_EXTENT;

/// Returns a parser for a number of `what` from `least` to `most`. Its error message names the bounds.
pub(crate) fn between(
    what: &'static str,
    least: f64,
    most: f64,
) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    move |text: &str| {
        let number = text.trim().parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("it takes {what} from {least} to {most}"))
    }
}

/// Returns a parser for a whole number from `least` to `most`. Its error message names the bounds. Give the option
/// `allow_negative_numbers`; otherwise clap parses a minus as another option.
pub(crate) fn whole(least: u32, most: u32) -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync + 'static {
    move |text: &str| {
        let number = text.trim().parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("it takes a whole number from {least} to {most}"))
    }
}

/// Parses up to three extents, `X,Y,Z`. Missing ones are 1.
pub(crate) fn extent(text: &str) -> Result<[u32; 3], String> {
    let mut extent = [1u32; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("it takes at most three numbers: X,Y,Z".to_owned());
    }
    for (out, part) in extent.iter_mut().zip(parts) {
        *out = part.trim().parse().map_err(|_| format!("it takes numbers, and `{part}` is not a number"))?;
    }
    Ok(extent)
}

/// Parses a number of bytes, with an optional suffix K, M or G.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let (digits, shift) = match text.chars().last().map(|unit| unit.to_ascii_uppercase()) {
        Some('K') => (&text[..text.len() - 1], 10),
        Some('M') => (&text[..text.len() - 1], 20),
        Some('G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number: Option<u64> = digits.parse().ok();
    let bytes = number.and_then(|number| number.checked_mul(1 << shift)).filter(|bytes| *bytes >= 1 << 20);
    bytes.ok_or_else(|| "it takes a number of bytes, 1M or more, such as 512M or 8G".to_owned())
}

/// Parses the extent of a matrix, or the number of products.
pub(crate) fn size(text: &str) -> Result<u32, String> {
    whole(1, MAX_EXTENT)(text)
}

#[cfg(test)]
mod tests {
    use super::{between, bytes, size};

    #[test]
    fn bytes_have_a_suffix() {
        let all = ["1M", "2g", "1048576", " 512M "].map(bytes);
        assert_eq!(all, [1 << 20, 2 << 30, 1 << 20, 512 << 20].map(Ok));
        for wrong in ["", "M", "1", "-1M", "1.5G", "17179869184G", "1é"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_size_is_a_whole_number_that_a_kernel_can_index() {
        assert_eq!((size("1"), size(" 4096 ")), (Ok(1), Ok(4096)));
        for wrong in ["-5", "0", "1.5", "many", "", "1073741825", "4294967296"] {
            assert_eq!(size(wrong).unwrap_err(), "it takes a whole number from 1 to 1073741824", "{wrong}");
        }
    }

    #[test]
    fn what_is_no_number_or_beyond_the_bounds_is_refused_with_them() {
        let seconds = between("seconds", 0.0, 3600.0);
        assert_eq!([seconds("0"), seconds("3600"), seconds(" 1e-3 ")], [Ok(0.0), Ok(3600.0), Ok(0.001)]);
        for wrong in ["-1", "3600.1", "nan", "inf", "", "two"] {
            assert_eq!(seconds(wrong).unwrap_err(), "it takes seconds from 0 to 3600", "{wrong}");
        }
    }
}
