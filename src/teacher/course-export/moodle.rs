//! Exports Moodle XML, as described on the page "Moodle XML format" of Moodle's documentation. Blanks become a *cloze*
//! question. Orders become an *ordering* question of Moodle 4.4.

use crate::gift::share;
use crate::html::{for_moodle, to_html, to_line};
use crate::posed::{Key, Posed};
use crate::questions::{Remarks, number, within};
use tutor_course::Level;
use tutor_support::t;
use tutor_support::xml::{DECLARATION, content, element, escaped};

fn text(text: &str) -> String {
    element("text", &[], &content(text.trim()))
}

/// Returns the pattern that matches only this text. In a short answer, `*` stands for any text, and `\*` for the sign (page
/// "Short-Answer question type" of Moodle's documentation).
pub(super) fn pattern(text: &str) -> String {
    text.trim().replace('*', "\\*")
}

/// Returns an element with formatted text.
fn formatted(name: &str, content: &str) -> String {
    let (format, content) = for_moodle(content);
    element(name, &[("format", format)], &text(&content))
}

/// Returns an element that contains only a word.
fn setting(name: &str, word: &str) -> String {
    element(name, &[], word)
}

/// Returns an answer that is compared or calculated with.
fn answer(fraction: &str, plain: &str, why: &str, more: &str) -> String {
    answer_in("plain_text", fraction, plain, why, more)
}

/// Returns an answer that is shown.
fn choice_of(fraction: &str, shown: &str, why: &str) -> String {
    let (format, shown) = for_moodle(shown);
    answer_in(format, fraction, &shown, why, "")
}

fn answer_in(format: &str, fraction: &str, shown: &str, why: &str, more: &str) -> String {
    let feedback = if why.trim().is_empty() { String::new() } else { formatted("feedback", why) };
    let inner = [&text(shown), &feedback, more].concat();
    element("answer", &[("fraction", fraction), ("format", format)], &inner) + "\n"
}

pub(super) fn write((course, level): (&str, &Level), questions: &[Posed], remarks: &mut Remarks) -> String {
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
            _ => formatted("questiontext", &question.ask),
        };
        let name = element("name", &[], &text(&question.name));
        let reason = formatted("generalfeedback", &question.because);
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
fn body(question: &Posed, remarks: &mut Remarks) -> (&'static str, String) {
    let mut remark = |text: String| remarks.about(&question.name, &text);
    match &question.key {
        Key::Choice { one, choices } => {
            if !one {
                remark(t!("export-partial-marks"));
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
                body += &choice_of(&fraction, &choice.text, &choice.why);
            }
            ("multichoice", body)
        }
        Key::Number { value, tolerance, rounded, unit, slips, why } => {
            let within = |value: f64| setting("tolerance", &within(value, *tolerance));
            let mut body = answer("100", &number(*value), "", &within(*value));
            for rounded in rounded {
                body += &answer("100", &number(*rounded), "", &setting("tolerance", "0"));
            }
            for (slip, why) in slips {
                body += &answer("0", &number(*slip), why, &within(*slip));
            }
            body += &answer("0", "*", why, &setting("tolerance", "0"));
            if let Some(unit) = unit {
                let named = setting("multiplier", "1") + &setting("unit_name", &content(unit));
                body += &element("units", &[], &element("unit", &[], &named));
                // The student may type the unit after the number, and it is not graded.
                body += &(setting("unitgradingtype", "0") + &setting("showunits", "0") + "\n");
                remark(t!("export-one-unit", unit));
            }
            ("numerical", body)
        }
        Key::Words { accept, slips, why } => {
            let mut body = setting("usecase", "0") + "\n";
            accept.iter().for_each(|accepted| body += &answer("100", &pattern(accepted), "", ""));
            slips.iter().for_each(|(slip, why)| body += &answer("0", &pattern(slip), why, ""));
            ("shortanswer", body + &answer("0", "*", why, ""))
        }
        Key::Blanks { .. } => {
            remark(t!("export-letter-by-letter"));
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
                settings.map(|(name, of)| setting(name, of)).concat() + &formatted("incorrectfeedback", why) + "\n";
            for (item, at) in items.iter().zip(1..) {
                body += &choice_of(&i32::to_string(&at), item, "");
            }
            remark(t!("export-ordering"));
            ("ordering", body)
        }
        Key::Pairs { pairs, spare, why } => {
            let mut body = setting("shuffleanswers", "true") + &formatted("incorrectfeedback", why) + "\n";
            let spare = spare.iter().map(|right| ("", right.as_str()));
            for (left, right) in pairs.iter().map(|(left, right)| (left.as_str(), right.as_str())).chain(spare) {
                let (format, left) = for_moodle(left);
                let inner = text(&left) + &element("answer", &[], &text(right));
                body += &(element("subquestion", &[("format", format)], &inner) + "\n");
            }
            ("matching", body)
        }
    }
}

/// Returns a question about blanks as HTML, because in indented Markdown, Moodle would show the blanks as text.
///
/// In text outside of the blanks, `{` is written as a number, because `{#1}` is Moodle's own mark for the first blank.
fn filled(ask: &str, code: &str, blanks: &[(Vec<String>, String)]) -> String {
    let html = |text: String| text.replace('{', "&#123;");
    let code = html(escaped(code));
    let (mut filled, mut rest) = (String::new(), code.as_str());
    for ((accept, why), at) in blanks.iter().zip(1..) {
        let Some((before, after)) = rest.split_once(&format!("___{at}___")) else { continue };
        let right: Vec<String> = accept.iter().map(|text| format!("={}", embedded(&pattern(text)))).collect();
        filled += &format!("{before}{{1:SHORTANSWER_C:{}~*#{}}}", right.join("~"), embedded(&to_line(why)));
        rest = after;
    }
    html(to_html(ask)) + &element("pre", &[], &(filled + rest))
}

/// Writes an answer or a reply inside a blank, see "Embedded answers (Cloze) question type". Moodle first replaces HTML's references
/// and then `\}` and `\#`, and nothing else. Every sign of its syntax is therefore a reference. A reference does not end an answer,
/// because `#` after `&` does not.
fn embedded(text: &str) -> String {
    let mut out = String::new();
    for c in text.trim().chars() {
        if matches!(c, '}' | '#') {
            out.push_str("&#92;");
        }
        match c {
            '\n' => out.push(' '),
            '&' | '<' | '>' | '"' | '\'' | '{' | '}' | '#' | '~' | '=' | '%' | '\\' => {
                out += &format!("&#{};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
