//! The report next to the code: task, goals and the first unmet goal, choices, hints, and what comes next.

use super::super::super::indent;
use super::draft::Draft;
use super::estimate::Estimating;
use super::{ExerciseScreen, Shows, TrialResult, pattern};
use crate::prelude::*;
use std::ops::Range;
use tutor_exec::judge::{Finding, Goal, Verdict};
use tutor_exec::protocol::ExecErrorKind;
use tutor_exercises::{Answer, Exercise, Work, goal_name, goals, reads_clock};
use tutor_support::IN_A_PAGE;
use ui_kit::wrap::hang;

/// True if the exercise needs a compiler and there is none.
pub(super) fn lacks_compiler(exercise: &Exercise, context: &Context) -> bool {
    exercise.needs_compiler() && context.data.description.as_ref().is_some_and(|known| known.nvrtc.is_err())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Task,
    Verdict,
    Choices,
    Hints,
    Next,
}

pub(super) struct Report {
    pub(super) lines: Vec<Line<'static>>,
    starts: Vec<(Part, usize)>,
    /// The rows of the current choice.
    pub(super) here: Range<usize>,
    /// Rows that can be clicked, and the choice in each.
    pub(super) choices: Vec<(usize, usize)>,
}

impl Report {
    /// Returns the first row of a part.
    pub(super) fn start_of(&self, part: Part) -> Option<usize> {
        self.starts.iter().find(|(known, _)| *known == part).map(|(_, row)| *row)
    }

    fn part(&mut self, part: Part, lines: Vec<Line<'static>>) {
        if lines.is_empty() {
            return;
        }
        if !self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        self.starts.push((part, self.lines.len()));
        self.lines.extend(lines);
    }
}

/// Writes the parts of the report.
pub(super) struct Writer<'a> {
    pub(super) screen: &'a ExerciseScreen,
    pub(super) exercise: &'a Exercise,
    pub(super) width: u16,
    /// True if each goal has its own row.
    rows: bool,
    context: &'a Context<'a>,
}

pub(super) fn of(screen: &ExerciseScreen, exercise: &Exercise, width: u16, rows: bool, context: &Context) -> Report {
    let writer = Writer { screen, exercise, width, rows, context };
    let mut report = Report { lines: Vec::new(), starts: Vec::new(), here: 0..0, choices: Vec::new() };
    report.part(Part::Task, writer.task());
    report.part(Part::Verdict, writer.verdict());
    let (mut choices, mut here) = (Vec::new(), 0..0);
    let lines = writer.choices(&mut choices, &mut here);
    report.part(Part::Choices, lines);
    if let Some(first) = report.start_of(Part::Choices) {
        report.choices = choices.into_iter().map(|(row, choice)| (first + row, choice)).collect();
        report.here = first + here.start..first + here.end;
    }
    report.part(Part::Hints, writer.hints());
    report.part(Part::Next, writer.next());
    report
}

impl Writer<'_> {
    pub(super) fn look(&self) -> &Look<'_> {
        &self.context.look
    }

    fn paragraph(&self, text: &str, meaning: Meaning) -> Vec<Line<'static>> {
        wrap_text(text, self.look().style(meaning), self.width)
    }

    /// Returns a text indented below the line that it belongs to.
    fn below(&self, text: &str, meaning: Meaning) -> Vec<Line<'static>> {
        let text = markdown::spelled(text, self.look());
        indent(wrap_text(&text, self.look().style(meaning), self.width.saturating_sub(2)), 2)
    }

    fn task(&self) -> Vec<Line<'static>> {
        let mut lines = markdown::render(&self.exercise.assignment(), self.width, self.look());
        if matches!(self.screen.draft, Draft::Own { text: None, .. }) && !self.exercise.needs_program() {
            lines.push(Line::default());
            let text = if IN_A_PAGE { t!("web-not-begun") } else { t!("workshop-not-begun") };
            lines.extend(self.paragraph(&text, Meaning::Accent));
        }
        if let Some(why) = &self.screen.problem {
            lines.push(Line::default());
            lines.extend(self.paragraph(why, Meaning::Warning));
        }
        lines.extend(self.not_judged_here());
        lines
    }

    /// Warns that there is no compiler, or that a page cannot judge the exercise.
    fn not_judged_here(&self) -> Vec<Line<'static>> {
        let sign = format!("{} ", self.look().warning().content);
        let text = match self.exercise {
            exercise if IN_A_PAGE && exercise.needs_compiler() => t!("web-no-compiler", id = exercise.id.as_str()),
            exercise if IN_A_PAGE && exercise.far => t!("exec-judge-far"),
            exercise if lacks_compiler(exercise, self.context) => t!("workshop-no-nvrtc"),
            _ => return Vec::new(),
        };
        let text = markdown::render(&text, self.width.saturating_sub(2), self.look());
        let mut lines = vec![Line::default()];
        lines.extend(hang(text, &self.look().span(Meaning::Warning, sign), &Span::raw("  ")));
        lines
    }

    fn verdict(&self) -> Vec<Line<'static>> {
        let screen = self.screen;
        let mut lines = Vec::new();
        match (&screen.result, &screen.symptom) {
            (Some(TrialResult { outcome: Err(error), .. }), _) => {
                lines.push(Line::from(vec![
                    self.look().warning(),
                    self.look().span(Meaning::Title, format!(" {}", t!("workshop-not-judged"))),
                ]));
                lines.extend(self.below(&error.message.to_string(), Meaning::Text));
                // The warning about the missing compiler already says what to do.
                if error.kind != ExecErrorKind::NoDevice || self.not_judged_here().is_empty() {
                    lines.extend(error.help.iter().flat_map(|help| self.below(&help.to_string(), Meaning::Muted)));
                }
            }
            (Some(TrialResult { outcome: Ok(judgement), took, ptx }), _) => {
                if let (Some(right), Answer::Cure { line, .. }) = (judgement.line_right, &judgement.answer) {
                    let (sign, text) = if right {
                        (self.look().right(), t!("exercise-line-right", line = *line))
                    } else {
                        (self.look().wrong(), t!("exercise-line-wrong", line = *line))
                    };
                    lines.push(Line::from(vec![sign, self.look().span(Meaning::Text, format!(" {text}"))]));
                }
                lines.extend(self.goals(
                    &judgement.verdict,
                    judgement.star,
                    judgement.faster.as_ref().map(ToString::to_string).as_deref(),
                ));
                if !judgement.passed() {
                    for why in self.exercise.whys(&judgement.answer) {
                        lines.push(Line::default());
                        lines.extend(markdown::render(why.trim(), self.width, self.look()));
                    }
                }
                if reads_clock(ptx) {
                    lines.push(Line::default());
                    lines.extend(self.paragraph(t!("exercise-clock", limits = "").trim(), Meaning::Text));
                }
                if !judgement.printed.is_empty() {
                    lines.push(Line::default());
                    lines.extend(self.paragraph(&t!("exercise-printed"), Meaning::Heading));
                    lines.extend(
                        judgement.printed.lines().flat_map(|line| self.paragraph(&format!("| {line}"), Meaning::Text)),
                    );
                }
                let seconds = format!("{:.2}", took.as_secs_f64());
                let tries = self.context.data.worked(&screen.id).tries;
                lines.push(Line::default());
                lines.extend(self.paragraph(&t!("workshop-judged", seconds, tries), Meaning::Muted));
                for (meaning, text) in screen.estimating.iter().flat_map(Estimating::paragraphs) {
                    if meaning == Meaning::Heading {
                        lines.push(Line::default());
                    }
                    lines.extend(self.paragraph(&text, meaning));
                }
            }
            (None, Some(verdict)) => {
                let title = t!("workshop-broken");
                lines.extend(self.paragraph(&title, Meaning::Heading));
                lines.extend(self.goals(verdict, None, None));
            }
            (None, None) if screen.trial.is_none() => lines.extend(self.asked()),
            (None, None) => {}
        }
        lines
    }

    /// Returns the goals before anything was judged.
    fn asked(&self) -> Vec<Line<'static>> {
        let asked = Goal::ALL.into_iter().filter(|goal| *goal != Goal::Faster || self.exercise.star.is_some());
        self.signs(asked.map(|goal| (goal, None)).collect(), None, None)
    }

    /// Returns the goals, and the finding below the first unmet goal.
    fn goals(&self, verdict: &Verdict, star: Option<bool>, faster: Option<&str>) -> Vec<Line<'static>> {
        let mut goals = goals(verdict);
        for (goal, met) in &mut goals {
            if *goal == Goal::Faster {
                *met = star;
            }
        }
        goals.retain(|(goal, _)| *goal != Goal::Faster || self.exercise.star.is_some());
        let finding = match verdict {
            Verdict::Failed(finding) => Some(&**finding),
            Verdict::Passed => None,
        };
        self.signs(goals, finding, faster)
    }

    fn sign(&self, goal: Goal, met: Option<bool>) -> Span<'static> {
        let look = self.look();
        match (goal, met) {
            (Goal::Faster, Some(true)) => look.span(Meaning::Right, look.sign("★", "*").to_owned()),
            (Goal::Faster, _) => look.span(Meaning::Muted, look.sign("☆", "-").to_owned()),
            (_, Some(true)) => look.right(),
            (_, Some(false)) => look.wrong(),
            (_, None) => look.span(Meaning::Muted, look.sign("·", ".").to_owned()),
        }
    }

    fn signs(
        &self,
        goals: Vec<(Goal, Option<bool>)>,
        finding: Option<&Finding>,
        faster: Option<&str>,
    ) -> Vec<Line<'static>> {
        let look = self.look();
        let mut lines = Vec::new();
        if !self.rows {
            let mut row: Vec<Span> = Vec::new();
            for (goal, met) in &goals {
                let name = format!(" {}  ", short_name(*goal));
                let meaning = if met.is_some() { Meaning::Text } else { Meaning::Muted };
                let used: usize = row.iter().map(Span::width).sum();
                let piece = [self.sign(*goal, *met), look.span(meaning, name)];
                if used + piece.iter().map(Span::width).sum::<usize>() > usize::from(self.width) + 2 {
                    lines.push(Line::from(std::mem::take(&mut row)));
                }
                row.extend(piece);
            }
            lines.push(Line::from(row));
            lines.extend(finding.map(|finding| self.found(finding)).unwrap_or_default());
            lines.extend(faster.iter().flat_map(|faster| self.below(faster, Meaning::Muted)));
            return lines;
        }
        for (goal, met) in goals {
            let meaning = if met.is_some() { Meaning::Text } else { Meaning::Muted };
            let name = match (&self.exercise.star, goal) {
                (Some((rung, _)), Goal::Faster) => t!("workshop-goal-star", rung),
                _ => goal_name(goal),
            };
            let text = wrap_text(&name, look.style(meaning), self.width.saturating_sub(2));
            let sign = self.sign(goal, met);
            let first = Span::styled(format!("{} ", sign.content), sign.style);
            lines.extend(hang(text, &first, &Span::raw("  ")));
            if let Some(finding) = finding.filter(|finding| finding.goal == goal) {
                lines.extend(self.found(finding));
            }
            if goal == Goal::Faster {
                lines.extend(faster.iter().flat_map(|faster| self.below(faster, Meaning::Muted)));
            }
        }
        lines
    }

    fn found(&self, finding: &Finding) -> Vec<Line<'static>> {
        let mut lines = self.below(&finding.message.to_string(), Meaning::Text);
        lines.extend(finding.help.iter().flat_map(|help| self.below(&help.to_string(), Meaning::Muted)));
        let map = pattern::map(finding, self.width, self.look());
        if !map.is_empty() {
            lines.push(Line::default());
            lines.extend(indent(map, 2));
        }
        lines
    }

    fn hints(&self) -> Vec<Line<'static>> {
        let opened = self.context.data.worked(&self.screen.id).hints;
        let mut lines = Vec::new();
        for (number, at) in opened.iter().enumerate() {
            let Some(hint) = self.exercise.hints.get(*at as usize) else { continue };
            let other = usize::from(hint.is_for_another(self.screen.finding()) && !self.screen.passed());
            let title = t!("workshop-hint", number = number + 1, of = self.exercise.hints.len(), other);
            lines.push(Line::from(self.look().span(Meaning::Heading, title)));
            lines.extend(markdown::render(hint.text.trim(), self.width, self.look()));
        }
        lines
    }

    /// Returns what the next rung adds, once the student has passed the exercise or looked at the solution.
    fn next(&self) -> Vec<Line<'static>> {
        let seen = self.screen.passed() || self.screen.shows == Shows::Solution;
        if !seen || self.exercise.next.trim().is_empty() {
            return Vec::new();
        }
        let mut lines = Vec::new();
        if self.screen.shows == Shows::Solution
            && let Work::Repair(repair) = &self.exercise.work
        {
            let numbers: Vec<String> = repair.lines.iter().map(u32::to_string).collect();
            lines.extend(self.paragraph(&t!("workshop-solution-line", lines = numbers.join(", ")), Meaning::Text));
            let right = repair.cures.iter().filter(|cure| cure.fails.is_none());
            for cure in right {
                lines.extend(markdown::render(cure.text.trim(), self.width, self.look()));
            }
            lines.push(Line::default());
        }
        lines.push(Line::from(self.look().span(Meaning::Heading, t!("workshop-next"))));
        lines.extend(markdown::render(self.exercise.next.trim(), self.width, self.look()));
        lines
    }
}

/// Returns the name of a goal in one word.
fn short_name(goal: Goal) -> String {
    match goal {
        Goal::Compiles => t!("workshop-goal-compiles"),
        Goal::Runs => t!("workshop-goal-runs"),
        Goal::Results => t!("workshop-goal-results"),
        Goal::Hazards => t!("workshop-goal-hazards"),
        Goal::Counts => t!("workshop-goal-counts"),
        Goal::Faster => t!("workshop-goal-faster"),
    }
}
