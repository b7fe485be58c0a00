/*! The pictures of the README, drawn by the real program in a terminal.

`cargo test --test tutor screens` fails if a picture is no longer what the program draws.
`UPDATE_SCREENS=1 cargo test --test tutor screens` redraws all of them, the moving one included.
*/

use super::keys::{right_answer, right_letter};
use super::pty::Pty;
use super::workshop::at;
use super::{attempt, start, start_with, svg};
use std::path::{Path, PathBuf};
use tutor_course::{Course, CourseSource, Page};
use tutor_progress::Store;
use tutor_support::t;

const DOWN: &str = "\u{1b}[B";

/// A student who has read level 1 and begun level 2.
struct Student {
    data: tempfile::TempDir,
    course: Course,
}

impl Student {
    fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        let course = Course::load(&CourseSource::BuiltIn, "en");
        let mut store = Store::open(data.path()).unwrap();
        // A fixed seed keeps the order of the choices.
        let file = rusqlite::Connection::open(data.path().join("progress.sqlite3")).unwrap();
        file.execute("INSERT INTO students(seed, began_at) VALUES (12, '2026-11-22T00:00:00Z')", []).unwrap();
        drop(file);
        for (level, pages) in [(0, usize::MAX), (1, 7)] {
            let level = &course.levels[level];
            for page in level.lesson.as_ref().unwrap().pages.iter().take(pages) {
                store.page_read(&course.id, &level.id, &page.id).unwrap();
            }
        }
        Self { data, course }
    }

    fn tutor(&self, columns: u16, rows: u16) -> Pty {
        let data = self.data.path().display().to_string();
        let arguments = ["--on", "emulator", "--no-motion", "--data", &data].map(str::to_owned);
        // Not every machine has NVIDIA's assembler, whose registers change an estimate.
        let tutor = start_with(&arguments, columns, rows, &[("MATMUL_TUTOR_NVRTC", "none")]);
        tutor.wait_for(&self.course.levels[6].title);
        // A launch depends on the device, so waits until it is known.
        tutor.wait_for("emulator (");
        tutor
    }

    /// Opens a page by level and id.
    fn question(&self, level: usize, id: &str, columns: u16, rows: u16) -> Pty {
        let pages = &self.course.levels[level].lesson.as_ref().unwrap().pages;
        let at = pages.iter().position(|page| page.id.value == id).unwrap();
        let mut tutor = self.tutor(columns, rows);
        tutor.keys("\u{1b}[H");
        tutor.keys(&DOWN.repeat(level));
        tutor.keys("p").wait_for("pages of");
        tutor.keys("\u{1b}[H");
        tutor.keys(&DOWN.repeat(at));
        let regular = |pages: &[Page]| pages.iter().filter(|page| !page.optional).count();
        tutor.keys("\r").wait_for(&format!("page {}/{}", regular(&pages[..=at]), regular(pages)));
        tutor
    }

    /// Returns the letter of a page's correct choice.
    fn right(&self, level: usize, id: &str) -> char {
        let level = &self.course.levels[level];
        let page = level.lesson.as_ref().unwrap().pages.iter().find(|page| page.id.value == id).unwrap();
        right_letter(self.data.path(), &level.id, id, page.predict.as_ref().unwrap())
    }

    /// Opens a page and answers its question correctly, so that its picture opens.
    fn page(&self, level: usize, id: &str, columns: u16, rows: u16) -> Pty {
        let mut tutor = self.question(level, id, columns, rows);
        tutor.keys(&format!("{}\r", self.right(level, id))).wait_for("your answer");
        tutor
    }

    /// Draws the moving picture: predict, run, step through a hazard, repair.
    fn tour(&self) -> String {
        let mut tour = svg::Tour::default();
        let mut add = |tutor: &Pty, seconds, caption| {
            tutor.settle_as(true);
            tutor.with_screen(|screen| tour.add(screen, seconds, caption));
        };
        let right = "\u{1b}[C";
        add(&self.tutor(110, 30), 2.5, "Ten levels, from 1 % of cuBLAS to more than twice its FP32 speed");

        let mut tutor = self.question(1, "run-tiled", 110, 30);
        add(&tutor, 3.5, "1  Predict: what happens to the time of the tiled kernel?");
        let wrong = if self.right(1, "run-tiled") == 'd' { "a" } else { "d" };
        tutor.keys(wrong);
        add(&tutor, 1.5, "A letter selects an answer, and Enter confirms it.");
        tutor.keys("\r").wait_for("your answer");
        add(&tutor, 4.0, "A wrong prediction is the best moment to learn.");
        tutor.keys("\t\r").wait_for("every element compared").wait_for("intensity");
        add(&tutor, 4.0, "2  Run: times from a GPU, counts from the emulator");
        drop(tutor);

        let mut tutor = self.page(1, "hazard-raw", 110, 30);
        tutor.keys("\t").wait_for(&t!("hazard-order-harmful"));
        add(&tutor, 2.5, "3  Hazard: two warps share a tile, and a barrier is missing");
        tutor.keys(&right.repeat(3));
        add(&tutor, 2.5, "Warp 0 reads the word before warp 1 writes it.");
        tutor.keys(&right.repeat(2));
        add(&tutor, 2.5, "The correct value arrives too late.");
        drop(tutor);

        let mut tutor = self.tutor(110, 30);
        at(&mut tutor, "When must they meet?");
        tutor.keys("\r").wait_for("3 are empty");
        add(&tutor, 3.0, "4  Repair: where does this kernel need a barrier?");
        tutor.keys(&format!("{}\t{DOWN}\t{DOWN}", DOWN.repeat(3)));
        add(&tutor, 2.0, "Fill the holes, and press Enter.");
        tutor.keys("\r");
        // The judge's time differs in each run, so the picture leaves it out.
        tutor.wait_for(svg::NOT_DRAWN).wait_for("passed").wait_for(&t!("workshop-estimated"));
        add(&tutor, 4.0, "The judge tests results, hazards and memory traffic.");
        tour.picture("A tour: predict a time, run two kernels, step through a hazard, repair a kernel")
    }

    fn pass_gate(&self) -> Pty {
        let quiz = self.course.levels[0].quiz().unwrap();
        let mut tutor = self.tutor(100, 30);
        tutor.keys("\u{1b}[Hg").wait_for("7 correct answers pass");
        tutor.keys("\r").wait_for(&t!("quiz-question-of", number = 1, count = 8));
        for (at, question) in attempt(self.data.path(), &self.course, 0).questions.iter().enumerate() {
            tutor.wait_for(&format!("question {} of 8", at + 1));
            tutor.each(right_answer(quiz, question));
        }
        tutor.wait_for("Every question is answered");
        tutor.keys("S");
        tutor
    }
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("assets/screens/{name}.svg"))
}

/// Compares the picture of a screen with the committed one, or replaces it.
fn compare(name: &str, title: &str, tutor: &Pty) -> Option<String> {
    tutor.settle_as(true);
    let stale = replace(name, &tutor.with_screen(|screen| svg::picture(screen, title)))?;
    Some(format!("{stale}, now\n{}", tutor.screen()))
}

/// Replaces the committed picture if `UPDATE_SCREENS` is set. Otherwise returns its name if it differs.
fn replace(name: &str, drawn: &str) -> Option<String> {
    if std::env::var_os("UPDATE_SCREENS").is_some() {
        std::fs::write(file(name), drawn).unwrap();
        return None;
    }
    let kept = std::fs::read_to_string(file(name)).unwrap_or_default();
    let differs = kept.lines().zip(drawn.lines()).find(|(kept, drawn)| kept != drawn);
    (kept != drawn).then(|| format!("assets/screens/{name}.svg: {differs:#?}"))
}

#[test]
fn screens_of_the_readme_are_what_the_program_draws() {
    let student = Student::new();
    let mut stale = Vec::new();
    let data = tempfile::tempdir().unwrap();
    let tutor = start(&["--data".to_owned(), data.path().display().to_string()], 80, 24);
    tutor.wait_for("Press a or b.");
    stale.extend(compare("question", "The first screen: which of two kernels is 13 times as fast?", &tutor));
    drop(tutor);

    let tutor = student.pass_gate();
    tutor.wait_for(&student.course.levels[1].title);
    stale.extend(compare("gate", "Quiz 1 passed: what was reached, and what opens", &tutor));
    drop(tutor);

    let tutor = student.tutor(120, 36);
    stale.extend(compare("map", "The course map with the ladder of shares of cuBLAS", &tutor));
    drop(tutor);

    let mut tutor = student.page(0, "mapping", 120, 36);
    tutor.keys("\t\u{1b}[B\u{1b}[B\u{1b}[C]]");
    stale.extend(compare("lesson", "A page: text and the picture that it speaks of", &tutor));
    drop(tutor);

    let mut tutor = student.tutor(100, 30);
    tutor.keys("b").wait_for("wavefronts");
    stale.extend(compare("banks", "The bank-conflict simulator: a column of 16 words costs 8 wavefronts", &tutor));
    drop(tutor);

    let mut tutor = student.page(1, "hazard-war", 120, 36);
    tutor.keys("\t").wait_for(&t!("hazard-order-harmful"));
    tutor.keys(&"\u{1b}[C".repeat(5));
    stale.extend(compare("hazard", "The hazard stepper: a missing barrier, two warps, one word", &tutor));
    drop(tutor);

    let mut tutor = student.page(0, "run-both", 120, 36);
    tutor.keys("\t ").wait_for("every element compared").wait_for("intensity");
    stale.extend(compare("run", "Two kernels compared: recorded times, counted accesses", &tutor));
    drop(tutor);

    stale.extend(replace("tour", &student.tour()));
    let anew = "UPDATE_SCREENS=1 cargo test --test tutor screens";
    assert!(stale.is_empty(), "The README's pictures are stale; redraw them with `{anew}`.\n{}", stale.join("\n"));
}
