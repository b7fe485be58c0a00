//! The keys that give the right answer to a question, taken from the quiz's own key.

use matmul_tutor::course::{AnswerSpec, Choice, Predict, QuizFile};
use matmul_tutor::expr::Expr;
use matmul_tutor::mastery::{Question, Store, shown_order};
use std::path::Path;

/// The letter of the right choice on a page, as the student of a running tutor sees it.
pub(crate) fn right_letter(data: &Path, level: &str, page: &str, predict: &Predict) -> char {
    let seed = Store::open(data).unwrap().student().unwrap();
    let order = shown_order(predict, Some(seed), level, page);
    let row = order.iter().position(|choice| predict.choices[*choice].correct).unwrap();
    char::from(b'a' + row as u8)
}

/// What to type, the last of it going on to the next question.
pub(crate) fn right_answer(quiz: &QuizFile, question: &Question) -> Vec<String> {
    let slot = quiz.slots.iter().find(|slot| slot.id.value == question.slot).unwrap();
    let variant = slot.variants.iter().find(|variant| variant.id.value == question.variant).unwrap();
    let place = |id: &str| question.kind.items().iter().position(|item| item.id == id).unwrap();
    let letters = |choices: &[Choice]| {
        let right = choices.iter().filter(|choice| choice.correct);
        right.map(|choice| char::from(b'a' + place(&choice.id) as u8).to_string()).collect::<Vec<_>>()
    };
    let enter = || "\r".to_owned();
    match &variant.answer {
        AnswerSpec::Single(choices) | AnswerSpec::Multiple(choices) => {
            let mut keys = letters(choices);
            keys.push(enter());
            keys
        }
        AnswerSpec::Numeric(numeric) => {
            let formula = Expr::parse(&numeric.formula).unwrap();
            let value = formula.real(&|name| question.parameters.get(name).copied()).unwrap();
            vec![value.to_string(), enter()]
        }
        AnswerSpec::Predict(predict) => vec![predict.of.count().unwrap().to_string(), enter()],
        AnswerSpec::Fault(fault) => {
            let at = fault.code().iter().position(|(number, _)| *number == fault.places()[0]).unwrap();
            let mut keys = vec!["j".repeat(at + 1)];
            keys.extend(letters(&fault.consequences));
            keys.push(enter());
            keys
        }
        AnswerSpec::Text(text) => vec![text.accept[0].value.clone(), enter()],
        AnswerSpec::Cloze(cloze) => {
            cloze.blanks.iter().flat_map(|blank| [blank.accept[0].value.clone(), enter()]).collect()
        }
        AnswerSpec::Order(order) => {
            let mut shown: Vec<&str> = question.kind.items().iter().map(|item| item.id.as_str()).collect();
            let mut keys = Vec::new();
            let mut cursor = 0;
            for (to, item) in order.items.iter().enumerate() {
                let from = shown.iter().position(|id| *id == item.id.value).unwrap();
                keys.push("k".repeat(cursor));
                keys.push("j".repeat(from));
                keys.push("-".repeat(from - to));
                cursor = to;
                let moved = shown.remove(from);
                shown.insert(to, moved);
            }
            keys.push(enter());
            keys
        }
        AnswerSpec::Match(spec) => {
            let letter = |id: &str| char::from(b'a' + place(id) as u8).to_string();
            let mut keys: Vec<String> = spec.left.iter().map(|left| letter(&left.is)).collect();
            keys.push(enter());
            keys
        }
    }
}
