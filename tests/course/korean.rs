//! The Korean edition: every text holds the terms of `assets/i18n/ko/terms.yaml`, and what belongs to none of them.

use crate::shared::{self, root};
use course_check as author;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tutor_course::{CourseSource, Files, Problem, Severity};
use tutor_kernels::Catalog;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Term {
    en: String,
    ko: String,
    /// Renderings that no text uses.
    #[serde(default)]
    not: Vec<String>,
    /// Whether the English stands in brackets at its first use in a level.
    #[serde(default)]
    bracket: bool,
}

fn terms() -> Vec<Term> {
    let text = std::fs::read_to_string(root().join("assets/i18n/ko/terms.yaml")).unwrap();
    serde_yaml::from_str(&text).unwrap()
}

fn files(folder: &str, end: &str) -> Vec<PathBuf> {
    shared::files(&root().join(folder), end)
}

/// The texts of a YAML value, each with the fields that lead to it; without what students may type, and without code.
fn texts(value: &Value, place: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => found.push((place.to_owned(), prose(text))),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| texts(item, &format!("{place}/{at}"), found));
        }
        Value::Object(entries) => {
            for (key, value) in entries {
                let key = key.as_str();
                let slip = place.rsplit('/').nth(1) == Some("slips") && key == "text";
                if !["accept", "also", "code", "formula", "kernel", "kernels", "show", "claims"].contains(&key) && !slip
                {
                    texts(value, &format!("{place}/{key}"), found);
                }
                // Of what is shown, the notes are words.
                if key == "show" {
                    notes(value, &format!("{place}/show"), found);
                }
            }
        }
        _ => {}
    }
}

fn notes(value: &Value, place: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| notes(item, place, found)),
        Value::Object(entries) => {
            for (key, value) in entries {
                match (key.as_str(), value.as_str()) {
                    ("note", Some(text)) => found.push((format!("{place}/note"), prose(text))),
                    _ => notes(value, place, found),
                }
            }
        }
        _ => {}
    }
}

/// A text without its code and without emphasis.
fn prose(text: &str) -> String {
    let mut out = String::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            continue;
        }
        // Every other piece between backticks is code; something stands in its place, so that its neighbours stay apart.
        for (at, piece) in line.split('`').enumerate() {
            out.push_str(if at % 2 == 0 { piece } else { "…" });
        }
        out.push('\n');
    }
    out.replace('*', "")
}

/// All Korean texts: file, place and text.
fn all() -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    let exercises = files("kernels", "/ko.yaml");
    for path in files("modules/ko", ".yaml").into_iter().chain(files("quizzes/ko", ".yaml")).chain(exercises) {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        // What cannot be read is the check's to tell.
        let Ok(value) = serde_yaml::from_str::<Value>(&std::fs::read_to_string(&path).unwrap()) else { continue };
        let mut found = Vec::new();
        texts(&value, "", &mut found);
        all.extend(found.into_iter().map(|(place, text)| (name.clone(), place, text)));
    }
    for path in files("assets/i18n/ko", ".ftl").into_iter().chain(files("docs/ko", ".md")) {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let comment = |line: &&str| !name.ends_with(".ftl") || !line.starts_with('#');
        let text: String = text.lines().filter(comment).flat_map(|line| [line, "\n"]).collect();
        for (number, line) in (1..).zip(prose(&text).lines()) {
            all.push((name.clone(), number.to_string(), line.to_owned()));
        }
    }
    assert!(!all.is_empty());
    all
}

fn hangul(c: char) -> bool {
    matches!(c, '가'..='힣')
}

/// Where a word begins in a text, not inside of another.
fn begins(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).map(|(at, _)| at).find(|at| !text[..*at].chars().next_back().is_some_and(hangul))
}

#[test]
fn no_korean_text_renders_a_term_in_two_ways() {
    let terms = terms();
    let mut wrong = String::new();
    for (file, place, text) in all() {
        for term in &terms {
            for not in term.not.iter().filter(|not| begins(&text, not).is_some()) {
                wrong += &format!("{file}{place}: `{not}` for `{}` ({})\n", term.ko, term.en);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn no_korean_text_leaves_a_particle_open() {
    let pairs =
        ["을(를)", "를(을)", "이(가)", "가(이)", "은(는)", "는(은)", "와(과)", "과(와)", "(으)로", "(을)를", "(이)나"];
    let mut wrong = String::new();
    for (file, place, text) in all() {
        for pair in pairs.iter().filter(|pair| text.contains(**pair)) {
            wrong += &format!("{file}{place}: {pair} in {text:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_level_names_the_english_of_a_term_at_its_first_use_alone() {
    let all = terms();
    let terms: Vec<&Term> = all.iter().filter(|term| term.bracket).collect();
    // `지연 시간` in `지연 시간 숨기기` is a part of another term.
    let longer = |text: &str, term: &Term| {
        all.iter().any(|other| {
            other.ko.len() > term.ko.len() && other.ko.starts_with(&term.ko) && text.starts_with(&other.ko)
        })
    };
    let mut wrong = String::new();
    for path in files("modules/ko", ".yaml") {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let Ok(value) = serde_yaml::from_str::<Value>(&std::fs::read_to_string(&path).unwrap()) else { continue };
        // The terms that a page which everybody reads has named.
        let mut named: Vec<&str> = Vec::new();
        for page in value["pages"].as_array().into_iter().flatten() {
            let id = page["id"].as_str().unwrap_or_default();
            let text = read_in_order(page);
            for term in &terms {
                let mut first = !named.contains(&term.en.as_str());
                for (at, _) in text.match_indices(&term.ko).filter(|(at, _)| !longer(&text[*at..], term)) {
                    if text[..at].chars().next_back().is_some_and(hangul) {
                        continue;
                    }
                    let after = &text[at + term.ko.len()..];
                    let inside =
                        after.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(inside, _)| inside);
                    let root: String = term.en.chars().take(5).collect();
                    if inside.is_some_and(|inside| inside.to_lowercase().contains(&root.to_lowercase())) != first {
                        let around: String = text[at..].chars().take(24).collect();
                        let fault = if first { "without" } else { "again with" };
                        wrong += &format!("{name} {id}: {} {fault} ({}): {around:?}\n", term.ko, term.en);
                    }
                    first = false;
                    if page["optional"] != true {
                        named.push(&term.en);
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// `95%` and `16,384`, not `95 %` and `16 384`; `9 % 2` is a remainder.
#[test]
fn a_korean_number_has_no_space() {
    let space = |c: char| matches!(c, ' ' | '\u{a0}' | '\u{202f}');
    let mut wrong = String::new();
    for (file, place, text) in all() {
        let chars: Vec<char> = text.chars().chain(['\n'; 4]).collect();
        for part in chars.windows(5).filter(|part| part[0].is_ascii_digit() && space(part[1])) {
            let percent = part[2] == '%' && (part[3] != ' ' || hangul(part[4]));
            if percent || part[1] != ' ' && part[2].is_ascii_digit() {
                wrong += &format!("{file}{place}: {part:?}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A page's prose in the order in which a student reads it.
fn read_in_order(page: &Value) -> String {
    let mut found = Vec::new();
    for field in ["text", "predict", "after", "recall", "why"] {
        texts(&page[field], field, &mut found);
    }
    let order =
        |place: &str| ["text", "predict", "after", "recall", "why"].iter().position(|field| place.starts_with(field));
    found.sort_by_key(|(place, _)| order(place));
    // A table has no room for brackets.
    let sentence = |line: &&str| !line.trim_start().starts_with('|');
    let sentences = |text: &str| text.lines().filter(sentence).flat_map(|line| [line, "\n"]).collect::<String>();
    found.iter().map(|(_, text)| sentences(text)).collect()
}

#[test]
fn a_term_is_given_once() {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for term in terms() {
        assert!(!term.not.contains(&term.ko), "{}", term.ko);
        assert!(seen.insert(term.en.clone(), term.ko.clone()).is_none(), "{} twice", term.en);
    }
}

#[test]
fn the_translated_course_asks_and_shows_the_same_as_the_original() {
    let files = Files::read(&CourseSource::BuiltIn, |_| true);
    let problems = author::check(&files, Catalog::built_in(), &[]);
    let editions = problems.iter().filter(|problem| problem.code.starts_with("edition-"));
    let (wrong, lacking): (Vec<&Problem>, Vec<&Problem>) =
        editions.partition(|problem| problem.severity == Severity::Error);
    let shown =
        |problems: &[&Problem]| problems.iter().map(|problem| author::render(problem, false)).collect::<Vec<_>>();
    assert!(wrong.is_empty(), "{}", shown(&wrong).join("\n"));
    shared::untranslated(&shown(&lacking));
}

/// Only comments are translated, so every original is the comment or the region of a source.
#[test]
fn translated_comments_are_those_of_the_kernels() {
    let read = |path: PathBuf| std::fs::read_to_string(path).unwrap();
    let catalogue = read(root().join("assets/i18n/en/comments.ftl"));
    let originals = catalogue.lines().filter_map(|line| Some(line.strip_prefix("    .")?.split_once(" = ")?.1));
    let originals: Vec<&str> = originals.collect();
    let sources: String =
        [files("kernels", ".cu"), files("kernels/exercises", ".yaml"), files("kernels/exercises", ".ptx")]
            .concat()
            .into_iter()
            .map(read)
            .collect();
    let known =
        |text: &str| [format!("// {text}"), format!("// [region {text}]")].iter().any(|line| sources.contains(line));
    assert_eq!(originals.iter().find(|text| !known(text)), None, "a comment or region of no source");
    let lacking = Catalog::built_in().kernels().iter().flat_map(|kernel| {
        let comments =
            kernel.source.lines(None).filter_map(|(_, line)| Some(line.split_once("// ")?.1.trim().to_owned()));
        comments.filter(|text| !originals.contains(&text.as_str())).map(|text| format!("{}: {text}", kernel.file))
    });
    shared::untranslated(&lacking.collect::<Vec<_>>());
}
