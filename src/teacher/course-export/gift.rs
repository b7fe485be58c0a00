//! Exports GIFT, as described on the page "GIFT format" of Moodle's documentation.

use crate::posed::{Key, Posable, Posed};
use crate::questions::number;
use std::fmt::Write as _;
use tutor_course::Level;

/// Escapes the characters that have a meaning in GIFT.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.trim().chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '~' | '=' | '#' | '{' | '}' | ':' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// Returns `#` and the feedback, or nothing for an empty feedback.
fn feedback(text: &str) -> String {
    if text.trim().is_empty() { String::new() } else { format!("#{}", escape(text)) }
}

pub(super) fn write((course, level): (&str, &Level), questions: &[Posed], remarks: &mut Vec<String>) -> String {
    let mut out = format!("// {course}, {}\n", level.title.replace('\n', " "));
    let mut slot = "";
    for question in questions {
        let mut remark = |text: &str| remarks.push(format!("{}: {text}", question.name));
        let body: Vec<String> = match &question.key {
            Key::Choice { one, choices } => {
                if !one {
                    remark("Moodle gives part of the points for some right choices; here it is all or nothing.");
                }
                let share = share(choices.iter().filter(|choice| choice.correct).count().max(1));
                let row = |choice: &Posable| {
                    let sign = match (one, choice.correct) {
                        (true, true) => "=".to_owned(),
                        (true, false) => "~".to_owned(),
                        (false, true) => format!("~%{share}%"),
                        (false, false) => "~%-100%".to_owned(),
                    };
                    format!("{sign}{}{}", escape(&choice.text), feedback(&choice.why))
                };
                choices.iter().map(row).collect()
            }
            Key::Number { value, tolerance, unit, slips, why } => {
                if let Some(unit) = unit {
                    remark(&format!("GIFT has no units, so the question contains `{unit}`."));
                }
                let within = |value: f64| format!("{}:{}", number(value), number(tolerance * value.abs()));
                let mut rows = vec![format!("={}", within(*value))];
                rows.extend(slips.iter().map(|(slip, why)| format!("=%0%{}{}", within(*slip), feedback(why))));
                rows.push(format!("~{}", feedback(why)));
                rows
            }
            Key::Words { accept, slips, why } => {
                let mut rows: Vec<String> = accept.iter().map(|text| format!("={}", escape(text))).collect();
                rows.extend(slips.iter().map(|(text, why)| format!("=%0%{}{}", escape(text), feedback(why))));
                rows.push(format!("=%0%*{}", feedback(why)));
                rows
            }
            Key::Blanks { .. } => {
                remark("left out, as GIFT has no blanks in code; Moodle's XML has.");
                continue;
            }
            Key::Order { items, .. } => {
                remark(
                    "GIFT has no order: it is asked as pairs of a place and an event; the reason is in the general feedback.",
                );
                items.iter().zip(1..).map(|(item, at)| format!("={at}. -> {}", escape(item))).collect()
            }
            Key::Pairs { pairs, spare, .. } => {
                remark("pairs have no reasons of their own in GIFT.");
                let spare = spare.iter().map(|right| format!("= -> {}", escape(right)));
                pairs
                    .iter()
                    .map(|(left, right)| format!("={} -> {}", escape(left), escape(right)))
                    .chain(spare)
                    .collect()
            }
        };
        if slot != question.slot {
            slot = &question.slot;
            let _ = writeln!(out, "\n$CATEGORY: {course}/{}/{slot}", level.id);
        }
        let unit = match &question.key {
            Key::Number { unit: Some(unit), .. } => format!("\\n({})", escape(unit)),
            _ => String::new(),
        };
        let reason = match &question.key {
            Key::Order { why, .. } | Key::Pairs { why, .. } => {
                format!("{}\\n{}", escape(&question.because), escape(why))
            }
            _ => escape(&question.because),
        };
        let sign = if matches!(question.key, Key::Number { .. }) { "#" } else { "" };
        let _ = writeln!(out, "\n::{}::[markdown]{}{unit}{{{sign}", escape(&question.name), escape(&question.ask));
        for row in body {
            let _ = writeln!(out, "\t{row}");
        }
        let _ = writeln!(out, "\t####{reason}\n}}");
    }
    out
}

/// Returns the percentage for one of `of` answers in the form that Moodle requires. Moodle rejects other numbers.
pub(super) fn share(of: usize) -> String {
    match of {
        3 => "33.33333".into(),
        6 => "16.66667".into(),
        7 => "14.28571".into(),
        9 => "11.11111".into(),
        of => number(100.0 / of as f64),
    }
}
