//! Tests the line-by-line tutor.

use super::{Reader, lines, typed};
use crate::tests::drive::{Driver, driver};
use crate::tests::quizzes::practising;
use tutor_support::t;

fn type_line(driver: &mut Driver, line: &str) {
    for msg in typed(&driver.model, line).unwrap() {
        driver.send(msg);
    }
}

fn shown(driver: &Driver) -> String {
    tutor_support::words::speaking(driver.model.words, || lines(&driver.model)).join("\n")
}

#[test]
fn the_map_says_levels_gates_and_what_is_next() {
    let text = shown(&driver());
    assert!(text.contains("> 1 ") && text.contains(&t!("plain-needs", required = 5, questions = 6)), "{text}");
    assert!(text.contains(&t!("plain-locked", gate = 1)), "{text}");
}

#[test]
fn a_line_opens_a_page_and_only_news_are_said() {
    let mut driver = driver();
    let mut reader = Reader::default();
    assert!(!reader.new_lines(&driver.model).is_empty());
    assert!(reader.new_lines(&driver.model).is_empty());
    type_line(&mut driver, "");
    let news = reader.new_lines(&driver.model).join("\n");
    assert!(news.contains("== Level 1, page 1 of 6"), "{news}");
    assert!(reader.new_lines(&driver.model).is_empty());
}

#[test]
fn a_number_takes_a_row_of_a_list() {
    let mut driver = driver();
    type_line(&mut driver, "p");
    type_line(&mut driver, "3");
    assert!(shown(&driver).contains("page 3 of 6"), "{}", shown(&driver));
    type_line(&mut driver, "p");
    let error = typed(&driver.model, "99").unwrap_err();
    assert_eq!(error, "There is no row 99; the list has 6.");
}

#[test]
fn an_action_is_done_by_its_label_and_what_means_nothing_is_explained() {
    let mut driver = driver();
    for list in ["pages", "/"] {
        type_line(&mut driver, list);
        assert_eq!(driver.model.overlays.len(), 1);
        type_line(&mut driver, "esc");
        assert_eq!(driver.model.overlays.len(), 0);
    }
    assert_eq!(
        typed(&driver.model, "frobnicate").unwrap_err(),
        "“frobnicate” means nothing here. ? lists what you can type."
    );
}

#[test]
fn words_typed_into_a_search_find_pages() {
    let mut driver = driver();
    type_line(&mut driver, "/");
    type_line(&mut driver, "warp");
    assert!(shown(&driver).contains("  1 1."), "{}", shown(&driver));
    type_line(&mut driver, "1");
    assert!(shown(&driver).contains("== Level 1, page"), "{}", shown(&driver));
}

#[test]
fn after_help_a_command_is_for_the_screen_below() {
    let mut driver = driver();
    type_line(&mut driver, "?");
    assert!(shown(&driver).contains("Enter: "), "{}", shown(&driver));
    type_line(&mut driver, "");
    type_line(&mut driver, "?");
    type_line(&mut driver, "n");
    assert_eq!(driver.model.overlays.len(), 0);
    assert!(shown(&driver).contains("== Level 1, page 1 of 6"), "{}", shown(&driver));
}

#[test]
fn a_letter_that_nothing_listens_to_is_explained() {
    let driver = driver();
    assert_eq!(typed(&driver.model, "y").unwrap_err(), "“y” means nothing here. ? lists what you can type.");
}

#[test]
fn what_changed_is_said_with_its_whole_paragraph() {
    let mut driver = driver();
    let mut reader = Reader::default();
    driver.open_page(0, 2);
    reader.new_lines(&driver.model);
    type_line(&mut driver, "c");
    let news = reader.new_lines(&driver.model).join("\n");
    assert!(news.contains(" a  ") && news.contains(" b  "), "{news}");
    assert!(!news.contains("Compared with") && !news.contains("Many texts"), "{news}");
}

#[test]
fn of_a_picture_only_the_lines_that_changed_are_printed() {
    let mut driver = driver();
    let mut reader = Reader::default();
    driver.open_page(0, 4);
    type_line(&mut driver, "tab");
    let whole = reader.new_lines(&driver.model);
    type_line(&mut driver, "+");
    let news = reader.new_lines(&driver.model);
    let lines: Vec<&String> = news.iter().take_while(|line| !line.starts_with('(')).collect();
    assert!(!lines.is_empty() && lines.len() + 2 < whole.len(), "{}", news.join("\n"));
    assert!(lines.iter().all(|line| !whole.contains(line)), "{}", news.join("\n"));
}

#[test]
fn q_says_where_it_quits() {
    let mut driver = driver();
    driver.open_page(0, 0);
    assert_eq!(typed(&driver.model, "q").unwrap_err(), "q quits on the map. Ctrl-C quits anywhere.");
}

#[test]
fn a_planted_fault_is_found_by_typing_the_number_of_its_line_and_a_letter() {
    let mut driver = practising(1, "missing-barrier", "find-the-reader", (80, 24));
    let text = shown(&driver);
    assert!(text.contains(&t!("plain-take-line")), "{text}");
    let line = text.lines().find(|line| line.contains("sum +=")).unwrap();
    let number = line.split_whitespace().next().unwrap().to_owned();
    let consequence = text.lines().find(|line| line.contains("has not been stored yet")).unwrap();
    let letter = consequence.split_whitespace().next().unwrap().to_owned();
    type_line(&mut driver, &number);
    let chosen = shown(&driver);
    assert!(chosen.lines().any(|line| line.starts_with('▸') && line.contains("sum +=")), "{chosen}");
    type_line(&mut driver, &letter);
    type_line(&mut driver, "");
    assert!(shown(&driver).contains("Correct."), "{}", shown(&driver));
    assert_eq!(
        typed(&driver.model, &number).unwrap_err(),
        format!("“{number}” means nothing here. ? lists what you can type.")
    );
}

#[test]
fn a_line_that_the_code_has_not_is_told() {
    let driver = practising(1, "missing-barrier", "find-the-reader", (80, 24));
    let error = typed(&driver.model, "99").unwrap_err();
    assert!(error.starts_with("There is no row 99; the list has "), "{error}");
}

#[test]
fn a_number_goes_from_the_review_back_to_its_question() {
    let mut driver = driver();
    driver.open_quiz();
    type_line(&mut driver, "r");
    type_line(&mut driver, "3");
    assert_eq!(driver.quiz().attempt.position, 2);
}
