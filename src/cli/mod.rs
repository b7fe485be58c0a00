/*! The command line: one file a subcommand.

Exit codes are part of the contract with scripts, see [`Exit`]. `--json` prints one
document on stdout and nothing else there; progress and errors go to stderr.
*/

mod banks;
mod globals;
mod output;
mod quiz;
mod shell;
mod status;
mod student;

pub use globals::{Exit, Globals, Lang};

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
    /// Show levels, locked or not, best scores, pages read, and what is next.
    Status(status::Args),
    /// Take a level's quiz; a gate attempt counts.
    Quiz(quiz::Args),
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
    let Cli { globals, command } = cli;
    let outcome: anyhow::Result<Exit> = match command {
        None => Ok(Exit::Done),
        Some(Command::Banks(args)) => banks::run(&args),
        Some(Command::Status(args)) => status::run(&args, &globals),
        Some(Command::Quiz(args)) => quiz::run(&args, &globals),
        Some(Command::Completions(args)) => shell::completions(&args),
        Some(Command::Man) => shell::man(),
    };
    outcome.unwrap_or_else(|error| report(&error)).into()
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
