//! Formats numbers, times, speeds, shares and lists of lanes for the screens and the command line.

use crate::sentence;
use crate::words::Sentence;
pub use crate::words::grouped;

/// Formats with four significant digits, and without an exponent unless the number is very large or very small.
pub fn significant(value: f64) -> String {
    match value.abs() {
        v if !v.is_finite() => "–".to_owned(),
        0.0 => "0".to_owned(),
        v if v >= 1000.0 => grouped(value.round().max(0.0) as u64),
        v if v >= 100.0 => format!("{value:.1}"),
        v if v >= 10.0 => format!("{value:.2}"),
        v if v >= 0.01 => format!("{value:.3}"),
        _ => format!("{value:.1e}"),
    }
}

/// Formats a count in at most five characters: `8388`, `8.39M`, `137G`.
pub fn short(number: u64) -> String {
    match number {
        0..=9999 => grouped(number),
        _ => {
            let value = number as f64;
            let (scaled, unit) = match value {
                v if v < 999_500.0 => (v / 1e3, 'k'),
                v if v < 999_500_000.0 => (v / 1e6, 'M'),
                v if v < 999_500_000_000.0 => (v / 1e9, 'G'),
                v => (v / 1e12, 'T'),
            };
            let digits = if scaled < 9.995 { 2 } else { usize::from(scaled < 99.95) };
            format!("{scaled:.digits$}{unit}")
        }
    }
}

/// Formats a time per launch, given in milliseconds, in the most readable unit.
pub fn duration(ms: f64) -> String {
    match ms {
        ms if !ms.is_finite() => "–".to_owned(),
        ms if ms >= 1000.0 => format!("{} s", significant(ms / 1000.0)),
        ms if ms >= 1.0 => format!("{} ms", significant(ms)),
        ms => format!("{} µs", significant(ms * 1000.0)),
    }
}

/// Formats a speed with four digits: in GFLOP/s, or in TFLOP/s from 1000 GFLOP/s on.
pub fn speed(gflops: f64) -> String {
    speed_beside(gflops, gflops)
}

/// Formats a speed with four digits in the unit of another one, next to which it is shown.
pub fn speed_beside(gflops: f64, other: f64) -> String {
    match gflops {
        g if !g.is_finite() => "–".to_owned(),
        g if other >= 999.5 => format!("{} TFLOP/s", significant(g / 1000.0)),
        g => format!("{} GFLOP/s", significant(g)),
    }
}

/// Formats a share: `0.16749` as `16.7 %`, in Korean as `16.7%`. Small shares keep two digits.
pub fn percent(share: f64) -> Sentence {
    percentage(share, if share >= 0.9995 { 0 } else { 1 + usize::from(share < 0.0995) })
}

/// Formats a share with a number of decimals.
pub fn percentage(share: f64, decimals: usize) -> Sentence {
    sentence!("app-percent", number = format!("{:.decimals$}", share * 100.0))
}

/// Draws the last `width` values as a sparkline between `low` and `high`.
///
/// Sparklines with the same bounds can be compared.
pub fn spark(values: &[f64], low: f64, high: f64, width: usize, ascii: bool) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const PLAIN: [char; 8] = ['_', '.', '-', '-', '=', '=', '+', '#'];
    let bars = if ascii { PLAIN } else { BARS };
    let range = (high - low).max(f64::MIN_POSITIVE);
    values
        .iter()
        .skip(values.len().saturating_sub(width))
        .map(|value| {
            let level = ((value - low) / range * 7.0).round();
            bars[if level.is_finite() { level.clamp(0.0, 7.0) as usize } else { 0 }]
        })
        .collect()
}

/// Lists the lanes of a mask: `0, 2, 4`, with ranges as `0–15`, and at most `most` pieces.
pub fn lanes(mask: u32, most: usize) -> String {
    let mut pieces = Vec::new();
    let mut lane = 0;
    while lane < 32 {
        if mask >> lane & 1 == 0 {
            lane += 1;
            continue;
        }
        let start = lane;
        while lane < 32 && mask >> lane & 1 == 1 {
            lane += 1;
        }
        match lane - start {
            1 => pieces.push(start.to_string()),
            2 => pieces.extend([start.to_string(), (start + 1).to_string()]),
            _ => pieces.push(format!("{start}–{}", lane - 1)),
        }
    }
    let more = if pieces.len() > most { ", …" } else { "" };
    pieces.truncate(most);
    format!("{}{more}", pieces.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Words;

    #[test]
    fn short_counts_keep_three_digits() {
        let cases = [(17, "17"), (9999, "9999"), (65_536, "65.5k"), (8_388_608, "8.39M"), (137_438_953_472, "137G")];
        for (number, text) in cases {
            assert_eq!(short(number), text);
        }
        assert_eq!(short(999_999), "1.00M");
    }

    #[test]
    fn times_are_written_in_the_unit_that_reads_best() {
        assert_eq!(duration(2.128), "2.128 ms");
        assert_eq!(duration(0.0314), "31.40 µs");
        assert_eq!(duration(61_200.0), "61.20 s");
        assert_eq!(duration(f64::NAN), "–");
    }

    #[test]
    fn numbers_of_five_digits_and_more_have_commas() {
        assert_eq!([grouped(7), grouped(1234), grouped(4_194_304)], ["7", "1234", "4,194,304"]);
    }

    #[test]
    fn speeds_are_in_tflops_from_a_thousand_on() {
        assert_eq!(
            [speed(486.2), speed(8074.0), speed(769_133.0)],
            ["486.2 GFLOP/s", "8.074 TFLOP/s", "769.1 TFLOP/s"]
        );
    }

    #[test]
    fn shares_keep_the_digits_that_matter() {
        let shares = [8074.0 / 48_210.0, 0.0101, 1.034].map(percent);
        assert_eq!(shares.each_ref().map(Sentence::to_string), ["16.7 %", "1.01 %", "103 %"]);
        assert_eq!(shares.map(|share| share.translate(Words::of("ko"))), ["16.7%", "1.01%", "103%"]);
    }

    #[test]
    fn spark_lines_share_their_bounds() {
        assert_eq!(spark(&[1.0, 2.0, 3.0], 1.0, 3.0, 2, false), "▅█");
        assert_eq!(spark(&[1.0, 1.0], 1.0, 1.0, 9, false), "▁▁");
        assert_eq!(spark(&[], 0.0, 1.0, 9, false), "");
    }

    #[test]
    fn lanes_are_named_in_ranges() {
        assert_eq!(lanes(0x0000_FFFF, 4), "0–15");
        assert_eq!(lanes(0b101, 4), "0, 2");
        assert_eq!(lanes(1, 4), "0");
        assert_eq!(lanes(0x5555_5555, 3), "0, 2, 4, …");
        assert_eq!(lanes(u32::MAX, 3), "0–31");
    }
}
