//! The memory that `emulate` needs.
#![cfg(target_os = "linux")]

use super::shared::program;
use std::io::{Read as _, Write as _};
use std::process::Stdio;

const ADD: &str = ".version 8.0\n.target sm_75\n.address_size 64\n\
    .visible .entry add(.param .u64 x, .param .u32 n) {\n.reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .pred %p<2>;\n\
    ld.param.u64 %rd1, [x]; ld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd1, %rd1, %rd2;\n\
    ld.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, %r1; st.global.u32 [%rd1], %r3;\nret;\n}\n";

/// Returns the peak memory of `emulate`, without its mapped files, when it has almost finished writing a buffer of
/// `bytes` bytes as JSON, its last step.
fn peak(buffer: &str, bytes: u64) -> u64 {
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
