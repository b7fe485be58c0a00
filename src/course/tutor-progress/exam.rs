/*! An exam: a course without keys, whose questions depend on the student's name.

`seal` removes the keys from the quizzes and writes the exam's name into `course.yaml`. The seed of an attempt is a
message authentication code of the student's name, with the exam's name as the key (HMAC-SHA-256, RFC 2104). The tutor
stores the attempt without grading it. The instructor grades it with the full course and can verify the student's draw.
The draw is not secret: the exam's name is enough to compute it. But no student can choose it.
*/

use super::draw::{Seen, draw};
use super::grade::grade;
use super::handed_in::{HandedAttempt, HandedItem};
use super::question::{Drawn, QuizError, present_as_it_is};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use std::sync::OnceLock;
use tutor_course::{Answer, QuizFile};
use tutor_support::name::visible;

static STUDENT: OnceLock<String> = OnceLock::new();

/// Sets the student's name for all exams of this process.
pub fn set_student(name: &str) {
    // The command line calls this only once, so it cannot fail.
    let _ = STUDENT.set(name.trim().to_owned());
}

/// Returns the student's name; empty if it is not set.
pub fn student() -> &'static str {
    STUDENT.get().map_or("", String::as_str)
}

/// Returns the seed of a student's questions in an exam.
pub fn exam_seed(exam: &str, student: &str) -> u64 {
    let Ok(mut code) = Hmac::<Sha256>::new_from_slice(exam.as_bytes()) else { return 0 };
    code.update(visible(student).as_bytes());
    let code = code.finalize().into_bytes();
    let first = code.iter().take(8).fold(0_u64, |seed, byte| seed << 8 | u64::from(*byte));
    // All seeds have 53 bits.
    first >> 11
}

/// Grades a student's exam with the full quiz. The questions are those that the sealed quiz draws for the student. From
/// the file, only the answers to them count, each once. Returns the number of other answers in the file.
///
/// # Errors
/// If the questions cannot be drawn, or the full quiz does not have them.
pub fn examine(full: &QuizFile, sealed: &QuizFile, seed: u64, attempt: &mut HandedAttempt) -> Result<usize, QuizError> {
    let mut handed = std::mem::take(&mut attempt.items);
    (attempt.correct, attempt.questions) = (0, sealed.slots.len() as u32);
    for question in draw(sealed, seed, &Seen::default())? {
        let Drawn { slot, variant, parameters, order, .. } = Drawn::from(&question);
        let same = |item: &HandedItem| item.slot == slot && item.variant == variant && item.parameters == parameters;
        let found = handed.iter().position(same).map(|at| handed.remove(at));
        let (answer, seconds) = found.map(|item| (item.answer, item.seconds)).unwrap_or_default();
        let drawn = Drawn { slot, variant, parameters, order, fingerprint: 0 };
        let question = present_as_it_is(full, &drawn)?;
        let given = serde_json::from_value::<Answer>(answer.clone()).ok();
        let given = given.filter(|given| question.no_longer_valid(given).is_none());
        let graded = grade(full, &question, given.as_ref())?;
        attempt.correct += u32::from(graded.correct);
        let Drawn { slot, variant, parameters, order: choices, .. } = drawn;
        let (correct, why) = (graded.correct, graded.why);
        attempt.items.push(HandedItem { slot, variant, correct, choices, parameters, answer, why, seconds });
    }
    Ok(handed.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_is_the_message_authentication_code_of_the_name() {
        // RFC 4231, test case 2: the code begins with 5bdcc146bf60754e.
        assert_eq!(exam_seed("Jefe", "what do ya want for nothing?"), 0x5bdc_c146_bf60_754e >> 11);
        assert_eq!(exam_seed("a", " ada "), exam_seed("a", "ada"));
        assert_ne!(exam_seed("a", "ada"), exam_seed("b", "ada"));
    }

    #[test]
    fn what_nobody_sees_in_a_name_draws_no_other_questions() {
        assert_eq!(exam_seed("midterm", "Zoe\u{308}\u{fe0f} Lovelace"), exam_seed("midterm", "Zoë\u{a0}Lovelace"));
    }
}
