//! What the command line says of itself and to whom, through the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "commands/authoring.rs"]
mod authoring;
#[path = "commands/banks.rs"]
mod banks;
#[path = "commands/class.rs"]
mod class;
#[path = "commands/docs.rs"]
mod docs;
#[path = "commands/emulate.rs"]
mod emulate;
#[cfg(unix)]
#[path = "commands/escapes.rs"]
mod escapes;
#[path = "commands/exam.rs"]
mod exam;
#[path = "commands/exercise.rs"]
mod exercise;
#[path = "commands/failures.rs"]
mod failures;
#[path = "commands/grade.rs"]
mod grade;
#[path = "commands/handed_in.rs"]
mod handed_in;
#[path = "commands/help.rs"]
mod help;
#[path = "commands/language.rs"]
mod language;
#[path = "commands/nvrtc.rs"]
mod nvrtc;
#[path = "commands/race.rs"]
mod race;
#[path = "commands/readme.rs"]
mod readme;
#[path = "commands/recorded.rs"]
mod recorded;
#[path = "commands/results.rs"]
mod results;
#[path = "commands/sealed.rs"]
mod sealed;
#[path = "shared/mod.rs"]
mod shared;
#[path = "commands/web.rs"]
mod web;

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
    let mut command = Command::new(env!("CARGO_BIN_EXE_matmul-tutor"));
    for name in [
        "LC_ALL",
        "LC_MESSAGES",
        "LANG",
        "NO_COLOR",
        "TERM",
        "MATMUL_TUTOR_COURSE",
        "MATMUL_TUTOR_DATA",
        "MATMUL_TUTOR_STUDENT",
    ] {
        command.env_remove(name);
    }
    command.args(arguments).env("COLUMNS", "100").envs(environment.iter().copied()).stdin(Stdio::null());
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Called { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}
