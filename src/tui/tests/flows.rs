//! What keys do, told as a student would.

use super::drive::Driver;
use crate::course::Show;
use crate::exec::protocol::{Description, Device, DeviceKind, Reply};
use crate::mastery::{Answer, AttemptKind, QuestionKind};
use crate::tui::app::{Msg, Screen};
use crate::tui::effect::Effect;
use ratatui::layout::Size;
use std::collections::BTreeMap;
use std::time::Duration;

impl Driver {
    /// Begins the gate of the first level with a known seed.
    pub(super) fn open_quiz(&mut self) {
        let course = std::sync::Arc::clone(&self.model.world.course);
        let quiz = course.levels[0].quiz().unwrap();
        let outline = crate::mastery::Outline::from(&*course);
        let begun = self.store.begin(&outline, quiz, AttemptKind::Gate, Some(7)).unwrap();
        self.send(Msg::Begun(Box::new(begun)));
    }

    /// Opens a page without a key.
    pub(super) fn open_page(&mut self, level: usize, page: usize) {
        let (lesson, _) = crate::tui::screens::lesson::Lesson::open(level, page, &self.model.context());
        self.model.screens.truncate(1);
        self.model.screens.push(Screen::Lesson(Box::new(lesson)));
    }

    /// Goes to the question of this slot.
    pub(super) fn go_to_kind(&mut self, slot: &str) {
        let at = self.attempt().questions.iter().position(|question| question.slot == slot).unwrap();
        while self.attempt().position < at {
            self.press("<C-n>");
        }
    }

    fn attempt(&self) -> &crate::mastery::Attempt {
        match self.model.screens.last() {
            Some(Screen::Quiz(quiz)) => &quiz.attempt,
            other => panic!("no quiz on the screen: {other:?}"),
        }
    }

    /// Presses keys; a gate that they begin with is drawn by a known seed.
    pub(super) fn reach(&mut self, keys: &str) {
        match keys.strip_prefix('g') {
            Some(rest) => {
                self.open_quiz();
                self.press(rest);
            }
            None => {
                self.press(keys);
            }
        }
    }

    /// Answers every question by its keys, the slots named wrongly; ends at the review.
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
                QuestionKind::Text => self.press(if right { "lane<Enter>" } else { "bank<Enter>" }),
                QuestionKind::Cloze { .. } => {
                    self.press(if right { "32<Enter>warpSize<Enter>" } else { "31<Enter>32<Enter>" })
                }
                QuestionKind::Order { .. } => {
                    let wanted = ["load", "wait", "multiply", "free"];
                    for (to, id) in wanted.iter().enumerate().take(if right { 4 } else { 0 }) {
                        let from = self.order().iter().position(|known| known == id).unwrap();
                        self.press(&"<Up>".repeat(4)).press(&"<Down>".repeat(from));
                        self.press(&"K".repeat(from - to));
                    }
                    self.press("<Enter>")
                }
            };
        }
    }

    fn order(&self) -> Vec<String> {
        match self.model.screens.last() {
            Some(Screen::Quiz(quiz)) => match quiz.draft.answer() {
                Some(Answer::Order(ids)) => ids,
                other => panic!("no order: {other:?}"),
            },
            other => panic!("no quiz: {other:?}"),
        }
    }
}

fn driver() -> Driver {
    Driver::new((80, 24))
}

#[test]
fn enter_on_the_map_opens_the_next_page_and_esc_comes_back() {
    let mut driver = driver();
    assert!(driver.press("<Enter>").text().contains("What you will be able to do"));
    assert!(driver.press("<Esc>").text().contains("Next: level 1, page 2 of 6"));
}

#[test]
fn a_locked_level_says_what_opens_it_and_stays_closed() {
    let mut driver = driver();
    let text = driver.press("<Down><Enter>").text();
    assert!(text.contains("Locked: pass the gate of level 1"), "{text}");
    assert!(matches!(driver.model.screens.as_slice(), [Screen::Map(_)]));
}

#[test]
fn a_prediction_holds_the_answer_back_until_it_is_made() {
    let mut driver = driver();
    let text = driver.press("<Enter><Right><Right>").text();
    assert!(!text.contains("poison for another") && !text.contains("The stores now conflict"), "{text}");
    let text = driver.press("b").text();
    assert!(text.contains("Not so.") && text.contains("The stores have a new conflict"), "{text}");
    assert!(text.contains("poison for another"), "{text}");
    assert!(text.contains("your answer"), "{text}");
}

#[test]
fn a_skipped_prediction_is_remembered() {
    let mut driver = driver();
    driver.press("<Enter><Right><Right>s<Esc>");
    let text = driver.press("p<Home><Down><Down><Enter>").text();
    assert!(text.contains("Skipped: it is c."), "{text}");
    let made = driver.store.prediction("fixture", "first", "predict").unwrap().unwrap();
    assert_eq!((made.choice, made.correct), (None, None));
}

#[test]
fn a_recall_reveals_one_answer_at_a_time() {
    let mut driver = driver();
    let text = driver.press("<Enter><Right>").text();
    assert!(!text.contains("Four.") && !text.contains("How many bits"), "{text}");
    let text = driver.press("<Enter>").text();
    assert!(text.contains("Four.") && text.contains("How many bits") && !text.contains("Eight."), "{text}");
    assert!(driver.press("<Enter>").text().contains("Eight."));
}

#[test]
fn pages_that_were_read_are_counted_after_a_restart() {
    let mut driver = driver();
    driver.press("<Enter><Right><Right>c<Right><Esc>");
    let record = driver.store.record("fixture").unwrap();
    // The code page fits the screen, so it is read as soon as it is open; the recall was left by going on.
    assert_eq!(record.read["first"].len(), 4);
    assert_eq!(record.opened["first"], "code");
}

#[test]
fn a_long_page_says_how_much_is_below_and_above_and_counts_as_read_at_its_end() {
    let mut driver = Driver::new((60, 18));
    driver.open_page(0, 5);
    assert!(driver.text().contains("more"), "{}", driver.text());
    driver.press("j");
    assert!(!driver.store.record("fixture").unwrap().read.contains_key("first"));
    let text = driver.press("<PageDown><PageDown>").text();
    assert!(text.contains("more above") && text.contains("The last line of a long page."), "{text}");
    assert!(driver.store.record("fixture").unwrap().read["first"].contains("long"));
}

#[test]
fn the_instrument_gets_the_keys_with_tab_and_gives_them_back_with_esc() {
    let mut driver = driver();
    driver.open_page(0, 4);
    let before = driver.text();
    driver.press("<Tab>");
    let Some(Screen::Lesson(lesson)) = driver.model.screens.last() else { panic!() };
    assert_eq!(lesson.focus, crate::tui::screens::lesson::Focus::Picture);
    driver.press("<Esc>");
    assert_eq!(driver.text(), before);
    assert_eq!(driver.model.screens.len(), 2);
}

#[test]
fn a_small_screen_never_hides_the_whole_text_from_a_student_who_uses_the_instrument() {
    let mut driver = Driver::new((60, 24));
    driver.open_page(0, 4);
    let text = driver.press("<Tab>").text();
    assert!(text.contains("100 books"), "{text}");
}

#[test]
fn the_reply_to_a_prediction_stays_in_sight_beside_the_instrument() {
    let mut driver = Driver::of(&crate::course::CourseSource::BuiltIn, (80, 24));
    let pages = crate::tui::world::pages(&driver.model.world.course.levels[0]);
    let instrument = |page: &crate::course::Page| {
        page.predict.is_some() && page.show.as_ref().is_some_and(|show| !matches!(show, Show::Code(_)))
    };
    let all: Vec<usize> = (0..pages.len()).filter(|at| instrument(&pages[*at])).collect();
    assert!(!all.is_empty(), "level 1 has no prediction before an instrument");
    for page in all {
        driver.open_page(0, page);
        let text = driver.press("s<Tab>").text();
        assert!(text.contains("Skipped: it is"), "page {}:\n{text}", page + 1);
    }
}

#[test]
fn code_shows_its_real_line_numbers_and_its_notes() {
    let mut driver = driver();
    driver.open_page(0, 3);
    let text = driver.text();
    let source = include_str!("../../../kernels/sgemm_tiled.cu");
    let number = source.lines().position(|line| line.contains("A_tile[ty][tx] =")).unwrap() + 1;
    assert!(text.contains(&format!("{number} │")), "{text}");
    assert!(text.contains("◂ 16 lanes a row"), "{text}");
    driver.send(Msg::Tick(Duration::ZERO));
    assert!(driver.wished.iter().any(|wish| matches!(wish, Effect::Highlight(_))));
}

#[test]
fn colours_replace_plain_code_without_moving_it() {
    let mut driver = driver();
    driver.open_page(0, 3);
    let plain = driver.text();
    let catalog = crate::kernels::Catalog::built_in();
    let kernel = catalog.kernel("sgemm_tiled").unwrap();
    let lines =
        crate::tui::highlight::Highlighter::default().highlight(crate::tui::code::Language::Cuda, kernel.source.text());
    let before = driver.styles();
    driver.send(Msg::Highlighted { file: kernel.file.clone(), lines });
    assert_eq!(driver.text(), plain);
    driver.model.theme = crate::tui::theme::Theme::named("dark").unwrap();
    assert_ne!(driver.styles(), before);
}

#[test]
fn all_right_passes_the_gate_and_opens_the_next_level() {
    let mut driver = driver();
    driver.press("g");
    driver.answer_all(&[]);
    let text = driver.press("S").text();
    assert!(text.contains("6 of 6 · gate 5 · passed"), "{text}");
    assert!(text.contains("Level 2, Shared-memory tiling, is open."), "{text}");
    let text = driver.press("<Esc><Down><Enter>").text();
    assert!(text.contains("공유 메모리의 책상"), "{text}");
}

#[test]
fn a_failed_gate_gives_the_reason_of_the_answer_and_the_page_but_not_the_key() {
    let mut driver = driver();
    driver.press("g");
    driver.answer_all(&["single", "numeric"]);
    let text = driver.press("S").text();
    assert!(text.contains("4 of 6 · gate 5 · not passed"), "{text}");
    assert!(text.contains("The block is cut into warps.") && text.contains("Those are the threads."), "{text}");
    assert!(!text.contains("A warp is 32 threads with consecutive numbers."), "{text}");
    let text = driver.press("<Enter>").text();
    assert!(text.contains("What you will be able to do"), "{text}");
    assert!(driver.press("<Esc>").text().contains("not passed"));
}

#[test]
fn practice_explains_every_answer_at_once_and_does_not_count() {
    let mut driver = driver();
    driver.press("P");
    let Some(Screen::Quiz(quiz)) = driver.model.screens.last() else { panic!() };
    let at = quiz.attempt.current().unwrap().kind.items().iter().position(|item| item.id == "block").unwrap();
    let text = driver.press(&char::from(b'a' + at as u8).to_string()).text();
    assert!(text.contains("Not so.") && text.contains("The block is cut into warps."), "{text}");
    assert!(text.contains("A warp is 32 threads with consecutive numbers."), "{text}");
    driver.press("<Enter><Esc>");
    assert_eq!(driver.model.world.progress.levels[0].attempts, 0);
}

#[test]
fn a_quiz_left_in_the_middle_goes_on_at_its_question_with_what_was_typed() {
    let mut driver = driver();
    driver.press("g");
    driver.go_to_kind("text");
    driver.press("la<Esc>");
    let text = driver.press("g").text();
    assert!(text.contains("thread's place") && text.contains(" la"), "{text}");
}

#[test]
fn what_is_being_typed_is_kept_on_ctrl_c() {
    let mut driver = driver();
    driver.press("g");
    driver.go_to_kind("text");
    driver.press("lane<C-c>");
    assert_eq!(driver.wished.last(), Some(&Effect::Quit));
    let course = std::sync::Arc::clone(&driver.model.world.course);
    let outline = crate::mastery::Outline::from(&*course);
    let quiz = course.levels[0].quiz().unwrap();
    let crate::mastery::Begun::Resumed(attempt) = driver.store.begin(&outline, quiz, AttemptKind::Gate, None).unwrap()
    else {
        panic!("a new attempt")
    };
    assert_eq!(attempt.answers.get("text"), Some(&Answer::Text("lane".into())));
}

#[test]
fn a_number_that_is_none_is_told_at_once_and_not_kept() {
    let mut driver = driver();
    driver.press("g");
    driver.go_to_kind("numeric");
    driver.press("many<Enter>");
    let Some(Screen::Quiz(quiz)) = driver.model.screens.last() else { panic!() };
    assert!(quiz.problem.is_some());
    assert!(quiz.attempt.answers.is_empty());
}

#[test]
fn letters_typed_into_a_field_are_no_commands() {
    let mut driver = driver();
    driver.press("g");
    driver.go_to_kind("text");
    let text = driver.press("q?:/mr").text();
    assert!(text.contains("q?:/mr"), "{text}");
    assert!(driver.wished.is_empty() && driver.model.overlays.is_empty());
}

#[test]
fn a_marked_question_is_marked_in_the_review() {
    let mut driver = driver();
    driver.press("gm");
    let text = driver.press("r").text();
    assert!(text.lines().any(|line| line.contains("open") && line.contains("marked")), "{text}");
    assert!(text.contains("6 still open"), "{text}");
}

#[test]
fn submitting_with_open_questions_asks_once_more() {
    let mut driver = driver();
    let text = driver.press("grS").text();
    assert!(text.contains("count as wrong"), "{text}");
    assert!(driver.press("S").text().contains("0 of 6 · gate 5 · not passed"));
}

#[test]
fn search_finds_words_of_open_levels_only_and_enter_opens_the_page() {
    let mut driver = driver();
    let text = driver.press("/conflicts").text();
    assert!(text.contains("1.3 Does padding help here?"), "{text}");
    assert!(driver.press("<Enter>").text().contains("page 3/6"));
    let text = driver.press("/책상").text();
    assert!(text.contains("No open page contains that."), "{text}");
}

#[test]
fn search_does_not_tell_what_a_prediction_holds_back() {
    let mut driver = driver();
    assert!(driver.press("/poison").text().contains("No open page"));
    driver.press("<Esc><Enter><Right><Right>c<Esc>");
    assert!(driver.press("/poison").text().contains("1.3 Does padding"));
}

#[test]
fn the_palette_does_what_it_names() {
    let mut driver = driver();
    assert!(driver.press(":theme<Enter>").model.theme.name() == "dark");
    let text = driver.press(":submit<Enter>").text();
    assert!(text.contains("does not work here"), "{text}");
}

#[test]
fn help_lists_every_key_of_the_last_line() {
    let mut driver = Driver::new((120, 60));
    for keys in ["", "<Enter>", "g"] {
        driver.press(keys);
        let editing = driver.model.screen_editing();
        let actions = driver.model.actions();
        let hints = crate::tui::action::hints(&actions, false, editing);
        let help = driver.press("<F1>").text();
        for action in &actions {
            let entry = action.entry();
            let shown = hints.iter().any(|(_, label)| *label == entry.label);
            assert!(!shown || help.contains(entry.about), "{action:?} is not in\n{help}");
        }
        driver.press("<Esc>");
    }
}

#[test]
fn a_broken_level_shows_its_reason_and_the_rest_works() {
    let mut driver = driver();
    let text = driver.press("<Down><Down>").text();
    assert!(text.contains("third.yaml:") && text.contains("broken"), "{text}");
    assert!(driver.press("<Up><Up><Enter>").text().contains("page 1/6"));
}

#[test]
fn a_click_chooses_and_the_wheel_scrolls() {
    let mut driver = driver();
    driver.press("<Enter><Right><Right>").click("c  slower");
    assert!(driver.text().contains("Right."), "{}", driver.text());
    let mut driver = Driver::new((60, 18));
    driver.open_page(0, 5);
    let before = driver.text();
    driver.send(Msg::Wheel(3));
    assert_ne!(driver.text(), before);
    driver.send(Msg::Wheel(-3));
    assert_eq!(driver.text(), before);
}

#[test]
fn a_tiny_terminal_says_how_large_it_must_be_and_keeps_the_place() {
    let mut driver = driver();
    driver.press("<Enter><Right>");
    driver.send(Msg::Resize(Size { width: 59, height: 24 }));
    assert!(
        driver.text().starts_with("matmul-tutor needs 60 × 18 characters; this terminal has 59"),
        "{}",
        driver.text()
    );
    driver.press("<Right>");
    driver.send(Msg::Resize(Size { width: 60, height: 18 }));
    assert!(driver.text().contains("What do you bring?") && driver.text().contains("page 2/6"));
}

#[test]
fn nothing_panics_at_any_size() {
    for width in [0, 1, 2, 20, 59, 60, 61, 200] {
        for height in [0, 1, 2, 17, 18, 70] {
            let mut driver = Driver::new((width, height));
            for page in 0..6 {
                driver.model.overlays.clear();
                driver.open_page(0, page);
                driver.press("<Tab>z<PageDown>j?");
            }
        }
    }
}

#[test]
fn only_what_changed_is_drawn_again() {
    let mut driver = driver();
    driver.model.dirty = false;
    driver.send(Msg::Tick(Duration::from_secs(1)));
    assert!(!driver.model.dirty && !driver.model.wants_ticks());
    driver.press("<Down><Enter>");
    assert!(driver.model.wants_ticks(), "a message has to go by itself");
    driver.model.dirty = false;
    driver.send(Msg::Tick(Duration::from_secs(60)));
    assert!(driver.model.dirty && !driver.model.wants_ticks() && driver.model.message.is_none());
}

#[test]
fn the_device_is_named_once_the_worker_has_answered() {
    let mut driver = driver();
    assert!(driver.text().contains("looking for a GPU"));
    let device = Device { kind: DeviceKind::Emulator, name: "SIMT emulator".into(), driver: None, capability: None };
    driver.send(Msg::Worker(Reply::Description(Description {
        device,
        why_not_cuda: Some("No NVIDIA driver was found (libcuda.so.1 is missing).".into()),
        cuda: Default::default(),
        nvrtc: Err("no".into()),
        cublas: Err("no".into()),
    })));
    assert!(driver.text().contains("emulator (no NVIDIA driver was found)"), "{}", driver.text());
}

#[test]
fn files_read_again_keep_the_page() {
    let mut driver = driver();
    driver.press("<Enter><Right><Right>");
    let world = driver.model.world.clone();
    driver.send(Msg::Reloaded(Box::new(world)));
    assert!(driver.text().contains("page 3/6"));
}

#[test]
fn every_show_of_a_page_has_its_instrument() {
    let driver = driver();
    let shows: BTreeMap<&str, &Show> = driver
        .model
        .world
        .course
        .levels
        .iter()
        .flat_map(crate::tui::world::pages)
        .filter_map(|page| Some((page.id.value.as_str(), page.show.as_ref()?)))
        .collect();
    assert!(matches!(shows["code"], Show::Code(_)));
    let setting = crate::tui::instruments::Setting { description: None, catalog: &driver.model.world.catalog };
    assert!(crate::tui::instruments::Instrument::of(shows["library"], setting).is_some());
}
