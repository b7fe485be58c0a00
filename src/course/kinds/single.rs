//! Choose one.

use super::choices::{self, Choices};
use super::{Item, Kind, Parameters, Verdict, scalar, text_of, unknown_id};
use crate::course::Choice;
use crate::mastery::question::{Fnv, QuizError};
use crate::t;
use serde_json::Value;

pub(super) struct Single;

impl Kind for Single {
    type Spec = [Choice];
    type View = Choices;
    type Given = String;
    const NAME: &'static str = "single";

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
        spec.iter().filter(|choice| choice.correct).count() == 1
    }
    fn fingerprint(spec: &[Choice], hash: &mut Fnv) {
        choices::fingerprint(spec, hash);
    }
    fn takes(_: &Choices) -> String {
        t!("mastery-takes-single")
    }
    fn problem(view: &Choices, id: &String) -> Option<String> {
        unknown_id(id, &view.choices)
    }
    fn read(_: &Choices, value: &Value) -> Option<String> {
        scalar(value)
    }
    fn grade(spec: &[Choice], _: &Parameters, id: &String) -> Result<Verdict, QuizError> {
        Ok(choices::grade(spec, std::slice::from_ref(id)))
    }
    fn told(view: &Choices, id: &String) -> Vec<String> {
        vec![text_of(id, &view.choices)]
    }
}
