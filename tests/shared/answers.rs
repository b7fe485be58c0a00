//! The correct answers to drawn questions.

use tutor_course::{AnswerSpec, Choice, QuizFile};
use tutor_progress::{Answer, Question};
use tutor_support::expr::Expr;

/// Returns the correct answer, from the key in the quiz file.
pub(crate) fn right(quiz: &QuizFile, question: &Question) -> Answer {
    let slot = quiz.slots.iter().find(|slot| slot.id.value == question.slot).unwrap();
    let variant = slot.variants.iter().find(|variant| variant.id.value == question.variant).unwrap();
    let correct = |choices: &[Choice]| -> Vec<String> {
        choices.iter().filter(|choice| choice.correct).map(|choice| choice.id.value.clone()).collect()
    };
    match &variant.answer {
        AnswerSpec::Single(choices) => Answer::Single(correct(choices).remove(0)),
        AnswerSpec::Multiple(choices) => Answer::Multiple(correct(choices)),
        AnswerSpec::Numeric(numeric) => {
            let formula = Expr::parse(&numeric.formula).unwrap();
            Answer::Number(formula.real(&|name| question.parameters.get(name).copied()).unwrap().to_string())
        }
        AnswerSpec::Predict(predict) => Answer::Predicted(predict.of.count().unwrap().to_string()),
        AnswerSpec::Fault(fault) => {
            let shown = fault.code();
            let at = shown.iter().position(|(number, _)| *number == fault.places()[0]).unwrap();
            Answer::Fault(vec![(at + 1).to_string(), correct(&fault.consequences).remove(0)])
        }
        AnswerSpec::Text(text) => Answer::Text(text.accept[0].value.clone()),
        AnswerSpec::Cloze(cloze) => {
            Answer::Blanks(cloze.blanks.iter().map(|blank| blank.accept[0].value.clone()).collect())
        }
        AnswerSpec::Match(spec) => {
            Answer::Pairs(spec.left.iter().map(|left| (left.id.value.clone(), left.is.value.clone())).collect())
        }
        AnswerSpec::Order(order) => Answer::Order(order.items.iter().map(|item| item.id.value.clone()).collect()),
    }
}
