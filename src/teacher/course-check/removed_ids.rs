/*! Finds ids that an edit removed from a course.

Progress is stored under ids. If an id disappears and no `was` names it, students lose what they read, answered and
passed under it.
*/

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use tutor_course::{COURSE, Course, CourseSource, Files, Problem};
use tutor_progress::Renamed;

/// Why a course cannot be compared with an earlier state.
#[derive(Debug, thiserror::Error)]
pub enum RemovedIdsError {
    #[error("`{0}` has no course that can be read.")]
    NoCourse(String),
    #[error("`{0}` is neither a course's directory nor a revision.")]
    NoRevision(String),
    #[error("`{revision}` is neither a course's directory nor a revision that Git knows: {why}")]
    UnknownRevision { revision: String, why: String },
    #[error("`{revision}` is not the directory of a course, and Git failed: {why}.")]
    NoGit { revision: String, why: std::io::Error },
    #[error("`{revision}` cannot be taken out: {why}.")]
    Checkout { revision: String, why: std::io::Error },
}

/// Returns a problem for each id that a course had in a directory or at a Git revision but no longer has, neither as an
/// id nor in a `was`.
///
/// # Errors
/// If there is no course in that directory or at that revision.
pub fn removed_ids(files: &Files, root: &Path, before: &str) -> Result<Vec<Problem>, RemovedIdsError> {
    let directory = Path::new(before);
    if directory.join(COURSE).is_file() {
        return compared(files, &CourseSource::Directory(directory.to_owned()), before);
    }
    let copy = Checkout::of(root, before)?;
    compared(files, &CourseSource::Directory(copy.0.clone()), before)
}

fn compared(files: &Files, before: &CourseSource, shown: &str) -> Result<Vec<Problem>, RemovedIdsError> {
    let then = Course::from_files(&Files::read(before, |_| false), "");
    if then.levels.is_empty() {
        return Err(RemovedIdsError::NoCourse(shown.to_owned()));
    }
    let now = Course::from_files(files, "");
    let renamed = Renamed::of(&now, &files.source);
    let mut problems = Vec::new();
    let mut report = |file: Option<String>, what: &str, id: &str| {
        let message =
            format!("The {what} `{id}` existed in `{shown}` and is now missing, so students lose their work in it.");
        let help = format!("If it has another id now, say so there: `was: [{}]`.", id.rsplit('/').next().unwrap_or(id));
        problems.push(Problem::warning("id-vanished", file.unwrap_or_else(|| COURSE.to_owned()), message).help(help));
    };
    if then.id != now.id && !renamed.courses.contains(&then.id) {
        report(None, "course", &then.id);
    }
    for level in &then.levels {
        let new = renamed.levels.iter().find(|[old, _]| *old == level.id).map_or(level.id.as_str(), |[_, new]| new);
        let Some(current) = now.level(new) else {
            report(None, "level", &level.id);
            continue;
        };
        let pages = |level: &tutor_course::Level| -> BTreeSet<String> {
            level.lesson.iter().flat_map(|lesson| &lesson.pages).map(|page| page.id.value.clone()).collect()
        };
        let slots = |level: &tutor_course::Level| -> BTreeSet<String> {
            level.quiz().into_iter().flat_map(|quiz| &quiz.slots).map(|slot| slot.id.value.clone()).collect()
        };
        let parts = [
            ("page", pages(level), pages(current), &renamed.pages),
            ("slot", slots(level), slots(current), &renamed.slots),
        ];
        for (what, before, after, was) in parts {
            for id in before.difference(&after) {
                if !was.iter().any(|[of, old, _]| of == new && old == id) {
                    report(current.lesson_file.clone(), what, &format!("{new}/{id}"));
                }
            }
        }
    }
    let exercises = files.source.exercises();
    for id in before.exercises() {
        if !exercises.contains(&id) && !renamed.exercises.iter().any(|[old, _]| *old == id) {
            report(None, "exercise", &id);
        }
    }
    Ok(problems)
}

/// The YAML files of a course at a revision, in a temporary directory that exists until this value is dropped.
struct Checkout(PathBuf);

impl Drop for Checkout {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Checkout {
    fn of(root: &Path, revision: &str) -> Result<Self, RemovedIdsError> {
        let named = || revision.to_owned();
        if revision.starts_with('-') {
            return Err(RemovedIdsError::NoRevision(named()));
        }
        let git = |arguments: &[&str]| {
            let output = Command::new("git").arg("-C").arg(root).args(arguments).output();
            let output = output.map_err(|why| RemovedIdsError::NoGit { revision: named(), why })?;
            if output.status.success() {
                return Ok(output.stdout);
            }
            let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            Err(RemovedIdsError::UnknownRevision { revision: named(), why })
        };
        let listed =
            git(&["ls-tree", "-r", "-z", "--name-only", revision, "--", "modules", "quizzes", "kernels/exercises"])?;
        let names: Vec<String> = String::from_utf8_lossy(&listed)
            .split('\0')
            .filter(|name| name.ends_with(".yaml") && name.split('/').all(tutor_course::is_plain_name))
            .take(5_000)
            .map(str::to_owned)
            .collect();
        let io = |why| RemovedIdsError::Checkout { revision: named(), why };
        let unique = tutor_progress::fresh_seed();
        let copy = Self(std::env::temp_dir().join(format!("matmul-tutor-since-{unique:x}")));
        std::fs::create_dir(&copy.0).map_err(io)?;
        for name in names {
            let text = git(&["show", &format!("{revision}:./{name}")])?;
            let path = copy.0.join(&name);
            std::fs::create_dir_all(path.parent().unwrap_or(&copy.0)).map_err(io)?;
            std::fs::write(path, text).map_err(io)?;
        }
        Ok(copy)
    }
}
