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
