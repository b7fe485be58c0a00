//! Options that every subcommand takes, and what a command ends with.

use crate::exec::protocol::Target;
use crate::tui::theme::Theme;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;

/// Options that every subcommand takes.
#[derive(Debug, Clone, Args)]
pub struct Globals {
    /// Use the course in this directory (default: the built-in one).
    #[arg(long, global = true, value_name = "DIR")]
    pub course: Option<PathBuf>,
    /// Keep progress in this directory.
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Language of the course.
    #[arg(long, global = true, default_value = "en")]
    pub lang: Lang,
    /// Where kernels run.
    #[arg(long, global = true, default_value = "auto", value_name = "WHERE")]
    pub on: Target,
    /// No colours.
    #[arg(long, global = true)]
    pub no_color: bool,
    /// Draw with ASCII only.
    #[arg(long, global = true)]
    pub ascii: bool,
    /// No full screen: the tutor line by line, for screen readers and logs (also where TERM is `dumb`).
    #[arg(long, global = true)]
    pub plain: bool,
    /// Colours.
    #[arg(long, global = true, value_name = "NAME", value_parser = PossibleValuesParser::new(Theme::names()))]
    pub theme: Option<String>,
}

/// Languages of the course.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Korean.
    Ko,
}

impl Lang {
    /// The language code, as in the names of edition folders.
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ko => "ko",
        }
    }
}

/// What a command ends with; part of the contract with scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Done,
    /// 1: the thing asked about failed: a wrong result, a failed gate, problems found.
    Failed,
    /// 2: the call or a file is wrong.
    Usage,
    /// 3: no such device or library.
    NoDevice,
    /// 130: interrupted.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::NoDevice => 3,
            Exit::Interrupted => 130,
        })
    }
}
