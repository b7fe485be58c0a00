//! Reads what the students of a class hand in: exported progress, and progress files. Never changes them.

use crate::files::read_handed_in;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tutor_course::Course;
use tutor_progress::{
    Contradicted, HANDED_IN_VERSION, HandedAttempt, HandedIn, Outline, Renamed, Store, mark, regrade, undrawn,
};
use tutor_support::name::{folded, mixes_alphabets, visible};
use tutor_support::{private, t, text};

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
pub fn read_handed_work(
    file: &Path,
    outline: &Outline,
    renamed: &Renamed,
) -> Result<(Option<HandedWork>, usize), String> {
    let database = is_database(file);
    let (work, others) =
        if database { of_database(file, outline, renamed)? } else { of_export(file, outline, renamed)? };
    let work = work.map(|mut work| {
        work.student = visible(&work.student);
        if work.student.is_empty() {
            work.student = student_of(file);
        }
        HandedWork { work, remarks: Vec::new(), database }
    });
    Ok((work, others))
}

/// Returns the time that a text states (RFC 3339).
pub(crate) fn time(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}

fn of_database(file: &Path, outline: &Outline, renamed: &Renamed) -> Result<(Option<HandedIn>, usize), String> {
    private::is_plain(file).map_err(|error| error.to_string())?;
    if file.is_symlink() {
        return Err(t!("cli-link", file = file.display().to_string()));
    }
    let mut store = Store::copy_of(file).ok_or_else(|| t!("results-no-database"))?;
    store.rename(&outline.course, renamed).map_err(|error| error.to_string())?;
    let courses = store.courses().map_err(|error| error.to_string())?;
    let others = courses.iter().filter(|other| **other != outline.course).count();
    if others == courses.len() {
        return Ok((None, others));
    }
    Ok((Some(store.handed_in(outline, "", "").map_err(|error| error.to_string())?), others))
}

fn of_export(file: &Path, outline: &Outline, renamed: &Renamed) -> Result<(Option<HandedIn>, usize), String> {
    let mut work: HandedIn = serde_json::from_str(&read_handed_in(file, MAX_BYTES)?)
        .map_err(|error| text::without_types(&error.to_string()))?;
    if work.version > HANDED_IN_VERSION {
        return Err(t!("results-newer", version = work.version));
    }
    work.rename(&outline.course, renamed);
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

/// Sorts a class by name, and remarks what is odd about the names, times and attempts of a file.
pub fn remark_oddities(class: &mut [HandedWork], now: Timestamp) {
    class.sort_by(|one, other| one.work.student.cmp(&other.work.student));
    let mut names: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let mut attempts: BTreeMap<(String, u64, String), BTreeSet<String>> = BTreeMap::new();
    for HandedWork { work, .. } in &*class {
        *names.entry(folded(&work.student)).or_default().entry(work.student.clone()).or_default() += 1;
        for attempt in &work.attempts {
            attempts.entry(taken(attempt)).or_default().insert(work.student.clone());
        }
    }
    for HandedWork { work, remarks, .. } in class {
        let same = &names[&folded(&work.student)];
        if same[&work.student] > 1 {
            remarks.push(t!("results-twice"));
        }
        if same.len() > 1 {
            let others: Vec<&str> = same.keys().map(String::as_str).filter(|name| *name != work.student).collect();
            remarks.push(t!("results-like", students = others.join(", ")));
        }
        if mixes_alphabets(&work.student) {
            remarks.push(t!("results-alphabets"));
        }
        let shared: Vec<&BTreeSet<String>> =
            work.attempts.iter().map(|attempt| &attempts[&taken(attempt)]).filter(|of| of.len() > 1).collect();
        let mut others: BTreeSet<&str> = shared.iter().flat_map(|of| of.iter().map(String::as_str)).collect();
        others.remove(work.student.as_str());
        if !others.is_empty() {
            let students = others.into_iter().collect::<Vec<_>>().join(", ");
            remarks.push(t!("results-shared", attempts = shared.len(), students));
        }
        let times: Vec<String> =
            work.impossible_times(now).into_iter().take(5).map(|time| text::line(time).replace('`', "'")).collect();
        if !times.is_empty() {
            remarks.push(t!("results-times", times = times.join("`, `")));
        }
    }
}

/// Returns what only one attempt has: its level, its draw and its beginning.
fn taken(attempt: &HandedAttempt) -> (String, u64, String) {
    (attempt.level.clone(), attempt.seed, attempt.started_at.clone())
}

/// Returns the first slots as the inside of Markdown's code.
fn named(slots: &BTreeSet<String>) -> String {
    let slots = slots.iter().take(8).map(|slot| text::line(slot).replace('`', "'"));
    slots.collect::<Vec<_>>().join("`, `")
}

/// Grades all attempts by their answers, with the course, and remarks what their marks state differently, and questions that
/// their seed does not draw. With `keep`,
/// no attempt loses a mark: a correct answer stays correct. Returns the number of attempts that `keep` changed.
pub fn mark_all(course: &Course, class: &mut [HandedWork], keep: bool) -> usize {
    let mut changed = 0;
    for HandedWork { work, remarks, .. } in class {
        let mut levels: BTreeMap<String, (usize, Contradicted)> = BTreeMap::new();
        let mut foreign: BTreeMap<String, (usize, BTreeSet<String>)> = BTreeMap::new();
        for attempt in &mut work.attempts {
            let Some((level, quiz)) = course.level(&attempt.level).and_then(|level| Some((level, level.quiz()?)))
            else {
                continue;
            };
            let of_others = undrawn(quiz, attempt);
            if !of_others.is_empty() {
                let (attempts, slots) = foreign.entry(level.id.clone()).or_default();
                *attempts += 1;
                slots.extend(of_others);
            }
            let mut marked = attempt.clone();
            let found = mark(quiz, &level.gate, &mut marked);
            if found != Contradicted::default() {
                let (attempts, all) = levels.entry(level.id.clone()).or_default();
                *attempts += 1;
                all.marks.extend(found.marks);
                all.missing.extend(found.missing);
                all.unknown.extend(found.unknown);
            }
            match keep {
                true => changed += usize::from(regrade(quiz, attempt).is_some()),
                false => *attempt = marked,
            }
        }
        for (level, (attempts, Contradicted { marks, missing, unknown, .. })) in levels {
            let level = level.as_str();
            let named = |slots: BTreeSet<String>| Some(named(&slots)).filter(|slots| !slots.is_empty());
            let parts = [
                Some(t!("results-marks", level, attempts)),
                named(marks).map(|slots| t!("results-marks-at", slots)),
                named(missing).map(|slots| t!("results-missing", slots)),
                named(unknown).map(|slots| t!("results-unknown", slots)),
                Some(if keep { t!("results-marks-count") } else { t!("results-answers-count") }),
            ];
            remarks.push(parts.into_iter().flatten().collect::<Vec<_>>().join(" "));
        }
        for (level, (attempts, slots)) in foreign {
            remarks.push(t!("results-undrawn", level, attempts, slots = named(&slots)));
        }
    }
    changed
}
