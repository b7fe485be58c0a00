//! Layout of an exercise: code and report side by side, or one above the other.

use super::super::super::inner_of;
use super::listing::{self, Listing};
use super::report::{self, Part, Report};
use super::{ExerciseScreen, Zoom};
use crate::prelude::*;
use tutor_exercises::Exercise;

/// Minimum number of columns for a side-by-side layout.
const BESIDE: u16 = 100;
/// Cells between code and report that are side by side.
const BETWEEN: u16 = 3;
/// Minimum width of a report in which each goal has its own row.
const ROWS_OF_GOALS: u16 = 44;

pub(super) struct Layout {
    pub(super) head: Rect,
    /// Line above the code with its title.
    pub(super) code_rule: Rect,
    /// The code; its height is 0 if the report has the screen.
    pub(super) code: Rect,
    /// Line above the report that says what to do.
    pub(super) report_rule: Rect,
    /// The report; its height is 0 if the code has the screen.
    pub(super) report: Rect,
    /// Column between the two if they are side by side; else empty.
    pub(super) divider: Rect,
    /// True if both are side by side.
    pub(super) beside: bool,
    pub(super) listing: Listing,
    pub(super) sheet: Report,
    pub(super) code_scroll: usize,
    pub(super) max_code_scroll: usize,
    pub(super) report_scroll: usize,
    pub(super) max_report_scroll: usize,
}

impl Layout {
    /// Returns position and maximum of the part that the arrows scroll: the code if it is visible, otherwise the report.
    pub(super) fn arrows(&self) -> (usize, usize) {
        if self.code.height > 0 { self.code_scrolled() } else { self.report_scrolled() }
    }

    /// Returns position and maximum of the part that Page Up and Page Down scroll: the report, if it can scroll.
    pub(super) fn pages(&self) -> (usize, usize) {
        if self.max_report_scroll > 0 { self.report_scrolled() } else { self.code_scrolled() }
    }

    fn code_scrolled(&self) -> (usize, usize) {
        (self.code_scroll, self.max_code_scroll)
    }

    fn report_scrolled(&self) -> (usize, usize) {
        (self.report_scroll, self.max_report_scroll)
    }

    /// Returns the number of the first visible line of code.
    pub(super) fn first_line(&self) -> Option<u32> {
        self.listing.numbers.iter().skip(self.code_scroll).find_map(|number| *number)
    }
}

pub(super) fn of(screen: &ExerciseScreen, exercise: &Exercise, context: &Context) -> Layout {
    let area = inner_of(context.size);
    let head = Rect { height: 1.min(area.height), ..area };
    let rest = Rect { y: area.y + head.height, height: area.height - head.height, ..area };
    let beside = context.size.width >= BESIDE;
    let rule = |rect: Rect| Rect { height: 1.min(rect.height), ..rect };
    let below = |rect: Rect| Rect { y: rect.y + 1, height: rect.height.saturating_sub(1), ..rect };
    let none = |rect: Rect| Rect { height: 0, ..rect };
    let (code, report) = if beside {
        let left = rest.width * 11 / 20;
        let right = Rect { x: rest.x + left + BETWEEN, width: rest.width - left - BETWEEN, ..rest };
        (Rect { width: left, ..rest }, right)
    } else {
        match screen.zoom {
            Zoom::Report => (none(rest), rest),
            Zoom::Code => (rest, none(rest)),
            Zoom::Both => {
                let upper = rest.height / 2;
                (Rect { height: upper, ..rest }, Rect { y: rest.y + upper, height: rest.height - upper, ..rest })
            }
        }
    };
    let divider = if beside { Rect { x: code.right() + 1, width: 1, ..rest } } else { Rect::ZERO };
    let (code_rule, code) = (rule(code), below(code));
    let (report_rule, report) = (rule(report), below(report));
    let listing = listing::of(screen, exercise, code.width, true, context);
    let goals = beside && report.width >= ROWS_OF_GOALS || screen.zoom == Zoom::Report;
    let sheet = report::of(screen, exercise, report.width, goals, context);
    // A hidden part does not scroll.
    let most = |rows: usize, place: Rect| if place.height == 0 { 0 } else { rows.saturating_sub(place.height.into()) };
    let (max_code_scroll, max_report_scroll) = (most(listing.lines.len(), code), most(sheet.lines.len(), report));
    let report_scroll = match screen.follow.get().and_then(|part| sheet.start_of(part)) {
        // The whole current choice is visible, with the lines above it if they fit.
        Some(start) if screen.follow.get() == Some(Part::Choices) => {
            let lowest = sheet.here.end.saturating_sub(report.height.into());
            start.max(lowest).min(sheet.here.start.max(start))
        }
        Some(start) => start,
        None => screen.report_scroll,
    };
    Layout {
        head,
        code_rule,
        code,
        report_rule,
        report,
        divider,
        beside,
        code_scroll: screen.code_scroll.unwrap_or_else(|| listing.begin(code.height.into())).min(max_code_scroll),
        max_code_scroll,
        report_scroll: report_scroll.min(max_report_scroll),
        max_report_scroll,
        listing,
        sheet,
    }
}
