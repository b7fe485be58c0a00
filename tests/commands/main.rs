//! What the command line says of itself and to whom, through the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod authoring;
mod banks;
mod class;
mod docs;
mod emulate;
#[cfg(unix)]
mod escapes;
mod exam;
mod exercise;
mod failures;
mod grade;
mod handed_in;
mod help;
mod language;
mod nvrtc;
mod race;
mod readme;
mod recorded;
mod results;
mod sealed;
#[path = "../shared/mod.rs"]
mod shared;
mod web;

use std::process::Stdio;

/// What a call came to.
struct Called {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Called {
    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

/// The tutor with an environment of its own, 100 columns wide, and nothing on standard input.
fn tutor(arguments: &[&str]) -> Called {
    tutor_in(arguments, &[])
}

fn tutor_in(arguments: &[&str], environment: &[(&str, &str)]) -> Called {
    let mut command = shared::program();
    let ours = "MATMUL_TUTOR_COURSE MATMUL_TUTOR_DATA MATMUL_TUTOR_STUDENT";
    for name in "LC_ALL LC_MESSAGES LANG NO_COLOR TERM".split(' ').chain(ours.split(' ')) {
        command.env_remove(name);
    }
    command.args(arguments).env("COLUMNS", "100").envs(environment.iter().copied()).stdin(Stdio::null());
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Called { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}
