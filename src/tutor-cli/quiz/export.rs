//! `quiz LEVEL --export`: exports the questions for other programs.

use crate::prelude::*;
use course_export::{ExportFormat, export};
use tutor_course::Course;
use tutor_progress::Outline;

/// Writes the export to a file or folder, or to standard output.
pub(super) fn run(level: &str, format: ExportFormat, out: Option<&Path>, globals: &Globals) -> anyhow::Result<Exit> {
    let course = Course::load(&CourseSource::from_option(globals.course.as_deref()), globals.lang.code());
    if !course.exam.is_empty() {
        return Ok(failure(Exit::Usage, t!("seal-no-keys", exam = course.exam), None));
    }
    let outline = Outline::from(&course);
    let found = outline.find(level).and_then(|level| course.level(&level.id));
    if let Some(problem) = found.and_then(|level| level.quiz_problem()) {
        return Ok(failure(Exit::Usage, problem.to_string(), None));
    }
    let Some(exported) = found.and_then(|level| export(&course.id, level, format)) else {
        let level: String = level.chars().take(60).collect();
        return Ok(failure(Exit::Usage, t!("cli-quiz-none", level), None));
    };
    let unwritten = |path: &Path, error: &std::io::Error| {
        failure(Exit::Usage, t!("results-unwritten", file = path.display().to_string(), why = error), None)
    };
    match (exported.files.as_slice(), out) {
        ([(_, text)], None) => output::line(text.trim_end())?,
        ([(_, text)], Some(file)) => {
            if let Err(error) = tutor_support::write(file, text) {
                return Ok(unwritten(file, &error));
            }
        }
        (_, None) => return Ok(failure(Exit::Usage, t!("quiz-export-folder"), None)),
        (files, Some(folder)) => {
            for (name, text) in files {
                let file = folder.join(name);
                let written = std::fs::create_dir_all(folder).and_then(|()| tutor_support::write(&file, text));
                if let Err(error) = written {
                    return Ok(unwritten(folder, &error));
                }
            }
        }
    }
    for remark in &exported.remarks {
        output::note(remark);
    }
    output::note(t!("quiz-exported", questions = exported.questions, remarks = exported.remarks.len()));
    Ok(Exit::Done)
}
