//! Type a short text.

use super::normal::normal;
use super::term::{bracketed, same};
use super::{QuestionRules, too_long};
use crate::lint::Path;
use crate::prelude::*;

/// A short text.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct TextAnswer {
    /// Accepted answers.
    #[schemars(length(min = 1))]
    pub accept: Vec<At<String>>,
    /// Known wrong answers with their reasons.
    #[serde(default)]
    pub slips: Vec<TextSlip>,
    /// The reason for any other wrong text.
    pub why: String,
}

/// A known wrong text.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct TextSlip {
    /// The wrong text.
    pub text: String,
    /// Names the mistake and corrects it.
    pub why: String,
}

/// A question that needs a text. It shows only a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Typed {
    /// The most words that an answer may have. More of them are a sentence and not a term.
    pub max_words: usize,
}

/// The most words of an answer, unless a longer one is accepted.
const MAX_WORDS: usize = 6;

impl QuestionRules for TextAnswer {
    type Authored = Self;
    type Shown = Typed;
    type Response = String;
    const NAME: &'static str = "text";

    fn view(spec: &TextAnswer, _: Vec<Item>) -> Typed {
        let longest = spec.accept.iter().map(|known| known.split_whitespace().count()).max();
        Typed { max_words: longest.map_or(MAX_WORDS, |words| (words + 2).max(MAX_WORDS)) }
    }
    fn usable(spec: &TextAnswer, _: &Parameters) -> bool {
        !spec.accept.is_empty()
    }
    fn fingerprint(_: &TextAnswer, _: &mut Fnv) {}
    fn expects(_: &Typed) -> Sentence {
        sentence!("mastery-takes-text")
    }
    fn problem(view: &Typed, typed: &String) -> Option<Sentence> {
        match typed.split_whitespace().count() {
            0 => Some(sentence!("mastery-type-an-answer")),
            words if words > view.max_words => Some(sentence!("mastery-type-a-term")),
            _ => too_long(typed),
        }
    }
    fn grade(spec: &TextAnswer, _: &Parameters, typed: &String) -> Result<Verdict, Sentence> {
        let accepted = |same: fn(&str, &str) -> bool| spec.accept.iter().any(|accepted| same(typed, accepted));
        let slipped = |same: fn(&str, &str) -> bool| spec.slips.iter().find(|slip| same(typed, &slip.text));
        // Exact spelling takes precedence over a match that ignores a particle.
        let letters = |typed: &str, known: &str| normal(typed) == normal(known);
        if accepted(letters) {
            return Ok(Ok(()));
        }
        let slip = slipped(letters);
        // In `TMA (Tensor Memory Accelerator)`, each part is an answer.
        let twice = bracketed(typed).is_some_and(|(outside, inside)| {
            [outside, inside].iter().all(|part| spec.accept.iter().any(|accepted| same(part, accepted)))
        });
        if slip.is_none() && (accepted(same) || twice) {
            return Ok(Ok(()));
        }
        let slip = slip.or_else(|| slipped(same));
        Ok(Err(slip.map_or_else(|| (Miss::Other, spec.why.clone()), |slip| (Miss::Slip, slip.why.clone()))))
    }
    fn describe_answer(_: &Typed, typed: &String) -> Vec<String> {
        vec![format!("“{}”", typed.trim())]
    }
    fn form(_: &Typed) -> String {
        t!("cli-quiz-form-text")
    }
    fn translates(spec: &mut TextAnswer, original: &TextAnswer) {
        for accepted in &original.accept {
            // A text that the translation lists as a mistake stays a mistake.
            let known = spec.accept.iter().map(|known| &known.value).chain(spec.slips.iter().map(|slip| &slip.text));
            if !known.into_iter().any(|known| normal(known) == normal(accepted)) {
                spec.accept.push(accepted.clone());
            }
        }
    }
    fn reasons(spec: &TextAnswer, _: &Parameters) -> Vec<Reason> {
        let right = spec.accept.iter().map(|accepted| Reason::right(accepted.value.as_str()));
        let slips = spec.slips.iter().map(|slip| Reason::wrong(slip.text.as_str(), &slip.why));
        right.chain(slips).chain([Reason::other(&spec.why)]).collect()
    }

    fn check(lint: &mut Lint<'_>, spec: &TextAnswer, _: &Variant, path: &Path<'_>) {
        lint.text("The reason", &spec.why, &path.to("why"));
        if spec.accept.iter().all(|accepted| accepted.value.trim().is_empty()) {
            lint.report("text-accept", &path.to("accept"), "No answer is accepted.", "");
        }
        for (index, slip) in spec.slips.iter().enumerate() {
            let path = path.to("slips").to(index);
            lint.text("The slip", &slip.text, &path.to("text"));
            lint.text("The reason", &slip.why, &path.to("why"));
            if spec.accept.iter().any(|accepted| same(&slip.text, accepted)) {
                let message = format!("\"{}\" is a slip, but also accepted.", slip.text.trim());
                let help = "Case, white space and outer punctuation do not count, nor a Korean particle.";
                lint.report("text-accept", &path.to("text"), message, help);
            }
            if spec.slips.iter().take(index).any(|other| normal(&other.text) == normal(&slip.text)) {
                let message = format!("The slip \"{}\" is given twice.", slip.text.trim());
                lint.report("text-accept", &path.to("text"), message, "");
            }
        }
    }
}
