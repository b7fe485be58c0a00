//! A question as it is posed: one wording with one set of numbers, its key, and the replies to incorrect answers.

use std::collections::BTreeMap;
use tutor_course::{AnswerSpec, Numeric, Slot, Variant, fills, roundings};
use tutor_progress::fill;
use tutor_support::expr::Expr;
use tutor_support::t;

/// Maximum sets of numbers per question.
const MAX_SETS: usize = 6;

pub(super) struct Posed {
    /// `slot/variant`, and the number of the set or of the part if there are several.
    pub(super) name: String,
    pub(super) slot: String,
    /// The question, in Markdown.
    pub(super) ask: String,
    /// Why the correct answer is correct, in Markdown.
    pub(super) because: String,
    pub(super) key: Key,
}

/// The correct answers, and the replies to incorrect ones.
pub(super) enum Key {
    /// One correct choice, or all choices that are true.
    Choice {
        one: bool,
        choices: Vec<Posable>,
    },
    Number {
        value: f64,
        /// Relative, for the slips, too.
        tolerance: f64,
        /// Other accepted numbers: `value` rounded to fewer digits than the tolerance allows.
        rounded: Vec<f64>,
        unit: Option<String>,
        slips: Vec<(f64, String)>,
        why: String,
    },
    Words {
        accept: Vec<String>,
        slips: Vec<(String, String)>,
        why: String,
    },
    /// Code with `___1___`, …, and for each blank the accepted texts and the reply to other texts.
    Blanks {
        code: String,
        blanks: Vec<(Vec<String>, String)>,
    },
    /// Items in the correct order.
    Order {
        items: Vec<String>,
        why: String,
    },
    /// Left and right texts, and right texts without a partner.
    Pairs {
        pairs: Vec<(String, String)>,
        spare: Vec<String>,
        why: String,
    },
}

pub(super) struct Posable {
    pub(super) text: String,
    pub(super) correct: bool,
    pub(super) why: String,
}

/// Returns the questions for a variant. Adds a remark about what cannot be exported.
pub(super) fn posed(slot: &Slot, variant: &Variant, remarks: &mut Vec<String>) -> Vec<Posed> {
    let name = format!("{}/{}", slot.id.value, variant.id.value);
    let one = |key| vec![Posed::new(slot, name.clone(), variant, key)];
    let choices = |choices: &[tutor_course::Choice]| {
        let choice = |choice: &tutor_course::Choice| Posable {
            text: choice.text.trim().to_owned(),
            correct: choice.correct,
            why: choice.why.clone().unwrap_or_default(),
        };
        choices.iter().map(choice).collect::<Vec<_>>()
    };
    match &variant.answer {
        AnswerSpec::Single(all) => one(Key::Choice { one: true, choices: choices(all) }),
        AnswerSpec::Multiple(all) => one(Key::Choice { one: false, choices: choices(all) }),
        AnswerSpec::Numeric(numeric) => numbers(slot, variant, numeric, &name, remarks),
        AnswerSpec::Text(text) => {
            let key = Key::Words {
                accept: text.accept.iter().map(|text| text.value.clone()).collect(),
                slips: text.slips.iter().map(|slip| (slip.text.clone(), slip.why.clone())).collect(),
                why: text.why.clone(),
            };
            let mut posed = Posed::new(slot, name.clone(), variant, key);
            posed.ask = format!("{}\n\n{}", posed.ask.trim_end(), t!("export-only-the-term"));
            vec![posed]
        }
        AnswerSpec::Cloze(cloze) => {
            // Other programs compare letter by letter. The code without spaces is therefore an additional answer.
            let blank = |blank: &tutor_course::Blank| {
                let known: Vec<&str> = blank.accept.iter().map(|text| text.value.as_str()).collect();
                let bare =
                    known.iter().map(|text| (text.replace(' ', ""), text)).filter(|(bare, text)| fills(bare, text));
                let mut accept: Vec<String> = known.iter().map(|text| (*text).to_owned()).collect();
                accept.extend(bare.map(|(bare, _)| bare).filter(|bare| !known.contains(&bare.as_str())));
                (accept, blank.why.clone())
            };
            one(Key::Blanks { code: cloze.code.clone(), blanks: cloze.blanks.iter().map(blank).collect() })
        }
        AnswerSpec::Order(order) => one(Key::Order {
            items: order.items.iter().map(|item| item.text.clone()).collect(),
            why: order.why.clone(),
        }),
        AnswerSpec::Match(matching) => {
            let text =
                |id: &str| matching.right.iter().find(|side| side.id.value == id).map_or("", |side| side.text.as_str());
            let pairs = matching.left.iter().map(|left| (left.text.clone(), text(&left.is.value).to_owned())).collect();
            let used = |id: &str| matching.left.iter().any(|left| left.is.value == id);
            let spare =
                matching.right.iter().filter(|side| !used(&side.id.value)).map(|side| side.text.clone()).collect();
            if !matching.slips.is_empty() {
                remarks.push(t!("export-no-pair-replies", name));
            }
            one(Key::Pairs { pairs, spare, why: matching.why.clone() })
        }
        AnswerSpec::Predict(predicted) => match predicted.of.count() {
            Ok(value) => {
                remarks.push(t!("export-counted-now", name));
                let slips: Vec<(f64, String)> =
                    predicted.slips.iter().map(|slip| (slip.is, slip.why.clone())).collect();
                let rounded = if value.fract() == 0.0 { Vec::new() } else { roundings(value, 2) };
                let (unit, why) = (predicted.unit.clone(), predicted.why.clone());
                one(Key::Number {
                    value,
                    tolerance: 0.0,
                    rounded: unlike(rounded, value, 0.0, &slips),
                    unit,
                    slips,
                    why,
                })
            }
            Err(why) => {
                remarks.push(t!("export-not-counted", name, why = why.to_string()));
                Vec::new()
            }
        },
        AnswerSpec::Fault(fault) => {
            remarks.push(t!("export-two-questions", name));
            let code: Vec<String> = fault.code().into_iter().map(|(_, line)| line).collect();
            let listing: String = code.iter().zip(1..).map(|(line, number)| format!("{number:>3}  {line}\n")).collect();
            let right = code
                .iter()
                .zip(1..)
                .filter(|(line, _)| fault.lines.iter().any(|piece| line.contains(piece.value.as_str())));
            let accept = right.map(|(_, number): (_, u32)| number.to_string()).collect();
            let ask = format!("{}\n\n```\n{listing}```\n", variant.ask.trim());
            let mut line = Posed::new(
                slot,
                format!("{name}/line"),
                variant,
                Key::Words { accept, slips: Vec::new(), why: fault.why.clone() },
            );
            line.ask = format!("{ask}\n{}", t!("export-which-line"));
            let mut comes = Posed::new(
                slot,
                format!("{name}/consequence"),
                variant,
                Key::Choice { one: true, choices: choices(&fault.consequences) },
            );
            comes.ask = format!("{ask}\n{}", t!("export-which-consequence"));
            vec![line, comes]
        }
    }
}

impl Posed {
    fn new(slot: &Slot, name: String, variant: &Variant, key: Key) -> Self {
        let mut because = variant.because.clone();
        if let Some(counted) = variant.answer.counted() {
            because = because.replace("{counted}", &counted.to_string());
        }
        Self { name, slot: slot.id.value.clone(), ask: variant.ask.clone(), because, key }
    }
}

/// Returns the rounded numbers outside of the tolerance that are not a mistake.
fn unlike(rounded: Vec<f64>, value: f64, tolerance: f64, slips: &[(f64, String)]) -> Vec<f64> {
    let is_slip = |number: f64| slips.iter().any(|(slip, _)| *slip == number);
    rounded.into_iter().filter(|it| (it - value).abs() > tolerance * value.abs() && !is_slip(*it)).collect()
}

/// Returns how many sets of numbers a question has, and those that are exported. If there are too many, they are evenly spaced.
pub(super) fn sets(numeric: &Numeric) -> (usize, Vec<BTreeMap<String, f64>>) {
    let mut sets: Vec<BTreeMap<String, f64>> = vec![BTreeMap::new()];
    for (parameter, values) in &numeric.parameters {
        let with = |set: &BTreeMap<String, f64>| -> Vec<_> {
            let one = |value: &f64| {
                let mut set = set.clone();
                set.insert(parameter.clone(), *value);
                set
            };
            values.iter().map(one).collect()
        };
        sets = sets.iter().flat_map(with).take(10_000).collect();
    }
    let all = sets.len();
    if all > MAX_SETS {
        sets = (0..MAX_SETS).filter_map(|at| sets.get(at * all / MAX_SETS).cloned()).collect();
    }
    (all, sets)
}

/// Returns a numeric question for each of its sets of numbers.
fn numbers(slot: &Slot, variant: &Variant, numeric: &Numeric, name: &str, remarks: &mut Vec<String>) -> Vec<Posed> {
    let (all, sets) = sets(numeric);
    if all > sets.len() {
        remarks.push(t!("export-sets", name, sets = MAX_SETS, all));
    }
    let value = |formula: &str, set: &BTreeMap<String, f64>| {
        Expr::parse(formula).ok()?.real(&|name| set.get(name).copied()).ok()
    };
    let mut posed = Vec::new();
    for (at, set) in sets.iter().enumerate() {
        let Some(right) = value(&numeric.formula.value, set) else { continue };
        let slips =
            numeric.slips.iter().filter_map(|slip| Some((value(&slip.formula.value, set)?, fill(&slip.why, set))));
        let slips: Vec<(f64, String)> =
            slips.filter(|(slip, _)| (slip - right).abs() > numeric.tolerance * right.abs()).collect();
        let rounded = if numeric.tolerance > 0.0 { roundings(right, numeric.digits) } else { Vec::new() };
        let key = Key::Number {
            value: right,
            tolerance: numeric.tolerance,
            rounded: unlike(rounded, right, numeric.tolerance, &slips),
            unit: numeric.unit.clone(),
            slips,
            why: fill(&numeric.why, set),
        };
        let name = if sets.len() > 1 { format!("{name}/{}", at + 1) } else { name.to_owned() };
        let mut question = Posed::new(slot, name, variant, key);
        question.ask = fill(&question.ask, set);
        question.because = fill(&question.because, set);
        posed.push(question);
    }
    posed
}
