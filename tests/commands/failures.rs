//! A call that fails with `--json` prints one document, and a wrong number is refused in words.

use super::{tutor, tutor_in};
use serde_json::Value;
use tutor_support::t;

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

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_told_and_is_no_success() {
    for arguments in [
        &["--help"][..],
        &["run", "--list", "--help"],
        &["--version"],
        &["man"],
        &["course", "schema", "quiz"],
        &["status", "--json"],
    ] {
        let full = std::fs::File::create("/dev/full").unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_matmul-tutor"));
        let data = tempfile::tempdir().unwrap();
        command.args(arguments).env("XDG_DATA_HOME", data.path()).stdout(full).stdin(std::process::Stdio::null());
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("Writing to standard output failed"), "{arguments:?}: {said}");
    }
}

#[test]
fn a_locale_without_unicode_gets_ascii() {
    let access = ["banks", "smem[lane][5]", "--pitch", "16"];
    for (locale, ascii) in [("C", true), ("de_DE.ISO-8859-1", true), ("C.UTF-8", false)] {
        let out = tutor_in(&access, &[("LC_ALL", locale)]).out;
        assert_eq!(out.is_ascii(), ascii, "{locale}: {out}");
    }
}

#[test]
fn a_size_that_is_none_is_refused_in_words() {
    for arguments in [
        &["run", "sgemm_tiled", "--size", "-5"][..],
        &["run", "sgemm_tiled", "--m", "0", "--n", "1", "--k", "1"],
        &["bench", "--size", "-5"],
        &["bench", "--tune", "sgemm_sweep", "--size", "1.5"],
    ] {
        let called = tutor(arguments);
        assert_eq!(called.code, Some(2), "{arguments:?}");
        assert!(called.err.contains("it takes a whole number, 1 or more"), "{}", called.err);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_under_a_name_of_ours_is_not_waited_for() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().to_str().unwrap();
    let pipe = |name: &str| {
        let path = place.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        path.to_str().unwrap().to_owned()
    };
    let (library, answer) = (pipe("libnvrtc.so.12"), pipe("answer.ptx"));
    for name in ["latency.json", "tuned.json"] {
        pipe(name);
    }
    assert_eq!(
        tutor(&["--data", data, "bench", "--tune", "sgemm_sweep", "--size", "64", "--on", "emulator"]).code,
        Some(0)
    );
    for file in [answer.as_str(), "/dev/zero"] {
        assert_eq!(tutor(&["--data", data, "exercise", "check", "fma-loop", file]).code, Some(2));
        assert_eq!(tutor(&["bench", "--recording", file]).code, Some(2));
    }
    let doctor = tutor_in(&["--data", data, "doctor"], &[("MATMUL_TUTOR_NVRTC", &library)]);
    assert!(doctor.code == Some(0) && doctor.out.contains(&t!("file-is-pipe")), "{}", doctor.out);
}

#[cfg(unix)]
#[test]
fn a_worker_that_starts_workers_is_stopped_at_the_first() {
    let place = tempfile::tempdir().unwrap();
    let (program, dir) = (env!("CARGO_BIN_EXE_matmul-tutor"), place.path().display());
    // Were there a chain, it would end here after three.
    let worker = format!(
        "sh -c 'n=$(ls {dir} | wc -l); [ $n -ge 3 ] && exit 9; touch {dir}/$n; exec {program} run sgemm_tiled --size 16'"
    );
    let called = tutor_in(&["run", "sgemm_tiled", "--size", "16"], &[("MATMUL_TUTOR_WORKER", &worker)]);
    assert!(called.code == Some(3) && called.err.contains(&t!("exec-worker-chain")), "{}", called.err);
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 1);
}

#[test]
fn a_variable_that_is_set_to_nothing_says_nothing() {
    let environment = ["MATMUL_TUTOR_COURSE", "MATMUL_TUTOR_DATA"].map(|name| (name, ""));
    let called = tutor_in(&["run", "--list", "--json"], &environment);
    assert_eq!(called.code, Some(0), "{}", called.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_submission_includes_no_file_and_learns_nothing_of_the_grader() {
    if std::env::var_os("MATMUL_TUTOR_NVRTC").is_none() {
        println!("skipped: MATMUL_TUTOR_NVRTC names no library");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let own = place.path().join("own.cu");
    for file in ["/proc/self/environ", "/proc/1/cmdline", "/proc/self/maps", "/usr/include/stdio.h", "/etc/passwd"] {
        std::fs::write(&own, format!("#include \"{file}\"\n")).unwrap();
        let arguments = ["exercise", "check", "load-a-tile", own.to_str().unwrap(), "--on", "emulator"];
        let data = place.path().join("data");
        let environment = [("XDG_DATA_HOME", data.to_str().unwrap()), ("COURSE_TOKEN", "abc123secret")];
        let called = tutor_in(&arguments, &environment);
        let said = called.out + &called.err;
        assert!(said.contains("could not open source file") || said.contains("Permission denied"), "{file}: {said}");
        assert!(!said.contains("abc123secret") && !said.contains("COURSE_TOKEN"), "{file}: {said}");
    }
}
