//! Type a short text.

use super::{Item, Kind, Parameters, Verdict, scalar, too_long};
use crate::course::TextAnswer;
use crate::mastery::grade::Miss;
use crate::mastery::question::{Fnv, QuizError};
use crate::mastery::text::normal;
use crate::t;
use serde::Serialize;
use serde_json::Value;

/// A text that is asked for; nothing is shown but the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Typed;

pub(super) struct Text;

impl Kind for Text {
    type Spec = TextAnswer;
    type View = Typed;
    type Given = String;
    const NAME: &'static str = "text";

    fn view(_: &TextAnswer, _: Vec<Item>) -> Typed {
        Typed
    }
    fn usable(spec: &TextAnswer, _: &Parameters) -> bool {
        !spec.accept.is_empty()
    }
    fn fingerprint(_: &TextAnswer, _: &mut Fnv) {}
    fn takes(_: &Typed) -> String {
        t!("mastery-takes-text")
    }
    fn problem(_: &Typed, typed: &String) -> Option<String> {
        if typed.trim().is_empty() { Some(t!("mastery-type-an-answer")) } else { too_long(typed) }
    }
    fn read(_: &Typed, value: &Value) -> Option<String> {
        scalar(value)
    }
    fn grade(spec: &TextAnswer, _: &Parameters, typed: &String) -> Result<Verdict, QuizError> {
        let typed = normal(typed);
        if spec.accept.iter().any(|accepted| normal(accepted) == typed) {
            return Ok(Ok(()));
        }
        let slip = spec.slips.iter().find(|slip| normal(&slip.text) == typed);
        Ok(Err(slip.map_or_else(|| (Miss::Other, spec.why.clone()), |slip| (Miss::Slip, slip.why.clone()))))
    }
    fn told(_: &Typed, typed: &String) -> Vec<String> {
        vec![format!("“{}”", typed.trim())]
    }
}
