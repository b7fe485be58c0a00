//! `$VISUAL` or `$EDITOR` at a line of a file.

use crate::t;
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
    let problem =
        |message: String| ProblemPage { title: t!("app-editor-title"), message, help: Some(t!("app-editor-help")) };
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(problem(t!("app-editor-ended", editor = &editor, status = status.to_string()))),
        Err(error) => Err(problem(t!("app-editor-not-started", editor = &editor, error = error.to_string()))),
    }
}
