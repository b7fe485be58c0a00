//! Grades the attempts of an exam, and keeps them out of all other results.

use crate::results::{HandedWork, time};
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use tutor_course::{Course, CourseSource, QuizFile};
use tutor_progress::{AttemptKind, HandedAttempt, exam_seed, examine};
use tutor_support::t;

/// Removes the attempts of exams, which nothing has graded, and remarks that.
pub fn leave_out_exams(class: &mut [HandedWork]) {
    for handed in class {
        let exam = handed.work.exam.clone();
        let seed = exam_seed(&exam, &handed.work.student);
        let before = handed.work.attempts.len();
        let drawn = |attempt: &HandedAttempt| !exam.is_empty() && attempt.seed == seed;
        handed.work.attempts.retain(|attempt| !attempt.is_ungraded() && !drawn(attempt));
        let attempts = before - handed.work.attempts.len();
        if attempts > 0 {
            let exam = if exam.is_empty() { "NAME" } else { &exam };
            handed.remarks.push(t!("seal-ungraded", attempts, exam));
        }
    }
}

/// Grades the exam with this name. A student may have edited the file. Only the answers count, and only those to
/// questions that the exam draws for the student. An attempt with another seed gets no marks, even if its questions are
/// the same. Of several attempts at a level, the last one counts. Exercises and predictions cannot be verified here and
/// are dropped. Returns the number of graded attempts.
///
/// # Errors
/// If no file belongs to this exam, because its name is probably wrong: a sentence with the names in the files.
pub fn grade_exam(
    source: &CourseSource,
    course: &Course,
    class: &mut [HandedWork],
    exam: &str,
) -> Result<usize, String> {
    let drawn = |handed: &HandedWork| {
        let seed = exam_seed(exam, &handed.work.student);
        handed.work.attempts.iter().any(|attempt| attempt.seed == seed)
    };
    if !class.iter().any(|handed| handed.work.exam == exam || drawn(handed)) {
        let known: BTreeSet<&str> = class.iter().map(|handed| handed.work.exam.as_str()).collect();
        let known: Vec<&str> = known.into_iter().filter(|name| !name.is_empty()).collect();
        return Err(t!("seal-no-exam", exam, count = known.len(), known = known.join(", ")));
    }
    let sealed = course_export::sealed_quizzes(source);
    let graded = class.iter_mut().map(|handed| grade_student(course, &sealed, handed, exam)).sum();
    remark_other_days(class);
    Ok(graded)
}

/// Remarks attempts that were submitted more than a day from the median of the class, by the student's clock.
fn remark_other_days(class: &mut [HandedWork]) {
    let at = |attempt: &HandedAttempt| time(&attempt.submitted_at);
    let mut all: Vec<Timestamp> = class.iter().flat_map(|handed| &handed.work.attempts).filter_map(at).collect();
    all.sort();
    let Some(median) = all.get(all.len() / 2) else { return };
    for HandedWork { work, remarks, .. } in class {
        let mut times = work.attempts.iter().filter_map(at);
        if let Some(time) = times.find(|time| time.duration_since(*median).abs() > SignedDuration::from_hours(24)) {
            remarks.push(t!("seal-other-day", time = time.to_string(), median = median.to_string()));
        }
    }
}

/// Grades a student's attempts, and returns their number.
fn grade_student(course: &Course, sealed: &BTreeMap<String, QuizFile>, handed: &mut HandedWork, exam: &str) -> usize {
    (handed.work.exercises, handed.work.predictions) = Default::default();
    let attempts = std::mem::take(&mut handed.work.attempts);
    if attempts.is_empty() {
        handed.remarks.push(t!("seal-nothing"));
    }
    if !handed.work.exam.is_empty() && handed.work.exam != exam {
        // The name ends no code in a Markdown table.
        let of = handed.work.exam.replace('`', "'");
        handed.remarks.push(t!("seal-other-exam", of, exam));
        return 0;
    }
    let seed = exam_seed(exam, &handed.work.student);
    let mut levels: BTreeMap<String, Vec<HandedAttempt>> = BTreeMap::new();
    let (mut foreign, mut others) = (BTreeMap::<String, usize>::new(), 0_usize);
    for attempt in attempts {
        match sealed.contains_key(&attempt.level) {
            true if attempt.kind == AttemptKind::Gate && attempt.seed == seed => {
                levels.entry(attempt.level.clone()).or_default().push(attempt);
            }
            // Another student's draw, or an attempt that was moved to another level.
            _ if attempt.is_ungraded() || attempt.seed == seed => *foreign.entry(attempt.level).or_default() += 1,
            // For example practice with the full course.
            _ => others += 1,
        }
    }
    for (level, attempts) in foreign {
        handed.remarks.push(t!("seal-foreign", attempts, level));
    }
    if others > 0 {
        handed.remarks.push(t!("seal-others", attempts = others));
    }
    if handed.work.exam.is_empty() && !handed.database && !levels.is_empty() {
        handed.remarks.push(t!("seal-unnamed"));
    }
    for (named, attempts) in levels {
        let level = course.level(&named).and_then(|level| Some((level, level.quiz()?, sealed.get(&named)?)));
        let Some((level, quiz, sealed)) = level else { continue };
        if attempts.len() > 1 {
            handed.remarks.push(t!("seal-several", level = named, attempts = attempts.len()));
        }
        let Some(mut attempt) = attempts.into_iter().max_by_key(|attempt| time(&attempt.submitted_at)) else {
            continue;
        };
        if attempt.correct > 0 || attempt.items.iter().any(|item| item.correct) {
            handed.remarks.push(t!("seal-marks", level = named));
        }
        match examine(quiz, sealed, seed, &mut attempt) {
            Ok(0) => {}
            Ok(items) => handed.remarks.push(t!("seal-not-asked", level = named, items)),
            Err(error) => {
                handed.remarks.push(error.to_string());
                continue;
            }
        }
        attempt.required = level.gate.required(attempt.questions);
        handed.work.attempts.push(attempt);
    }
    handed.work.attempts.len()
}
