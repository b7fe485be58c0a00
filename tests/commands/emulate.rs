//! `emulate` as scripts call it.

use super::shared::program;
use serde_json::Value;

const ADD: &str = ".version 8.0\n.target sm_75\n.address_size 64\n\
    .visible .entry add(.param .u64 x, .param .u32 n) {\n.reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .pred %p<2>;\n\
    ld.param.u64 %rd1, [x]; ld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd1, %rd1, %rd2;\n\
    ld.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, %r1; st.global.u32 [%rd1], %r3;\nret;\n}\n";

fn emulate(text: &str, args: &[&str]) -> (Option<i32>, Value) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kernel.ptx");
    std::fs::write(&file, text).unwrap();
    let output = program().arg("emulate").arg(&file).args(args).arg("--json").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
}

#[test]
fn variables_of_the_module_are_set_and_read() {
    let text = ".version 8.0\n.target sm_75\n.address_size 64\n.const .f32 factor = 0f3F800000;\n.global .u32 seen[2];\n\
        .visible .entry k() { .reg .b32 %r<3>; ld.const.u32 %r1, [factor]; st.global.u32 [seen+4], %r1; ret; }\n";
    let (code, json) =
        emulate(text, &["--entry", "k", "--symbol", "factor=f32:1.5", "--symbol", "seen", "--threads", "1"]);
    assert_eq!(code, Some(0), "{json}");
    assert_eq!(json["symbols"], serde_json::json!({ "factor": "0000c03f", "seen": "000000000000c03f" }));
    for (symbol, says) in [
        ("nothing", "`k` uses no variable `nothing` of its module; it uses factor, seen."),
        ("factor=u64:1", "--symbol factor=u64:1: 8 bytes do not fit into 4."),
        ("seen=buf:zeros:8", "--symbol seen=buf:zeros:8: a variable's value is a number, hex:… or file:PATH."),
    ] {
        let (code, json) = emulate(text, &["--entry", "k", "--symbol", symbol]);
        assert_eq!((code, json["error"]["message"].as_str()), (Some(2), Some(says)), "{json}");
    }
}

#[test]
fn a_variable_that_only_the_module_has_is_left_out() {
    let text = ".version 8.0\n.target sm_75\n.address_size 64\n.global .u32 lut;\n.visible .entry k() { ret; }\n\0";
    let (code, json) = emulate(text, &["--entry", "k", "--symbol", "lut=u32:1"]);
    let left_out = serde_json::json!(["Kernel `k` does not use the variable `lut` of its module."]);
    assert_eq!((code, &json["left_out"]), (Some(0), &left_out), "{json}");
}

#[test]
fn the_program_of_a_kernel_is_printed_and_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kernel.ptx");
    let text = ADD.replace("add.u32 %r3, %r3, %r1;", "setp.eq.u32 %p1, %r3, 0; @!%p1 add.u32 %r3, %r3, %r1;");
    std::fs::write(&file, text).unwrap();
    let program = |entry: &str| {
        let output = program().args(["emulate", "--program", "--entry", entry]).arg(&file).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, listing, _) = program("add");
    assert_eq!(code, Some(0));
    insta::assert_snapshot!(listing);
    let (code, listing, error) = program("sub");
    assert_eq!((code, listing.as_str()), (Some(2), ""));
    assert!(error.contains("There is no kernel `sub`; the PTX has add."), "{error}");
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

/// One warp writes a flag. The other spins on a word that no warp writes.
const RACY_SPIN: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n\
    .reg .pred %q; .reg .b32 %r<4>; .shared .align 4 .b32 flag;\nmov.u32 %r1, %tid.x; setp.lt.u32 %q, %r1, 32;\n@%q bra W;\n\
    L: ld.shared.u32 %r2, [flag]; setp.ne.u32 %q, %r2, 7; @%q bra L;\nret;\nW: st.shared.u32 [flag], %r1;\nret;\n}\n";

#[test]
fn what_hazards_do_is_looked_for_with_the_steps_that_are_left() {
    let args = ["--entry", "k", "--block", "64", "--steps", "1000", "--measure", "all", "--arg", "buf:zeros:64"];
    let (code, json) = emulate(RACY_SPIN, &args);
    assert_eq!((code, &json["error"]["kind"]), (Some(1), &Value::from("step_budget")), "{json}");
    let why = "no witness was sought, because the budget of 1000 warp instructions was used up";
    assert_eq!(json["witnesses"][0]["why"], why, "{json}");
    assert_eq!(json["hazards"].as_array().map(Vec::len), json["witnesses"].as_array().map(Vec::len));
}

#[test]
fn a_hazard_that_was_looked_for_is_a_failure_and_a_single_kernel_needs_no_name() {
    let text = RACY_SPIN.replace("@%q bra L;", "");
    for (measure, code, hazards) in [("counts", 0, 0), ("all", 1, 2)] {
        let found = emulate(&text, &["--block", "64", "--arg", "buf:zeros:64", "--measure", measure]);
        assert_eq!((found.0, found.1["hazards"].as_array().map(Vec::len)), (Some(code), Some(hazards)), "{}", found.1);
    }
}

#[test]
fn a_time_that_is_over_and_what_large_buffers_leave_out_are_said() {
    let args = ["--entry", "k", "--block", "64", "--steps", "99999999999", "--seconds", "0.05", "--arg", "u64:0"];
    let (code, json) = emulate(RACY_SPIN, &args);
    assert_eq!((code, &json["error"]["kind"]), (Some(1), &Value::from("time_budget")), "{json}");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), ADD).unwrap();
    // A document would have the whole buffer.
    let more =
        ["--entry", "add", "--arg", "buf:zeros:70000000", "--arg", "u32:1", "--measure", "all", "--show", "u32:2"];
    let output = program().arg("emulate").arg(file.path()).args(more).output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let said = "`emulate` did not look for the effect of hazards, because the buffers have more than 64 MiB together.";
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.join(" ").contains(said) && words.windows(2).any(|pair| pair == ["1", "0"]), "{text}");
}

/// Returns the peak memory of `emulate`, without its mapped files, when it has almost finished writing a buffer of
/// `bytes` bytes as JSON, its last step.
#[cfg(target_os = "linux")]
fn peak(buffer: &str, bytes: u64) -> u64 {
    use std::io::{Read as _, Write as _};
    use std::process::Stdio;
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(ADD.as_bytes()).unwrap();
    let mut command = program();
    command.arg("emulate").arg(file.path()).args(["--entry", "add", "--arg", buffer, "--arg", "u32:7", "--json"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    // It waits for a reader of the rest, which is longer than a pipe can hold.
    let most = 2 * bytes - (1 << 18);
    assert_eq!(std::io::copy(&mut (&mut out).take(most), &mut std::io::sink()).unwrap(), most);
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    std::io::copy(&mut out, &mut std::io::sink()).unwrap();
    assert!(child.wait().unwrap().success(), "{buffer}");
    let size = |name: &str| {
        let size = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        size.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    };
    size("VmHWM:") - size("RssFile:")
}

#[cfg(target_os = "linux")]
#[test]
fn a_buffer_is_held_once() {
    const BYTES: u64 = 4 << 20;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), vec![1; BYTES as usize]).unwrap();
    let alone = peak("buf:zeros:1000000", 1_000_000);
    for buffer in [
        format!("buf:zeros:{BYTES}"),
        format!("buf:f32:rand:{}:1", BYTES / 4),
        format!("buf:file:{}", file.path().display()),
    ] {
        // Zeros that nobody has touched take nothing, and what is counted is not exact.
        let more = peak(&buffer, BYTES).saturating_sub(alone);
        assert!(more * 2 <= BYTES * 3, "{buffer}: {more} bytes more");
    }
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

#[test]
fn the_instructions_that_it_runs_are_listed() {
    let list = |args: &[&str]| {
        let output = program().args(["emulate", "--list"]).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let plain = list(&[]);
    assert!(plain.contains("\n2.0  sm_20  bfind{.shiftamt}.LONG  b32 t\n"), "{plain}");
    assert!(plain.ends_with("\nWORD  b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64\n"), "{plain}");
    let json: Value = serde_json::from_str(&list(&["--json"])).unwrap();
    let forms = json["forms"].as_array().unwrap();
    assert_eq!(forms.len(), ptx_emulator::forms().len());
    let bfind = forms.iter().find(|form| form["form"] == "bfind{.shiftamt}.LONG").unwrap();
    assert_eq!(
        bfind,
        &serde_json::json!({ "form": "bfind{.shiftamt}.LONG", "operands": "b32 t", "ptx": "2.0", "target": "sm_20" })
    );
    assert_eq!(json["sets"]["LONG"], serde_json::json!(["u32", "u64", "s32", "s64"]));
}
