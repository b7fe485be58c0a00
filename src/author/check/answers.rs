//! Rules of the kinds of questions.

use super::lint::{Lint, Path};
use super::{markdown, numeric};
use crate::course::{AnswerSpec, Choice, Cloze, Matching, Order, TextAnswer, Variant};
use crate::mastery::{same_code, same_text};

/// Choices are answered by one letter each.
const MAX_CHOICES: usize = 10;
const MAX_BLANKS: usize = 9;
/// Right-hand sides are named by the letters a to h.
const MAX_PARTNERS: usize = 8;

pub(super) fn check(lint: &mut Lint<'_>, variant: &Variant, path: &Path<'_>) {
    let path = path.to("answer");
    match &variant.answer {
        AnswerSpec::Single(list) => choices(lint, list, &path.to("single"), true),
        AnswerSpec::Multiple(list) => choices(lint, list, &path.to("multiple"), false),
        AnswerSpec::Numeric(spec) => numeric::check(lint, variant, spec, &path.to("numeric")),
        AnswerSpec::Text(spec) => text(lint, spec, &path.to("text")),
        AnswerSpec::Cloze(spec) => cloze(lint, spec, &path.to("cloze")),
        AnswerSpec::Order(spec) => order(lint, spec, &path.to("order")),
        AnswerSpec::Match(spec) => matching(lint, spec, &path.to("match")),
    }
}

fn choices(lint: &mut Lint<'_>, choices: &[Choice], path: &Path<'_>, single: bool) {
    lint.ids("choice", choices.iter().map(|choice| &choice.id));
    lint.at_most(MAX_CHOICES, "choices", choices.len(), path);
    let right = choices.iter().filter(|choice| choice.correct).count();
    let wrong = choices.len() - right;
    let damaged = lint.is_damaged(path);
    if single && (right != 1 || wrong == 0) && !damaged {
        let message = format!("{right} of {} choices are marked correct.", choices.len());
        lint.tell("choice-key", path, message, "A single choice has one right choice and at least one wrong one.");
    }
    if !single && (right == 0 || wrong == 0) && !damaged {
        let message = format!("{right} of {} choices are marked correct.", choices.len());
        lint.tell("choice-key", path, message, "A multiple choice has at least one right and one wrong choice.");
    }
    for (index, choice) in choices.iter().enumerate() {
        let path = path.to(index);
        lint.text("The choice", &choice.text, &path.to("text"));
        markdown::check(lint, &choice.text, &path.to("text"));
        let why = choice.why.as_deref().unwrap_or_default();
        markdown::check(lint, why, &path.to("why"));
        if !choice.correct && why.trim().is_empty() && !lint.is_damaged(&path) {
            let message = format!("The wrong choice `{}` does not say why it is wrong.", choice.id.value);
            lint.tell("choice-why", &choice.id, message, "Add `why`: name the misconception and mend it.");
        }
        if choices.iter().take(index).any(|other| other.text.trim() == choice.text.trim()) {
            lint.tell("choice-key", &path.to("text"), "Two choices read the same.", "");
        }
    }
}

fn text(lint: &mut Lint<'_>, spec: &TextAnswer, path: &Path<'_>) {
    lint.text("The reason", &spec.why, &path.to("why"));
    if spec.accept.iter().all(|accepted| accepted.value.trim().is_empty()) {
        lint.tell("text-accept", &path.to("accept"), "No answer is accepted.", "");
    }
    for (index, slip) in spec.slips.iter().enumerate() {
        let path = path.to("slips").to(index);
        lint.text("The slip", &slip.text, &path.to("text"));
        lint.text("The reason", &slip.why, &path.to("why"));
        if spec.accept.iter().any(|accepted| same_text(accepted, &slip.text)) {
            let message = format!("\"{}\" is a slip, but also accepted.", slip.text.trim());
            let help = "Case, white space and outer punctuation do not count.";
            lint.tell("text-accept", &path.to("text"), message, help);
        }
        if spec.slips.iter().take(index).any(|other| same_text(&other.text, &slip.text)) {
            let message = format!("The slip \"{}\" is given twice.", slip.text.trim());
            lint.tell("text-accept", &path.to("text"), message, "");
        }
    }
}

fn cloze(lint: &mut Lint<'_>, spec: &Cloze, path: &Path<'_>) {
    lint.at_most(MAX_BLANKS, "blanks", spec.blanks.len(), &path.to("blanks"));
    let marks = marks(&spec.code);
    let wanted: Vec<usize> = (1..=spec.blanks.len()).collect();
    if marks != wanted || marks.is_empty() {
        let shown: Vec<String> = marks.iter().map(|mark| format!("___{mark}___")).collect();
        let shown = if shown.is_empty() { "no mark".to_owned() } else { shown.join(", ") };
        let message = format!("The code has {shown}, but there are {} blanks.", spec.blanks.len());
        let help = "Mark the blanks ___1___, ___2___ … in the order in which they stand, each once.";
        lint.tell("cloze-blanks", &path.to("code"), message, help);
    }
    for (index, blank) in spec.blanks.iter().enumerate() {
        let path = path.to("blanks").to(index);
        lint.text("The reason", &blank.why, &path.to("why"));
        if blank.accept.iter().all(|accepted| accepted.value.trim().is_empty()) {
            lint.tell("cloze-blanks", &path.to("accept"), format!("Blank {} accepts nothing.", index + 1), "");
        }
        for (at, accepted) in blank.accept.iter().enumerate() {
            if blank.accept.iter().take(at).any(|other| same_code(other, accepted)) {
                let message = format!("`{}` is accepted already: white space does not count.", accepted.value);
                lint.tell("cloze-blanks", accepted, message, "");
            }
        }
    }
}

/// The numbers of the marks `___N___` in a code, in the order in which they stand.
fn marks(code: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("___") {
        rest = &rest[at + 3..];
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if let Some(after) = rest[digits..].strip_prefix("___")
            && let Ok(number) = rest[..digits].parse()
        {
            found.push(number);
            rest = after;
        }
    }
    found
}

fn order(lint: &mut Lint<'_>, spec: &Order, path: &Path<'_>) {
    lint.text("The reason", &spec.why, &path.to("why"));
    lint.ids("event", spec.items.iter().map(|item| &item.id));
    lint.at_most(MAX_CHOICES, "events", spec.items.len(), &path.to("items"));
    if spec.items.len() < 3 {
        let message = format!("{} events are too few to put in order.", spec.items.len());
        lint.tell("order-items", &path.to("items"), message, "Give at least three.");
    }
    for (index, item) in spec.items.iter().enumerate() {
        let path = path.to("items").to(index);
        lint.text("The event", &item.text, &path.to("text"));
        markdown::check(lint, &item.text, &path.to("text"));
        if spec.items.iter().take(index).any(|other| other.text.trim() == item.text.trim()) {
            let message = "Two events read the same, so their order cannot be told.";
            lint.tell("order-items", &path.to("text"), message, "");
        }
    }
}

fn matching(lint: &mut Lint<'_>, spec: &Matching, path: &Path<'_>) {
    lint.text("The reason", &spec.why, &path.to("why"));
    lint.ids("left-hand side", spec.left.iter().map(|item| &item.id));
    lint.ids("right-hand side", spec.right.iter().map(|item| &item.id));
    lint.at_most(MAX_PARTNERS, "right-hand sides", spec.right.len(), &path.to("right"));
    if spec.left.len() < 3 {
        let message = format!("{} pairs are too few to be matched.", spec.left.len());
        lint.tell("match-pairs", &path.to("left"), message, "Give at least three.");
    }
    for (index, item) in spec.left.iter().enumerate() {
        let path = path.to("left");
        let path = path.to(index);
        lint.text("The left-hand side", &item.text, &path.to("text"));
        markdown::check(lint, &item.text, &path.to("text"));
        lint.reference(
            "match-pairs",
            "right-hand side",
            &item.is,
            spec.right.iter().map(|right| right.id.value.as_str()),
        );
        if spec.left.iter().take(index).any(|other| other.is == item.is) {
            let message = format!("`{}` belongs to two left-hand sides.", item.is.value);
            lint.tell("match-pairs", &item.is, message, "A right-hand side has one partner at most.");
        }
        if spec.left.iter().take(index).any(|other| other.text.trim() == item.text.trim()) {
            lint.tell("match-pairs", &path.to("text"), "Two left-hand sides read the same.", "");
        }
    }
    for (index, item) in spec.right.iter().enumerate() {
        let path = path.to("right");
        let path = path.to(index);
        lint.text("The right-hand side", &item.text, &path.to("text"));
        markdown::check(lint, &item.text, &path.to("text"));
        if spec.right.iter().take(index).any(|other| other.text.trim() == item.text.trim()) {
            lint.tell("match-pairs", &path.to("text"), "Two right-hand sides read the same.", "");
        }
    }
    for (index, slip) in spec.slips.iter().enumerate() {
        let path = path.to("slips");
        let path = path.to(index);
        lint.text("The reason", &slip.why, &path.to("why"));
        lint.reference(
            "match-pairs",
            "left-hand side",
            &slip.left,
            spec.left.iter().map(|left| left.id.value.as_str()),
        );
        lint.reference(
            "match-pairs",
            "right-hand side",
            &slip.right,
            spec.right.iter().map(|right| right.id.value.as_str()),
        );
        if spec.left.iter().any(|left| left.id == slip.left && left.is == slip.right) {
            let message =
                format!("`{}` and `{}` are a slip, but also the right pair.", slip.left.value, slip.right.value);
            lint.tell("match-pairs", &slip.right, message, "");
        }
        if spec.slips.iter().take(index).any(|other| other.left == slip.left && other.right == slip.right) {
            let message = format!("The slip `{}` and `{}` is given twice.", slip.left.value, slip.right.value);
            lint.tell("match-pairs", &slip.right, message, "");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::marks;

    #[test]
    fn marks_are_found_in_order_and_underscores_are_none() {
        assert_eq!(marks("a[___1___] = b___2___; __shared__ ___x___ ___3__"), [1, 2]);
        assert_eq!(marks("___2___ ___1___ ___1___"), [2, 1, 1]);
        assert_eq!(marks("_____1___"), [] as [usize; 0], "the first three underscores begin a mark");
    }
}
