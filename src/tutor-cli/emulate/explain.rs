//! Explains faulty PTX, wrong calls and kernel faults.

use super::launch::text_of;
use crate::{Exit, failure, output};
use ptx_emulator::{Fault, FaultKind, text};
use std::path::Path;
use tutor_course::Problem;
use tutor_support::t;
use tutor_support::words::recognise;

/// Reports a fault. If the text of the file is faulty, shows its line. `compiled` is true if the file is CUDA C++, and the
/// fault names its line.
pub(crate) fn explain(file: &Path, fault: &Fault, exit: Exit, compiled: bool) -> Exit {
    let wrong_text = matches!(fault.kind, FaultKind::Parse | FaultKind::Unsupported);
    let place = format!("Line {}, column {}: ", fault.line, fault.column);
    match (wrong_text, fault.message.strip_prefix(&place), text_of(file)) {
        (true, Some(message), Ok(ptx)) => {
            let code = if fault.kind == FaultKind::Parse { "parse" } else { "unsupported" };
            let message = capital(&recognise("exec-says", message).to_string());
            let mut problem = Problem::error(code, &*text::line(&file.display().to_string()), message);
            problem = problem.at(&ptx, fault.line, fault.column, 1);
            let help = if compiled { Some(t!("race-one-file")) } else { not_ptx(&ptx) };
            if let Some(help) = help.filter(|_| !compiled || fault.message.contains("no body")) {
                problem = problem.help(help);
            }
            output::problem(&problem);
            exit
        }
        _ => {
            let help = match fault.kind {
                FaultKind::StepBudget => Some(t!("emulate-allow-more", option = "--steps")),
                FaultKind::HazardBudget => Some(t!("emulate-allow-more", option = "--memory")),
                FaultKind::TimeBudget => Some(t!("emulate-allow-more", option = "--seconds")),
                _ => None,
            };
            failure(exit, recognise("exec-says", &fault.message), help.as_deref())
        }
    }
}

/// Returns advice for a file that is not PTX.
fn not_ptx(text: &str) -> Option<String> {
    if ["\u{7f}ELF", "P\u{fffd}U\u{fffd}"].iter().any(|start| text.starts_with(start)) {
        Some(t!("emulate-compiled"))
    } else if text.contains(".version") {
        None
    } else if text.contains("__global__") {
        Some(t!("emulate-cuda"))
    } else {
        Some(t!("emulate-no-ptx"))
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
