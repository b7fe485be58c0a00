//! The documents name only what exists, and the commands of the notebook for a hosted GPU work.
#![cfg(unix)]

use super::shared::{files, root};
use super::tutor;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};

/// The documents at the root and in `docs`, except the reference: the files in its examples do not exist.
fn documents() -> Vec<String> {
    let own = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(|name| root().join(name));
    let rest = files(&root().join("docs"), ".md").into_iter().filter(|path| !path.ends_with("docs/reference.md"));
    let all = own.into_iter().chain(rest);
    all.map(|path| path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned()).collect()
}

/// Reads a file of the source tree.
pub(crate) fn text(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// GitHub's anchors of a document's headings.
fn anchors(name: &str) -> Vec<String> {
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    let anchor = |title: &str| title.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-");
    text(name).lines().filter_map(|line| Some(anchor(line.trim_start_matches('#').strip_prefix(' ')?))).collect()
}

#[test]
fn every_path_and_link_of_the_documents_exists() {
    let root = root();
    let mut missing = Vec::new();
    for name in documents() {
        let text = text(&name);
        for path in text.split(['`', '\n']).filter(|path| path.contains('/') && !path.contains([' ', '(', '…', '*']))
        {
            // A name in capitals is a placeholder.
            let example = path.split(['/', '.']).any(|part| part.len() > 1 && part.chars().all(char::is_uppercase));
            let first = path.split('/').next().unwrap();
            if !example && !path.starts_with('/') && root.join(first).is_dir() && !root.join(path).exists() {
                missing.push(format!("{name}: {path}"));
            }
        }
        let links = text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
        for link in links.filter(|link| !link.starts_with("https:")) {
            let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
            let to = if file.is_empty() { root.join(&name) } else { root.join(&name).with_file_name("").join(file) };
            let to = to.canonicalize().ok().map(|to| to.strip_prefix(root).unwrap().display().to_string());
            if to.is_none_or(|to| anchor.is_some_and(|anchor| !anchors(&to).iter().any(|known| known == anchor))) {
                missing.push(format!("{name}: {link}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn every_command_and_option_of_the_documents_exists() {
    let whole = tutor(&["--help"]).out;
    let is_command =
        |word: &str| ["worker", "completions", "man"].contains(&word) || whole.contains(&format!("\n  {word} "));
    let (mut helps, mut unknown) = (BTreeMap::new(), Vec::new());
    for name in documents() {
        let text = text(&name);
        let lines = text.split(['`', '\n', '|', '#']);
        for call in lines.filter_map(|line| line.trim().strip_prefix("matmul-tutor ")) {
            let words: Vec<&str> = call.split_whitespace().collect();
            let asked = words.iter().skip_while(|word| !is_command(word)).take(2).filter(|word| !word.starts_with('-'));
            let asked: Vec<&str> = asked.copied().chain(["--help"]).collect();
            let help = helps.entry(asked.join(" ")).or_insert_with(|| tutor(&asked));
            let mut options = words.iter().filter(|word| word.starts_with("--"));
            let bare = asked.len() == 1 && !words[0].starts_with('-');
            if bare || !options.all(|option| help.out.contains(option.split('=').next().unwrap())) {
                unknown.push(format!("{name}: matmul-tutor {call}"));
            }
        }
    }
    assert!(unknown.is_empty() && helps.len() > 15, "{unknown:#?}");
}

/// Lines of the notebook's code.
fn lines() -> Vec<String> {
    let notebook: Value = serde_json::from_str(&text("docs/hosted-gpu.ipynb")).unwrap();
    let cells = notebook["cells"].as_array().unwrap().iter().filter(|cell| cell["cell_type"] == "code");
    let lines = cells.flat_map(|cell| cell["source"].as_array().unwrap().clone());
    lines.map(|line| line.as_str().unwrap().trim().to_owned()).collect()
}

#[test]
fn the_notebooks_commands_do_what_they_should() {
    notebook(false);
}

#[test]
#[ignore = "needs NVRTC, and MATMUL_TUTOR_NVRTC must name its library"]
fn the_notebooks_commands_on_a_changed_copy_do_too() {
    notebook(true);
}

/// Runs the notebook's commands; those on a copy that the reader has changed only `with_nvrtc`.
fn notebook(with_nvrtc: bool) {
    let (place, mut called, mut changed) = (tempfile::tempdir().unwrap(), 0, false);
    for line in lines() {
        changed |= line.starts_with("copy.write_text(");
        let Some(line) = line.strip_prefix("!matmul-tutor ") else { continue };
        let (line, may_fail) = line.strip_suffix(" || true").map_or((line, false), |line| (line, true));
        let line = line.replace("--size 512", "--size 64").replace("--size 256", "--size 64");
        if line.starts_with("exercise check") {
            std::fs::write(place.path().join("monday-tuesday/answer.yaml"), "line: 1\ncure: fence\n").unwrap();
        }
        if line.contains("--copy") && changed {
            let copy = place.path().join("sgemm_tiled32_column/sgemm_tiled32_column.cu");
            let text = std::fs::read_to_string(&copy).unwrap();
            assert!(text.contains("[TILE][TILE]"), "there is something to change");
            if !with_nvrtc {
                continue;
            }
            std::fs::write(&copy, text.replace("[TILE][TILE]", "[TILE][TILE + 1]")).unwrap();
        }
        // Quotes enclose whole words only.
        let words = line.split(' ').map(|word| word.trim_matches('\''));
        let output = Command::new(env!("CARGO_BIN_EXE_matmul-tutor"))
            .args(["--on", "emulator", "--data", "data"])
            .args(words)
            .current_dir(place.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let code = output.status.code();
        assert!(code == Some(0) || may_fail && code == Some(1), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        called += 1;
    }
    assert!(called >= 9, "{called}");
}
