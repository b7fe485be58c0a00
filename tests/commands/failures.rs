//! A call that fails with `--json` prints one document.

use super::{tutor, tutor_in};
use serde_json::Value;

/// Failing calls of every command that prints documents, with their exit code and the kind of failure.
fn failing() -> impl Iterator<Item = (Vec<&'static str>, i32, &'static str)> {
    include_str!("failing.txt").lines().map(|line| {
        let [code, kind, arguments @ ..] = &line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        (arguments.to_vec(), code.parse().unwrap(), *kind)
    })
}

#[test]
fn a_failure_is_one_document_of_one_shape_where_documents_were_asked_for() {
    let data = tempfile::tempdir().unwrap();
    for (arguments, code, kind) in failing() {
        let called = tutor_in(&arguments, &[("XDG_DATA_HOME", data.path().to_str().unwrap())]);
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
            assert!(failing().any(|(arguments, ..)| arguments.starts_with(&call)), "{call:?}");
            seen += 1;
        }
    }
    assert!(seen >= 12, "{seen}");
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_gone_does_not_change_the_exit_code() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let arguments = ["race", "assets/ptx/sgemm_no_first_barrier.ptx"];
    let status = super::shared::program().args(arguments).stdout(writer).stderr(std::process::Stdio::null()).status();
    assert_eq!(status.unwrap().code(), Some(1), "a race");
}

/// NVIDIA's driver runs in the worker's process. What it does there is no reason to lose the emulator.
#[cfg(target_os = "linux")]
#[test]
fn a_driver_that_crashes_costs_the_gpu_alone() {
    let dir = tempfile::tempdir().unwrap();
    let (source, library) = (dir.path().join("driver.c"), dir.path().join("libcuda.so.1"));
    let crash = "#include <stdlib.h>\n__attribute__((constructor)) static void begin(void) { abort(); }\n";
    std::fs::write(&source, crash).unwrap();
    let built = std::process::Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    assert!(built.unwrap().success());
    let environment = [("LD_LIBRARY_PATH", dir.path().to_str().unwrap())];
    let report = tutor_in(&["doctor", "--json"], &environment).json();
    let check = |name: &str| report["checks"].as_array().unwrap().iter().find(|check| check["name"] == name).cloned();
    let gpu = check("GPU").unwrap()["detail"].as_str().unwrap().to_owned();
    assert!(gpu.contains("ended the process") && gpu.contains("signal 6"), "{gpu}");
    assert_eq!(check("emulator").unwrap()["found"], true, "{report}");
    let run = tutor_in(&["run", "sgemm_tiled", "--size", "64"], &environment);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
}
