//! NVRTC fetched, tried, found and removed; the tool that fetches is a script, so that no network is needed.
#![cfg(unix)]

use super::Called;
use super::shared::until;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;
use tutor_support::t;

const LIBRARY: &str = "nvidia/cuda_nvrtc/lib/libnvrtc.so.12";

/// A machine with a `uv` that does this, `$target` being the folder to install into.
struct Machine {
    root: TempDir,
}

impl Machine {
    fn with_uv(body: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let machine = Self { root };
        std::fs::create_dir(machine.path("bin")).unwrap();
        let script = format!(
            "#!/bin/sh\nPATH=/usr/bin:/bin\n[ \"$1\" = --version ] && exit 0\n\
             while [ $# -gt 0 ]; do [ \"$1\" = --target ] && target=$2; shift; done\n{body}\n"
        );
        let uv = machine.path("bin/uv");
        std::fs::write(&uv, script).unwrap();
        std::fs::set_permissions(&uv, std::fs::Permissions::from_mode(0o755)).unwrap();
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_matmul-tutor"));
        for name in ["LC_ALL", "MATMUL_TUTOR_NVRTC", "VIRTUAL_ENV", "CONDA_PREFIX", "CUDA_HOME", "CUDA_PATH"] {
            command.env_remove(name);
        }
        command.arg("--data").arg(self.path("data")).args(arguments).env("PATH", self.path("bin"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn call(&self, arguments: &[&str]) -> Called {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Called { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// What the data directory holds.
    fn data(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path("data")).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    /// What doctor says of a place.
    fn place(&self, name: &str) -> Value {
        let report = self.call(&["doctor", "--json"]).json();
        let places = report["nvrtc"]["places"].as_array().unwrap();
        places.iter().find(|place| place["place"] == name).unwrap().clone()
    }
}

/// The folder of a real NVRTC, if the machine that tests has one.
#[expect(clippy::print_stdout, reason = "a test that was skipped says so")]
fn real() -> Option<PathBuf> {
    let library = std::env::var_os("MATMUL_TUTOR_NVRTC").map(PathBuf::from);
    let found = library.and_then(|path| path.parent().map(Path::to_owned));
    if found.is_none() {
        println!("skipped: MATMUL_TUTOR_NVRTC names no library");
    }
    found
}

#[test]
fn every_place_is_named_in_the_order_of_the_search() {
    let machine = Machine::with_uv("exit 1");
    let report = machine.call(&["doctor", "--json"]).json();
    let places = report["nvrtc"]["places"].as_array().unwrap();
    let names: Vec<&str> = places.iter().map(|place| place["place"].as_str().unwrap()).collect();
    assert_eq!(names, ["variable", "own_wheel", "private", "environment", "toolkit", "system"]);
    assert!(places.iter().filter(|place| place["taken"] == true).count() <= 1);
    let folder = machine.path("data/nvrtc");
    assert_eq!(machine.place("private")["root"], folder.to_str().unwrap());
    assert!(!machine.path("data").exists(), "doctor leaves nothing behind");
    let text = machine.call(&["doctor"]).out;
    for name in ["MATMUL_TUTOR_NVRTC", "with the tutor's wheel", "the tutor's own", "active Python", "CUDA_HOME"] {
        assert!(text.contains(name), "{name}: {text}");
    }
}

#[test]
fn a_library_that_is_named_and_is_none_is_told_with_its_reason() {
    let machine = Machine::with_uv("exit 1");
    let mut doctor = machine.command(&["doctor", "--json"]);
    let output = doctor.env("MATMUL_TUTOR_NVRTC", "/nonexistent/libnvrtc.so").output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let variable = &report["nvrtc"]["places"][0];
    assert_eq!(
        (&variable["path"], &variable["taken"]),
        (&Value::from("/nonexistent/libnvrtc.so"), &Value::from(false))
    );
    assert!(variable["problem"].as_str().unwrap().contains("/nonexistent/libnvrtc.so"), "{variable}");
    assert_eq!(report["nvrtc"]["release"], Value::Null);
}

#[test]
fn without_a_network_one_sentence_says_so_and_nothing_is_left() {
    let machine =
        Machine::with_uv("mkdir -p $target; echo 'error: Failed to fetch\n  Caused by: dns error' >&2; exit 2");
    let called = machine.call(&["nvrtc", "install", "--yes", "--json"]);
    assert_eq!(called.code, Some(1), "{}", called.err);
    let error = &called.json()["error"];
    assert_eq!(error["kind"], "offline");
    assert_eq!(error["message"], "NVRTC was not downloaded, because uv cannot reach the package index.");
    assert_eq!(machine.data(), ["nvrtc.lock"]);
}

#[test]
fn a_folder_with_files_of_somebody_else_is_left_as_it_is() {
    let machine = Machine::with_uv("mkdir -p $target/nvidia");
    let folder = machine.path("data/nvrtc");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("thesis.txt"), "mine").unwrap();
    for arguments in [&["nvrtc", "install", "--yes"][..], &["nvrtc", "remove"]] {
        let called = machine.call(arguments);
        assert!(called.code == Some(2) && called.err.contains(&t!("nvrtc-not-ours-help")), "{}", called.err);
        assert_eq!(std::fs::read_to_string(folder.join("thesis.txt")).unwrap(), "mine");
    }
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::write(&folder, "a file").unwrap();
    assert_eq!(machine.call(&["nvrtc", "install", "--yes"]).code, Some(2));
    assert_eq!(std::fs::read_to_string(&folder).unwrap(), "a file");
}

#[test]
fn what_the_tool_says_is_passed_on() {
    let machine = Machine::with_uv("echo 'Looking for it' >&2; echo 'error: no such wheel' >&2; exit 1");
    let called = machine.call(&["nvrtc", "install", "--yes"]);
    assert_eq!(called.code, Some(1));
    assert!(called.err.contains("uv reports: error: no such wheel"), "{}", called.err);
}

#[test]
fn a_library_that_does_not_compile_is_not_kept() {
    let machine = Machine::with_uv(&format!("mkdir -p $(dirname $target/{LIBRARY}); echo half > $target/{LIBRARY}"));
    let called = machine.call(&["nvrtc", "install", "--yes"]);
    assert_eq!(called.code, Some(1), "{}", called.err);
    assert!(called.err.contains("The downloaded library does not work and was removed"), "{}", called.err);
    assert_eq!(machine.data(), ["nvrtc.lock"]);
}

#[test]
fn an_interruption_leaves_nothing_and_ends_the_tool() {
    let machine = Machine::with_uv(&format!(
        "mkdir -p $(dirname $target/{LIBRARY}); echo half > $target/{LIBRARY}; echo $$ > $target/../../../pid; exec sleep 600"
    ));
    let child = machine.command(&["nvrtc", "install", "--yes"]).spawn().unwrap();
    let pid = machine.path("pid");
    let tool = until("the tool has started", || std::fs::read_to_string(&pid).ok()?.trim().parse::<i32>().ok());
    assert_eq!(machine.call(&["nvrtc", "remove"]).code, Some(1), "another process is at it");
    // SAFETY: the child is ours and has not been waited for.
    unsafe { libc::kill(i32::try_from(child.id()).unwrap(), libc::SIGINT) };
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(machine.data(), ["nvrtc.lock"]);
    // SAFETY: signal 0 asks whether a process is there.
    assert_eq!(unsafe { libc::kill(tool, 0) }, -1, "the tool has ended");
}

#[test]
fn what_a_power_cut_left_is_not_taken_and_goes_with_the_next_call() {
    let machine = Machine::with_uv("exit 1");
    let half = machine.path("data/nvrtc.part/packages").join(LIBRARY);
    std::fs::create_dir_all(half.parent().unwrap()).unwrap();
    std::fs::write(&half, "half").unwrap();
    assert_eq!(machine.place("private")["path"], Value::Null);
    let removed = machine.call(&["nvrtc", "remove", "--json"]);
    assert_eq!((removed.code, &removed.json()["removed"]), (Some(0), &Value::from(false)));
    assert_eq!(machine.data(), ["nvrtc.lock"]);
}

#[test]
fn nothing_is_fetched_unasked_or_without_a_tool() {
    let machine = Machine::with_uv("exit 0");
    let called = machine.call(&["nvrtc", "install"]);
    assert_eq!(called.code, Some(2), "{}", called.err);
    assert!(called.err.contains("`matmul-tutor nvrtc install --yes` does not ask"), "{}", called.err);
    std::fs::remove_file(machine.path("bin/uv")).unwrap();
    let called = machine.call(&["nvrtc", "install", "--yes"]);
    assert_eq!(called.code, Some(3), "{}", called.err);
    assert!(called.err.contains(&t!("nvrtc-no-installer")), "{}", called.err);
}

#[test]
fn a_compiler_that_was_installed_is_found_without_any_setting_and_can_be_removed() {
    let Some(real) = real() else { return };
    let library = Path::new(LIBRARY).parent().unwrap().display();
    let machine =
        Machine::with_uv(&format!("mkdir -p $target/{library}; cp -r {}/* $target/{library}", real.display()));
    let called = machine.call(&["nvrtc", "install", "--yes", "--json"]);
    assert_eq!(called.code, Some(0), "{}", called.err);
    let path = machine.path("data/nvrtc").join(LIBRARY);
    let installed = called.json();
    assert_eq!(
        (&installed["already"], &installed["path"]),
        (&Value::from(false), &Value::from(path.to_str().unwrap()))
    );
    assert_eq!(machine.data(), ["nvrtc", "nvrtc.lock"]);
    let private = machine.place("private");
    assert_eq!((&private["taken"], &private["version"]), (&Value::from(true), &Value::from("12.0")), "{private}");
    assert_eq!(machine.call(&["doctor", "--json"]).json()["nvrtc"]["release"], "12.0.140");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/sgemm_tiled.cu");
    let run =
        machine.call(&["run", "sgemm_tiled", "--size", "32", "--on", "emulator", "--source", source.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(machine.call(&["nvrtc", "install", "--yes", "--json"]).json()["already"], true);
    assert_eq!(machine.call(&["nvrtc", "remove", "--json"]).json()["removed"], true);
    assert!(!path.exists());
    assert_eq!(machine.place("private")["path"], Value::Null);
}

#[test]
fn a_tutor_that_pip_installed_knows_its_own_environment() {
    let machine = Machine::with_uv("exit 1");
    let program = machine.path("bin/matmul-tutor");
    let built = env!("CARGO_BIN_EXE_matmul-tutor");
    std::fs::hard_link(built, &program).or_else(|_| std::fs::copy(built, &program).map(drop)).unwrap();
    std::fs::create_dir_all(machine.path("lib/python3.12/site-packages/matmul_tutor-0.1.0.dist-info")).unwrap();
    let packages = machine.path("lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib");
    std::fs::create_dir_all(&packages).unwrap();
    let real = real();
    if let Some(real) = &real {
        std::os::unix::fs::symlink(real.join("libnvrtc.so.12"), packages.join("libnvrtc.so.12")).unwrap();
    }
    let mut doctor = Command::new(&program);
    doctor.args(["doctor", "--json", "--data"]).arg(machine.path("data")).env_remove("MATMUL_TUTOR_NVRTC");
    let report: Value = serde_json::from_slice(&doctor.output().unwrap().stdout).unwrap();
    let own = &report["nvrtc"]["places"][1];
    let root = machine.root.path().canonicalize().unwrap();
    assert_eq!((&own["place"], &own["root"]), (&"own_wheel".into(), &root.to_str().unwrap().into()), "{report}");
    assert_eq!(own["taken"], real.is_some(), "{report}");
}

#[test]
fn the_worker_finds_the_wheel_of_the_active_environment_from_within_its_sandbox() {
    let Some(real) = real() else { return };
    let machine = Machine::with_uv("exit 1");
    let packages = machine.path("env/lib/python3.12/site-packages/nvidia/cuda_nvrtc");
    std::fs::create_dir_all(&packages).unwrap();
    std::os::unix::fs::symlink(&real, packages.join("lib")).unwrap();
    let output = machine.command(&["doctor", "--json"]).env("VIRTUAL_ENV", machine.path("env")).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["nvrtc"]["release"], "12.0.140", "{report}");
    let taken = report["nvrtc"]["places"].as_array().unwrap().iter().find(|place| place["taken"] == true).unwrap();
    assert_eq!(taken["place"], "environment");
}
