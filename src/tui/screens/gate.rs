//! What a gate is, before it begins.

use super::Context;
use ratatui::text::Line;
use tutor_base::t;
use tutor_mastery::LevelProgress;
use tutor_pictures::markdown;

/// How many questions, how many must be right, and what an attempt costs.
pub fn rows(level: usize, width: u16, context: &Context) -> Vec<Line<'static>> {
    let Some(stands) = context.world.stands(level) else { return Vec::new() };
    let unread = stands.pages.total - stands.pages.read;
    let head = t!("gate-text", questions = stands.questions, required = stands.required, unread = unread)
        .trim_end()
        .to_owned();
    let opens = match context.world.course.levels.get(level + 1) {
        Some(_) if stands.passed => t!("gate-passed"),
        Some(next) => t!("gate-opens", level = level + 2, title = next.title.as_str()),
        None => t!("gate-last"),
    };
    let beside = match &stands.requires {
        Some(required) if required.passed && !stands.passed => Some(t!("gate-exercise-passed")),
        Some(_) if !stands.passed => Some(t!("gate-exercise")),
        _ => None,
    };
    let said = [Some(opens), beside, Some(t!("gate-about")), Some(limits(stands))];
    let said: Vec<String> = said.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let text = format!("{head}\n\n{}", said.join(" "));
    markdown::render(&text, width, &context.look)
}

/// How often it may be tried, and its dates, as its author has them.
pub fn limits(stands: &LevelProgress) -> String {
    let attempts = stands.most_attempts.map(|most| t!("gate-attempts", made = stands.attempts, most = most));
    let now = jiff::Timestamp::now();
    let wait = stands.wait_until.filter(|until| *until > now).map(|until| {
        let until = until.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string();
        t!("gate-wait", until = until)
    });
    let opens = stands.opens.as_ref().map(|opens| t!("gate-opens-at", when = opens.as_str()));
    let due = stands.due.as_ref().map(|due| t!("gate-due", when = due.as_str()));
    [attempts, wait, opens, due].into_iter().flatten().collect::<Vec<_>>().join(" ")
}
