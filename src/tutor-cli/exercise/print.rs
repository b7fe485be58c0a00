//! Prints exercises, judgements and solutions.

use super::Workshop;
use crate::prelude::*;
use crate::support::estimating::Estimate;
use tutor_exec::judge::{Goal, Verdict};
use tutor_exercises::{Answer, Exercise, ExerciseKind, Judgement, RACE, Work, goal_name, goals};
use tutor_support::words::spoken_comments;

/// Prints the exercises by level, then the series *Bugs that shipped*.
pub(super) fn list(workshop: &Workshop, exercises: &[&Exercise]) -> anyhow::Result<()> {
    let widest = exercises.iter().map(|exercise| exercise.id.len()).max().unwrap_or(0);
    let mut part = None;
    for exercise in exercises {
        let known = workshop.student.course.levels.iter().zip(1..).find(|(known, _)| known.id == exercise.level);
        let (shipped, mut title) = (exercise.found.is_some(), exercise.title.clone());
        if let (true, Some((_, number))) = (shipped, known) {
            title = format!("{number}: {title}");
        }
        let own = (shipped, if shipped { "" } else { exercise.level.as_str() });
        if part.replace(own) != Some(own) {
            output::line(match known {
                _ if shipped => t!("exercise-shipped"),
                Some((level, number)) => format!("{number} {}", level.title),
                None => exercise.level.clone(),
            })?;
        }
        let worked = workshop.worked.get(&exercise.id).cloned().unwrap_or_default();
        let state = match (worked.starred, worked.passed, worked.tries) {
            (true, ..) => t!("exercise-starred"),
            (_, true, _) => t!("exercise-passed"),
            (.., 0) => t!("exercise-new"),
            (.., tries) => t!("exercise-tried", tries),
        };
        let (id, kind) = (pad(&exercise.id, widest), kind(exercise.kind()));
        output::line(format_args!("  {id}  {}  {}  {state}", pad(&kind, 8), pad(&title, 40)))?;
    }
    let passed = workshop.worked.values().filter(|worked| worked.passed).count();
    let starred = workshop.worked.values().filter(|worked| worked.starred).count();
    let all = workshop.exercises.len();
    output::line(t!("exercise-sum", passed, of = all, starred))?;
    Ok(())
}

fn kind(kind: ExerciseKind) -> String {
    match kind {
        ExerciseKind::Repair => t!("exercise-repair"),
        ExerciseKind::Fill => t!("exercise-fill"),
        ExerciseKind::Write => t!("exercise-write"),
    }
}

#[derive(Serialize)]
struct JudgementDocument<'a> {
    exercise: &'a str,
    passed: bool,
    /// The first unmet goal, or `line`.
    failed: Option<&'static str>,
    /// For a repair: true if the chosen line is faulty.
    line_right: Option<bool>,
    goals: Vec<GoalRow<'a>>,
    star: Option<bool>,
    /// Reasons why chosen options are incorrect.
    whys: Vec<&'a str>,
    /// The beginning of what the kernel printed.
    #[serde(skip_serializing_if = "str::is_empty")]
    printed: &'a str,
    /// The estimated time of a kernel that passed.
    #[serde(flatten)]
    estimate: Option<&'a Estimate>,
}

#[derive(Serialize)]
struct GoalRow<'a> {
    goal: &'static str,
    met: Option<bool>,
    message: Option<String>,
    help: Option<String>,
    file: Option<&'a str>,
    line: Option<u32>,
}

pub(super) fn judgement(
    exercise: &Exercise,
    judgement: &Judgement,
    estimated: Option<&Estimate>,
    json: bool,
    globals: &Globals,
) -> anyhow::Result<()> {
    let finding = match &judgement.verdict {
        Verdict::Failed(finding) => Some(finding),
        Verdict::Passed => None,
    };
    let mut goals = goals(&judgement.verdict);
    for (goal, met) in &mut goals {
        if *goal == Goal::Faster {
            *met = judgement.star;
        }
    }
    goals.retain(|(goal, _)| *goal != Goal::Faster || exercise.star.is_some());
    let whys = if judgement.passed() { Vec::new() } else { exercise.whys(&judgement.answer) };
    let limits = Some(judgement.limits.to_string()).filter(|limits| !limits.is_empty());
    if json {
        let rows = goals.into_iter().map(|(goal, met)| {
            let found = finding.filter(|finding| finding.goal == goal);
            let place = found.and_then(|finding| finding.place.as_ref());
            GoalRow {
                goal: goal.name(),
                met,
                message: match goal {
                    Goal::Faster => judgement.faster.as_ref().map(ToString::to_string),
                    Goal::Compiles if met == Some(true) => limits.clone(),
                    _ => found.map(|finding| finding.message.to_string()),
                },
                help: found.and_then(|finding| finding.help.as_ref()).map(ToString::to_string),
                file: place.map(|(file, _)| file.as_str()),
                line: place.map(|(_, line)| *line),
            }
        });
        output::json(&JudgementDocument {
            exercise: &exercise.id,
            passed: judgement.passed(),
            failed: judgement.failed(),
            line_right: judgement.line_right,
            goals: rows.collect(),
            star: judgement.star,
            whys,
            printed: &judgement.printed,
            estimate: estimated,
        })?;
        return Ok(());
    }
    output::line(&exercise.title)?;
    let marks = if globals.ascii { ["+", "x", "."] } else { ["✔", "✘", "·"] };
    if let (Some(right), Answer::Cure { line, .. }) = (judgement.line_right, &judgement.answer) {
        let sentence =
            if right { t!("exercise-line-right", line = *line) } else { t!("exercise-line-wrong", line = *line) };
        output::hanging(&format!("  {} ", marks[usize::from(!right)]), sentence)?;
    }
    for (goal, met) in goals {
        let mark = match met {
            Some(true) => marks[0],
            Some(false) => marks[1],
            None => marks[2],
        };
        output::line(format_args!("  {mark} {}", goal_name(goal)))?;
        if let Some(found) = finding.filter(|finding| finding.goal == goal) {
            for text in std::iter::once(&found.message).chain(&found.help) {
                for line in text.to_string().lines() {
                    output::hanging("      ", line)?;
                }
            }
        }
        if let Some(limits) = limits.as_ref().filter(|_| goal == Goal::Compiles && met == Some(true)) {
            output::hanging("      ", limits)?;
        }
        if let Some(sentence) = judgement.faster.as_ref().filter(|_| goal == Goal::Faster) {
            output::hanging("      ", sentence)?;
        }
    }
    if !judgement.printed.is_empty() {
        output::line(format_args!("\n{}", t!("exercise-printed")))?;
        judgement.printed.lines().try_for_each(|line| output::line(format_args!("  | {line}")))?;
    }
    for why in whys {
        output::line("")?;
        why.trim().lines().try_for_each(|line| output::hanging("", line))?;
    }
    if judgement.passed() {
        output::line(format_args!("\n{}", t!("exercise-done")))?;
        if !exercise.next.trim().is_empty() {
            exercise.next.trim().lines().try_for_each(|line| output::hanging("", line))?;
        }
    }
    estimated.map_or(Ok(()), estimate)
}

/// Prints the estimated time of a kernel that passed.
pub(super) fn estimate(estimate: &Estimate) -> anyhow::Result<()> {
    output::line("")?;
    Ok(estimate.print_brief(RACE)?)
}

pub(super) fn solution(exercise: &Exercise) -> anyhow::Result<()> {
    match &exercise.work {
        Work::Write(write) => output::line(spoken_comments(&write.solution).trim_end())?,
        Work::Repair(repair) => {
            let lines: Vec<String> = repair.lines.iter().map(u32::to_string).collect();
            output::line(format_args!("line: {}", lines.join(" / ")))?;
            for cure in repair.cures.iter().filter(|cure| cure.fails.is_none()) {
                output::line(format_args!("cure: {}  # {}", cure.id, cure.text.trim()))?;
            }
        }
        Work::Fill(fill) => {
            for hole in &fill.holes {
                output::line(format_args!("{}: {}", hole.id, hole.own()))?;
            }
        }
    }
    Ok(())
}
