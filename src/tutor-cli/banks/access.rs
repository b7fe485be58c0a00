//! Parses an access and finds the array that it needs.

use super::Args;
use crate::prelude::*;
use tutor_course::{AccessDirection, BankView};

/// An access, such as `smem[lane][5]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) array: String,
    /// The row; `None` for `smem[lane]`.
    pub(super) row: Option<String>,
    pub(super) column: String,
}

impl Access {
    /// Parses an access. The error is a message for the user.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let refused = || {
            let text: String = text.chars().filter(|c| !c.is_control()).take(60).collect();
            t!("cli-banks-no-access", text)
        };
        let (array, mut rest) = text.trim().split_at(text.trim().find('[').ok_or_else(refused)?);
        let plain = |c: char| c.is_alphanumeric() || c == '_';
        if !array.chars().all(plain) || array.chars().count() > 24 {
            return Err(refused());
        }
        let mut indices = Vec::new();
        while !rest.is_empty() {
            let (index, more) = bracket(rest).ok_or_else(refused)?;
            indices.push(index.trim().to_owned());
            rest = more.trim_start();
        }
        let array = if array.is_empty() { "smem" } else { array }.to_owned();
        match indices.as_slice() {
            [column] => Ok(Self { array, row: None, column: column.clone() }),
            [row, column] => Ok(Self { array, row: Some(row.clone()), column: column.clone() }),
            _ => Err(refused()),
        }
    }
}

/// Returns the text in the bracket at the start, and the text after it.
fn bracket(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('[')?;
    let end = inner.find(['[', ']']).filter(|end| inner.as_bytes().get(*end) == Some(&b']'))?;
    Some((&inner[..end], &inner[end + 1..])).filter(|(index, _)| !index.trim().is_empty())
}

/// Parses `X,Y` or `XxY`.
pub(super) fn block(text: &str) -> Result<[u32; 2], String> {
    let part = |text: &str| text.trim().parse().ok().filter(|threads| (1..=1024).contains(threads));
    let parts = text.split_once([',', 'x', '×']).and_then(|(x, y)| Some([part(x)?, part(y)?]));
    parts
        .filter(|[x, y]| x * y <= 1024)
        .ok_or_else(|| "it takes two numbers, X,Y, of at most 1024 threads together".to_owned())
}

/// Returns the view of an access. If the user gave no shape, the array is the smallest usual one that contains it.
pub(super) fn fit(access: &Access, args: &Args) -> BankView {
    let asked = BankView {
        rows: args.rows.unwrap_or(1),
        pitch: args.pitch.unwrap_or(32),
        pad: args.pad,
        width: args.width.parse().unwrap_or(4),
        access: if args.store { AccessDirection::Store } else { AccessDirection::Load },
        row: access.row.clone().unwrap_or_else(|| "0".to_owned()).into(),
        column: access.column.clone().into(),
        block: args.block,
        warp: args.warp,
        k: args.k,
        lanes: args.lanes,
        kernel: None,
    };
    // Doubles the size as long as only the size is too small. If that does not help, the request itself is wrong.
    let mut view = asked.clone();
    for _ in 0..32 {
        let grown = match view.access().err().map(|error| (error.field, error.offset)) {
            Some(("row", None)) if args.rows.is_none() => view.rows.checked_mul(2).map(|rows| view.rows = rows),
            Some(("column", None)) if args.pitch.is_none() => view.pitch.checked_mul(2).map(|pitch| view.pitch = pitch),
            _ => None,
        };
        if grown.is_none() {
            break;
        }
    }
    if view.access().is_ok() { view } else { asked }
}

/// Returns the faulty expression with a mark below the fault.
pub(super) fn caret(view: &BankView, field: &str, offset: usize) -> String {
    let text = if field == "column" { &view.column } else { &view.row };
    let before = text.get(..offset.min(text.len())).unwrap_or(text).chars().count();
    format!("{}\n  {}^", text.value, " ".repeat(before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args as _, FromArgMatches as _};

    #[test]
    fn what_is_left_out_is_what_the_tutors_simulator_begins_with() {
        let command = Args::augment_args(clap::Command::new("banks"));
        let typed = ["banks", "smem[lane][5]", "--pitch", "16"];
        let args = Args::from_arg_matches(&command.try_get_matches_from(typed).unwrap()).unwrap();
        let access = Access::read(args.access.as_deref().unwrap()).unwrap();
        let (here, there) = (fit(&access, &args), tutor_course::BankView::default());
        assert_eq!((here.rows, here.access()), (there.rows, there.access()));
    }

    fn read(text: &str) -> Option<(String, Option<String>, String)> {
        Access::read(text).ok().map(|access| (access.array, access.row, access.column))
    }

    #[test]
    fn an_access_is_an_array_with_one_or_two_indices() {
        let two =
            |array: &str, row: &str, column: &str| Some((array.to_owned(), Some(row.to_owned()), column.to_owned()));
        assert_eq!(read("smem[lane][5]"), two("smem", "lane", "5"));
        assert_eq!(read(" A_tile [ ty ][ (tx + k) * 4 ] "), None, "the name touches the bracket");
        assert_eq!(read("A_tile[ ty ] [(tx + k) * 4]"), two("A_tile", "ty", "(tx + k) * 4"));
        assert_eq!(read("[lane]"), Some(("smem".to_owned(), None, "lane".to_owned())));
        for wrong in
            ["", "smem", "smem[", "smem[]", "smem[1", "smem[1]]", "smem[1][2][3]", "s m[1][2]", "smem[1]x", "a[b[1]]"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_block_is_at_most_1024_threads() {
        assert_eq!((block("32,8"), block("16x16")), (Ok([32, 8]), Ok([16, 16])));
        for wrong in ["32", "0,8", "64,32", "-1,8", "a,b", "1,2,3"] {
            assert!(block(wrong).is_err(), "{wrong}");
        }
    }
}
