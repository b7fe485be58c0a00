//! Explains faulty PTX, wrong calls and kernel faults.

use super::arguments::read;
use super::launch::MAX_PTX_BYTES;
use crate::{Exit, failure, output};
use course_check::render;
use ptx_emulator::{Fault, FaultKind, text};
use std::path::Path;
use tutor_course::Problem;
use tutor_support::t;
use tutor_support::words::recognise;

/// Reports a fault. If the PTX text is faulty, shows its line.
pub(crate) fn explain(file: &Path, fault: &Fault, exit: Exit) -> Exit {
    let wrong_text = matches!(fault.kind, FaultKind::Parse | FaultKind::Unsupported);
    let place = format!("Line {}, column {}: ", fault.line, fault.column);
    match (wrong_text, fault.message.strip_prefix(&place), read(file, MAX_PTX_BYTES)) {
        (true, Some(message), Ok(bytes)) => {
            let ptx = String::from_utf8_lossy(&bytes);
            let code = if fault.kind == FaultKind::Parse { "parse" } else { "unsupported" };
            let message = capital(&recognise("exec-says", message).to_string());
            let mut problem = Problem::error(code, &*text::line(&file.display().to_string()), message);
            problem = problem.at(&ptx, fault.line, fault.column, 1);
            if let Some(help) = not_ptx(&bytes) {
                problem = problem.help(help);
            }
            output::note(render(&problem, false));
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
fn not_ptx(bytes: &[u8]) -> Option<String> {
    let has = |word: &str| bytes.windows(word.len()).any(|found| found == word.as_bytes());
    if bytes.starts_with(b"\x7fELF") || bytes.starts_with(b"\x50\xed\x55\xba") {
        Some(t!("emulate-compiled"))
    } else if has(".version") {
        None
    } else if has("__global__") {
        Some(t!("emulate-cuda"))
    } else {
        Some(t!("emulate-no-ptx"))
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
