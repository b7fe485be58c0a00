//! Put events in order.

use super::{Item, Kind, Parameters, Verdict, list, repeated, text_of, unknown_id};
use crate::course;
use crate::mastery::grade::Miss;
use crate::mastery::question::{Fnv, QuizError};
use crate::t;
use serde::Serialize;
use serde_json::Value;

/// Events, as shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Events {
    /// As shuffled.
    pub items: Vec<Item>,
}

pub(super) struct Order;

impl Kind for Order {
    type Spec = course::Order;
    type View = Events;
    type Given = Vec<String>;
    const NAME: &'static str = "order";

    fn items(spec: &course::Order) -> Vec<Item> {
        spec.items.iter().map(|item| Item { id: item.id.value.clone(), text: item.text.clone() }).collect()
    }
    fn tells(spec: &course::Order, order: &[String]) -> bool {
        spec.items.iter().map(|item| &item.id.value).eq(order)
    }
    fn view(_: &course::Order, items: Vec<Item>) -> Events {
        Events { items }
    }
    fn shown(view: &Events) -> &[Item] {
        &view.items
    }
    fn usable(spec: &course::Order, _: &Parameters) -> bool {
        spec.items.len() > 1
    }
    fn fingerprint(spec: &course::Order, hash: &mut Fnv) {
        for item in &spec.items {
            hash.text(&item.id);
        }
    }
    fn takes(_: &Events) -> String {
        t!("mastery-takes-order")
    }
    fn problem(view: &Events, ids: &Vec<String>) -> Option<String> {
        let fault = ids.iter().find_map(|id| unknown_id(id, &view.items)).or_else(|| repeated(ids));
        let missing = view.items.iter().find(|item| !ids.contains(&item.id));
        fault.or_else(|| missing.map(|item| t!("mastery-order-lacks", id = item.id.as_str())))
    }
    fn read(_: &Events, value: &Value) -> Option<Vec<String>> {
        list(value)
    }
    fn grade(spec: &course::Order, _: &Parameters, ids: &Vec<String>) -> Result<Verdict, QuizError> {
        let misplaced = spec.items.iter().zip(ids).find(|(item, id)| item.id.value != **id);
        let Some((_, id)) = misplaced else { return Ok(Ok(())) };
        let text = spec.items.iter().find(|item| item.id.value == *id).map_or("", |item| item.text.trim());
        let why = t!("mastery-misplaced", event = text, why = spec.why.as_str());
        Ok(Err((Miss::Misplaced(id.clone()), why)))
    }
    fn told(view: &Events, ids: &Vec<String>) -> Vec<String> {
        (1..).zip(ids).map(|(number, id)| format!("{number}. {}", text_of(id, &view.items))).collect()
    }
}
