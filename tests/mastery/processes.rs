//! The real command in processes of its own: killed, at once with others, without permission.

use crate::support::{entries, write_course};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tutor_support::t;

struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        write_course(&dir.path().join("course"), &[("one", 8), ("two", 8)]);
        Self { dir }
    }

    fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_matmul-tutor"));
        command.arg("--course").arg(self.dir.path().join("course")).arg("--data").arg(self.data()).args(args);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn status(&self) -> Value {
        let output = self.run(&["status", "--json"]);
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn answers(&self, right: usize) -> String {
        let file = self.dir.path().join(format!("answers-{right}.yaml"));
        let line = |slot| format!("s{slot}: {}\n", if slot <= right { "right" } else { "belief" });
        fs::write(&file, (1..=8).map(line).collect::<String>()).unwrap();
        file.to_str().unwrap().to_owned()
    }

    fn spawn_quiz(&self) -> Child {
        self.command(&["quiz", "one"]).stdin(Stdio::piped()).spawn().unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Reads the child's output until a line contains `what`. Returns that line.
fn wait_for(out: &mut impl BufRead, what: &str) -> String {
    let mut seen = String::new();
    loop {
        let at = seen.len();
        assert!(out.read_line(&mut seen).unwrap() > 0, "the output ended without `{what}`: {seen}");
        if seen[at..].contains(what) {
            return seen[at..].to_owned();
        }
    }
}

/// Selects the choice with this text by its letter, and gives it as the answer.
fn answer(out: &mut impl BufRead, input: &mut impl Write, text: &str) {
    let line = wait_for(out, text);
    writeln!(input, "{}\n", line.split_whitespace().next().unwrap()).unwrap();
}

/// The heading of a question, from 1 on, or of the review after the last one.
fn heading(number: usize) -> String {
    if number > 8 { t!("quiz-before-submit") } else { t!("quiz-question-of", number, count = 8) }
}

#[test]
fn an_attempt_killed_in_the_middle_goes_on_at_the_very_question() {
    let place = Place::new();
    let mut child = place.spawn_quiz();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut input = child.stdin.take().unwrap();
    for (number, text) in [(1, "yes it is"), (2, "a slip"), (3, "yes it is")] {
        wait_for(&mut out, &heading(number));
        answer(&mut out, &mut input, text);
    }
    wait_for(&mut out, &heading(4));
    child.kill().unwrap();
    child.wait().unwrap();

    assert_eq!(place.status()["levels"][0]["under_way"], true);
    let mut child = place.spawn_quiz();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut input = child.stdin.take().unwrap();
    for number in 4..=8 {
        wait_for(&mut out, &heading(number));
        answer(&mut out, &mut input, "yes it is");
    }
    wait_for(&mut out, &heading(9));
    writeln!(input, "2").unwrap();
    wait_for(&mut out, &heading(2));
    answer(&mut out, &mut input, "yes it is");
    wait_for(&mut out, &heading(3));
    writeln!(input, "r\nS").unwrap();
    let shown = wait_for(&mut out, &t!("outcome-passed", level = 1));
    assert!(shown.contains("8 of 8"), "{shown}");
    wait_for(&mut out, "Level two");
    // Leaving the result leaves the tutor, too.
    writeln!(input, "esc").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn killed_at_any_moment_no_answer_that_was_confirmed_is_lost() {
    let place = Place::new();
    let mut reached = 0;
    for round in 0..12 {
        let mut child = place.spawn_quiz();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut input = child.stdin.take().unwrap();
        wait_for(&mut out, &heading(reached + 1));
        // Killed while it stores: after 0, 1 or 2 answers, without waiting for the last.
        let answers = (round % 3).min(8 - reached);
        for _ in 0..answers {
            writeln!(input, "a\n").unwrap();
        }
        if answers == 2 {
            wait_for(&mut out, &heading(reached + 2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // The question after the confirmed answer was on the screen; the answer behind it may be stored or not.
        let output = place.run(&["quiz", "one"]);
        let shown = text(&output.stdout);
        let resumed = (1..=8).find(|number| shown.contains(&heading(*number))).unwrap_or(9) - 1;
        let confirmed = reached + usize::from(answers == 2);
        assert!((confirmed..=reached + answers).contains(&resumed), "{round}: {confirmed} {resumed}\n{shown}");
        reached = resumed;
    }
    assert!(reached > 3);
}

#[test]
fn many_processes_at_once_lose_nothing() {
    let place = Place::new();
    let answers = place.answers(8);
    let children: Vec<Child> =
        (0..8).map(|_| place.command(&["quiz", "one", "--answers", &answers, "--json"]).spawn().unwrap()).collect();
    let mut attempts: Vec<String> = Vec::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
        attempts.push(outcome["attempt"].as_str().unwrap().to_owned());
    }
    attempts.sort();
    attempts.dedup();
    assert_eq!(attempts.len(), 8);
    assert_eq!(place.status()["levels"][0]["attempts"], 8);
}

#[test]
fn a_quiz_is_taken_from_a_file_and_tells_the_reasons_and_the_exit_code() {
    let place = Place::new();
    let output = place.run(&["quiz", "1", "--answers", &place.answers(6), "--json", "--seed", "3"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    let told = ["level", "gate", "correct", "questions", "required", "passed", "unlocked"].map(|field| &outcome[field]);
    assert_eq!(serde_json::json!(told), serde_json::json!(["one", true, 6, 8, 7, false, []]));
    let missed = &outcome["items"][7];
    let told = ["slot", "correct", "page"].map(|field| &missed[field]);
    assert_eq!(serde_json::json!(told), serde_json::json!(["s8", false, "p1"]));
    assert!(missed["why"].as_str().unwrap().starts_with("That is the belief of 8"), "{missed}");
    assert!(missed["because"].is_null(), "a failed gate keeps its key: {missed}");
    assert!(outcome["items"][0]["why"].is_null());

    let output = place.run(&["quiz", "one", "--answers", &place.answers(7)]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("7 of 8 correct, 7 needed: passed.\nOpen now: Level two"), "{output:?}");
    let status = place.status();
    assert_eq!(status["levels"][1]["locked"], false);
    assert_eq!(status["levels"][0]["best"]["correct"], 7);
    let at = status["levels"][0]["best"]["at"].as_str().unwrap();
    assert!(at.parse::<jiff::Timestamp>().is_ok(), "{at}");
    let output = place.run(&["quiz", "one", "--practice", "--answers", &place.answers(0)]);
    assert_eq!(output.status.code(), Some(0), "practice never fails");
}

#[test]
fn the_questions_are_shown_as_a_form_that_can_be_filled_in() {
    let place = Place::new();
    let output = place.run(&["quiz", "one", "--seed", "42", "--show"]);
    let form = text(&output.stdout);
    assert!(!form.contains("correct") && !form.contains("That is the"), "{form}");
    let filled: String = form
        .lines()
        .map(|line| if line.starts_with('s') { line.replace(':', ": right") } else { line.into() } + "\n")
        .collect();
    let file = place.dir.path().join("form.yaml");
    fs::write(&file, filled).unwrap();
    let output = place.run(&["quiz", "one", "--seed", "42", "--answers", file.to_str().unwrap(), "--json"]);
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(outcome["correct"], 8);
    // The same seed drew the same variants.
    let shown = place.run(&["quiz", "one", "--seed", "42", "--show", "--json"]);
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    for (question, item) in shown["questions"].as_array().unwrap().iter().zip(outcome["items"].as_array().unwrap()) {
        assert_eq!(question["variant"], item["variant"]);
        assert_eq!(question["kind"]["single"]["choices"].as_array().unwrap().len(), 3);
    }
    // Filled in in part, what is missing is missed.
    fs::write(&file, form.replacen("s2:", "s2: right", 1)).unwrap();
    let output = place.run(&["quiz", "one", "--seed", "42", "--answers", file.to_str().unwrap(), "--json"]);
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(outcome["correct"], 1);
    assert_eq!(outcome["items"][0]["why"], "Not answered.");
    // Not filled in at all, it was handed in by mistake.
    fs::write(&file, form).unwrap();
    let attempts = place.status()["levels"][0]["attempts"].clone();
    let output = place.run(&["quiz", "one", "--seed", "42", "--answers", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("form.yaml contains no answer, so nothing was graded."), "{output:?}");
    assert_eq!(place.status()["levels"][0]["attempts"], attempts);
}

#[test]
fn a_wrong_call_is_told_with_exit_2_and_counts_nothing() {
    let place = Place::new();
    let bad = |name: &str, text: &str| {
        let file = place.dir.path().join(name);
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    for (args, says) in [
        (vec!["quiz", "nine"], "There is no level `nine`"),
        (vec!["quiz", "0"], "There is no level"),
        (vec!["quiz", "two"], "locked: pass the quiz of level 1 (Level one)"),
        (vec!["quiz", "one", "--answers", "/nowhere.yaml"], "cannot be read"),
        (vec!["quiz", "one", "--answers", &bad("a", "s1: [")], "cannot be read"),
        (vec!["quiz", "one", "--answers", &bad("b", "s1: right\ns1: slip")], "cannot be read"),
        (vec!["quiz", "one", "--answers", &bad("c", "s77: right")], "`s77`, which is not a slot"),
        (vec!["quiz", "one", "--answers", &bad("d", "s1: y")], "`y` is not one of the choices"),
        (vec!["quiz", "one", "--answers", &bad("e", "s1: { a: b }")], "takes the id of one choice"),
        (vec!["quiz", "one", "--answers", &bad("f", "")], "f contains no answer, so nothing was graded."),
        (vec!["quiz", "one", "--answers", "/dev/null"], "it is a device, not a file"),
        (vec!["status", "--theme", "pink"], "[possible values: dark, light, sixteen, mono]"),
        (vec!["run", "sgemm_tiled", "--seconds", "-1"], "it takes seconds from 0 to 3600"),
        (vec!["run", "sgemm_tiled", "--limit", "0"], "it takes seconds from 0.01 to 86400"),
        (vec!["bench", "--seconds", "soon"], "it takes seconds from 0.001 to 3600"),
        (vec!["bench", "--longest", "-1"], "it takes milliseconds from 0.01 to 600000"),
        (vec!["bench", "--tune", "sgemm_sweep", "--seconds", "0"], "it takes seconds from 0.001 to 3600"),
    ] {
        let output = place.run(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(text(&output.stderr).contains(says), "{args:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty(), "{args:?}: {}", text(&output.stdout));
    }
    assert_eq!(place.status()["levels"][0]["attempts"], 0);
}

/// With `--json`, the lines go to standard error, and standard output has the document alone.
#[test]
fn a_quiz_taken_by_a_script_line_by_line_ends_with_its_document() {
    let place = Place::new();
    // The second one submits although questions are open, which takes two times S.
    for (lines, code, counted) in [("a\n\n", 130, None), ("r\nS\nS\n", 0, Some(8))] {
        let mut child = place.command(&["quiz", "one", "--practice", "--json"]).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["questions"].as_u64(), counted, "{document}");
        assert_eq!(text(&output.stderr).contains(&t!("cli-quiz-waits")), code == 130, "{output:?}");
    }
}

#[test]
fn a_quiz_edited_under_way_is_closed_with_its_reason_and_a_new_one_follows() {
    let place = Place::new();
    place.run(&["quiz", "one"]);
    let file = place.dir.path().join("course/quizzes/one.yaml");
    let edited = fs::read_to_string(&file).unwrap().replace("id: slip", "id: lapse");
    fs::write(&file, edited).unwrap();
    let output = place.run(&["quiz", "one"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("The quiz has been edited since"), "{output:?}");
    let output = place.run(&["quiz", "one"]);
    assert!(text(&output.stdout).contains(&heading(1)), "{output:?}");
    assert!(!text(&output.stdout).contains("continues"), "{output:?}");
}

#[test]
fn a_newer_progress_file_is_refused_by_the_command() {
    let place = Place::new();
    place.status();
    let raw = rusqlite::Connection::open(place.data().join("progress.sqlite3")).unwrap();
    raw.pragma_update(None, "user_version", 99).unwrap();
    drop(raw);
    let output = place.run(&["status"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("A newer matmul-tutor wrote"), "{output:?}");
}

/// Progress that can be read but not written is shown. A quiz whose result cannot be saved fails.
#[cfg(unix)]
#[test]
fn without_permission_to_write_the_progress_there_is_still_shown() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    let place = Place::new();
    place.run(&["quiz", "one", "--answers", &place.answers(7)]);
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    // Root may write anywhere, so nobody runs a copy. No child of another test can inherit what `cp` writes: such a file is busy.
    let program = place.dir.path().join("matmul-tutor");
    assert!(Command::new("cp").arg(env!("CARGO_BIN_EXE_matmul-tutor")).arg(&program).status().unwrap().success());
    entries(&place.data()).iter().for_each(|path| mode(path, 0o444));
    mode(&place.data(), 0o555);
    mode(place.dir.path(), 0o755);
    // SAFETY: geteuid has no preconditions.
    let root = unsafe { libc::geteuid() } == 0;
    let run = |args: &[&str]| {
        let mut command = Command::new(&program);
        if root {
            command.uid(65534).gid(65534);
        }
        let dirs = [place.dir.path().join("course"), place.data()];
        command.arg("--course").arg(&dirs[0]).arg("--data").arg(&dirs[1]).args(args).stdin(Stdio::null());
        command.output().unwrap()
    };
    let status = run(&["status", "--json"]);
    assert_eq!(status.status.code(), Some(0), "{status:?}");
    let warning = text(&status.stderr);
    assert_eq!(warning.matches("Progress cannot be written to").count(), 1, "{warning}");
    let shown: Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(shown["levels"][0]["best"]["correct"], 7);
    assert_eq!(shown["levels"][1]["locked"], false);
    let quiz = run(&["quiz", "two", "--answers", &place.answers(8)]);
    assert_eq!((quiz.status.code(), quiz.stdout.len()), (Some(2), 0), "{quiz:?}");
    assert!(text(&quiz.stderr).contains("Progress cannot be written to"), "{quiz:?}");
    mode(&place.data(), 0o755);
    assert_eq!(place.status()["levels"][1]["attempts"], 0);
}

/// Told that there is no memory, the program may end as it must; what it said is so, and the file is sound.
#[cfg(target_os = "linux")]
#[test]
fn with_little_memory_the_program_says_nothing_that_is_not_so() {
    let place = Place::new();
    let answers = place.answers(7);
    let (mut stored, mut graded) = (0, 0);
    for mebibytes in [8, 16, 24, 32, 48, 64, 96, 128, 256, 1024] {
        let quiz = place.command(&["quiz", "one", "--answers", &answers, "--json"]);
        let mut limited = Command::new("sh");
        limited.args(["-c", &format!("ulimit -v {}; exec \"$0\" \"$@\"", mebibytes << 10)]);
        limited.arg(quiz.get_program()).args(quiz.get_args());
        let output = limited.stdin(Stdio::null()).output().unwrap();
        assert!(output.status.code() != Some(101), "{mebibytes} MiB: a panic: {output:?}");
        let attempts = place.status()["levels"][0]["attempts"].as_u64().unwrap();
        let told = output.status.code() == Some(0);
        graded += u32::from(told);
        assert!(attempts - stored <= 1 && (!told || attempts == stored + 1), "{mebibytes} MiB: {output:?}");
        stored = attempts;
    }
    assert!(graded > 0, "no size was enough");
}

#[test]
fn the_reader_may_leave_early() {
    let place = Place::new();
    let mut child = place.command(&["quiz", "one", "--show"]).spawn().unwrap();
    let mut first = [0; 8];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn what_is_piped_has_no_escapes_and_lines_that_end_at_words() {
    let place = Place::new();
    let output = place.run(&["quiz", "one"]);
    let shown = text(&output.stdout);
    // Without input, the quiz waits at its first question.
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
    let mut after_the_welcome = shown.lines().skip(1);
    assert!(after_the_welcome.all(|line| line.chars().count() < 80) && shown.contains(&heading(1)), "{shown}");
}
