//! Kernels of the student's own: `run --ptx`, `run --source`, `run --copy`.

use super::{Called, tutor};
use serde_json::Value;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn built(file: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join("assets/ptx").join(file)).unwrap()
}

/// Runs a PTX in a kernel's place, on the emulator.
fn run(kernel: &str, ptx: &str, more: &[&str]) -> Called {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("own.ptx");
    std::fs::write(&file, ptx).unwrap();
    tutor(&[&["run", kernel, "--on", "emulator", "--json", "--ptx", file.to_str().unwrap()], more].concat())
}

/// The PTX with this before its last `ret`.
fn ending(ptx: &str, end: &str) -> String {
    let (head, tail) = ptx.rsplit_once("ret;").unwrap();
    format!("{head}{end}\n\tret;{tail}")
}

/// The PTX with a kernel that does nothing.
fn idle(ptx: &str) -> String {
    let (head, _) = ptx.split_once("\n{").unwrap();
    format!("{head}\n{{\n\tret;\n}}\n")
}

#[test]
fn what_was_handed_in_runs_at_a_shape_that_the_catalogues_kernel_refuses() {
    let committed = tutor(&["run", "bf16_mma", "--size", "100", "--on", "emulator", "--json"]);
    assert_eq!((committed.code, committed.json()["verified"].as_bool()), (Some(0), Some(true)), "{}", committed.err);
    assert!(committed.json()["instead"].is_string(), "another kernel runs for the catalogue's own");
    let own = run("bf16_mma", &idle(&built("bf16_mma.ptx")), &["--size", "100"]);
    assert_eq!(own.code, Some(1), "{}{}", own.out, own.err);
    let document = own.json();
    assert_eq!((&document["instead"], &document["verified"]), (&Value::Null, &Value::from(false)));
    assert_eq!(document["mismatches"], 10_000);
    let notes = document["notes"].to_string();
    assert!(notes.contains("does not support this shape (") && notes.contains("is not a multiple of 8"), "{notes}");
}

#[test]
fn what_was_handed_in_is_refused_where_its_tensor_maps_cannot_be_made() {
    let own = run("bf16_wgmma", &idle(&built("bf16_wgmma.ptx")), &["--size", "100"]);
    assert_eq!(own.code, Some(2), "{}", own.out);
    assert!(own.err.contains("does not support this shape"), "{}", own.err);
}

#[test]
fn a_right_result_beside_a_hazard_is_no_success() {
    // Behind the last barrier every warp writes a word, which nobody reads.
    let ptx =
        ending(&built("sgemm_tiled.ptx"), "\tmov.u32 %r1, 0;\n\tmov.u32 %r2, %tid.y;\n\tst.shared.u32 [%r1], %r2;");
    let own = run("sgemm_tiled", &ptx, &["--size", "64"]);
    let document = own.json();
    assert_eq!(document["mismatches"], 0);
    assert_eq!(document["hazards"][0]["kind"], "WAW");
    assert_eq!((own.code, &document["verified"]), (Some(1), &Value::from(false)));
    let right = run("sgemm_tiled", &built("sgemm_tiled.ptx"), &["--size", "64"]);
    assert_eq!((right.code, &right.json()["verified"]), (Some(0), &Value::from(true)));
}

/// Compares a copy of a kernel in a folder with the original.
fn compare(kernel: &str, dir: &Path, more: &[&str]) -> Called {
    tutor(&[&["run", "--on", "emulator", &format!("--copy={}", dir.display()), kernel], more].concat())
}

#[test]
fn a_copy_is_made_once_and_needs_no_compiler_until_it_is_changed() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("toys/tiled");
    let first = compare("sgemm_tiled", &dir, &["--size", "64", "--json"]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    let document = first.json();
    assert_eq!((&document["made"], &document["changed"]), (&Value::from(true), &Value::from(false)));
    assert_eq!(document["verdict"], "right");
    assert_eq!(document["original"]["counts"]["totals"], document["yours"]["counts"]["totals"]);
    assert!(document["yours"]["counts"]["totals"]["wavefronts"].as_u64().unwrap() > 0);
    let copy = dir.join("sgemm_tiled.cu");
    let original = std::fs::read_to_string(Path::new(ROOT).join("kernels/sgemm_tiled.cu")).unwrap();
    assert_eq!(std::fs::read_to_string(&copy).unwrap(), original);
    let readme = std::fs::read_to_string(dir.join("README.md")).unwrap();
    assert_eq!(readme.lines().count(), 5, "{readme}");
    assert!(readme.contains("`matmul-tutor run sgemm_tiled --copy`"), "{readme}");

    std::fs::write(dir.join("README.md"), "mine").unwrap();
    let second = compare("sgemm_tiled", &dir, &["--size", "64"]);
    assert_eq!(second.code, Some(0), "{}", second.err);
    assert_eq!(std::fs::read_to_string(dir.join("README.md")).unwrap(), "mine");
    assert!(second.out.contains("Your kernel is still the original"), "{}", second.out);
}

#[test]
fn the_comparison_tells_right_from_wrong_and_a_hazard_from_both() {
    if std::env::var_os("MATMUL_TUTOR_NVRTC").is_none() {
        println!("skipped: MATMUL_TUTOR_NVRTC names no library");
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let copy = root.path().join("sgemm_tiled.cu");
    let original = std::fs::read_to_string(Path::new(ROOT).join("kernels/sgemm_tiled.cu")).unwrap();
    let judged = |text: String| {
        std::fs::write(&copy, text).unwrap();
        let called = compare("sgemm_tiled", root.path(), &["--size", "64", "--json"]);
        (called.code, called.json())
    };
    let (code, document) = judged(format!("{original}\n// mine\n"));
    assert_eq!((code, &document["verdict"], &document["changed"]), (Some(0), &"right".into(), &true.into()));
    let stores = |side: &str, document: &Value| document[side]["counts"]["totals"]["wavefronts"].as_u64().unwrap();
    let (code, document) = judged(original.replace("A_tile[TILE][TILE]", "A_tile[TILE][TILE * 2]"));
    assert_eq!((code, &document["verdict"]), (Some(0), &"right".into()));
    assert!(stores("yours", &document) > stores("original", &document), "{document}");
    let (code, document) = judged(original.replace("alpha * sum", "alpha + sum"));
    assert_eq!((code, &document["verdict"]), (Some(1), &"wrong".into()));
    assert_eq!((&document["original"]["verified"], &document["yours"]["verified"]), (&true.into(), &false.into()));
    let hazard = "if (tx == 0) A_tile[0][0] = float(ty);\n    // [region store]";
    let (code, document) = judged(original.replace("// [region store]", hazard));
    assert_eq!((code, &document["verdict"], &document["yours"]["mismatches"]), (Some(1), &"hazard".into(), &0.into()));
    let (code, document) = judged("no kernel".to_owned());
    assert_eq!((code, &document["error"]["kind"]), (Some(1), &"compile".into()));
}
