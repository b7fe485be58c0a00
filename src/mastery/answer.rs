//! What a student answers, and whether it has the form that the question needs.

use super::question::Question;
use crate::course::Answer;
use serde_json::Value;

impl Answer {
    /// What keeps this from being an answer to the question, as a sentence for whoever typed it;
    /// `None` if it can be graded. Says nothing of right and wrong.
    pub fn problem(&self, question: &Question) -> Option<String> {
        question.kind.problem(self)
    }

    /// The same of an answer that was taken before, maybe in another language.
    pub(super) fn unfit(&self, question: &Question) -> Option<String> {
        question.kind.unfit(self)
    }

    /// Reads an answer from a script's value: ids, a number, a text, a list, a map, as the question's kind needs.
    ///
    /// # Errors
    /// A sentence that says which form is needed, or what [`Answer::problem`] finds.
    pub fn from_value(question: &Question, value: &Value) -> Result<Self, String> {
        let answer = question.kind.read(value)?;
        match answer.problem(question) {
            None => Ok(answer),
            Some(problem) => Err(problem),
        }
    }

    /// As a draft is kept: an answer that may lack parts.
    pub fn to_draft(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A draft as it was kept; `None` if it is none, or one to another kind of question.
    pub fn from_draft(question: &Question, draft: &str) -> Option<Self> {
        serde_json::from_str(draft).ok().filter(|answer| question.kind.fits(answer))
    }
}
