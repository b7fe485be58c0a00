//! Choose all that hold.

use super::choices::{self, Choices};
use super::{Item, Kind, Parameters, Verdict, list, repeated, text_of, unknown_id};
use crate::course::Choice;
use crate::mastery::question::{Fnv, QuizError};
use crate::t;
use serde_json::Value;

pub(super) struct Multiple;

impl Kind for Multiple {
    type Spec = [Choice];
    type View = Choices;
    type Given = Vec<String>;
    const NAME: &'static str = "multiple";

    fn items(spec: &[Choice]) -> Vec<Item> {
        choices::items(spec)
    }
    fn view(_: &[Choice], items: Vec<Item>) -> Choices {
        Choices { choices: items }
    }
    fn shown(view: &Choices) -> &[Item] {
        &view.choices
    }
    fn usable(spec: &[Choice], _: &Parameters) -> bool {
        spec.iter().any(|choice| choice.correct)
    }
    fn fingerprint(spec: &[Choice], hash: &mut Fnv) {
        choices::fingerprint(spec, hash);
    }
    fn takes(_: &Choices) -> String {
        t!("mastery-takes-multiple")
    }
    fn problem(view: &Choices, ids: &Vec<String>) -> Option<String> {
        if ids.is_empty() {
            return Some(t!("mastery-choose-one"));
        }
        ids.iter().find_map(|id| unknown_id(id, &view.choices)).or_else(|| repeated(ids))
    }
    fn read(_: &Choices, value: &Value) -> Option<Vec<String>> {
        list(value)
    }
    fn grade(spec: &[Choice], _: &Parameters, ids: &Vec<String>) -> Result<Verdict, QuizError> {
        Ok(choices::grade(spec, ids))
    }
    fn told(view: &Choices, ids: &Vec<String>) -> Vec<String> {
        // In the order of the screen, whatever order they were ticked in.
        view.choices.iter().filter(|item| ids.contains(&item.id)).map(|item| text_of(&item.id, &view.choices)).collect()
    }
}
