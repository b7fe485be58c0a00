//! Reads what the students of a class hand in: exported progress, and progress files. Never changes them.

use crate::files::read_handed_in;
use std::collections::BTreeMap;
use std::path::Path;
use tutor_course::Course;
use tutor_progress::{HANDED_IN_VERSION, HandedIn, Outline, Store, regrade, visible_name};
use tutor_support::{private, t};

/// Maximum size of a file, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// A student's work, and what the instructor should know about the file.
pub struct HandedWork {
    pub work: HandedIn,
    pub remarks: Vec<String>,
    /// True for a progress file, which does not name an exam.
    pub database: bool,
}

/// Returns the work in the course that a file contains, and the number of other courses in the file.
///
/// # Errors
/// A sentence for the instructor, if the file cannot be read.
pub fn read_handed_work(file: &Path, outline: &Outline) -> Result<(Option<HandedWork>, usize), String> {
    let database = is_database(file);
    let (work, others) = if database { of_database(file, outline)? } else { of_export(file, outline)? };
    let work = work.map(|mut work| {
        work.student = visible_name(&work.student);
        if work.student.is_empty() {
            work.student = student_of(file);
        }
        HandedWork { work, remarks: Vec::new(), database }
    });
    Ok((work, others))
}

fn of_database(file: &Path, outline: &Outline) -> Result<(Option<HandedIn>, usize), String> {
    private::is_plain(file).map_err(|error| error.to_string())?;
    if file.is_symlink() {
        return Err(t!("cli-link", file = file.display().to_string()));
    }
    let store = Store::copy_of(file).ok_or_else(|| t!("results-no-database"))?;
    let courses = store.courses().map_err(|error| error.to_string())?;
    let others = courses.iter().filter(|other| **other != outline.course).count();
    if others == courses.len() {
        return Ok((None, others));
    }
    Ok((Some(store.handed_in(outline, "", "").map_err(|error| error.to_string())?), others))
}

fn of_export(file: &Path, outline: &Outline) -> Result<(Option<HandedIn>, usize), String> {
    let work: HandedIn = serde_json::from_str(&read_handed_in(file, MAX_BYTES)?).map_err(|error| error.to_string())?;
    if work.version > HANDED_IN_VERSION {
        return Err(t!("results-newer", version = work.version));
    }
    Ok(if work.course == outline.course { (Some(work), 0) } else { (None, 1) })
}

fn is_database(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sqlite3"))
}

/// Returns the student's name according to the path: the file name, or the folder's name for a progress file.
fn student_of(file: &Path) -> String {
    let of = if is_database(file) { file.parent().and_then(Path::file_name) } else { file.file_stem() };
    of.unwrap_or_default().to_string_lossy().into_owned()
}

/// Sorts a class by name, and remarks names that occur twice.
pub fn sort_by_name(class: &mut [HandedWork]) {
    class.sort_by(|one, other| one.work.student.cmp(&other.work.student));
    let mut files: BTreeMap<String, usize> = BTreeMap::new();
    class.iter().for_each(|handed| *files.entry(handed.work.student.clone()).or_default() += 1);
    for handed in class.iter_mut().filter(|handed| files[&handed.work.student] > 1) {
        handed.remarks.push(t!("results-twice"));
    }
}

/// Regrades all attempts with the course. A correct answer stays correct. Returns the number of changed attempts.
pub fn regrade_all(course: &Course, class: &mut [HandedWork]) -> usize {
    let attempts = class.iter_mut().flat_map(|handed| &mut handed.work.attempts);
    attempts.filter_map(|attempt| regrade(course.level(&attempt.level)?.quiz()?, attempt)).count()
}
