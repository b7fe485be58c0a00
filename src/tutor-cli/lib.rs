/*! The command line. Each subcommand has one file or folder; `support/` holds the code that they share.

The exit codes are part of the contract with scripts, see [`Exit`]. `--json` prints exactly one document on standard
output. Progress and errors go to standard error.
*/

mod banks;
mod bench;
mod class;
mod commands;
mod course;
mod doctor;
mod emulate;
mod exercise;
mod export_progress;
mod grade;
mod kernels;
mod nvrtc;
mod prelude;
mod quiz;
mod race;
mod regrade;
mod results;
mod review;
mod run;
mod shell;
mod status;
mod student;
mod support;
mod tutor;
#[cfg(windows)]
mod windows;
mod worker;

pub use support::{Exit, Globals, Lang};

use clap::{ArgMatches, FromArgMatches as _};
use commands::{Cli, Command, definition};
use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;
use support::{ansi, bounds, help, language, limits, locale, output, session};
use tutor_exec::protocol::{ExecError, ExecErrorKind};
use tutor_progress::data_dir;
use tutor_support::words::{ENGLISH, current};
use tutor_support::{t, thread_pool};

/// True if the arguments request one JSON document, by `--json` or `--format json`.
fn as_json(found: &ArgMatches) -> bool {
    matches!(found.try_get_one("json"), Ok(Some(true)))
        || found.try_get_raw("format").is_ok_and(|values| values.into_iter().flatten().any(|value| value == "json"))
        || found.subcommand().is_some_and(|(_, found)| as_json(found))
}

/// The definition with the texts of the current language, for help.
fn translated() -> clap::Command {
    commands::grouped(help::translated(definition(), "tutor"))
}

/// Runs the command line and returns the exit code.
pub fn main() -> ExitCode {
    #[cfg(windows)]
    crate::windows::prepare();
    ignore_empty_variables();
    help::speak(std::env::args_os());
    let parsed = definition().try_get_matches().and_then(|found| Ok((as_json(&found), Cli::from_arg_matches(&found)?)));
    let (json, Cli { mut globals, command }) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let error = translated().try_get_matches().err().unwrap_or(error);
            let code = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            let json = code == Exit::Usage && std::env::args_os().any(|arg| arg == "--json");
            if json {
                output::fail_as_json();
            }
            if let Some([former, now]) = commands::former(&error) {
                return failure(code, t!("cli-former", former, now), None).into();
            }
            if json {
                let text = help::error(&error.render().to_string());
                let (message, help) = text.split_once("\n\n").unwrap_or((&text, ""));
                let message = message.split_once(": ").map_or(message, |(_, message)| message).trim();
                return failure(code, message, Some(help.trim()).filter(|help| !help.is_empty())).into();
            }
            let text = error.render();
            if error.use_stderr() {
                let coloured = std::io::stderr().is_terminal() && current().code() == ENGLISH;
                let shown =
                    if coloured { text.ansi().to_string() } else { help::headings(&help::error(&text.to_string())) };
                let _ = output::Cleaned(std::io::stderr().lock()).write_all(shown.as_bytes());
                return code.into();
            }
            let shown = if std::io::stdout().is_terminal() { text.ansi().to_string() } else { text.to_string() };
            return output::painted(&help::headings(&shown))
                .map_or_else(|error| report(&error.into()), |()| output::ended(code))
                .into();
        }
    };
    if json {
        output::fail_as_json();
    }
    if !matches!(command, Some(Command::Worker(_))) {
        thread_pool::start(thread_pool::cores());
    }
    keep_nvrtc(&globals, command.as_ref());
    if let Some(student) = &globals.student {
        tutor_progress::set_student(student);
    }
    if let Ok(data) = tutor_progress::data_dir(globals.data.as_deref()) {
        tutor_exec::baseline::keep_in(data);
    }
    if let Some(seconds) = globals.hold {
        tutor_exec::worker::hold_for(Duration::from_secs(seconds));
    }
    let named = match &command {
        Some(Command::Course(command)) => command.course(),
        _ => None,
    };
    globals.course = named.or(globals.course);
    if let Some(exit) = unpack_course(&mut globals) {
        return exit.into();
    }
    globals.ascii |= locale::lacks_unicode(|name| std::env::var(name).ok());
    // A slow disk must not delay the tutor's first screen.
    let patience = command.is_none().then_some(language::PATIENCE);
    let opens_tutor = match &command {
        None => true,
        Some(Command::Quiz(args)) => args.opens_tutor(),
        Some(Command::Review(args)) => !args.json,
        Some(_) => false,
    };
    let kept = if opens_tutor { tutor::kept(&mut globals) } else { Default::default() };
    if let Err((message, help)) = language::choose(&mut globals, patience, kept.language()) {
        return failure(Exit::Usage, &message, Some(&help)).into();
    }
    let outcome: anyhow::Result<Exit> = match command {
        None => tutor::run(&globals),
        Some(Command::Banks(args)) => banks::run(&args, &globals),
        Some(Command::Emulate(args)) => emulate::run(&args),
        Some(Command::Race(args)) => race::run(&args),
        Some(Command::Bench(args)) => bench::run(&args, &globals),
        Some(Command::Doctor(args)) => doctor::run(&args, &globals),
        Some(Command::Run(args)) => run::run(&args, &globals),
        Some(Command::Nvrtc(args)) => nvrtc::run(&args, &globals),
        Some(Command::Worker(_)) => worker::run(),
        Some(Command::Status(args)) => status::run(&args, &globals),
        Some(Command::Quiz(args)) => quiz::run(&args, &globals),
        Some(Command::Review(args)) => review::run(&args, &globals),
        Some(Command::Exercise(args)) => exercise::run(&args, &globals),
        Some(Command::ExportProgress(args)) => export_progress::run(&args, &globals),
        Some(Command::Course(command)) => course::run(&command, &globals),
        Some(Command::Class(command)) => class::run(&command, &globals),
        Some(Command::Completions(args)) => shell::completions(&args),
        Some(Command::Man) => shell::man(),
    };
    output::ended(outcome.unwrap_or_else(|error| report(&error))).into()
}

/// Removes the tutor's environment variables that are empty, so that an empty variable counts as unset.
fn ignore_empty_variables() {
    let ours = std::env::vars_os()
        .filter(|(name, value)| name.to_string_lossy().starts_with("MATMUL_TUTOR_") && value.is_empty());
    for (name, _) in ours.collect::<Vec<_>>() {
        // SAFETY: the process still has only one thread, so no other thread can read the environment now.
        unsafe { std::env::remove_var(name) };
    }
}

/// Unpacks a packed course and points `globals.course` to its directory. Returns an exit code if unpacking fails.
fn unpack_course(globals: &mut Globals) -> Option<Exit> {
    let file = globals.course.as_deref().filter(|course| course.is_file())?;
    let data = match data_dir(globals.data.as_deref()) {
        Ok(data) => data,
        Err(error) => return Some(failure(Exit::Usage, error.to_string(), Some(&error.help()))),
    };
    match tutor_course::unpacked(file, &data.join("courses")) {
        Ok(directory) => {
            globals.course = Some(directory);
            None
        }
        Err(error) => Some(failure(Exit::Usage, error.to_string(), None)),
    }
}

/// Sets the directory of the tutor's private NVRTC: in the data directory, or where this worker's parent process keeps
/// it.
fn keep_nvrtc(globals: &Globals, command: Option<&Command>) {
    let dir = match command {
        Some(Command::Worker(worker::Args { nvrtc: Some(dir) })) => Some(dir.clone()),
        _ => data_dir(globals.data.as_deref()).ok().map(|data| data.join(nvrtc::FOLDER)),
    };
    if let Some(dir) = dir.and_then(|dir| std::path::absolute(dir).ok()) {
        tutor_kernels::nvrtc::keep_private_in(dir);
    }
}

/// Returns the `kind` of a JSON error for a failure without a specific one.
fn kind_of(exit: Exit) -> &'static str {
    match exit {
        Exit::Done | Exit::Failed => "failed",
        Exit::Usage => "usage",
        Exit::NoDevice => "no_device",
        Exit::Interrupted => "interrupted",
    }
}

/// Reports why a command failed and what to do about it.
fn failure(exit: Exit, message: impl std::fmt::Display, help: Option<&str>) -> Exit {
    output::failure(exit, kind_of(exit), message, help)
}

/// Reports an error of an executor or of the worker. Its kind determines the exit code.
fn failure_of(error: &ExecError) -> Exit {
    let exit = match error.kind {
        ExecErrorKind::Interrupted => return Exit::Interrupted,
        ExecErrorKind::NoDevice | ExecErrorKind::Worker => Exit::NoDevice,
        ExecErrorKind::Invalid | ExecErrorKind::OutOfMemory => Exit::Usage,
        ExecErrorKind::KernelFault | ExecErrorKind::TimedOut | ExecErrorKind::Compile => Exit::Failed,
    };
    let kind = serde_json::to_value(error.kind).ok();
    let kind = kind.as_ref().and_then(serde_json::Value::as_str).unwrap_or("failed");
    let help = error.help.as_ref().map(ToString::to_string);
    output::failure(exit, kind, error.message.to_string(), help.as_deref())
}

fn report(error: &anyhow::Error) -> Exit {
    let no_room = |cause: &(dyn std::error::Error + 'static)| {
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        let kind = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind).or(json)?;
        (kind == std::io::ErrorKind::StorageFull).then(|| std::io::Error::from(kind))
    };
    if let Some(full) = error.chain().find_map(no_room) {
        return output::unwritten(&full);
    }
    match error.downcast_ref() {
        Some(error) => failure_of(error),
        None => failure(Exit::Usage, format!("{error:#}"), None),
    }
}
