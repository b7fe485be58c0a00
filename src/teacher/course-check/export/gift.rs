//! Exports GIFT, as described on the page "GIFT format" of Moodle's documentation.

use super::number;
use super::posed::{Key, Posed};
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
        let body = match &question.key {
            Key::Choice { one: true, choices } => choices
                .iter()
                .map(|choice| {
                    format!(
                        "{}{}{}",
                        if choice.correct { '=' } else { '~' },
                        escape(&choice.text),
                        feedback(&choice.why)
                    )
                })
                .collect::<Vec<_>>(),
            Key::Choice { one: false, choices } => {
                remarks.push(format!(
                    "{}: Moodle gives part of the points for some right choices; here it is all or nothing.",
                    question.name
                ));
                let right = choices.iter().filter(|choice| choice.correct).count().max(1);
                let share = share(right);
                choices
                    .iter()
                    .map(|choice| {
                        let weight = if choice.correct { share.clone() } else { "-100".to_owned() };
                        format!("~%{weight}%{}{}", escape(&choice.text), feedback(&choice.why))
                    })
                    .collect()
            }
            Key::Number { value, tolerance, unit, slips, why } => {
                if let Some(unit) = unit {
                    remarks.push(format!("{}: GIFT has no units, so the question contains `{unit}`.", question.name));
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
                remarks.push(format!("{}: left out, as GIFT has no blanks in code; Moodle's XML has.", question.name));
                continue;
            }
            Key::Order { items, why } => {
                remarks.push(format!("{}: GIFT has no order: it is asked as pairs of a place and an event; the reason is in the general feedback.", question.name));
                let _ = why;
                items.iter().zip(1..).map(|(item, at)| format!("={at}. -> {}", escape(item))).collect()
            }
            Key::Pairs { pairs, spare, .. } => {
                remarks.push(format!("{}: pairs have no reasons of their own in GIFT.", question.name));
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
