//! Lays out the text of a page: what to read, the recall questions, the prediction, and what follows from it.

use super::super::{indent, problems};
use super::Lesson;
use crate::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;
use tutor_course::{Course, Page, Predict};
use tutor_progress::{Explanation, Prediction, Predictions};
use ui_kit::wrap::hang;

/// The layout of a page's text.
#[derive(Debug, Default)]
pub struct Flow {
    /// The lines, from the top.
    pub lines: Vec<Line<'static>>,
    /// Lines that can be clicked: index of the line, and position of the choice there.
    pub choices: Vec<(usize, usize)>,
    /// Rows that were added last: a revealed answer, or the reply to a prediction.
    pub added: (usize, usize),
    /// First row of the text after the question.
    pub after: usize,
    /// Number of lines without the last one, which offers an optional page.
    pub end: usize,
    /// Line and column of the terminal's cursor.
    pub cursor: Option<(usize, u16)>,
    /// Rows from the selected choice to the hint about Enter.
    pub selected: (usize, usize),
}

impl Flow {
    /// True if a line is the first of a block, such as a paragraph or a list.
    pub fn begins_block(&self, row: usize) -> bool {
        let blank = |row: usize| self.lines.get(row).is_none_or(|line| line.width() == 0);
        !blank(row) && (row == 0 || blank(row - 1))
    }

    /// Returns the first line of the block that contains a line.
    pub fn block_of(&self, row: usize) -> usize {
        (0..=row).rev().find(|row| self.begins_block(*row)).unwrap_or(0)
    }
}

/// Everything that the layout of a page's text depends on.
#[derive(Debug, PartialEq)]
struct Wanted {
    place: (usize, usize),
    width: u16,
    ascii: bool,
    theme: String,
    words: String,
    revealed: usize,
    selected: Option<usize>,
    again: bool,
    launch: bool,
    made: Option<Predictions>,
    order: Vec<usize>,
    why: super::why::Writing,
    explained: Option<Explanation>,
    wrong: Vec<String>,
}

/// Cache of a layout, which every key and every frame needs, but which seldom changes.
#[derive(Debug, Default)]
pub struct Memo(RefCell<Option<Laid>>);

#[derive(Debug)]
struct Laid {
    /// Keeps this course alive, so that a reloaded course never has the same address.
    course: Arc<Course>,
    wanted: Wanted,
    flow: Arc<Flow>,
}

/// Lays a page's text out in `width` cells.
pub fn flow(lesson: &Lesson, context: &Context, width: u16) -> Arc<Flow> {
    let course = &context.data.course;
    let wanted = Wanted {
        place: (lesson.level, lesson.page),
        width,
        ascii: context.look.ascii,
        theme: context.look.theme.name().to_owned(),
        words: tutor_support::words::current().code().to_owned(),
        revealed: lesson.revealed,
        selected: lesson.selected,
        again: lesson.again,
        launch: lesson.awaits_launch(context),
        made: lesson.predictions(context).copied(),
        order: lesson.order(context),
        why: lesson.why.clone(),
        explained: lesson.explanation(context).cloned(),
        wrong: context.data.wrong_with(lesson.level, lesson.page),
    };
    if let Some(laid) = &*lesson.flowed.0.borrow()
        && laid.wanted == wanted
        && Arc::ptr_eq(&laid.course, course)
    {
        return Arc::clone(&laid.flow);
    }
    let flow = Arc::new(lay_out(lesson, &wanted.wrong, context, width));
    *lesson.flowed.0.borrow_mut() = Some(Laid { course: Arc::clone(course), wanted, flow: Arc::clone(&flow) });
    flow
}

fn lay_out(lesson: &Lesson, wrong: &[String], context: &Context, width: u16) -> Flow {
    let mut flow = Flow::default();
    let Some(page) = lesson.content(context) else { return flow };
    let look = &context.look;
    flow.lines = problems::banner(wrong, width, look);
    flow.lines.extend(markdown::render(&page.text, width, look));
    recall(&mut flow, lesson, page, width, look);
    let pending = lesson.pending(context);
    let made = lesson.predictions(context).filter(|_| pending.is_none());
    if let Some(predict) = &page.predict {
        let asked = Asked { predict, order: lesson.order(context) };
        blank(&mut flow.lines);
        flow.lines.extend(strong(markdown::render(&predict.ask, width, look), look));
        blank(&mut flow.lines);
        match made {
            Some(made) => settled(&mut flow, &asked, made, width, look),
            None => open(&mut flow, lesson, &asked, width, look),
        }
    }
    if !page.after.trim().is_empty() && pending.is_none() {
        blank(&mut flow.lines);
        flow.after = flow.lines.len();
        if lesson.awaits_launch(context) {
            aside(&mut flow, &t!("lesson-launch-hint", key = look.sign("⏎", "Enter")), 0, width, look);
        } else {
            flow.lines.extend(markdown::render(&page.after, width, look));
        }
        if made.is_some() {
            flow.added.1 = flow.lines.len();
        }
    }
    super::why::lay_out(&mut flow, lesson, context, width);
    flow.end = flow.lines.len();
    if let Some(more) = lesson.more(context).filter(|_| lesson.why_actions(context).is_none()) {
        blank(&mut flow.lines);
        let key = look.span(Meaning::Key, format!("{}  ", Action::More.entry().keys[0].name(look.ascii)));
        let text =
            wrap_text(&t!("lesson-more", title = &more.title), look.style(Meaning::Muted), width.saturating_sub(3));
        flow.lines.extend(hang(text, &key, &Span::raw("   ")));
    }
    flow
}

fn recall(flow: &mut Flow, lesson: &Lesson, page: &Page, width: u16, look: &Look) {
    for (at, recall) in page.recall.iter().enumerate() {
        if at > lesson.revealed {
            break;
        }
        blank(&mut flow.lines);
        let number = look.span(Meaning::Key, format!("{}  ", at + 1));
        let asked = strong(markdown::render(&recall.ask, width.saturating_sub(3), look), look);
        flow.lines.extend(hang(asked, &number, &Span::raw("   ")));
        let start = flow.lines.len();
        if at < lesson.revealed {
            let answer = markdown::render(&recall.answer, width.saturating_sub(5), look);
            let mark = look.span(Meaning::Accent, format!("   {} ", look.sign("→", ">")));
            flow.lines.extend(hang(answer, &mark, &Span::raw("     ")));
        } else {
            let hint = t!("lesson-recall-hint", key = look.sign("⏎", "Enter"));
            aside(flow, &hint, 3, width, look);
        }
        let end = flow.lines.len();
        flow.added = if at < lesson.revealed { (start, end) } else { (flow.added.0, end) };
    }
}

/// A question with its choices in the order for this student.
struct Asked<'a> {
    predict: &'a Predict,
    /// Indices into the file's choices, in the order shown.
    order: Vec<usize>,
}

impl Asked<'_> {
    /// Returns the position of a choice, from 0.
    fn row(&self, choice: usize) -> usize {
        self.order.iter().position(|at| *at == choice).unwrap_or(choice)
    }

    fn letter(&self, choice: usize) -> char {
        letter(self.row(choice))
    }
}

struct Mark {
    sign: Span<'static>,
    selected: bool,
    tag: Option<String>,
}

fn choice(flow: &mut Flow, asked: &Asked, at: usize, mark: &Mark, width: u16, look: &Look) {
    let Some(choice) = asked.predict.choices.get(at) else { return };
    let tag = mark.tag.as_ref().map(|tag| format!("  {} {tag}", look.sign("◂", "<")));
    let room = width.saturating_sub(5 + tag.as_ref().map_or(0, |tag| tag.width() as u16)).max(8);
    let key = look.span(Meaning::Key, format!("{}  ", asked.letter(at)));
    let rows = markdown::render(&choice.text, room, look);
    let last = rows.len().saturating_sub(1);
    for (row, mut line) in rows.into_iter().enumerate() {
        flow.choices.push((flow.lines.len(), asked.row(at)));
        let (sign, key) = if row == 0 { (mark.sign.clone(), key.clone()) } else { (Span::raw("  "), Span::raw("   ")) };
        line.spans.insert(0, key);
        line.spans.insert(0, sign);
        if let Some(tag) = tag.as_ref().filter(|_| row == last) {
            line.spans.push(look.span(Meaning::Muted, tag.clone()));
        }
        flow.lines.push(if mark.selected { look.selected(line, width) } else { line });
    }
}

/// Adds the choices while the question waits for an answer.
fn open(flow: &mut Flow, lesson: &Lesson, asked: &Asked, width: u16, look: &Look) {
    let mut from = flow.lines.len();
    for &at in &asked.order {
        let selected = lesson.selected == Some(at);
        if selected {
            from = flow.lines.len();
        }
        choice(flow, asked, at, &Mark { sign: look.cursor(selected), selected, tag: None }, width, look);
    }
    blank(&mut flow.lines);
    let last = letter(asked.order.len().saturating_sub(1));
    let hint = match lesson.selected {
        Some(at) => t!("lesson-answer-hint", key = look.sign("⏎", "Enter"), letter = asked.letter(at)),
        None if lesson.again => t!("lesson-again-hint", last),
        None => t!("lesson-select-hint", last),
    };
    aside(flow, &hint, 2, width, look);
    flow.selected = (from, flow.lines.len());
}

/// Adds the choices of the answered question, and the reply.
fn settled(flow: &mut Flow, asked: &Asked, made: &Predictions, width: u16, look: &Look) {
    let predict = asked.predict;
    let (first, latest) = (made.first.choice, made.latest.choice);
    for (at, known) in asked.order.iter().filter_map(|at| Some((*at, predict.choices.get(*at)?))) {
        let verdict = |span: Span<'static>| Span::styled(format!("{} ", span.content), span.style);
        let sign = match known.correct {
            true => verdict(look.right()),
            false if latest == Some(at) => verdict(look.wrong()),
            false => Span::raw("  "),
        };
        let tag = match (latest == Some(at), first == Some(at)) {
            (true, _) => Some(t!("lesson-your-answer")),
            (false, true) => Some(t!("lesson-first-answer")),
            (false, false) => None,
        };
        choice(flow, asked, at, &Mark { sign, selected: false, tag }, width, look);
    }
    blank(&mut flow.lines);
    let start = flow.lines.len();
    reply(flow, asked, made.latest, width, look);
    if made.first != made.latest {
        let first = match made.first.choice {
            None => t!("lesson-first-skipped"),
            Some(at) => {
                let right = predict.choices.get(at).is_some_and(|choice| choice.correct);
                let verdict = if right { "right" } else { "wrong" };
                t!("lesson-first-was", letter = asked.letter(at), verdict)
            }
        };
        aside(flow, &first, 2, width, look);
    }
    flow.added = (start, flow.lines.len());
}

/// Adds the reply to an answer, or to a skipped question.
fn reply(flow: &mut Flow, asked: &Asked, made: Prediction, width: u16, look: &Look) {
    let predict = asked.predict;
    let chosen = made.choice.and_then(|choice| predict.choices.get(choice));
    let right = || predict.choices.iter().enumerate().filter(|(_, choice)| choice.correct);
    let (sign, verdict, replies): (Span, String, Vec<&String>) = match chosen {
        Some(choice) if choice.correct => (look.right(), t!("lesson-right"), vec![&choice.reply]),
        Some(choice) => (look.wrong(), t!("lesson-wrong"), vec![&choice.reply]),
        None => {
            let letters: String = right().map(|(at, _)| asked.letter(at)).collect();
            let skipped = t!("lesson-skipped", letters);
            (
                look.span(Meaning::Muted, look.sign("»", "~")),
                skipped,
                right().map(|(_, choice)| &choice.reply).collect(),
            )
        }
    };
    let style = sign.style;
    flow.lines.push(Line::from(vec![
        Span::styled(format!("{} ", sign.content), style),
        Span::styled(verdict, style.patch(look.style(Meaning::Strong))),
    ]));
    let mut add = |reply: &str| flow.lines.extend(indent(markdown::render(reply, width.saturating_sub(2), look), 2));
    replies.into_iter().for_each(|reply| add(reply));
    if chosen.is_some_and(|choice| !choice.correct) {
        for (at, choice) in right() {
            add(&t!("lesson-right-one", letter = asked.letter(at), reply = &choice.reply));
        }
    }
}

/// Adds a hint, indented by `cells`.
pub(super) fn aside(flow: &mut Flow, text: &str, cells: usize, width: u16, look: &Look) {
    let (text, width) = (markdown::spelled(text, look), width.saturating_sub(cells as u16));
    flow.lines.extend(indent(wrap_text(&text, look.style(Meaning::Muted), width), cells));
}

/// Makes the lines of a question bold.
pub(super) fn strong(lines: Vec<Line<'static>>, look: &Look) -> Vec<Line<'static>> {
    let style = look.style(Meaning::Strong);
    let heavier = |mut line: Line<'static>| {
        line.spans.iter_mut().for_each(|span| span.style = span.style.patch(style));
        line
    };
    lines.into_iter().map(heavier).collect()
}

/// Returns the letter of the choice at a position.
pub fn letter(at: usize) -> char {
    char::from(b'a' + (at % 26) as u8)
}

pub(super) fn blank(lines: &mut Vec<Line<'static>>) {
    if lines.last().is_some_and(|line| line.width() > 0) {
        lines.push(Line::default());
    }
}
