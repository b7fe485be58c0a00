//! The PTX versions and targets that exist, from the PTX ISA: *Release Notes*, and the directive `.target`.

use super::At;
use crate::LoadError;
use crate::arch::Target;

/// A version: major, minor.
pub(crate) type Version = (u32, u32);

/// The last minor version of each major one.
const LAST: [(u32, u32); 9] = [(1, 5), (2, 3), (3, 2), (4, 3), (5, 0), (6, 5), (7, 8), (8, 8), (9, 5)];

/// Targets without their `sm_`, and the first version that has them.
const TARGETS: &[(&str, Version)] = &[
    ("10 11", (1, 0)),
    ("12 13", (1, 2)),
    ("20 21", (2, 0)),
    ("30", (3, 0)),
    ("35", (3, 1)),
    ("32 50", (4, 0)),
    ("37 52", (4, 1)),
    ("53", (4, 2)),
    ("60 61 62", (5, 0)),
    ("70", (6, 0)),
    ("72", (6, 1)),
    ("75", (6, 3)),
    ("80", (7, 0)),
    ("86", (7, 1)),
    ("87", (7, 4)),
    ("89 90", (7, 8)),
    ("90a", (8, 0)),
    ("100 100a 101 101a", (8, 6)),
    ("120 120a", (8, 7)),
    ("103 103a 121 121a 100f 101f 103f 120f 121f", (8, 8)),
    ("88 110 110a 110f", (9, 0)),
];

pub(super) fn check_version(version: Version, at: At) -> Result<(), LoadError> {
    if LAST.iter().any(|(major, last)| version.0 == *major && version.1 <= *last) {
        return Ok(());
    }
    let (major, minor) = LAST[LAST.len() - 1];
    Err(at.parse(format!("there is no PTX {}.{}; the newest known is {major}.{minor}", version.0, version.1)))
}

/// Reads a target such as `sm_90a`. Returns `None` for an option such as `texmode_unified`.
///
/// # Errors
/// If this version does not have the target.
pub(super) fn target(text: &str, version: Version, at: At) -> Result<Option<Target>, LoadError> {
    let Some(name) = text.strip_prefix("sm_") else { return Ok(None) };
    let digits = name.trim_end_matches(|c: char| !c.is_ascii_digit());
    let found = Target { sm: digits.parse().unwrap_or(0), specific: digits != name };
    match TARGETS.iter().find(|(names, _)| names.split(' ').any(|known| known == name)) {
        Some((_, first)) if version >= *first => Ok(Some(found)),
        Some((_, (major, minor))) => Err(at.parse(format!(
            "`{text}` needs `.version {major}.{minor}` or higher; this is {}.{}",
            version.0, version.1
        ))),
        // The table ends with PTX 9.0.
        None if version > (9, 0) => Ok(Some(found)),
        None => Err(at.parse(format!("there is no target `{text}` in PTX {}.{}", version.0, version.1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_targets_are_those_of_the_isa() {
        let at = At::default();
        for (version, exists) in [((1, 0), true), ((5, 1), false), ((8, 8), true), ((8, 9), false), ((9, 9), false)] {
            assert_eq!(check_version(version, at).is_ok(), exists, "{version:?}");
        }
        let of = |text: &str, version| target(text, version, at).map_err(|error| error.message);
        assert_eq!(of("sm_90a", (8, 0)), Ok(Some(Target { sm: 90, specific: true })));
        assert_eq!(of("texmode_unified", (8, 0)), Ok(None));
        assert!(of("sm_90", (7, 0)).unwrap_err().contains("needs `.version 7.8` or higher; this is 7.0"));
        assert!(of("sm_999", (8, 0)).is_err() && of("sm_107", (9, 5)).is_ok());
    }
}
