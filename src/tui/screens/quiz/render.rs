//! Draws an attempt: a question, or the review.

use super::super::lesson::text::letter;
use super::super::{Context, Hits, body_of, first_row};
use super::{Draft, Quiz};
use crate::course::Bloom;
use crate::mastery::{AttemptKind, Graded, Question, QuestionKind};
use crate::tui::look::{Look, TEXT_WIDTH, draw, split_top, two_ends};
use crate::tui::markdown;
use crate::tui::screens::Hit;
use crate::tui::theme::Meaning;
use crate::tui::wrap::{Run, hang, wrap, wrap_text};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

/// A question laid out.
#[derive(Default)]
struct Sheet {
    lines: Vec<Line<'static>>,
    choices: Vec<(usize, usize)>,
    cursor: Option<(usize, u16)>,
    /// Row that must be in sight: the feedback, the problem, or the row under the cursor.
    keep: Option<usize>,
}

/// Draws an attempt.
pub fn render(quiz: &Quiz, frame: &mut Frame, context: &Context, hits: &mut Hits) {
    let area = inner(context);
    let (head, body) = split_top(area, 2);
    draw(frame, head, heading(quiz, context, area.width));
    let sheet = sheet(quiz, context, body.width);
    let scroll = scrolled(quiz, &sheet, body.height);
    let in_sight = |row: usize| row.checked_sub(scroll).filter(|row| *row < usize::from(body.height));
    draw(frame, body, sheet.lines.iter().skip(scroll).take(body.height.into()).cloned().collect());
    for (row, choice) in sheet.choices {
        if let Some(row) = in_sight(row) {
            let hit = if quiz.reviewing() { Hit::Row(choice) } else { Hit::Choice(choice) };
            hits.push((Rect { y: body.y + row as u16, height: 1, ..body }, hit));
        }
    }
    if let Some((row, column)) = sheet.cursor
        && let Some(row) = in_sight(row)
    {
        frame.set_cursor_position(Position::new(body.x + column.min(body.width - 1), body.y + row as u16));
    }
}

/// An attempt as lines.
pub(super) fn plain(quiz: &Quiz, width: u16, context: &Context) -> Vec<String> {
    let mut lines = heading(quiz, context, width);
    lines.extend(sheet(quiz, context, width).lines);
    lines.iter().map(ToString::to_string).collect()
}

/// Furthest that the question scrolls.
pub(super) fn scroll_most(quiz: &Quiz, context: &Context) -> usize {
    let area = inner(context);
    sheet(quiz, context, area.width).lines.len().saturating_sub(usize::from(area.height.saturating_sub(2)))
}

fn inner(context: &Context) -> Rect {
    let area = body_of(context.size);
    Rect { x: 1, width: area.width.saturating_sub(2), ..area }
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
        AttemptKind::Gate => "gate",
        AttemptKind::Practice => "practice",
    };
    let title = context.world.course.levels.get(quiz.level).map_or("", |level| level.title.as_str());
    let left = vec![
        look.span(Meaning::Muted, format!("{} {title} ", quiz.level + 1)),
        look.span(Meaning::Border, look.sign("▸ ", "> ").to_owned()),
        look.span(Meaning::Title, kind),
    ];
    let count = attempt.questions.len();
    let place = match attempt.current() {
        Some(_) => format!("question {} of {count}  ", attempt.position + 1),
        None => "review  ".to_owned(),
    };
    let mut right = vec![look.span(Meaning::Muted, place)];
    right.extend((0..count).map(|at| dot(quiz, at, look)));
    let tag = match attempt.current() {
        Some(question) => {
            let flag = attempt.flagged.contains(&question.slot);
            format!("{}{}", bloom_name(question.bloom), if flag { ", marked for review" } else { "" })
        }
        None => "before you submit".to_owned(),
    };
    vec![two_ends(left, right, width), look.rule(&tag, Meaning::Accent, width)]
}

fn dot(quiz: &Quiz, at: usize, look: &Look) -> Span<'static> {
    let attempt = &quiz.attempt;
    let Some(question) = attempt.questions.get(at) else { return Span::raw("") };
    let answered = attempt.answer_to(question).is_some();
    let meaning = if attempt.flagged.contains(&question.slot) { Meaning::Warning } else { Meaning::Bar };
    let sign = match (at == attempt.position, answered) {
        (true, _) => look.sign("◉", "@"),
        (false, true) => look.sign("●", "*"),
        (false, false) => look.sign("○", "."),
    };
    look.span(meaning, sign.to_owned())
}

fn sheet(quiz: &Quiz, context: &Context, width: u16) -> Sheet {
    let (look, width) = (&context.look, width.min(TEXT_WIDTH));
    let Some(question) = quiz.attempt.current() else { return review(quiz, look, width) };
    let mut sheet = Sheet { lines: markdown::render(&question.ask, width, look), ..Sheet::default() };
    sheet.lines.push(Line::default());
    match (&question.kind, &quiz.draft) {
        (QuestionKind::Single { .. } | QuestionKind::Multiple { .. }, draft) => {
            choices(&mut sheet, question, draft, quiz.cursor, look, width);
        }
        (QuestionKind::Order { .. }, Draft::Order { ids, held, touched }) => {
            order(&mut sheet, question, ids, *held, quiz.cursor, look, width);
            if !touched {
                let enter = look.sign("⏎", "Enter");
                let hint = format!("Space takes an event up and puts it down; {enter} takes the order as it stands.");
                sheet.lines.extend(wrap_text(&hint, look.style(Meaning::Muted), width));
            }
        }
        (QuestionKind::Cloze { code, .. }, Draft::Fields { fields, at, .. }) => {
            let texts: Vec<&str> = fields.iter().map(crate::tui::field::Field::text).collect();
            cloze(&mut sheet, code, &texts, *at, quiz, look);
        }
        (kind, Draft::Fields { fields, .. }) => {
            if let Some(field) = fields.first() {
                let (spans, column) = field.spans(24.min(width), look);
                let mut line = Line::from(spans);
                line.spans.insert(0, look.span(Meaning::Key, look.sign("▸ ", "> ").to_owned()));
                if let QuestionKind::Numeric { unit: Some(unit) } = kind {
                    line.spans.push(look.span(Meaning::Muted, format!(" {unit}")));
                }
                sheet.cursor = quiz.editing().then_some((sheet.lines.len(), column + 2));
                sheet.lines.push(line);
            }
        }
        _ => {}
    }
    if let Some(problem) = &quiz.problem {
        sheet.lines.push(Line::default());
        sheet.keep = Some(sheet.lines.len());
        let runs = [
            Run::new(format!("{} ", look.warning().content), look.style(Meaning::Warning)),
            Run::new(problem, look.style(Meaning::Warning)),
        ];
        sheet.lines.extend(wrap(&runs, width));
    }
    if let Some(graded) = &quiz.feedback {
        feedback(&mut sheet, graded, look, width);
    }
    sheet
}

fn choices(sheet: &mut Sheet, question: &Question, draft: &Draft, cursor: usize, look: &Look, width: u16) {
    for (at, item) in question.kind.items().iter().enumerate() {
        let chosen = match draft {
            Draft::Single(chosen) => chosen.as_ref() == Some(&item.id),
            Draft::Multiple(ticked) => ticked.contains(&item.id),
            _ => false,
        };
        let multiple = matches!(draft, Draft::Multiple(_));
        let mark = match (multiple, chosen) {
            (true, true) => look.sign("☑ ", "[x] "),
            (true, false) => look.sign("☐ ", "[ ] "),
            (false, true) => look.sign("● ", "(*) "),
            (false, false) => look.sign("○ ", "( ) "),
        };
        let text = markdown::render(&item.text, width.saturating_sub(9), look);
        let text = if text.is_empty() { vec![Line::default()] } else { text };
        for (row, mut line) in text.into_iter().enumerate() {
            sheet.choices.push((sheet.lines.len(), at));
            let selected = at == cursor;
            if selected {
                line = line.patch_style(look.style(Meaning::Selected));
                sheet.keep = Some(sheet.lines.len());
            }
            let before = if row == 0 {
                let meaning = if chosen { Meaning::Accent } else { Meaning::Muted };
                vec![
                    look.cursor(selected),
                    look.span(Meaning::Key, format!("{}  ", letter(at))),
                    look.span(meaning, mark.to_owned()),
                ]
            } else {
                vec![Span::raw(" ".repeat(5 + Span::raw(mark).width()))]
            };
            line.spans.splice(0..0, before);
            sheet.lines.push(line);
        }
    }
}

fn order(sheet: &mut Sheet, question: &Question, ids: &[String], held: bool, cursor: usize, look: &Look, width: u16) {
    for (at, id) in ids.iter().enumerate() {
        let text = question.kind.items().iter().find(|item| item.id == *id).map_or("", |item| item.text.as_str());
        let selected = at == cursor;
        for (row, mut line) in markdown::render(text, width.saturating_sub(8), look).into_iter().enumerate() {
            sheet.choices.push((sheet.lines.len(), at));
            if selected {
                line = line.patch_style(look.style(Meaning::Selected));
                sheet.keep = Some(sheet.lines.len());
            }
            let before = if row == 0 {
                let mark = if selected && held {
                    look.span(Meaning::Warning, look.sign("↕ ", "^v").to_owned())
                } else {
                    look.cursor(selected)
                };
                vec![mark, look.span(Meaning::Key, format!("{}. ", at + 1))]
            } else {
                vec![Span::raw("     ")]
            };
            line.spans.splice(0..0, before);
            sheet.lines.push(line);
        }
    }
    sheet.lines.push(Line::default());
}

/// Code with its blanks as fields.
fn cloze(sheet: &mut Sheet, code: &str, texts: &[&str], current: usize, quiz: &Quiz, look: &Look) {
    for text in code.lines() {
        let mut spans = vec![Span::raw("  ")];
        let mut rest = text;
        while let Some((before, number, after)) = next_blank(rest) {
            spans.push(look.span(Meaning::Code, before.to_owned()));
            let value = texts.get(number - 1).copied().unwrap_or("");
            let blank = Line::from(spans.clone()).width() as u16;
            let shown = crate::tui::look::pad(value, unicode_width::UnicodeWidthStr::width(value).max(6) + 1);
            let here = number - 1 == current && quiz.editing();
            let (open, close) = if here { (look.sign("▸", ">"), look.sign("◂", "<")) } else { ("[", "]") };
            spans.push(look.span(if here { Meaning::Accent } else { Meaning::Muted }, format!("{number}{open}")));
            spans.push(look.span(Meaning::Field, shown));
            spans.push(look.span(if here { Meaning::Accent } else { Meaning::Muted }, close.to_owned()));
            if here && let Draft::Fields { fields, at, .. } = &quiz.draft {
                let column = fields.get(*at).map_or(0, |field| field.spans(60, look).1);
                sheet.cursor = Some((sheet.lines.len(), blank + 2 + column));
                sheet.keep = Some(sheet.lines.len());
            }
            rest = after;
        }
        spans.push(look.span(Meaning::Code, rest.to_owned()));
        sheet.lines.push(Line::from(spans));
    }
}

/// What is before the next `___N___`, N, and what is behind it.
fn next_blank(text: &str) -> Option<(&str, usize, &str)> {
    let mut from = 0;
    while let Some(at) = text[from..].find("___").map(|at| at + from) {
        let inner = &text[at + 3..];
        if let Some(end) = inner.find("___")
            && let Ok(number) = inner[..end].parse::<usize>()
            && number > 0
        {
            return Some((&text[..at], number, &inner[end + 3..]));
        }
        from = at + 1;
    }
    None
}

fn feedback(sheet: &mut Sheet, graded: &Graded, look: &Look, width: u16) {
    sheet.lines.push(Line::default());
    let (sign, word, meaning) = if graded.correct {
        (look.right(), "Right.", Meaning::Right)
    } else {
        (look.wrong(), "Not so.", Meaning::Wrong)
    };
    sheet.lines.push(Line::from(vec![sign, look.span(meaning, format!(" {word}"))]));
    for text in [graded.why.as_deref(), Some(graded.because.as_str())].into_iter().flatten() {
        let lines = markdown::render(text, width.saturating_sub(2), look);
        sheet.lines.extend(hang(lines, &Span::raw("  "), &Span::raw("  ")));
    }
    sheet.keep = Some(sheet.lines.len());
}

fn review(quiz: &Quiz, look: &Look, width: u16) -> Sheet {
    let mut sheet = Sheet::default();
    let attempt = &quiz.attempt;
    let open = attempt.unanswered().len();
    let first = first_row(quiz.cursor, attempt.questions.len(), 64);
    for (at, question) in attempt.questions.iter().enumerate().skip(first) {
        sheet.choices.push((sheet.lines.len(), at));
        let selected = at == quiz.cursor;
        let answered = attempt.answer_to(question).is_some();
        let state = if answered {
            look.span(Meaning::Text, look.sign("● answered", "* answered").to_owned())
        } else {
            look.span(Meaning::Warning, look.sign("○ open    ", ". open    ").to_owned())
        };
        let flag = if attempt.flagged.contains(&question.slot) { "marked  " } else { "        " };
        let ask = markdown::opening(&question.ask, look);
        let ask = crate::tui::look::truncate(&ask, usize::from(width).saturating_sub(28), look.ascii);
        let mut line = Line::from(vec![
            look.cursor(selected),
            look.span(Meaning::Key, format!("{}  ", at + 1)),
            state,
            look.span(Meaning::Warning, format!("  {flag}")),
            look.span(Meaning::Text, ask),
        ]);
        if selected {
            line = line.style(look.style(Meaning::Selected));
            sheet.keep = Some(sheet.lines.len());
        }
        sheet.lines.push(line);
    }
    sheet.lines.push(Line::default());
    let (text, meaning) = match (open, quiz.warned) {
        (0, _) => ("Every question is answered. S hands the attempt in.".to_owned(), Meaning::Text),
        (_, true) => {
            (format!("{open} still open; open questions count as wrong. S once more hands it in."), Meaning::Warning)
        }
        (_, false) => (format!("{open} still open. Enter goes to the question under the cursor."), Meaning::Text),
    };
    sheet.lines.extend(wrap_text(&text, look.style(meaning), width));
    sheet
}

fn bloom_name(bloom: Bloom) -> &'static str {
    match bloom {
        Bloom::Remember => "remember",
        Bloom::Understand => "understand",
        Bloom::Apply => "apply",
        Bloom::Analyse => "analyse",
        Bloom::Evaluate => "evaluate",
    }
}
