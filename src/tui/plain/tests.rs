//! Level by level without a screen.

use super::{Reader, lines, typed};
use crate::tui::tests::drive::{Driver, driver};

fn say(driver: &mut Driver, line: &str) {
    for msg in typed(&driver.model, line).unwrap() {
        driver.send(msg);
    }
}

fn shown(driver: &Driver) -> String {
    crate::words::speaking(driver.model.words, || lines(&driver.model)).join("\n")
}

#[test]
fn the_map_says_levels_gates_and_what_is_next() {
    let text = shown(&driver());
    assert!(text.contains("> 1 ") && text.contains("its gate needs 5 of 6"), "{text}");
    assert!(text.contains("locked; gate 1 opens it"), "{text}");
}

#[test]
fn a_line_opens_a_page_and_only_news_are_said() {
    let mut driver = driver();
    let mut reader = Reader::default();
    assert!(!reader.news(&driver.model).is_empty());
    assert!(reader.news(&driver.model).is_empty());
    say(&mut driver, "");
    let news = reader.news(&driver.model).join("\n");
    assert!(news.contains("== Level 1, page 1 of 6"), "{news}");
    assert!(reader.news(&driver.model).is_empty());
}

#[test]
fn a_number_takes_a_row_of_a_list() {
    let mut driver = driver();
    say(&mut driver, "p");
    say(&mut driver, "3");
    assert!(shown(&driver).contains("page 3 of 6"), "{}", shown(&driver));
    say(&mut driver, "p");
    let error = typed(&driver.model, "99").unwrap_err();
    assert_eq!(error, "There is no row 99; the list has 6.");
}

#[test]
fn an_action_is_done_by_its_label_and_what_means_nothing_is_explained() {
    let mut driver = driver();
    say(&mut driver, "pages");
    assert_eq!(driver.model.overlays.len(), 1);
    say(&mut driver, "esc");
    assert_eq!(driver.model.overlays.len(), 0);
    assert_eq!(typed(&driver.model, "frobnicate").unwrap_err(), "“frobnicate” means nothing here; ? says what does.");
}

#[test]
fn words_typed_into_a_search_find_pages() {
    let mut driver = driver();
    say(&mut driver, "/");
    say(&mut driver, "warp");
    assert!(shown(&driver).contains("  1 1."), "{}", shown(&driver));
    say(&mut driver, "1");
    assert!(shown(&driver).contains("== Level 1, page"), "{}", shown(&driver));
}

#[test]
fn after_help_a_command_is_for_the_screen_below() {
    let mut driver = driver();
    say(&mut driver, "?");
    assert!(shown(&driver).contains("Enter: "), "{}", shown(&driver));
    say(&mut driver, "");
    say(&mut driver, "?");
    say(&mut driver, "n");
    assert_eq!(driver.model.overlays.len(), 0);
    assert!(shown(&driver).contains("== Level 1, page 1 of 6"), "{}", shown(&driver));
}

#[test]
fn a_letter_that_nothing_listens_to_is_explained() {
    let driver = driver();
    assert_eq!(typed(&driver.model, "y").unwrap_err(), "“y” means nothing here; ? says what does.");
}

#[test]
fn what_changed_is_said_with_its_whole_paragraph() {
    let mut driver = driver();
    let mut reader = Reader::default();
    driver.open_page(0, 2);
    reader.news(&driver.model);
    say(&mut driver, "c");
    let news = reader.news(&driver.model).join("\n");
    assert!(news.contains(" a  ") && news.contains(" b  "), "{news}");
}
