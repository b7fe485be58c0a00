//! A question with its key, for its author. Nothing is drawn or stored.

use super::question::fill;
use std::collections::BTreeMap;
use tutor_course::{Reason, Variant};

/// A variant as its author sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyed {
    /// The question in Markdown, with the first possible numbers.
    pub ask: String,
    pub parameters: BTreeMap<String, f64>,
    /// Code that belongs to the question.
    pub code: Option<String>,
    /// The correct answer, and the replies to incorrect ones.
    pub reasons: Vec<Reason>,
    /// Why the correct answer is correct.
    pub because: String,
}

pub fn keyed(variant: &Variant) -> Keyed {
    let answer = &variant.answer;
    let first = |values: &BTreeMap<String, Vec<f64>>| -> BTreeMap<String, f64> {
        values.iter().filter_map(|(name, values)| Some((name.clone(), *values.first()?))).collect()
    };
    let parameters = answer.parameters().map_or_else(BTreeMap::new, first);
    let told = |text: &str| {
        let text = fill(text, &parameters);
        match answer.counted().filter(|_| text.contains("{counted}")) {
            Some(counted) => text.replace("{counted}", &counted.to_string()),
            None => text,
        }
    };
    let reasons = answer.reasons(&parameters).into_iter();
    let reasons = reasons.map(|reason| Reason { why: reason.why.as_deref().map(told), ..reason });
    Keyed {
        ask: told(&variant.ask),
        code: answer.view(answer.items()).code(),
        reasons: reasons.collect(),
        because: told(&variant.because),
        parameters,
    }
}
