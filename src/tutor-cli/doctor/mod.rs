//! `doctor`: reports what this machine has and what it lacks, with one piece of advice for each problem.

mod nvrtc;
mod recover;

use crate::locale;
use crate::prelude::*;
use std::io::IsTerminal as _;
use tutor_course::Course;
use tutor_exec::protocol::{DeviceKind, ExecError, ExecErrorKind, Sandbox};
use tutor_exec::recorded::Recording;
use tutor_kernels::nvrtc::is_static;
use tutor_progress::data_dir;
use tutor_support::sentence;
use tutor_support::words;
use ui_kit::look::SMALLEST;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
    /// Only add what can still be read in a damaged progress file, or in a backup, to your progress.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub(crate) recover: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct Report {
    checks: Vec<Check>,
    /// Where NVRTC was searched for, in this order; null if the worker has another version.
    nvrtc: Option<nvrtc::Found>,
}

/// The result of one check.
#[derive(Debug, Serialize)]
struct Check {
    /// Name for scripts, the same in every language.
    name: &'static str,
    found: bool,
    /// What was found, or why nothing was found.
    detail: String,
    /// Advice if something has to be done.
    #[serde(rename = "do")]
    advice: Option<String>,
}

/// Seconds that the driver has to answer.
const PATIENCE: f64 = 8.0;

/// Name of the check to which the NVRTC locations belong.
const NVRTC: &str = "NVRTC";

impl Check {
    fn found(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, found: true, detail: detail.into(), advice: None }
    }

    fn missing(name: &'static str, detail: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { name, found: false, detail: detail.into(), advice: Some(advice.into()) }
    }

    /// Returns the name to show to the user.
    fn label(&self) -> String {
        match self.name {
            "worker" => t!("doctor-worker"),
            "sandbox" => t!("doctor-sandbox"),
            "driver" => t!("doctor-driver"),
            "emulator" => t!("doctor-emulator"),
            "recorded" => t!("doctor-recorded"),
            "terminal" => t!("doctor-terminal"),
            "data" => t!("doctor-data"),
            "course" => t!("doctor-course"),
            "languages" => t!("doctor-languages"),
            name => name.to_owned(),
        }
    }
}

/// Checks everything that the tutor can use.
pub(crate) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    if let Some(file) = &args.recover {
        return recover::run(file, globals);
    }
    let Some((mut checks, nvrtc)) = devices() else { return Ok(Exit::Interrupted) };
    checks.extend([
        recordings(),
        terminal(globals),
        course(globals),
        languages(globals),
        data(globals.data.as_deref()),
    ]);
    let report = Report { checks, nvrtc };
    if args.json {
        output::json(&report)?;
        return Ok(Exit::Done);
    }
    let (yes, no, arrow) = if globals.ascii { ("ok", "--", "->") } else { ("✔ ", "· ", "→") };
    for check in &report.checks {
        let sign = if check.found { yes } else { no };
        output::hanging(&format!("{sign} {} ", pad(&check.label(), 10)), &check.detail)?;
        if let Some(advice) = &check.advice {
            output::hanging(&format!("{}{arrow} ", " ".repeat(14)), advice)?;
        }
        if let Some(found) = report.nvrtc.as_ref().filter(|_| check.name == NVRTC) {
            for (taken, line) in found.lines() {
                let sign = if taken { yes } else { no };
                output::hanging(&format!("{}{sign} ", " ".repeat(14)), line)?;
            }
        }
    }
    Ok(Exit::Done)
}

/// Checks GPU, driver, cuBLAS and NVRTC as the worker sees them. Returns `None` after Ctrl-C.
fn devices() -> Option<(Vec<Check>, Option<nvrtc::Found>)> {
    let described = Session::with_limit(Some(PATIENCE)).and_then(|session| Ok((session.describe()?, session)));
    let (description, session) = match described {
        Ok(described) => described,
        Err(ExecError { kind: ExecErrorKind::Interrupted, .. }) => return None,
        Err(ExecError { message, help, .. }) => {
            let advice = help.unwrap_or_else(|| sentence!("doctor-worker-do"));
            return Some((vec![Check::missing("worker", message, advice)], None));
        }
    };
    let device = &description.device;
    let on_gpu = device.kind == DeviceKind::Cuda;
    let unknown = t!("doctor-unknown");
    let mut checks = Vec::new();
    if on_gpu {
        checks.push(Check::found(
            "GPU",
            match device.capability {
                Some([major, minor]) => {
                    t!("doctor-gpu", device = &device.name, capability = format!("{major}.{minor}"))
                }
                None => device.name.clone(),
            },
        ));
        let driver = device.driver.as_deref().unwrap_or(&unknown);
        let cuda = description.cuda.as_deref().unwrap_or(&unknown);
        checks.push(Check::found("driver", t!("doctor-driver-is", driver, cuda)));
    } else {
        let why = description.why_not_cuda.as_ref().map_or(unknown, ToString::to_string);
        // The emulator runs every kernel, so that nothing has to be done where no GPU is.
        let own = description.cuda_help.as_ref().map(ToString::to_string).unwrap_or_default();
        let advice = if is_static() { t!("doctor-static-do") } else { t!("doctor-gpu-do", own) };
        checks.push(Check::missing("GPU", why, advice));
    }
    checks.push(match &description.cublas {
        Ok(version) => Check::found("cuBLAS", version),
        Err(why) if on_gpu => Check::missing("cuBLAS", why.to_string(), t!("doctor-cublas-do")),
        Err(why) => Check::missing("cuBLAS", why.to_string(), t!("doctor-cublas-idle")),
    });
    let (check, nvrtc) = nvrtc::check(&description, &session)?;
    checks.push(check);
    checks.push(Check::found("emulator", t!("doctor-built-in")));
    checks.push(sandbox(description.sandbox));
    Some((checks, nvrtc))
}

/// Reports which rights the worker has given up, and which the system did not let it give up.
fn sandbox(sandbox: Option<Sandbox>) -> Check {
    let (files, calls, walled) = match sandbox {
        None => return Check::missing("sandbox", t!("doctor-sandbox-unknown"), t!("doctor-sandbox-unknown-do")),
        Some(Sandbox::Off) => return Check::missing("sandbox", t!("doctor-sandbox-off"), t!("doctor-sandbox-off-do")),
        Some(Sandbox::NotHere) => {
            return Check::missing("sandbox", t!("doctor-sandbox-not-here"), t!("doctor-sandbox-not-here-do"));
        }
        Some(Sandbox::Emulator { files, calls }) => (files, calls, t!("doctor-sandbox-emulator")),
        Some(Sandbox::Gpu { files, calls }) => (files, calls, t!("doctor-sandbox-gpu")),
    };
    match (files, calls) {
        (true, true) => Check::found("sandbox", walled),
        (true, false) => Check::missing("sandbox", t!("doctor-sandbox-files-only"), t!("doctor-sandbox-do")),
        (false, true) => Check::missing("sandbox", t!("doctor-sandbox-calls-only"), t!("doctor-sandbox-do")),
        (false, false) => Check::missing("sandbox", t!("doctor-sandbox-none"), t!("doctor-sandbox-do")),
    }
}

fn recordings() -> Check {
    let one = |recording: &Recording| {
        t!("doctor-recording", device = &recording.device, driver = &recording.driver, date = &recording.date)
    };
    let labels: Vec<String> = Recording::built_in().iter().map(one).collect();
    if labels.is_empty() {
        return Check::missing("recorded", t!("doctor-no-recording"), t!("doctor-no-recording-do"));
    }
    Check::found("recorded", labels.join("; "))
}

/// Reports size, colours and characters of the terminal.
fn terminal(globals: &Globals) -> Check {
    if !std::io::stdout().is_terminal() {
        return Check::missing("terminal", t!("doctor-no-terminal"), t!("doctor-no-terminal-do"));
    }
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let name = variable("TERM").unwrap_or_else(|| t!("doctor-unknown"));
    let (columns, rows) = match crossterm::terminal::size() {
        Ok(size) => size,
        Err(error) => {
            let text = t!("doctor-size-unknown", why = error.to_string());
            return Check::missing("terminal", text, t!("doctor-size-unknown-do"));
        }
    };
    let colours = if globals.colourless() {
        t!("doctor-no-colours")
    } else if cfg!(windows) || variable("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit") {
        t!("doctor-true-colour")
    } else if name.contains("256color") {
        t!("doctor-256-colours")
    } else {
        t!("doctor-16-colours")
    };
    let utf8 = locale::has_unicode(variable);
    let characters = if utf8 { t!("doctor-utf8") } else { t!("doctor-no-utf8") };
    let size = format!("{columns}×{rows}");
    let found = t!("doctor-terminal-is", size, name, colours, characters);
    let (least_columns, least_rows) = SMALLEST;
    if columns < least_columns || rows < least_rows {
        let smallest = t!("doctor-small-do", columns = least_columns.to_string(), rows = least_rows.to_string());
        return Check::missing("terminal", t!("doctor-small", size), smallest);
    }
    let mut check = Check::found("terminal", found);
    check.advice = (!utf8 && !globals.ascii).then(|| t!("doctor-no-utf8-do"));
    check
}

/// Reports the course and the number of its problems.
fn course(globals: &Globals) -> Check {
    let source = CourseSource::from_option(globals.course.as_deref());
    let course = Course::load(&source, globals.lang.code());
    let (_, kernels) = Catalog::of_course(source.directory());
    let problems = course.problems.len() + kernels.len();
    let place = source.directory().map_or_else(|| t!("doctor-built-in"), |path| path.display().to_string());
    let check = source.directory().map_or_else(String::new, |path| format!(" {}", path.display()));
    if course.levels.is_empty() || problems > 0 {
        let text = t!("doctor-course-problems", place, count = problems);
        return Check::missing(
            "course",
            text,
            t!("doctor-course-do", command = format!("matmul-tutor course check{check}")),
        );
    }
    Check::found("course", t!("doctor-course-is", place, levels = course.levels.len()))
}

/// Reports the languages of the course and of the interface.
fn languages(globals: &Globals) -> Check {
    let source = CourseSource::from_option(globals.course.as_deref());
    let course = tutor_course::languages(&source).join(", ");
    let interface: Vec<String> = words::languages().into_iter().collect();
    let chosen = globals.lang.code();
    let text = t!("doctor-languages-are", course, interface = interface.join(", "), chosen);
    Check::found("languages", text)
}

fn data(chosen: Option<&Path>) -> Check {
    let advice = t!("doctor-data-do");
    let directory = match data_dir(chosen) {
        Ok(directory) => directory,
        Err(error) => return Check::missing("data", error.to_string(), advice),
    };
    let shown = directory.display().to_string();
    // The nearest existing parent directory decides whether the data directory can be created.
    let absolute = std::path::absolute(&directory).unwrap_or(directory);
    let existing = absolute.ancestors().find(|path| path.exists());
    match existing.map(can_write) {
        Some(Ok(())) => Check::found("data", shown),
        Some(Err(error)) => {
            Check::missing("data", t!("doctor-data-closed", place = shown, why = error.to_string()), advice)
        }
        None => Check::missing("data", t!("doctor-data-none", place = shown), advice),
    }
}

fn can_write(directory: &Path) -> std::io::Result<()> {
    let probe = directory.join(format!(".matmul-tutor-{}", std::process::id()));
    std::fs::File::create_new(&probe)?;
    std::fs::remove_file(&probe)
}
