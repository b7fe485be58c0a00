//! Exports a table (RFC 4180): one row for each choice, accepted answer, slip, blank, event and pair.

use super::number;
use super::posed::{Key, Posed};

fn cell(text: &str) -> String {
    let text = text.trim();
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

pub(super) fn write(questions: &[Posed]) -> String {
    let mut out = "question,kind,ask,answer,partner,right,reason,because\n".to_owned();
    for question in questions {
        let mut row = |kind: &str, answer: &str, partner: &str, right: bool, reason: &str| {
            let right = if right { "yes" } else { "no" };
            let cells = [&question.name, kind, &question.ask, answer, partner, right, reason, &question.because];
            out += &(cells.map(cell).join(",") + "\n");
        };
        match &question.key {
            Key::Choice { one, choices } => {
                let kind = if *one { "single" } else { "multiple" };
                choices.iter().for_each(|choice| row(kind, &choice.text, "", choice.correct, &choice.why));
            }
            Key::Number { value, tolerance, unit, slips, why } => {
                let within = |value: f64| format!("± {}", number(tolerance * value.abs()));
                let unit = unit.as_deref().unwrap_or_default();
                row("number", &number(*value), &format!("{} {unit}", within(*value)), true, "");
                slips.iter().for_each(|(slip, why)| row("number", &number(*slip), &within(*slip), false, why));
                row("number", "*", "", false, why);
            }
            Key::Words { accept, slips, why } => {
                accept.iter().for_each(|text| row("text", text, "", true, ""));
                slips.iter().for_each(|(text, why)| row("text", text, "", false, why));
                row("text", "*", "", false, why);
            }
            Key::Blanks { code, blanks } => {
                for (at, (accept, why)) in blanks.iter().enumerate() {
                    accept
                        .iter()
                        .for_each(|text| row("blank", text, &format!("___{}___ in:\n{code}", at + 1), true, why));
                }
            }
            Key::Order { items, why } => {
                items.iter().zip(1..).for_each(|(item, at): (_, u32)| row("order", item, &at.to_string(), true, why));
            }
            Key::Pairs { pairs, spare, why } => {
                pairs.iter().for_each(|(left, right)| row("pair", left, right, true, why));
                spare.iter().for_each(|right| row("pair", "", right, false, why));
            }
        }
    }
    out
}
