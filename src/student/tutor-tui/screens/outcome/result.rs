//! The result of an attempt: score, kernel speeds before and after, and what it unlocks.

use super::{OutcomeScreen, Sheet};
use crate::app_data::objective;
use crate::prelude::*;
use crate::screens::indent;
use crate::screens::map::percent;

/// Width, in cells, of a bar for 100 % of cuBLAS.
const BAR: u16 = 12;

impl OutcomeScreen {
    /// Returns the first row: sign and title of the result, score, and a sign for each question.
    pub(super) fn result(&self, context: &Context, width: usize) -> Vec<Span<'static>> {
        let (look, outcome) = (&context.look, &self.outcome);
        let good = outcome.passed;
        let number = self.level.map_or(0, |level| level + 1);
        let title = match (outcome.gate, good) {
            _ if outcome.ungraded => t!("outcome-handed-in"),
            _ if self.level.is_none() => t!("outcome-reviewed"),
            (true, true) => t!("outcome-passed", level = number),
            (true, false) => t!("outcome-not-passed", level = number),
            (false, true) => t!("outcome-practice-enough", level = number),
            (false, false) => t!("outcome-practice-short", level = number),
        };
        let meaning = if good { Meaning::Right } else { Meaning::Wrong };
        let sign = match (self.level, good) {
            // A review and an exam cannot be passed or failed.
            (level, _) if level.is_none() || outcome.ungraded => {
                look.span(Meaning::Accent, look.sign("●", "*").to_owned())
            }
            (_, true) => look.right(),
            (_, false) => look.wrong(),
        };
        let score = t!("outcome-score", correct = outcome.correct, questions = outcome.questions);
        let mut right = if outcome.ungraded { Vec::new() } else { vec![look.span(meaning, score)] };
        if outcome.items.len() <= 16 && !outcome.ungraded {
            right.push(Span::raw("   "));
            right.extend(outcome.items.iter().map(|item| if item.correct { look.right() } else { look.wrong() }));
        }
        let room = width.saturating_sub(right.iter().map(Span::width).sum::<usize>() + 4);
        let title = truncate(&title, room, look.ascii);
        two_ends(vec![sign, Span::raw("  "), look.span(Meaning::Title, title)], right, width as u16).spans
    }

    /// Adds the framed result, as wide as the lines below it.
    pub(super) fn panel(&self, sheet: &mut Sheet, context: &Context, width: u16) {
        let look = &context.look;
        let inner = usize::from(width.saturating_sub(2));
        let mut first = vec![Span::raw("  ")];
        first.extend(self.result(context, inner.saturating_sub(4)));
        // A low terminal has no rows for blank lines.
        let airy = context.size.height >= 24;
        let mut rows: Vec<Vec<Span>> = if airy { vec![Vec::new(), first] } else { vec![first] };
        rows.extend(self.about(context, inner.saturating_sub(7) as u16).into_iter().map(|mut row| {
            row.insert(0, Span::raw("     "));
            row
        }));
        rows.extend(airy.then(Vec::new));
        let border =
            look.style(if self.outcome.passed && !self.outcome.ungraded { Meaning::Right } else { Meaning::Border });
        let edge = |left: &str, line: &str, right: &str| {
            Line::from(Span::styled(format!("{left}{}{right}", line.repeat(inner)), border))
        };
        let (line, side) = (look.sign("─", "-"), look.sign("│", "|"));
        sheet.lines.extend(airy.then(Line::default));
        sheet.lines.push(edge(look.sign("╭", "+"), line, look.sign("╮", "+")));
        for row in rows {
            let used: usize = row.iter().map(Span::width).sum();
            let mut spans = vec![Span::styled(side.to_owned(), border)];
            spans.extend(row);
            spans.push(Span::raw(" ".repeat(inner.saturating_sub(used))));
            spans.push(Span::styled(side.to_owned(), border));
            sheet.lines.push(Line::from(spans));
        }
        sheet.lines.push(edge(look.sign("╰", "+"), line, look.sign("╯", "+")));
    }

    /// Returns the rows below the score.
    fn about(&self, context: &Context, width: u16) -> Vec<Vec<Span<'static>>> {
        let (look, outcome, data) = (&context.look, &self.outcome, context.data);
        let wrapped = |text: String| {
            wrap_text(&text, look.style(Meaning::Text), width).into_iter().map(|line| line.spans).collect::<Vec<_>>()
        };
        let mut rows = Vec::new();
        if outcome.ungraded {
            let open = outcome.items.len().saturating_sub(self.attempt.answers.len());
            let text = t!("seal-kept", open) + " " + &t!("seal-hand-in");
            return markdown::render(&text, width, look).into_iter().map(|line| line.spans).collect();
        }
        if self.level.is_none() {
            match data.review.next {
                _ if data.review.due > 0 => rows.extend(wrapped(t!("outcome-review-more", due = data.review.due))),
                Some(next) => {
                    rows.extend(wrapped(t!("outcome-review-next", next = next.strftime("%Y-%m-%d").to_string())));
                }
                None => {}
            }
        }
        let Some((at, level)) = self.level.and_then(|at| Some((at, data.course.levels.get(at)?))) else { return rows };
        if outcome.gate && !outcome.passed {
            let missing = outcome.required.saturating_sub(outcome.correct);
            rows.extend(wrapped(t!("outcome-missing", missing, required = outcome.required)));
        }
        if outcome.gate
            && outcome.passed
            && let Some(share) = data.shares.get(&level.id)
        {
            let before = at.checked_sub(1).and_then(|at| data.shares.get(&data.course.levels.get(at)?.id));
            let before = before.map_or(share.low, |before| before.high);
            let bar = |share: f64| {
                let cells = ((share.clamp(0.0, 1.0) * f64::from(BAR)).ceil() as u16).max(1);
                look.bar(share.clamp(0.0, 1.0) * f64::from(BAR) / f64::from(cells), cells)
            };
            let mut row = vec![look.span(Meaning::Text, format!("{} ", percent(before)))];
            row.extend(bar(before));
            row.push(look.span(Meaning::Border, look.sign(" ────▶ ", " ---> ").to_owned()));
            row.push(look.span(Meaning::Strong, format!("{} ", percent(share.high))));
            row.extend(bar(share.high));
            let of = match &data.recorded_on {
                Some(device) => t!("outcome-of-cublas-on", cublas = data.cublas, device),
                None => t!("outcome-of-cublas"),
            };
            row.push(look.span(Meaning::Muted, format!(" {of}")));
            rows.push(row);
        }
        let first = data.progress_of(at).filter(|progress| outcome.gate && progress.attempts > 1);
        if let Some(first) = first.and_then(|progress| progress.first.as_ref()) {
            rows.extend(wrapped(t!(
                "outcome-first-try",
                first = first.correct,
                of = first.questions,
                now = outcome.correct,
                questions = outcome.questions
            )));
        }
        if let Some(guesses) = data.guesses(at).filter(|guesses| outcome.gate && guesses.answered > 0) {
            let weakest = guesses.weakest();
            let text = match weakest.first().and_then(|weak| Some((weak, objective(level, &weak.objective)?))) {
                None => t!("outcome-predictions", right = guesses.right, made = guesses.answered),
                Some((weak, objective)) => t!(
                    "outcome-predictions-weakest",
                    right = guesses.right,
                    made = guesses.answered,
                    wrong = weak.wrong,
                    of = weak.right + weak.wrong,
                    objective
                ),
            };
            rows.extend(wrapped(text));
        }
        if self.offers_review(context) {
            rows.extend(wrapped(t!("outcome-due", due = data.review.due)));
        }
        rows
    }

    pub(super) fn what_opens(&self, sheet: &mut Sheet, context: &Context, width: u16) {
        let (look, data) = (&context.look, context.data);
        // Aligned with the text in the panel.
        let margin = 3;
        let room = width.saturating_sub(2 * margin as u16);
        if let Some(level) = self.level.filter(|_| self.exercise_left(context)) {
            let text = markdown::render(&t!("outcome-exercise-left", level = level + 1), room, look);
            sheet.lines.extend(indent(text, margin));
            return;
        }
        let Some(next) = self.next(context) else {
            if self.outcome.ungraded {
                return;
            }
            let text = wrap_text(&t!("outcome-last-gate"), look.style(Meaning::Accent), room);
            sheet.lines.extend(indent(text, margin));
            return;
        };
        let Some(level) = data.course.levels.get(next) else { return };
        let opened = self.outcome.unlocked.contains(&level.id);
        let word = if opened { t!("outcome-opens") } else { t!("outcome-next") };
        let count = t!("outcome-pages", pages = page_count(level));
        let lead = word.width() + 3;
        let title = truncate(&level.title, usize::from(room).saturating_sub(lead + 4 + count.width() + 2), look.ascii);
        sheet.lines.push(Line::from(vec![
            Span::raw(" ".repeat(margin)),
            look.span(Meaning::Accent, format!("{word}   ")),
            look.span(Meaning::Key, format!("{}  ", next + 1)),
            look.span(Meaning::Title, title),
            look.span(Meaning::Muted, format!("   {count}")),
        ]));
        let question = wrap_text(&level.question, look.style(Meaning::Text), room.saturating_sub(lead as u16));
        sheet.lines.extend(indent(question, margin + lead));
        for id in self.outcome.unlocked.iter().filter(|id| **id != level.id) {
            let Some((at, other)) = data.level(id) else { continue };
            sheet.lines.push(Line::from(vec![
                Span::raw(" ".repeat(margin + lead)),
                look.span(Meaning::Muted, t!("outcome-opens-too", level = at + 1, title = other.title.as_str())),
            ]));
        }
        let missed = self.outcome.misses().count();
        if missed > 0 && !self.outcome.ungraded {
            sheet.lines.push(Line::default());
            let text = wrap_text(&t!("outcome-missed-some", missed), look.style(Meaning::Muted), room);
            sheet.lines.extend(indent(text, margin));
        }
    }
}
