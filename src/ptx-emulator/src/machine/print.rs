//! Output of `printf` in kernels.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Maximum number of bytes that a launch prints: the default of a GPU.
const MAX_BYTES: usize = 1 << 20;
/// Maximum width of a field.
const MAX_WIDTH: usize = 4096;

/// Output of a launch: the calls in the order of the blocks, up to the first that does not fit. The order in which
/// blocks run does not change which calls are kept.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    blocks: BTreeMap<u64, Vec<Box<str>>>,
    bytes: usize,
    /// The block of the first call that did not fit, and the number of dropped calls.
    cut: Option<u64>,
    dropped: u64,
}

impl Printed {
    /// Returns the number of bytes that a call of the block may print.
    pub(super) fn capacity(&self, block: u64) -> usize {
        if self.cut.is_some_and(|cut| block >= cut) { 0 } else { MAX_BYTES }
    }

    /// Adds the text of a call; `None` if it was too long.
    pub(super) fn add(&mut self, block: u64, text: Option<String>) {
        let text = match text {
            Some(text) if text.is_empty() => return,
            Some(text) if text.len() <= self.capacity(block) => text,
            _ => {
                self.dropped += 1;
                if self.cut.is_none_or(|cut| block < cut) {
                    self.cut = Some(block);
                    let behind = self.blocks.split_off(&(block + 1));
                    let behind: Vec<usize> = behind.values().flatten().map(|text| text.len()).collect();
                    self.bytes -= behind.iter().sum::<usize>();
                    self.dropped += behind.len() as u64;
                }
                return;
            }
        };
        self.bytes += text.len();
        self.blocks.entry(block).or_default().push(text.into());
        while self.bytes > MAX_BYTES
            && let Some(mut last) = self.blocks.last_entry()
        {
            match last.get_mut().pop() {
                None => drop(last.remove()),
                Some(text) => {
                    self.bytes -= text.len();
                    self.dropped += 1;
                    self.cut = Some(*last.key());
                }
            }
        }
    }

    /// Returns the whole output, block after block.
    pub(crate) fn text(&self) -> String {
        let mut all: String = self.blocks.values().flatten().map(|text| &**text).collect();
        if self.dropped != 0 {
            if !all.is_empty() && !all.ends_with('\n') {
                all.push('\n');
            }
            let _ = writeln!(all, "[{} more calls of printf: only {MAX_BYTES} bytes are kept]", self.dropped);
        }
        all
    }
}

/// One conversion of a format.
#[derive(Debug, Default)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    long: bool,
}

/// Renders a format with its values. Returns the text, or `None` if it is longer than `capacity`, and the number of values.
/// `value` returns the next value, of 4 or 8 bytes.
pub(super) fn render(
    format: &[u8],
    capacity: usize,
    value: &mut dyn FnMut(u64) -> u64,
    string: &dyn Fn(u64) -> Option<Vec<u8>>,
) -> (Option<String>, u32) {
    let mut out: Vec<u8> = Vec::new();
    let mut count = 0;
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut how = Conversion::default();
        let mut number: Option<usize> = None;
        let mut in_precision = false;
        let kind = loop {
            match rest.next() {
                Some(b'-') => how.left = true,
                Some(b'+') => how.plus = true,
                Some(b' ') => how.space = true,
                Some(b'#') => how.alternate = true,
                Some(b'0') if number.is_none() && !in_precision => how.zero = true,
                Some(digit @ b'0'..=b'9') => {
                    number = Some((10 * number.unwrap_or(0) + usize::from(digit - b'0')).min(MAX_WIDTH));
                }
                Some(b'*') => {
                    count += 1;
                    number = Some((value(4) as u32 as usize).min(MAX_WIDTH));
                }
                Some(b'.') => {
                    how.width = number.take().unwrap_or(0);
                    in_precision = true;
                }
                Some(b'l' | b'j' | b'z' | b't') => how.long = true,
                Some(b'h') => {}
                kind => break kind,
            }
        };
        if in_precision {
            how.precision = Some(number.unwrap_or(0));
        } else {
            how.width = number.unwrap_or(0);
        }
        match kind {
            Some(b'%') => out.push(b'%'),
            Some(
                kind @ (b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b's' | b'p' | b'f' | b'F' | b'e' | b'E' | b'g'
                | b'G' | b'a' | b'A'),
            ) => {
                count += 1;
                let wide =
                    how.long || matches!(kind, b's' | b'p' | b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A');
                let bits = value(if wide { 8 } else { 4 });
                if out.len() <= capacity {
                    out.extend_from_slice(&how.text(kind, bits, string));
                }
            }
            Some(other) => out.extend_from_slice(&[b'%', other]),
            None => out.push(b'%'),
        }
    }
    let text = (out.len() <= capacity).then(|| String::from_utf8_lossy(&out).into_owned());
    (text, count)
}

impl Conversion {
    fn text(&self, kind: u8, bits: u64, string: &dyn Fn(u64) -> Option<Vec<u8>>) -> Vec<u8> {
        let signed = if self.long { bits as i64 } else { i64::from(bits as i32) };
        let (sign, prefix, digits) = match kind {
            b'c' => return self.padded("", "", &[bits as u8], false),
            b's' => {
                let mut bytes = string(bits).unwrap_or_else(|| b"(null)".to_vec());
                bytes.truncate(self.precision.unwrap_or(bytes.len()));
                return self.padded("", "", &bytes, false);
            }
            b'd' | b'i' => (self.sign(signed < 0), "", self.least_digits(signed.unsigned_abs().to_string())),
            b'u' => ("", "", self.least_digits(bits.to_string())),
            b'o' => ("", if self.alternate { "0" } else { "" }, self.least_digits(format!("{bits:o}"))),
            b'x' => ("", if self.alternate && bits != 0 { "0x" } else { "" }, self.least_digits(format!("{bits:x}"))),
            b'X' => ("", if self.alternate && bits != 0 { "0X" } else { "" }, self.least_digits(format!("{bits:X}"))),
            b'p' => ("", "0x", format!("{bits:x}")),
            _ => return self.float(kind, f64::from_bits(bits)),
        };
        let zeros = self.zero && self.precision.is_none();
        self.padded(sign, prefix, digits.as_bytes(), zeros)
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            _ => "",
        }
    }

    fn least_digits(&self, digits: String) -> String {
        match self.precision {
            Some(0) if digits == "0" => String::new(),
            Some(least) => format!("{}{digits}", "0".repeat(least.saturating_sub(digits.len()))),
            None => digits,
        }
    }

    fn float(&self, kind: u8, value: f64) -> Vec<u8> {
        let size = value.abs();
        let precision = self.precision.unwrap_or(6);
        let digits = match kind.to_ascii_lowercase() {
            _ if value.is_nan() => "nan".to_owned(),
            _ if value.is_infinite() => "inf".to_owned(),
            b'f' => format!("{size:.precision$}"),
            b'e' => exponential(size, precision),
            b'a' => hexadecimal(size, self.precision),
            _ => self.general(size, precision.max(1)),
        };
        let digits = if kind.is_ascii_uppercase() { digits.to_ascii_uppercase() } else { digits };
        let negative = value.is_sign_negative() && !value.is_nan();
        self.padded(self.sign(negative), "", digits.as_bytes(), self.zero && value.is_finite())
    }

    /// Renders `%g`: the shorter of `%e` and `%f`, without trailing zeros.
    fn general(&self, size: f64, precision: usize) -> String {
        let scientific = exponential(size, precision - 1);
        let exponent: i32 = scientific.rsplit('e').next().and_then(|e| e.parse().ok()).unwrap_or(0);
        let trim = |text: &str| match text.contains('.') && !self.alternate {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text.to_owned(),
        };
        if exponent < -4 || exponent >= precision as i32 {
            let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "+00"));
            format!("{}e{exponent}", trim(mantissa))
        } else {
            trim(&format!("{size:.*}", (precision as i32 - 1 - exponent).max(0) as usize))
        }
    }

    fn padded(&self, sign: &str, prefix: &str, body: &[u8], zeros: bool) -> Vec<u8> {
        let fill = self.width.saturating_sub(sign.len() + prefix.len() + body.len());
        let (spaces, zeros) = if zeros && !self.left { (0, fill) } else { (fill, 0) };
        let mut out = Vec::with_capacity(self.width.max(body.len()) + 4);
        if !self.left {
            out.resize(spaces, b' ');
        }
        out.extend_from_slice(sign.as_bytes());
        out.extend_from_slice(prefix.as_bytes());
        out.resize(out.len() + zeros, b'0');
        out.extend_from_slice(body);
        if self.left {
            out.resize(out.len() + spaces, b' ');
        }
        out
    }
}

/// Formats as `d.ddde±dd`, with at least two exponent digits.
fn exponential(size: f64, precision: usize) -> String {
    let text = format!("{size:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// Formats as `0x1.8p+1`.
fn hexadecimal(size: f64, precision: Option<usize>) -> String {
    let bits = size.to_bits();
    let (mut exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let mut lead = u64::from(exponent != 0);
    exponent = if bits == 0 { 0 } else { exponent.max(1) - 1023 };
    let mut digits = format!("{fraction:013x}");
    match precision {
        None => digits.truncate(digits.trim_end_matches('0').len()),
        Some(kept) if kept < 13 => {
            // Round to nearest, ties to even.
            let drop = 52 - 4 * kept as u32;
            let whole = lead << 52 | fraction;
            let (mut up, rest) = (whole >> drop, whole & ((1 << drop) - 1));
            up += u64::from(rest > 1 << (drop - 1) || (rest == 1 << (drop - 1) && up & 1 == 1));
            lead = up >> (4 * kept);
            digits = if kept == 0 { String::new() } else { format!("{:0kept$x}", up & ((1 << (4 * kept)) - 1)) };
        }
        Some(kept) => digits.push_str(&"0".repeat(kept - 13)),
    }
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(format: &str, values: &[u64]) -> String {
        let mut values = values.iter().copied();
        let string = |address: u64| (address == 16).then(|| b"text".to_vec());
        render(format.as_bytes(), MAX_BYTES, &mut |_| values.next().unwrap_or(0), &string).0.unwrap()
    }

    #[test]
    fn a_text_that_is_too_long_is_not_made() {
        let string = |_| Some(vec![b'x'; 1 << 16]);
        let (text, count) = render("%s".repeat(1 << 14).as_bytes(), MAX_BYTES, &mut |_| 0, &string);
        assert_eq!((text, count), (None, 1 << 14));
    }

    #[test]
    fn the_same_calls_are_kept_in_whatever_order_blocks_print() {
        let text = |order: &[u64], sizes: &[[usize; 2]]| {
            let mut printed = Printed::default();
            for &block in order {
                for bytes in sizes[block as usize] {
                    let text = block.to_string().repeat(bytes);
                    let capacity = printed.capacity(block);
                    printed.add(block, (bytes <= capacity).then_some(text));
                }
            }
            printed.text()
        };
        let many = [[200_000, 300_000], [200_000, 400_000], [200_000, 1], [200_000, 1]];
        let long = [[200_000, 300_000], [2, 2 << 20], [200_000, 1], [200_000, 1]];
        for (sizes, kept) in [(many, [500_000, 200_000]), (long, [500_000, 2])] {
            let [zeros, ones] = kept;
            let wanted = format!(
                "{}{}\n[5 more calls of printf: only 1048576 bytes are kept]\n",
                "0".repeat(zeros),
                "1".repeat(ones)
            );
            for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1]] {
                assert!(text(&order, &sizes) == wanted, "{order:?} {sizes:?}");
            }
        }
    }

    #[test]
    fn conversions_are_those_of_c() {
        let d = |x: f64| x.to_bits();
        for (format, values, wanted) in [
            ("%d %i %u %%", &[u64::from(u32::MAX), 7, 9][..], "-1 7 9 %"),
            ("[%5d|%-5d|%05d|%+d|% d]", &[42, 42, 42, 42, 42], "[   42|42   |00042|+42| 42]"),
            ("%x %X %#x %o %#o", &[255, 255, 255, 8, 8], "ff FF 0xff 10 010"),
            ("%lld %llu %llx", &[u64::MAX, u64::MAX, 1 << 40], "-1 18446744073709551615 10000000000"),
            ("%.3d|%.0d|", &[7, 0], "007||"),
            ("%c%c %s|%6s|%-6s|%.2s", &[b'o' as u64, b'k' as u64, 16, 16, 16, 16], "ok text|  text|text  |te"),
            ("%f %.2f %8.3f|%-8.1f|", &[d(1.5), d(2.345), d(-1.0), d(9.96)], "1.500000 2.35   -1.000|10.0    |"),
            ("%e %.2E", &[d(12345.678), d(0.000_5)], "1.234568e+04 5.00E-04"),
            ("%g %g %g %g %G", &[d(0.0001), d(1e6), d(123_456.0), d(0.5), d(1e-10)], "0.0001 1e+06 123456 0.5 1E-10"),
            ("%f %F %e %g", &[d(f64::NAN), d(f64::INFINITY), d(f64::NEG_INFINITY), d(-0.0)], "nan INF -inf -0"),
            ("%a %a %.1a", &[d(3.0), d(0.0), d(1.97)], "0x1.8p+1 0x0p+0 0x2.0p+0"),
            ("%*d|%.*f", &[5, 42, 1, d(2.25)], "   42|2.2"),
            ("%p %q %", &[255], "0xff %q %"),
        ] {
            assert_eq!(print(format, values), wanted, "{format}");
        }
    }
}
