//! The list of the course's problems, for its author. Enter opens the file of a problem at its line.

use super::indent;
use crate::prelude::*;
use tutor_course::{Problem, Severity};

/// Returns the rows, and the first row of the problem under the cursor, which is shown in full.
pub fn rows(cursor: usize, width: u16, context: &Context) -> (Vec<Line<'static>>, usize) {
    let look = &context.look;
    let (mut rows, mut at) = (Vec::new(), 0);
    for (index, problem) in context.data.problems.iter().enumerate() {
        let selected = index == cursor;
        let place = place(problem);
        let room = usize::from(width).saturating_sub(4);
        let line = Line::from(vec![
            look.cursor(selected),
            sign(problem, look),
            Span::raw(" "),
            look.span(if selected { Meaning::Strong } else { Meaning::Text }, truncate(&place, room, look.ascii)),
            look.span(
                Meaning::Muted,
                truncate(&format!("  {}", problem.message), room.saturating_sub(place.width()), look.ascii),
            ),
        ]);
        if !selected {
            rows.push(line);
            continue;
        }
        at = rows.len();
        rows.push(look.selected(line, width));
        let inside = |text: &str, meaning| indent(wrap_text(text, look.style(meaning), width.saturating_sub(4)), 4);
        rows.extend(inside(&problem.message, Meaning::Text));
        rows.extend(problem.help.iter().flat_map(|help| inside(help, Meaning::Muted)));
    }
    (rows, at)
}

/// Describes the number of problems, e.g. `✘ 2 errors, 1 warning`, and in a shorter form.
pub fn count(problems: &[Problem], look: &Look) -> [Vec<Span<'static>>; 2] {
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    let (sign, meaning) = if errors > 0 { (look.wrong(), Meaning::Wrong) } else { (look.warning(), Meaning::Warning) };
    let counted = |text: String| vec![sign.clone(), look.span(meaning, format!(" {text}"))];
    let long = t!("problems-count", errors, warnings = problems.len() - errors);
    [counted(long), counted(problems.len().to_string())]
}

/// Opens the file of a problem at its line; `None` for the built-in course.
pub fn open(data: &AppData, index: usize) -> Option<Effect> {
    let problem = data.problems.get(index)?;
    let file = data.root.as_ref()?.join(&problem.file);
    Some(Effect::Edit { file, line: problem.line.max(1), column: problem.column.max(1) })
}

/// Returns the lines that show a page's problems above its text.
pub fn banner(problems: &[String], width: u16, look: &Look) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for text in problems.iter().take(3) {
        let mut wrapped = wrap_text(text, look.style(Meaning::Warning), width.saturating_sub(2)).into_iter();
        lines.extend(wrapped.next().map(|mut line| {
            line.spans.insert(0, look.warning());
            line.spans.insert(1, Span::raw(" "));
            line
        }));
        lines.extend(indent(wrapped.collect(), 2));
    }
    if !lines.is_empty() {
        lines.push(Line::default());
    }
    lines
}

fn sign(problem: &Problem, look: &Look) -> Span<'static> {
    match problem.severity {
        Severity::Error => look.wrong(),
        Severity::Warning => look.warning(),
    }
}

fn place(problem: &Problem) -> String {
    match problem.line {
        0 => problem.file.clone(),
        line => format!("{}:{line}:{}", problem.file, problem.column),
    }
}
