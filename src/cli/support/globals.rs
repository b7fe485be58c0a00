//! Options that every subcommand takes, in whose help they are listed, and what a command ends with.

use super::Lang;
use clap::builder::{EnumValueParser, PossibleValuesParser, TypedValueParser as _};
use clap::{Arg, Args, Command, ValueEnum};
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;
use tutor_exec::protocol::Target;
use tutor_pictures::theme::Theme;

/// Options that every subcommand takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "General options")]
pub struct Globals {
    /// Use the course in this directory [default: the built-in one].
    #[arg(long, global = true, value_name = "DIR", env = "MATMUL_TUTOR_COURSE", hide_env_values = true)]
    pub course: Option<PathBuf>,
    /// Keep progress in this directory [default: the platform's place for data].
    #[arg(long, global = true, value_name = "DIR", env = "MATMUL_TUTOR_DATA", hide_env_values = true)]
    pub data: Option<PathBuf>,
    /// Who works here: a name or a number, for exams and for what is handed in.
    #[arg(long, global = true, value_name = "NAME", env = "MATMUL_TUTOR_STUDENT", hide_env_values = true)]
    pub student: Option<String>,
    /// Language of the course and of what the tutor says [default: the environment's, else English].
    #[arg(long = "lang", global = true, value_name = "CODE")]
    pub asked_lang: Option<String>,
    /// What `--lang` or the environment comes to, see `support::language`.
    #[arg(skip)]
    pub lang: Lang,
    /// Where kernels run: auto takes a GPU if there is one, cuda insists on it, emulator keeps off it.
    #[arg(long, global = true, default_value = "auto", value_name = "WHERE", value_parser = EnumValueParser::<Where>::new().map(Target::from))]
    pub on: Target,
    /// Keep a worker that has nothing to do for so long [default: 60 in a job of Slurm's, else until the tutor ends].
    #[arg(long, global = true, value_name = "SECONDS", env = "MATMUL_TUTOR_HOLD", hide_env_values = true, value_parser = clap::value_parser!(u64).range(..=86_400))]
    pub hold: Option<u64>,
    /// Use no colours; so does a NO_COLOR in the environment.
    #[arg(long, global = true)]
    pub no_color: bool,
    /// Draw with ASCII only; so does a locale whose characters are not UTF-8.
    #[arg(long, global = true)]
    pub ascii: bool,
    /// Colours of the tutor [default: dark, or mono without colours].
    #[arg(long, global = true, value_name = "NAME", value_parser = PossibleValuesParser::new(Theme::names()))]
    pub theme: Option<String>,
    /// Let nothing on the screen move by itself.
    #[arg(long, global = true)]
    pub no_motion: bool,
    /// Line by line instead of a full screen, for screen readers, logs and dumb terminals; TERM=dumb does the same.
    #[arg(long, global = true)]
    pub plain: bool,
}

impl Globals {
    /// Whether colours were refused, by `--no-color` or by `NO_COLOR`.
    pub(crate) fn colourless(&self) -> bool {
        self.no_color || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
    }

    /// Whether standard output is to have colours: it is a terminal, and they were not refused.
    pub(crate) fn colours(&self) -> bool {
        !self.colourless() && !self.is_plain() && std::io::stdout().is_terminal()
    }

    /// Whether the terminal is to be written to line by line.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
    }

    /// Stands where there is nothing.
    pub(crate) fn none(&self) -> &'static str {
        if self.ascii { "-" } else { "–" }
    }

    /// The tutor's theme.
    pub(crate) fn theme_name(&self) -> &str {
        match &self.theme {
            Some(name) => name,
            None if self.colourless() => "mono",
            None => {
                let [term, colorterm] = ["TERM", "COLORTERM"].map(|name| std::env::var(name).ok());
                Theme::fitting(term.as_deref(), colorterm.as_deref())
            }
        }
    }
}

/// The general options that a command makes something of, by their long names.
fn used_by(command: &str) -> &'static [&'static str] {
    match command {
        "banks" => &["lang", "no-color", "ascii", "theme"],
        "bench" => &["course", "data", "lang", "on", "hold"],
        "check" => &["course", "lang", "hold", "no-color"],
        "doctor" => &["course", "data", "lang", "on", "hold", "no-color", "ascii"],
        "kernels" | "run" | "play" | "exercise" => &["course", "data", "lang", "on", "hold", "ascii"],
        "tune" => &["course", "data", "lang", "on", "hold", "no-color", "ascii"],
        "grade" => &["course", "data", "lang", "on", "hold"],
        "quiz" | "review" => &["course", "data", "student", "lang", "no-color", "ascii", "theme"],
        "status" => &["course", "data", "lang", "ascii"],
        "export-progress" => &["course", "data", "student", "lang"],
        "regrade" => &["course", "data", "lang"],
        "plot" | "results" | "seal" | "new" | "schema" => &["course", "lang"],
        "nvrtc" => &["data", "lang"],
        "emulate" | "pack" => &["lang"],
        "preview" => &["course", "lang", "on", "hold", "no-color", "ascii", "theme", "no-motion", "plain"],
        _ => &[],
    }
}

/// Has the help of each command list the general options that it makes something of. It takes the others as well, so that an alias or a
/// script can give them to all.
pub(crate) fn list_what_is_used(command: Command) -> Command {
    let general: Vec<Arg> = command.get_arguments().filter(|option| option.is_global_set()).cloned().collect();
    command.mut_subcommands(|command| {
        let used = used_by(command.get_name());
        let idle = |option: &&Arg| option.get_long().is_none_or(|name| !used.contains(&name));
        let hidden: Vec<Arg> = general.iter().filter(idle).map(|option| option.clone().hide(true)).collect();
        command.args(hidden)
    })
}

/// The values of `--on`. What they mean stands there: a doc comment each would be a list in every help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Where {
    Auto,
    Cuda,
    Emulator,
}

impl From<Where> for Target {
    fn from(on: Where) -> Self {
        match on {
            Where::Auto => Self::Auto,
            Where::Cuda => Self::Cuda,
            Where::Emulator => Self::Emulator,
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
