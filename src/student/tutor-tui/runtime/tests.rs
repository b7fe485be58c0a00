//! Tests the whole runtime in a pseudo-terminal: it panics, gets stuck, and overflows its stack.
//!
//! Only a test build can be made to fail, so the program is this test binary itself. The tests start it with the name of
//! [`a_tutor_in_a_terminal`].

use super::{Options, Start, TutorError, run};
use crate::prelude::*;
use std::path::Path;
use tutor_course::CourseSource;
use tutor_exec::protocol::Target;
use ui_kit::theme::Theme;

/// Pasting this text makes the tutor panic.
const PANIC: &str = "test only: panic now";
/// Pasting this text stops its main loop.
const STICK: &str = "test only: stand still";
/// Pasting this text overflows its stack.
const OVERFLOW: &str = "test only: overflow the stack";

/// If the message asks for it, panics or overflows the stack, like a fault in `update` or `view`.
#[allow(clippy::panic, reason = "tests")]
pub(crate) fn fail_if_asked(msg: &Msg) {
    match msg {
        Msg::Input(Input::Paste(text)) if text == PANIC => panic!("a fault in the tutor"),
        Msg::Input(Input::Paste(text)) if text == STICK => {
            println!("standing still");
            loop {
                std::thread::park();
            }
        }
        Msg::Input(Input::Paste(text)) if text == OVERFLOW => {
            std::hint::black_box(deeper(1));
        }
        _ => {}
    }
}

/// Recurses without end; the compiler cannot see that.
#[allow(unconditional_recursion, reason = "it is to overflow the stack")]
fn deeper(depth: u64) -> u64 {
    let room = std::hint::black_box([depth; 512]);
    deeper(depth + 1) + room[0]
}

#[test]
fn a_terminal_that_fails_is_told_of_once() {
    let error = TutorError::from(std::io::Error::other("it is gone"));
    assert_eq!(error.to_string(), "The terminal cannot be used: it is gone.");
    assert!(std::error::Error::source(&error).is_none());
}

/// Environment variable that is set in the process inside the pseudo-terminal.
const IN_TERMINAL: &str = "MATMUL_TUTOR_IN_TERMINAL";

/// Runs the tutor in the pseudo-terminal of the tests below.
#[test]
fn a_tutor_in_a_terminal() {
    if std::env::var_os(IN_TERMINAL).is_none() {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/course");
    let options = Options {
        course: CourseSource::Directory(fixture),
        lang: "en".into(),
        lang_asked: false,
        data: Some(data.path().to_owned()),
        start: Start::Map,
        on: Target::Auto,
        theme: Theme::named("dark").unwrap(),
        ascii: false,
        motion: true,
        check: course_check::check_in_background,
    };
    run(&options).unwrap();
}

/// Starts [`a_tutor_in_a_terminal`] and makes it fail.
#[cfg(unix)]
fn made_to(fail: &str) -> super::pty::Pty {
    use super::pty::Pty;
    let program = std::env::current_exe().unwrap();
    let (_, module) = module_path!().split_once("::").unwrap();
    let child = format!("{module}::a_tutor_in_a_terminal");
    let arguments = [&child, "--exact", "--nocapture", "--test-threads=1"].map(str::to_owned);
    // The worker would be this test binary, too, so a program that ends immediately replaces it.
    let mut tutor = Pty::run(&program, &arguments, 80, 24, &[("MATMUL_TUTOR_WORKER", "false"), (IN_TERMINAL, "1")]);
    tutor.wait_for("needs 5 of 6");
    assert!(tutor.on_alternate_screen() && !tutor.echoes());
    tutor.keys(&format!("\u{1b}[200~{fail}\u{1b}[201~"));
    tutor
}

/// Asserts that the tutor gave the terminal back before it printed the message.
#[cfg(unix)]
fn gave_back_and_printed(tutor: &super::pty::Pty, message: &str) {
    assert!(!tutor.on_alternate_screen() && tutor.echoes());
    let output = tutor.output();
    let (left, printed) = (output.find("\u{1b}[?1049l").unwrap(), output.find(message).unwrap());
    assert!(left < printed, "the message was written onto the screen that was then left");
    for restored in ["\u{1b}[?1000l", "\u{1b}[?2004l", "\u{1b}[?25h"] {
        assert!(output[..printed].contains(restored), "{restored:?} is left out");
    }
}

#[cfg(unix)]
#[test]
fn a_panic_gives_the_terminal_back_before_it_is_told() {
    let mut tutor = made_to(PANIC);
    assert_eq!(tutor.wait_end(), 101);
    gave_back_and_printed(&tutor, "a fault in the tutor");
}

#[cfg(unix)]
#[test]
fn a_stack_that_overflows_gives_the_terminal_back_before_it_is_told() {
    let mut tutor = made_to(OVERFLOW);
    tutor.wait_end();
    gave_back_and_printed(&tutor, "has overflowed its stack");
    gave_back_and_printed(&tutor, "matmul-tutor: it crashed");
}

#[cfg(unix)]
#[test]
fn a_loop_that_stands_still_is_ended_by_each_signal_and_by_ctrl_c() {
    let ended_by = |signal: Option<i32>| {
        let mut tutor = made_to(STICK);
        tutor.wait_for("standing still");
        match signal {
            Some(signal) => tutor.signal(signal),
            None => _ = tutor.keys("\u{3}"),
        }
        assert_eq!(tutor.wait_end(), 130, "{signal:?}");
        gave_back_and_printed(&tutor, "matmul-tutor: it did not respond");
    };
    // Each waits for two seconds.
    std::thread::scope(|scope| {
        for signal in [Some(libc::SIGTERM), Some(libc::SIGHUP), Some(libc::SIGINT), None] {
            scope.spawn(move || ended_by(signal));
        }
    });
}
