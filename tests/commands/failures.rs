//! A call that fails with `--json` prints one document.

use super::{tutor, tutor_in};
use serde_json::Value;

/// Failing calls of every command that prints documents, with their exit code and the kind of failure.
const FAILING: &[(&[&str], i32, &str)] = &[
    (&["run", "sgem_tiled", "--json"], 2, "invalid"),
    (&["run", "sgemm_tiled", "--ptx", "/nonexistent.ptx", "--json"], 2, "usage"),
    (&["run", "sgemm_tiled", "--source", "/nonexistent.cu", "--json"], 2, "usage"),
    (&["run", "sgemm_tiled", "--alpha", "inf", "--json"], 2, "usage"),
    (&["run", "sgemm_tiled", "--on", "cuda", "--size", "-5", "--json"], 2, "usage"),
    (&["emulate", "/nonexistent.ptx", "--entry", "k", "--json"], 2, "launch"),
    (&["emulate", "Cargo.toml", "--entry", "k", "--json"], 2, "parse"),
    (&["emulate", "--json"], 2, "usage"),
    (&["race", "/nonexistent.ptx", "--format", "json"], 2, "usage"),
    (&["banks", "smem[lane", "--json"], 2, "usage"),
    (&["bench", "--kernel", "nobody", "--json"], 2, "usage"),
    (&["bench", "--level", "99", "--json"], 2, "usage"),
    (&["bench", "--tune", "nobody", "--json"], 2, "usage"),
    (&["bench", "--tune", "sgemm_naive_coalesced", "--json"], 2, "usage"),
    (&["run", "--list", "--lang", "xx", "--json"], 2, "usage"),
    (&["status", "--course", "/nonexistent", "--json"], 2, "usage"),
    (&["status", "--lang", "xx", "--json"], 2, "usage"),
    (&["status", "--data", "/dev/null/x", "--course", "tests/fixtures", "--json"], 2, "usage"),
    (&["quiz", "nobody", "--json"], 2, "usage"),
    (&["quiz", "1", "--answers", "/nonexistent.yaml", "--json"], 2, "usage"),
    (&["run", "nobody", "--copy", "--json"], 2, "usage"),
    (&["run", "sgemm_tiled", "--copy=/dev/null", "--json"], 2, "usage"),
    (&["nvrtc", "install", "--data", "/dev/null/x", "--json"], 2, "usage"),
    (&["exercise", "check", "nobody", "--json"], 2, "usage"),
    (&["exercise", "check", "monday-tuesday", "/nonexistent.yaml", "--json"], 2, "usage"),
    (&["class", "grade", "nobody", "Cargo.toml", "--format", "json"], 2, "usage"),
    (&["class", "results", "/nonexistent", "--format", "json"], 2, "usage"),
    (&["class", "results", "--regrade", "--course", "/nonexistent", "--format", "json"], 2, "usage"),
    (&["course", "pack", "/nonexistent", "--json"], 2, "usage"),
    (&["review", "--course", "/nonexistent", "--json"], 2, "usage"),
    (&["course", "check", "/nonexistent", "--json"], 2, "usage"),
    (&["doctor", "--nonsense", "--json"], 2, "usage"),
];

#[test]
fn a_failure_is_one_document_of_one_shape_where_documents_were_asked_for() {
    let data = tempfile::tempdir().unwrap();
    for (arguments, code, kind) in FAILING.iter().copied() {
        let called = tutor_in(arguments, &[("XDG_DATA_HOME", data.path().to_str().unwrap())]);
        assert_eq!(called.code, Some(code), "{arguments:?}: {}{}", called.out, called.err);
        assert_eq!(called.out.lines().count(), 1, "{arguments:?}: {}", called.out);
        let document = called.json();
        assert_eq!(
            (&document["ok"], &document["error"]["kind"]),
            (&Value::Bool(false), &Value::from(kind)),
            "{arguments:?}: {document}"
        );
        let error = document["error"].as_object().unwrap();
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{document}");
        for field in ["help", "file", "line", "column"] {
            assert!(error.contains_key(field), "{field}: {document}");
        }
        assert_ne!(error["line"], Value::from(0), "no place is null: {document}");
    }
}

#[test]
fn every_command_that_prints_documents_has_a_failing_call_here() {
    // The first words of the rows before the options; `course` and `class` have commands of their own.
    let listed = |arguments: &[&str]| -> Vec<String> {
        let help = tutor(&[arguments, &["--help"]].concat()).out;
        let rows = help.lines().take_while(|line| !line.contains("ptions:")).filter(|line| line.starts_with("  "));
        let names = rows.filter(|row| !row.starts_with("   ")).filter_map(|row| row.split_whitespace().next());
        names.filter(|name| *name != "help").map(str::to_owned).collect()
    };
    let (mut calls, mut seen) = (Vec::new(), 0);
    for name in listed(&[]) {
        match listed(&[&name]) {
            below if ["course", "class"].contains(&name.as_str()) => {
                calls.extend(below.into_iter().map(|below| vec![name.clone(), below]));
            }
            _ => calls.push(vec![name]),
        }
    }
    for call in calls {
        let call: Vec<&str> = call.iter().map(String::as_str).collect();
        if tutor(&[&call[..], &["--help"]].concat()).out.contains("json") {
            assert!(FAILING.iter().any(|(arguments, ..)| arguments.starts_with(&call)), "{call:?}");
            seen += 1;
        }
    }
    assert!(seen >= 12, "{seen}");
}
