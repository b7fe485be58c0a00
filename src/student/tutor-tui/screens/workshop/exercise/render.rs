//! Draws an exercise, and describes it in lines of text.

use super::super::super::{draw_scrolled, hit_row};
use super::draft::{Draft, Stage};
use super::estimate::Estimating;
use super::layout::{self, Layout};
use super::{ExerciseScreen, Shows, listing, report};
use crate::plain::heading;
use crate::prelude::*;
use crate::screens::workshop::{ExerciseState, kind_name};
use tutor_exercises::{Exercise, Work};
use tutor_support::figures::percentage;
use ui_kit::look::draw;

impl ExerciseScreen {
    pub(super) fn draw(&self, frame: &mut Frame, context: &Context, hits: &mut Hits) {
        let Some(exercise) = self.exercise(context) else { return };
        let layout = layout::of(self, exercise, context);
        let look = &context.look;
        draw(frame, layout.head, vec![self.heading(exercise, layout.head.width, context)]);
        let below = layout.max_code_scroll.saturating_sub(layout.code_scroll);
        draw(frame, layout.code_rule, vec![rule(&layout.listing.title, Meaning::Muted, below, layout.code, look)]);
        self.code(frame, &layout, hits);
        let below = layout.max_report_scroll.saturating_sub(layout.report_scroll);
        let bar = Line::from(look.span(Meaning::Border, look.sign("│", "|").to_owned()));
        draw(frame, layout.divider, vec![bar; layout.divider.height.into()]);
        let prompt = self.prompt(exercise, context);
        draw(frame, layout.report_rule, vec![rule(&prompt, Meaning::Accent, below, layout.report, look)]);
        self.report(frame, &layout, hits);
    }

    fn code(&self, frame: &mut Frame, layout: &Layout, hits: &mut Hits) {
        draw_scrolled(frame, layout.code, &layout.listing.lines, layout.code_scroll);
        let mut number = None;
        for (row, begins) in layout.listing.numbers.iter().enumerate() {
            number = begins.or(number);
            if let Some(number) = number {
                hit_row(hits, layout.code, layout.code_scroll, row, Hit::Row(number as usize));
            }
        }
    }

    fn report(&self, frame: &mut Frame, layout: &Layout, hits: &mut Hits) {
        draw_scrolled(frame, layout.report, &layout.sheet.lines, layout.report_scroll);
        for &(row, choice) in &layout.sheet.choices {
            hit_row(hits, layout.report, layout.report_scroll, row, Hit::Choice(choice));
        }
    }

    fn heading(&self, exercise: &Exercise, width: u16, context: &Context) -> Line<'static> {
        let look = &context.look;
        let number = context.data.level(&exercise.level).map_or(0, |(level, _)| level + 1);
        let left = vec![
            look.span(Meaning::Muted, format!("{} ", t!("workshop-title"))),
            look.span(Meaning::Border, look.sign("▸ ", "> ").to_owned()),
            look.span(Meaning::Title, format!("{number} {}", markdown::spelled(&exercise.title, look))),
        ];
        let state = ExerciseState::of(&context.data.worked(&self.id));
        let kind = format!("{}  ", kind_name(exercise.kind()));
        let sign = state.sign(look);
        let right = vec![look.span(Meaning::Muted, kind), sign, look.span(Meaning::Text, format!(" {}", state.name()))];
        two_ends(left, right, width)
    }

    /// Describes the running step, or what the student can do now.
    fn prompt(&self, exercise: &Exercise, context: &Context) -> String {
        let arrows = context.look.sign("↑↓", "Up/Down");
        let enter = context.look.sign("⏎", "Enter");
        if let Some(trial) = &self.trial {
            let seconds = context.look.now.saturating_sub(trial.since).as_secs_f64();
            return format!("{} {}  {seconds:.1} s", trial.doing(), percentage(trial.fraction, 0));
        }
        match (&self.draft, &self.result) {
            _ if self.shows == Shows::Solution => t!("workshop-do-solution"),
            _ if self.shows == Shows::Changes => t!("workshop-do-changes"),
            (Draft::Own { .. }, _) if exercise.needs_program() => t!("web-do-download", enter),
            _ if exercise.needs_program() => t!("web-do-elsewhere"),
            (Draft::Cure { stage: Stage::Line, .. }, _) => t!("workshop-do-line", arrows, enter),
            (Draft::Cure { stage: Stage::Cure, .. }, _) => t!("workshop-do-cure", enter),
            (_, Some(_)) if self.passed() => {
                let progress = self.estimating.as_ref().and_then(Estimating::progress);
                let passed = format!("{} {}", context.look.sign("✔", "+"), t!("workshop-do-passed"));
                progress.map_or_else(|| passed.clone(), |progress| format!("{passed}, {progress}"))
            }
            (Draft::Cure { .. }, result) => {
                let judged = usize::from(result.as_ref().is_some_and(|result| result.outcome.is_ok()));
                t!("workshop-do-again", judged, enter)
            }
            (Draft::Fillings { fillings, .. }, _) => {
                let left = fillings.iter().filter(|filling| filling.is_none()).count();
                match left {
                    0 if self.is_judged(exercise) => t!("workshop-do-other-filling"),
                    0 => t!("workshop-do-run", enter),
                    left => t!("workshop-do-fill", left, arrows = context.look.sign("↑↓", "Up/Down")),
                }
            }
            (Draft::Own { text: None, .. }, _) => t!("workshop-do-begin", enter),
            (Draft::Own { .. }, _) if report::lacks_compiler(exercise, context) => t!("workshop-do-edit-only"),
            (Draft::Own { .. }, None) => t!("workshop-do-edit"),
            (Draft::Own { .. }, Some(_)) => t!("workshop-do-edit-on"),
        }
    }

    pub(super) fn as_lines(&self, width: u16, context: &Context) -> Vec<String> {
        let Some(exercise) = self.exercise(context) else { return Vec::new() };
        let text = |line: &Line| line.to_string().trim_end().to_owned();
        let number = context.data.level(&exercise.level).map_or(0, |(level, _)| level + 1);
        let title = format!("{}: {number} {}", t!("workshop-title"), exercise.title);
        let mut lines = heading(&format!("{title} ({})", kind_name(exercise.kind())));
        let listing = listing::of(self, exercise, width, false, context);
        lines.extend([String::new(), format!("-- {}", listing.title)]);
        lines.extend(listing.lines.iter().map(text));
        // Leaves out the progress, which changes all the time; the runtime prints it.
        let prompt = match (&self.trial, &self.estimating) {
            (Some(trial), _) => trial.doing(),
            (None, Some(estimating)) if estimating.progress().is_some() => t!("workshop-estimating"),
            _ => self.prompt(exercise, context),
        };
        lines.extend([String::new(), format!("-- {prompt}")]);
        if let (Draft::Cure { line: Some(number), .. }, Work::Repair(repair)) = (&self.draft, &exercise.work) {
            let code = repair.broken.lines(None).find(|(line, _)| line == number).map_or("", |(_, code)| code.trim());
            lines.push(t!("workshop-plain-line", line = *number, code));
        }
        lines.push(String::new());
        lines.extend(report::of(self, exercise, width, true, context).lines.iter().map(text));
        lines.extend([String::new(), ExerciseState::of(&context.data.worked(&self.id)).name()]);
        lines
    }
}

/// Returns the line above a part of the screen: its title, and the number of rows hidden below.
fn rule(title: &str, meaning: Meaning, below: usize, place: Rect, look: &Look) -> Line<'static> {
    if below == 0 || place.height == 0 {
        return look.rule(title, meaning, place.width);
    }
    let more = format!(" {} {} ", look.sign("▼", "v"), t!("outcome-more-below", count = below));
    let cells = more.width() as u16 + 1;
    let mut line = look.rule(title, meaning, place.width.saturating_sub(cells));
    line.spans.push(look.span(Meaning::Accent, more));
    line.spans.push(look.span(Meaning::Border, look.sign("─", "-").to_owned()));
    line
}
