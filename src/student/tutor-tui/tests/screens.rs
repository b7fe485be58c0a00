//! Snapshots of every screen as text and style, some at three sizes.

use super::drive::{Driver, long, portrait};

/// Slots of the fixture's gate, in order.
pub(super) const ALL_RIGHT: [&str; 6] = ["single", "multiple", "numeric", "text", "cloze", "order"];

/// Name of each snapshot, and the keys that lead to the screen. A `g` at the beginning uses a known seed.
const SCREENS: [(&str, &str); 23] = [
    ("map", ""),
    ("map_broken_level", "<Down><Down>"),
    ("lesson_text_list_table", "<Enter>"),
    ("lesson_recall_open", "<Enter><Right>"),
    ("lesson_recall_revealed", "<Enter><Right><Enter><Enter>"),
    ("lesson_predict_open", "<Enter><Right><Right>"),
    ("lesson_predict_selected", "<Enter><Right><Right><Down>"),
    ("lesson_predict_wrong", "<Enter><Right><Right>a<Enter>"),
    ("lesson_predict_right", "<Enter><Right><Right>c<Enter>"),
    ("lesson_code", "p<Down><Down><Down><Enter>"),
    ("lesson_code_ptx", "p<Down><Down><Down><Enter>vv<Tab>"),
    ("lesson_instrument_focused", "p<Down><Down><Down><Down><Enter><Tab>"),
    ("lesson_scrolled", "p<Down><Down><Down><Down><Down><Enter><PageDown>"),
    ("help", "<Enter>?"),
    ("palette", "<Enter>:page"),
    ("pages", "<Enter>p"),
    ("search", "/conflict"),
    ("glossary", "<Enter>K"),
    ("gate_asked", "<Enter>g"),
    ("lesson_code_zoomed", "p<Down><Down><Down><Enter>v<Tab>z"),
    ("quiz_single_chosen", "gb"),
    ("quiz_review_warned", "grS"),
    ("bench_banks", "b"),
];

/// Screens whose layout depends on the size of the terminal.
const AT_EVERY_SIZE: [&str; 8] = [
    "map",
    "lesson_text_list_table",
    "lesson_predict_wrong",
    "lesson_code",
    "lesson_instrument_focused",
    "help",
    "pages",
    "quiz_single_chosen",
];

#[test]
fn every_screen_looks_as_it_did() {
    for (name, keys) in SCREENS {
        let shown = portrait(AT_EVERY_SIZE.contains(&name), |size| {
            let mut driver = Driver::new(size);
            driver.reach(keys);
            driver
        });
        insta::assert_snapshot!(name, shown);
    }
}

#[test]
fn every_kind_of_question_looks_as_it_did() {
    // The first kind is among the screens above.
    for kind in &ALL_RIGHT[1..] {
        let shown = portrait(*kind == "cloze", |size| {
            let mut driver = Driver::new(size);
            driver.open_quiz();
            driver.go_to_kind(kind);
            driver.press(match *kind {
                "numeric" => "many<Enter>",
                "cloze" => "warpSize<Tab>3",
                "order" => "J",
                _ => "",
            });
            driver
        });
        insta::assert_snapshot!(format!("quiz_{kind}"), shown);
    }
}

#[test]
fn outcomes_look_as_they_did() {
    for (name, wrong) in [("outcome_passed", &[][..]), ("outcome_failed", &["single", "text", "cloze"][..])] {
        let shown = portrait(true, |size| {
            let mut driver = Driver::new(size);
            driver.open_quiz();
            driver.answer_all(wrong);
            driver.press("S");
            driver
        });
        insta::assert_snapshot!(name, shown);
    }
}

#[test]
fn ascii_draws_nothing_but_ascii_around_the_course_s_own_words() {
    for (name, keys) in SCREENS {
        let mut driver = Driver::new((80, 24));
        driver.model.ascii = true;
        driver.reach(keys);
        let text = driver.text();
        let own = |c: char| c.is_ascii() || "×“”→…–공유메모리의책상".contains(c);
        let drawn: String = text.chars().filter(|c| !own(*c)).collect();
        assert_eq!(drawn, "", "{name}:\n{text}");
    }
}

#[test]
fn every_page_of_the_real_course_can_be_drawn_at_every_size() {
    let sizes: &[(u16, u16)] =
        if long() { &[(60, 18), (80, 24), (100, 30), (160, 50)] } else { &[(60, 18), (160, 50)] };
    for size in sizes {
        let mut driver = Driver::all_open(*size);
        for level in 0..driver.model.data.course.levels.len() {
            let pages = crate::app_data::pages(&driver.model.data.course.levels[level]).len();
            assert!(pages > 0, "level {level} has no pages");
            for page in 0..pages {
                driver.open_page(level, page);
                let content = &driver.model.data.course.levels[level];
                let (number, of) = (crate::app_data::page_number(content, page), crate::app_data::page_count(content));
                let optional = crate::app_data::pages(content)[page].optional;
                let place = if optional { format!("more on page {number}") } else { format!("page {number}/{of}") };
                driver.sees(&[&place]);
                driver.press("ss<Tab>").text();
            }
        }
    }
}
