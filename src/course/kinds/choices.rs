//! The code that single and multiple choice share. [`Chosen`] covers the difference: one id or several.

use super::lines::{known, letter};
use super::{Kind, MAX_CHOICES, text_of};
use crate::lint::Path;
use crate::prelude::*;
use std::marker::PhantomData;

/// A choice of a single or multiple question.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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
    #[serde(default)]
    pub why: Option<String>,
}

impl Choice {
    pub(super) fn reason(&self) -> Reason {
        Reason { right: self.correct, answer: self.text.clone(), why: self.why.clone() }
    }
}

/// Choices as a student sees them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choices {
    /// The choices in shuffled order.
    pub choices: Vec<Item>,
}

/// A kind of question that is answered with one id or several.
pub(super) struct Choose<Given>(PhantomData<Given>);

/// One chosen id (single choice) or several (multiple choice).
pub(super) trait Chosen: Sized {
    const NAME: &'static str;

    fn of(ids: Vec<String>) -> Self;
    fn ids(&self) -> &[String];
    /// True if `right` correct choices out of `all` are possible for this kind.
    fn can_be(right: usize, all: usize) -> bool;
    /// The message of `check` if they are not.
    const KEY: &'static str;
    fn takes() -> Sentence;
    fn problem(&self, items: &[Item]) -> Option<Sentence>;
    fn read(value: &Value) -> Option<Self>;
    fn ask() -> String;
    /// Returns the ids that a typed line names.
    fn named(line: &str, items: &[Item]) -> Vec<String>;
    fn form() -> String;
}

impl<Given: Chosen> Kind for Choose<Given> {
    type Spec = [Choice];
    type View = Choices;
    type Given = Given;
    const NAME: &'static str = Given::NAME;

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
        Given::can_be(spec.iter().filter(|choice| choice.correct).count(), usize::MAX)
    }
    fn fingerprint(spec: &[Choice], hash: &mut Fnv) {
        let mut keys: Vec<(&str, bool)> = spec.iter().map(|c| (c.id.value.as_str(), c.correct)).collect();
        keys.sort_unstable();
        for (id, correct) in keys {
            hash.text(id);
            hash.text(if correct { "1" } else { "0" });
        }
    }
    fn takes(_: &Choices) -> Sentence {
        Given::takes()
    }
    fn problem(view: &Choices, given: &Given) -> Option<Sentence> {
        given.problem(&view.choices)
    }
    fn read(_: &Choices, value: &Value) -> Option<Given> {
        Given::read(value)
    }
    /// An answer is correct only if it has exactly the correct choices. A wrong choice is reported rather than a
    /// missing one.
    fn grade(spec: &[Choice], _: &Parameters, given: &Given) -> Result<Verdict, Sentence> {
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
    fn describe_answer(view: &Choices, given: &Given) -> Vec<String> {
        // In the order of the screen, not in the order of ticking.
        let chosen = view.choices.iter().filter(|item| given.ids().contains(&item.id));
        let unknown = given.ids().iter().filter(|id| view.choices.iter().all(|item| item.id != **id));
        chosen.map(|item| &item.id).chain(unknown).map(|id| text_of(id, &view.choices)).collect()
    }
    fn prompts(_: &Choices) -> Vec<String> {
        vec![Given::ask()]
    }
    fn typed(view: &Choices, lines: &[String]) -> Result<Given, Sentence> {
        let ids = Given::named(lines.first().map_or("", String::as_str), &view.choices);
        known(&ids, &view.choices)?;
        Ok(Given::of(ids))
    }
    fn as_typed(view: &Choices, given: &Given) -> String {
        given.ids().iter().map(|id| letter(id, &view.choices)).collect::<Vec<_>>().join(" ")
    }
    fn form(_: &Choices) -> String {
        Given::form()
    }
    fn reasons(spec: &[Choice], _: &Parameters) -> Vec<Reason> {
        spec.iter().map(Choice::reason).collect()
    }

    fn check(lint: &mut Lint<'_>, choices: &[Choice], _: &Variant, path: &Path<'_>) {
        lint.ids("choice", choices.iter().map(|choice| &choice.id));
        lint.at_most(MAX_CHOICES, "choices", choices.len(), path);
        let right = choices.iter().filter(|choice| choice.correct).count();
        if !Given::can_be(right, choices.len()) && !lint.is_damaged(path) {
            let message = format!("{right} of {} choices are marked correct.", choices.len());
            lint.report("choice-key", path, message, Given::KEY);
        }
        for (index, choice) in choices.iter().enumerate() {
            let path = path.to(index);
            lint.text("The choice", &choice.text, &path.to("text"));
            lint.markdown(&choice.text, &path.to("text"));
            let why = choice.why.as_deref().unwrap_or_default();
            lint.markdown(why, &path.to("why"));
            // If no choice is marked as correct, the correct one is among those without `why`.
            if right > 0 && !choice.correct && why.trim().is_empty() && !lint.is_damaged(&path) {
                let message = format!("The wrong choice `{}` does not say why it is wrong.", choice.id.value);
                lint.report("choice-why", &choice.id, message, "Add `why`: name the misconception and correct it.");
            }
            if choices.iter().take(index).any(|other| other.text.trim() == choice.text.trim()) {
                lint.report("choice-key", &path.to("text"), "Two choices have the same text.", "");
            }
        }
    }
}
