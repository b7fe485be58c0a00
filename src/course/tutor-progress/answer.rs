//! Checks whether an answer has the form that its question needs.

use super::question::Question;
use serde_json::Value;
use tutor_course::Answer;
use tutor_support::words::Sentence;

impl Question {
    /// Returns what is wrong with the form of `answer`, as a sentence for the student. `None` if it can be graded. Does
    /// not check whether it is correct.
    pub fn problem(&self, answer: &Answer) -> Option<Sentence> {
        self.kind.problem(answer)
    }

    /// Does the same for a stored answer, which may have been given in another language.
    pub(super) fn no_longer_valid(&self, answer: &Answer) -> Option<Sentence> {
        self.kind.no_longer_valid(answer)
    }

    /// Reads an answer from a script's value. The question's kind determines whether this is ids, a number, a text, a
    /// list or a map.
    ///
    /// # Errors
    /// A sentence with the required form, or the result of [`Question::problem`].
    pub fn answer_of(&self, value: &Value) -> Result<Answer, Sentence> {
        let answer = self.kind.read(value)?;
        match self.problem(&answer) {
            None => Ok(answer),
            Some(problem) => Err(problem),
        }
    }

    /// Returns the answer in a draft that [`Answer::to_draft`] wrote. `None` if the draft belongs to another kind of
    /// question.
    pub fn draft_of(&self, draft: &str) -> Option<Answer> {
        serde_json::from_str(draft).ok().filter(|answer| self.kind.fits(answer))
    }
}
