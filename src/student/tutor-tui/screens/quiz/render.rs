//! Draws a question or the review of an attempt.

use super::super::{draw_scrolled, hit_row, indent, inner_of, mark_below};
use super::sheet::Sheet;
use super::{QuestionState, Quiz};
use crate::prelude::*;
use tutor_course::Bloom;
use tutor_progress::{AttemptKind, Graded, Question};
use ui_kit::look::{TEXT_WIDTH, draw, pad, split_top};
use ui_kit::wrap::{Run, wrap};

pub(super) fn render(quiz: &Quiz, frame: &mut Frame, context: &Context, hits: &mut Hits) {
    let area = inner_of(context.size);
    let (head, body) = split_top(area, 2);
    draw(frame, head, heading(quiz, context, area.width));
    let sheet = sheet(quiz, context, body.width);
    let scroll = scrolled(quiz, &sheet, body.height);
    draw_scrolled(frame, body, &sheet.lines, scroll);
    let below = sheet.lines.len().saturating_sub(scroll + usize::from(body.height));
    if below > 0 && body.height > 0 {
        mark_below(frame, body, below, |count| t!("quiz-more-below", count), &context.look);
    }
    for (row, choice) in sheet.choices {
        hit_row(hits, body, scroll, row, if quiz.reviewing() { Hit::Row(choice) } else { Hit::Choice(choice) });
    }
    if let Some((row, column)) = sheet.cursor
        && let Some(row) = row.checked_sub(scroll).filter(|row| *row < usize::from(body.height))
    {
        frame.set_cursor_position(Position::new(body.x + column.min(body.width - 1), body.y + row as u16));
    }
}

pub(super) fn text_lines(quiz: &Quiz, width: u16, context: &Context) -> Vec<String> {
    let mut lines = heading(quiz, context, width);
    lines.extend(sheet(quiz, context, width).lines);
    if !quiz.reviewing() && quiz.rows_to_take(context) > 0 {
        lines.extend(wrap_text(&t!("plain-take-line"), context.look.style(Meaning::Muted), width));
    }
    lines.iter().map(ToString::to_string).collect()
}

/// Returns the maximum scroll position of the question.
pub(super) fn max_scroll(quiz: &Quiz, context: &Context) -> usize {
    let area = inner_of(context.size);
    sheet(quiz, context, area.width).lines.len().saturating_sub(usize::from(area.height.saturating_sub(2)))
}

fn scrolled(quiz: &Quiz, sheet: &Sheet, height: u16) -> usize {
    let (height, most) = (usize::from(height), sheet.lines.len().saturating_sub(height.into()));
    let keep = sheet.keep.map_or(0, |row| (row + 2).saturating_sub(height));
    quiz.scroll.max(keep).min(most)
}

fn heading(quiz: &Quiz, context: &Context, width: u16) -> Vec<Line<'static>> {
    let look = &context.look;
    let attempt = &quiz.attempt;
    let kind = match attempt.kind {
        AttemptKind::Gate => t!("quiz-gate"),
        AttemptKind::Practice if quiz.level.is_none() => t!("quiz-due-today"),
        AttemptKind::Practice => t!("quiz-practice"),
    };
    let level = quiz.level.and_then(|at| Some((at, context.data.course.levels.get(at)?)));
    let title = level.map_or_else(|| t!("quiz-what-is-due"), |(at, level)| format!("{} {}", at + 1, level.title));
    let left = vec![
        look.span(Meaning::Muted, format!("{title} ")),
        look.span(Meaning::Border, look.sign("▸ ", "> ").to_owned()),
        look.span(Meaning::Title, kind),
    ];
    let count = attempt.questions.len();
    let place = match attempt.current() {
        Some(_) => t!("quiz-question-of", number = attempt.position + 1, count),
        None => t!("quiz-review"),
    };
    let mut right = vec![look.span(Meaning::Muted, format!("{place}  "))];
    right.extend((0..count).map(|at| dot(quiz, at, context)));
    let tag = match attempt.current() {
        Some(question) => {
            let bloom = bloom_name(question.bloom);
            if attempt.flagged.contains(&question.slot) { t!("quiz-bloom-marked", bloom) } else { bloom }
        }
        None => t!("quiz-before-submit"),
    };
    vec![two_ends(left, right, width), look.rule(&tag, Meaning::Accent, width)]
}

fn dot(quiz: &Quiz, at: usize, context: &Context) -> Span<'static> {
    let (attempt, look) = (&quiz.attempt, &context.look);
    let Some(question) = attempt.questions.get(at) else { return Span::raw("") };
    let meaning = if attempt.flagged.contains(&question.slot) { Meaning::Warning } else { Meaning::Bar };
    let (drawn, ascii, _, _) = state(quiz, question, context);
    let sign = if at == attempt.position { look.sign("◉", "@") } else { look.sign(drawn, ascii) };
    look.span(meaning, sign.to_owned())
}

fn sheet(quiz: &Quiz, context: &Context, width: u16) -> Sheet {
    let (look, width) = (&context.look, width.min(TEXT_WIDTH));
    let (Some(question), Some(panel)) = (quiz.attempt.current(), &quiz.panel) else {
        return review(quiz, context, width);
    };
    let mut sheet = Sheet { lines: markdown::render(&question.ask, width, look), width, ..Sheet::default() };
    sheet.lines.push(Line::default());
    let live = quiz.feedback.is_none();
    panel.draw(&mut sheet, look, width, live);
    match &quiz.feedback {
        Some(graded) => feedback(&mut sheet, graded, look, width),
        // After a refused answer, the reason replaces the hint.
        None if quiz.problem.is_some() => sheet.lines.push(Line::default()),
        None => standing(&mut sheet, quiz, question, context, width),
    }
    if let Some(problem) = &quiz.problem {
        sheet.keep = Some(sheet.lines.len());
        let runs = [
            Run::new(format!("{} ", look.warning().content), look.style(Meaning::Warning)),
            Run::new(problem, look.style(Meaning::Warning)),
        ];
        sheet.lines.extend(wrap(&runs, width));
    }
    sheet
}

/// Adds a line below the panel: how to use it, or whether its content is an answer or a draft.
fn standing(sheet: &mut Sheet, quiz: &Quiz, question: &Question, context: &Context, width: u16) {
    let look = &context.look;
    let enter = look.sign("⏎", "Enter");
    let (sign, text, meaning) = match quiz.question_state(question, context.saving) {
        QuestionState::Open => match quiz.panel.as_ref().and_then(|panel| panel.hint(look)) {
            Some(hint) => ("", hint, Meaning::Muted),
            None => return,
        },
        QuestionState::Drafted if quiz.panel.as_ref().is_some_and(|panel| panel.next_empty().is_some()) => {
            (look.sign("◐ ", "o "), t!("quiz-next-blank", key = enter), Meaning::Warning)
        }
        QuestionState::Drafted if quiz.editing() => {
            (look.sign("◐ ", "o "), t!("quiz-typed", key = enter), Meaning::Warning)
        }
        QuestionState::Drafted => (look.sign("◐ ", "o "), t!("quiz-drafted", key = enter), Meaning::Warning),
        QuestionState::Changed => (look.sign("◐ ", "o "), t!("quiz-changed", key = enter), Meaning::Warning),
        QuestionState::Answered => (look.sign("● ", "* "), t!("quiz-answered"), Meaning::Muted),
        QuestionState::Saving => (look.sign("◐ ", "o "), t!("quiz-saving"), Meaning::Muted),
    };
    sheet.lines.push(Line::default());
    sheet.lines.extend(wrap_text(&format!("{sign}{text}"), look.style(meaning), width));
}

fn feedback(sheet: &mut Sheet, graded: &Graded, look: &Look, width: u16) {
    sheet.lines.push(Line::default());
    let (sign, word, meaning) = if graded.correct {
        (look.right(), t!("quiz-right"), Meaning::Right)
    } else {
        (look.wrong(), t!("quiz-wrong"), Meaning::Wrong)
    };
    sheet.lines.push(Line::from(vec![sign, look.span(meaning, format!(" {word}"))]));
    for text in [graded.why.as_deref(), Some(graded.because.as_str())].into_iter().flatten() {
        sheet.lines.extend(indent(markdown::render(text, width.saturating_sub(2), look), 2));
    }
    sheet.keep = Some(sheet.lines.len());
}

fn review(quiz: &Quiz, context: &Context, width: u16) -> Sheet {
    let mut sheet = Sheet { width, ..Sheet::default() };
    let (attempt, look) = (&quiz.attempt, &context.look);
    let standing = |question| state(quiz, question, context);
    let states = attempt.questions.iter().map(standing);
    let wide = states.map(|(_, _, word, _)| word.width()).max().unwrap_or(0);
    // The column of marks exists only while a question is marked.
    let any = attempt.questions.iter().any(|question| attempt.flagged.contains(&question.slot));
    let marked = if any { t!("quiz-marked") } else { String::new() };
    let gap = if any { "  " } else { "" };
    for (at, question) in attempt.questions.iter().enumerate() {
        let selected = at == quiz.cursor;
        let (drawn, ascii, word, meaning) = standing(question);
        let flag = if attempt.flagged.contains(&question.slot) { marked.as_str() } else { "" };
        let before = vec![
            look.cursor(selected),
            look.span(Meaning::Key, format!("{}  ", at + 1)),
            look.span(meaning, format!("{} {}", look.sign(drawn, ascii), pad(&word, wide))),
            look.span(Meaning::Warning, format!("{gap}{}  ", pad(flag, marked.width()))),
        ];
        let used: usize = before.iter().map(Span::width).sum();
        let ask = markdown::opening(&question.ask, look);
        let ask = truncate(&ask, usize::from(width).saturating_sub(used), look.ascii);
        sheet.row(at, selected, before, &Span::raw(""), vec![Line::raw(ask)], look);
    }
    sheet.lines.push(Line::default());
    let (open, drafted) = quiz.unfinished();
    let (text, meaning) = match (open + drafted, quiz.warned) {
        (0, _) => (t!("quiz-all-answered"), Meaning::Text),
        (_, true) => (t!("quiz-warned", open, drafted), Meaning::Warning),
        (_, false) => (t!("quiz-unfinished", open, drafted), Meaning::Text),
    };
    sheet.keep = quiz.warned.then_some(sheet.lines.len()).or(sheet.keep);
    sheet.lines.extend(wrap_text(&text, look.style(meaning), width));
    sheet
}

/// Returns sign, ASCII sign, name and colour of a question's state. In practice, that is the grade of its answer.
fn state(quiz: &Quiz, question: &Question, context: &Context) -> (&'static str, &'static str, String, Meaning) {
    let standing = quiz.question_state(question, context.saving);
    let practice = quiz.attempt.kind == AttemptKind::Practice && standing == QuestionState::Answered;
    match (practice.then(|| quiz.graded(question, context.data.quiz(&quiz.attempt.level)))).flatten() {
        Some(graded) if graded.correct => return ("✔", "+", t!("quiz-state-right"), Meaning::Right),
        Some(_) => return ("✘", "x", t!("quiz-state-wrong"), Meaning::Wrong),
        None => {}
    }
    match standing {
        QuestionState::Open => ("○", ".", t!("quiz-state-open"), Meaning::Warning),
        QuestionState::Drafted => ("◐", "o", t!("quiz-state-drafted"), Meaning::Warning),
        QuestionState::Answered => ("●", "*", t!("quiz-state-answered"), Meaning::Text),
        QuestionState::Changed => ("◐", "o", t!("quiz-state-changed"), Meaning::Warning),
        QuestionState::Saving => ("◐", "o", t!("quiz-state-saving"), Meaning::Muted),
    }
}

/// Returns the name of a Bloom level.
pub(crate) fn bloom_name(bloom: Bloom) -> String {
    match bloom {
        Bloom::Remember => t!("quiz-bloom-remember"),
        Bloom::Understand => t!("quiz-bloom-understand"),
        Bloom::Apply => t!("quiz-bloom-apply"),
        Bloom::Analyse => t!("quiz-bloom-analyse"),
        Bloom::Evaluate => t!("quiz-bloom-evaluate"),
    }
}
