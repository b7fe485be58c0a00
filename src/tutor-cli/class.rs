//! `class`: the commands for teachers of a class.

use crate::prelude::*;
use crate::{grade, results};

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Judge a class's submissions, each in a separate process.
    ///
    /// The judge is the one of `exercise check`. Exits with 0 if every submission was judged, whether correct or not.
    #[command(after_help = grade::EXAMPLES)]
    Grade(grade::Args),
    /// Print a class's gradebook and an analysis of each question.
    ///
    /// Reads files from `export-progress` and progress files. Only first attempts count in the analysis of questions.
    #[command(after_help = results::EXAMPLES)]
    Results(results::Args),
}

pub(super) fn run(command: &Command, globals: &Globals) -> anyhow::Result<Exit> {
    match command {
        Command::Grade(args) => grade::run(args, globals),
        Command::Results(args) => results::run(args, globals),
    }
}
