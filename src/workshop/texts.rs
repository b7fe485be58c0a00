/*! Texts that are made of others: broken kernels, cures, fillings and wrong solutions are edits, and a starter is what is
left of a solution without its holes. So none of them can drift from the solution.
*/

use super::written::Edit;

/// An edit that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misplaced {
    /// Its place in the list.
    pub index: usize,
    /// How often its text occurs.
    pub found: usize,
}

/// Makes the edits, one after the other.
///
/// # Errors
/// The first whose text does not occur exactly once.
pub fn edited(text: &str, edits: &[Edit]) -> Result<String, Misplaced> {
    edits.iter().enumerate().try_fold(text.to_owned(), |text, (index, edit)| {
        replaced(&text, &edit.find, &edit.put).map_err(|found| Misplaced { index, found })
    })
}

/// Replaces the one place where a text occurs.
///
/// # Errors
/// How often it occurs, if not once.
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

/// What is wrong with the holes of a solution: a line and a sentence.
pub type HoleProblem = (u32, String);

/// The solution as a student gets it after passing: without the marks of holes and regions.
pub fn unmarked(solution: &str) -> String {
    let marks = |line: &str| {
        let line = line.trim();
        line == END || line.starts_with(HOLE) || line.starts_with(REGION)
    };
    lines(solution.lines().filter(|line| !marks(line)))
}

/// What a student begins with: the solution without what stands in its holes, apart from the comments that begin with
/// `// TODO` and those right after them.
///
/// # Errors
/// If a hole is not closed, has no such comment, or if there is none.
pub fn starter(solution: &str) -> Result<String, HoleProblem> {
    let mut kept = Vec::new();
    // Of each open mark whether it is a hole; and in a hole, whether its comment goes on.
    let mut open: Vec<bool> = Vec::new();
    let (mut holes, mut comment, mut begun) = (0, false, 0);
    for (number, line) in (1..).zip(solution.lines()) {
        let text = line.trim();
        let inside = open.contains(&true);
        if text.starts_with(HOLE) || text.starts_with(REGION) {
            let hole = text.starts_with(HOLE);
            if hole && inside {
                return Err((number, "A hole begins within a hole.".to_owned()));
            }
            if hole {
                (holes, comment, begun) = (holes + 1, true, kept.len());
            }
            open.push(hole);
        } else if text == END {
            match open.pop() {
                None => return Err((number, "Nothing is open that could end here.".to_owned())),
                Some(true) if kept.len() == begun => {
                    return Err((number, "The hole has no `// TODO` comment that says what to write.".to_owned()));
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
    if open.contains(&true) {
        return Err((0, "A hole is not closed by `// [end]`.".to_owned()));
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
            ("// [hole x]\n// TODO y\nz\n", 0, "not closed"),
            ("// [hole x]\nz\n// [end]\n", 3, "no `// TODO`"),
            ("// [end]\n", 1, "Nothing is open"),
            ("// [hole x]\n// TODO\n// [hole y]\n", 3, "within a hole"),
        ] {
            let (at, message) = starter(text).unwrap_err();
            assert!(at == line && message.contains(part), "{text}: {at} {message}");
        }
    }
}
