//! Exports Moodle XML, as described on the page "Moodle XML format" of Moodle's documentation. Blanks become a *cloze*
//! question. Orders become an *ordering* question of Moodle 4.4.

use crate::gift::share;
use crate::html::to_html;
use crate::posed::{Key, Posed};
use crate::questions::number;
use tutor_course::Level;
use tutor_support::xml::{DECLARATION, element, escaped};

fn text(text: &str) -> String {
    element("text", &[], &escaped(text.trim()))
}

/// Returns an element with Markdown.
fn markdown(name: &str, content: &str) -> String {
    element(name, &[("format", "markdown")], &text(content))
}

/// Returns an element that contains only a word.
fn setting(name: &str, word: &str) -> String {
    element(name, &[], word)
}

fn answer(fraction: &str, shown: &str, why: &str, more: &str) -> String {
    let feedback = if why.trim().is_empty() { String::new() } else { markdown("feedback", why) };
    let inner = [&text(shown), &feedback, more].concat();
    element("answer", &[("fraction", fraction), ("format", "markdown")], &inner) + "\n"
}

pub(super) fn write((course, level): (&str, &Level), questions: &[Posed], remarks: &mut Vec<String>) -> String {
    let mut all = String::from("\n");
    let mut slot = "";
    for question in questions {
        if slot != question.slot {
            slot = &question.slot;
            let category = element("category", &[], &text(&format!("$course$/top/{course}/{}/{slot}", level.id)));
            all += &(element("question", &[("type", "category")], &category) + "\n");
        }
        let (kind, body) = body(question, remarks);
        let ask = match &question.key {
            Key::Blanks { code, blanks } => {
                element("questiontext", &[("format", "html")], &text(&filled(&question.ask, code, blanks)))
            }
            _ => markdown("questiontext", &question.ask),
        };
        let name = element("name", &[], &text(&question.name));
        let reason = markdown("generalfeedback", &question.because);
        let marks = match kind {
            "cloze" => String::new(),
            _ => {
                [("defaultgrade", "1"), ("penalty", "0"), ("hidden", "0")].map(|(name, of)| setting(name, of)).concat()
            }
        };
        let inner = ["", &name, &ask, &reason, &marks, &body].join("\n");
        all += &(element("question", &[("type", kind)], &inner) + "\n");
    }
    DECLARATION.to_owned() + &element("quiz", &[], &all) + "\n"
}

/// Returns Moodle's name for the kind of a question, and the elements of this kind.
fn body(question: &Posed, remarks: &mut Vec<String>) -> (&'static str, String) {
    let mut remark = |text: &str| remarks.push(format!("{}: {text}", question.name));
    match &question.key {
        Key::Choice { one, choices } => {
            if !one {
                remark("Moodle gives part of the points for some right choices; here it is all or nothing.");
            }
            let mut body = setting("single", &one.to_string())
                + &setting("shuffleanswers", "true")
                + &setting("answernumbering", "abc")
                + "\n";
            let right = choices.iter().filter(|choice| choice.correct).count().max(1);
            for choice in choices {
                let fraction = match (choice.correct, one) {
                    (true, _) => share(right),
                    (false, true) => "0".into(),
                    (false, false) => "-100".into(),
                };
                body += &answer(&fraction, &choice.text, &choice.why, "");
            }
            ("multichoice", body)
        }
        Key::Number { value, tolerance, unit, slips, why } => {
            let within = |value: f64| setting("tolerance", &number(tolerance * value.abs()));
            let mut body = answer("100", &number(*value), "", &within(*value));
            for (slip, why) in slips {
                body += &answer("0", &number(*slip), why, &within(*slip));
            }
            body += &answer("0", "*", why, &setting("tolerance", "0"));
            if let Some(unit) = unit {
                let named = setting("multiplier", "1") + &setting("unit_name", &escaped(unit));
                body += &element("units", &[], &element("unit", &[], &named));
                body += &(setting("unitgradingtype", "0") + &setting("showunits", "1") + "\n");
                remark(&format!("Moodle accepts only the unit `{unit}`, and no equivalent one."));
            }
            ("numerical", body)
        }
        Key::Words { accept, slips, why } => {
            let mut body = setting("usecase", "0") + "\n";
            accept.iter().for_each(|accepted| body += &answer("100", accepted, "", ""));
            slips.iter().for_each(|(slip, why)| body += &answer("0", slip, why, ""));
            ("shortanswer", body + &answer("0", "*", why, ""))
        }
        Key::Blanks { .. } => {
            remark("fillings are compared letter by letter, not token by token.");
            ("cloze", String::new())
        }
        Key::Order { items, why } => {
            let settings = [
                ("layouttype", "VERTICAL"),
                ("selecttype", "ALL"),
                ("selectcount", "0"),
                ("gradingtype", "ALL_OR_NOTHING"),
                ("showgrading", "HIDE"),
            ];
            let mut body =
                settings.map(|(name, of)| setting(name, of)).concat() + &markdown("incorrectfeedback", why) + "\n";
            for (item, at) in items.iter().zip(1..) {
                body += &answer(&i32::to_string(&at), item, "", "");
            }
            remark("Moodle has such questions from 4.4 on, before with the plugin `qtype_ordering`.");
            ("ordering", body)
        }
        Key::Pairs { pairs, spare, why } => {
            let mut body = setting("shuffleanswers", "true") + &markdown("incorrectfeedback", why) + "\n";
            let spare = spare.iter().map(|right| ("", right.as_str()));
            for (left, right) in pairs.iter().map(|(left, right)| (left.as_str(), right.as_str())).chain(spare) {
                let inner = text(left) + &element("answer", &[], &text(right));
                body += &(element("subquestion", &[("format", "markdown")], &inner) + "\n");
            }
            ("matching", body)
        }
    }
}

/// Returns a question about blanks as HTML, because in indented Markdown, Moodle would show the blanks as text.
fn filled(ask: &str, code: &str, blanks: &[(Vec<String>, String)]) -> String {
    let mut filled = escaped(code);
    for ((accept, why), at) in blanks.iter().zip(1..) {
        let right: Vec<String> = accept.iter().map(|text| format!("={}", embedded(text))).collect();
        let blank = format!("{{1:SHORTANSWER:{}~*#{}}}", right.join("~"), embedded(why));
        filled = filled.replace(&format!("___{at}___"), &escaped(&blank));
    }
    to_html(ask) + &element("pre", &[], &filled)
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
