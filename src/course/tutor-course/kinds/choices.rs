//! The code that single and multiple choice share. [`Selection`] covers the difference: one id or several.

use super::{FromValue, MAX_CHOICES, QuestionRules, SEALED, text_of};
use crate::lint::Path;
use crate::prelude::*;
use std::marker::PhantomData;

/// One choice of a `single` or `multiple` question.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Choice {
    /// Stable id, unique in the variant.
    #[schemars(regex(pattern = ID))]
    pub id: At<String>,
    /// Markdown, short.
    pub text: String,
    /// True if the choice is correct.
    #[serde(default)]
    pub correct: bool,
    /// For a wrong choice: names the misconception and corrects it.
    pub why: Option<String>,
}

impl Choice {
    pub(super) fn reason(&self) -> Reason {
        Reason { right: self.correct, answer: self.text.clone(), why: self.why.clone() }
    }

    /// Hashes which of the choices are correct.
    pub(super) fn fingerprint(all: &[Self], hash: &mut Fnv) {
        let mut keys: Vec<(&str, bool)> = all.iter().map(|c| (c.id.value.as_str(), c.correct)).collect();
        keys.sort_unstable();
        for (id, correct) in keys {
            hash.text(id);
            hash.text(if correct { "1" } else { "0" });
        }
    }

    /// Reports mistakes in choices that messages call `name`. `possible`: whether a number of correct choices, of a
    /// number of choices, is possible; `key` is the help if it is not.
    pub(super) fn check(
        lint: &mut Lint<'_>,
        [name, key]: [&str; 2],
        all: &[Self],
        possible: impl Fn(usize, usize) -> bool,
        path: &Path<'_>,
    ) {
        lint.ids(name, all.iter().map(|choice| &choice.id));
        lint.at_most(MAX_CHOICES, &format!("{name}s"), all.len(), path);
        let right = all.iter().filter(|choice| choice.correct).count();
        if !possible(right, all.len()) && !Self::are_sealed(all) && !lint.is_damaged(path) {
            let message = format!("{right} of {} {name}s are marked correct.", all.len());
            lint.report("choice-key", path, message, key);
        }
        lint.texts("choice-key", name, all.iter().map(|choice| choice.text.as_str()), path);
        for (index, choice) in all.iter().enumerate() {
            let path = path.to(index);
            let why = choice.why.as_deref().unwrap_or_default();
            lint.markdown(why, &path.to("why"));
            // If no choice is marked as correct, the correct one is among those without `why`.
            if right > 0 && !choice.correct && why.trim().is_empty() && !lint.is_damaged(&path) {
                let message = format!("The wrong {name} `{}` does not say why it is wrong.", choice.id.value);
                lint.report("choice-why", &choice.id, message, "Add `why`: name the misconception and correct it.");
            }
        }
    }

    /// True if `seal` removed the key of these choices.
    pub(super) fn are_sealed(all: &[Self]) -> bool {
        !all.is_empty() && all.iter().all(|choice| !choice.correct && choice.why.as_deref() == Some(SEALED))
    }
}

/// Choices as a student sees them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choices {
    /// The choices in shuffled order.
    pub choices: Vec<Item>,
}

/// A kind of question that is answered with one id or several.
pub(super) struct Choose<Response>(PhantomData<Response>);

/// One chosen id (single choice) or several (multiple choice).
pub(super) trait Selection: FromValue {
    const NAME: &'static str;

    fn ids(&self) -> &[String];
    /// True if `right` correct choices out of `all` are possible for this kind.
    fn can_be(right: usize, all: usize) -> bool;
    /// The message of `check` if they are not.
    const KEY: &'static str;
    fn expects() -> Sentence;
    fn problem(&self, items: &[Item]) -> Option<Sentence>;
    fn form() -> String;
}

impl<Response: Selection> QuestionRules for Choose<Response> {
    type Authored = [Choice];
    type Shown = Choices;
    type Response = Response;
    const NAME: &'static str = Response::NAME;

    fn items(spec: &[Choice]) -> Vec<Item> {
        spec.iter().map(|choice| Item { id: choice.id.value.clone(), text: choice.text.clone() }).collect()
    }
    fn view(_: &[Choice], items: Vec<Item>) -> Choices {
        Choices { choices: items }
    }
    fn shown(view: &Choices) -> &[Item] {
        &view.choices
    }
    fn usable(spec: &[Choice], _: &Parameters) -> bool {
        Response::can_be(spec.iter().filter(|choice| choice.correct).count(), usize::MAX) || Choice::are_sealed(spec)
    }
    fn fingerprint(spec: &[Choice], hash: &mut Fnv) {
        Choice::fingerprint(spec, hash);
    }
    fn expects(_: &Choices) -> Sentence {
        Response::expects()
    }
    fn problem(view: &Choices, given: &Response) -> Option<Sentence> {
        given.problem(&view.choices)
    }
    /// An answer is correct only if it has exactly the correct choices. A wrong choice is reported rather than a
    /// missing one.
    fn grade(spec: &[Choice], _: &Parameters, given: &Response) -> Result<Verdict, Sentence> {
        let chosen = |choice: &&Choice| given.ids().contains(&choice.id.value);
        if let Some(wrong) = spec.iter().filter(chosen).find(|choice| !choice.correct) {
            let why = wrong.why.clone().unwrap_or_else(|| t!("mastery-does-not-hold", choice = wrong.text.trim()));
            return Ok(Err((Miss::WrongChoice(wrong.id.value.clone()), why)));
        }
        if spec.iter().any(|choice| choice.correct && !chosen(&choice)) {
            return Ok(Err((Miss::MissingChoice, t!("mastery-more-holds"))));
        }
        Ok(Ok(()))
    }
    fn describe_answer(view: &Choices, given: &Response) -> Vec<String> {
        // In the order of the screen, not in the order of ticking.
        let chosen = view.choices.iter().filter(|item| given.ids().contains(&item.id));
        let unknown = given.ids().iter().filter(|id| view.choices.iter().all(|item| item.id != **id));
        chosen.map(|item| &item.id).chain(unknown).map(|id| text_of(id, &view.choices)).collect()
    }
    fn form(_: &Choices) -> String {
        Response::form()
    }
    fn reasons(spec: &[Choice], _: &Parameters) -> Vec<Reason> {
        spec.iter().map(Choice::reason).collect()
    }

    fn check(lint: &mut Lint<'_>, choices: &[Choice], _: &Variant, path: &Path<'_>) {
        Choice::check(lint, ["choice", Response::KEY], choices, Response::can_be, path);
    }
}
