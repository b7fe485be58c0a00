//! Drawing: reproducible, varied, and robust against edits.

use crate::support::{quiz_yaml, quizzes};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tutor_course::QuizFile;
use tutor_progress::{Answer, Drawn, Question, QuestionKind, Seen, SeenVariant, draw, present, shown_order};

fn small() -> QuizFile {
    serde_yaml::from_str(&quiz_yaml("one", 8)).unwrap()
}

fn remember(seen: &mut Seen, questions: &[Question]) {
    for question in questions {
        let past = SeenVariant { variant: question.variant.clone(), parameters: question.parameters.clone() };
        seen.slots.entry(question.slot.clone()).or_default().insert(0, past);
    }
}

fn ids(question: &Question) -> String {
    question.kind.items().iter().map(|item| item.id.as_str()).collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_seed_draws_the_same_and_what_is_stored_shows_it_again(seed: u64) {
        for quiz in quizzes() {
            let questions = draw(quiz, seed, &Seen::default()).unwrap();
            prop_assert_eq!(&questions, &draw(quiz, seed, &Seen::default()).unwrap());
            prop_assert_eq!(questions.len(), quiz.slots.len());
            for question in questions {
                let stored = serde_json::to_string(&Drawn::from(&question)).unwrap();
                let drawn: Drawn = serde_json::from_str(&stored).unwrap();
                prop_assert_eq!(present(quiz, &drawn), Ok(question));
            }
        }
    }

    #[test]
    fn an_order_is_never_shown_in_the_right_order(seed: u64) {
        for quiz in quizzes() {
            for question in draw(quiz, seed, &Seen::default()).unwrap() {
                if matches!(question.kind, QuestionKind::Order { .. }) {
                    let right = crate::shared::right(quiz, &question);
                    let shown = question.kind.items().iter().map(|item| item.id.clone()).collect();
                    prop_assert_ne!(right, Answer::Order(shown));
                }
                if let QuestionKind::Match(view) = &question.kind {
                    let Answer::Pairs(right) = crate::shared::right(quiz, &question) else { panic!("no pairs") };
                    let beside = view.left.iter().zip(&view.right).all(|(left, beside)| right[&left.id] == beside.id);
                    prop_assert!(!beside, "every right-hand side is shown beside its partner");
                }
            }
        }
    }

    #[test]
    fn every_variant_of_a_slot_comes_before_any_comes_again(seeds in prop::collection::vec(any::<u64>(), 3)) {
        let (quiz, mut seen) = (small(), Seen::default());
        for seed in &seeds {
            let questions = draw(&quiz, *seed, &seen).unwrap();
            remember(&mut seen, &questions);
        }
        for past in seen.slots.values() {
            prop_assert_eq!(past.iter().map(|past| &past.variant).collect::<BTreeSet<_>>().len(), 3);
        }
        // All seen: any but the last.
        for question in draw(&quiz, seeds[0], &seen).unwrap() {
            prop_assert_ne!(&question.variant, &seen.slots[&question.slot][0].variant);
        }
    }
}

/// A draw is part of a student's record and of an instructor's `--seed`: it may never change.
#[test]
fn seed_seven_draws_what_it_always_drew() {
    let drawn: Vec<String> = draw(&small(), 7, &Seen::default())
        .unwrap()
        .iter()
        .map(|question| format!("{}{}: {}", question.slot, question.variant, ids(question)))
        .collect();
    assert_eq!(drawn, GOLDEN);
}

const GOLDEN: [&str; 8] = [
    "s1q: belief right slip",
    "s2r: slip right belief",
    "s3q: belief right slip",
    "s4r: belief slip right",
    "s5r: right belief slip",
    "s6r: slip belief right",
    "s7q: slip right belief",
    "s8q: right belief slip",
];

#[test]
fn a_slot_that_is_added_leaves_the_draw_of_the_others_as_it_was() {
    let mut longer: QuizFile = serde_yaml::from_str(&quiz_yaml("one", 9)).unwrap();
    longer.slots.rotate_right(1);
    for seed in 0..20 {
        assert_eq!(
            draw(&small(), seed, &Seen::default()).unwrap(),
            draw(&longer, seed, &Seen::default()).unwrap()[1..]
        );
    }
}

#[test]
fn seeds_differ_in_variants_and_in_the_place_of_the_right_choice() {
    let mut variants = BTreeSet::new();
    let mut places = BTreeSet::new();
    for seed in 0..50 {
        let question = draw(&small(), seed, &Seen::default()).unwrap().remove(0);
        places.insert(question.kind.items().iter().position(|item| item.id == "right"));
        variants.insert(question.variant);
    }
    assert_eq!((variants.len(), places.len()), (3, 3));
}

#[test]
fn numbers_are_drawn_into_the_text_and_are_others_the_next_time() {
    let quiz = &quizzes()[0];
    let number = |seen: &Seen, seed| draw(quiz, seed, seen).unwrap().remove(2);
    let mut seen = Seen::default();
    for seed in 0..30 {
        let question = number(&seen, seed);
        assert!(!question.ask.contains(['{', '}']), "{}", question.ask);
        let last = seen.slots.get("number").and_then(|past| past.iter().find(|past| past.variant == question.variant));
        assert!(last.is_none_or(|last| last.parameters != question.parameters), "{seed}: asked again at once");
        remember(&mut seen, &[question]);
    }
    let bytes =
        (0..30).map(|seed| number(&Seen::default(), seed)).find(|question| question.variant == "bytes").unwrap();
    let expected = format!(
        "How many bytes has a tile of {} rows of {} floats?",
        bytes.parameters["rows"], bytes.parameters["pitch"]
    );
    assert_eq!(bytes.ask, expected);
}

#[test]
fn a_variant_that_cannot_be_answered_is_not_drawn_and_a_slot_of_such_is_said_to_be_broken() {
    let mut quiz = quizzes()[0].clone();
    let broken = "id: broken\nask: '?'\nbecause: '-'\nanswer: { numeric: { formula: 1 / nobody, why: '-' } }";
    quiz.slots[2].variants.insert(0, serde_yaml::from_str(broken).unwrap());
    for seed in 0..30 {
        assert_ne!(draw(&quiz, seed, &Seen::default()).unwrap()[2].variant, "broken");
    }
    quiz.slots[2].variants.truncate(1);
    let error = draw(&quiz, 1, &Seen::default()).unwrap_err();
    assert!(error.message.to_string().contains("`number`"), "{error}");
    quiz.slots.clear();
    assert!(draw(&quiz, 1, &Seen::default()).is_err());
}

#[test]
fn a_question_can_be_shown_again_after_rewording_but_not_after_a_change_of_its_key() {
    let quiz = small();
    let question = draw(&quiz, 1, &Seen::default()).unwrap().remove(0);
    let drawn = Drawn::from(&question);
    let edited = |edit: &dyn Fn(&mut serde_json::Value)| -> QuizFile {
        // The edit is made on the text, as an instructor makes it.
        let mut tree: serde_json::Value = serde_yaml::from_str(&quiz_yaml("one", 8)).unwrap();
        let variants = tree["slots"][0]["variants"].as_array_mut().unwrap();
        edit(variants.iter_mut().find(|variant| variant["id"] == drawn.variant.as_str()).unwrap());
        serde_yaml::from_str(&tree.to_string()).unwrap()
    };
    let reworded = edited(&|variant| {
        variant["ask"] = "In other words?".into();
        variant["answer"]["single"][1]["text"] = "a better distractor".into();
        variant["answer"]["single"].as_array_mut().unwrap().rotate_left(1);
    });
    let again = present(&reworded, &drawn).unwrap();
    assert_eq!((again.ask.as_str(), ids(&again)), ("In other words?", ids(&question)));

    for (what, edit) in [
        ("another key", (|v| v["answer"]["single"][0]["correct"] = false.into()) as fn(&mut serde_json::Value)),
        ("a renamed choice", |v| v["answer"]["single"][1]["id"] = "renamed".into()),
        ("a choice less", |v| drop(v["answer"]["single"].as_array_mut().unwrap().pop())),
        ("another kind", |v| v["answer"] = serde_json::json!({ "text": { "accept": ["x"], "why": "y" } })),
        ("a renamed variant", |v| v["id"] = "renamed".into()),
    ] {
        assert!(present(&edited(&edit), &drawn).is_err(), "{what}");
    }
}

#[test]
fn a_page_s_choices_stay_as_they_are_for_a_student_and_differ_between_students() {
    let lesson = |shuffle: &str| -> tutor_course::Predict {
        let choices = "[{text: one, reply: r}, {text: two, correct: true, reply: r}, {text: three, reply: r}, {text: four, reply: r}]";
        serde_yaml::from_str(&format!("{{ask: How many?, {shuffle}choices: {choices}}}")).unwrap()
    };
    let shuffled = lesson("");
    let order = |student, page: &str| shown_order(&shuffled, Some(student), "first", page);
    assert_eq!((order(1, "a"), order(1, "a")), (vec![2, 3, 1, 0], vec![2, 3, 1, 0]));
    let orders: BTreeSet<Vec<usize>> = (0..200).map(|student| order(student, "a")).collect();
    assert_eq!(orders.len(), 24);
    let pages: BTreeSet<Vec<usize>> = (0..200).map(|page| order(1, &page.to_string())).collect();
    assert_eq!(pages.len(), 24);
    let pinned = lesson("shuffle: false, ");
    assert_eq!(shown_order(&pinned, Some(1), "first", "a"), [0, 1, 2, 3]);
    assert_eq!(shown_order(&shuffled, None, "first", "a"), [0, 1, 2, 3]);
}
