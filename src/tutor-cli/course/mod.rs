//! `course`: the commands for authors of courses.

mod build;
mod check;
mod new;
mod pack;
mod preview;
mod schema;
mod seal;
mod web;

use crate::prelude::*;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Write a copy of a course as the start of your own course.
    New(new::Args),
    /// Preview a course as its author: every level open, nothing stored, reloaded when a file changes.
    Preview(preview::Args),
    /// Report all problems of a course at once, and verify the claims on its pages.
    Check(check::Args),
    /// Print the JSON Schema of one type of course file, for editors.
    Schema(schema::Args),
    /// Compile every .cu file of the course to assets/ptx with NVRTC.
    Build(build::Args),
    /// Write an error-free course as one file for `--course`.
    Pack(pack::Args),
    /// Write a copy of a course without its quiz keys, for an exam.
    ///
    /// The tutor then stores answers without grading them. The student's name decides which questions are drawn.
    /// `class results --exam` grades the work that students hand in.
    Seal(seal::Args),
    /// Write the tutor as a page for a browser, with any course.
    ///
    /// The folder holds static files for any web host, which needs no program and no settings. The page works without a
    /// network after the first visit.
    Web(web::Args),
}

impl Command {
    /// Returns the course that the arguments name in the place of `--course`.
    pub(super) fn course(&self) -> Option<PathBuf> {
        match self {
            Self::Check(args) => args.course(),
            Self::Preview(args) => args.course(),
            _ => None,
        }
    }
}

pub(super) fn run(command: &Command, globals: &Globals) -> anyhow::Result<Exit> {
    match command {
        Command::New(args) => new::run(args, globals),
        Command::Preview(args) => preview::run(args, globals),
        Command::Check(args) => check::run(args, globals),
        Command::Schema(args) => schema::run(args, globals),
        Command::Build(args) => build::run(args, globals),
        Command::Pack(args) => pack::run(args, globals),
        Command::Seal(args) => seal::run(args, globals),
        Command::Web(args) => web::run(args, globals),
    }
}
