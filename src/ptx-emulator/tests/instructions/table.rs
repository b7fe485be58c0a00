//! Tables in text files.

/// Returns the lines of a table, without its comments.
pub(crate) fn rows(table: &str) -> Vec<&str> {
    table.lines().filter(|line| !line.starts_with("//")).collect()
}
