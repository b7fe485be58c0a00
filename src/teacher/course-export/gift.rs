//! Exports GIFT, as described on the page "GIFT format" of Moodle's documentation.

use crate::html::{for_moodle, to_line};
use crate::moodle::pattern;
use crate::posed::{Key, Posable, Posed};
use crate::questions::{Remarks, number, within};
use std::fmt::Write as _;
use tutor_course::Level;
use tutor_support::t;

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

/// Escapes a text with its format: of Markdown, which the question is, only if the text begins like `[html]`.
fn marked(text: &str) -> String {
    match for_moodle(text) {
        ("html", html) => format!("[html]{}", escape(&html)),
        (_, text) => plain(&text),
    }
}

fn plain(text: &str) -> String {
    let format = if text.trim().starts_with('[') { "[markdown]" } else { "" };
    format!("{format}{}", escape(text))
}

/// Escapes a text without the sign `->`, which makes a question one of pairs wherever it is. HTML writes it as `-&gt;`.
fn without_arrow(text: &str) -> String {
    if text.contains(ARROW) { format!("[html]{}", escape(&to_line(text.trim()))) } else { marked(text) }
}

const ARROW: &str = "->";

/// Returns `#` and the feedback, or nothing for an empty feedback.
fn feedback(text: &str) -> String {
    if text.trim().is_empty() { String::new() } else { format!("#{}", without_arrow(text)) }
}

/// Returns an answer's weight in per cent if it is needed. A text such as `%50% of all` would be read as another weight.
fn weight(usual: &str, text: &str) -> String {
    if text.trim().starts_with('%') { format!("%{usual}%") } else { String::new() }
}

pub(super) fn write((course, level): (&str, &Level), questions: &[Posed], remarks: &mut Remarks) -> String {
    let mut out = format!("// {course}, {}\n", level.title.replace('\n', " "));
    let mut slot = "";
    for question in questions {
        let name = question.name.as_str();
        let mut remark = |text: String| remarks.about(name, &text);
        let body: Vec<String> = match &question.key {
            Key::Choice { one, choices } => {
                if !one {
                    remark(t!("export-partial-marks"));
                }
                let share = share(choices.iter().filter(|choice| choice.correct).count().max(1));
                let row = |choice: &Posable| {
                    let sign = match (one, choice.correct) {
                        (true, true) => "=".to_owned(),
                        (true, false) => format!("~{}", weight("0", &choice.text)),
                        (false, true) => format!("~%{share}%"),
                        (false, false) => "~%-100%".to_owned(),
                    };
                    format!("{sign}{}{}", marked(&choice.text), feedback(&choice.why))
                };
                choices.iter().map(row).collect()
            }
            Key::Number { value, tolerance, rounded, unit, slips, why } => {
                if let Some(unit) = unit {
                    remark(t!("export-no-units", unit));
                }
                let within = |value: f64| format!("{}:{}", number(value), within(value, *tolerance));
                let mut rows = vec![format!("={}", within(*value))];
                rows.extend(rounded.iter().map(|rounded| format!("={}:0", number(*rounded))));
                rows.extend(slips.iter().map(|(slip, why)| format!("=%0%{}{}", within(*slip), feedback(why))));
                rows.push(format!("~{}", feedback(why)));
                rows
            }
            Key::Words { accept, slips, why } => {
                let unheld = accept.iter().chain(slips.iter().map(|(slip, _)| slip)).find(|text| text.contains(ARROW));
                if let Some(text) = unheld {
                    remarks.leave_out(name, &t!("export-arrow", text));
                    continue;
                }
                let row = |usual: &str, text: &str| {
                    let weight = if usual == "100" { weight(usual, text) } else { format!("%{usual}%") };
                    format!("={weight}{}", plain(&pattern(text)))
                };
                let mut rows: Vec<String> = accept.iter().map(|text| row("100", text)).collect();
                rows.extend(slips.iter().map(|(text, why)| row("0", text) + &feedback(why)));
                rows.push(format!("=%0%*{}", feedback(why)));
                rows
            }
            Key::Blanks { .. } => {
                remarks.leave_out(name, &t!("export-no-blanks"));
                continue;
            }
            Key::Order { items, .. } => {
                remark(t!("export-order-as-pairs"));
                items.iter().zip(1..).map(|(item, at)| format!("={at}. -> {}", escape(item))).collect()
            }
            Key::Pairs { pairs, spare, .. } => {
                remark(t!("export-no-pair-reasons"));
                let spare = spare.iter().map(|right| format!("= -> {}", escape(right)));
                let pair = |(left, right): &(String, String)| format!("={} -> {}", without_arrow(left), escape(right));
                pairs.iter().map(pair).chain(spare).collect()
            }
        };
        let unit = match &question.key {
            Key::Number { unit: Some(unit), .. } => format!("\\n({})", escape(unit)),
            _ => String::new(),
        };
        let reason = match &question.key {
            Key::Order { why, .. } | Key::Pairs { why, .. } => {
                marked(&format!("{}\n\n{}", question.because.trim(), why))
            }
            _ => marked(&question.because),
        };
        let sign = if matches!(question.key, Key::Number { .. }) { "#" } else { "" };
        let (format, ask) = for_moodle(&question.ask);
        let mut text = format!("\n::{}::[{format}]{}{unit}{{{sign}\n", escape(name), escape(&ask));
        for row in body {
            let _ = writeln!(text, "\t{row}");
        }
        let _ = writeln!(text, "\t####{reason}\n}}");
        if let Some(mark) = MARKS.iter().find(|mark| text.contains(**mark)) {
            remarks.leave_out(name, &t!("export-mark", mark = *mark));
            continue;
        }
        if slot != question.slot {
            slot = &question.slot;
            let _ = writeln!(out, "\n$CATEGORY: {course}/{}/{slot}", level.id);
        }
        out += &text;
    }
    out
}

/// What Moodle writes for escaped signs while it reads GIFT. It turns each of them into the sign at the end.
const MARKS: [&str; 8] = ["&&010", "&&035;", "&&058;", "&&061;", "&&092;", "&&123;", "&&125;", "&&126;"];

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
