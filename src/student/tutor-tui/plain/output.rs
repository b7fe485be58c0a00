//! Describes the screen in lines of text.

use super::typed::{explained, offers};
use crate::app::{OverlayKind, unsaved_question};
use crate::prelude::*;
use crate::screens::{gate, glossary, pages, palette, search};
use ratatui::style::Style;
use tutor_support::words::speaking;

/// Maximum width of a line in cells.
const WIDTH: u16 = 78;

/// Remembers the last output, so that only new lines are printed.
#[derive(Debug, Default)]
pub struct Reader {
    place: String,
    lines: Vec<String>,
    message: Option<String>,
}

impl Reader {
    /// Returns the lines to print now.
    ///
    /// A new location is printed in full, otherwise only what is new. A new message and the actions that can be typed follow.
    pub fn new_lines(&mut self, model: &Model) -> Vec<String> {
        speaking(model.words, || {
            let (place, lines) = (place(model), lines(model));
            let mut output = if place == self.place { changed(&lines, &self.lines) } else { lines.clone() };
            (self.place, self.lines) = (place, lines);
            let message = model.message.as_ref().map(|message| message.text.clone());
            if message != self.message {
                output.extend(message.iter().map(|text| format!("* {text}")));
                self.message = message;
            }
            if !output.is_empty() {
                output.extend(wrapped(&format!("({})", offers(model))));
            }
            // A screen reader has no word for this sign.
            output.iter().map(|line| line.replace('⏎', "Enter")).collect()
        })
    }
}

/// Returns the new paragraphs. In a picture or code (below a line that begins with `--`), it returns the new lines.
fn changed(lines: &[String], before: &[String]) -> Vec<String> {
    let mut left: Vec<Vec<&String>> = parts(before);
    let mut changed = Vec::new();
    for part in parts(lines) {
        match left.iter().position(|old| *old == part) {
            Some(at) => drop(left.remove(at)),
            None => changed.extend(part.into_iter().cloned()),
        }
    }
    changed
}

/// Splits lines into the parts that are printed as a whole. In code, the notes below a line belong to it.
fn parts(lines: &[String]) -> Vec<Vec<&String>> {
    let (mut parts, mut drawn) = (vec![Vec::new()], false);
    for line in lines {
        drawn |= line.starts_with("-- ");
        let note = ["◂ ", "< "].iter().any(|sign| line.trim_start().starts_with(sign));
        if drawn && !note || line.is_empty() {
            parts.push(Vec::new());
        }
        if let Some(last) = parts.last_mut().filter(|_| !line.is_empty()) {
            last.push(line);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Wraps a sentence into lines of at most [`WIDTH`] cells.
fn wrapped(text: &str) -> impl Iterator<Item = String> {
    unstyled(wrap_text(text, Style::new(), WIDTH))
}

/// Identifies the current screen and overlay. When it changes, the whole screen is printed.
fn place(model: &Model) -> String {
    let screen = model.screen().map(|screen| (std::mem::discriminant(screen), screen.location()));
    format!("{screen:?} {:?}", model.overlay())
}

/// Describes the topmost overlay or screen in lines of at most 78 cells.
pub fn lines(model: &Model) -> Vec<String> {
    let context = model.context();
    if let Some(kind) = model.overlay() {
        return over(model, kind, &context);
    }
    let mut lines = model.screen().map(|screen| screen.text_lines(WIDTH, &context)).unwrap_or_default();
    lines.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
    lines
}

/// Returns a blank line and a title.
pub(crate) fn heading(title: &str) -> Vec<String> {
    vec![String::new(), format!("== {title}")]
}

/// Removes the styles of lines.
pub(crate) fn unstyled(lines: impl IntoIterator<Item = Line<'static>>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| line.to_string().trim_end().to_owned())
}

/// Returns the rows of the topmost overlay.
pub(super) fn overlay_rows(model: &Model) -> Vec<String> {
    let (context, Some(overlay)) = (model.context(), model.overlays.last()) else { return Vec::new() };
    let typed = overlay.field.text();
    match overlay.kind {
        OverlayKind::Palette => {
            let works = palette::matching(typed, &model.actions()).into_iter().filter(|(_, works)| *works);
            works.map(|(entry, _)| entry.about()).collect()
        }
        OverlayKind::Pages { level } => unstyled(pages::rows(level, usize::MAX, WIDTH - 4, &context)).collect(),
        OverlayKind::Search => {
            let found = search::search(context.data, typed);
            unstyled(found.iter().map(|found| search::row(found, false, WIDTH - 4, &context))).collect()
        }
        OverlayKind::Help => explained(model).into_iter().flat_map(|line| wrapped(&line).collect::<Vec<_>>()).collect(),
        OverlayKind::Problems => {
            let line = |problem: &tutor_course::Problem| match &problem.help {
                Some(help) => format!("{problem} {help}"),
                None => problem.to_string(),
            };
            context.data.problems.iter().map(line).collect()
        }
        OverlayKind::Leaving => vec![t!("app-leaving")],
        OverlayKind::Unsaved => wrapped(&unsaved_question(model)).collect(),
        OverlayKind::Gate { level } => unstyled(gate::rows(level, WIDTH, &context)).collect(),
        OverlayKind::Glossary => {
            let found = glossary::matching(model, typed);
            found.iter().map(|entry| format!("{}: {}", entry.term.term, entry.term.means)).collect()
        }
    }
}

fn over(model: &Model, kind: OverlayKind, context: &Context) -> Vec<String> {
    let rows = overlay_rows(model);
    let (title, numbered) = match kind {
        OverlayKind::Help => (t!("plain-help"), false),
        OverlayKind::Gate { .. } => (t!("plain-gate"), false),
        OverlayKind::Palette => (t!("plain-palette"), true),
        OverlayKind::Glossary => (t!("plain-glossary"), false),
        OverlayKind::Pages { .. } => (t!("plain-list"), true),
        OverlayKind::Search => (t!("plain-search"), true),
        OverlayKind::Problems => (t!("problems-title"), true),
        OverlayKind::Leaving | OverlayKind::Unsaved => (t!("app-leaving-title"), false),
    };
    let mut lines = heading(&title);
    if kind == OverlayKind::Search && rows.is_empty() {
        lines.extend(model.overlays.last().map(|overlay| search::nothing(context.data, overlay.field.text())));
    }
    let row = |(at, row): (usize, String)| if numbered { format!("{at:>3} {}", row.trim_start()) } else { row };
    lines.extend((1..).zip(rows).map(row));
    if let OverlayKind::Pages { level } = kind {
        lines.extend(unstyled(pages::by_objective(level, WIDTH - 4, context)));
    }
    lines
}
