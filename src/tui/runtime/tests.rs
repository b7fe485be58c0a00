//! The whole runtime in a pseudo-terminal, made to panic.
//!
//! Only a build for tests can be made to, so the program is this test binary itself: the parent below starts it
//! with the name of the child.

use super::{Options, run};
use crate::course::CourseSource;
use crate::exec::protocol::Target;
use crate::tui::app::Msg;
use crate::tui::theme::Theme;
use std::path::Path;

/// What is pasted to make it panic.
const POISON: &str = "test only: panic now";

/// Panics, as a fault in `update` or `view` would.
#[allow(clippy::panic, reason = "tests")]
pub(super) fn panic_if_asked(msg: &Msg) {
    if matches!(msg, Msg::Paste(text) if text == POISON) {
        panic!("a fault in the tutor");
    }
}

#[test]
#[ignore = "needs a terminal of its own; the test below gives it one"]
fn a_tutor_in_a_terminal() {
    let data = tempfile::tempdir().unwrap();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/course");
    let options = Options {
        course: CourseSource::Directory(fixture),
        lang: "en".into(),
        lang_asked: false,
        data: Some(data.path().to_owned()),
        on: Target::Auto,
        theme: Theme::named("dark").unwrap(),
        ascii: false,
        motion: true,
    };
    run(&options).unwrap();
}

#[cfg(unix)]
#[test]
fn a_panic_gives_the_terminal_back_before_it_is_told() {
    use super::pty::Pty;
    let program = std::env::current_exe().unwrap();
    let child = "tui::runtime::tests::a_tutor_in_a_terminal";
    let arguments = [child, "--exact", "--ignored", "--nocapture", "--test-threads=1"].map(str::to_owned);
    // The worker would be this test binary too; a program that ends at once stands in.
    let mut tutor = Pty::run(&program, &arguments, 80, 24, &[("MATMUL_TUTOR_WORKER", "false")]);
    tutor.wait_for("needs 5 of 6");
    assert!(tutor.on_alternate_screen() && !tutor.echoes());
    tutor.keys(&format!("\u{1b}[200~{POISON}\u{1b}[201~"));
    assert_eq!(tutor.wait_end(), 101);
    assert!(!tutor.on_alternate_screen() && tutor.echoes());
    let output = tutor.output();
    let (left, told) = (output.find("\u{1b}[?1049l").unwrap(), output.find("a fault in the tutor").unwrap());
    assert!(left < told, "the message was written onto the screen that was then left");
    for restored in ["\u{1b}[?1000l", "\u{1b}[?2004l", "\u{1b}[?25h"] {
        assert!(output[..told].contains(restored), "{restored:?} is left out");
    }
}
