//! Restores damaged definitions in a copy of a progress file, so that SQLite can read the rows of their tables.
//!
//! SQLite keeps the definition of a table as text, and this program knows each text. If a piece of the file differs
//! from a definition in only a few bytes, it is that definition, damaged.

use super::schema::{VERSION, memory};
use std::io::Write as _;
use std::path::Path;
use tempfile::NamedTempFile;
use tutor_support::private;

/// Maximum number of damaged bytes in a definition. Two definitions differ in more.
const MAX_DAMAGED: usize = 16;
const MAX_BYTES: u64 = 64 << 20;
/// Page size of a progress file, SQLite's default. A definition lies within a page.
const PAGE: usize = 4096;
/// Where the header of a file has the version of the tables: four bytes, the highest first.
const VERSION_AT: std::ops::Range<usize> = 60..64;

/// Returns a copy of a file with the original definitions of `tables`, in a new file that is deleted when it is dropped.
/// `None` if none of them is damaged.
pub(super) fn repaired(path: &Path, tables: &[&str]) -> Option<NamedTempFile> {
    let mut bytes = private::read(path, MAX_BYTES).ok()??;
    let version = u32::from_be_bytes(bytes.get(VERSION_AT)?.try_into().ok()?);
    let fresh = memory(if (1..=VERSION).contains(&version) { version } else { VERSION }).ok()?;
    let mut restored = false;
    for table in tables {
        let sql = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1";
        let text: String = fresh.query_row(sql, [table], |row| row.get(0)).ok()?;
        restored |= restore(&mut bytes, text.as_bytes());
    }
    let mut copy = restored.then(NamedTempFile::new)?.ok()?;
    copy.write_all(&bytes).ok()?;
    Some(copy)
}

/// Replaces the pieces of pages that are nearest to `text` with it. Returns true if there was one.
///
/// Other pieces may be the rest of an older copy, which newer content has overwritten in part.
fn restore(bytes: &mut [u8], text: &[u8]) -> bool {
    let mut nearest = (MAX_DAMAGED + 1, Vec::new());
    for (number, page) in bytes.chunks(PAGE).enumerate() {
        for (at, piece) in page.windows(text.len()).enumerate() {
            let differ = piece.iter().zip(text).filter(|(is, should)| is != should).take(nearest.0 + 1).count();
            if differ > 0 && differ < nearest.0 {
                nearest = (differ, Vec::new());
            }
            if differ == nearest.0 && differ <= MAX_DAMAGED {
                nearest.1.push(number * PAGE + at);
            }
        }
    }
    for at in &nearest.1 {
        bytes[*at..at + text.len()].copy_from_slice(text);
    }
    !nearest.1.is_empty()
}
