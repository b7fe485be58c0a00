//! Grades an answer and selects the reason for this particular answer.

use super::question::{Question, QuizError, fill, find};
use serde::Serialize;
use tutor_course::{Answer, Miss, QuizFile};
use tutor_support::sentence;
use tutor_support::t;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Graded {
    /// True if correct; there is no partial credit.
    pub correct: bool,
    /// The kind of miss; absent for a correct answer.
    pub miss: Option<Miss>,
    /// For a miss, the reason for this answer. It does not reveal the key.
    pub why: Option<String>,
    /// Why the correct answer is correct. It reveals the key, so it is only for practice and passed attempts.
    pub because: String,
}

/// Grades an answer or a missing answer.
///
/// # Errors
/// If the quiz no longer has the question, or its formula cannot be computed.
pub fn grade(quiz: &QuizFile, question: &Question, answer: Option<&Answer>) -> Result<Graded, QuizError> {
    let Some((_, variant)) = find(quiz, &question.slot, &question.variant) else {
        let (variant, slot) = (question.variant.as_str(), question.slot.as_str());
        return Err(QuizError::broken(sentence!("mastery-no-variant", variant, slot)));
    };
    let parameters = &question.parameters;
    let verdict = match answer {
        None => Err((Miss::NotAnswered, t!("mastery-not-answered"))),
        Some(answer) => match question.no_longer_valid(answer) {
            Some(problem) => Err((Miss::Malformed, problem.to_string())),
            None => (variant.answer.grade(parameters, answer).map_err(QuizError::broken)?)
                .unwrap_or_else(|| Err((Miss::Malformed, t!("mastery-another-kind")))),
        },
    };
    let mut because = fill(&variant.because, parameters);
    if because.contains("{counted}")
        && let Some(counted) = variant.answer.counted()
    {
        because = because.replace("{counted}", &counted.to_string());
    }
    Ok(match verdict {
        Ok(()) => Graded { correct: true, miss: None, why: None, because },
        Err((miss, why)) => Graded { correct: false, miss: Some(miss), why: Some(fill(&why, parameters)), because },
    })
}
