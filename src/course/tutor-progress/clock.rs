//! The clock of the computer.

use jiff::Timestamp;

/// Returns the time. A clock beyond the year 9999 returns the last time of that year.
#[cfg(not(target_family = "wasm"))]
pub fn now() -> Timestamp {
    std::time::SystemTime::now().try_into().unwrap_or(Timestamp::MAX)
}

/// Returns the time.
#[cfg(target_family = "wasm")]
#[expect(clippy::disallowed_methods, reason = "a page has no other clock")]
pub fn now() -> Timestamp {
    Timestamp::now()
}
