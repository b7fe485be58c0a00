//! Put events in order.

use super::{MAX_CHOICES, QuestionRules, repeated, text_of, unknown_id};
use crate::lint::Path;
use crate::prelude::*;

/// Events in order.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Order {
    /// The events in the correct order; shown shuffled.
    #[schemars(length(min = 3, max = MAX_CHOICES))]
    pub items: Vec<OrderItem>,
    /// The reason for a wrong order.
    pub why: String,
}

/// An event of an [`Order`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct OrderItem {
    /// Stable id.
    #[schemars(regex(pattern = ID))]
    pub id: At<String>,
    /// A short text.
    pub text: String,
}

/// Events as a student sees them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Events {
    /// The events in shuffled order.
    pub items: Vec<Item>,
}

impl QuestionRules for Order {
    type Authored = Self;
    type Shown = Events;
    type Response = Vec<String>;
    const NAME: &'static str = "order";

    fn items(spec: &Order) -> Vec<Item> {
        spec.items.iter().map(|item| Item { id: item.id.value.clone(), text: item.text.clone() }).collect()
    }
    fn order_reveals_answer(spec: &Order, order: &[String]) -> bool {
        spec.items.iter().map(|item| &item.id.value).eq(order)
    }
    fn view(_: &Order, items: Vec<Item>) -> Events {
        Events { items }
    }
    fn shown(view: &Events) -> &[Item] {
        &view.items
    }
    fn usable(spec: &Order, _: &Parameters) -> bool {
        spec.items.len() > 1
    }
    fn fingerprint(spec: &Order, hash: &mut Fnv) {
        for item in &spec.items {
            hash.text(&item.id);
        }
    }
    fn expects(_: &Events) -> Sentence {
        sentence!("mastery-takes-order")
    }
    fn problem(view: &Events, ids: &Vec<String>) -> Option<Sentence> {
        let fault = ids.iter().find_map(|id| unknown_id(id, &view.items)).or_else(|| repeated(ids));
        let missing = view.items.iter().find(|item| !ids.contains(&item.id));
        fault.or_else(|| missing.map(|item| sentence!("mastery-order-lacks", id = item.id.as_str())))
    }
    fn grade(spec: &Order, _: &Parameters, ids: &Vec<String>) -> Result<Verdict, Sentence> {
        let misplaced = spec.items.iter().zip(ids).find(|(item, id)| item.id.value != **id);
        let Some((_, id)) = misplaced else { return Ok(Ok(())) };
        let text = spec.items.iter().find(|item| item.id.value == *id).map_or("", |item| item.text.trim());
        let why = t!("mastery-misplaced", event = text, why = spec.why.as_str());
        Ok(Err((Miss::Misplaced(id.clone()), why)))
    }
    fn describe_answer(view: &Events, ids: &Vec<String>) -> Vec<String> {
        (1..).zip(ids).map(|(number, id)| format!("{number}. {}", text_of(id, &view.items))).collect()
    }
    fn form(_: &Events) -> String {
        t!("cli-quiz-form-order")
    }
    fn reasons(spec: &Order, _: &Parameters) -> Vec<Reason> {
        let event = |(number, item): (usize, &OrderItem)| Reason::right(format!("{number}. {}", item.text.trim()));
        (1..).zip(&spec.items).map(event).chain([Reason::other(&spec.why)]).collect()
    }

    fn check(lint: &mut Lint<'_>, spec: &Order, _: &Variant, path: &Path<'_>) {
        lint.text("The reason", &spec.why, &path.to("why"));
        lint.ids("event", spec.items.iter().map(|item| &item.id));
        lint.at_most(MAX_CHOICES, "events", spec.items.len(), &path.to("items"));
        if spec.items.len() < 3 {
            let message = format!("{} events are too few to put in order.", spec.items.len());
            lint.report("order-items", &path.to("items"), message, "Give at least three.");
        }
        lint.texts("order-items", "event", spec.items.iter().map(|item| item.text.as_str()), &path.to("items"));
    }
}
