//! What the notebook for a hosted GPU calls, called.
#![cfg(unix)]

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// The lines of the notebook's code.
fn lines() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/hosted-gpu.ipynb");
    let notebook: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cells = notebook["cells"].as_array().unwrap().iter().filter(|cell| cell["cell_type"] == "code");
    let lines = cells.flat_map(|cell| cell["source"].as_array().unwrap().clone());
    lines.map(|line| line.as_str().unwrap().trim().to_owned()).collect()
}

#[test]
fn the_notebooks_commands_do_what_they_should() {
    let (place, mut called, mut changed) = (tempfile::tempdir().unwrap(), 0, false);
    for line in lines() {
        changed |= line.starts_with("copy.write_text(");
        let Some(line) = line.strip_prefix("!matmul-tutor ") else { continue };
        let (line, may_fail) = line.strip_suffix(" || true").map_or((line, false), |line| (line, true));
        let line = line.replace("--size 512", "--size 64").replace("--size 256", "--size 64");
        if line.starts_with("exercise check") {
            std::fs::write(place.path().join("monday-tuesday/answer.yaml"), "line: 1\ncure: fence\n").unwrap();
        }
        if line.starts_with("play") && changed {
            let copy = place.path().join("sgemm_tiled32_column/sgemm_tiled32_column.cu");
            let text = std::fs::read_to_string(&copy).unwrap();
            assert!(text.contains("[TILE][TILE]"), "there is something to change");
            if std::env::var_os("MATMUL_TUTOR_NVRTC").is_none() {
                println!("skipped: MATMUL_TUTOR_NVRTC names no library");
                continue;
            }
            std::fs::write(&copy, text.replace("[TILE][TILE]", "[TILE][TILE + 1]")).unwrap();
        }
        // The one that is quoted is quoted as a whole.
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
