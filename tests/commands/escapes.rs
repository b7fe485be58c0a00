//! No text of a stranger reaches the terminal as anything but text: courses, kernels, paths and workers full of escape
//! sequences, bidirectional and invisible characters, through every command.

use super::shared::{self, write};
use course_check as author;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;
use std::sync::LazyLock;
use tutor_course::{Course, CourseSource, Files};
use tutor_kernels::Catalog;
use tutor_support::text::is_forbidden;

/// Writes to the clipboard, sets a title and colours, turns the direction of writing, hides.
const HOSTILE: &str = "\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}]0;t\u{7}\u{1b}[31m\u{9b}31m\u{8}\u{7f}\u{202e}\u{200b}\u{e0041}";
/// The same in a double-quoted text of YAML.
const ESCAPED: &str = r"\e]52;c;ZXZpbA==\a\e]0;t\a\e[31m\x9b31m\b\x7f\u202e\u200b\U000e0041";

/// The files of a small course with a kernel of its own.
fn files() -> Vec<(String, String)> {
    let root = shared::root().join("tests/commands/evil");
    let name = |path: &Path| path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
    shared::files(&root, "").iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// The text of one of them.
fn text(name: &str) -> String {
    files().into_iter().find(|(known, _)| known == name).unwrap().1
}

fn base(root: &Path) {
    for (path, text) in files() {
        write(root, &path, text);
    }
}

/// What a call writes to both streams, with an optional worker.
fn said(arguments: &[&str], directory: &Path, worker: Option<&str>) -> (String, String) {
    let mut command = shared::program();
    command.args(arguments).current_dir(directory).envs(worker.map(|worker| ("MATMUL_TUTOR_WORKER", worker)));
    let called = super::called(command.stdin(Stdio::null()));
    (called.out, called.err)
}

#[track_caller]
fn is_text(arguments: &[&str], about: &str, (out, err): (String, String)) {
    for said in [&out, &err] {
        assert!(!said.contains(is_forbidden), "{arguments:?} with {about}: {said:?}");
    }
    if arguments.contains(&"--json") && out.trim_start().starts_with('{') {
        let parsed = serde_json::from_str::<serde_json::Value>(&out);
        assert!(parsed.is_ok(), "{arguments:?} with {about}: {out}");
    }
}

/// Commands that read a course, with what stands for its directory and the data's.
static COMMANDS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| commands(include_str!("escapes/course.txt")));

fn commands(lines: &str) -> Vec<Vec<&str>> {
    lines.lines().map(|line| line.split(' ').collect()).collect()
}

fn filled(command: &[&str], course: &str) -> Vec<String> {
    command.iter().map(|word| word.replace("COURSE", course).replace("DATA", "data")).collect()
}

fn call(command: &[&str], course: &str, directory: &Path, about: &str) {
    let arguments = filled(command, course);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    is_text(&arguments, about, said(&arguments, directory, None));
}

/// The text with the scalar of one line made hostile, in each way that there is; none for a line that has none.
fn hostile(text: &str, line: usize) -> Option<[String; 4]> {
    let lines: Vec<&str> = text.lines().collect();
    let (before, after) = lines.get(line)?.split_once(": ")?;
    let (indent, key) = before.split_at(before.find(|c: char| c.is_ascii_alphabetic())?);
    let with = |line_text: String| {
        let mut lines: Vec<&str> = lines.clone();
        lines[line] = &line_text;
        lines.join("\n") + "\n"
    };
    Some([
        with(format!("{before}: \"{after}{HOSTILE}\"")),
        with(format!("{before}: \"{ESCAPED}{}\"", after.replace('"', ""))),
        with(format!("{indent}\"{key}{ESCAPED}\": {after}")),
        with(format!("{before}: !\"{ESCAPED}\" *x{HOSTILE}")),
    ])
}

#[test]
fn the_tutor_and_the_emulator_hide_the_same_characters() {
    let differs = |c: &char| ptx_emulator::text::is_forbidden(*c) != is_forbidden(*c);
    assert_eq!((char::MIN..=char::MAX).find(differs), None);
}

#[test]
fn every_field_and_key_of_a_hostile_course_is_text() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("course");
    base(&root);
    write(&root, "answers.yaml", format!("\"s1{ESCAPED}\": \"{ESCAPED}\"\n"));
    let mut commands = COMMANDS.iter().cycle();
    let mut tried = 0;
    for (path, text) in files().iter().filter(|(path, _)| path.ends_with(".yaml")) {
        for (line, changed) in (0..text.lines().count()).filter_map(|line| Some((line, hostile(text, line)?))) {
            for changed in &changed {
                write(&root, path, changed);
                let about = format!("{path}:{}", line + 1);
                is_text(&[], &about, (problems(&root), String::new()));
                tried += 1;
            }
            // One of the changes meets one of the commands; the neighbours meet the others.
            write(&root, path, &changed[line % changed.len()]);
            call(commands.next().unwrap(), "course", dir.path(), &format!("{path}:{}", line + 1));
        }
        write(&root, path, text);
    }
    assert!(tried > 150, "{tried}");
}

/// All that the library tells of a course and its kernels, as it would be printed.
fn problems(root: &Path) -> String {
    let source = CourseSource::Directory(root.to_owned());
    let (catalog, found) = Catalog::of_course(Some(root));
    let told = author::check(&Files::read(&source, |_| true), &catalog, &found);
    let shown = told.iter().map(|problem| format!("{problem}\n{}\n", author::render(problem, false)));
    let found = found.iter().map(|problem| format!("{problem} {:?}", problem.help.as_deref().unwrap_or_default()));
    let course = Course::load(&source, "en");
    let titles = course.levels.iter().map(|level| level.title.clone() + &level.question);
    shown.chain(found).chain(titles).collect()
}

#[test]
fn hostile_sources_and_ptx_are_text_through_every_command() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("course");
    let ptx = text("assets/ptx/evk.ptx");
    for (path, text, which) in [
        ("assets/ptx/evk.ptx", ptx.replace("EVIL", HOSTILE), &["course", "run"][..]),
        ("assets/ptx/evk.ptx", ptx.replace("trap", &format!("trap{HOSTILE}")), &["run"]),
        ("assets/ptx/evk.ptx", ptx.replace(".entry k", &format!(".entry {HOSTILE}")), &["course", "run"]),
        (
            "kernels/evk.cu",
            format!("{}// [region {HOSTILE}]\n", text("kernels/evk.cu")),
            &["course", "bench", "doctor"],
        ),
        ("answers.yaml", format!("{HOSTILE}: ["), &["quiz"]),
    ] {
        base(&root);
        write(&root, path, &text);
        for command in COMMANDS.iter().filter(|command| which.contains(&command[0])) {
            call(command, "course", dir.path(), path);
        }
    }
    for arguments in [
        &["emulate", "course/assets/ptx/evk.ptx", "--entry", "k"][..],
        &["emulate", "course/assets/ptx/evk.ptx", "--entry", "k", "--json"],
    ] {
        write(&root, "assets/ptx/evk.ptx", ptx.replace("EVIL", HOSTILE));
        is_text(arguments, ".file", said(arguments, dir.path(), None));
    }
}

#[test]
fn hostile_paths_and_arguments_are_text_through_every_command() {
    let dir = tempfile::tempdir().unwrap();
    let name = format!("x{}", HOSTILE.replace('/', ""));
    base(&dir.path().join(&name));
    for command in COMMANDS.iter() {
        call(command, &name, dir.path(), "a hostile directory");
        call(command, &format!("{name}-that-is-not-there"), dir.path(), "a hostile directory that is not there");
    }
    for command in commands(include_str!("escapes/argument.txt")) {
        call(&command, &name, dir.path(), "a hostile argument");
    }
}

#[test]
fn a_hostile_worker_is_text_through_every_command() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("course");
    base(&root);
    let e = r"\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b31m\u202e\u200b\r\b";
    let device = format!(r#"{{"kind":"emulator","name":"SIMT{e}","driver":null,"capability":null}}"#);
    let description = format!(
        r#"{{"description":{{"device":{device},"why_not_cuda":"no {e}","cuda":null,"nvrtc":{{"Err":"{e}"}},"cublas":{{"Err":"{e}"}}}}}}"#
    );
    let replies = [
        format!(r#"{{"note":{{"id":1,"text":"note {e}"}}}}"#),
        format!(r#"{{"failed":{{"id":1,"error":{{"kind":"invalid","message":"message {e}","help":"help {e}"}}}}}}"#),
    ];
    let script = format!(
        "#!/bin/sh\nprintf '\\033]0;t\\007\\033[31m hello \\302\\233\\n' >&2\nwhile read -r line; do case \"$line\" in\n\
         *describe*) cat <<'E'\n{description}\nE\n;;\n*) cat <<'E'\n{}\nE\n;;\nesac; done\n",
        replies.join("\n")
    );
    let worker = dir.path().join("worker.sh");
    std::fs::write(&worker, script).unwrap();
    std::fs::set_permissions(&worker, std::fs::Permissions::from_mode(0o755)).unwrap();
    let dying = dir.path().join("dying.sh");
    std::fs::write(&dying, "#!/bin/sh\nprintf '\\033]0;t\\007\\342\\200\\256 gone\\n'; exit 3\n").unwrap();
    std::fs::set_permissions(&dying, std::fs::Permissions::from_mode(0o755)).unwrap();
    for worker in [worker.to_str().unwrap(), dying.to_str().unwrap()] {
        for command in commands(include_str!("escapes/worker.txt")) {
            is_text(&command, worker, said(&command, dir.path(), Some(worker)));
        }
    }
}

#[test]
fn the_log_is_text_too() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("course");
    base(&root);
    let hostile = text("kernels/catalog.yaml").replace("file: evk.cu", &format!("file: \"evk{ESCAPED}.cu\""));
    write(&root, "kernels/catalog.yaml", &hostile);
    said(&["--plain", "--course", "course", "--data", "data"], dir.path(), None);
    let log = std::fs::read_to_string(dir.path().join("data/tutor.log")).unwrap();
    assert!(log.contains("kernels/catalog.yaml") && !log.contains(is_forbidden), "{log:?}");
}
