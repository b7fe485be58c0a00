//! Every screen as text and style, at three sizes, in the dark and the mono theme.

use super::drive::Driver;
use crate::tui::theme::Theme;

/// Answers to the fixture's gate, all right, up to the review.
pub(super) const ALL_RIGHT: [&str; 6] = ["single", "multiple", "numeric", "text", "cloze", "order"];

/// Name of the snapshot, and the keys that lead to the screen; a `g` at the beginning draws by a known seed.
const SCREENS: [(&str, &str); 31] = [
    ("map", ""),
    ("map_locked_level", "<Down><Enter>"),
    ("map_broken_level", "<Down><Down>"),
    ("lesson_text_list_table", "<Enter>"),
    ("lesson_recall_open", "<Enter><Right>"),
    ("lesson_recall_revealed", "<Enter><Right><Enter><Enter>"),
    ("lesson_predict_open", "<Enter><Right><Right>"),
    ("lesson_predict_selected", "<Enter><Right><Right><Down>"),
    ("lesson_predict_wrong", "<Enter><Right><Right>a<Enter>"),
    ("lesson_predict_right", "<Enter><Right><Right>c<Enter>"),
    ("lesson_predict_again", "<Enter><Right><Right>a<Enter>rc<Enter>"),
    ("lesson_predict_skipped", "<Enter><Right><Right>s"),
    ("lesson_code", "p<Down><Down><Down><Enter>"),
    ("lesson_code_ptx", "p<Down><Down><Down><Enter>vv<Tab>"),
    ("lesson_code_both", "p<Down><Down><Down><Enter>v<Tab>"),
    ("lesson_instrument", "p<Down><Down><Down><Down><Enter>"),
    ("lesson_instrument_focused", "p<Down><Down><Down><Down><Enter><Tab>"),
    ("lesson_scrolled", "p<Down><Down><Down><Down><Down><Enter><PageDown>"),
    ("help", "<Enter>?"),
    ("palette", "<Enter>:page"),
    ("pages", "<Enter>p"),
    ("search", "/conflict"),
    ("glossary", "<Enter>K"),
    ("search_in_vain", "/nowhere to be found"),
    ("gate_asked", "<Enter>g"),
    ("lesson_code_zoomed", "p<Down><Down><Down><Enter>v<Tab>z"),
    ("quiz_single", "g"),
    ("quiz_single_chosen", "gb"),
    ("quiz_review_open", "gr"),
    ("quiz_review_warned", "grS"),
    ("bench_banks", "b"),
];

fn shown(driver: &mut Driver) -> String {
    let mut out = driver.text();
    for theme in ["dark", "mono"] {
        driver.model.theme = Theme::named(theme).unwrap();
        out.push_str(&format!("-- {theme}\n{}", driver.styles()));
    }
    out
}

#[test]
fn every_screen_looks_as_it_did() {
    for (name, keys) in SCREENS {
        let sizes = [(60, 18), (80, 24), (120, 40)].map(|size| {
            let mut driver = Driver::new(size);
            driver.reach(keys);
            format!("{}×{}\n{}", size.0, size.1, shown(&mut driver))
        });
        insta::assert_snapshot!(name, sizes.join("\n"));
    }
}

#[test]
fn every_kind_of_question_looks_as_it_did() {
    for kind in ALL_RIGHT {
        let sizes = [(60, 18), (80, 24), (120, 40)].map(|size| {
            let mut driver = Driver::new(size);
            driver.open_quiz();
            driver.go_to_kind(kind);
            if kind == "numeric" {
                driver.press("many<Enter>");
            }
            if kind == "cloze" {
                driver.press("warpSize<Tab>3");
            }
            if kind == "order" {
                driver.press("J");
            }
            format!("{}×{}\n{}", size.0, size.1, shown(&mut driver))
        });
        insta::assert_snapshot!(format!("quiz_{kind}"), sizes.join("\n"));
    }
}

#[test]
fn outcomes_look_as_they_did() {
    for (name, wrong) in [("outcome_passed", &[][..]), ("outcome_failed", &["single", "text", "cloze"][..])] {
        let sizes = [(60, 18), (80, 24), (120, 40)].map(|size| {
            let mut driver = Driver::new(size);
            driver.open_quiz();
            driver.answer_all(wrong);
            driver.press("S");
            format!("{}×{}\n{}", size.0, size.1, shown(&mut driver))
        });
        insta::assert_snapshot!(name, sizes.join("\n"));
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
    let source = crate::course::CourseSource::BuiltIn;
    for size in [(60, 18), (80, 24), (100, 30), (160, 50)] {
        let mut driver = Driver::of(&source, size);
        for level in 0..driver.model.world.course.levels.len() {
            let pages = crate::tui::world::pages(&driver.model.world.course.levels[level]).len();
            assert!(pages > 0, "level {level} has no pages");
            for level_progress in &mut driver.model.world.progress.levels {
                level_progress.unlocked_by = None;
            }
            for page in 0..pages {
                driver.open_page(level, page);
                let before = driver.text();
                assert!(before.contains(&format!("page {}/{pages}", page + 1)), "{before}");
                driver.press("s<Tab><Esc>");
                driver.text();
            }
        }
    }
}
