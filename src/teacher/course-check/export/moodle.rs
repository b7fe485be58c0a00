//! Exports Moodle XML, as described on the page "Moodle XML format" of Moodle's documentation. Blanks become a *cloze*
//! question. Orders become an *ordering* question of Moodle 4.4.

use super::gift::share;
use super::posed::{Key, Posed};
use super::{escaped, number};
use std::fmt::Write as _;
use tutor_course::Level;

fn text(text: &str) -> String {
    format!("<text>{}</text>", escaped(text.trim()))
}

fn feedback(why: &str) -> String {
    if why.trim().is_empty() {
        String::new()
    } else {
        format!("<feedback format=\"markdown\">{}</feedback>", text(why))
    }
}

fn answer(fraction: &str, shown: &str, why: &str, more: &str) -> String {
    format!("<answer fraction=\"{fraction}\" format=\"markdown\">{}{}{more}</answer>\n", text(shown), feedback(why))
}

pub(super) fn write((course, level): (&str, &Level), questions: &[Posed], remarks: &mut Vec<String>) -> String {
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n".to_owned();
    let mut slot = "";
    for question in questions {
        if slot != question.slot {
            slot = &question.slot;
            let category = format!("$course$/top/{course}/{}/{slot}", level.id);
            let _ = writeln!(out, "<question type=\"category\"><category>{}</category></question>", text(&category));
        }
        let mut ask = question.ask.clone();
        let mut body = String::new();
        let kind = match &question.key {
            Key::Choice { one, choices } => {
                if !one {
                    remarks.push(format!(
                        "{}: Moodle gives part of the points for some right choices; here it is all or nothing.",
                        question.name
                    ));
                }
                let _ = writeln!(
                    body,
                    "<single>{one}</single><shuffleanswers>true</shuffleanswers><answernumbering>abc</answernumbering>"
                );
                let right = choices.iter().filter(|choice| choice.correct).count().max(1);
                for choice in choices {
                    let fraction = match (choice.correct, one) {
                        (true, _) => share(right),
                        (false, true) => "0".into(),
                        (false, false) => "-100".into(),
                    };
                    body += &answer(&fraction, &choice.text, &choice.why, "");
                }
                "multichoice"
            }
            Key::Number { value, tolerance, unit, slips, why } => {
                let within = |value: f64| format!("<tolerance>{}</tolerance>", number(tolerance * value.abs()));
                body += &answer("100", &number(*value), "", &within(*value));
                for (slip, why) in slips {
                    body += &answer("0", &number(*slip), why, &within(*slip));
                }
                body += &answer("0", "*", why, "<tolerance>0</tolerance>");
                if let Some(unit) = unit {
                    let _ = writeln!(
                        body,
                        "<units><unit><multiplier>1</multiplier><unit_name>{}</unit_name></unit></units><unitgradingtype>0</unitgradingtype><showunits>1</showunits>",
                        escaped(unit)
                    );
                    remarks.push(format!(
                        "{}: Moodle accepts only the unit `{unit}`, and no equivalent one.",
                        question.name
                    ));
                }
                "numerical"
            }
            Key::Words { accept, slips, why } => {
                let _ = writeln!(body, "<usecase>0</usecase>");
                accept.iter().for_each(|accepted| body += &answer("100", accepted, "", ""));
                slips.iter().for_each(|(slip, why)| body += &answer("0", slip, why, ""));
                body += &answer("0", "*", why, "");
                "shortanswer"
            }
            Key::Blanks { code, blanks } => {
                remarks.push(format!("{}: fillings are compared letter by letter, not token by token.", question.name));
                let mut filled = escaped(code);
                for (at, (accept, why)) in blanks.iter().enumerate() {
                    let right: Vec<String> = accept.iter().map(|text| format!("={}", embedded(text))).collect();
                    let blank = format!("{{1:SHORTANSWER:{}~*#{}}}", right.join("~"), embedded(why));
                    filled = filled.replace(&format!("___{}___", at + 1), &escaped(&blank));
                }
                // In indented code, Moodle would show the blanks as text.
                ask = format!("{}<pre>{filled}</pre>", super::to_html(&question.ask));
                "cloze"
            }
            Key::Order { items, why } => {
                let _ = writeln!(
                    body,
                    "<layouttype>VERTICAL</layouttype><selecttype>ALL</selecttype><selectcount>0</selectcount><gradingtype>ALL_OR_NOTHING</gradingtype><showgrading>HIDE</showgrading>"
                );
                let _ = writeln!(body, "<incorrectfeedback format=\"markdown\">{}</incorrectfeedback>", text(why));
                for (item, at) in items.iter().zip(1..) {
                    let _ = writeln!(body, "<answer fraction=\"{at}\" format=\"markdown\">{}</answer>", text(item));
                }
                remarks.push(format!(
                    "{}: Moodle has such questions from 4.4 on, before with the plugin `qtype_ordering`.",
                    question.name
                ));
                "ordering"
            }
            Key::Pairs { pairs, spare, why } => {
                let _ = writeln!(body, "<shuffleanswers>true</shuffleanswers>");
                let _ = writeln!(body, "<incorrectfeedback format=\"markdown\">{}</incorrectfeedback>", text(why));
                let spare = spare.iter().map(|right| ("", right.as_str()));
                for (left, right) in pairs.iter().map(|(left, right)| (left.as_str(), right.as_str())).chain(spare) {
                    let _ = writeln!(
                        body,
                        "<subquestion format=\"markdown\">{}<answer>{}</answer></subquestion>",
                        text(left),
                        text(right)
                    );
                }
                "matching"
            }
        };
        let format = if kind == "cloze" { "html" } else { "markdown" };
        let _ = write!(
            out,
            "<question type=\"{kind}\">\n<name>{}</name>\n<questiontext format=\"{format}\">{}</questiontext>\n<generalfeedback format=\"markdown\">{}</generalfeedback>\n",
            text(&question.name),
            text(&ask),
            text(&question.because)
        );
        if kind != "cloze" {
            let _ = writeln!(out, "<defaultgrade>1</defaultgrade><penalty>0</penalty><hidden>0</hidden>");
        }
        out += &body;
        out += "</question>\n";
    }
    out + "</quiz>\n"
}

/// Escapes text inside a cloze question, see "Embedded answers (Cloze) question type".
fn embedded(text: &str) -> String {
    let mut out = String::new();
    for c in text.trim().chars() {
        if matches!(c, '}' | '#' | '~' | '/' | '"' | '\\') {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
    }
    out
}
