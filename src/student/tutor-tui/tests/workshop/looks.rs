//! Snapshots of every screen of the workshop, its keys, and its clicks.

use super::places::{PLACES, open, with};
use super::verdicts::slow;
use super::{FILL, REPAIR, point_at_fault, repair};
use crate::prelude::*;
use crate::tests::drive::{Driver, long, portrait};
use crate::tests::keys::check_keys;

#[test]
fn a_key_is_listed_exactly_if_it_does_something_and_has_one_meaning() {
    let mut wrong = Vec::new();
    for (name, place) in PLACES {
        let set = || {
            let mut driver = place((80, 24));
            driver.model.message = None;
            driver.pending.clear();
            driver
        };
        check_keys(name, &set, false, &mut wrong);
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_click_on_a_line_or_a_choice_does_what_its_key_does() {
    let mut driver = repair((80, 24));
    driver.press("<Down>");
    let line = driver.model.data.drafts["exercise:good-advice"].clone();
    let mut clicked = repair((80, 24));
    clicked.text();
    let shown = clicked.text().lines().find(|row| row.contains(" │ ")).unwrap().trim().to_owned();
    clicked.click(&shown);
    assert_eq!(clicked.model.data.drafts["exercise:good-advice"], line);
    let fault = clicked.text().lines().find(|row| row.contains("A_tile[TILE][TILE + 1]")).unwrap().trim().to_owned();
    clicked.click(&fault);
    clicked.click(&fault);
    clicked.sees(&["Which change fixes it?"]);
    clicked.click("b  ○");
    clicked.sees(&["b  ●"]);
    let mut holes = with(open(FILL, (80, 24)), "z");
    holes.click("○ __syncwarp();");
    holes.sees(&["● __syncwarp();"]);
}

#[test]
fn the_workshop_looks_as_it_did() {
    let sized = ["workshop_list", "workshop_fill_hazard", "workshop_repair_cures", "workshop_write_wrong"];
    // Other snapshots contain the same.
    let seen = ["workshop_repair_told", "workshop_solution"];
    for (name, place) in PLACES.into_iter().filter(|(name, _)| !seen.contains(name)) {
        insta::assert_snapshot!(name, portrait(sized.contains(&name), place));
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
    for size in [(60, 18), (120, 40)].into_iter().take(if long() { 2 } else { 1 }) {
        let mut driver = Driver::all_open(size);
        let ids: Vec<String> = driver.model.data.exercises.iter().map(|exercise| exercise.id.clone()).collect();
        assert!(ids.len() > 50);
        for id in ids {
            driver.open_exercise(&id);
            let text = driver.text();
            assert!(text.contains("workshop ▸"), "{id} at {size:?}:\n{text}");
            driver.press("<Down>z").text();
            driver.press("<Esc><Esc>");
        }
    }
}

#[test]
fn an_exercise_is_said_in_lines() {
    let mut driver = repair((80, 2000));
    let lines = tutor_support::words::speaking(driver.model.words, || crate::plain::lines(&driver.model)).join("\n");
    assert!(lines.contains("== workshop: 2 Good advice (repair)"), "{lines}");
    assert!(
        lines.contains("-- Which line is at fault?") && lines.contains("✘ requests no more memory than needed"),
        "{lines}"
    );
    driver.press("<Esc>");
    let lines = tutor_support::words::speaking(driver.model.words, || crate::plain::lines(&driver.model)).join("\n");
    assert!(lines.contains("== workshop: 0 of") && lines.contains("repair   Good advice"), "{lines}");
    // Numbers open exercises and choose lines.
    let at = driver.model.data.exercises.iter().position(|exercise| exercise.id == REPAIR).unwrap();
    let line = point_at_fault(&mut repair((80, 24)));
    for typed in [(at + 1).to_string(), line.to_string(), String::new()] {
        for msg in crate::plain::typed(&driver.model, &typed).unwrap() {
            driver.send(msg);
        }
        if driver.pending.contains(&Effect::Unpack(REPAIR.into())) {
            driver.unpack(REPAIR);
            driver.judge(slow());
        }
    }
    let lines = tutor_support::words::speaking(driver.model.words, || crate::plain::lines(&driver.model)).join("\n");
    assert!(
        lines.contains("-- Which change fixes it?") && lines.contains(&format!("You chose line {line}: ")),
        "{lines}"
    );
}
