//! How times, speeds and counts are written on the command line.

pub(super) use crate::tui::look::grouped;

/// A time per launch in the unit that reads best.
pub(super) fn duration(ms: f64) -> String {
    match ms {
        ms if ms >= 1000.0 => format!("{:.3} s", ms / 1000.0),
        ms if ms >= 1.0 => format!("{ms:.3} ms"),
        ms => format!("{:.2} µs", ms * 1000.0),
    }
}

/// GFLOP/s without decimals that nobody reads.
pub(super) fn speed(gflops: f64) -> String {
    if gflops >= 100.0 { grouped(gflops.round().max(0.0) as u64) } else { format!("{gflops:.1}") }
}

/// `0.1675` as `16.8 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
