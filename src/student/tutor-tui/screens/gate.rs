//! Describes a gate before it begins.

use crate::prelude::*;
use jiff::Zoned;
use tutor_progress::{LevelProgress, student};

/// Describes the gate: number of questions, required correct answers, what it unlocks, and the limits.
pub fn rows(level: usize, width: u16, context: &Context) -> Vec<Line<'static>> {
    let Some(progress) = context.data.progress_of(level) else { return Vec::new() };
    if !context.data.course.exam.is_empty() {
        return markdown::render(&exam(progress, &context.time()), width, &context.look);
    }
    let unread = progress.pages.total - progress.pages.read;
    let page = first_unread(level, context).unwrap_or_default();
    let (questions, required) = (progress.questions, progress.required);
    let head = t!("gate-text", questions, required, unread, page);
    let head = head.trim_end();
    let opens = match context.data.course.levels.get(level + 1) {
        Some(_) if progress.passed => t!("gate-passed"),
        Some(next) => t!("gate-opens", level = level + 2, title = next.title.as_str()),
        None => t!("gate-last"),
    };
    let exercise = match &progress.requires {
        Some(required) if required.passed && !progress.passed => Some(t!("gate-exercise-passed")),
        Some(_) if !progress.passed => Some(t!("gate-exercise")),
        _ => None,
    };
    let parts = [Some(opens), exercise, Some(t!("gate-about")), Some(limits(progress, &context.time()))];
    let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let text = format!("{head}\n\n{}", parts.join(" "));
    markdown::render(&text, width, &context.look)
}

/// Describes the questions of an exam. Nothing in it is passed or failed.
fn exam(progress: &LevelProgress, now: &Zoned) -> String {
    let head = match student() {
        "" => format!("{} {}", t!("mastery-exam-nobody"), t!("mastery-exam-nobody-help")),
        student => t!("seal-gate", questions = progress.questions, student),
    };
    let again = if progress.attempts > 0 { t!("seal-again") } else { String::new() };
    format!("{head}\n\n{} {again} {}", t!("seal-about"), limits(progress, now))
}

/// Describes the student's progress at the questions of an exam in a few words.
pub fn in_exam(progress: &LevelProgress) -> String {
    if progress.attempts > 0 { t!("seal-answers-kept") } else { t!("seal-asks", questions = progress.questions) }
}

/// Returns number and title of the first page that counts and is not done.
fn first_unread(level: usize, context: &Context) -> Option<String> {
    let progress = context.data.progress_of(level)?;
    let content = context.data.course.levels.get(level)?;
    let open = |page: &tutor_course::Page| !page.optional && !progress.read.contains(&page.id.value);
    let at = pages(content).iter().position(open)?;
    Some(t!("gate-page", page = page_number(content, at), title = &pages(content)[at].title))
}

/// Describes the author's limits: number of attempts, waiting time.
pub fn limits(progress: &LevelProgress, now: &Zoned) -> String {
    let attempts = progress.most_attempts.map(|most| t!("gate-attempts", made = progress.attempts, most));
    let wait = progress.wait_until.filter(|until| *until > now.timestamp()).map(|until| {
        let until = until.to_zoned(now.time_zone().clone()).strftime("%Y-%m-%d %H:%M").to_string();
        t!("gate-wait", until)
    });
    [attempts, wait].into_iter().flatten().collect::<Vec<_>>().join(" ")
}
