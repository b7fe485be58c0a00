//! Cells of a table whose columns are parted by commas (RFC 4180).

/// A text as a cell. One that a spreadsheet would take for a formula, which a stranger may have written, begins with an apostrophe.
pub(crate) fn csv_cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::csv_cell;

    #[test]
    fn a_cell_stays_one_cell_and_is_no_formula() {
        for (text, cell) in [("ada", "ada"), ("a,b", "\"a,b\""), ("say \"a\"", "\"say \"\"a\"\"\""), ("=1+1", "'=1+1")]
        {
            assert_eq!(csv_cell(text), cell);
        }
    }
}
