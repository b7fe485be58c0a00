//! What the command line says of itself and to whom, through the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod authoring;
mod docs;
mod emulate;
#[cfg(unix)]
mod escapes;
mod failures;
mod help;
mod language;
mod readme;
mod recorded;
#[cfg(unix)]
mod scripts;
mod sealed;
#[path = "../shared/mod.rs"]
mod shared;

use std::process::{Command, Stdio};

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
    called(shared::program().args(arguments).envs(environment.iter().copied()).stdin(Stdio::null()))
}

/// Runs a command 100 columns wide, and without the variables that set up the tutor.
fn called(command: &mut Command) -> Called {
    let set: Vec<_> = command.get_envs().map(|(name, _)| name.to_owned()).collect();
    let ours = "LC_ALL LC_MESSAGES LANG NO_COLOR TERM MATMUL_TUTOR_COURSE MATMUL_TUTOR_DATA MATMUL_TUTOR_STUDENT";
    for name in ours.split(' ').filter(|name| !set.iter().any(|set| set == name)) {
        command.env_remove(name);
    }
    let output = command.env("COLUMNS", "100").output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Called { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}
