//! `status`: levels, locked or not, best score, pages read, what is next.

use super::student::{Student, stored};
use super::{Exit, Globals, output};
use crate::course::Course;
use crate::course::text::clean;
use crate::mastery::{LevelProgress, Progress, progress};
use unicode_width::UnicodeWidthStr;

/// Arguments of `status`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one JSON document.
    #[arg(long)]
    pub(super) json: bool,
}

/// Prints where the student stands.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let student = Student::open(globals)?;
    let record = student.store.record(&student.outline.course).map_err(|error| stored(&error))?;
    let progress = progress(&student.outline, &record);
    if args.json {
        output::json(&progress)?;
    } else {
        print(&student.course, &progress)?;
    }
    Ok(Exit::Done)
}

fn print(course: &Course, progress: &Progress) -> anyhow::Result<()> {
    output::line(format_args!("{}", clean(&course.title)))?;
    let widest = progress.levels.iter().map(|level| level.title.width()).max().unwrap_or(0);
    for (number, level) in (1..).zip(&progress.levels) {
        let title = clean(&level.title);
        let pad = " ".repeat(widest.saturating_sub(title.width()));
        let pages = format!("{}/{}", level.pages.read, level.pages.total);
        output::line(format_args!("{number:>3} {title}{pad}  pages {pages:<7} {}", gate(progress, level)))?;
    }
    let Some(next) = &progress.next else {
        output::line(format_args!("Every gate is passed, every page of a level without one is read."))?;
        return Ok(());
    };
    let number = position(progress, &next.level);
    match &next.page {
        None => output::line(format_args!("Next: the gate of level {number}, `matmul-tutor quiz {number}`."))?,
        Some(id) => {
            let pages =
                course.level(&next.level).and_then(|level| level.lesson.as_ref().ok()).map(|lesson| &lesson.pages);
            let page = pages.and_then(|pages| pages.iter().zip(1..).find(|(page, _)| page.id.value == *id));
            let (title, at) = page.map_or((id.as_str(), 1), |(page, at)| (page.title.as_str(), at));
            let total = pages.map_or(1, Vec::len);
            output::line(format_args!("Next: level {number}, page {at} of {total}: {}", clean(title)))?;
        }
    }
    Ok(())
}

fn gate(progress: &Progress, level: &LevelProgress) -> String {
    if let Some(by) = &level.unlocked_by {
        return format!("locked: pass the gate of level {}", position(progress, by));
    }
    if !level.gated {
        return "no gate".into();
    }
    if level.questions == 0 {
        return "its quiz cannot be read".into();
    }
    let best = level.best.as_ref().map(|best| format!("best {} of {}", best.correct, best.questions));
    match (level.passed, best) {
        (true, best) => format!("passed{}", best.map(|best| format!(", {best}")).unwrap_or_default()),
        (false, None) => format!("gate: needs {} of {}", level.required, level.questions),
        (false, Some(best)) => format!("gate: needs {} of {}, {best}", level.required, level.questions),
    }
}

fn position(progress: &Progress, id: &str) -> usize {
    progress.levels.iter().position(|level| level.id == id).map_or(0, |at| at + 1)
}
