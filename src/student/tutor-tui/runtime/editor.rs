//! Opens `$VISUAL` or `$EDITOR` at a line of a file.

use crate::prelude::*;
use crate::screens::problem::ProblemPage;
use std::path::Path;
use std::process::Command;

/// Editors that take `file:line:column`. Most others take `+line file`, as vi does.
const FILE_AND_LINE: [&str; 5] = ["code", "codium", "hx", "subl", "zed"];
/// Vi-like editors that take a command.
const VI: [&str; 4] = ["vim", "nvim", "gvim", "view"];
/// Editors that accept no line number.
const FILE_ALONE: [&str; 2] = ["notepad", "wordpad"];
/// Editor that every system of this kind has.
const DEFAULT: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// Runs the student's editor and waits for it.
pub(super) fn edit(file: &Path, line: u32, column: u32) -> Result<(), ProblemPage> {
    let set = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| std::env::var(name).ok());
    let editor = set.into_iter().find(|value| !value.trim().is_empty()).unwrap_or_else(|| DEFAULT.to_owned());
    let problem =
        |message: String| ProblemPage { title: t!("app-editor-title"), message, help: Some(t!("app-editor-help")) };
    match command(&editor, file, line, column).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(problem(t!("app-editor-ended", editor, status = status.to_string()))),
        Err(error) => Err(problem(t!("app-editor-not-started", editor, error = error.to_string()))),
    }
}

/// Returns the command that opens a file at a line and column. `editor` may contain arguments.
fn command(editor: &str, file: &Path, line: u32, column: u32) -> Command {
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or(DEFAULT);
    let name = Path::new(program).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let mut command = Command::new(program);
    command.args(words);
    if FILE_AND_LINE.contains(&name) {
        if matches!(name, "code" | "codium") {
            command.args(["--wait", "--goto"]);
        }
        command.arg(format!("{}:{line}:{column}", file.display()));
    } else if VI.contains(&name) {
        command.arg(format!("+call cursor({line},{column})")).arg(file);
    } else if name == "nano" {
        command.arg(format!("+{line},{column}")).arg(file);
    } else if matches!(name, "emacs" | "emacsclient") {
        command.arg(format!("+{line}:{column}")).arg(file);
    } else if FILE_ALONE.contains(&name) {
        command.arg(file);
    } else {
        command.arg(format!("+{line}")).arg(file);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_editor_is_told_the_place_in_its_own_way() {
        for (editor, arguments) in [
            ("vi", &["+7", "a.yaml"][..]),
            ("nvim", &["+call cursor(7,3)", "a.yaml"]),
            ("nano", &["+7,3", "a.yaml"]),
            ("emacs -nw", &["-nw", "+7:3", "a.yaml"]),
            ("hx", &["a.yaml:7:3"]),
            ("/opt/bin/code", &["--wait", "--goto", "a.yaml:7:3"]),
            ("notepad.exe", &["a.yaml"]),
        ] {
            let command = command(editor, Path::new("a.yaml"), 7, 3);
            assert_eq!(command.get_args().collect::<Vec<_>>(), arguments, "{editor}");
        }
    }
}
