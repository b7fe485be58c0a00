//! `$VISUAL` or `$EDITOR` at a line of a file.

use crate::tui::screens::problem::ProblemPage;
use std::path::Path;
use std::process::Command;

/// Editors that take `file:line`; the others take `+line file`, as vi does.
const FILE_AND_LINE: [&str; 5] = ["code", "codium", "hx", "subl", "zed"];

/// Runs the student's editor and waits for it.
pub(super) fn edit(file: &Path, line: u32) -> Result<(), ProblemPage> {
    let set = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| std::env::var(name).ok());
    let editor = set.into_iter().find(|value| !value.trim().is_empty()).unwrap_or_else(|| "vi".to_owned());
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or("vi");
    let name = Path::new(program).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let mut command = Command::new(program);
    command.args(words);
    if FILE_AND_LINE.contains(&name) {
        if matches!(name, "code" | "codium") {
            command.args(["--wait", "--goto"]);
        }
        command.arg(format!("{}:{line}", file.display()));
    } else {
        command.arg(format!("+{line}")).arg(file);
    }
    let problem = |message: String| ProblemPage {
        title: "The editor could not be used".into(),
        message,
        help: Some("Set EDITOR to an editor that runs in this terminal, e.g. `export EDITOR=vim`.".into()),
    };
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(problem(format!("`{editor}` ended with {status}."))),
        Err(error) => Err(problem(format!("`{editor}` cannot be started: {error}."))),
    }
}
