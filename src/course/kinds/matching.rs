//! Match pairs: each left-hand side with the right-hand side that belongs to it.

use super::{Item, Kind, Parameters, Verdict, repeated, scalar, text_of, unknown_id};
use crate::course::{LeftSide, Matching};
use crate::mastery::grade::Miss;
use crate::mastery::question::{Fnv, QuizError};
use crate::t;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Both sides, as shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sides {
    /// In the author's order.
    pub left: Vec<Item>,
    /// As shuffled; some may belong to none.
    pub right: Vec<Item>,
}

pub(super) struct Match;

impl Kind for Match {
    type Spec = Matching;
    type View = Sides;
    /// Left id to right id.
    type Given = BTreeMap<String, String>;
    const NAME: &'static str = "match";

    fn items(spec: &Matching) -> Vec<Item> {
        spec.right.iter().map(|item| Item { id: item.id.value.clone(), text: item.text.clone() }).collect()
    }
    fn tells(spec: &Matching, order: &[String]) -> bool {
        // Row by row beside what they belong to.
        spec.left.iter().zip(order).all(|(left, right)| left.is.value == *right)
    }
    fn view(spec: &Matching, items: Vec<Item>) -> Sides {
        let left = |item: &LeftSide| Item { id: item.id.value.clone(), text: item.text.clone() };
        Sides { left: spec.left.iter().map(left).collect(), right: items }
    }
    fn shown(view: &Sides) -> &[Item] {
        &view.right
    }
    fn usable(spec: &Matching, _: &Parameters) -> bool {
        let known = |left: &LeftSide| spec.right.iter().any(|right| right.id == left.is);
        spec.left.len() > 1 && spec.left.iter().all(known)
    }
    fn fingerprint(spec: &Matching, hash: &mut Fnv) {
        let mut pairs: Vec<(&str, &str)> =
            spec.left.iter().map(|l| (l.id.value.as_str(), l.is.value.as_str())).collect();
        pairs.sort_unstable();
        for (left, right) in pairs {
            hash.text(left);
            hash.text(right);
        }
    }
    fn takes(_: &Sides) -> String {
        t!("mastery-takes-match")
    }
    fn problem(view: &Sides, pairs: &BTreeMap<String, String>) -> Option<String> {
        let fault = pairs
            .iter()
            .find_map(|(left, right)| unknown_id(left, &view.left).or_else(|| unknown_id(right, &view.right)));
        let open = view.left.iter().filter(|item| !pairs.contains_key(&item.id)).count();
        fault.or_else(|| repeated(pairs.values())).or_else(|| (open > 0).then(|| t!("mastery-match-open", open = open)))
    }
    fn read(_: &Sides, value: &Value) -> Option<BTreeMap<String, String>> {
        let Value::Object(pairs) = value else { return None };
        pairs.iter().map(|(left, right)| Some((left.clone(), scalar(right)?))).collect()
    }
    fn grade(spec: &Matching, _: &Parameters, pairs: &BTreeMap<String, String>) -> Result<Verdict, QuizError> {
        let wrong = |left: &&LeftSide| pairs.get(&left.id.value) != Some(&left.is.value);
        let Some(left) = spec.left.iter().find(wrong) else { return Ok(Ok(())) };
        let given = pairs.get(&left.id.value);
        let slip = spec.slips.iter().find(|slip| slip.left == left.id && Some(&slip.right.value) == given);
        let why = slip.map_or(&spec.why, |slip| &slip.why);
        let why = t!("mastery-mismatched", left = left.text.trim(), why = why.as_str());
        Ok(Err((Miss::Mismatched(left.id.value.clone()), why)))
    }
    fn told(view: &Sides, pairs: &BTreeMap<String, String>) -> Vec<String> {
        let pair = |left: &Item| {
            let right = pairs.get(&left.id).map_or_else(|| "…".to_owned(), |id| text_of(id, &view.right));
            format!("{}: {right}", left.text.trim())
        };
        view.left.iter().map(pair).collect()
    }
}
