//! The student's first predictions in a level, by page and by objective. They show what the student knew beforehand.

use super::store::Predictions;
use serde::Serialize;
use std::collections::BTreeMap;
use tutor_course::LessonFile;

/// The first predictions of a level. The field names are those of `status --json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Guesses {
    /// Pages that ask for a prediction. An optional page counts only with an answer.
    pub asked: u32,
    /// Pages whose first prediction selected a choice.
    pub answered: u32,
    /// Correct first predictions.
    pub right: u32,
    /// Pages whose first prediction was skipped.
    pub skipped: u32,
    /// One entry per page that asks for a prediction, in reading order.
    pub pages: Vec<PageGuess>,
    /// One entry per objective of such pages, in the lesson's order.
    pub objectives: Vec<ObjectiveGuess>,
}

/// The first prediction on a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageGuess {
    pub page: String,
    /// True if it was correct; absent if there was none.
    pub right: Option<bool>,
    /// True if it was skipped.
    pub skipped: bool,
}

/// The first predictions on the pages that serve an objective.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ObjectiveGuess {
    pub objective: String,
    pub right: u32,
    pub wrong: u32,
}

impl Guesses {
    /// Returns the predictions of a level, from all predictions by level and page.
    pub fn of(level: &str, lesson: &LessonFile, made: &BTreeMap<(String, String), Predictions>) -> Self {
        let mut guesses = Self::default();
        let mut objectives: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
        for page in lesson.pages.iter().filter(|page| page.predict.is_some()) {
            let first = made.get(&(level.to_owned(), page.id.value.clone())).map(|made| made.first);
            let right = first.and_then(|first| first.correct);
            let skipped = first.is_some_and(|first| first.choice.is_none());
            if page.optional && right.is_none() {
                continue;
            }
            guesses.asked += 1;
            guesses.answered += u32::from(right.is_some());
            guesses.right += u32::from(right == Some(true));
            guesses.skipped += u32::from(skipped);
            for objective in &page.objectives {
                let (rights, wrongs) = objectives.entry(&objective.value).or_default();
                *rights += u32::from(right == Some(true));
                *wrongs += u32::from(right == Some(false));
            }
            guesses.pages.push(PageGuess { page: page.id.value.clone(), right, skipped });
        }
        let known = |id: &str| objectives.get(id).copied();
        guesses.objectives = lesson
            .objectives
            .iter()
            .filter_map(|objective| {
                let (right, wrong) = known(&objective.id.value)?;
                Some(ObjectiveGuess { objective: objective.id.value.clone(), right, wrong })
            })
            .collect();
        guesses
    }

    /// Returns the objectives with an incorrect first prediction, those with the most first.
    pub fn weakest(&self) -> Vec<&ObjectiveGuess> {
        let mut weak: Vec<&ObjectiveGuess> = self.objectives.iter().filter(|guess| guess.wrong > 0).collect();
        weak.sort_by_key(|guess| std::cmp::Reverse(guess.wrong));
        weak
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Prediction;

    #[test]
    fn first_predictions_are_counted_by_page_and_by_objective() {
        let page = |id: &str, objectives: &str| {
            format!(
                "  - {{id: {id}, title: T, tag: run, objectives: [{objectives}], predict: {{ask: A, choices: []}}}}\n"
            )
        };
        let lesson: LessonFile = tutor_support::yaml::read_typed(&format!(
            "level: one\nobjectives: [{{id: a, text: A}}, {{id: b, text: B}}, {{id: c, text: C}}]\npages:\n{}{}{}{}",
            page("p1", "a"),
            page("p2", "a, b"),
            page("p3", "b"),
            page("p4", "b"),
        ))
        .unwrap();
        let right = Prediction { choice: Some(0), correct: Some(true) };
        let wrong = Prediction { choice: Some(1), correct: Some(false) };
        let none = Prediction { choice: None, correct: None };
        let made = [
            ("p1", Predictions::once(right)),
            // On a second try, the first prediction counts.
            ("p2", Predictions { first: wrong, latest: right }),
            ("p3", Predictions::once(none)),
        ];
        let made = made.map(|(page, made)| (("one".to_owned(), page.to_owned()), made)).into();
        let guesses = Guesses::of("one", &lesson, &made);
        assert_eq!((guesses.asked, guesses.answered, guesses.right, guesses.skipped), (4, 2, 1, 1));
        let told = |guess: &PageGuess| (guess.page.clone(), guess.right, guess.skipped);
        let pages: Vec<_> = guesses.pages.iter().map(told).collect();
        let expected = [("p1", Some(true), false), ("p2", Some(false), false), ("p3", None, true), ("p4", None, false)];
        assert_eq!(pages, expected.map(|(page, right, skipped)| (page.to_owned(), right, skipped)));
        let told = |guess: &ObjectiveGuess| (guess.objective.clone(), guess.right, guess.wrong);
        let objectives: Vec<_> = guesses.objectives.iter().map(told).collect();
        assert_eq!(objectives, [("a".to_owned(), 1, 1), ("b".to_owned(), 0, 1)]);
        assert_eq!(guesses.weakest().len(), 2);
    }
}
