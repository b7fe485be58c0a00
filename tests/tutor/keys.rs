//! The keys that give the correct answer to a question, taken from the quiz's own key.

use crate::shared::right;
use std::path::Path;
use tutor_course::{Predict, QuizFile};
use tutor_progress::{Answer, Question, QuestionKind, Store, shown_order};

/// The letter of the right choice on a page, as the student of a running tutor sees it.
pub(crate) fn right_letter(data: &Path, level: &str, page: &str, predict: &Predict) -> char {
    let seed = Store::open(data).unwrap().student().unwrap();
    let order = shown_order(predict, Some(seed), level, page);
    let row = order.iter().position(|choice| predict.choices[*choice].correct).unwrap();
    char::from(b'a' + row as u8)
}

/// What to type, the last of it going on to the next question.
pub(crate) fn right_answer(quiz: &QuizFile, question: &Question) -> Vec<String> {
    let letter = |id: &String| {
        let at = question.kind.items().iter().position(|item| item.id == *id).unwrap();
        char::from(b'a' + at as u8).to_string()
    };
    let enter = || "\r".to_owned();
    let mut keys = match right(quiz, question) {
        Answer::Single(id) => vec![letter(&id)],
        Answer::Multiple(ids) => ids.iter().map(letter).collect(),
        Answer::Number(typed) | Answer::Predicted(typed) | Answer::Text(typed) => vec![typed],
        Answer::Fault(places) => vec!["j".repeat(places[0].parse().unwrap()), letter(&places[1])],
        // The last of them goes on.
        Answer::Blanks(blanks) => return blanks.into_iter().flat_map(|blank| [blank, enter()]).collect(),
        Answer::Pairs(pairs) => {
            let QuestionKind::Match(sides) = &question.kind else { panic!("{:?} has no pairs", question.kind) };
            sides.left.iter().map(|left| letter(&pairs[&left.id])).collect()
        }
        Answer::Order(ids) => {
            let mut shown: Vec<&String> = question.kind.items().iter().map(|item| &item.id).collect();
            let mut cursor = 0;
            let moves = ids.iter().enumerate().flat_map(|(to, id)| {
                let from = shown.iter().position(|shown| *shown == id).unwrap();
                let moved = shown.remove(from);
                shown.insert(to, moved);
                ["k".repeat(std::mem::replace(&mut cursor, to)), "j".repeat(from), "-".repeat(from - to)]
            });
            moves.collect()
        }
    };
    keys.push(enter());
    keys
}
