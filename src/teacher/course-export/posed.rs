//! A question as it is posed: one wording with one set of numbers, its key, and the replies to incorrect answers.

use std::collections::BTreeMap;
use tutor_course::{AnswerSpec, Numeric, Slot, Variant};
use tutor_progress::fill;
use tutor_support::expr::Expr;

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
        AnswerSpec::Text(text) => one(Key::Words {
            accept: text.accept.iter().map(|text| text.value.clone()).collect(),
            slips: text.slips.iter().map(|slip| (slip.text.clone(), slip.why.clone())).collect(),
            why: text.why.clone(),
        }),
        AnswerSpec::Cloze(cloze) => {
            let blank = |blank: &tutor_course::Blank| {
                (blank.accept.iter().map(|text| text.value.clone()).collect(), blank.why.clone())
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
                remarks.push(format!(
                    "{name}: the format has no replies to single pairs. Every wrong answer gets the general reason."
                ));
            }
            one(Key::Pairs { pairs, spare, why: matching.why.clone() })
        }
        AnswerSpec::Predict(predicted) => match predicted.of.count() {
            Ok(value) => {
                remarks
                    .push(format!("{name}: the number was counted now, and is not counted again when it is graded."));
                let slips = predicted.slips.iter().map(|slip| (slip.is, slip.why.clone())).collect();
                let key = Key::Number {
                    value,
                    tolerance: 0.0,
                    unit: predicted.unit.clone(),
                    slips,
                    why: predicted.why.clone(),
                };
                one(key)
            }
            Err(why) => {
                remarks.push(format!("{name}: left out, as it cannot be counted: {why}"));
                Vec::new()
            }
        },
        AnswerSpec::Fault(fault) => {
            remarks.push(format!("{name}: asked as two questions, one for the line and one for what comes of it."));
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
            line.ask = format!("{ask}\nThe number of the line at fault?");
            let mut comes = Posed::new(
                slot,
                format!("{name}/consequence"),
                variant,
                Key::Choice { one: true, choices: choices(&fault.consequences) },
            );
            comes.ask = format!("{ask}\nWhat comes of it?");
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

/// Returns a numeric question for each of its sets of numbers. If there are too many, selects evenly spaced sets.
fn numbers(slot: &Slot, variant: &Variant, numeric: &Numeric, name: &str, remarks: &mut Vec<String>) -> Vec<Posed> {
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
        remarks.push(format!("{name}: {MAX_SETS} of its {all} sets of numbers are exported, each as a question."));
        sets = (0..MAX_SETS).filter_map(|at| sets.get(at * all / MAX_SETS).cloned()).collect();
    }
    let value = |formula: &str, set: &BTreeMap<String, f64>| {
        Expr::parse(formula).ok()?.real(&|name| set.get(name).copied()).ok()
    };
    let mut posed = Vec::new();
    for (at, set) in sets.iter().enumerate() {
        let Some(right) = value(&numeric.formula.value, set) else { continue };
        let slips =
            numeric.slips.iter().filter_map(|slip| Some((value(&slip.formula.value, set)?, fill(&slip.why, set))));
        let key = Key::Number {
            value: right,
            tolerance: numeric.tolerance,
            unit: numeric.unit.clone(),
            slips: slips.filter(|(slip, _)| (slip - right).abs() > numeric.tolerance * right.abs()).collect(),
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
