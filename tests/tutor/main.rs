//! The real binary in a pseudo-terminal: what a student sees, and what the shell gets back.
//!
//! Every wait is for a text on the screen or for the end of the process, never for a time.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
#![allow(
    clippy::duplicate_mod,
    reason = "the terminal waits as the shared helpers do, and serves another package, too"
)]

mod clumsy;
mod keys;
mod preview;
mod pty;
mod screens;
#[path = "../shared/mod.rs"]
mod shared;
mod store;
mod svg;
mod walk;
mod workshop;

use keys::{right_answer, right_letter};
use pty::Pty;
use shared::{copy, fixture};
use std::io::Read as _;
use std::path::Path;
use tutor_course::{Course, CourseSource, Show};
use tutor_progress::{AttemptKind, Begun, Outline, Store};
use tutor_support::t;

fn start(arguments: &[String], columns: u16, rows: u16) -> Pty {
    start_with(arguments, columns, rows, &[])
}

fn start_with(arguments: &[String], columns: u16, rows: u16, environment: &[(&str, &str)]) -> Pty {
    Pty::run(Path::new(env!("CARGO_BIN_EXE_matmul-tutor")), arguments, columns, rows, environment)
}

fn fixture_arguments(data: &Path) -> Vec<String> {
    let arg = |path: &Path| path.display().to_string();
    vec!["--course".into(), arg(&fixture()), "--data".into(), arg(data)]
}

/// Closes the question that the built-in course asks first.
fn past_the_question(tutor: &mut Pty) {
    let asked = |tutor: &Pty| tutor.screen().contains("b  const int");
    tutor.wait_until("the first question is asked", asked);
    tutor.keys("\u{1b}").wait_until("the map is shown", |tutor| !asked(tutor));
}

/// The fixture course's map, 80 × 24, with an empty data directory.
fn opened() -> (tempfile::TempDir, Pty) {
    let data = tempfile::tempdir().unwrap();
    let tutor = start(&fixture_arguments(data.path()), 80, 24);
    tutor.wait_for("needs 5 of 6");
    (data, tutor)
}

/// The attempt in progress, as the store of the running tutor has it.
fn attempt(data: &Path, course: &Course, level: usize) -> tutor_progress::Attempt {
    let quiz = course.levels[level].quiz().unwrap();
    let mut store = Store::open(data).unwrap();
    match store.begin(&Outline::from(course), quiz, AttemptKind::Gate, None).unwrap() {
        Begun::Resumed(attempt) => attempt,
        other => panic!("no attempt is in progress: {other:?}"),
    }
}

#[test]
fn a_student_reads_level_1_passes_its_gate_and_finds_the_progress_again() {
    let data = tempfile::tempdir().unwrap();
    let arguments = ["--data".to_owned(), data.path().display().to_string()];
    let course = Course::load(&CourseSource::BuiltIn, "en");
    let pages = &course.levels[0].lesson.as_ref().unwrap().pages;
    let pages: Vec<_> = pages.iter().filter(|page| !page.optional).collect();
    let mut tutor = start(&arguments, 80, 24);
    tutor.wait_for("13 times").wait_for("a  const int");
    tutor.keys("a").wait_for("It is b.").wait_for("275.7 ms").wait_for("Recorded on NVIDIA H200, driver");
    tutor.keys("\r");
    for (at, page) in pages.iter().enumerate() {
        tutor.wait_for(&format!("page {}/{}", at + 1, pages.len()));
        if let Some(predict) = &page.predict {
            let letter = right_letter(data.path(), &course.levels[0].id, &page.id.value, predict);
            tutor.keys(&letter.to_string()).wait_for(&format!("submits {letter} as your answer"));
            tutor.keys("\r").wait_for("Correct.");
        }
        // What there is to reveal, to read and to use; only then the page is done.
        tutor.keys(&"\r".repeat(page.recall.len()));
        if page.why.is_some() {
            tutor.keys("\r").wait_for(&t!("lesson-why-write-hint"));
            tutor.keys("Because.").wait_for("Because.");
            tutor.keys("\r").wait_for("Letters mark what was missing");
            tutor.keys("\r").wait_for("starts a new text");
        }
        tutor.keys("\u{1b}[6~\u{1b}[6~");
        if page.show.as_ref().is_some_and(|show| !matches!(show, Show::Code(_))) {
            tutor.keys("\t\r\u{1b}[C");
        }
        tutor.keys("n");
    }
    // On from the last page is the gate, which is asked for.
    tutor.wait_for("8 questions, 7 correct answers pass.");
    tutor.keys("\r").wait_for(&t!("quiz-question-of", number = 1, count = 8));
    let questions = attempt(data.path(), &course, 0).questions;
    for (at, question) in questions.iter().enumerate() {
        tutor.wait_for(&format!("question {} of 8", at + 1));
        tutor.each(right_answer(course.levels[0].quiz().unwrap(), question));
    }
    tutor.wait_for("Every question is answered");
    tutor.keys("S").wait_for(&t!("outcome-passed", level = 1)).wait_for("8 of 8").wait_for("Opens");
    tutor.leave("\u{3}");

    let mut again = start(&arguments, 80, 24);
    again.wait_for("8/8 passed").wait_for(&format!("/{} ", pages.len()));
    again.wait_for("Next: level 2, page 1");
    again.leave("q");
}

/// `quiz` opens the tutor at the attempt. Leaving the attempt, or its result, leaves the tutor.
#[test]
fn the_command_quiz_is_the_tutor_for_one_attempt() {
    let data = tempfile::tempdir().unwrap();
    let course = Course::load(&CourseSource::Directory(fixture()), "en");
    let arguments = [fixture_arguments(data.path()), vec!["quiz".into(), "1".into()]].concat();
    let mut tutor = start(&arguments, 80, 24);
    tutor.wait_for(&t!("quiz-question-of", number = 1, count = 6));
    tutor.keys("\u{1b}");
    assert_eq!(tutor.wait_end(), 130);
    assert!(tutor.output().contains(&t!("cli-quiz-waits")) && !tutor.on_alternate_screen());

    let mut tutor = start(&arguments, 80, 24);
    for (at, question) in attempt(data.path(), &course, 0).questions.iter().enumerate() {
        tutor.wait_for(&t!("quiz-question-of", number = at + 1, count = 6));
        tutor.each(right_answer(course.levels[0].quiz().unwrap(), question));
    }
    tutor.wait_for("Every question is answered");
    tutor.keys("S").wait_for(&t!("outcome-passed", level = 1));
    tutor.keys("\u{1b}");
    assert_eq!(tutor.wait_end(), 0);
    assert!(tutor.output().contains("6 of 6 correct, 5 needed: passed."), "{}", tutor.output());
}

#[test]
fn the_theme_and_the_language_that_were_chosen_stay_until_an_option_or_the_locale_says_otherwise() {
    let data = tempfile::tempdir().unwrap();
    let arguments = ["--data".to_owned(), data.path().display().to_string()];
    let with = |more: &[&str]| [&arguments[..], &more.iter().map(|&one| one.to_owned()).collect::<Vec<_>>()].concat();
    let locale = |locale| start_with(&arguments, 80, 24, &[("LC_ALL", locale)]);
    let mut tutor = locale("en_US.UTF-8");
    past_the_question(&mut tutor);
    tutor.keys("T").wait_for("Theme: light");
    tutor.keys("L").wait_for("다음");
    tutor.leave("q");
    let mut again = locale("en_US.UTF-8");
    past_the_question(&mut again);
    again.wait_for("다음");
    again.keys("T").wait_for("테마: sixteen");
    again.leave("q");
    for (mut tutor, text) in [
        (locale("C.UTF-8"), "Theme: mono"),
        (start_with(&with(&["--lang", "en", "--theme", "dark"]), 80, 24, &[("LC_ALL", "en_US.UTF-8")]), "Theme: light"),
    ] {
        past_the_question(&mut tutor);
        tutor.keys("T").wait_for(text);
        tutor.leave("q");
    }
}

#[test]
fn an_attempt_survives_kill_9_at_the_very_question_with_what_was_selected() {
    let data = tempfile::tempdir().unwrap();
    let course = Course::load(&CourseSource::Directory(fixture()), "en");
    let mut tutor = start(&fixture_arguments(data.path()), 80, 24);
    tutor.wait_for("needs 5 of 6");
    tutor.keys("g\r").wait_for(&t!("quiz-question-of", number = 1, count = 6));
    let question = attempt(data.path(), &course, 0).questions[0].clone();
    tutor.each(right_answer(course.levels[0].quiz().unwrap(), &question));
    tutor.wait_for(&t!("quiz-question-of", number = 2, count = 6));
    // Selected, and not confirmed: kept, and not counted.
    tutor.keys("a").wait_for("Selected, not confirmed");
    tutor.wait_until("both are in the file", |_| {
        (store::count(data.path(), "answers"), store::count(data.path(), "drafts")) == (1, 1)
    });
    tutor.signal(libc::SIGKILL);
    tutor.wait_end();

    let mut again = start(&fixture_arguments(data.path()), 80, 24);
    again.wait_for("in progress");
    again.keys("g").wait_for(&t!("quiz-question-of", number = 2, count = 6));
    again.wait_for("continues where you left it: 1 answered, 1 not confirmed");
    again.wait_for("Selected, not confirmed");
    assert_eq!(attempt(data.path(), &course, 0).answers.len(), 1);
    again.keys("\u{1b}[D").wait_for(&t!("quiz-question-of", number = 1, count = 6)).wait_for("● ");
}

#[test]
fn the_terminal_comes_back_after_quit_ctrl_c_and_every_signal_that_ends() {
    let data = tempfile::tempdir().unwrap();
    for (end, code) in [
        (End::Keys("q"), 0),
        (End::Keys("\u{3}"), 0),
        (End::Signal(libc::SIGTERM), 130),
        (End::Signal(libc::SIGHUP), 130),
        // Ctrl-C is this signal, and arrives even within a sequence that never ends.
        (End::Signal(libc::SIGINT), 0),
        (End::Keys("\u{1b}[<\u{3}"), 0),
        (End::Keys("\u{1b}[200~a\u{3}"), 0),
        (End::Signal(libc::SIGQUIT), 130),
        (End::Signal(libc::SIGUSR1), 130),
        (End::Signal(libc::SIGUSR2), 130),
        (End::Signal(libc::SIGALRM), 130),
        // What the terminal's library gives for a process that a signal ended.
        (End::Signal(libc::SIGABRT), 1),
        (End::Signal(libc::SIGSEGV), 1),
        (End::Signal(libc::SIGBUS), 1),
    ] {
        let mut tutor = start(&fixture_arguments(data.path()), 80, 24);
        tutor.wait_for("needs 5 of 6");
        assert!(tutor.on_alternate_screen() && !tutor.echoes());
        match end {
            End::Keys(keys) => _ = tutor.keys(keys),
            End::Signal(signal) => tutor.signal(signal),
        }
        assert_eq!(tutor.wait_end(), code, "{end:?}");
        assert!(!tutor.on_alternate_screen(), "{end:?}");
        assert!(tutor.echoes(), "{end:?}");
        let output = tutor.output();
        for restored in ["\u{1b}[?1000l", "\u{1b}[?2004l", "\u{1b}[?25h"] {
            assert!(output.contains(restored), "{end:?} leaves {restored:?} out");
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum End {
    Keys(&'static str),
    Signal(i32),
}

#[test]
fn ctrl_z_and_a_stop_from_outside_give_the_terminal_back_and_fg_draws_it_anew() {
    for stop in [End::Keys("\u{1a}"), End::Signal(libc::SIGTSTP)] {
        let (_data, mut tutor) = opened();
        tutor.keys("\r").wait_for("page 1/6");
        match stop {
            End::Keys(keys) => _ = tutor.keys(keys),
            End::Signal(signal) => tutor.signal(signal),
        }
        tutor.wait_until("the terminal is given back", |tutor| !tutor.on_alternate_screen());
        tutor.wait_until("the tutor is stopped", Pty::is_stopped);
        assert!(tutor.echoes(), "{stop:?}");
        tutor.signal(libc::SIGCONT);
        tutor.wait_until("the tutor has the screen", Pty::on_alternate_screen);
        tutor.wait_for("page 1/6");
        assert!(!tutor.echoes(), "{stop:?}");
        tutor.keys("l").wait_for("page 2/6");
    }
}

#[test]
fn a_tutor_that_was_killed_while_stopped_in_the_background_ends_when_it_is_continued() {
    let (_data, mut tutor) = opened();
    tutor.signal(libc::SIGTSTP);
    tutor.wait_until("the tutor is stopped", Pty::is_stopped);
    tutor.signal(libc::SIGTERM);
    tutor.signal(libc::SIGCONT);
    assert_eq!(tutor.wait_end(), 130);
    assert!(!tutor.on_alternate_screen() && tutor.echoes());
}

#[test]
fn a_terminal_window_that_is_closed_ends_the_tutor_and_is_no_fault_of_it() {
    let data = tempfile::tempdir().unwrap();
    let size = portable_pty::PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = portable_pty::native_pty_system().openpty(size).unwrap();
    let mut command = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_matmul-tutor"));
    command.args(fixture_arguments(data.path()));
    command.env("TERM", "xterm-256color");
    let mut tutor = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut output = pair.master.try_clone_reader().unwrap();
    let (mut seen, mut buffer) = (Vec::new(), [0; 8192]);
    while !String::from_utf8_lossy(&seen).contains("needs 5 of 6") {
        let read = output.read(&mut buffer).unwrap();
        assert!(read > 0, "{}", String::from_utf8_lossy(&seen));
        seen.extend_from_slice(&buffer[..read]);
    }
    drop((output, pair.master));
    // 130 if the signal is heard first, 2 if a write fails first; a panic would be 101.
    let code = tutor.wait().unwrap().exit_code();
    assert!([130, 2].contains(&code), "{code}");
    let log = std::fs::read_to_string(data.path().join("tutor.log")).unwrap();
    assert!(!log.contains("panicked"), "{log}");
}

#[test]
fn a_resize_in_the_middle_keeps_the_page_and_a_tiny_screen_says_what_it_needs() {
    let (_data, mut tutor) = opened();
    tutor.keys("\r").wait_for("page 1/6");
    tutor.resize(120, 40);
    tutor.wait_until("the page fills the width", |tutor| {
        tutor.screen().lines().next().is_some_and(|line| line.trim_end().chars().count() > 100)
    });
    tutor.resize(40, 10);
    tutor.wait_for("needs 60 × 18").wait_for("40 × 10");
    tutor.resize(60, 18);
    tutor.wait_for("page 1/6");
}

#[test]
fn a_message_is_shown_before_the_next_key_removes_it() {
    let (_data, mut tutor) = opened();
    let message = "does not work here";
    tutor.watch_for(message);
    // An action that is not there, by its name, and the next key, all at once.
    tutor.keys(":").settle();
    tutor.keys("submit").settle();
    tutor.keys("\rk");
    tutor.wait_until("the message has been shown", |tutor| tutor.was_shown(message));
    tutor.wait_until("it is gone", |tutor| !tutor.screen().contains(message));
}

#[test]
fn a_paste_without_brackets_and_a_late_reply_of_the_terminal_answer_nothing() {
    let data = tempfile::tempdir().unwrap();
    let mut tutor = start(&fixture_arguments(data.path()), 80, 24);
    tutor.wait_for("needs 5 of 6");
    let question = t!("quiz-question-of", number = 1, count = 6);
    tutor.keys("g\r").wait_for(&question);
    tutor.keys("a = b + c;\rbreak;\rb\ra\r").wait_for(&t!("app-paste-nothing")[..40]);
    for reply in ["\u{1b}]11;rgb:1414/1919/1f1f\u{1b}\\", "\u{1b}P>|b\u{1b}\\", "\u{1b}]10;rgb:cccc/cccc/cccc\u{7}"] {
        tutor.keys(reply).settle();
    }
    assert!(tutor.screen().contains(&question) && !tutor.screen().contains("Selected"), "{}", tutor.screen());
    tutor.keys("b").wait_for("Selected, not confirmed");
    tutor.leave("\u{3}");
}

#[test]
fn no_colour_means_no_colour_but_still_bold() {
    let data = tempfile::tempdir().unwrap();
    let mut tutor = start_with(&fixture_arguments(data.path()), 80, 24, &[("NO_COLOR", "1")]);
    tutor.wait_for("needs 5 of 6");
    tutor.keys("q");
    tutor.wait_end();
    let output = tutor.output();
    assert!(!output.contains("[38;") && !output.contains("[48;"), "a colour was sent");
    assert!(output.contains("\u{1b}[1m"), "bold was lost");
}

#[test]
fn a_page_is_edited_in_the_student_s_editor_and_read_again() {
    let (data, course) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy(&fixture(), course.path());
    let editor = course.path().join("editor.sh");
    std::fs::write(&editor, "#!/bin/sh\nsed -i 's/A \\*\\*warp\\*\\* is/An edited **warp** is/' \"$2\"\n").unwrap();
    std::fs::set_permissions(&editor, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let arg = |path: &Path| path.display().to_string();
    let arguments = ["--course".into(), arg(course.path()), "--data".into(), arg(data.path())];
    let mut tutor = start_with(&arguments, 80, 24, &[("VISUAL", ""), ("EDITOR", &arg(&editor))]);
    tutor.wait_for("needs 5 of 6");
    tutor.keys("\r").wait_for("A warp is 32 threads");
    tutor.keys("e").wait_for("An edited warp is 32 threads");
    tutor.keys("l").wait_for("page 2/6");
}

#[test]
fn without_a_terminal_it_says_what_to_run_and_ends_with_2() {
    let output = shared::program().output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("needs a terminal") && error.contains("matmul-tutor status"), "{error}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_level_is_read_line_by_line_without_a_terminal() {
    let data = tempfile::tempdir().unwrap();
    let course = Course::load(&CourseSource::Directory(fixture()), "en");
    let page = course.levels[0].lesson.as_ref().unwrap().pages.iter().position(|page| page.predict.is_some()).unwrap();
    let mut lines = "p\n".to_owned();
    // The page with a question: a letter selects, an empty line answers; then on, and out.
    lines.push_str(&format!("{}\na\n\nn\nesc\nq\n", page + 1));
    let output = shared::output_for(shared::program().args(fixture_arguments(data.path())).arg("--plain"), &lines);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains(&format!("== Level 1, page {} of 6", page + 1)), "{said}");
    assert!(said.contains("your answer") && said.contains(&format!("page {} of 6", page + 2)), "{said}");
    assert!(!said.contains('\u{1b}'), "an escape was sent");
    let store = rusqlite::Connection::open(data.path().join("progress.sqlite3")).unwrap();
    let predictions: u32 = store.query_row("SELECT count(*) FROM predictions", [], |row| row.get(0)).unwrap();
    assert_eq!(predictions, 1);
}
