//! What people type in Korean, and how it is graded: `tests/course/answers.yaml`.

use crate::tests;
use serde::Deserialize;
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

/// A question for a number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Numbers {
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
fn an_answer_as_koreans_give_it_is_right_and_another_is_wrong_or_asked_back() {
    let text = std::fs::read_to_string(tests().join("answers.yaml")).unwrap();
    let corpus: Corpus = serde_yaml::from_str(&text).unwrap();
    let course = Course::load(&CourseSource::BuiltIn, "ko");
    let variants = || {
        course
            .levels
            .iter()
            .filter_map(|level| level.quiz.as_ref()?.as_ref().ok())
            .flat_map(|quiz| &quiz.slots)
            .flat_map(|slot| &slot.variants)
    };
    let (mut count, mut faults) = (0, Vec::new());
    words::speaking(Words::of("ko"), || {
        for Texts { variant, right, wrong, asked } in &corpus.texts {
            let spec =
                &variants().find(|known| known.id.value == *variant).unwrap_or_else(|| panic!("{variant}")).answer;
            count +=
                compare(variant, spec, [(Fate::Right, right), (Fate::Wrong, wrong), (Fate::Asked, asked)], &mut faults);
        }
        for Numbers { unit, value, right, wrong, asked } in &corpus.numbers {
            let unit = unit.as_ref().map_or(String::new(), |unit| format!("unit: {unit}, "));
            let spec: AnswerSpec =
                serde_yaml::from_str(&format!("numeric: {{ {unit}formula: '{value}', why: '' }}")).unwrap();
            count +=
                compare(&unit, &spec, [(Fate::Right, right), (Fate::Wrong, wrong), (Fate::Asked, asked)], &mut faults);
        }
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count >= 300, "{count}");
}
