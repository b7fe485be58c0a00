//! Quizzes: what keys do in an attempt, from the student's point of view.

use super::drive::{Driver, driver, fixture_copy};
use crate::prelude::*;
use tutor_course::CourseSource;
use tutor_progress::{Answer, AttemptKind, QuestionKind};

impl Driver {
    /// Begins the gate of the first level with a known seed.
    pub(crate) fn open_quiz(&mut self) {
        let course = std::sync::Arc::clone(&self.model.data.course);
        let quiz = course.levels[0].quiz().unwrap();
        let outline = tutor_progress::Outline::from(&*course);
        let begun = self.store.begin(&outline, quiz, AttemptKind::Gate, Some(7)).unwrap();
        self.send(Msg::Begun(Box::new(begun)));
    }

    /// Goes to the question in this slot.
    pub(super) fn go_to_kind(&mut self, slot: &str) {
        let at = self.attempt().questions.iter().position(|question| question.slot == slot).unwrap();
        while self.attempt().position < at {
            self.press("<C-n>");
        }
    }

    fn attempt(&self) -> &tutor_progress::Attempt {
        &self.quiz().attempt
    }

    /// Presses keys. If they begin with `g`, the gate uses a known seed.
    pub(super) fn reach(&mut self, keys: &str) {
        if keys.starts_with('g') {
            self.open_quiz();
        }
        self.press(keys.strip_prefix('g').unwrap_or(keys));
    }

    /// Answers every question, those in the `wrong` slots incorrectly. Ends at the review.
    pub(super) fn answer_all(&mut self, wrong: &[&str]) {
        while let Some(question) = self.attempt().current().cloned() {
            let right = !wrong.contains(&question.slot.as_str());
            let letter = |id: &str| {
                let at = question.kind.items().iter().position(|item| item.id == id).unwrap();
                char::from(b'a' + at as u8)
            };
            match &question.kind {
                QuestionKind::Single { .. } => {
                    self.press(&letter(if right { "right" } else { "block" }).to_string()).press("<Enter>")
                }
                QuestionKind::Multiple { .. } => self.press(&format!(
                    "{}{}<Enter>",
                    letter("broadcast"),
                    letter(if right { "row" } else { "column" })
                )),
                QuestionKind::Numeric { .. } => {
                    let product = question.parameters["x"] * question.parameters["y"];
                    self.press(&format!("{}<Enter>", if right { product / 32.0 } else { product }))
                }
                QuestionKind::Text { .. } => self.press(if right { "lane<Enter>" } else { "bank<Enter>" }),
                QuestionKind::Cloze { .. } => {
                    self.press(if right { "32<Enter>warpSize<Enter>" } else { "31<Enter>32<Enter>" })
                }
                QuestionKind::Order { .. } => {
                    let wanted = ["load", "wait", "multiply", "free"];
                    // Picks an event up and puts it down, then puts all in order. The cursor moves with the event.
                    self.press("  ");
                    let mut cursor = 0;
                    for (to, id) in wanted.iter().enumerate().take(if right { 4 } else { 0 }) {
                        let from = self.order().iter().position(|known| known == id).unwrap();
                        self.press(&"<Up>".repeat(cursor)).press(&"<Down>".repeat(from));
                        self.press(&"-".repeat(from - to));
                        cursor = to;
                    }
                    self.press("<Enter>")
                }
                // The fixture has neither; other tests cover them.
                QuestionKind::Predict(_) => self.press("1<Enter>"),
                QuestionKind::Fault(_) => self.press("<Down>a<Enter>"),
                QuestionKind::Match(view) => {
                    let wanted: &[(&str, &str)] = if right {
                        &[("raw", "early"), ("war", "late"), ("waw", "twice")]
                    } else {
                        &[("raw", "late"), ("war", "early"), ("waw", "twice")]
                    };
                    let partner = |left: &str| wanted.iter().find(|(known, _)| *known == left).unwrap().1;
                    let keys: String = view.left.iter().map(|left| letter(partner(&left.id))).collect();
                    self.press(&keys).press("<Enter>")
                }
            };
        }
    }

    /// Gives one correct and one incorrect answer in practice.
    fn answer_in_practice(&mut self) {
        for slot in ["text", "cloze"] {
            self.go_to_kind(slot);
            self.press(if slot == "text" { "lane<Enter>" } else { "31<Enter>32<Enter>" });
        }
    }

    /// Returns the selection or typed text at the question on the screen.
    fn panel_answer(&self) -> Option<Answer> {
        self.quiz().panel.as_ref().unwrap().selected()
    }

    fn order(&self) -> Vec<String> {
        match self.panel_answer() {
            Some(Answer::Order(ids)) => ids,
            other => panic!("no order: {other:?}"),
        }
    }
}

/// Returns a driver at the question of a gate in this slot.
fn gate_at(slot: &str) -> Driver {
    let mut driver = driver();
    driver.press("g<Enter>").go_to_kind(slot);
    driver
}

/// Returns a driver at the review of a gate, with incorrect answers in the `wrong` slots.
fn answered(wrong: &[&str]) -> Driver {
    let mut driver = driver();
    driver.press("g<Enter>").answer_all(wrong);
    driver
}

#[test]
fn what_a_gate_opens_is_open_before_its_result_is_shown() {
    let mut driver = answered(&[]);
    let (course, attempt) = (std::sync::Arc::clone(&driver.model.data.course), Box::new(driver.attempt().clone()));
    let submit = StoreRequest::Submit { attempt: attempt.id, level: attempt.level };
    for msg in crate::storing::carry_out(&mut driver.store, &course, &submit).unwrap() {
        driver.send(msg);
        if matches!(driver.model.screens.last(), Some(Screen::Outcome(_))) {
            break;
        }
    }
    driver.press("<Enter>").sees(&["공유 메모리의 책상"]);
}

#[test]
fn what_is_typed_and_not_confirmed_is_kept_and_counts_for_nothing() {
    let mut driver = gate_at("text");
    driver.press("lane<C-c>");
    assert_eq!(driver.pending.last(), Some(&Effect::Quit));
    let course = std::sync::Arc::clone(&driver.model.data.course);
    let outline = tutor_progress::Outline::from(&*course);
    let quiz = course.levels[0].quiz().unwrap();
    let tutor_progress::Begun::Resumed(attempt) = driver.store.begin(&outline, quiz, AttemptKind::Gate, None).unwrap()
    else {
        panic!("a new attempt")
    };
    assert!(attempt.answers.is_empty());
    let drafts = driver.store.drafts(&course.id).unwrap();
    let question = attempt.questions.iter().find(|question| question.slot == "text").unwrap();
    let draft = question.draft_of(&drafts[&attempt.draft_key(question)]);
    assert_eq!(draft, Some(Answer::Text("lane".into())));
    let outcome = driver.store.submit(&outline, quiz, attempt.id).unwrap();
    assert_eq!(outcome.correct, 0);
    assert!(driver.store.drafts(&course.id).unwrap().is_empty(), "an attempt that is over needs no drafts");
}

/// Returns the fixture course with a matching question instead of an order.
fn with_pairs(size: (u16, u16)) -> (tempfile::TempDir, Driver) {
    let (dir, source) = fixture_copy();
    let file = dir.path().join("quizzes/first.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    let (before, _) = text.split_once("          order:\n").unwrap();
    let pairs = "          match:
            left:
              - { id: raw, text: RAW, is: early }
              - { id: war, text: WAR, is: late }
              - { id: waw, text: WAW, is: twice }
            right:
              - { id: late, text: written before it was read }
              - { id: early, text: read before it was written }
              - { id: twice, text: the later write is lost }
              - { id: none, text: nothing at all }
            why: Read the letters from right to left.
        because: So they are called.
";
    std::fs::write(&file, format!("{before}{pairs}")).unwrap();
    let driver = Driver::of(&source, size);
    (dir, driver)
}

#[test]
fn pairs_are_matched_by_letters_and_graded_as_a_set() {
    for (wrong, correct) in [(&[][..], 6), (&["order"][..], 5)] {
        let (_dir, mut driver) = with_pairs((80, 24));
        driver.open_quiz();
        driver.answer_all(wrong);
        driver.press("S").sees(&[&format!("{correct} of 6")]);
    }
}

#[test]
fn a_partner_given_again_leaves_the_one_it_had_and_an_open_pair_is_told() {
    let (_dir, mut driver) = with_pairs((60, 18));
    driver.open_quiz();
    driver.go_to_kind("order");
    let text = driver.press("ab<Up>a").text();
    assert_eq!(text.matches("[a]").count(), 1, "{text}");
    assert!(text.contains("[ ]"), "{text}");
    driver.press("<Enter>").sees(&["pair"]);
    assert!(!driver.attempt().answers.contains_key("order"));
}

/// Returns a driver at a practice question of the built-in course, chosen by slot and variant.
pub(crate) fn practising(level: usize, slot: &str, variant: &str, size: (u16, u16)) -> Driver {
    let mut driver = Driver::of(&CourseSource::BuiltIn, size);
    let course = std::sync::Arc::clone(&driver.model.data.course);
    let quiz = course.levels[level].quiz().unwrap();
    let mut slot = quiz.slots.iter().find(|known| known.id.value == slot).unwrap().clone();
    slot.variants.retain(|known| known.id.value == variant);
    let one = tutor_course::QuizFile { level: quiz.level.clone(), slots: vec![slot] };
    let outline = tutor_progress::Outline { all_open: true, ..tutor_progress::Outline::from(&*course) };
    let begun = driver.store.begin(&outline, &one, AttemptKind::Practice, Some(1)).unwrap();
    driver.send(Msg::Begun(Box::new(begun)));
    driver
}

#[test]
fn a_line_longer_than_the_screen_is_folded_and_each_of_its_rows_chooses_it() {
    let mut driver = practising(1, "missing-barrier", "find-the-writer", (60, 18));
    let text = driver.press("<PageDown>").text();
    let rows: Vec<&str> = text.lines().collect();
    let first = rows.iter().position(|row| row.contains(" B_tile[ty][tx] =")).unwrap_or_else(|| panic!("{text}"));
    assert_eq!(rows[first + 1].trim(), "B[size_t(b_row) * ldb + col] : 0.0f;", "{text}");
    let begins = |row: &str, code: &str| row.find(code).unwrap();
    let (upper, lower) = (begins(rows[first], "B_tile"), begins(rows[first + 1], "B["));
    assert!(lower > upper, "the rest of a line starts further in: {text}");
    let number = rows[first].split_whitespace().next().unwrap().to_owned();
    driver.click("B[size_t(b_row)");
    let Some(Answer::Fault(given)) = driver.panel_answer() else { panic!("nothing is chosen") };
    assert_eq!(given, [number, String::new()]);
}

#[test]
fn a_question_longer_than_the_screen_says_what_lies_below_until_its_end_is_seen() {
    for size in [(60, 18), (80, 24)] {
        let mut driver = practising(1, "missing-barrier", "find-the-writer", size);
        let (mut below, mut seen) = (usize::MAX, String::new());
        for _ in 0..10 {
            let text = driver.text();
            seen.push_str(&text);
            let Some((above, mark)) = text.split_once("▼ ") else { break };
            assert!(above.ends_with("  "), "{size:?}: the mark covers half a line: {text}");
            let left: usize = mark.split_once(" more").unwrap().0.parse().unwrap();
            assert!(left < below, "{size:?}: {left} after {below}");
            below = left;
            driver.press("<PageDown>");
        }
        assert!(!driver.text().contains('▼'), "{size:?}: the end is reached: {}", driver.text());
        assert!(below < usize::MAX || size.1 > 18, "{size:?}: it does not fit on one screen");
        for consequence in driver.attempt().questions[0].kind.items() {
            let words: Vec<&str> = consequence.text.split_whitespace().collect();
            assert!(seen.contains(words[..3].join(" ").as_str()), "{size:?}: {} in {seen}", consequence.text);
        }
    }
}

#[test]
fn in_practice_the_review_shows_how_each_answer_was_graded() {
    let mut driver = driver();
    driver.press("P").answer_in_practice();
    let text = driver.press("<C-r>").text();
    assert!(text.contains("✔ right") && text.contains("✘ wrong") && text.contains("○ open"), "{text}");
}
