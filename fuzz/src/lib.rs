/*! The fuzz targets read arbitrary bytes as a stranger's text, and check the properties that the result must have.

`tests/course/fuzzed.rs` does the same with texts damaged at random.
*/

mod keys;
mod worker;

pub use keys::keys;
pub use worker::{replies, requests};

use course_check as author;
use std::time::Duration;
use tutor_course::{CourseFile, File, FileContent, LessonFile, MAX_FILE_PROBLEMS, MAX_PAGE_BYTES, MAX_PAGES, QuizFile};
use tutor_exec::recorded::Recording;
use tutor_kernels::Catalog;
use tutor_progress::{Answer, Seen, draw, grade};
use tutor_support::expr::Expr;
use tutor_support::text::is_forbidden;
use ui_kit::code::Highlights;
use ui_kit::look::Look;
use ui_kit::markdown;
use ui_kit::theme::Theme;

/// Parses any text as each kind of course file. The result is content or problems with places, without forbidden characters.
pub fn course(text: &str) {
    form::<CourseFile>(text);
    if let Some(lesson) = form::<LessonFile>(text) {
        assert!(lesson.pages.len() <= MAX_PAGES, "{} pages", lesson.pages.len());
        for page in &lesson.pages {
            let recall: usize = page.recall.iter().map(|recall| recall.ask.len() + recall.answer.len()).sum();
            assert!(page.text.len() + page.after.len() + recall <= MAX_PAGE_BYTES, "the page `{}`", page.id.value);
        }
    }
    form::<QuizFile>(text);
}

fn form<T: FileContent + std::fmt::Debug>(text: &str) -> Option<T> {
    let file = File::<T>::parse("modules/any.yaml", text.to_owned());
    assert!(file.value.is_some() || !file.problems.is_empty(), "no content and no reason");
    assert!(file.problems.len() <= MAX_FILE_PROBLEMS, "{} problems", file.problems.len());
    for problem in &file.problems {
        shown(&author::render(problem, false));
        shown(&problem.to_string());
    }
    if let Some(value) = file.value.as_ref().filter(|_| !text.contains("\\u{")) {
        // Debug output escapes forbidden characters, so look for the escapes.
        let all = format!("{value:?}");
        assert!(!["\\u{1b}", "\\u{202e}", "\\u{200b}", "\\u{9b}"].iter().any(|hidden| all.contains(hidden)), "{all}");
    }
    file.value
}

fn shown(text: &str) {
    assert!(!text.contains(is_forbidden), "{text:?}");
}

/// Lays out any text as Markdown in `width` cells. No line is wider, and the output's length is limited by the text's.
pub fn markdown(text: &str, width: u16) {
    let Ok(theme) = Theme::named("mono") else { return };
    let highlights = Highlights::default();
    for ascii in [false, true] {
        let look = Look { theme: &theme, ascii, now: Duration::ZERO, highlights: &highlights };
        let lines = markdown::render(text, width, &look);
        let drawn: usize = lines.iter().flat_map(|line| &line.spans).map(|span| 1 + span.content.len()).sum();
        assert!(drawn <= 1000 + 200 * text.len(), "{drawn} of {}", text.len());
    }
    markdown::strip_markdown(text);
}

/// Reads any text as a kernel catalogue in this directory. The result is kernels, or problems without forbidden characters.
pub fn catalogue(text: &str, directory: &std::path::Path) -> std::io::Result<()> {
    std::fs::create_dir_all(directory.join("kernels"))?;
    std::fs::write(directory.join("kernels/catalog.yaml"), text)?;
    std::fs::write(directory.join("kernels/mine.cu"), "// [region a]\n// [end]\n")?;
    let (catalog, problems) = Catalog::from_directory(directory);
    for problem in problems {
        shown(&problem.to_string());
        shown(&problem.help.unwrap_or_default());
    }
    for kernel in catalog.kernels() {
        for text in [&kernel.id, &kernel.title, &kernel.label, &kernel.about, &kernel.level] {
            shown(text);
        }
        // Any shape gives a geometry or a reason.
        let _ = kernel.geometry(1, 4096, 77).map_err(|error| shown(&error.to_string()));
    }
    Ok(())
}

/// Gives any text as an answer, from a script and as a draft, to a question of each kind. The answer is graded or refused.
pub fn answers(text: &str, quiz: &QuizFile) {
    let Ok(questions) = draw(quiz, text.len() as u64, &Seen::default()) else { return };
    let value = serde_json::from_str(text).unwrap_or_else(|_| serde_json::Value::String(text.to_owned()));
    for question in questions {
        let answers = [question.answer_of(&value).ok(), question.draft_of(text)];
        for answer in
            answers.into_iter().flatten().chain([Answer::Text(text.to_owned()), Answer::Number(text.to_owned())])
        {
            let malformed = question.problem(&answer).is_some();
            if let Ok(graded) = grade(quiz, &question, Some(&answer)) {
                assert!(!(malformed && graded.correct), "{answer:?} is right and no answer");
            }
        }
    }
}

/// Parses any text as a formula, and computes it for extreme values.
pub fn expression(text: &str) {
    let Ok(formula) = Expr::parse(text) else { return };
    let names = formula.variables().len();
    assert!(names <= text.len(), "{names} names");
    for value in [0, 1, -1, 4096, i64::MAX, i64::MIN] {
        let _ = formula.integer(&|_| Some(value));
        let _ = formula.real(&|_| Some(value as f64));
    }
}

/// Parses any text as a recording. If it is one, requests everything that the tutor draws from recordings.
pub fn recording(text: &str) {
    let Ok(recording) = serde_json::from_str::<Recording>(text) else { return };
    let _ = recording.common_size();
    let _ = recording.label();
    for row in &recording.rows {
        let _ = Catalog::built_in().kernel(&row.kernel).map(|kernel| recording.share_of_cublas(kernel, row.time.n));
        let _ = Catalog::built_in().kernel(&row.kernel).map(|kernel| recording.sizes(kernel));
        let _ = recording.clock_mhz(row.time.n, row.elements);
    }
}
