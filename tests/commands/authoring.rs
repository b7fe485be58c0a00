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

fn check(course: &Path) -> Value {
    let output = tutor(course).args(["course", "check", ".", "--deny", "warnings", "--json"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{report:#}");
    report
}

/// Returns every file of a course with its content, sorted.
fn files(course: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    crate::shared::files(course, "").into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

#[test]
fn each_beginning_passes_the_check_as_it_is_and_is_written_once() {
    let place = tempfile::tempdir().unwrap();
    call(place.path(), "course new mine --minimal --id tiles --title Tiles");
    let course = place.path().join("mine");
    let report = check(&course);
    assert_eq!((&report["kernels"]["run"], &report["claims"]["held"]), (&1.into(), &3.into()), "{report:#}");
    for file in [".github/workflows/check.yml", "requirements.txt", "kernels/my_tile.cu", "assets/schema/lesson.json"] {
        assert!(course.join(file).is_file(), "{file}");
    }
    for part in ["--level second", "--kernel a_very_wide_tile", "--kernel tiny", "--exercise mind-the-gap"] {
        call(place.path(), &format!("course new mine {part}"));
        let before = files(&course);
        let again = tutor(place.path()).args(["course", "new", "mine"]).args(part.split(' ')).output().unwrap();
        assert_eq!(again.status.code(), Some(2), "{part}");
        assert!(String::from_utf8(again.stderr).unwrap().contains("already"), "{part}");
        assert!(files(&course) == before, "{part}");
    }
    let report = check(&course);
    assert_eq!(report["kernels"]["run"], 3, "{report:#}");
    assert_eq!(
        (&report["exercises"]["exercises"], &report["exercises"]["differ"]),
        (&1.into(), &0.into()),
        "{report:#}"
    );
    let list = std::fs::read_to_string(course.join("modules/course.yaml")).unwrap();
    assert!(list.contains("  - id: second\n    title: A level of mine\n") && list.contains("# levels: each"), "{list}");
    for name in ["Upper", "../up", "a b", ""] {
        let refused = tutor(place.path()).args(["course", "new", "mine", "--level", name]).output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{name}");
    }
    // Without NVRTC, `new` writes the same PTX that NVRTC would write.
    if compiles() {
        call(&course, "--course . course build --check");
    }
}

#[test]
fn a_copy_takes_an_id_and_a_title_of_its_own() {
    let place = tempfile::tempdir().unwrap();
    call(place.path(), "course new copy --id matmul-2026 --title Ours:");
    let text = std::fs::read_to_string(place.path().join("copy/modules/course.yaml")).unwrap();
    assert!(text.contains("\nid: matmul-2026\ntitle: \"Ours:\"\nquestion: "), "{text}");
    let there = tutor(place.path()).args(["course", "new", "copy", "--minimal"]).output().unwrap();
    assert_eq!(there.status.code(), Some(2));
}

#[test]
fn a_schema_of_a_course_has_the_names_of_that_course() {
    let place = tempfile::tempdir().unwrap();
    call(place.path(), "course new mine --minimal --id tiles");
    let of = |arguments: &str| -> Value { serde_json::from_str(&call(place.path(), arguments)).unwrap() };
    let lesson = of("course schema lesson --course mine");
    let kernels = lesson["definitions"]["CodeView"]["properties"]["kernel"]["enum"].as_array().unwrap();
    assert!(kernels.contains(&"my_tile".into()) && kernels.contains(&"sgemm_tiled".into()), "{kernels:?}");
    let objectives = &lesson["definitions"]["Page"]["properties"]["objectives"]["items"]["anyOf"][0]["enum"];
    assert_eq!(*objectives, serde_json::json!(["cost", "reuse"]));
    let quiz = of("course schema quiz --course mine");
    let pages = &quiz["definitions"]["Slot"]["properties"]["page"]["anyOf"][0]["enum"];
    assert!(pages.as_array().unwrap().contains(&"column".into()), "{pages}");
    // Without a course, the schema lists no names.
    let plain = of("course schema lesson");
    assert_eq!(plain["definitions"]["CodeView"]["properties"]["kernel"]["enum"], Value::Null);
}

#[test]
fn a_course_named_as_an_argument_is_the_one_whose_languages_and_files_count() {
    let place = tempfile::tempdir().unwrap();
    call(place.path(), "course new mine --minimal --id tiles");
    let list = place.path().join("mine/modules/course.yaml");
    let text = std::fs::read_to_string(&list).unwrap();
    std::fs::write(list, text.replace("languages: [en]", "languages: [en, de]")).unwrap();
    call(place.path(), "course pack mine --out mine.course");
    for line in
        ["course preview mine --lang de", "--lang de course preview mine first", "course preview mine.course first"]
    {
        let output = tutor(place.path()).args(line.split(' ')).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains("terminal"), "{line}: {said}");
    }
    for line in [
        "course check mine --lang de",
        "--lang de course check mine/modules",
        "course check mine.course",
        "--course mine course check",
    ] {
        let said = call(place.path(), line);
        assert!(said.contains("Claims: 3 held"), "{line}: {said}");
    }
}

#[test]
fn one_mistake_in_a_catalogue_or_an_exercise_is_one_problem_at_its_line() {
    let place = tempfile::tempdir().unwrap();
    call(place.path(), "course new mine --minimal --id tiles");
    call(place.path(), "course new mine --kernel other_tile");
    call(place.path(), "course new mine --exercise mind-the-gap");
    let problems = |file: &str, from: &str, to: &str| -> Vec<(String, u64)> {
        let path = place.path().join("mine").join(file);
        let whole = std::fs::read_to_string(&path).unwrap();
        assert!(whole.contains(from), "{file}: {from}");
        std::fs::write(&path, whole.replacen(from, to, 1)).unwrap();
        let output = tutor(place.path()).args(["course", "check", "mine", "--json"]).output().unwrap();
        std::fs::write(&path, whole).unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let of = |it: &Value| (it["code"].as_str().unwrap().to_owned(), it["line"].as_u64().unwrap_or_default());
        report["problems"].as_array().unwrap().iter().map(of).collect()
    };
    let catalog = "kernels/catalog.yaml";
    let one = |found: &[(String, u64)], code: &str| {
        assert!(matches!(found, [(only, line)] if only == code && *line > 1), "{code}: {found:?}");
    };
    // A page claims something about this kernel, which is left out, and about another, which stays.
    let lesson = place.path().join("mine/modules/01-first.yaml");
    let claims = "    claims:\n      - wavefronts: { kernel: my_tile, op: ld.shared, per_request: 1 }\n\
                  \x20     - wavefronts: { kernel: other_tile, op: ld.shared, per_request: 1 }\n";
    let text = std::fs::read_to_string(&lesson).unwrap();
    std::fs::write(&lesson, text.replacen("    claims:\n", claims, 1)).unwrap();
    one(&problems(catalog, "expected_wrong: false", "expected_wrong: true\n    hazard: raw"), "unknown-name");
    let edit = "file: my_tile.cu\n    edits: [{ find: nowhere, put: \"\" }]";
    one(&problems(catalog, "file: my_tile.cu", edit), "catalog");
    let exercise = "kernels/exercises/mind-the-gap/exercise.yaml";
    one(&problems(exercise, "symptom: hazards", "symptom: results"), "exercise");
    one(&problems(exercise, "    fails: hazards", "    fails: counts"), "exercise");
    one(&problems(exercise, "title:", "goals: { counts: [{ of: local_accesses, at_most: 2 }] }\ntitle:"), "exercise");
    one(&problems(exercise, "when: { hazard: RAW }", "when: { goal: compiles }"), "hint-not-reached");

    // The choices that were compiled are those of the repair.
    let place = place.path().join("mine").join(exercise);
    std::fs::write(place.with_file_name("solution.ptx"), SOLUTION).unwrap();
    std::fs::write(&place, "level: first\n").unwrap();
    let write = "kind: write\nlanguage: ptx\ntitle: A loop\ntask: Write it.\nkernel: sgemm_tiled\nentry: sgemm\nsource: solution.ptx\n\
                 wrong:\n  - { id: short, fails: results, edits: [{ find: \"%k, 16;\", put: \"%k, 15;\" }] }\n";
    let found = problems(exercise, "level: first\n", &format!("level: first\n{write}"));
    assert_eq!(found, [("exercise-not-built".to_owned(), 1)]);
}

const SOLUTION: &str = include_str!("../../kernels/exercises/fma-loop/solution.ptx");

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

#[test]
fn a_schema_refuses_what_the_check_refuses() {
    let place = tempfile::tempdir().unwrap();
    let lesson: Value = serde_json::from_str(&call(place.path(), "course schema lesson")).unwrap();
    let of = |name: &str, field: &str| lesson["definitions"][name]["properties"][field].clone();
    for (name, field, key, value) in [
        ("LibraryScene", "desk", "minimum", 1.0),
        ("LibraryScene", "books", "maximum", 10_000.0),
        ("RunView", "size", "maximum", 16_384.0),
        ("RunView", "kernels", "maxItems", 4.0),
        ("TileWalk", "n", "maximum", 64.0),
        ("Predict", "choices", "minItems", 2.0),
        ("RatioClaim", "size", "maximum", 128.0),
    ] {
        assert_eq!(of(name, field)[key].as_f64(), Some(value), "{name}.{field}: {}", of(name, field));
    }
    assert_eq!(of("Page", "id")["pattern"], "^[a-z0-9][a-z0-9_-]{0,59}$");
    assert_eq!(of("AccessClaim", "op")["enum"][0], "ld.shared");
    // Numbers and booleans without quotes also count as text for an editor.
    assert_eq!(of("Recall", "answer")["type"], serde_json::json!(["string", "number", "boolean"]));
    assert_eq!(of("Page", "id")["type"], serde_json::json!(["string", "number", "boolean"]));
    let kinds = lesson["definitions"]["Show"]["oneOf"].as_array().unwrap();
    assert!(kinds.iter().all(|kind| kind["title"].is_string()), "{kinds:?}");
}
