//! Separates problems that a course allows from the others.

use crate::rules::RULES;
use serde::Serialize;
use std::path::Path;
use tutor_course::{Allowance, COURSE, Files, Problem};

/// A problem that the course allows. The field names are those of the command line's JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Allowed {
    #[serde(flatten)]
    pub problem: Problem,
    /// The reason that the course gives.
    pub why: String,
}

/// Removes the problems that the course allows from `problems` and returns them. Also returns a problem for each
/// allowance that matches none. Ignore those if not all checks have run.
pub fn allowed(files: &Files, problems: &mut Vec<Problem>) -> (Vec<Allowed>, Vec<Problem>) {
    let course = files.editions.first().and_then(|edition| edition.course.as_ref().ok());
    let Some((file, content)) = course.and_then(|file| Some((file, file.value.as_ref()?))) else {
        return (Vec::new(), Vec::new());
    };
    let may = |of: &&Allowance| {
        RULES.iter().any(|rule| rule.code == of.code.value && rule.allowable) && !of.why.trim().is_empty()
    };
    let all: Vec<&Allowance> = content.allow.iter().filter(may).collect();
    let mut used = vec![false; all.len()];
    let mut taken = Vec::new();
    problems.retain(|problem| {
        let Some(at) = all.iter().position(|of| fits(of, problem)) else { return true };
        used[at] = true;
        taken.push(Allowed { problem: problem.clone(), why: all[at].why.trim().to_owned() });
        false
    });
    let idle = all.iter().zip(used).filter(|(_, used)| !used).map(|(of, _)| {
        let place = of.path.as_ref().map_or_else(String::new, |path| format!(" in `{}`", path.value));
        let message = format!("`{}` is allowed{place}, but nothing breaks it.", of.code.value);
        let length = of.code.value.chars().count() as u32;
        let problem = Problem::warning("allow-idle", COURSE, message).help("Remove it from `allow`.");
        problem.at(&file.text, of.code.line, of.code.column, length)
    });
    let idle = idle.collect();
    (taken, idle)
}

fn fits(of: &Allowance, problem: &Problem) -> bool {
    let within = |path: &str| Path::new(&problem.file).starts_with(path.trim_end_matches('/'));
    problem.code == of.code.value && of.path.as_ref().is_none_or(|path| within(&path.value))
}
