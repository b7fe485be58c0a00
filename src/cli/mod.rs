/*! The command line: one file a subcommand.

Exit codes are part of the contract with scripts, see [`Exit`]. `--json` prints one
document on stdout and nothing else there; progress and errors go to stderr.
*/

mod banks;
mod bench;
mod bounds;
mod check;
mod doctor;
mod emulate;
mod globals;
mod kernels;
mod language;
mod new;
mod output;
mod plot;
mod quiz;
mod run;
mod schema;
mod session;
mod shell;
mod status;
mod student;
mod tune;
mod tutor;
mod worker;

pub use globals::{Exit, Globals};
pub use language::Lang;

use crate::exec::protocol::{ExecError, ExecErrorKind};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Learn to make a GPU multiply matrices fast, by launching the real kernels.
#[derive(Debug, Parser)]
#[command(name = "matmul-tutor", version, about, propagate_version = true)]
struct Cli {
    #[command(flatten)]
    globals: Globals,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Cost of warp-wide accesses: JSON lines in, JSON lines out.
    Banks(banks::Args),
    /// Run any kernel of a PTX file on the emulator.
    Emulate(emulate::Args),
    /// Time the kernels against cuBLAS on the GPU, in turns.
    Bench(bench::Args),
    /// Look for a GPU, its libraries, a terminal, and a place for progress.
    Doctor(doctor::Args),
    /// List the kernels, or compile them with NVRTC.
    Kernels(kernels::Args),
    /// Draw a recording of the kernels' times as an SVG picture.
    Plot(plot::Args),
    /// Run one kernel: verified, timed, counted.
    Run(run::Args),
    /// Run kernels for another process, which speaks JSON lines on stdin and stdout.
    #[command(hide = true)]
    Worker,
    /// Compare a kernel's variants on this device and keep the best.
    Tune(tune::Args),
    /// Show levels, locked or not, best scores, pages read, and what is next.
    Status(status::Args),
    /// Take a level's quiz; a gate attempt counts.
    Quiz(quiz::Args),
    /// Tell every problem of a course at once, and check what its pages claim.
    Check(check::Args),
    /// Write a copy of the built-in course, to change it.
    New(new::Args),
    /// Print the JSON Schema of a kind of course file, for editors.
    Schema(schema::Args),
    /// Print a completion script for a shell.
    Completions(shell::Args),
    /// Print the manual page.
    Man,
}

/// Runs the command line and gives the exit code.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            // A closed pipe (`--help | head`) is no failure.
            let _ = error.print();
            return code.into();
        }
    };
    let Cli { mut globals, command } = cli;
    if let Err((message, help)) = language::settle(&mut globals) {
        return failure(Exit::Usage, &message, Some(&help)).into();
    }
    let outcome: anyhow::Result<Exit> = match command {
        None => tutor::run(&globals),
        Some(Command::Banks(args)) => banks::run(&args),
        Some(Command::Emulate(args)) => emulate::run(&args),
        Some(Command::Bench(args)) => bench::run(&args, &globals),
        Some(Command::Doctor(args)) => doctor::run(&args, &globals),
        Some(Command::Kernels(args)) => kernels::run(&args, &globals),
        Some(Command::Plot(args)) => plot::run(&args, &globals),
        Some(Command::Run(args)) => run::run(&args, &globals),
        Some(Command::Tune(args)) => tune::run(&args, &globals),
        Some(Command::Worker) => worker::run(),
        Some(Command::Status(args)) => status::run(&args, &globals),
        Some(Command::Quiz(args)) => quiz::run(&args, &globals),
        Some(Command::Check(args)) => check::run(&args, &globals),
        Some(Command::New(args)) => new::run(&args),
        Some(Command::Schema(args)) => schema::run(&args),
        Some(Command::Completions(args)) => shell::completions(&args),
        Some(Command::Man) => shell::man(),
    };
    outcome.unwrap_or_else(|error| report(&error)).into()
}

/// Tells why a command cannot do what was asked, and what to do.
fn failure(exit: Exit, message: &str, help: Option<&str>) -> Exit {
    output::note(format_args!("error: {message}"));
    if let Some(help) = help {
        output::note(format_args!("  {help}"));
    }
    exit
}

/// The same for what an executor or the worker says; the kind gives the exit code.
fn failure_of(error: &ExecError) -> Exit {
    let exit = match error.kind {
        ExecErrorKind::Interrupted => return Exit::Interrupted,
        ExecErrorKind::NoDevice | ExecErrorKind::Worker => Exit::NoDevice,
        ExecErrorKind::Invalid | ExecErrorKind::OutOfMemory => Exit::Usage,
        ExecErrorKind::KernelFault | ExecErrorKind::TimedOut | ExecErrorKind::Compile => Exit::Failed,
    };
    failure(exit, &error.message, error.help.as_deref())
}

fn report(error: &anyhow::Error) -> Exit {
    let reader_gone = |cause: &(dyn std::error::Error + 'static)| {
        let io = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json) == Some(std::io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(reader_gone) {
        return Exit::Done;
    }
    output::note(format_args!("error: {error:#}"));
    Exit::Usage
}
