//! Exams: what a sealed course gives away, what students hand in, and what counts.

use super::class::Class;
use super::shared::{edit, write};
use super::{Called, tutor, tutor_in};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tutor_course::{AnswerSpec, Choice, Course, CourseSource, Variant};

/// Returns a class whose course may be sealed: its errors are allowed, and it lacks the level that cannot be read.
fn sat() -> Class {
    let class = Class::new();
    let file = class.course().join("modules/course.yaml");
    let text = fs::read_to_string(&file).unwrap();
    let allow = "allow: [{ code: too-few-variants, why: The test needs no more. }]\n";
    fs::write(&file, text.split("  - id: third").next().unwrap().to_owned() + allow).unwrap();
    class
}

#[test]
fn an_exam_keeps_answers_and_the_full_course_grades_them() {
    let class = sat();
    let full = class.course();
    let sealed = class.dir.path().join("sealed");
    let made = class.call(&["seal", sealed.to_str().unwrap(), "--exam", "midterm"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let quiz = fs::read_to_string(sealed.join("quizzes/first.yaml")).unwrap();
    for key in ["consecutive numbers", "half a warp", "x * y / 32", "\"lane\"", "warpSize", "It is the lane"] {
        assert!(!quiz.contains(key), "{key}");
    }
    let data = |student: &str| class.dir.path().join(student).to_str().unwrap().to_owned();
    let exam = |student: &str, arguments: &[&str]| {
        let data = data(student);
        let all = [&["--course", sealed.to_str().unwrap(), "--data", &data], arguments].concat();
        let who: &[(&str, &str)] = if student == "nobody" { &[] } else { &[("MATMUL_TUTOR_STUDENT", student)] };
        tutor_in(&all, who)
    };
    let answers = class.dir.path().join("exam.yaml");
    fs::write(
        &answers,
        json!({ "single": "right", "multiple": ["row", "broadcast"], "text": "warp", "cloze": ["warpSize", "32"],
        "order": ["load", "wait", "multiply", "free"] })
        .to_string(),
    )
    .unwrap();
    let take = |student: &str, more: &[&str]| {
        exam(student, &[&["quiz", "1", "--json", "--answers", answers.to_str().unwrap()], more].concat())
    };
    assert!(take("nobody", &[]).err.contains("--student NAME"));
    assert!(take("ada", &["--practice"]).err.contains("no answer keys"));
    let taken = take("ada", &["--seed", "1"]);
    assert_eq!(taken.code, Some(0), "{}", taken.err);
    assert_eq!((&taken.json()["ungraded"], &taken.json()["correct"]), (&true.into(), &0.into()));
    assert!(
        taken.json()["items"].as_array().unwrap().iter().all(|item| item["why"].is_null() && item["because"].is_null())
    );
    assert_eq!(take("ben", &[]).code, Some(0));
    let work = |student: &str, name: &str| {
        let file = class.dir.path().join(format!("{name}.json"));
        assert_eq!(exam(student, &["export-progress", file.to_str().unwrap()]).code, Some(0));
        file
    };
    let (ada, ben) = (work("ada", "ada"), work("ben", "ben"));
    // Somebody hands in another's draw.
    let stolen = fs::read_to_string(&ada).unwrap().replace("\"ada\"", "\"zoe\"");
    let zoe = class.dir.path().join("zoe.json");
    fs::write(&zoe, stolen).unwrap();
    let files = [&ada, &ben, &zoe].map(|file| file.to_str().unwrap().to_owned());
    let graded = tutor(&[
        "results",
        &files[0],
        &files[1],
        &files[2],
        "--course",
        full.to_str().unwrap(),
        "--exam",
        "midterm",
        "--format",
        "json",
    ]);
    assert_eq!(graded.code, Some(0), "{}", graded.err);
    let best: Vec<Value> =
        graded.json()["gradebook"].as_array().unwrap().iter().map(|row| row["levels"][0]["best"].clone()).collect();
    assert_eq!(best, [json!([4, 6]), json!([4, 6]), json!([4, 6])]);
    assert!(graded.err.contains("zoe: The questions of first were not drawn for this student"), "{}", graded.err);
    assert!(!graded.err.contains("ada: ") && !graded.err.contains("ben: "), "{}", graded.err);
}

#[test]
fn an_exam_believes_no_mark_in_a_file_and_grades_only_what_it_asked() {
    let class = sat();
    class.edit(
        "quizzes/first.yaml",
        "      - id: only\n        ask: How many threads has a warp?\n",
        "      - id: other\n        ask: How many lanes has a warp?\n        answer:\n          single:\n\
         \x20           - { id: right, text: \"32\", correct: true }\n\
         \x20           - { id: half, text: \"16\", why: \"That is half a warp.\" }\n        because: It has 32.\n\
         \x20     - id: only\n        ask: How many threads has a warp?\n",
    );
    let path = |name: &str| class.dir.path().join(name).to_str().unwrap().to_owned();
    assert_eq!(class.call(&["seal", &path("sealed"), "--exam", "midterm"]).code, Some(0));
    let exam = |arguments: &[&str]| {
        let (course, data) = (path("sealed"), path("ada"));
        let called = tutor(&[&["--course", &course, "--data", &data, "--student", "ada"], arguments].concat());
        assert_eq!(called.code, Some(0), "{}", called.err);
    };
    let answers = json!({ "single": "right", "multiple": ["row", "broadcast"], "text": "warp", "cloze": ["warpSize", "32"],
        "order": ["load", "wait", "multiply", "free"] });
    fs::write(path("answers.yaml"), answers.to_string()).unwrap();
    exam(&["quiz", "1", "--answers", &path("answers.yaml")]);
    let shown = tutor(&["--course", &path("sealed"), "--student", "ada", "quiz", "1", "--show", "--json"]).json();
    exam(&["export-progress", &path("ada.json")]);
    let honest: Value = serde_json::from_str(&fs::read_to_string(path("ada.json")).unwrap()).unwrap();
    assert_eq!(shown["seed"], honest["attempts"][0]["seed"]);
    let graded = |name: &str, forge: &dyn Fn(&mut Value)| {
        let mut work = honest.clone();
        forge(&mut work["attempts"][0]);
        fs::write(path("forged.json"), work.to_string()).unwrap();
        let called = class.call(&["results", &path("forged.json"), "--exam", "midterm", "--format", "json"]);
        let level = called.json()["gradebook"][0]["levels"][0].clone();
        assert_eq!(level["first_pass"], Value::Null, "{name}: {}", called.err);
        (level["best"].clone(), called.err.lines().count() - 1)
    };
    let four = json!([4, 6]);
    assert_eq!(graded("honest", &|_| {}), (four.clone(), 0));
    let right = |attempt: &mut Value| {
        for item in attempt["items"].as_array_mut().unwrap() {
            item["correct"] = true.into();
        }
    };
    assert_eq!(graded("each right", &right), (four.clone(), 1));
    for sum in [6, 4_294_967_290_u32] {
        assert_eq!(graded("sum", &|attempt| attempt["correct"] = sum.into()), (four.clone(), 1));
    }
    let easy = |attempt: &mut Value| {
        attempt["items"].as_array_mut().unwrap().truncate(1);
        for field in ["correct", "questions", "required"] {
            attempt[field] = 1.into();
        }
    };
    assert_eq!(graded("one question", &easy), (json!([1, 6]), 1));
    let repeated = |attempt: &mut Value| attempt["items"] = vec![attempt["items"][0].clone(); 6].into();
    assert_eq!(graded("one answer six times", &repeated), (json!([1, 6]), 1));
    let other = |attempt: &mut Value| {
        let item = &mut attempt["items"][0];
        item["variant"] = if item["variant"] == "only" { "other" } else { "only" }.into();
    };
    assert_eq!(graded("another question", &other), (json!([3, 6]), 1));
    let number = |attempt: &mut Value| {
        attempt["items"][2]["parameters"] = json!({ "x": 1.0, "y": 32.0 });
        attempt["items"][2]["answer"] = json!({ "number": "1" });
    };
    assert_eq!(graded("another number", &number), (four, 1));
    for (field, value) in [("kind", "practice"), ("level", "second")] {
        let elsewhere = |attempt: &mut Value| {
            easy(attempt);
            attempt[field] = value.into();
        };
        assert_eq!(graded(field, &elsewhere).0, Value::Null);
    }
    // One student hands in two files.
    let twice = class.call(&["results", &path("ada.json"), &path("forged.json"), "--exam", "midterm"]);
    assert_eq!(twice.out.matches("There is more than one file of this student.").count(), 2, "{}", twice.out);
    for arguments in [["seal", &path("unnamed"), "--exam", ""], ["results", &path("ada.json"), "--exam", ""]] {
        assert_eq!(class.call(&arguments).code, Some(2));
    }
}

/// Seals the fixture for the exam `midterm`, and lets each student take it. Returns their files.
fn handed_in(class: &Class, students: &[&str]) -> Vec<String> {
    let path = |name: &str| class.dir.path().join(name).to_str().unwrap().to_owned();
    assert_eq!(class.call(&["seal", &path("sealed"), "--exam", "midterm"]).code, Some(0));
    let answers = json!({ "single": "right", "text": "lane", "cloze": ["warpSize", "32"],
        "order": ["load", "wait", "multiply", "free"] });
    fs::write(path("answers.yaml"), answers.to_string()).unwrap();
    let file = |student: &&str| {
        let (course, data, file) = (path("sealed"), path(student), path(&format!("{student}.json")));
        for arguments in [&["quiz", "1", "--answers", &path("answers.yaml")][..], &["export-progress", &file]] {
            let called = tutor(&[&["--course", &course, "--data", &data, "--student", student], arguments].concat());
            assert_eq!(called.code, Some(0), "{}", called.err);
        }
        file
    };
    students.iter().map(file).collect()
}

#[test]
fn an_exam_is_no_gate_until_it_is_graded_by_its_name() {
    let class = sat();
    let files = handed_in(&class, &["ada", "ben"]);
    let work: Value = serde_json::from_str(&fs::read_to_string(&files[0]).unwrap()).unwrap();
    assert_eq!(work["exam"], "midterm");
    let results = |more: &[&str]| -> Called { class.call(&[&["results", &files[0], &files[1]], more].concat()) };
    for more in [&[][..], &["--regrade"]] {
        let plain = results(more);
        assert!(!plain.out.contains("**") && plain.out.contains("| ada | · |"), "{}", plain.out);
        assert_eq!(plain.out.matches("results --exam 'midterm'").count(), 2, "{}", plain.out);
        assert!(results(&["--format", "json"]).json()["questions"].as_array().unwrap().is_empty());
    }
    let csv = results(&["--format", "csv"]).out;
    let [head, ada, ..] = csv.lines().collect::<Vec<_>>()[..] else { panic!("{csv}") };
    assert!(head.ends_with(",pages,remarks") && ada.contains("from an exam"), "{csv}");
    let wrong = results(&["--exam", "midtrem"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("`midtrem`") && wrong.err.contains("from: midterm"), "{}", wrong.err);
    // One student hands in the file of another exam.
    fs::write(&files[1], fs::read_to_string(&files[1]).unwrap().replace("\"midterm\"", "\"final\"")).unwrap();
    let graded = results(&["--exam", "midterm"]);
    assert!(graded.out.contains("| ada | 4/6 (1) |") && graded.out.contains("from the exam `final`"), "{}", graded.out);
    assert!(graded.out.contains("| ben | · |"), "{}", graded.out);
    // A student's own program does not count the exam as a passed gate of the full course.
    let data = class.dir.path().join("ada");
    let course = class.course();
    let status = tutor(&["--course", course.to_str().unwrap(), "--data", data.to_str().unwrap(), "status", "--json"]);
    assert_eq!(status.json()["levels"][0]["passed"], false);
    let regraded =
        tutor(&["--course", course.to_str().unwrap(), "--data", data.to_str().unwrap(), "regrade", "--json"]);
    assert_eq!(regraded.json()["attempts"], json!([]));
}

#[test]
fn practice_with_the_full_course_changes_neither_the_draw_nor_the_grade() {
    let class = sat();
    class.edit(
        "modules/course.yaml",
        "quiz: first.yaml\n",
        "quiz: first.yaml\n    gate: { percent: 80, attempts: 1 }\n",
    );
    let path = |name: &str| class.dir.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("practice.yaml"), json!({ "text": "lane" }).to_string()).unwrap();
    let data = path("ada");
    let practised = tutor(&[
        "--course",
        class.course().to_str().unwrap(),
        "--data",
        &data,
        "quiz",
        "1",
        "--answers",
        &path("practice.yaml"),
    ]);
    assert_eq!(practised.code, Some(1), "{}", practised.err);
    let files = handed_in(&class, &["ada"]);
    let graded = class.call(&["results", &files[0], "--exam", "midterm", "--format", "json"]);
    let row = &graded.json()["gradebook"][0];
    assert_eq!((&row["levels"][0]["best"], &row["remarks"]), (&json!([4, 6]), &json!([])), "{}", graded.err);
    assert_eq!(row["levels"][0]["attempts"], 1);
    // A second attempt with one answer begins with those of the first one.
    let call = |arguments: &[&str]| {
        tutor(&[&["--course", &path("sealed"), "--data", &data, "--student", "ada"], arguments].concat())
    };
    let exam = |arguments: &[&str]| {
        let called = call(arguments);
        assert_eq!(called.code, Some(0), "{}", called.err);
        called
    };
    let second = ["quiz", "1", "--answers", &path("practice.yaml")];
    let refused = call(&second).err;
    assert!(refused.contains("Hand in the file") && !refused.contains("practise"), "{refused}");
    edit(Path::new(&path("sealed/modules/course.yaml")), "\"attempts\":1", "\"attempts\":2");
    exam(&second);
    assert!(!exam(&["export-progress", &path("again.json")]).err.contains("An attempt is open"));
    let again = class.call(&["results", &path("again.json"), "--exam", "midterm", "--format", "json"]).json();
    assert_eq!(again["gradebook"][0]["levels"][0]["best"], json!([4, 6]), "{again}");
    // Every level of an exam is open, and nothing says that an answer was right or wrong.
    exam(&["quiz", "2", "--answers", &path("practice.yaml")]);
    let status = exam(&["status"]).out;
    assert!(status.contains("answers kept") && !status.contains("best") && !status.contains("of 6"), "{status}");
    edit(Path::new(&path("sealed/modules/course.yaml")), "\"attempts\":2", "\"attempts\":3");
    call(&["quiz", "1"]);
    let log = exam(&["export-progress", "--log", "-"]);
    assert!(log.out.contains("answers kept") && log.err.contains("An attempt is open at: first."), "{}", log.err);
    let status = exam(&["status", "--json"]).json();
    assert_eq!((&status["exam"], &status["review"]["due"]), (&json!("midterm"), &json!(0)));
    assert_eq!((&status["levels"][0]["passed"], &status["levels"][0]["best"]), (&Value::Null, &Value::Null));
    // Of two attempts, the last one counts.
    let mut work: Value = serde_json::from_str(&fs::read_to_string(&files[0]).unwrap()).unwrap();
    let mut last = work["attempts"][1].clone();
    last["submitted_at"] = "2999-01-01T00:00:00Z".into();
    last["items"] = json!([]);
    work["attempts"].as_array_mut().unwrap().push(last);
    fs::write(&files[0], work.to_string()).unwrap();
    let graded = class.call(&["results", &files[0], "--exam", "midterm", "--format", "json"]).json();
    assert_eq!(graded["gradebook"][0]["levels"][0]["best"], json!([0, 6]));
    assert!(graded["gradebook"][0]["remarks"][0].as_str().unwrap().contains("2 attempts"), "{graded}");
}

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
    assert_eq!(tutor(&["new", &path("full"), "--id", "copy"]).code, Some(0));
    let made = tutor(&["--course", &path("full"), "seal", &path("sealed"), "--exam", "midterm"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let packed = tutor(&["pack", &path("sealed"), "--out", &path("sealed.course")]);
    assert_eq!(packed.code, Some(0), "{}", packed.err);
    assert!(made.err.contains("are questions of the built-in course"), "{}", made.err);
    let load = |name: &str| Course::load(&CourseSource::Directory(path(name).into()), "en");
    let (full, sealed) = (load("full"), load("sealed"));
    assert!(sealed.problems.is_empty(), "{:?}", sealed.problems);
    let (full, sealed) = (variants(&full), variants(&sealed));
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

/// A page that shows an exercise.
const EXERCISE_PAGE: &str = "  - id: do-it
    title: Now you
    tag: exercise
    objectives: [reuse]
    text: Repair this kernel.
    show: { exercise: strip }

  - id: summary
";

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
        answer:
          match:
            left: [{ id: n, text: warp, is: lanes }, { id: s, text: block, is: warps }, { id: w, text: grid, is: blocks }]
            right: [{ id: lanes, text: lanes }, { id: warps, text: warps }, { id: blocks, text: blocks }]
            why: A warp has 32 lanes.
        because: A block has up to 32 warps.
";

#[test]
fn a_course_asks_about_its_own_kernels_and_an_exam_leaves_their_edits_out() {
    let place = tempfile::tempdir().unwrap();
    let course = place.path().join("course");
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    assert_eq!(tutor(&["new", &path("course"), "--minimal", "--id", "own"]).code, Some(0));
    for (file, more) in [("kernels/catalog.yaml", ENTRY), ("quizzes/01-first.yaml", QUESTIONS)] {
        let text = fs::read_to_string(course.join(file)).unwrap();
        fs::write(course.join(file), text + more).unwrap();
    }
    assert_eq!(tutor(&["new", &path("course"), "--exercise", "strip"]).code, Some(0));
    edit(&course.join("modules/01-first.yaml"), "  - id: summary\n", EXERCISE_PAGE);
    write(&course, "kernels/notes.md", "The answer to own/a is the second barrier.");
    let shown = tutor(&["--course", &path("course"), "quiz", "1", "--export", "csv"]);
    assert!(shown.out.contains("A_tile[ty][tx] =") && shown.out.contains("1.5"), "{}{}", shown.out, shown.err);
    if std::env::var_os("MATMUL_TUTOR_NVRTC").is_none() {
        println!("skipped: MATMUL_TUTOR_NVRTC names no library");
        return;
    }
    let built = tutor(&["--course", &path("course"), "kernels", "build"]);
    assert_eq!(built.code, Some(0), "{}", built.err);
    let made = tutor(&["--course", &path("course"), "seal", &path("sealed"), "--exam", "midterm"]);
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
        &["check", &path("sealed")],
        &["pack", &path("sealed"), "--out", &path("sealed.course")],
    ] {
        let called = tutor(arguments);
        assert_eq!(called.code, Some(0), "{arguments:?}: {}{}", called.out, called.err);
    }
    // What would not be a course that `check` takes is not written.
    edit(&course.join("modules/01-first.yaml"), "exercise: strip", "exercise: other");
    let refused = tutor(&["--course", &path("course"), "seal", &path("again"), "--exam", "midterm"]);
    assert!(refused.code == Some(1) && refused.err.contains("There is no exercise `other`"), "{}", refused.err);
    edit(&course.join("modules/01-first.yaml"), "exercise: other", "exercise: strip");
    let report = tutor(&["check", &path("course"), "--json"]).json();
    let found: Vec<&str> = report["problems"].as_array().unwrap().iter().filter_map(|it| it["code"].as_str()).collect();
    assert_eq!(found.iter().filter(|code| **code == "claim-failed").count(), 1, "{report:#}");
    assert!(!found.contains(&"unknown-kernel") && !found.contains(&"predict-count"), "{report:#}");
    let counted = report["problems"].to_string();
    let counted = counted.split("the emulator counts ").nth(1).unwrap();
    let counted: String = counted.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let quiz = course.join("quizzes/01-first.yaml");
    edit(&quiz, "is: 1.5", &format!("is: {}", counted.trim_end_matches('.')));
    let report = tutor(&["check", &path("course"), "--json"]).json();
    assert_eq!(report["claims"]["failed"], 0, "{report:#}");
}
