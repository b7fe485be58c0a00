//! `emulate` as scripts call it.

use assert_cmd::Command;
use serde_json::Value;

const ADD: &str = ".version 8.0\n.target sm_75\n.address_size 64\n\
    .visible .entry add(.param .u64 x, .param .u32 n) {\n.reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .pred %p<2>;\n\
    ld.param.u64 %rd1, [x]; ld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd1, %rd1, %rd2;\n\
    ld.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, %r1; st.global.u32 [%rd1], %r3;\nret;\n}\n";

fn emulate(text: &str, args: &[&str]) -> (Option<i32>, Value) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kernel.ptx");
    std::fs::write(&file, text).unwrap();
    let output = Command::cargo_bin("matmul-tutor")
        .unwrap()
        .arg("emulate")
        .arg(&file)
        .args(args)
        .arg("--json")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
}

#[test]
fn a_kernel_gives_its_buffers_counts_and_stats() {
    let args =
        ["--entry", "add", "--block", "2", "--arg", "buf:hex:01000000ff000000", "--arg", "u32:7", "--measure", "all"];
    let (code, json) = emulate(ADD, &args);
    assert_eq!(code, Some(0), "{json}");
    assert_eq!(json["ok"], true);
    assert_eq!(json["buffers"], serde_json::json!(["0800000006010000"]));
    assert_eq!(json["counts"]["totals"]["sectors"], 2);
    assert_eq!(json["counts"]["lines"][0]["op"], "ld.global");
    assert_eq!(json["hazards"], serde_json::json!([]));
    assert_eq!(json["stats"]["warp_instructions"], 9);
}

#[test]
fn a_text_with_addresses_of_32_bits_runs() {
    let text = ADD.replace("64", "32").replace("mul.wide.u32", "mul.lo.u32");
    let args = ["--entry", "add", "--block", "2", "--arg", "buf:hex:01000000ff000000", "--arg", "u32:7"];
    let (code, json) = emulate(&text, &args);
    assert_eq!(code, Some(0), "{json}");
    assert_eq!(json["buffers"], serde_json::json!(["0800000006010000"]));
}

#[test]
fn faults_and_wrong_calls_have_their_exit_codes() {
    let base = ["--entry", "add", "--block", "4", "--arg", "buf:zeros:8", "--arg", "u32:7"];
    let (code, json) = emulate(ADD, &base);
    assert_eq!(
        (code, &json["ok"], &json["error"]["kind"]),
        (Some(1), &Value::Bool(false), &Value::from("out_of_bounds"))
    );
    assert_eq!(json["error"]["thread"], serde_json::json!([2, 0, 0]));
    for (text, args, kind) in [
        ("not PTX", &base[..], "parse"),
        (&ADD.replace("add.u32", "mma.u32"), &base[..], "unsupported"),
        (ADD, &["--entry", "sub"][..], "launch"),
        (ADD, &["--entry", "add", "--arg", "f16:1"][..], "launch"),
    ] {
        let (code, json) = emulate(text, args);
        assert_eq!((code, &json["error"]["kind"]), (Some(2), &Value::from(kind)), "{json}");
    }
}
