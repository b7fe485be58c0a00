//! Grades the attempts of an exam, and keeps them out of all other results.

use super::Handed;
use crate::output;
use course_check as author;
use std::collections::{BTreeMap, BTreeSet};
use tutor_course::{Course, CourseSource, QuizFile};
use tutor_progress::{AttemptKind, HandedAttempt, exam_seed, examine};
use tutor_support::t;

/// Removes the attempts of exams, which nothing has graded, and remarks that.
pub(super) fn leave_out(class: &mut [Handed]) {
    for handed in class {
        let exam = handed.work.exam.clone();
        let seed = exam_seed(&exam, &handed.work.student);
        let before = handed.work.attempts.len();
        let drawn = |attempt: &HandedAttempt| !exam.is_empty() && attempt.seed == seed;
        handed.work.attempts.retain(|attempt| !attempt.is_ungraded() && !drawn(attempt));
        let attempts = before - handed.work.attempts.len();
        if attempts > 0 {
            let exam = if exam.is_empty() { "NAME" } else { &exam };
            handed.remark(t!("seal-ungraded", attempts, exam));
        }
    }
}

/// Grades the exam with this name. A student may have edited the file. Only the answers count, and only those to
/// questions that the exam draws for the student. An attempt with another seed gets no marks, even if its questions are
/// the same. Of several attempts at a level, the last one counts. Exercises and predictions cannot be verified here and
/// are dropped.
///
/// # Errors
/// If no file belongs to this exam, because its name is probably wrong: a sentence with the names in the files.
pub(super) fn grade(source: &CourseSource, course: &Course, class: &mut [Handed], exam: &str) -> Result<(), String> {
    let drawn = |handed: &Handed| {
        let seed = exam_seed(exam, &handed.work.student);
        handed.work.attempts.iter().any(|attempt| attempt.seed == seed)
    };
    if !class.iter().any(|handed| handed.work.exam == exam || drawn(handed)) {
        let known: BTreeSet<&str> = class.iter().map(|handed| handed.work.exam.as_str()).collect();
        let known: Vec<&str> = known.into_iter().filter(|name| !name.is_empty()).collect();
        return Err(t!("seal-no-exam", exam, count = known.len(), known = known.join(", ")));
    }
    let sealed = author::sealed_quizzes(source);
    let graded: usize = class.iter_mut().map(|handed| grade_student(course, &sealed, handed, exam)).sum();
    output::note(t!("seal-regraded", attempts = graded));
    Ok(())
}

/// Grades a student's attempts, and returns their number.
fn grade_student(course: &Course, sealed: &BTreeMap<String, QuizFile>, handed: &mut Handed, exam: &str) -> usize {
    (handed.work.exercises, handed.work.predictions) = Default::default();
    let attempts = std::mem::take(&mut handed.work.attempts);
    if attempts.is_empty() {
        handed.remark(t!("seal-nothing"));
    }
    if !handed.work.exam.is_empty() && handed.work.exam != exam {
        let of = handed.work.exam.clone();
        handed.remark(t!("seal-other-exam", of, exam));
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
        handed.remark(t!("seal-foreign", attempts, level));
    }
    if others > 0 {
        handed.remark(t!("seal-others", attempts = others));
    }
    if handed.work.exam.is_empty() && !handed.database && !levels.is_empty() {
        handed.remark(t!("seal-unnamed"));
    }
    for (named, attempts) in levels {
        let level = course.level(&named).and_then(|level| Some((level, level.quiz()?, sealed.get(&named)?)));
        let Some((level, quiz, sealed)) = level else { continue };
        if attempts.len() > 1 {
            handed.remark(t!("seal-several", level = named, attempts = attempts.len()));
        }
        let Some(mut attempt) = attempts.into_iter().max_by(|a, b| a.submitted_at.cmp(&b.submitted_at)) else {
            continue;
        };
        if attempt.correct > 0 || attempt.items.iter().any(|item| item.correct) {
            handed.remark(t!("seal-marks", level = named));
        }
        match examine(quiz, sealed, seed, &mut attempt) {
            Ok(0) => {}
            Ok(items) => handed.remark(t!("seal-not-asked", level = named, items)),
            Err(error) => {
                handed.remark(error.to_string());
                continue;
            }
        }
        attempt.required = level.gate.required(attempt.questions);
        handed.work.attempts.push(attempt);
    }
    handed.work.attempts.len()
}
