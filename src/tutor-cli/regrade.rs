//! `results --regrade` without files: applies corrected keys to the earlier attempts on this machine.

use super::student::{Student, store_error};
use crate::prelude::*;
use tutor_progress::Regraded;

pub(super) fn run(dry_run: bool, json: bool, globals: &Globals) -> anyhow::Result<Exit> {
    let mut student = Student::open(globals)?;
    let changes = student.store.regrade(&student.course, !dry_run).map_err(|error| store_error(&error))?;
    if json {
        output::json(&serde_json::json!({ "course": student.course.id, "applied": !dry_run, "attempts": changes }))?;
    } else {
        print_report(&changes)?;
    }
    Ok(Exit::Done)
}

/// Prints the changes of each attempt.
pub(super) fn print_report(changes: &[Regraded]) -> anyhow::Result<()> {
    if changes.is_empty() {
        output::line(t!("regrade-nothing"))?;
    }
    for attempt in changes {
        let [before, now] = attempt.correct;
        let (level, at) = (attempt.level.as_str(), attempt.submitted_at.as_str());
        output::line(t!("regrade-attempt", level, at, before, now))?;
        if attempt.passed == [false, true] {
            output::line(format_args!("  {}", t!("regrade-passed")))?;
        }
        let named = |names: &[[String; 2]]| names.iter().map(|name| name.join("/")).collect::<Vec<_>>().join(", ");
        if !attempt.counts.is_empty() {
            output::line(format_args!("  {}", t!("regrade-counts", questions = named(&attempt.counts))))?;
        }
        if !attempt.kept.is_empty() {
            output::line(format_args!("  {}", t!("regrade-kept", questions = named(&attempt.kept))))?;
        }
        if !attempt.gone.is_empty() {
            output::line(format_args!("  {}", t!("regrade-gone", questions = named(&attempt.gone))))?;
        }
    }
    Ok(())
}
