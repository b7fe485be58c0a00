//! The commands of docs/authoring.md and docs/classes.md work as written, and so does everything that `new` writes.
#![cfg(unix)]

use super::docs::text;
use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The fenced blocks: the words after the first fence, and the text.
fn blocks() -> Vec<(String, String)> {
    let text = text("docs/authoring.md") + &text("docs/classes.md");
    let (mut blocks, mut open) = (Vec::new(), None);
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => open = Some((info.to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, block))) => *block += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    blocks
}

/// True if the program can compile, and NVRTC is available.
fn compiles() -> bool {
    cfg!(feature = "cuda") && std::env::var_os("MATMUL_TUTOR_NVRTC").is_some()
}

fn tutor(place: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_matmul-tutor"));
    command.current_dir(place).stdin(Stdio::null()).env("XDG_DATA_HOME", place.join("data"));
    command
}

/// Runs the command of a line and returns its output. Handles the quotes and the redirection of the shell.
fn call(place: &Path, line: &str) -> String {
    let (line, to) = line.split_once(" > ").map_or((line, None), |(line, to)| (line, Some(to)));
    let words = line.split_whitespace().map(|word| word.trim_matches('"'));
    let output = tutor(place).args(words).output().unwrap();
    let said = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8(bytes.clone()).unwrap());
    // Without a terminal, `preview` reports that after it has found what to show.
    let preview = line.starts_with("course preview");
    assert_eq!(output.status.code(), Some(if preview { 2 } else { 0 }), "{line}\n{}\n{}", said[0], said[1]);
    let terminal = if line.ends_with("--lang ko") { "터미널" } else { "terminal" };
    assert!(!preview || said[1].contains(terminal), "{line}\n{}", said[1]);
    if let Some(to) = to {
        std::fs::write(place.join(to), &output.stdout).unwrap();
    }
    said.concat()
}

/// Runs a command that watches files, and ends it once it reports that it waits.
fn call_until_it_waits(place: &Path, line: &str) {
    let mut child =
        tutor(place).args(line.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("runs again when a file")), "{line}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_guide_for_authors_says_what_works() {
    let (place, mut called, mut written) = (tempfile::tempdir().unwrap(), 0, 0);
    for (info, block) in blocks() {
        if let Some((_, file)) = info.split_once(" write=") {
            let path = place.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, &block).unwrap();
            written += 1;
        }
        if let Some(file) = info.strip_prefix("yaml append=") {
            let path = place.path().join(file);
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::write(path, text + &block).unwrap();
            written += 1;
        }
        // Some blocks need a compiler.
        if info != "sh" && (info != "sh nvrtc" || !compiles()) {
            continue;
        }
        for line in block.lines().filter_map(|line| line.strip_prefix("matmul-tutor ")) {
            if line.ends_with("--watch") {
                call_until_it_waits(place.path(), line);
            } else {
                call(place.path(), line);
            }
            called += 1;
        }
    }
    assert!(called >= 27 && written == 12, "{called} {written}");
}

/// Returns every file of a course with its content, sorted.
fn files(course: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    crate::shared::files(course, "").into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// Returns the places at which a value does not match a schema of draft 7.
fn misfits(schema: &Value, value: &Value, root: &Value, at: &str) -> Vec<String> {
    let each = |field: &str| schema[field].as_array().into_iter().flatten();
    let fits = |option: &&Value| misfits(option, value, root, at).is_empty();
    let is = |kind: &str| match kind {
        "string" => value.is_string(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => value.is_null(),
    };
    let mut found = Vec::new();
    let mut tell = |what: &str| found.push(format!("{at}: {what}"));
    let kinds: Vec<&str> = schema["type"].as_str().into_iter().chain(each("type").filter_map(Value::as_str)).collect();
    if !kinds.is_empty() && !kinds.iter().any(|kind| is(kind)) {
        tell(&format!("not of type {kinds:?}"));
    }
    if schema.get("const").is_some_and(|only| only != value) {
        tell("another name");
    }
    if schema["enum"].is_array() && !each("enum").any(|known| known == value) {
        tell(&format!("{value} is not one of {}", schema["enum"]));
    }
    if schema["anyOf"].is_array() && !each("anyOf").any(|option| fits(&option)) {
        tell(&format!("{value} fits none of `anyOf`"));
    }
    if schema["oneOf"].is_array() && each("oneOf").filter(fits).count() != 1 {
        let of_one = each("oneOf").flat_map(|option| misfits(option, value, root, at));
        tell(&format!("fits not exactly one: {:?}", of_one.collect::<Vec<_>>()));
    }
    for name in each("required").filter_map(Value::as_str).filter(|name| value.get(name).is_none() && is("object")) {
        tell(&format!("lacks {name}"));
    }
    let definition = schema["$ref"].as_str().and_then(|path| root.pointer(&path[1..]));
    for part in definition.into_iter().chain(each("allOf")) {
        found.extend(misfits(part, value, root, at));
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        let of = schema["properties"].get(name).or_else(|| schema.get("additionalProperties"));
        match of {
            Some(Value::Bool(false)) => found.push(format!("{at}: {name} is not known")),
            Some(of) => found.extend(misfits(of, inner, root, &format!("{at}.{name}"))),
            None => {}
        }
    }
    for (inner, index) in value.as_array().into_iter().flatten().zip(0..) {
        found.extend(misfits(&schema["items"], inner, root, &format!("{at}[{index}]")));
    }
    found
}

#[test]
fn every_file_of_a_copy_fits_the_schema_of_that_course() {
    let place = tempfile::tempdir().unwrap();
    call(place.path(), "course new copy --id matmul-2026");
    call(place.path(), "course new copy --kernel my_tile");
    let course = place.path().join("copy");
    let list = course.join("modules/course.yaml");
    let text = std::fs::read_to_string(&list).unwrap();
    std::fs::write(&list, text.replacen("    quiz:", "    requires: { exercise: [any] }\n    quiz:", 1)).unwrap();
    let mut checked = std::collections::BTreeMap::new();
    for (path, bytes) in files(&course) {
        let name = path.strip_prefix(&course).unwrap().to_string_lossy().into_owned();
        if !name.ends_with(".yaml") {
            continue;
        }
        let kind = match name.split('/').collect::<Vec<_>>()[..] {
            [.., "course.yaml"] => "course",
            ["modules", ..] => "lesson",
            ["quizzes", ..] => "quiz",
            [.., "catalog.yaml"] => "catalog",
            [.., "exercise.yaml"] => "exercise",
            ["kernels", "exercises", ..] => "exercise-edition",
            _ => "catalog-edition",
        };
        let (schema, count) = checked.entry(kind).or_insert_with(|| {
            let schema = call(place.path(), &format!("course schema {kind} --course copy"));
            (serde_json::from_str::<Value>(&schema).unwrap(), 0)
        });
        let value: Value = tutor_support::yaml::read_typed(std::str::from_utf8(&bytes).unwrap()).unwrap();
        assert_eq!(misfits(schema, &value, schema, &name), [""; 0]);
        *count += 1;
    }
    assert!(checked["quiz"].1 >= 8 && checked["exercise"].1 > 5 && checked.len() >= 5, "{:?}", checked.keys());
}
