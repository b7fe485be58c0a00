//! Type a number.

use super::{Item, Kind, Parameters, Verdict, scalar};
use crate::course;
use crate::mastery::grade::Miss;
use crate::mastery::number;
use crate::mastery::question::{Fnv, QuizError, evaluate};
use crate::t;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// What is shown of a number that is asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Asked {
    /// Shown behind the field; may be typed too.
    pub unit: Option<String>,
}

pub(super) struct Numeric;

impl Kind for Numeric {
    type Spec = course::Numeric;
    type View = Asked;
    type Given = String;
    const NAME: &'static str = "numeric";

    fn parameters(spec: &course::Numeric) -> Option<&BTreeMap<String, Vec<f64>>> {
        Some(&spec.parameters)
    }
    fn view(spec: &course::Numeric, _: Vec<Item>) -> Asked {
        Asked { unit: spec.unit.clone() }
    }
    fn usable(spec: &course::Numeric, parameters: &Parameters) -> bool {
        // JSON, in which the numbers are stored, knows no others.
        parameters.values().all(|value| value.is_finite()) && evaluate(&spec.formula, parameters).is_ok()
    }
    fn fingerprint(spec: &course::Numeric, hash: &mut Fnv) {
        hash.text(&spec.formula);
        hash.text(spec.unit.as_deref().unwrap_or_default());
    }
    fn takes(_: &Asked) -> String {
        t!("mastery-takes-number")
    }
    fn problem(view: &Asked, typed: &String) -> Option<String> {
        number::read(typed, view.unit.as_deref()).err()
    }
    fn read(_: &Asked, value: &Value) -> Option<String> {
        scalar(value)
    }
    fn grade(spec: &course::Numeric, parameters: &Parameters, typed: &String) -> Result<Verdict, QuizError> {
        let expected = evaluate(&spec.formula, parameters).map_err(QuizError::broken)?;
        let typed = match number::read(typed, spec.unit.as_deref()) {
            Ok(typed) => typed,
            Err(problem) => return Ok(Err((Miss::Malformed, problem))),
        };
        if number::equal(typed, expected, spec.tolerance) {
            return Ok(Ok(()));
        }
        // A slip that cannot be computed for these numbers cannot have been made.
        let slip = spec.slips.iter().find(|slip| {
            evaluate(&slip.formula, parameters).is_ok_and(|value| number::equal(typed, value, spec.tolerance))
        });
        Ok(Err(slip.map_or_else(|| (Miss::Other, spec.why.clone()), |slip| (Miss::Slip, slip.why.clone()))))
    }
    fn told(view: &Asked, typed: &String) -> Vec<String> {
        let unit = view.unit.as_deref().filter(|unit| !typed.contains(unit));
        vec![unit.map_or_else(|| typed.clone(), |unit| format!("{typed} {unit}"))]
    }
}
