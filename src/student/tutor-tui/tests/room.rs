//! The layout of text, code and pictures. Parts that do not fit are announced and can be reached.

use super::drive::{Driver, long};
use crate::prelude::*;
use crate::screens::lesson::layout;

fn laid_out(driver: &Driver) -> layout::Layout {
    layout::of(driver.lesson(), &driver.model.context())
}

/// Returns the first size, which shows most faults, and in the long version also the other.
fn sizes([first, other]: [(u16, u16); 2]) -> Vec<(u16, u16)> {
    if long() { vec![first, other] } else { vec![first] }
}

/// Opens every page of the course at these sizes and presses keys. `check` gets the name of the place.
fn on_every_page(sizes: &[(u16, u16)], keys: &str, mut check: impl FnMut(&mut Driver, &str)) {
    for size in sizes {
        let mut driver = Driver::all_open(*size);
        let course = std::sync::Arc::clone(&driver.model.data.course);
        for (level, content) in course.levels.iter().enumerate() {
            for page in 0..pages(content).len() {
                driver.open_page(level, page);
                driver.press(keys);
                check(&mut driver, &format!("{level}.{page} at {size:?}"));
            }
        }
    }
}

#[test]
fn from_110_columns_on_text_and_picture_stand_side_by_side() {
    for (width, beside) in [(109, false), (110, true), (200, true)] {
        let mut driver = Driver::all_open((width, 40));
        driver.open("read-indices");
        assert_eq!(laid_out(&driver).side_by_side(), beside, "{width}");
    }
    let mut driver = Driver::all_open((120, 40));
    driver.open("read-indices");
    let layout = laid_out(&driver);
    assert!((50..=70).contains(&layout.text.width), "{:?}", layout.text);
    assert!(layout.picture.x > layout.text.right() && layout.picture.height > 30, "{:?}", layout.picture);
}

#[test]
fn a_text_alone_stands_in_the_middle_of_a_wide_screen() {
    let mut driver = Driver::all_open((130, 50));
    driver.open_page(0, 0);
    let layout = laid_out(&driver);
    assert_eq!(layout.text.x, (130 - 68) / 2);
    assert!(layout.flow.lines.iter().all(|line| line.width() <= 68));
    driver.sees(&[&t!("glossary-of-page")]);
}

#[test]
fn beside_a_text_alone_on_a_very_wide_screen_stand_the_words_and_the_pages() {
    let mut driver = Driver::all_open((160, 50));
    driver.open_page(0, 0);
    let layout = laid_out(&driver);
    assert!(layout.flow.lines.iter().all(|line| line.width() <= 68));
    assert!(layout.aside.x >= layout.text.x + 68 && layout.text.x.abs_diff(160 - layout.aside.right()) <= 1);
    driver.sees(&[&t!("glossary-of-page"), &t!("pages-of-level", level = 1)]);
}

#[test]
fn while_a_page_asks_its_words_stay_away_and_the_levels_pages_show() {
    on_every_page(&sizes([(200, 60), (120, 40)]), "", |driver, place| {
        if driver.lesson().pending(&driver.model.context()).is_some() {
            let text = driver.text();
            assert!(!text.contains(&t!("glossary-of-page")), "{place}:\n{text}");
        }
    });
}

#[test]
fn no_page_leaves_most_of_its_rows_empty() {
    on_every_page(&sizes([(200, 60), (120, 40)]), "", |driver, place| {
        for keys in ["", "ss", "<Tab>"] {
            let text = driver.press(keys).text();
            let body: Vec<&str> = text.lines().take(usize::from(driver.model.size.height) - 2).collect();
            let lowest = body.iter().rposition(|line| line.chars().any(|c| !matches!(c, ' ' | '│')));
            assert!(lowest.unwrap_or(0) * 5 > body.len() * 2, "{place} after {keys:?}:\n{text}");
        }
    });
}

#[test]
fn what_lies_below_is_marked_with_an_arrow_down_and_page_down_reaches_it() {
    // Stacked, and side by side.
    on_every_page(&[(80, 24), (120, 30)], "ss<Tab>", |driver, place| {
        if driver.model.screen_editing() {
            return;
        }
        if laid_out(driver).picture_below() > 0 {
            let text = driver.text();
            let marked = text.lines().any(|line| line.contains("▼") && line.contains("PgDn"));
            assert!(marked, "{place}:\n{text}");
            let mut presses = 0;
            while laid_out(driver).picture_below() > 0 && presses < 80 {
                driver.press("<PageDown>");
                presses += 1;
            }
            assert_eq!(laid_out(driver).picture_below(), 0, "{place}:\n{}", driver.text());
        }
        let above = driver.text().lines().any(|line| line.contains("▲") && line.contains(" text "));
        assert!(!above, "{place}: text below is announced as above");
    });
}

#[test]
fn a_text_beside_a_picture_that_has_the_keys_begins_with_a_block_or_has_no_heading() {
    let mut alone = 0;
    on_every_page(&[(60, 18), (80, 24)], "ss<Tab>", |driver, place| {
        let layout = laid_out(driver);
        if driver.lesson().focus == crate::screens::lesson::Focus::Picture && layout.text.height > 0 {
            assert!(layout.flow.begins_block(layout.scroll), "{place}:\n{}", driver.text());
        }
        if layout.rule.height > 0 && layout.text.height == 0 {
            alone += 1;
            assert_eq!((layout.rule.y, layout.picture.y), (1, 2), "{place}");
        }
    });
    assert!(alone > 0);
}

#[test]
fn code_that_is_held_back_has_no_empty_rows_below_it() {
    let mut driver = Driver::all_open((80, 24));
    driver.open("row-per-block");
    let layout = laid_out(&driver);
    assert_eq!((layout.picture.height, layout.picture.bottom()), (1, 23), "{}", driver.text());
}

#[test]
fn tab_is_named_only_where_it_works() {
    on_every_page(&sizes([(60, 18), (80, 24)]), "", |driver, place| {
        if driver.text().contains("Tab opens it") || driver.text().contains("more, Tab") {
            driver.press("<Tab>");
            assert_eq!(driver.lesson().focus, crate::screens::lesson::Focus::Picture, "{place}");
        }
    });
}

#[test]
fn every_page_with_code_or_a_picture_tells_its_signs() {
    let mut driver = Driver::all_open((80, 24));
    driver.open("read-indices");
    driver.press("ss");
    let signs = driver.model.signs();
    assert!(signs.iter().any(|(sign, _)| *sign == "▌") && signs.iter().any(|(sign, _)| *sign == "✔"), "{signs:?}");
    driver.model.ascii = true;
    let signs = driver.model.signs();
    assert!(signs.iter().all(|(sign, _)| sign.is_ascii()), "{signs:?}");
}
