//! The list of levels: title, pages, gate, and share of cuBLAS.

use super::WIDE;
use super::ladder::hidden;
use crate::app_data::Share;
use crate::prelude::*;
use crate::screens::gate::in_exam;
use crate::screens::indent;
use tutor_course::Level;
use tutor_progress::LevelProgress;
use tutor_support::figures::percentage;
use tutor_support::words::Sentence;
use ui_kit::look::{pad, pad_left};

/// Minimum width of a list with the column of shares.
const WITH_SHARES: u16 = 74;
/// Cells of the cursor's mark and of the blank after the number.
const LEAD: usize = 3;
/// Widths of the columns of pages, gate, and the ladder with its bars, in cells.
const PAGES: usize = 6;
const GATE: usize = 16;
const LADDER: usize = 21;
const RUNG: u16 = 12;
/// Share of cuBLAS at the right end of a rung.
const SCALE: f64 = 2.5;
/// Blanks before and after the bar.
const AROUND_BAR: usize = 3;

pub(super) struct List {
    /// Width of the level numbers in cells.
    number: usize,
    title: usize,
    bar: u16,
    share: bool,
    width: u16,
    /// GPU on which the shares were recorded.
    recorded_on: Option<String>,
    cublas: String,
}

impl List {
    pub(super) fn new(context: &Context, width: u16) -> Self {
        let data = context.data;
        // A wide screen draws the ladder next to the list.
        let share = context.size.width < WIDE && width >= WITH_SHARES && !data.shares.is_empty();
        let bar: u16 = if width >= 66 && !share { 8 } else { 0 };
        let number = data.course.levels.len().to_string().len();
        let shares = if share { LADDER } else { 0 };
        let columns = [LEAD + number, PAGES, usize::from(bar) + AROUND_BAR, GATE, shares];
        let fixed: usize = columns.into_iter().sum();
        let widest = data.course.levels.iter().map(|level| level.title.width()).max().unwrap_or(0);
        Self {
            number,
            title: usize::from(width).saturating_sub(fixed).clamp(8, widest.max(8) + 2),
            bar,
            share,
            width,
            recorded_on: data.recorded_on.clone(),
            cublas: data.cublas.clone(),
        }
    }

    /// Returns the names of the columns.
    pub(super) fn heading(&self, look: &Look) -> Vec<Line<'static>> {
        let mut heading = format!("{}{}", " ".repeat(LEAD + self.number), pad(&t!("map-level"), self.title));
        heading.push_str(&pad(&pad_left(&t!("map-pages"), PAGES), PAGES + AROUND_BAR + usize::from(self.bar)));
        heading.push_str(&pad(&t!("map-gate"), GATE));
        if self.share {
            let of = match &self.recorded_on {
                Some(device) => t!("map-of-cublas-on", cublas = self.cublas, device),
                None => t!("map-of-cublas"),
            };
            heading.push_str(&pad_left(&truncate(&of, LADDER, look.ascii), LADDER));
        }
        vec![Line::styled(heading, look.style(Meaning::Muted))]
    }

    fn row(&self, at: usize, level: &Level, data: &AppData, look: &Look, selected: bool) -> Line<'static> {
        let Some(progress) = data.progress_of(at) else { return Line::default() };
        let broken = level.lesson.is_err();
        let graded = data.course.exam.is_empty();
        let text = match (progress.locked, selected) {
            (true, _) => Meaning::Muted,
            (false, true) => Meaning::Strong,
            (false, false) => Meaning::Text,
        };
        let mark = match (selected, progress.done() && !progress.locked && !broken && graded) {
            (true, _) => look.cursor(true),
            (false, true) => Span::styled(format!("{} ", look.right().content), look.style(Meaning::Right)),
            (false, false) => look.cursor(false),
        };
        let read = match (broken, progress.locked) {
            (true, _) => t!("map-broken"),
            (_, true) => String::new(),
            _ => format!("{}/{}", progress.pages.read, progress.pages.total),
        };
        let mut spans = vec![
            mark,
            look.span(text, format!("{:>1$} {2}", at + 1, self.number, pad(&level.title, self.title))),
            look.span(if broken { Meaning::Warning } else { text }, pad_left(&read, PAGES)),
            Span::raw(" "),
        ];
        if progress.locked || broken {
            spans.push(Span::raw(" ".repeat(self.bar.into())));
        } else {
            let fraction = f64::from(progress.pages.read) / f64::from(progress.pages.total.max(1));
            spans.extend(look.bar(fraction, self.bar));
        }
        spans.push(Span::raw("  "));
        let (meaning, gate) = gate(level, progress, data);
        spans.push(look.span(meaning, pad(&gate, GATE)));
        if self.share {
            let share = shown_share(at, data).map(|share| share.high);
            let mut bar = look.bar_past(share.unwrap_or(0.0) / SCALE, 1.0 / SCALE, RUNG);
            if share.is_none() && data.shares.contains_key(&level.id) {
                bar.splice(..2, [Span::raw(" "), hidden(bar[1].width() - 1, look)]);
            }
            spans.extend(bar);
            let text = share.map_or_else(String::new, |share| percent(share).to_string());
            spans.push(look.span(Meaning::Text, pad_left(&text, LADDER - usize::from(RUNG))));
        }
        Line::from(spans)
    }

    /// Returns the lines of a level: its row, and as much of its question as `room` allows.
    pub(super) fn block(&self, at: usize, context: &Context, selected: bool, room: Room) -> Vec<Line<'static>> {
        let (data, look) = (context.data, &context.look);
        let Some(level) = data.course.levels.get(at) else { return Vec::new() };
        let row = self.row(at, level, data, look, selected);
        let mut lines = vec![if selected { look.selected(row, self.width) } else { row }];
        if room == Room::Rows {
            return lines;
        }
        let locked = data.progress_of(at).is_none_or(|progress| progress.locked);
        let style = look.style(if locked { Meaning::Muted } else { Meaning::Text });
        let width = usize::from(self.width).saturating_sub(4);
        let mut question = wrap_text(&level.question, style, width as u16);
        if room == Room::OneRow && question.len() > 1 {
            question = vec![Line::styled(truncate(&level.question, width, look.ascii), style)];
        }
        lines.extend(indent(question, 4));
        lines.push(Line::default());
        lines
    }
}

/// Space for each level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// Title, full question, and a blank line.
    Questions,
    /// Title, first line of the question, and a blank line.
    OneRow,
    /// Title only.
    Rows,
}

/// Returns a level's recorded shares, if they may be shown.
fn shown_share(level: usize, data: &AppData) -> Option<&Share> {
    let content = data.course.levels.get(level)?;
    let all = content.ladder.iter().all(|kernel| data.may_show_kernel_speed(level, kernel));
    data.shares.get(&content.id).filter(|_| all && data.may_show_speed(level))
}

/// Formats a share in percent, with at least two digits.
pub(crate) fn percent(share: f64) -> Sentence {
    percentage(share, usize::from(share < 0.095))
}

/// Describes the student's progress at the level's gate.
fn gate(level: &Level, progress: &LevelProgress, data: &AppData) -> (Meaning, String) {
    if let Some(by) = progress.unlocked_by.as_deref().and_then(|by| data.level(by)) {
        return (Meaning::Muted, t!("map-locked", gate = by.0 + 1));
    }
    if level.quiz.is_none() {
        return match progress.done() {
            true => (Meaning::Right, t!("map-all-read")),
            false => (Meaning::Muted, t!("map-reading-only")),
        };
    }
    if level.quiz_problem().is_some() {
        return (Meaning::Warning, t!("map-broken"));
    }
    if progress.exercise_left() {
        return (Meaning::Accent, t!("map-exercise-left"));
    }
    match (progress.passed, &progress.best) {
        _ if !data.course.exam.is_empty() && !progress.under_way => (Meaning::Text, in_exam(progress)),
        _ if !data.course.exam.is_empty() => (Meaning::Accent, t!("map-under-way")),
        (true, Some(best)) => (Meaning::Right, t!("map-passed-with", correct = best.correct, of = best.questions)),
        (true, None) => (Meaning::Right, t!("map-passed")),
        _ if progress.under_way => (Meaning::Accent, t!("map-under-way")),
        (false, Some(best)) => {
            (Meaning::Text, t!("map-missed", correct = best.correct, of = best.questions, needed = progress.required))
        }
        (false, None) => (Meaning::Text, t!("map-needs", needed = progress.required, of = progress.questions)),
    }
}
