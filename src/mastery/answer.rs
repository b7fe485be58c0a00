//! Whether an answer has the form that its question needs.

use super::question::Question;
use serde_json::Value;
use tutor_course::Answer;

impl Question {
    /// What keeps `answer` from being an answer to this question, as a sentence for the student; `None` if it can be
    /// graded. Does not say whether it is correct.
    pub fn problem(&self, answer: &Answer) -> Option<String> {
        self.kind.problem(answer)
    }

    /// The same of an answer that was taken before, maybe in another language.
    pub(super) fn unfit(&self, answer: &Answer) -> Option<String> {
        self.kind.unfit(answer)
    }

    /// Reads an answer from a script's value: ids, a number, a text, a list, a map, as the question's kind needs.
    ///
    /// # Errors
    /// A sentence that says which form is needed, or what [`Question::problem`] finds.
    pub fn answer_of(&self, value: &Value) -> Result<Answer, String> {
        let answer = self.kind.read(value)?;
        match self.problem(&answer) {
            None => Ok(answer),
            Some(problem) => Err(problem),
        }
    }

    /// A draft as [`Answer::to_draft`] kept it; `None` if it is a draft for another kind of question.
    pub fn draft_of(&self, draft: &str) -> Option<Answer> {
        serde_json::from_str(draft).ok().filter(|answer| self.kind.fits(answer))
    }
}
