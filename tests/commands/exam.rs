//! Exams: what students hand in, and what counts.

use super::class::Class;
use super::shared::edit;
use super::{Called, tutor, tutor_in};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tutor_support::t;

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
    let sealed = class.dir.path().join("sealed");
    let made = class.call(&["course", "seal", sealed.to_str().unwrap(), "--exam", "midterm"]);
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
    let given = json!({ "single": "right", "multiple": ["row", "broadcast"], "text": "warp", "cloze": ["warpSize", "32"],
        "order": ["load", "wait", "multiply", "free"] });
    fs::write(&answers, given.to_string()).unwrap();
    let take = |student: &str, more: &[&str]| {
        exam(student, &[&["quiz", "1", "--json", "--answers", answers.to_str().unwrap()], more].concat())
    };
    assert!(take("nobody", &[]).err.contains("--student NAME"));
    assert!(take("ada", &["--practice"]).err.contains(&t!("mastery-exam-practice")));
    let taken = take("ada", &["--seed", "1"]);
    assert_eq!(taken.code, Some(0), "{}", taken.err);
    // An exam knows no marks: they are null.
    let unknown = |attempt: &Value, marks: &[&str]| {
        let no_mark = |of: &Value, marks: &[&str]| marks.iter().all(|mark| of.get(mark) == Some(&Value::Null));
        assert!(no_mark(attempt, marks), "{attempt:#}");
        assert!(attempt["items"].as_array().unwrap().iter().all(|item| no_mark(item, &["correct", "why"])));
    };
    assert_eq!(taken.json()["ungraded"], true);
    unknown(&taken.json(), &["correct", "required", "passed"]);
    for format in ["gift", "moodle-xml", "qti"] {
        let exported = exam("ada", &["quiz", "1", "--export", format]);
        assert_eq!((exported.code, exported.out.as_str()), (Some(2), ""));
        assert!(exported.err.contains("Give the full course with `--course`"), "{}", exported.err);
    }
    let shown = exam("a'b", &["quiz", "1", "--show"]).out;
    assert!(shown.contains("/sealed ") && shown.contains(r"'--student=a'\''b' --answers FILE"), "{shown}");
    assert!(!shown.contains("--seed"), "{shown}");
    assert_eq!(take("ben", &[]).code, Some(0));
    let work = |student: &str, name: &str| {
        let file = class.dir.path().join(format!("{name}.json"));
        assert_eq!(exam(student, &["export-progress", file.to_str().unwrap()]).code, Some(0));
        file
    };
    let (ada, ben) = (work("ada", "ada"), work("ben", "ben"));
    let kept: Value = serde_json::from_str(&fs::read_to_string(&ada).unwrap()).unwrap();
    unknown(&kept["attempts"][0], &["correct", "required"]);
    // Somebody hands in another's draw.
    let stolen = fs::read_to_string(&ada).unwrap().replace("\"ada\"", "\"zoe\"");
    let zoe = class.dir.path().join("zoe.json");
    fs::write(&zoe, stolen).unwrap();
    let [ada, ben, zoe] = [&ada, &ben, &zoe].map(|file| file.to_str().unwrap());
    let graded = class.call(&["class", "results", ada, ben, zoe, "--exam", "midterm", "--format", "json"]);
    assert_eq!(graded.code, Some(0), "{}", graded.err);
    let best: Vec<Value> =
        graded.json()["gradebook"].as_array().unwrap().iter().map(|row| row["levels"][0]["best"].clone()).collect();
    // The questions of another draw get no marks, even if they are the same.
    assert_eq!(best, [json!([4, 6]), json!([4, 6]), Value::Null]);
    assert!(graded.err.contains("zoe: One attempt at first does not count. It was not drawn"), "{}", graded.err);
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
    assert_eq!(class.call(&["course", "seal", &path("sealed"), "--exam", "midterm"]).code, Some(0));
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
        let called = class.call(&["class", "results", &path("forged.json"), "--exam", "midterm", "--format", "json"]);
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
    for (field, value) in [("kind", json!("practice")), ("level", json!("third")), ("seed", json!(7))] {
        for known in [true, false] {
            let elsewhere = |attempt: &mut Value| {
                if known {
                    easy(attempt);
                }
                attempt[field] = value.clone();
            };
            let (best, remarks) = graded(field, &elsewhere);
            assert!(best.is_null() && remarks == 1, "{field} {known} {remarks}");
        }
    }
    // The same attempts say nothing beside one that counts, so a remark names them.
    let mut work = honest.clone();
    for (field, value) in [("kind", json!("practice")), ("seed", json!(7)), ("level", json!("third"))] {
        let mut other = honest["attempts"][0].clone();
        other[field] = value;
        work["attempts"].as_array_mut().unwrap().push(other);
    }
    work.as_object_mut().unwrap().remove("exam");
    fs::write(path("forged.json"), work.to_string()).unwrap();
    for format in ["markdown", "csv", "json"] {
        let out = class.call(&["class", "results", &path("forged.json"), "--exam", "midterm", "--format", format]).out;
        for remark in
            ["2 attempts at first do not count", "One attempt at third does not count", "does not name its exam"]
        {
            assert!(out.contains(remark), "{out}");
        }
        assert!(!out.contains("parentheses") && !out.contains("first attempts"), "{out}");
    }
    (work["attempts"], work["exam"]) = (json!([]), json!("midterm"));
    fs::write(path("forged.json"), work.to_string()).unwrap();
    let nothing = class.call(&["class", "results", &path("forged.json"), "--exam", "midterm"]).out;
    assert!(nothing.contains(&t!("seal-nothing")), "{nothing}");
    // One student hands in two files.
    let twice = class.call(&["class", "results", &path("ada.json"), &path("forged.json"), "--exam", "midterm"]);
    assert_eq!(twice.out.matches("There is more than one file of this student.").count(), 2, "{}", twice.out);
    for arguments in
        [["course", "seal", &path("unnamed"), "--exam", " "], ["class", "results", &path("ada.json"), "--exam", ""]]
    {
        assert_eq!(class.call(&arguments).code, Some(2));
    }
}

/// Seals the fixture for the exam `midterm`, and lets each student take it. Returns their files.
fn handed_in(class: &Class, students: &[&str]) -> Vec<String> {
    let path = |name: &str| class.dir.path().join(name).to_str().unwrap().to_owned();
    assert_eq!(class.call(&["course", "seal", &path("sealed"), "--exam", "midterm"]).code, Some(0));
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
    let results =
        |more: &[&str]| -> Called { class.call(&[&["class", "results", &files[0], &files[1]], more].concat()) };
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
    assert!(graded.out.contains("| ada | 4/6 |") && graded.out.contains("from the exam `final`"), "{}", graded.out);
    assert!(graded.out.contains("| ben | · |"), "{}", graded.out);
    // A student's own program does not count the exam as a passed gate of the full course.
    let (data, course) = (class.dir.path().join("ada"), class.course());
    let full = ["--course", course.to_str().unwrap(), "--data", data.to_str().unwrap()];
    let call = |words: &[&str]| tutor(&[&full[..], words].concat()).json();
    assert_eq!(call(&["status", "--json"])["levels"][0]["passed"], false);
    assert_eq!(call(&["class", "results", "--regrade", "--format", "json"])["attempts"], json!([]));
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
    let course = class.course();
    let full = ["--course", course.to_str().unwrap(), "--data", &data];
    let practised = tutor(&[&full[..], &["quiz", "1", "--answers", &path("practice.yaml")]].concat());
    assert_eq!(practised.code, Some(1), "{}", practised.err);
    let files = handed_in(&class, &["ada"]);
    let graded = class.call(&["class", "results", &files[0], "--exam", "midterm", "--format", "json"]);
    let row = &graded.json()["gradebook"][0];
    assert_eq!((&row["levels"][0]["best"], row["remarks"].as_array().unwrap().len()), (&json!([4, 6]), 1), "{row:#}");
    assert!(row["remarks"][0].as_str().unwrap().contains("not from this exam"), "{row:#}");
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
    assert!(refused.contains(&t!("seal-hand-in")) && !refused.contains("practise"), "{refused}");
    edit(Path::new(&path("sealed/modules/course.yaml")), "\"attempts\":1", "\"attempts\":2");
    exam(&second);
    assert!(!exam(&["export-progress", &path("again.json")]).err.contains("An attempt is open"));
    let again = class.call(&["class", "results", &path("again.json"), "--exam", "midterm", "--format", "json"]).json();
    assert_eq!(again["gradebook"][0]["levels"][0]["best"], json!([4, 6]), "{again}");
    // Every level of an exam is open, and nothing says that an answer was right or wrong.
    exam(&["quiz", "2", "--answers", &path("practice.yaml")]);
    let status = exam(&["status"]).out;
    assert!(
        status.contains(&t!("seal-answers-kept")) && !status.contains("best") && !status.contains("of 6"),
        "{status}"
    );
    edit(Path::new(&path("sealed/modules/course.yaml")), "\"attempts\":2", "\"attempts\":3");
    call(&["quiz", "1"]);
    let log = exam(&["export-progress", "--log", "-"]);
    assert!(
        log.out.contains(&t!("seal-answers-kept")) && log.err.contains("An attempt is open at: first."),
        "{}",
        log.err
    );
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
    let graded = class.call(&["class", "results", &files[0], "--exam", "midterm", "--format", "json"]).json();
    assert_eq!(graded["gradebook"][0]["levels"][0]["best"], json!([0, 6]));
    assert!(graded["gradebook"][0]["remarks"].to_string().contains("2 attempts"), "{graded}");
}
