/*! The command line: one file a subcommand.

Exit codes are part of the contract with scripts, see [`Exit`]. `--json` prints one
document on stdout and nothing else there; progress and errors go to stderr.
*/

mod globals;

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
enum Command {}

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
    let Cli { globals: _, command } = cli;
    let outcome: anyhow::Result<Exit> = match command {
        None => Ok(Exit::Done),
        Some(command) => match command {},
    };
    outcome.unwrap_or_else(|error| report(&error)).into()
}

#[expect(clippy::print_stderr, reason = "the one place where a command's error is told")]
fn report(error: &anyhow::Error) -> Exit {
    eprintln!("error: {error:#}");
    Exit::Usage
}
