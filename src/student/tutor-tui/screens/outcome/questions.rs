//! The missed questions, or all, with the student's answer, the reason, and the page to read.

use super::{OutcomeScreen, Sheet};
use crate::app_data::objective as objective_text;
use crate::prelude::*;
use crate::screens::indent;
use tutor_progress::{OutcomeItem, Question};
use ui_kit::wrap::hang;

impl OutcomeScreen {
    /// Adds the missed questions by objective, with the pages to read again.
    pub(super) fn misses(&self, sheet: &mut Sheet, context: &Context, width: u16) {
        let look = &context.look;
        let text = match (self.outcome.gate, self.outcome.misses().count()) {
            (_, 0) => t!("outcome-none-missed"),
            (true, _) => t!("outcome-read-again"),
            (false, _) => t!("outcome-look-again"),
        };
        sheet.lines.extend(wrap_text(&text, look.style(Meaning::Muted), width));
        sheet.lines.push(Line::default());
        let data = context.data;
        let mut last = None;
        for (at, item) in self.listed().enumerate() {
            let question = self.question(item);
            let objective = question.map(|(_, question)| question.objective.as_str());
            let start = sheet.lines.len();
            if objective != last {
                let place = objective.and_then(|id| data.locate(self.level, id));
                let known = place.and_then(|(level, id)| objective_text(data.course.levels.get(level)?, id));
                if let Some(known) = known {
                    sheet.lines.extend(wrap_text(known, look.style(Meaning::Strong), width));
                }
                last = objective;
            }
            let number = question.map_or(0, |(at, _)| at + 1);
            sheet.lines.push(self.title(at, item, number, context, width));
            if let Some((_, question)) = question {
                let ask = wrap_text(
                    &markdown::opening(&question.ask, look),
                    look.style(Meaning::Muted),
                    width.saturating_sub(4),
                );
                sheet.lines.extend(indent(ask, 4));
                code(sheet, question, width, look);
            }
            self.reasons(sheet, item, context, width);
            self.link(sheet, at, item, context, width);
            sheet.items.push(start..sheet.lines.len());
            sheet.lines.push(Line::default());
        }
    }

    /// Adds every question in full, with the student's answer and the reason.
    pub(super) fn all_questions(&self, sheet: &mut Sheet, context: &Context, width: u16) {
        let look = &context.look;
        for (at, item) in self.outcome.items.iter().enumerate() {
            let start = sheet.lines.len();
            sheet.lines.push(self.title(at, item, at + 1, context, width));
            if let Some((_, question)) = self.question(item) {
                let ask = markdown::render(&question.ask, width.saturating_sub(4), look);
                sheet.lines.extend(indent(ask, 4));
                code(sheet, question, width, look);
                if let Some(answer) = self.attempt.answer_to(question) {
                    let meaning = match item.correct {
                        _ if self.outcome.ungraded => Meaning::Muted,
                        true => Meaning::Right,
                        false => Meaning::Wrong,
                    };
                    let before = look.span(meaning, format!("    {}  ", t!("outcome-your-answer")));
                    let rest = Span::raw(" ".repeat(before.width()));
                    let room = width.saturating_sub(before.width() as u16);
                    let parts = question.kind.describe_answer(answer).into_iter();
                    let text = parts.flat_map(|part| markdown::render(&part, room, look)).collect();
                    sheet.lines.extend(hang(text, &before, &rest));
                }
            }
            if !self.outcome.ungraded {
                self.reasons(sheet, item, context, width);
                self.link(sheet, at, item, context, width);
            }
            sheet.items.push(start..sheet.lines.len());
            sheet.lines.push(Line::default());
        }
    }

    fn question(&self, item: &OutcomeItem) -> Option<(usize, &Question)> {
        self.attempt.questions.iter().enumerate().find(|(_, question)| question.slot == item.slot)
    }

    fn answered(&self, item: &OutcomeItem) -> bool {
        self.attempt.answers.contains_key(&item.slot)
    }

    fn title(&self, at: usize, item: &OutcomeItem, number: usize, context: &Context, width: u16) -> Line<'static> {
        let look = &context.look;
        let here = at == self.cursor;
        let (sign, word) = match (item.correct, self.answered(item)) {
            (_, true) if self.outcome.ungraded => (Span::raw(" "), t!("seal-question", number)),
            (_, false) if self.outcome.ungraded => (Span::raw(" "), t!("outcome-question-open", number)),
            (true, _) => (look.right(), t!("outcome-question-right", number)),
            (false, true) => (look.wrong(), t!("outcome-question-wrong", number)),
            (false, false) => (look.wrong(), t!("outcome-question-open", number)),
        };
        let line = Line::from(vec![look.cursor(here), sign, look.span(Meaning::Strong, format!(" {word}"))]);
        if here { look.selected(line, width) } else { line }
    }

    fn reasons(&self, sheet: &mut Sheet, item: &OutcomeItem, context: &Context, width: u16) {
        // The title already says that there is no answer.
        let why = item.why.as_ref().filter(|_| self.answered(item));
        for why in [why, item.because.as_ref()].into_iter().flatten() {
            let text = markdown::render(why, width.saturating_sub(4), &context.look);
            sheet.lines.extend(indent(text, 4));
        }
    }

    fn link(&self, sheet: &mut Sheet, at: usize, item: &OutcomeItem, context: &Context, width: u16) {
        let look = &context.look;
        let page = self.page_of(item, context);
        let page = page.and_then(|(level, page)| pages(context.data.course.levels.get(level)?).get(page));
        let Some(page) = page else { return };
        let key = if at == self.cursor { format!("{} ", look.sign("⏎", "Enter")) } else { String::new() };
        let before = look.span(Meaning::Key, format!("    {key}"));
        let text = t!("outcome-re-read", title = page.title.as_str());
        let text = wrap_text(&text, look.style(Meaning::Accent), width.saturating_sub(before.width() as u16));
        sheet.lines.extend(hang(text, &before, &Span::raw("    ")));
    }
}

/// Adds the code of a question, to which its reasons refer.
fn code(sheet: &mut Sheet, question: &Question, width: u16, look: &Look) {
    let Some(code) = question.kind.code() else { return };
    let code = markdown::render(&format!("```\n{}\n```", code.trim_end()), width.saturating_sub(4), look);
    sheet.lines.extend(indent(code, 4));
}
