//! Imports what was exported, as Moodle and QTI document it, and compares the verdicts on answers with those of the quiz.

mod moodle;
mod qti;

use crate::html::{to_html, to_line};
use crate::posed::{Key, Posed, sets};
use crate::questions::{Remarks, questions_of};
use crate::{ExportFormat, export};
use moodle::{Body, Imported};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tutor_course::{AnswerSpec, Course, CourseSource, Level, Variant};
use tutor_support::words::{Words, speaking};

/// Runs a test on the levels of the built-in course in two languages, and on a level with every sign that a format uses itself.
fn each_level(test: impl Fn(&Level)) {
    for language in ["en", "ko"] {
        let mut levels = Course::load(&CourseSource::BuiltIn, language).levels;
        let mut signs = levels[0].clone();
        signs.quiz = Some(Ok(serde_yaml::from_str(include_str!("signs.yaml")).unwrap()));
        levels.push(signs);
        speaking(Words::of(language), || levels.iter().for_each(&test));
    }
}

/// A question as posed, what the quiz has of it, and its numbers.
struct Original<'a> {
    posed: &'a Posed,
    variant: &'a Variant,
    numbers: BTreeMap<String, f64>,
}

impl Original<'_> {
    /// True if the quiz takes the answer. A part of a question with two parts has no verdict of its own.
    fn takes(&self, answer: &Value) -> Option<bool> {
        if matches!(self.variant.answer, AnswerSpec::Fault(_)) {
            return None;
        }
        let spec = &self.variant.answer;
        let Ok(answer) = spec.view(Vec::new()).read(answer) else { return Some(false) };
        Some(spec.grade(&self.numbers, &answer).is_ok_and(|graded| graded.is_some_and(|verdict| verdict.is_ok())))
    }
}

/// Compares each question with what `read` makes of its export. Returns how many there were.
fn compare(
    level: &Level,
    format: ExportFormat,
    read: impl Fn(&[(String, String)]) -> Vec<String>,
    check: impl Fn(&Original<'_>, usize),
) {
    let exported = export("course", level, format).unwrap();
    let names = read(&exported.files);
    let quiz = level.quiz().unwrap();
    let posed = questions_of(quiz, &mut Remarks::default());
    assert_eq!(names.len(), exported.questions, "{format:?} {}", level.id);
    let mut found = 0;
    for posed in &posed {
        let Some(at) = names.iter().position(|name| *name == posed.name) else {
            let remark = exported.remarks.iter().find(|remark| remark.starts_with(&format!("{}: ", posed.name)));
            assert!(remark.is_some(), "{format:?} {} {}: neither exported nor remarked", level.id, posed.name);
            continue;
        };
        found += 1;
        let mut parts = posed.name.split('/');
        let (slot, variant) = (parts.next().unwrap(), parts.next().unwrap());
        let slot = quiz.slots.iter().find(|known| known.id.value == slot).unwrap();
        let variant = slot.variants.iter().find(|known| known.id.value == variant).unwrap();
        let numbers = match &variant.answer {
            AnswerSpec::Numeric(numeric) => {
                let number: usize = parts.next().map_or(1, |number| number.parse().unwrap());
                sets(numeric).1.swap_remove(number - 1)
            }
            _ => BTreeMap::new(),
        };
        check(&Original { posed, variant, numbers }, at);
    }
    assert_eq!(found, names.len(), "{format:?} {}", level.id);
}

/// Texts near the known ones: with a wildcard filled in, in other letters, longer.
fn near(known: &[&str]) -> Vec<String> {
    let change = |text: &&str| {
        [
            text.to_string(),
            text.replace('*', "zz"),
            text.replace('*', ""),
            text.to_uppercase(),
            format!("{text}x"),
            format!("x{text}"),
        ]
    };
    known
        .iter()
        .flat_map(change)
        .chain(["zz".to_owned(), "*".to_owned()])
        .filter(|text| !text.trim().is_empty())
        .collect()
}

/// Numbers near the known ones, of the length that people type.
fn near_numbers(posed: &Posed) -> Vec<f64> {
    let Key::Number { value, tolerance, rounded, slips, .. } = &posed.key else { return Vec::new() };
    let mut all: Vec<f64> =
        slips.iter().map(|(slip, _)| *slip).chain(rounded.iter().copied()).chain([*value, 0.0, -value]).collect();
    for share in [0.5, 0.99, 1.01, 2.0] {
        all.extend([-1.0, 1.0].map(|sign| value * (1.0 + sign * share * tolerance.max(1e-3))));
    }
    let short =
        |number: &f64| (1..=5).map(|digits| format!("{number:.digits$e}").parse().unwrap()).collect::<Vec<f64>>();
    let mut typed: Vec<f64> = all.iter().flat_map(short).collect();
    typed.extend(all);
    typed.retain(|number| number.is_finite());
    typed
}

#[test]
fn moodle_gives_every_answer_the_verdict_of_the_quiz() {
    for format in [ExportFormat::Gift, ExportFormat::MoodleXml] {
        each_level(|level| {
            let read = |files: &[(String, String)]| -> Vec<Imported> {
                if format == ExportFormat::Gift { moodle::gift(&files[0].1) } else { moodle::xml(&files[0].1) }
            };
            let imported = read(&export("course", level, format).unwrap().files);
            let names = |_: &[(String, String)]| imported.iter().map(|question| question.name.clone()).collect();
            compare(level, format, names, |original, at| check_moodle(original, &imported[at]));
        });
    }
}

fn check_moodle(original: &Original<'_>, imported: &Imported) {
    let Original { posed, .. } = original;
    let place = format!("{} {:?}", posed.name, imported.body);
    let same = |shown: &str, written: &str| shown == written.trim() || shown == to_line(written.trim());
    for (shown, written) in [(&imported.general, &posed.because), (&imported.ask, &posed.ask)] {
        let begins = [written.trim(), &to_html(written)[..]].iter().any(|written| shown.starts_with(written));
        let line = to_line(written.trim());
        // In a cloze, a brace is a reference.
        let blank = shown.replace("&#123;", "{").starts_with(&to_html(written));
        assert!(begins || blank || shown.starts_with(&line), "{place}: {shown:?} is not {written:?}");
    }
    match (&posed.key, &imported.body) {
        (Key::Choice { one, choices }, Body::Choice(single, answers)) => {
            assert_eq!((one, choices.len()), (single, answers.len()), "{place}");
            let sum: f64 = answers.iter().map(|answer| answer.fraction.max(0.0)).sum();
            assert!((sum - 100.0).abs() < 0.001, "{place}");
            for (choice, answer) in choices.iter().zip(answers) {
                assert_eq!(choice.correct, answer.fraction > 0.0, "{place}");
                assert!(same(&answer.text, &choice.text) && same(&answer.feedback, &choice.why), "{place}");
            }
        }
        (Key::Number { value, .. }, Body::Number(numbers)) => {
            assert!(moodle::takes(numbers, *value), "{place}");
            for typed in near_numbers(posed) {
                let ours = original.takes(&json!(typed.to_string()));
                assert!(ours.is_none_or(|ours| ours == moodle::takes(numbers, typed)), "{typed}: {ours:?}, {place}");
            }
        }
        (Key::Words { accept, slips, why }, Body::Short(answers)) => {
            let verdict = |typed: &str| moodle::matching(answers, typed, false).expect("every text has a reply");
            for accepted in accept {
                assert_eq!(verdict(accepted).fraction, 100.0, "{accepted}: {place}");
            }
            for (slip, why) in slips {
                let answer = verdict(slip);
                assert!(answer.fraction == 0.0 && same(&answer.feedback, why), "{slip}: {place}");
            }
            let known: Vec<&str> =
                accept.iter().chain(slips.iter().map(|(slip, _)| slip)).map(String::as_str).collect();
            for typed in near(&known) {
                let right = verdict(&typed).fraction == 100.0;
                assert!(!right || original.takes(&json!(typed)) != Some(false), "{typed}: {place}");
            }
            assert!(same(&verdict("§").feedback, why), "{place}");
        }
        (Key::Blanks { blanks, .. }, Body::Blanks(read)) => {
            assert_eq!(blanks.len(), read.len(), "{place}");
            for (at, ((accept, why), answers)) in blanks.iter().zip(read).enumerate() {
                let mut typed: Vec<String> = blanks.iter().map(|(accept, _)| accept[0].clone()).collect();
                let known: Vec<&str> = accept.iter().map(String::as_str).collect();
                for text in near(&known) {
                    typed[at].clone_from(&text);
                    let answer = moodle::matching(answers, &text, true).expect("every text has a reply");
                    let right = answer.fraction == 100.0;
                    assert!(!right || original.takes(&json!(typed)) == Some(true), "{text}: {place}");
                    assert!(right || !known.contains(&text.as_str()), "{text}: {place}");
                    assert!(right || same(&answer.feedback, why), "{text}: {place}");
                }
            }
            assert!(!imported.ask.contains("___1___"), "{place}");
        }
        (Key::Order { items, .. }, Body::Order(read)) => {
            assert!(
                items.len() == read.len() && items.iter().zip(read).all(|(item, read)| same(read, item)),
                "{place}"
            );
        }
        (Key::Order { items, .. }, Body::Pairs(read)) => {
            let places: Vec<(String, String)> =
                items.iter().zip(1..).map(|(item, at)| (format!("{at}."), item.trim().to_owned())).collect();
            assert_eq!(&places, read, "{place}");
        }
        (Key::Pairs { pairs, spare, .. }, Body::Pairs(read)) => {
            let spare = spare.iter().map(|right| (String::new(), right.clone()));
            let expected: Vec<(String, String)> = pairs.iter().cloned().chain(spare).collect();
            assert_eq!(expected.len(), read.len(), "{place}");
            for ((left, right), (read_left, read_right)) in expected.iter().zip(read) {
                assert!(same(read_left, left) && right.trim() == read_right, "{left} {right}: {place}");
            }
        }
        _ => panic!("{place}"),
    }
}
