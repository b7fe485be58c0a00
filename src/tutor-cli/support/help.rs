//! Help and errors of arguments in other languages than English. Doc comments are the English help.

use clap::builder::{PossibleValue, PossibleValuesParser, Resettable};
use clap::{Arg, Command};
use std::ffi::OsString;
use tutor_support::words::{self, Words, current, recognise, replaced};
use tutor_tui::runtime::preferences::locale;

/// Sets the language of help and of errors in the arguments: the value of `--lang`, else the environment's language.
pub(crate) fn speak(arguments: impl Iterator<Item = OsString>) {
    let mut texts = arguments.filter_map(|text| text.into_string().ok()).skip_while(|text| !text.starts_with("--lang"));
    let given = texts.next().and_then(|text| text.strip_prefix("--lang=").map(str::to_owned).or_else(|| texts.next()));
    let asked = given.or_else(|| locale(|name| std::env::var(name).ok()));
    let code = asked.as_deref().and_then(|code| code.split(['_', '-', '.']).next()).unwrap_or_default();
    words::speak(Words::of(&code.to_ascii_lowercase()));
}

/// Gives a command and its subcommands the texts of the current language: the message `usage-PATH`, with an attribute
/// for each argument. Only for help: the values of translated options have no types.
pub(crate) fn translated(command: Command, path: &str) -> Command {
    let text = |key: &str| current().text(&format!("usage-{path}{key}"));
    let mut command = command;
    if let Some(about) = text("") {
        let long = text(".long").map_or_else(|| about.clone(), |long| format!("{about}\n\n{long}"));
        command = command.about(about).long_about(long);
    }
    if let Some(after) = text(".after") {
        command = command.after_help(after);
    }
    let argument = |argument: Arg| {
        let key = argument.get_id().to_string();
        let shared = || ["usage-tutor", "usage-emulate"].iter().find_map(|of| current().text(&format!("{of}.{key}")));
        let Some(help) = text(&format!(".{key}")).or_else(shared) else { return argument };
        let values = argument.get_possible_values().into_iter();
        let spoken = |value: PossibleValue| Some(value.clone().help(text(&format!(".{key}-{}", value.get_name()))?));
        let spoken: Option<Vec<_>> = values.map(spoken).collect();
        let argument = argument.help(help).long_help(Resettable::Reset);
        match spoken.filter(|spoken| !spoken.is_empty()) {
            Some(spoken) => argument.value_parser(PossibleValuesParser::new(spoken)),
            None => argument,
        }
    };
    command.mut_args(argument).mut_subcommands(|inner| {
        let name = inner.get_name();
        let path = if path == "tutor" { name.to_owned() } else { format!("{path}-{name}") };
        translated(inner, &path)
    })
}

/// Translates the headings and the fixed words of a help text.
pub(crate) fn headings(help: &str) -> String {
    replaced("clap-words", help)
}

/// Translates what clap reports about wrong arguments, line by line.
pub(crate) fn error(text: &str) -> String {
    let line = |line: &str| {
        let said = line.trim();
        format!("{}{}\n", &line[..line.len() - line.trim_start().len()], recognise("clap-says", said))
    };
    text.lines().map(line).collect()
}
