//! Derives texts from a solution, so that they cannot become inconsistent with it. Broken kernels, cures, fillings and
//! incorrect solutions are edits, and a starter is the solution without the code in its holes.

use super::written::Edit;

/// An edit that cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misplaced {
    pub index: usize,
    /// Number of occurrences of the text that it replaces.
    pub found: usize,
}

/// Applies the edits in order.
///
/// # Errors
/// The first edit whose text does not occur exactly once.
pub fn edited(text: &str, edits: &[Edit]) -> Result<String, Misplaced> {
    edits.iter().enumerate().try_fold(text.to_owned(), |text, (index, edit)| {
        replaced(&text, &edit.find, &edit.put).map_err(|found| Misplaced { index, found })
    })
}

/// Replaces the only occurrence of a text.
///
/// # Errors
/// The number of occurrences, if it is not one.
pub fn replaced(text: &str, find: &str, put: &str) -> Result<String, usize> {
    match (find.is_empty(), text.matches(find).count()) {
        (false, 1) => Ok(text.replacen(find, put, 1)),
        (true, _) => Err(0),
        (false, found) => Err(found),
    }
}

const HOLE: &str = "// [hole ";
const REGION: &str = "// [region ";
const END: &str = "// [end]";
const TODO: &str = "// TODO";

/// A problem with the holes of a solution: its line and a message.
pub type HoleProblem = (u32, String);

/// Returns the solution as students see it after passing: without the marks of holes and regions.
pub fn unmarked(solution: &str) -> String {
    let marks = |line: &str| {
        let line = line.trim();
        line == END || line.starts_with(HOLE) || line.starts_with(REGION)
    };
    lines(solution.lines().filter(|line| !marks(line)))
}

/// Returns the starter code: the solution without the code in its holes. In each hole, it keeps a comment that begins
/// with `// TODO`, with the comment lines that follow it.
///
/// # Errors
/// If a hole is not closed or has no such comment, or if there is no hole.
pub fn starter(solution: &str) -> Result<String, HoleProblem> {
    let mut kept = Vec::new();
    // `open`: for each open mark, the line of a hole, else 0. `comment`: true while the hole's comment continues.
    let mut open: Vec<u32> = Vec::new();
    let (mut holes, mut comment, mut begun) = (0, false, 0);
    for (number, line) in (1..).zip(solution.lines()) {
        let text = line.trim();
        let inside = open.iter().any(|line| *line > 0);
        if text.starts_with(HOLE) || text.starts_with(REGION) {
            let hole = text.starts_with(HOLE);
            if hole && inside {
                return Err((number, "A hole begins within a hole.".to_owned()));
            }
            if hole {
                (holes, comment, begun) = (holes + 1, true, kept.len());
            }
            open.push(if hole { number } else { 0 });
        } else if text == END {
            match open.pop() {
                None => return Err((number, "No `// [hole NAME]` or `// [region NAME]` is open here.".to_owned())),
                Some(line) if line > 0 && kept.len() == begun => {
                    return Err((
                        line,
                        "The hole needs a `// TODO` comment that says what to write, before any code.".to_owned(),
                    ));
                }
                Some(_) => {}
            }
        } else if !inside {
            kept.push(line);
        } else {
            comment &= text.starts_with("//") && (kept.len() > begun || text.starts_with(TODO));
            if comment {
                kept.push(line);
            }
        }
    }
    if let Some(line) = open.into_iter().find(|line| *line > 0) {
        return Err((line, "A hole is not closed by `// [end]`.".to_owned()));
    }
    if holes == 0 {
        return Err((0, "The solution has no `// [hole NAME]`.".to_owned()));
    }
    Ok(lines(kept.into_iter()))
}

fn lines<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(find: &str, put: &str) -> Edit {
        Edit { find: find.to_owned().into(), put: put.to_owned() }
    }

    #[test]
    fn edits_are_made_one_after_the_other_and_each_finds_its_text_once() {
        assert_eq!(edited("a b c", &[edit("a", "c c"), edit("b c", "d")]), Ok("c c d".to_owned()));
        assert_eq!(edited("a b a", &[edit("b", ""), edit("a", "x")]), Err(Misplaced { index: 1, found: 2 }));
        assert_eq!(edited("a", &[edit("b", "")]), Err(Misplaced { index: 0, found: 0 }));
        assert_eq!(edited("a", &[edit("", "b")]), Err(Misplaced { index: 0, found: 0 }));
    }

    const SOLUTION: &str = "\
kernel {
    // [region loop]
    for (;;) {
        // [hole load]
        // TODO: load the tile,
        // and wait for the others.
        x = a;
        // Everyone must be there.
        wait();
        // [end]
        use(x);
    }
    // [end]
}
";

    #[test]
    fn a_starter_keeps_what_is_to_do_and_loses_what_was_done() {
        let expected = "\
kernel {
    for (;;) {
        // TODO: load the tile,
        // and wait for the others.
        use(x);
    }
}
";
        assert_eq!(starter(SOLUTION).unwrap(), expected);
        assert!(unmarked(SOLUTION).contains("wait();") && !unmarked(SOLUTION).contains('['));
    }

    #[test]
    fn holes_that_are_none_are_told() {
        for (text, line, part) in [
            ("a\n", 0, "no `// [hole NAME]`"),
            ("// [hole x]\n// TODO y\nz\n", 1, "not closed"),
            ("// [hole x]\nz\n// [end]\n", 1, "needs a `// TODO`"),
            ("// [end]\n", 1, "is open here"),
            ("// [hole x]\n// TODO\n// [hole y]\n", 3, "within a hole"),
        ] {
            let (at, message) = starter(text).unwrap_err();
            assert!(at == line && message.contains(part), "{text}: {at} {message}");
        }
    }
}
