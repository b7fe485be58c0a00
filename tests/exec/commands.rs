//! The subcommands that launch, compile and look.

use super::binary;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use tutor_support::t;

fn tutor(arguments: &[&str]) -> std::process::Output {
    Command::new(binary()).args(arguments).output().unwrap()
}

fn stderr(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// NVRTC is there and of the pinned release; otherwise says so and gives false.
#[cfg(feature = "cuda")]
fn has_pinned_nvrtc() -> bool {
    use tutor_kernels::nvrtc::{Nvrtc, PINNED_RELEASE};
    let release = Nvrtc::get().and_then(Nvrtc::release);
    if release.as_deref() != Ok(PINNED_RELEASE) {
        println!("skipped: NVRTC is not {PINNED_RELEASE}: {release:?}");
    }
    release.as_deref() == Ok(PINNED_RELEASE)
}

#[cfg(feature = "cuda")]
#[test]
fn a_changed_source_makes_its_ptx_stale_until_it_is_built() {
    if !has_pinned_nvrtc() {
        return;
    }
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(root.path().join("kernels")).unwrap();
    let write = |path: &str, text: &str| std::fs::write(root.path().join(path), text).unwrap();
    let source = "extern \"C\" __global__ void fill(float* x) {\n  x[threadIdx.x] = TIMES * 2.0f;\n}\n";
    write("kernels/fill.cu", source);
    write("kernels/catalog.yaml", include_str!("catalogues/filling.yaml"));
    let course = root.path().to_str().unwrap();
    let build = |check: bool| {
        let check = if check { &["--check"][..] } else { &[] };
        let output = tutor(&[&["course", "build", "--course", course], check].concat());
        (output.status.code(), stderr(&output))
    };
    let (code, why) = build(true);
    assert_eq!(code, Some(1));
    assert!(why.contains("Stale: fill, fill@3, fill@5."), "{why}");
    assert_eq!(build(false).0, Some(0));
    assert_eq!(build(true).0, Some(0));

    let catalog_of = || tutor_kernels::Catalog::from_directory(root.path()).0;
    let ptx = |id: &str| catalog_of().find(id).unwrap().ptx.clone().unwrap();
    // 14, 6 and 10 as the bits of a float, and the architecture that was asked for.
    for (id, value, lines) in [("fill", 14.0f32, true), ("fill@3", 6.0, false), ("fill@5", 10.0, false)] {
        let (ptx, bits) = (ptx(id), value.to_bits());
        assert!(ptx.contains(&bits.to_string()) || ptx.contains(&format!("0f{bits:08X}")), "{id}: {ptx}");
        assert!(ptx.contains(".target sm_80") && ptx.contains(".loc") == lines, "{id}: {ptx}");
    }

    write("kernels/fill.cu", &source.replace("2.0f", "4.0f"));
    write("assets/ptx/fill/9.ptx.gz", "of no variant");
    let (code, why) = build(true);
    assert_eq!(code, Some(1));
    assert!(why.contains("fill@5, assets/ptx/fill/9.ptx.gz."), "{why}");
    assert_eq!(build(false).0, Some(0));
    assert_eq!(build(true).0, Some(0));
    assert!(!root.path().join("assets/ptx/fill/9.ptx.gz").exists());
}

#[test]
fn a_library_that_is_none_is_refused_by_name() {
    let output = Command::new(binary())
        .args(["course", "build", "--check"])
        .env("MATMUL_TUTOR_NVRTC", "/nonexistent/libnvrtc.so")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("/nonexistent/libnvrtc.so"), "{}", stderr(&output));
}

#[test]
fn kernels_lists_every_kernel_with_where_it_runs() {
    let output = tutor(&["run", "--list", "--json"]);
    assert!(output.status.success());
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let kernels = document["kernels"].as_array().unwrap();
    let levels: Vec<u64> = kernels.iter().map(|kernel| kernel["level"].as_u64().unwrap()).collect();
    assert!(levels.is_sorted() && levels[0] == 1, "{levels:?}");
    for kernel in kernels {
        assert_eq!(kernel["block"].as_array().unwrap().len(), 3);
        let on = |device: &str| kernel["available"][device] == true;
        assert!(on("emulator") || kernel["available"]["why"].as_str().unwrap().contains("emulator"), "{kernel}");
        let level = kernel["level_id"].as_str().unwrap();
        let tensor_cores = ["tensor-cores", "hopper", "fp32-tensor-cores", "eight-bits"].contains(&level);
        assert!(on("emulator") || tensor_cores, "the emulator runs all kernels without tensor cores: {kernel}");
        assert!(on("cuda") || kernel["available"]["why"].is_string(), "{kernel}");
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(kernel["file"].as_str().unwrap()).exists());
    }
}

#[test]
fn doctor_says_of_each_thing_whether_it_is_there_and_what_to_do() {
    let data = tempfile::tempdir().unwrap();
    let output = tutor(&["doctor", "--json", "--data", data.path().to_str().unwrap()]);
    assert!(output.status.success());
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = document["checks"].as_array().unwrap();
    let names: Vec<&str> = checks.iter().map(|check| check["name"].as_str().unwrap()).collect();
    for name in ["GPU", "cuBLAS", "NVRTC", "emulator", "terminal", "data"] {
        assert!(names.contains(&name), "{names:?}");
    }
    for check in checks {
        assert!(check["found"] == true || check["do"].is_string(), "{check}");
    }
    assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn no_line_of_doctor_ends_with_a_space() {
    let mut doctor = Command::new(binary());
    for variable in ["MATMUL_TUTOR_NVRTC", "VIRTUAL_ENV", "CONDA_PREFIX", "CUDA_HOME", "CUDA_PATH"] {
        doctor.env_remove(variable);
    }
    let output = doctor.arg("doctor").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().find(|line| line.trim_end() != *line), None, "{text}");
}

#[test]
fn run_gives_the_documented_fields_and_exit_codes() {
    let on_emulator = |arguments: &[&str]| {
        let output = Command::new(binary()).args(["--on", "emulator", "run", "--json"]).args(arguments).output();
        let output = output.unwrap_or_else(|error| panic!("{error}"));
        (output.status.code(), serde_json::from_slice::<Value>(&output.stdout).unwrap_or(Value::Null), stderr(&output))
    };
    let (code, right, _) = on_emulator(&["sgemm_tiled", "--m", "17", "--n", "33", "--k", "5"]);
    assert_eq!(code, Some(0));
    assert_eq!(right["kernel"], "sgemm_tiled");
    assert_eq!(right["device"]["kind"], "emulator");
    assert_eq!(right["shape"], serde_json::json!({"m": 17, "n": 33, "k": 5}));
    assert_eq!((&right["verified"], &right["mismatches"]), (&Value::Bool(true), &Value::from(0)));
    assert!(right["max_rel_err"].as_f64().unwrap() < 1e-6);
    assert_eq!((&right["time"], &right["gflops"], &right["cublas"]), (&Value::Null, &Value::Null, &Value::Null));
    assert!(right["counts"]["totals"]["wavefronts"].as_u64().unwrap() > 0);
    assert_eq!(right["hazards"], serde_json::json!([]));
    assert!(right["stats"]["seconds"].is_number());

    let (code, wrong, _) = on_emulator(&["sgemm_no_second_barrier", "--size", "64"]);
    assert_eq!(code, Some(1), "a wrong result, though it is expected");
    assert_eq!((&wrong["verified"], &wrong["expected_wrong"]), (&Value::Bool(false), &Value::Bool(true)));
    assert_eq!(wrong["hazards"][0]["kind"], "WAR");

    let (code, large, _) = on_emulator(&["sgemm_tiled", "--size", "4096"]);
    assert_eq!(code, Some(0));
    assert_eq!((&large["verified"], &large["checked"]), (&Value::Bool(false), &Value::Bool(false)));
    assert!(large["notes"].as_array().unwrap().iter().any(|note| note.as_str().unwrap().contains("not checked")));
    assert!(large["counts"]["blocks_counted"].as_u64() < large["counts"]["blocks"].as_u64());

    let (code, padded, _) = on_emulator(&["bf16_tma_store+padded", "--size", "100"]);
    assert_eq!((code, &padded["elements"], &padded["instead"]), (Some(0), &Value::from("bf16"), &Value::Null));
    assert!(padded["notes"][0].as_str().unwrap().contains("whole 128-byte lines"), "{}", padded["notes"]);
    let (code, batch, _) = on_emulator(&["bf16_batched", "--m", "72", "--n", "40", "--k", "24", "--batch", "5"]);
    assert_eq!((code, &batch["verified"]), (Some(0), &Value::Bool(true)), "{batch}");
    assert_eq!(batch["shape"], serde_json::json!({"m": 72, "n": 40, "k": 24, "batch": 5}));
    let (code, _, why) = on_emulator(&["bf16_tma_store", "--size", "64", "--batch", "2"]);
    assert!(code == Some(2) && why.contains("computes one product, not a batch"), "{why}");
    // A has 2015 bytes, and the copy reads words of 4.
    let (code, bytes, _) = on_emulator(&["e4m3_simple+padded", "--m", "31", "--n", "64", "--k", "65"]);
    assert_eq!(code, Some(0), "{bytes}");
    let bytes =
        |kernel| on_emulator(&[kernel, "--size", "128"]).1["counts"]["totals"]["global_bytes"].as_u64().unwrap();
    assert!(bytes("e4m3_unfused") >= bytes("e4m3_fused") + 128 * 128 * 2 * 2, "C is loaded and stored once more");
    for (kernel, size, part) in [
        ("bf16_tma_store+padded", "128", "nothing to copy"),
        ("e4m3_scaled+padded", "100", "its parameters after `beta`"),
        ("bf16_split_k@1x1+padded", "100", "There is no variant `bf16_split_k@1x1`"),
        ("bf16_tma_stor+padded", "100", "Did you mean `bf16_tma_store`?"),
    ] {
        let (code, _, why) = on_emulator(&[kernel, "--size", size]);
        assert!(code == Some(2) && why.contains(part), "{why}");
    }

    let (code, _, why) = on_emulator(&["sgem_tiled"]);
    assert_eq!(code, Some(2));
    assert!(why.contains(&t!("cli-preview-near", name = "sgemm_tiled")), "{why}");
    assert_eq!(on_emulator(&["sgemm_tiled", "--size", "1000000"]).0, Some(2));
    assert_eq!(on_emulator(&["sgemm_tiled", "--size", "0"]).0, Some(2));
    assert_eq!(on_emulator(&["sgemm_tiled", "--alpha", "nan"]).0, Some(2));
    assert_eq!(on_emulator(&["sgemm_tiled", "--ptx", "/nonexistent"]).0, Some(2));
}

#[test]
fn a_bench_that_must_be_on_a_gpu_says_that_there_is_none() {
    let output =
        Command::new(binary()).args(["bench", "--on", "cuda"]).env("CUDA_VISIBLE_DEVICES", "").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("GPU"), "{}", stderr(&output));
    assert_eq!(tutor(&["bench", "--level", "nobody"]).status.code(), Some(2));
}

#[test]
fn a_recording_is_drawn_without_a_gpu_and_what_is_none_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let picture = dir.path().join("ladder.svg");
    let output = tutor(&["bench", "--on", "emulator", "--svg", picture.to_str().unwrap(), "--elements", "f32"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("cuBLAS") && svg.contains("FP32"), "{svg}");
    let none = dir.path().join("none.json");
    std::fs::write(&none, "{}").unwrap();
    let output = tutor(&["bench", "--svg", picture.to_str().unwrap(), "--recording", none.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is not a recording"), "{}", stderr(&output));
}
