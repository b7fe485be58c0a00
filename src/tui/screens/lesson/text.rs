//! The text of a page as lines: what to read, recall, the prediction, what follows from it.

use super::super::Context;
use super::Lesson;
use crate::course::{Page, Predict};
use crate::mastery::Prediction;
use crate::tui::look::{Look, TEXT_WIDTH};
use crate::tui::markdown;
use crate::tui::theme::Meaning;
use crate::tui::wrap::hang;
use ratatui::text::{Line, Span};

/// A page's text laid out.
#[derive(Debug, Default)]
pub struct Flow {
    /// The lines, from the top.
    pub lines: Vec<Line<'static>>,
    /// Row and choice of the lines that can be clicked.
    pub choices: Vec<(usize, usize)>,
    /// Rows that were added last: a revealed answer, the reply to a prediction.
    pub added: (usize, usize),
}

/// Lays a page's text out in at most [`TEXT_WIDTH`] cells of `width`.
pub fn flow(lesson: &Lesson, context: &Context, width: u16) -> Flow {
    let mut flow = Flow::default();
    let Some(page) = lesson.content(context) else { return flow };
    let (look, width) = (&context.look, width.min(TEXT_WIDTH));
    flow.lines = markdown::render(&page.text, width, look);
    recall(&mut flow, lesson, page, width, look);
    let prediction = lesson.prediction(context);
    if let Some(predict) = &page.predict {
        ask(&mut flow, predict, prediction, lesson.cursor, width, look);
    }
    if !page.after.trim().is_empty() && (page.predict.is_none() || prediction.is_some()) {
        blank(&mut flow.lines);
        flow.lines.extend(markdown::render(&page.after, width, look));
        if prediction.is_some() {
            flow.added.1 = flow.lines.len();
        }
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
        flow.lines.extend(hang(
            markdown::render(&recall.ask, width.saturating_sub(3), look),
            &number,
            &Span::raw("   "),
        ));
        let start = flow.lines.len();
        if at < lesson.revealed {
            let answer = markdown::render(&recall.answer, width.saturating_sub(5), look);
            let mark = Span::raw(format!("   {} ", look.sign("→", ">")));
            flow.lines.extend(hang(answer, &mark, &Span::raw("     ")));
        } else {
            let key = look.sign("⏎", "Enter");
            let hint = format!("   Answer in your head, then {key} shows ours.");
            flow.lines.push(Line::styled(hint, look.style(Meaning::Muted)));
        }
        let end = flow.lines.len();
        flow.added = if at < lesson.revealed { (start, end) } else { (flow.added.0, end) };
    }
}

fn ask(flow: &mut Flow, predict: &Predict, made: Option<&Prediction>, cursor: usize, width: u16, look: &Look) {
    blank(&mut flow.lines);
    flow.lines.extend(markdown::render(&predict.ask, width, look));
    for (at, choice) in predict.choices.iter().enumerate() {
        let letter = letter(at);
        let chosen = made.and_then(|made| made.choice) == Some(at);
        let mark = match made {
            None => look.cursor(at == cursor),
            Some(_) if choice.correct => Span::styled(format!("{} ", look.right().content), look.style(Meaning::Right)),
            Some(_) if chosen => Span::styled(format!("{} ", look.wrong().content), look.style(Meaning::Wrong)),
            Some(_) => Span::raw("  "),
        };
        let key = look.span(Meaning::Key, format!("{letter}  "));
        let text = markdown::render(&choice.text, width.saturating_sub(5), look);
        for (row, mut line) in text.into_iter().enumerate() {
            flow.choices.push((flow.lines.len(), at));
            if made.is_none() && at == cursor {
                line = line.patch_style(look.style(Meaning::Selected));
            }
            let (mark, key) = if row == 0 { (mark.clone(), key.clone()) } else { (Span::raw("  "), Span::raw("   ")) };
            line.spans.insert(0, key);
            line.spans.insert(0, mark);
            if chosen && row == 0 {
                line.spans.push(look.span(Meaning::Muted, look.sign("  ◂ your answer", "  < your answer").to_owned()));
            }
            flow.lines.push(line);
        }
    }
    let Some(made) = made else {
        flow.added = (0, 0);
        return;
    };
    blank(&mut flow.lines);
    let start = flow.lines.len();
    let (verdict, replies) = match made.choice.and_then(|choice| predict.choices.get(choice)) {
        Some(choice) if choice.correct => (look.span(Meaning::Right, "Right. "), vec![&choice.reply]),
        Some(choice) => (look.span(Meaning::Wrong, "Not so. "), vec![&choice.reply]),
        None => {
            let right = predict.choices.iter().filter(|choice| choice.correct).map(|choice| &choice.reply);
            let letters: String =
                predict.choices.iter().enumerate().filter(|(_, c)| c.correct).map(|(at, _)| letter(at)).collect();
            (look.span(Meaning::Muted, format!("Skipped: it is {letters}. ")), right.collect())
        }
    };
    for (at, reply) in replies.into_iter().enumerate() {
        let mut lines =
            markdown::render(&format!("{} {reply}", if at == 0 { verdict.content.trim() } else { "" }), width, look);
        if at == 0
            && let Some(first) = lines.first_mut().and_then(|line| line.spans.first_mut())
            && let Some(rest) = first.content.strip_prefix(verdict.content.trim())
        {
            let rest = Span::styled(rest.to_owned(), first.style);
            *first = Span::styled(verdict.content.trim().to_owned(), verdict.style);
            if let Some(line) = lines.first_mut() {
                line.spans.insert(1, rest);
            }
        }
        flow.lines.extend(lines);
    }
    flow.added = (start, flow.lines.len());
}

/// The letter of a choice.
pub fn letter(at: usize) -> char {
    char::from(b'a' + (at % 26) as u8)
}

fn blank(lines: &mut Vec<Line<'static>>) {
    if lines.last().is_some_and(|line| line.width() > 0) {
        lines.push(Line::default());
    }
}
