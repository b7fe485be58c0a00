//! General options, which every subcommand accepts, and the exit codes of commands.

use super::Lang;
use crate::prelude::*;
use clap::builder::{EnumValueParser, PossibleValuesParser, TypedValueParser as _};
use clap::{Arg, Args, Command, ValueEnum};
use std::io::IsTerminal as _;
use std::process::ExitCode;
use tutor_exec::protocol::Target;
use ui_kit::theme::Theme;

/// Options that every subcommand accepts.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "General options")]
pub struct Globals {
    /// Use the course in this directory, or this packed course [default: the built-in course].
    #[arg(long, global = true, value_name = "DIR", env = "MATMUL_TUTOR_COURSE", hide_env_values = true)]
    pub course: Option<PathBuf>,
    /// Keep progress in this directory [default: the platform's data directory].
    #[arg(long, global = true, value_name = "DIR", env = "MATMUL_TUTOR_DATA", hide_env_values = true)]
    pub data: Option<PathBuf>,
    /// Name or number of the student, for exams and for work that is handed in.
    #[arg(long, global = true, value_name = "NAME", env = "MATMUL_TUTOR_STUDENT", hide_env_values = true)]
    pub student: Option<String>,
    /// Language of the course and of the tutor [default: the environment's language, else English].
    #[arg(long = "lang", global = true, value_name = "CODE")]
    pub asked_lang: Option<String>,
    /// Language chosen from `--lang` or the environment, see `support::language`.
    #[arg(skip)]
    pub lang: Lang,
    /// Where kernels run: auto uses a GPU if there is one, cuda requires one, emulator never uses one.
    #[arg(long, global = true, default_value = "auto", value_name = "WHERE", value_parser = EnumValueParser::<Where>::new().map(Target::from))]
    pub on: Target,
    /// Seconds for which an idle worker is kept [default: 60 in a Slurm job, else until the tutor ends].
    #[arg(long, global = true, value_name = "SECONDS", env = "MATMUL_TUTOR_HOLD", hide_env_values = true, value_parser = clap::value_parser!(u64).range(..=86_400))]
    pub hold: Option<u64>,
    /// Use no colours; NO_COLOR in the environment does the same.
    #[arg(long, global = true)]
    pub no_color: bool,
    /// Draw with ASCII only; a locale without UTF-8 does the same.
    #[arg(long, global = true)]
    pub ascii: bool,
    /// Colour theme of the tutor [default: dark, or mono without colours].
    #[arg(long, global = true, value_name = "NAME", value_parser = PossibleValuesParser::new(Theme::names()))]
    pub theme: Option<String>,
    /// Show no animations.
    #[arg(long, global = true)]
    pub no_motion: bool,
    /// Use lines instead of a full screen, for screen readers, logs and dumb terminals; TERM=dumb does the same.
    #[arg(long, global = true)]
    pub plain: bool,
}

impl Globals {
    /// True if `--no-color` or `NO_COLOR` turns colours off.
    pub(crate) fn colourless(&self) -> bool {
        self.no_color || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
    }

    /// True if standard output gets colours: it is a terminal, and nothing turns colours off.
    pub(crate) fn colours(&self) -> bool {
        !self.colourless() && !self.is_plain() && std::io::stdout().is_terminal()
    }

    /// True if the terminal is written line by line.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
    }

    /// Returns the sign for an empty value.
    pub(crate) fn none(&self) -> &'static str {
        if self.ascii { "-" } else { "–" }
    }

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

/// Returns the long names of the general options that the command with this path uses. The help of a command without an
/// arm lists none.
fn used_by(path: &str) -> &'static [&'static str] {
    match path {
        "banks" => &["lang", "no-color", "ascii", "theme"],
        "bench" => &["course", "data", "lang", "on", "hold", "no-color", "ascii"],
        "course check" => &["course", "lang", "hold", "no-color"],
        "doctor" => &["course", "data", "lang", "on", "hold", "no-color", "ascii"],
        "run" => &["course", "data", "lang", "on", "hold", "ascii"],
        "class grade" => &["course", "data", "lang", "on", "hold"],
        "quiz" | "review" => {
            &["course", "data", "student", "lang", "on", "no-color", "ascii", "theme", "no-motion", "plain"]
        }
        "status" => &["course", "data", "lang", "ascii"],
        "export-progress" => &["course", "data", "student", "lang"],
        "class results" => &["course", "data", "lang"],
        "course seal" | "course new" | "course schema" | "course web" | "course build" => &["course", "lang"],
        "emulate" | "course pack" | "course" | "class" => &["lang"],
        "course preview" => &["course", "lang", "on", "hold", "no-color", "ascii", "theme", "no-motion", "plain"],
        _ if path.starts_with("exercise") => &["course", "data", "lang", "on", "hold", "ascii"],
        _ if path.starts_with("nvrtc") => &["data", "lang"],
        _ => &[],
    }
}

/// Hides from each command's help the general options that it does not use. It still accepts them, so that an alias or
/// a script can pass them to every command.
pub(crate) fn list_what_is_used(command: Command) -> Command {
    let general: Vec<Arg> = command.get_arguments().filter(|option| option.is_global_set()).cloned().collect();
    list_below(command, "", &general)
}

/// Does this for the commands below the command with this path.
fn list_below(command: Command, path: &str, general: &[Arg]) -> Command {
    command.mut_subcommands(|inner| {
        let path = format!("{path} {}", inner.get_name()).trim_start().to_owned();
        let used = used_by(&path);
        let hidden = |option: &Arg| option.get_long().is_none_or(|name| !used.contains(&name));
        let options = general.iter().map(|option| option.clone().hide(hidden(option)));
        list_below(inner.args(options), &path, general)
    })
}

/// Values of `--on`. The option's own help explains them: a doc comment per value would add a list to every help page.
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

/// Exit code of a command; part of the contract with scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: success.
    Done,
    /// 1: failure, such as a wrong product, a failed gate or problems found.
    Failed,
    /// 2: wrong arguments or a bad file.
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
