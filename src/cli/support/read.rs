//! Files that a user names.

use crate::t;
use std::path::Path;

const LONGEST_FILE: u64 = 4 << 20;

/// Reads a text, up to 4 MiB; the error is a sentence.
pub(in crate::cli) fn read_text(path: &Path) -> Result<String, String> {
    use std::io::Read as _;
    let shown = path.display().to_string();
    let unreadable = |error: std::io::Error| t!("cli-not-read", file = shown, why = error.to_string());
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(unreadable)?;
    file.take(LONGEST_FILE + 1).read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > LONGEST_FILE {
        return Err(t!("cli-too-long", file = shown, most = LONGEST_FILE >> 20));
    }
    Ok(text)
}
