//! `update` and `view` depend only on the model and the messages.

use super::drive::{Driver, fixture};
use crate::prelude::*;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The source files below a folder of `src/student`, without tests.
fn sources(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let files = entries
        .filter(|path| !path.ends_with("tests") && !path.ends_with("tests.rs") && !path.ends_with("runtime"))
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

#[test]
fn no_screen_and_no_picture_reads_a_clock_or_draws_a_number() {
    let student = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let files: Vec<PathBuf> = ["tutor-tui/app", "tutor-tui/screens", "tutor-tui/plain", "tutor-pictures", "ui-kit"]
        .iter()
        .flat_map(|folder| sources(&student.join(folder)))
        .collect();
    assert!(files.len() > 150, "{}", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for impure in ["::now()", "TimeZone::system", "SystemTime", "fresh_seed", "RandomState", "std::fs", "std::env"]
        {
            let found = text.lines().position(|line| line.contains(impure));
            assert_eq!(found, None, "{impure} in {}", file.display());
        }
    }
}

#[test]
fn the_same_messages_show_the_same_screens() {
    let shown = || {
        let mut driver = Driver::of(&fixture(), (80, 24));
        let mut screens = Vec::new();
        for keys in
            ["?", "<Esc>", "<Enter>", "n", "<Esc>", "/", "tile", "<Esc>", "g", "<Esc>", "w", "<Enter>", "<Esc>", "b"]
        {
            driver.press(keys);
            driver.send(Input::Tick(Duration::from_secs(screens.len() as u64)));
            screens.push(driver.text());
        }
        screens
    };
    assert_eq!(shown(), shown());
}
