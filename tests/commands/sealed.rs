//! What a sealed course contains, and what it gives away.

use super::shared::{edit, write};
use super::tutor;
use std::fs;
use std::path::Path;
use tutor_course::{AnswerSpec, Choice, Course, CourseSource, Variant};

/// Returns the paths and texts of all files below a folder.
fn texts(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(texts(&path));
        } else {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            found.push((path.display().to_string(), text));
        }
    }
    found
}

fn variants(course: &Course) -> Vec<&Variant> {
    let quizzes = course.levels.iter().filter_map(|level| level.quiz());
    quizzes.flat_map(|quiz| quiz.slots.iter().flat_map(|slot| &slot.variants)).collect()
}

/// How often an attack was right, and how often it was tried.
#[derive(Default)]
struct Score {
    right: usize,
    of: usize,
}

impl Score {
    fn count(&mut self, right: bool) {
        self.right += usize::from(right);
        self.of += 1;
    }

    fn is_chance(&self, most_percent: usize, what: &str) {
        assert!(self.of > 0 && self.right * 100 <= most_percent * self.of, "{what}: {} of {}", self.right, self.of);
    }
}

#[test]
fn nothing_in_a_sealed_course_gives_its_keys_away() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    assert_eq!(tutor(&["course", "new", &path("full"), "--id", "copy"]).code, Some(0));
    let made = tutor(&["--course", &path("full"), "course", "seal", &path("sealed"), "--exam", "midterm"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let packed = tutor(&["course", "pack", &path("sealed"), "--out", &path("sealed.course")]);
    assert_eq!(packed.code, Some(0), "{}", packed.err);
    let load = |name: &str| Course::load(&CourseSource::Directory(path(name).into()), "en");
    let (full, sealed) = (load("full"), load("sealed"));
    assert!(sealed.problems.is_empty(), "{:?}", sealed.problems);
    let (full, sealed) = (variants(&full), variants(&sealed));
    // Both languages have the same questions.
    let remark = format!("{} variants are questions of the built-in course", full.len());
    assert!(made.err.contains(&remark), "{}", made.err);
    assert_eq!(made.err.matches("what-breaks/no-fence: the ids").count(), 1, "{}", made.err);
    // One wrong choice of it is `wrong-size`.
    assert!(!made.err.contains("pitch-proof/row-walk"), "{}", made.err);
    assert_eq!(full.len(), sealed.len());
    let (mut pairs, mut by_text, mut by_length) = (Score::default(), Score::default(), Score::default());
    let (mut orders, mut firsts, mut marked) = (Score::default(), Score::default(), Score::default());
    let (mut longest, mut faults) = (Score::default(), Score::default());
    for (key, found) in full.iter().zip(&sealed) {
        let choices = |key: &[Choice], found: &[Choice]| -> Vec<[bool; 3]> {
            let right = |id: &str| key.iter().any(|choice| choice.correct && choice.id.value == id);
            let most = found.iter().map(|choice| choice.text.len()).max();
            let of = |choice: &Choice| [right(&choice.id), choice.correct, Some(choice.text.len()) == most];
            found.iter().map(of).collect()
        };
        match (&key.answer, &found.answer) {
            (AnswerSpec::Match(key), AnswerSpec::Match(found)) => {
                let wanted: Vec<&str> = key.left.iter().map(|left| left.is.value.as_str()).collect();
                let mut right: Vec<_> = found.right.iter().collect();
                let attack = |score: &mut Score, right: &[&tutor_course::RightSide]| {
                    for (wanted, right) in wanted.iter().zip(right) {
                        score.count(*wanted == right.id.value);
                    }
                };
                attack(&mut pairs, &right);
                assert!(found.left.iter().all(|left| left.is.value == "sealed"));
                right.sort_by_key(|right| &right.text);
                attack(&mut by_text, &right);
                right.sort_by_key(|right| right.text.len());
                attack(&mut by_length, &right);
            }
            (AnswerSpec::Order(key), AnswerSpec::Order(found)) => {
                let ids = |order: &tutor_course::Order| -> Vec<String> {
                    order.items.iter().map(|item| item.id.value.clone()).collect()
                };
                let mut guess = ids(found);
                orders.count(guess == ids(key));
                guess.sort();
                orders.count(guess == ids(key));
            }
            (AnswerSpec::Single(key), AnswerSpec::Single(found)) => {
                let all = choices(key, found);
                firsts.count(all[0][0]);
                firsts.count(all[all.len() - 1][0]);
                marked.count(all.iter().any(|[_, marked, _]| *marked));
                longest.count(all.iter().any(|[right, _, longest]| *right && *longest));
            }
            (AnswerSpec::Fault(key), AnswerSpec::Fault(found)) => {
                assert_eq!(key.code().into_iter().map(|(_, line)| line).collect::<Vec<_>>(), found.code);
                faults.count(found.kernel.value == key.kernel.value);
                faults.count(found.places().len() < found.code.len());
            }
            _ => {}
        }
    }
    pairs.is_chance(45, "pairs in the order of the file");
    by_text.is_chance(45, "pairs with sorted texts");
    by_length.is_chance(45, "pairs by length");
    orders.is_chance(25, "orders");
    firsts.is_chance(45, "the first and the last choice");
    marked.is_chance(0, "a marked choice");
    longest.is_chance(60, "the longest choice");
    faults.is_chance(0, "the kernel of a fault");
    let all = texts(Path::new(&path("sealed")));
    for key in &full {
        let because = serde_json::to_string(key.because.trim()).unwrap();
        let found = all.iter().find(|(_, text)| text.contains(because.trim_matches('"')));
        assert!(found.is_none(), "{found:?} has the reason of {}: {because}", key.id.value);
    }
    assert!(all.iter().all(|(file, _)| !file.contains("exercises") && !file.contains("solution")), "{all:?}");
    let quizzes = || all.iter().filter(|(file, _)| file.contains("quizzes"));
    for key in ["\"of\": \"", "slips", "\"correct\""] {
        assert!(quizzes().all(|(_, text)| !text.contains(key)), "{key}");
    }
    assert!(quizzes().any(|(file, _)| file.contains("/ko/")), "the translation is sealed, too");
}

/// A kernel with a planted fault, as an edit of the template's kernel.
const ENTRY: &str = "
  - id: one_barrier
    level: first
    title: One barrier
    file: my_tile.cu
    edits:
      - find: |-
          // All threads must be done with the tile before the next one overwrites it.
                  __syncthreads();
        put: \"// The barrier is missing here.\\n\"
    entry: my_tile
    constants: { TILE: 8 }
    block: [TILE, TILE, 1]
    grid: [\"ceil_div(N, TILE)\", \"ceil_div(M, TILE)\"]
    min_arch: sm_75
    expected_wrong: true
    hazard: WAR
    about: The second barrier is missing.
";

/// A page that shows an exercise, before the last page.
const EXERCISE_PAGE: &str = "
  - { id: do-it, title: Now you, tag: exercise, objectives: [reuse], text: Repair it., show: { exercise: strip } }
  - id: summary";

/// Questions about the course's own kernels.
const QUESTIONS: &str = "
  - id: own
    objective: cost
    bloom: analyse
    page: run
    variants:
      - id: a
        ask: Which line lacks a barrier before the next pass?
        answer:
          fault:
            kernel: one_barrier
            region: tile loop
            lines: [\"A_tile[ty][tx] =\"]
            why: Look for the line that overwrites what others still read.
            races: [WAR]
            consequences:
              - { id: old, text: some threads read the next tile, correct: true }
              - { id: none, text: nothing happens, why: Threads of different warps do not wait for each other. }
        because: Threads overwrite the tile while others read it.
      - id: b
        ask: How many wavefronts does a load from shared memory need?
        answer:
          predict:
            of: { wavefronts: { kernel: my_tile, op: ld.shared, is: 1.5 } }
            why: Count the banks.
        because: The emulator counts {counted}.
      - id: c
        ask: Which pairs fit?
        answer: { match: { left: [{ id: n, text: warp, is: l }, { id: s, text: block, is: w }, { id: e, text: grid, is: b }],
          right: [{ id: l, text: lanes }, { id: w, text: warps }, { id: b, text: blocks }], why: A warp has 32 lanes. } }
        because: A block has up to 32 warps.
";

#[test]
fn a_course_asks_about_its_own_kernels_and_an_exam_leaves_their_edits_out() {
    let place = tempfile::tempdir().unwrap();
    let course = place.path().join("course");
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    assert_eq!(tutor(&["course", "new", &path("course"), "--minimal", "--id", "own"]).code, Some(0));
    for (file, more) in [("kernels/catalog.yaml", ENTRY), ("quizzes/01-first.yaml", QUESTIONS)] {
        let text = fs::read_to_string(course.join(file)).unwrap();
        fs::write(course.join(file), text + more).unwrap();
    }
    assert_eq!(tutor(&["course", "new", &path("course"), "--exercise", "strip"]).code, Some(0));
    edit(&course.join("modules/01-first.yaml"), "\n  - id: summary", EXERCISE_PAGE);
    write(&course, "kernels/notes.md", "The answer to own/a is the second barrier.");
    let shown = tutor(&["--course", &path("course"), "quiz", "1", "--export", "moodle-xml"]);
    assert!(shown.out.contains("A_tile[ty][tx] =") && shown.out.contains("1.5"), "{}{}", shown.out, shown.err);
    if std::env::var_os("MATMUL_TUTOR_NVRTC").is_none() {
        println!("skipped: MATMUL_TUTOR_NVRTC names no library");
        return;
    }
    let built = tutor(&["--course", &path("course"), "course", "build"]);
    assert_eq!(built.code, Some(0), "{}", built.err);
    let made = tutor(&["--course", &path("course"), "course", "seal", &path("sealed"), "--exam", "midterm"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let all = texts(Path::new(&path("sealed")));
    for (file, text) in &all {
        for key in ["one_barrier", "is missing", "second barrier is"] {
            assert!(!text.contains(key) && !file.contains(key), "{file} contains {key}");
        }
    }
    assert!(all.iter().any(|(file, _)| file.ends_with("kernels/my_tile.cu")), "a page shows it");
    for arguments in [
        &["--course", &path("sealed"), "--student", "ada", "quiz", "1", "--show"][..],
        &["course", "check", &path("sealed")],
        &["course", "pack", &path("sealed"), "--out", &path("sealed.course")],
    ] {
        let called = tutor(arguments);
        assert_eq!(called.code, Some(0), "{arguments:?}: {}{}", called.out, called.err);
    }
    // What would not be a course that `check` takes is not written.
    edit(&course.join("modules/01-first.yaml"), "exercise: strip", "exercise: other");
    let refused = tutor(&["--course", &path("course"), "course", "seal", &path("again"), "--exam", "midterm"]);
    assert!(refused.code == Some(1) && refused.err.contains("There is no exercise `other`"), "{}", refused.err);
    edit(&course.join("modules/01-first.yaml"), "exercise: other", "exercise: strip");
    let report = tutor(&["course", "check", &path("course"), "--json"]).json();
    let found: Vec<&str> = report["problems"].as_array().unwrap().iter().filter_map(|it| it["code"].as_str()).collect();
    assert_eq!(found.iter().filter(|code| **code == "claim-failed").count(), 1, "{report:#}");
    assert!(!found.contains(&"unknown-kernel") && !found.contains(&"predict-count"), "{report:#}");
    let counted = report["problems"].to_string();
    let counted = counted.split("the emulator counts ").nth(1).unwrap();
    let counted: String = counted.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let quiz = course.join("quizzes/01-first.yaml");
    edit(&quiz, "is: 1.5", &format!("is: {}", counted.trim_end_matches('.')));
    let report = tutor(&["course", "check", &path("course"), "--json"]).json();
    assert_eq!(report["claims"]["failed"], 0, "{report:#}");
}
