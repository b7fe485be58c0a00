//! Compares two sources line by line.

use super::draft::source_of;
use super::{ExerciseScreen, Shows};
use similar::{ChangeTag, TextDiff};
use std::time::Duration;
use tutor_exercises::Exercise;

/// Up to this number of lines, the shortest difference is always found.
const SHORT: usize = 2000;
/// Time limit for the search in longer sources; after it, a longer difference is accepted.
const LIMIT: Duration = Duration::from_millis(50);
/// Unchanged lines shown around a change.
const AROUND: usize = 3;

/// A line of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Changed {
    pub(super) tag: ChangeTag,
    /// Line number in the later source, or in the earlier one if the line was deleted; 0 for a gap.
    pub(super) number: u32,
    pub(super) text: String,
}

fn diff<'a>(before: &'a str, after: &'a str) -> TextDiff<'a, 'a, 'a, str> {
    let mut config = TextDiff::configure();
    if before.lines().count().max(after.lines().count()) > SHORT {
        config.timeout(LIMIT);
    }
    config.diff_lines(before, after)
}

/// Returns the numbers of the lines of `after` that are not in `before`.
pub(super) fn new_lines(before: &str, after: &str) -> Vec<u32> {
    let diff = diff(before, after);
    let new = diff.iter_all_changes().filter(|change| change.tag() == ChangeTag::Insert);
    new.filter_map(|change| change.new_index()).map(|at| at as u32 + 1).collect()
}

/// Compares both sources. Leaves out lines far from every change.
pub(super) fn compared(before: &str, after: &str) -> Vec<Changed> {
    let diff = diff(before, after);
    let mut lines = Vec::new();
    for (at, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if at > 0 {
            lines.push(Changed { tag: ChangeTag::Equal, number: 0, text: String::new() });
        }
        for change in group.iter().flat_map(|operation| diff.iter_changes(operation)) {
            let number = change.new_index().or(change.old_index()).map_or(0, |at| at as u32 + 1);
            let text = change.value().trim_end_matches(['\r', '\n']).to_owned();
            lines.push(Changed { tag: change.tag(), number, text });
        }
    }
    lines
}

impl ExerciseScreen {
    /// Returns the source of the previous try and the current source; `None` if there is no different previous try.
    pub(super) fn changes(&self, exercise: &Exercise) -> Option<(String, String)> {
        let now = match self.draft.answer(exercise) {
            Some(answer) => source_of(exercise, &answer),
            None => self.judgement().and_then(|judgement| source_of(exercise, &judgement.answer)),
        }?;
        let earlier = self.tries.iter().filter_map(|tried| source_of(exercise, &exercise.answer(&tried.answer).ok()?));
        let before = earlier.into_iter().find(|source| *source != now)?;
        Some((before, now))
    }

    /// True if the comparison is on the screen.
    pub(super) fn shows_changes(&self) -> bool {
        self.shows == Shows::Changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_shows_what_changed_with_the_lines_around_it() {
        let before: String = (1..=20).map(|line| format!("line {line}\n")).collect();
        let after = before.replace("line 10\n", "line ten\n");
        assert_eq!(new_lines(&before, &after), [10]);
        let lines = compared(&before, &after);
        let shown: Vec<String> =
            lines.iter().map(|line| format!("{}{} {}", line.tag, line.number, line.text)).collect();
        let expected = [
            " 7 line 7",
            " 8 line 8",
            " 9 line 9",
            "-10 line 10",
            "+10 line ten",
            " 11 line 11",
            " 12 line 12",
            " 13 line 13",
        ];
        assert_eq!(shown, expected);
        assert!(compared(&before, &before).is_empty());
    }
}
