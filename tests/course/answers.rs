//! What people type, and how it is graded: `tests/course/answers.yaml`.

use crate::tests;
use serde::Deserialize;
use std::collections::BTreeMap;
use tutor_course::{AnswerSpec, Course, CourseSource};
use tutor_support::words::{self, Words};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    texts: Vec<Texts>,
    numbers: Vec<Numbers>,
}

/// A question of the built-in course.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    variant: String,
    right: Vec<String>,
    wrong: Vec<String>,
    #[serde(default)]
    asked: Vec<String>,
}

/// A question for a number: of the built-in course, or with a unit of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Numbers {
    variant: Option<String>,
    unit: Option<String>,
    value: f64,
    right: Vec<String>,
    #[serde(default)]
    wrong: Vec<String>,
    #[serde(default)]
    asked: Vec<String>,
}

#[derive(Debug, PartialEq)]
enum Fate {
    Right,
    Wrong,
    Asked,
}

fn fate(spec: &AnswerSpec, typed: &str) -> Fate {
    let view = spec.view(Vec::new());
    let answer = view.read(&typed.into()).unwrap();
    if view.problem(&answer).is_some() {
        return Fate::Asked;
    }
    match spec.grade(&Default::default(), &answer).unwrap().unwrap() {
        Ok(()) => Fate::Right,
        Err(_) => Fate::Wrong,
    }
}

/// Compares the fate of every answer with the corpus. Returns how many there are.
fn compare(about: &str, spec: &AnswerSpec, expected: [(Fate, &[String]); 3], faults: &mut Vec<String>) -> usize {
    let mut count = 0;
    for (expected, typed) in expected {
        for typed in typed {
            count += 1;
            let found = fate(spec, typed);
            if found != expected {
                faults.push(format!("{about}: `{typed}` is {found:?}, not {expected:?}"));
            }
        }
    }
    count
}

#[test]
fn an_answer_as_people_give_it_is_right_and_another_is_wrong_or_asked_back() {
    let text = std::fs::read_to_string(tests().join("answers.yaml")).unwrap();
    let corpus: BTreeMap<String, Corpus> = serde_yaml::from_str(&text).unwrap();
    let (mut count, mut faults) = (0, Vec::new());
    for (language, corpus) in &corpus {
        let course = Course::load(&CourseSource::BuiltIn, language);
        let quizzes = course.levels.iter().filter_map(|level| level.quiz.as_ref()?.as_ref().ok());
        let variants: Vec<_> = quizzes.flat_map(|quiz| &quiz.slots).flat_map(|slot| &slot.variants).collect();
        let find =
            |id: &str| &variants.iter().find(|known| known.id.value == id).unwrap_or_else(|| panic!("{id}")).answer;
        words::speaking(Words::of(language), || {
            for Texts { variant, right, wrong, asked } in &corpus.texts {
                let fates = [(Fate::Right, &right[..]), (Fate::Wrong, wrong), (Fate::Asked, asked)];
                count += compare(variant, find(variant), fates, &mut faults);
            }
            for Numbers { variant, unit, value, right, wrong, asked } in &corpus.numbers {
                let unit = unit.as_ref().map_or(String::new(), |unit| format!("unit: {unit}, "));
                let mut spec: AnswerSpec =
                    serde_yaml::from_str(&format!("numeric: {{ {unit}formula: '{value}', why: '' }}")).unwrap();
                if let (Some(AnswerSpec::Numeric(known)), AnswerSpec::Numeric(spec)) =
                    (variant.as_deref().map(find), &mut spec)
                {
                    (spec.unit, spec.original_unit) = (known.unit.clone(), known.original_unit.clone());
                }
                let fates = [(Fate::Right, &right[..]), (Fate::Wrong, wrong), (Fate::Asked, asked)];
                count += compare(variant.as_deref().unwrap_or(&unit), &spec, fates, &mut faults);
            }
        });
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count >= 600, "{count}");
}
