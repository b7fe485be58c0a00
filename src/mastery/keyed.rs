//! A question with its key, for whoever wrote it: nothing is drawn, and nothing kept.

use super::question::fill;
use std::collections::BTreeMap;
use tutor_course::{Reason, Row, Variant};

/// A variant as its author looks at it.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyed {
    /// The question, Markdown, with the first numbers that it can be asked with.
    pub ask: String,
    /// These numbers, by name.
    pub parameters: BTreeMap<String, f64>,
    /// Code that belongs to the question.
    pub code: Vec<String>,
    /// What is right, and what is said of what is wrong.
    pub reasons: Vec<Reason>,
    /// Why the right answer is right.
    pub because: String,
}

/// A variant with its key.
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
    let code = answer.view(answer.items()).rows().into_iter().filter_map(|row| match row {
        Row::Code(code) => Some(code),
        Row::Item(..) | Row::Gap => None,
    });
    let reasons = answer.reasons(&parameters).into_iter();
    let reasons = reasons.map(|reason| Reason { why: reason.why.as_deref().map(told), ..reason });
    Keyed {
        ask: told(&variant.ask),
        code: code.collect(),
        reasons: reasons.collect(),
        because: told(&variant.because),
        parameters,
    }
}
