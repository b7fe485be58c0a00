/*! The whole course, walked in a terminal of 80 × 24 from an empty data directory to the last gate.

Each language of the interface has a walk of its own. Every page is read from top to bottom, its prediction, recalls and why answered from the course's own files, and every
gate passed, with an exercise beside it where the course asks for one. A paragraph that no screen of its page shows, a screen that ends before its page does and does not say so,
or a level that does not open, fails.
*/

use super::keys::{right_answer, right_letter};
use super::pty::Pty;
use super::{attempt, start};
use std::path::Path;
use tutor_course::{Course, CourseSource, Page, Show};
use tutor_support::t;
use tutor_support::words::{Words, speaking};

const PAGE_UP: &str = "\u{1b}[5~";
const PAGE_DOWN: &str = "\u{1b}[6~";
/// Screens of a page beyond which something goes round in circles.
const MAX_SCREENS: usize = 30;
/// How often a page is read whose screen changes while it is: a launch may begin and end meanwhile.
const TRIES: usize = 3;

/// Opens a page's text at its top and reads it to its end.
///
/// # Panics
/// If a screen that is not the last does not say that more lies below.
fn read(tutor: &mut Pty, place: &str) -> String {
    let mut unmarked = String::new();
    for _ in 0..TRIES {
        wait_for_run(tutor);
        match read_once(tutor, place) {
            Ok(text) => return text,
            Err(screen) => unmarked = screen,
        }
    }
    panic!("{place}: more lies below, unmarked:\n{unmarked}");
}

/// The same, once.
///
/// # Errors
/// The screen that is not the last and does not say so.
fn read_once(tutor: &mut Pty, place: &str) -> Result<String, String> {
    tutor.keys(&PAGE_UP.repeat(8)).settle();
    let mut read = String::new();
    for _ in 0..MAX_SCREENS {
        let screen = tutor.screen();
        read.push_str(&plain(&screen));
        read.push(' ');
        tutor.keys(PAGE_DOWN).settle();
        if page_of(&tutor.screen()) == page_of(&screen) {
            return Ok(read);
        }
        if !screen.contains('▼') && !screen.contains("PgDn") {
            return Err(screen);
        }
    }
    panic!("{place} has no end:\n{}", tutor.screen());
}

/// A screen without its last two rows: there the time runs that a launch takes.
fn page_of(screen: &str) -> Vec<&str> {
    let rows: Vec<&str> = screen.lines().collect();
    rows[..rows.len().saturating_sub(2)].to_vec()
}

/// Words alone, one blank between them; what is broken after a hyphen is whole again.
fn plain(text: &str) -> String {
    let kept: String = text.chars().filter(|c| !"*`│".contains(*c)).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ").replace("- ", "-")
}

/// How each paragraph of a text ends: its last words, some letters at least. Code and tables are laid out again.
fn ends(markdown: &str) -> Vec<String> {
    let mut code = false;
    let mut paragraphs = vec![String::new()];
    for line in markdown.lines() {
        code ^= line.trim_start().starts_with("```");
        if line.trim().is_empty() || line.trim_start().starts_with(['|', '`', '#']) || code {
            paragraphs.push(String::new());
        } else if let Some(paragraph) = paragraphs.last_mut() {
            paragraph.push(' ');
            paragraph.push_str(line);
        }
    }
    let end = |paragraph: &String| {
        let words = plain(paragraph);
        let words: Vec<&str> = words.split(' ').collect();
        let from = (0..words.len()).rev().find(|from| words[*from..].join(" ").len() >= 6)?;
        Some(words[from..].join(" "))
    };
    paragraphs.iter().filter_map(end).collect()
}

fn shown(read: &str, markdown: &str, place: &str) {
    for end in ends(markdown) {
        assert!(read.contains(&end), "{place}: no screen shows {end:?}; what was read:\n{read}");
    }
}

/// Waits for a sentence of the interface. A row may contain only its first words.
fn wait_for_said(tutor: &mut Pty, sentence: &str) {
    let sentence = plain(sentence);
    let words: Vec<&str> = sentence.split(' ').take(4).collect();
    let words = words.join(" ");
    tutor.wait_until(&words, |tutor| plain(&tutor.screen()).contains(&words));
}

fn wait_for_run(tutor: &mut Pty) {
    let cancel = format!("X {}", t!("action-cancel-launch"));
    tutor.wait_until("the run is over", |tutor| !tutor.screen().contains(&cancel));
}

/// Reads a page and does what it asks for.
fn do_page(tutor: &mut Pty, data: &Path, level: &str, page: &Page) {
    let place = format!("{level}/{}", page.id.value);
    if let Some(predict) = &page.predict {
        let before = read(tutor, &place);
        shown(&before, &page.text, &place);
        shown(&before, &predict.ask, &place);
        let letter = right_letter(data, level, &page.id.value, predict);
        tutor.keys(&letter.to_string());
        wait_for_said(tutor, &t!("lesson-answer-hint", key = "⏎", letter));
        tutor.keys("\r").wait_for(&t!("lesson-right"));
    }
    for _ in &page.recall {
        tutor.keys("\r").settle();
    }
    if let Some(why) = &page.why {
        let before = read(tutor, &place);
        shown(&before, &why.ask, &place);
        tutor.keys("\r");
        wait_for_said(tutor, &t!("lesson-why-write-hint"));
        tutor.keys("Because it waits for something else.");
        wait_for_said(tutor, &t!("lesson-why-compare-hint", key = "⏎"));
        tutor.keys("\r");
        wait_for_said(tutor, &t!("lesson-why-mark-hint", key = "⏎"));
        tutor.keys("a\r");
        wait_for_said(tutor, &t!("lesson-why-again-hint"));
    }
    match &page.show {
        None | Some(Show::Code(_)) => {}
        // A sweep of more than a hundred kernels is looked at, and not waited for.
        Some(Show::Sweep(_)) => _ = tutor.keys("\t\u{1b}"),
        Some(_) => _ = tutor.keys("\t\r\u{1b}[C\u{1b}"),
    }
    tutor.settle();
    wait_for_run(tutor);
    let after = read(tutor, &place);
    let right = page.predict.iter().flat_map(|predict| &predict.choices).filter(|choice| choice.correct);
    let replies = right.map(|choice| choice.reply.as_str());
    let answers = page.recall.iter().map(|recall| recall.answer.as_str());
    let why = page.why.iter().flat_map(|why| std::iter::once(&why.model).chain(&why.points)).map(String::as_str);
    for text in replies.chain(answers).chain(why).chain([page.text.as_str(), page.after.as_str()]) {
        shown(&after, text, &place);
    }
}

/// Passes the exercise of level 2 that needs no compiler, as from another terminal.
fn pass_an_exercise(data: &Path) {
    let solution = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/exercises/fma-loop/solution.ptx");
    let mut check = std::process::Command::new(env!("CARGO_BIN_EXE_matmul-tutor"));
    check.args(["exercise", "check", "fma-loop"]).arg(solution).arg("--data").arg(data);
    let judged = check.output().unwrap();
    assert!(judged.status.success(), "{}", String::from_utf8_lossy(&judged.stdout));
}

#[test]
#[ignore = "takes minutes: .ci/run runs it"]
fn the_whole_course_is_walked_from_an_empty_directory_to_the_last_gate() {
    walk("en");
}

#[test]
#[ignore = "takes minutes: .ci/run runs it"]
fn the_whole_course_is_walked_in_korean() {
    walk("ko");
}

fn walk(lang: &str) {
    speaking(Words::of(lang), || from_the_first_page_to_the_last_gate(lang));
}

fn from_the_first_page_to_the_last_gate(lang: &str) {
    let data = tempfile::tempdir().unwrap();
    let arguments = ["--lang", lang, "--on", "emulator", "--no-motion", "--data", &data.path().display().to_string()]
        .map(str::to_owned);
    let course = Course::load(&CourseSource::BuiltIn, lang);
    let mut tutor = start(&arguments, 80, 24);
    tutor.wait_for("b  const int");
    tutor.keys("b\r");
    for (at, level) in course.levels.iter().enumerate() {
        let pages: Vec<_> = level.lesson.as_ref().unwrap().regular().collect();
        let quiz = level.quiz().unwrap();
        for (number, page) in (1..).zip(&pages) {
            tutor.wait_for(&t!("lesson-page-of", page = number, pages = pages.len()));
            do_page(&mut tutor, data.path(), &level.id, page);
            tutor.keys("n");
        }
        if !level.requires.is_empty() {
            pass_an_exercise(data.path());
        }
        // On from the last page is the gate.
        wait_for_said(&mut tutor, &t!("gate-text", questions = 8, required = 7, unread = 0, page = ""));
        tutor.keys("\r").wait_for(&t!("quiz-question-of", number = 1, count = 8));
        for (number, question) in (1..).zip(&attempt(data.path(), &course, at).questions) {
            tutor.wait_for(&t!("quiz-question-of", number, count = 8));
            tutor.each(right_answer(quiz, question));
        }
        wait_for_said(&mut tutor, &t!("quiz-all-answered"));
        tutor.keys("S").wait_for(&t!("outcome-passed", level = at + 1));
        tutor.wait_for(&t!("outcome-score", correct = 8, questions = 8));
        match course.levels.get(at + 1) {
            Some(next) => {
                tutor.wait_for(&t!("outcome-opens")).wait_for(&next.title);
                tutor.keys("\r");
            }
            None => wait_for_said(&mut tutor, &t!("outcome-last-gate")),
        }
    }
}
