//! How every screen of the workshop looks, which keys it offers, and what clicks do.

use super::places::{PLACES, open, with};
use super::verdicts::slow;
use super::{FILL, REPAIR, course, repair};
use crate::tui::action::{Action, Key, TABLE, reaching};
use crate::tui::app::Msg;
use crate::tui::effect::Effect;
use crate::tui::tests::drive::Driver;
use crate::tui::theme::Theme;
use std::collections::BTreeMap;

/// What a student could notice.
fn noticed(driver: &mut Driver) -> String {
    let over = (driver.model.screens.len(), driver.model.overlays.clone());
    format!("{}\n{}\n{over:?}\n{:?}", driver.text(), driver.styles(), driver.wished)
}

#[test]
fn a_key_is_listed_exactly_if_it_does_something_and_has_one_meaning() {
    let mut keys: Vec<Key> = "iyuUQ~_4".chars().map(Key::Char).collect();
    for key in TABLE.iter().flat_map(|entry| entry.keys) {
        if !keys.contains(key) {
            keys.push(*key);
        }
    }
    let mut wrong = Vec::new();
    for (name, place) in PLACES {
        let set = || {
            let mut driver = place((80, 24));
            driver.model.message = None;
            driver.wished.clear();
            driver
        };
        let mut driver = set();
        let listed = driver.model.actions();
        let before = noticed(&mut driver);
        for (at, action) in listed.iter().enumerate() {
            for key in action.entry().keys {
                if let Some(other) = listed[..at].iter().find(|other| other.entry().keys.contains(key)) {
                    wrong.push(format!("{name}: {key:?} means {other:?} and {action:?}"));
                }
            }
        }
        let means =
            |key: &Key| (0..listed.len()).find(|at| reaching(&listed, *at, false).contains(key)).map(|at| listed[at]);
        for key in &keys {
            let action = means(key);
            // A key that does nothing leaves everything as it is for the next one.
            if action.is_some() {
                driver = set();
            }
            driver.send(Msg::Key(key.event()));
            let after = noticed(&mut driver);
            match action {
                Some(Action::Choose(_)) => {}
                Some(action) if after == before => {
                    wrong.push(format!("{name}: {action:?} is listed and {key:?} does nothing"));
                }
                None if after != before => wrong.push(format!("{name}: {key:?} is not listed and does something")),
                _ => {}
            }
            if action.is_some() || after != before {
                driver = set();
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_click_on_a_line_or_a_choice_does_what_its_key_does() {
    let mut driver = repair((80, 24));
    driver.press("<Down>");
    let line = driver.model.world.drafts["exercise:good-advice"].clone();
    let mut clicked = repair((80, 24));
    clicked.text();
    let shown = clicked.text().lines().find(|row| row.contains(" │ ")).unwrap().trim().to_owned();
    clicked.click(&shown);
    assert_eq!(clicked.model.world.drafts["exercise:good-advice"], line);
    clicked.click(&shown);
    assert!(clicked.text().contains("What cures it?"), "{}", clicked.text());
    clicked.click("b  ○");
    assert!(clicked.text().contains("b  ●"), "{}", clicked.text());
    let mut holes = with(open(FILL, (80, 24)), "z");
    holes.click("○ __syncwarp();");
    assert!(holes.text().contains("● __syncwarp();"), "{}", holes.text());
}

#[test]
fn the_workshop_looks_as_it_did() {
    let sizes = [(60, 18), (80, 24), (120, 40)];
    let mut screens: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for size in sizes {
        for (name, place) in PLACES {
            let mut driver = place(size);
            let mut out = format!("{}×{}\n{}", size.0, size.1, driver.text());
            for theme in ["dark", "mono"] {
                driver.model.theme = Theme::named(theme).unwrap();
                out.push_str(&format!("-- {theme}\n{}", driver.styles()));
            }
            screens.entry(name).or_default().push(out);
        }
    }
    for (name, shown) in screens {
        insta::assert_snapshot!(name, shown.join("\n"));
    }
}

#[test]
fn with_ascii_nothing_else_is_drawn() {
    for (name, place) in PLACES {
        let mut driver = place((80, 24));
        driver.model.ascii = true;
        let text = driver.text();
        let other: String = text.chars().filter(|c| !c.is_ascii() && !"×“”→…–·".contains(*c)).collect();
        assert_eq!(other, "", "{name}:\n{text}");
    }
}

#[test]
fn every_exercise_can_be_drawn_at_every_size() {
    for size in [(60, 18), (120, 40)] {
        let mut driver = course(size);
        let ids: Vec<String> = driver.model.world.exercises.iter().map(|exercise| exercise.id.clone()).collect();
        assert!(ids.len() > 50);
        for id in ids {
            driver.open_exercise(&id);
            let text = driver.text();
            assert!(text.contains("workshop ▸"), "{id} at {size:?}:\n{text}");
            driver.press("<Down>z<Esc><Esc>");
        }
    }
}

#[test]
fn an_exercise_is_said_in_lines() {
    let mut driver = repair((80, 2000));
    let lines = crate::words::speaking(driver.model.words, || crate::tui::plain::lines(&driver.model)).join("\n");
    assert!(lines.contains("== workshop: 2 Good advice (repair)"), "{lines}");
    assert!(lines.contains("-- Which line is at fault?") && lines.contains("✘ asks no more of memory"), "{lines}");
    driver.press("<Esc>");
    let lines = crate::words::speaking(driver.model.words, || crate::tui::plain::lines(&driver.model)).join("\n");
    assert!(lines.contains("== workshop: 0 of") && lines.contains("repair   Good advice"), "{lines}");
    // Exercises are opened, and lines chosen, by their numbers.
    let at = driver.model.world.exercises.iter().position(|exercise| exercise.id == REPAIR).unwrap();
    for typed in [(at + 1).to_string(), "12".to_owned(), String::new()] {
        for msg in crate::tui::plain::typed(&driver.model, &typed).unwrap() {
            driver.send(msg);
        }
        if driver.wished.contains(&Effect::Unpack(REPAIR.into())) {
            driver.unpack(REPAIR);
            driver.judge(slow());
        }
    }
    let lines = crate::words::speaking(driver.model.words, || crate::tui::plain::lines(&driver.model)).join("\n");
    assert!(lines.contains("-- What cures it?") && lines.contains("Line 12 is chosen: "), "{lines}");
}
