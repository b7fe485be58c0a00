//! Cells of comma-separated tables (RFC 4180).

/// Returns `text` as a cell. A leading apostrophe keeps a spreadsheet from running the text of a stranger as a formula.
pub fn csv_cell(text: &str) -> String {
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
