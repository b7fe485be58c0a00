//! `doctor`: what is there, what is not, and the one thing to do about it.

use super::session::Session;
use super::{Exit, Globals, output};
use crate::exec::protocol::{DeviceKind, ExecError, ExecErrorKind};
use crate::exec::recorded::Recording;
use crate::mastery::data_dir;
use serde::Serialize;
use std::io::IsTerminal as _;
use std::path::Path;

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one JSON document.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    checks: Vec<Check>,
}

/// One thing that was looked for.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    found: bool,
    /// What was found, or why not.
    detail: String,
    /// The one thing to do, if something is to be done.
    #[serde(rename = "do")]
    advice: Option<String>,
}

impl Check {
    fn found(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, found: true, detail: detail.into(), advice: None }
    }

    fn missing(name: &'static str, detail: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { name, found: false, detail: detail.into(), advice: Some(advice.into()) }
    }
}

/// Looks for everything that the tutor can use.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let Some(mut checks) = devices() else { return Ok(Exit::Interrupted) };
    checks.extend([recordings(), terminal(), data(globals.data.as_deref())]);
    let report = Report { checks };
    if args.json {
        output::json(&report)?;
        return Ok(Exit::Done);
    }
    let (yes, no) = if globals.ascii { ("ok", "--") } else { ("✔ ", "· ") };
    for check in &report.checks {
        let sign = if check.found { yes } else { no };
        output::line(format_args!("{sign} {:10} {}", check.name, check.detail))?;
        if let Some(advice) = &check.advice {
            output::line(format_args!("              → {advice}"))?;
        }
    }
    Ok(Exit::Done)
}

/// GPU, driver, cuBLAS and NVRTC, as the worker sees them; nothing after Ctrl-C.
fn devices() -> Option<Vec<Check>> {
    let described = Session::start().and_then(|session| session.describe());
    let description = match described {
        Ok(description) => description,
        Err(ExecError { kind: ExecErrorKind::Interrupted, .. }) => return None,
        Err(ExecError { message, help, .. }) => {
            let advice = help.unwrap_or_else(|| "Run `matmul-tutor worker` by itself to see why.".to_owned());
            return Some(vec![Check::missing("worker", message, advice)]);
        }
    };
    let device = &description.device;
    let on_gpu = device.kind == DeviceKind::Cuda;
    let mut checks = Vec::new();
    if on_gpu {
        let capability = device.capability.map(|[major, minor]| format!(", compute capability {major}.{minor}"));
        checks.push(Check::found("GPU", format!("{}{}", device.name, capability.unwrap_or_default())));
        let driver = device.driver.as_deref().unwrap_or("of unknown version");
        let cuda = description.cuda.as_deref().unwrap_or("?");
        checks.push(Check::found("driver", format!("{driver}, CUDA {cuda}")));
    } else {
        let why = description.why_not_cuda.as_deref().unwrap_or("Unknown.");
        checks.push(Check::missing(
            "GPU",
            why,
            "Nothing, if you have none: every kernel runs on the emulator. Else install NVIDIA's driver 525 or newer.",
        ));
    }
    checks.push(match &description.cublas {
        Ok(version) => Check::found("cuBLAS", version),
        Err(why) if on_gpu => Check::missing(
            "cuBLAS",
            why,
            "`pip install nvidia-cublas-cu12` in an active virtual environment, to compare with it.",
        ),
        Err(why) => Check::missing("cuBLAS", why, "Nothing: without a GPU it is not used."),
    });
    checks.push(match &description.nvrtc {
        Ok(version) => Check::found("NVRTC", version),
        Err(why) => Check::missing(
            "NVRTC",
            why,
            "`pip install nvidia-cuda-nvrtc-cu12` in an active virtual environment, to compile kernels that you edit.",
        ),
    });
    checks.push(Check::found("emulator", "built in"));
    Some(checks)
}

fn recordings() -> Check {
    let labels: Vec<String> = Recording::built_in().iter().map(Recording::label).collect();
    if labels.is_empty() {
        return Check::missing("recorded", "No recorded timings are built in.", "Run on a GPU to see times.");
    }
    Check::found("recorded", labels.join("; "))
}

fn terminal() -> Check {
    if !std::io::stdout().is_terminal() {
        let advice = "Start the tutor in a terminal; the subcommands need none.";
        return Check::missing("terminal", "Standard output is no terminal.", advice);
    }
    let name = std::env::var("TERM").unwrap_or_else(|_| "unknown".to_owned());
    let colours = if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) { ", NO_COLOR" } else { "" };
    match crossterm::terminal::size() {
        Ok((columns, rows)) if columns >= 60 && rows >= 18 => {
            Check::found("terminal", format!("{columns}×{rows}, {name}{colours}"))
        }
        Ok((columns, rows)) => Check::missing(
            "terminal",
            format!("{columns}×{rows} is too small."),
            "Make it at least 60 columns wide and 18 rows high.",
        ),
        Err(error) => Check::missing("terminal", format!("Its size is unknown: {error}."), "Try another terminal."),
    }
}

fn data(chosen: Option<&Path>) -> Check {
    let advice = "Give a directory that can be written to with --data DIR.";
    let directory = match data_dir(chosen) {
        Ok(directory) => directory,
        Err(error) => return Check::missing("data", error.to_string(), advice),
    };
    let shown = directory.display();
    // The nearest directory that is there decides whether it can be made.
    let existing = directory.ancestors().find(|path| path.exists());
    match existing.map(can_write) {
        Some(Ok(())) => Check::found("data", format!("{shown}")),
        Some(Err(error)) => Check::missing("data", format!("{shown} cannot be written to: {error}."), advice),
        None => Check::missing("data", format!("{shown} cannot be made."), advice),
    }
}

fn can_write(directory: &Path) -> std::io::Result<()> {
    let probe = directory.join(format!(".matmul-tutor-{}", std::process::id()));
    std::fs::File::create_new(&probe)?;
    std::fs::remove_file(&probe)
}
