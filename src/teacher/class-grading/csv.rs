//! Comma-separated tables (RFC 4180), for spreadsheets.

/// Returns a row of cells, without a line end. Every row of a table is written by this function, so that no cell of it is a formula.
///
/// A leading apostrophe keeps a spreadsheet from running the text of a stranger (OWASP, "CSV Injection"). A number keeps its sign.
pub fn csv_row<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> String {
    cells.into_iter().map(|text| cell(text.as_ref())).collect::<Vec<_>>().join(",")
}

fn cell(text: &str) -> String {
    // A spreadsheet may remove blanks before a formula, and read full-width signs.
    let first = text.trim_start_matches([' ', '\u{a0}', '\u{3000}', '\u{feff}']).chars().next();
    let signs = ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
    let number = || text.chars().all(|c| c.is_ascii_digit() || "+-.eE".contains(c)) && text.parse::<f64>().is_ok();
    let formula = first.is_some_and(|first| signs.contains(&first)) && text != "-" && !number();
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    // Where the comma is the decimal sign, a spreadsheet also separates cells at `;`.
    if text.contains([',', ';', '"', '\t', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::csv_row;

    #[test]
    fn a_cell_stays_one_cell_and_is_no_formula() {
        let cases = [
            ("ada", "ada"),
            ("a,b", "\"a,b\""),
            ("a;b", "\"a;b\""),
            ("say \"a\"", "\"say \"\"a\"\"\""),
            ("=1+1", "'=1+1"),
            (" =1+1", "' =1+1"),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-2+3", "'-2+3"),
            ("-inf", "'-inf"),
            ("-", "-"),
            ("-2.5e-3", "-2.5e-3"),
            ("a\r\nb", "\"a\r\nb\""),
        ];
        for (text, cell) in cases {
            assert_eq!(csv_row([text]), cell);
        }
        assert_eq!(csv_row(["a", "", "=x"]), "a,,'=x");
    }
}
