//! The parts of the map around the levels: the next step, problems of the course, the student's record.

use super::{ROOMY, Step, WIDE, upcoming};
use crate::prelude::*;
use crate::screens::workshop::{shipped, tally};
use tutor_course::{Problem, Severity};
use tutor_progress::LevelProgress;
use ui_kit::look::pad;

/// Returns the lines below the list: the level under the cursor, the next step, problems, and on a narrow screen the record.
pub(super) fn foot(cursor: usize, question: bool, context: &Context, width: u16) -> Vec<Line<'static>> {
    let (data, look) = (context.data, &context.look);
    let mut lines = Vec::new();
    let mut shown: Vec<&Problem> = Vec::new();
    if let Some(level) = data.course.levels.get(cursor) {
        if question {
            lines.extend(wrap_text(&level.question, look.style(Meaning::Text), width));
        }
        if let Some((by, gate)) = data.locked_by(cursor).and_then(|by| data.level(by)) {
            let exercise = data.progress_of(by).is_some_and(LevelProgress::exercise_left);
            let text = if exercise {
                t!("map-opens-by-exercise", level = by + 1, title = &gate.title)
            } else {
                t!("map-opens-by", level = by + 1, title = &gate.title)
            };
            lines.extend(wrap_text(&text, look.style(Meaning::Muted), width));
        }
        for problem in
            [level.lesson.as_ref().err().map(|problem| &**problem), level.quiz_problem()].into_iter().flatten()
        {
            shown.push(problem);
            lines.extend(wrap_text(&problem.to_string(), look.style(Meaning::Warning), width));
            if let Some(help) = &problem.help {
                lines.extend(wrap_text(help, look.style(Meaning::Muted), width));
            }
        }
    }
    if !data.course.levels.is_empty() {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(markdown::render(&next_step(data), width, look));
        if data.review.due > 0 {
            lines.extend(markdown::render(&t!("map-due", due = data.review.due), width, look));
        }
        if !data.exercises.is_empty() {
            let texts = workshop(data, look).into_iter().take(if context.size.height > ROOMY { 2 } else { 1 });
            lines.extend(texts.flat_map(|text| markdown::render(&text, width, look)));
        }
        if context.size.width < WIDE && !data.predictions.is_empty() {
            lines.extend(wrap_text(&in_one_line(data), look.style(Meaning::Muted), width));
        }
    }
    // Errors must be shown, because the student cannot see what a broken file leaves out.
    let errors = data.problems.iter().filter(|problem| problem.severity == Severity::Error);
    // Until the check reports problems, shows those found while reading.
    let (course, kernels): (Vec<&Problem>, _) = match data.problems.is_empty() {
        false => (errors.collect(), Vec::new()),
        true => (data.course.problems.iter().collect(), data.kernel_problems.iter().map(ToString::to_string).collect()),
    };
    let course: Vec<String> =
        course.into_iter().filter(|problem| !shown.contains(problem)).map(ToString::to_string).collect();
    let first: Vec<&str> = course.first().into_iter().chain(kernels.first()).map(String::as_str).collect();
    if !first.is_empty() {
        lines.push(Line::default());
        let more = course.len() + kernels.len() - first.len();
        let text = t!("map-problems", first = first.join("\n\n"), more);
        let warning = look.style(Meaning::Warning);
        lines.extend(markdown::render(&text, width, look).into_iter().map(|line| line.patch_style(warning)));
    }
    lines
}

/// Describes how many exercises the student has passed, and how many bugs that shipped are among them.
pub(super) fn workshop(data: &AppData, look: &Look) -> Vec<String> {
    let [of, passed, starred] = tally(data.exercises.iter(), data);
    let all = t!("map-workshop", passed, of, starred, star = look.sign("★", "*"));
    let [of, passed, _] = shipped(data);
    std::iter::once(all).chain((of > 0).then(|| t!("map-shipped", passed, of))).collect()
}

/// Describes the next step in one sentence.
pub(crate) fn next_step(data: &AppData) -> String {
    match upcoming(data) {
        None if !data.course.exam.is_empty() => t!("seal-hand-in"),
        None => t!("map-next-nothing"),
        Some(Step::Page { level, page, title }) => {
            let content = &data.course.levels[level];
            let (number, of) = (page_number(content, page), page_count(content));
            t!("map-next-page", level = level + 1, page = number, of, title)
        }
        Some(Step::Gate { level, under_way: true }) => t!("map-next-under-way", level = level + 1),
        Some(Step::Gate { level, under_way: false }) => t!("map-next-gate", level = level + 1),
        Some(Step::Exercise { level }) => t!("map-next-exercise", level = level + 1),
    }
}

/// Counts of what the student has done.
struct Record {
    passed: usize,
    gates: usize,
    right: usize,
    predicted: usize,
    skipped: usize,
}

impl Record {
    fn of(data: &AppData) -> Self {
        let levels = &data.progress.levels;
        let (mut right, mut predicted, mut skipped) = (0, 0, 0);
        // Only the first prediction shows what the student knew.
        for made in data.predictions.values() {
            match made.first.correct {
                Some(correct) => {
                    predicted += 1;
                    right += usize::from(correct);
                }
                None => skipped += 1,
            }
        }
        Self {
            passed: levels.iter().filter(|level| level.gated && level.passed).count(),
            gates: levels.iter().filter(|level| level.gated).count(),
            right,
            predicted,
            skipped,
        }
    }

    fn predictions(&self) -> String {
        match (self.predicted, self.skipped) {
            (0, 0) => t!("map-predictions-none"),
            (_, 0) => t!("map-predictions", right = self.right, of = self.predicted),
            _ => t!("map-predictions-skipped", right = self.right, of = self.predicted, skipped = self.skipped),
        }
    }
}

fn in_one_line(data: &AppData) -> String {
    t!("map-record", predictions = Record::of(data).predictions())
}

/// Returns the record as a table under a rule.
pub(super) fn table(data: &AppData, width: u16, look: &Look) -> Vec<Line<'static>> {
    let record = Record::of(data);
    let none = data.progress.levels.iter().filter(|level| !level.gated).count();
    let elsewhere = data.best_runs.iter().filter(|run| run.median_ms.is_some()).filter(|run| {
        data.recorded_on.as_deref().is_none_or(|device| run.device.trim_start_matches("NVIDIA ") != device)
    });
    let mut devices: Vec<&str> = elsewhere.map(|run| run.device.as_str()).collect();
    devices.sort_unstable();
    devices.dedup();
    let part = |done: f64, of: f64| Some(if of > 0.0 { done / of } else { 0.0 });
    let mut rows = vec![
        (
            t!("map-label-predictions"),
            part(record.right as f64, record.predicted as f64).filter(|_| record.predicted > 0),
            record.predictions(),
        ),
        (
            t!("map-label-gates"),
            part(record.passed as f64, record.gates as f64),
            match data.course.exam.is_empty() {
                true => t!("map-gates-passed", passed = record.passed, of = record.gates, none),
                false => t!("seal-gates-kept", kept = record.passed, of = record.gates),
            },
        ),
    ];
    if !devices.is_empty() {
        rows.push((t!("map-label-runs"), None, t!("map-runs-elsewhere", devices = devices.join(", "))));
    }
    let column = rows.iter().map(|(label, ..)| label.width()).max().unwrap_or(0) + 2;
    // The bars get the cells that the text leaves.
    let widest = rows.iter().map(|(.., text)| text.width()).max().unwrap_or(0);
    let bar = usize::from(width).saturating_sub(column + 2 + widest).min(12);
    let bar = if bar < 6 { 0 } else { bar as u16 };
    let mut lines = vec![look.rule(&t!("map-your-record"), Meaning::Title, width)];
    for (label, fraction, text) in rows {
        let mut spans = vec![look.span(Meaning::Muted, pad(&label, column))];
        match fraction {
            Some(fraction) => spans.extend(look.bar(fraction, bar)),
            None => spans.push(Span::raw(" ".repeat(bar.into()))),
        }
        spans.push(look.span(Meaning::Text, format!("  {text}")));
        lines.push(Line::from(spans));
    }
    lines
}
