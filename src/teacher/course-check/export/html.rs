//! Exports a page to print: the questions with space for answers, and then the key.

use super::posed::{Key, Posed};
use super::{escaped, number, to_html, to_line};
use std::fmt::Write as _;
use tutor_course::Level;

const STYLE: &str = "body{font:12pt serif;max-width:42em;margin:2em auto}pre,code{font:10pt monospace}section{break-inside:avoid;margin:1.5em 0}.key{break-before:page}td{border:1px solid;padding:.2em .5em}";

pub(super) fn write((course, level): (&str, &Level), questions: &[Posed]) -> String {
    let title = escaped(&format!("{course}: {}", level.title));
    let mut out = format!(
        "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"/><title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n"
    );
    let mut key = String::new();
    for (question, at) in questions.iter().zip(1..) {
        let _ =
            write!(out, "<section><h3>{at}. <small>{}</small></h3>{}", escaped(&question.name), to_html(&question.ask));
        let mut right = Vec::new();
        match &question.key {
            Key::Choice { choices, .. } => {
                out += "<ul>";
                for (choice, letter) in choices.iter().zip('a'..) {
                    let _ = write!(out, "<li>☐ {letter}) {}</li>", to_line(&choice.text));
                    let mark = if choice.correct { "✔" } else { "✘" };
                    right.push(format!("{mark} {letter}) {}", to_line(&choice.why)));
                }
                out += "</ul>";
            }
            Key::Number { value, unit, slips, why, .. } => {
                let unit = escaped(unit.as_deref().unwrap_or_default());
                let _ = write!(out, "<p>____________ {unit}</p>");
                right.push(format!("✔ {} {unit}", number(*value)));
                right.extend(slips.iter().map(|(slip, why)| format!("✘ {}: {}", number(*slip), to_line(why))));
                right.push(format!("✘ {}", to_line(why)));
            }
            Key::Words { accept, slips, why } => {
                out += "<p>____________________________</p>";
                right.extend(accept.iter().map(|text| format!("✔ {}", escaped(text))));
                right.extend(slips.iter().map(|(text, why)| format!("✘ {}: {}", escaped(text), to_line(why))));
                right.push(format!("✘ {}", to_line(why)));
            }
            Key::Blanks { code, blanks } => {
                let _ = write!(out, "<pre>{}</pre>", escaped(code));
                right.extend(blanks.iter().zip(1..).map(|((accept, why), at)| {
                    format!("___{at}___ ✔ {}; ✘ {}", escaped(&accept.join(" | ")), to_line(why))
                }));
            }
            Key::Order { items, why } => {
                // Sorted by text, because the correct order would reveal the key.
                let mut shown: Vec<&String> = items.iter().collect();
                shown.sort();
                let _ = write!(
                    out,
                    "<ul>{}</ul>",
                    shown.iter().map(|item| format!("<li>__ {}</li>", to_line(item))).collect::<String>()
                );
                right.extend(items.iter().zip(1..).map(|(item, at)| format!("{at}. {}", to_line(item))));
                right.push(format!("✘ {}", to_line(why)));
            }
            Key::Pairs { pairs, spare, why } => {
                let mut rights: Vec<&String> = pairs.iter().map(|(_, right)| right).chain(spare).collect();
                rights.sort();
                let lefts: String = pairs.iter().map(|(left, _)| format!("<li>{} → __</li>", to_line(left))).collect();
                let listed: String = rights
                    .iter()
                    .zip('a'..)
                    .map(|(right, letter)| format!("<li>{letter}) {}</li>", to_line(right)))
                    .collect();
                let _ = write!(out, "<ul>{lefts}</ul><ul>{listed}</ul>");
                right.extend(pairs.iter().map(|(left, right)| format!("✔ {} → {}", to_line(left), to_line(right))));
                right.push(format!("✘ {}", to_line(why)));
            }
        }
        out += "</section>\n";
        let rows: String = right.iter().map(|row| format!("<li>{row}</li>")).collect();
        let _ = writeln!(
            key,
            "<section><h3>{at}. <small>{}</small></h3><ul>{rows}</ul>{}</section>",
            escaped(&question.name),
            to_html(&question.because)
        );
    }
    out + "<div class=\"key\">\n" + &key + "</div>\n</body></html>\n"
}
