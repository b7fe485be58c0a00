//! Helpers of several test programs.
#![allow(
    dead_code,
    unused_imports,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests, and no test program needs all of it"
)]

mod answers;
mod wait;

pub(crate) use answers::right;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
pub(crate) use wait::{PATIENCE, until};

/// Reports what the translations lack. The program shows it in English, so it is only a warning, except before a release:
/// `scripts/release/archives` sets MATMUL_TUTOR_RELEASE.
#[track_caller]
#[expect(clippy::explicit_write, reason = "the test runner hides what `eprintln!` writes")]
pub(crate) fn untranslated(lacking: &[String]) {
    if lacking.is_empty() {
        return;
    }
    let message = format!("{} not translated:\n{}", lacking.len(), lacking.join("\n"));
    assert!(std::env::var_os("MATMUL_TUTOR_RELEASE").is_none(), "{message}");
    // Unlike `eprintln!`, this is also shown for a test that passes.
    writeln!(std::io::stderr(), "warning: {message}").unwrap();
}

/// The built program, without arguments.
pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_matmul-tutor"))
}

/// Runs a command that reads a short text.
pub(crate) fn output_for(command: &mut Command, text: &str) -> Output {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A small course for the tests of the terminal.
pub(crate) fn fixture() -> PathBuf {
    root().join("tests/fixtures/course")
}

/// The files of a folder and below it that end so, in order. A file is its own only file; what does not exist has none.
pub(crate) fn files(path: &Path, end: &str) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = std::fs::read_dir(path).into_iter().flatten().map(|entry| entry.unwrap().path());
    let (folders, mut found): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    found.retain(|path| path.to_string_lossy().ends_with(end));
    found.extend(folders.iter().flat_map(|folder| files(folder, end)));
    found.sort();
    found
}

/// Copies a folder with everything in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(from, to).unwrap();
        }
    }
}

/// Writes a file and the folders above it.
pub(crate) fn write(root: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Replaces the first occurrence of a text in a file.
#[track_caller]
pub(crate) fn edit(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{} does not contain {from:?}", file.display());
    std::fs::write(file, text.replacen(from, to, 1)).unwrap();
}
