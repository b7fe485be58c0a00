//! Lays out the code of an exercise with the choices, marks at changed lines, notes about findings, and the cursor.

use super::draft::{Draft, Stage, filled, solution, source_of};
use super::report::Part;
use super::{ExerciseScreen, Shows, changes, todo};
use crate::prelude::*;
use ptx_emulator::AccessKind;
use similar::ChangeTag;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use tutor_exercises::{Exercise, Language, Work};
use tutor_kernels::Source;
use ui_kit::code::{HighlightRequest, Language as Coloured};
use ui_kit::code_pane::rows::{self, AnnotatedSource};

/// Minimum rows above the most important row, in a high area.
const ABOVE: usize = 3;

pub(super) struct Listing {
    pub(super) lines: Vec<Line<'static>>,
    /// For each row, the number of the line that begins there.
    pub(super) numbers: Vec<Option<u32>>,
    /// The most important row.
    focus: Option<usize>,
    pub(super) title: String,
}

impl Listing {
    /// Returns the first visible row in an area of `height` rows, so that the most important row is visible.
    pub(super) fn begin(&self, height: usize) -> usize {
        self.focus.map_or(0, |row| row.saturating_sub(if height > 3 * ABOVE { height / 3 } else { 1 }))
    }
}

/// A source with its title, marks and notes.
struct Shown {
    text: String,
    title: String,
    /// Lines marked with a bar.
    marked: Vec<u32>,
    /// The lines under the cursor.
    cursor: Vec<u32>,
    notes: Vec<(u32, String)>,
}

impl ExerciseScreen {
    fn shown(&self, exercise: &Exercise) -> Shown {
        let unmarked = |text: String, title: String| Shown {
            text,
            title,
            marked: Vec::new(),
            cursor: Vec::new(),
            notes: Vec::new(),
        };
        let name = exercise.file_name();
        if self.shows == Shows::Solution {
            let text = solution(exercise);
            let marked = match &exercise.work {
                Work::Repair(repair) => changes::new_lines(repair.broken.text(), &text),
                Work::Fill(_) => Vec::new(),
                Work::Write(write) => changes::new_lines(&write.starter, &text),
            };
            return Shown { marked, ..unmarked(text, t!("workshop-code-solution", file = name)) };
        }
        match (&self.draft, &exercise.work) {
            (Draft::Cure { stage: Stage::Judged, .. }, Work::Repair(repair)) => {
                let cured = self.judgement().and_then(|judgement| source_of(exercise, &judgement.answer));
                let text = cured.unwrap_or_else(|| repair.broken.text().to_owned());
                let marked = changes::new_lines(repair.broken.text(), &text);
                Shown { marked, notes: self.notes(), ..unmarked(text, t!("workshop-code-cured", file = name)) }
            }
            (Draft::Cure { line, .. }, Work::Repair(repair)) => {
                // The findings about a cure refer to other lines.
                let notes = if self.result.is_none() { self.notes() } else { Vec::new() };
                let text = repair.broken.text().to_owned();
                let cursor = line.iter().copied().collect();
                Shown { cursor, notes, ..unmarked(text, t!("workshop-code-broken", file = name)) }
            }
            (Draft::Fillings { hole, fillings }, Work::Fill(fill)) => {
                let (text, lines) = filled(exercise, fill, fillings);
                let cursor = lines.get(*hole).cloned().unwrap_or_default();
                let notes = if self.is_judged(exercise) { self.notes() } else { Vec::new() };
                Shown {
                    marked: lines.concat(),
                    cursor,
                    notes,
                    ..unmarked(text, t!("workshop-code-holes", file = name))
                }
            }
            (Draft::Own { text: Some(text), file }, _) => {
                let file = file.as_ref().map_or(name, |file| file.display().to_string());
                let notes = if self.is_judged(exercise) { self.notes() } else { Vec::new() };
                Shown { notes, ..unmarked(text.clone(), tutor_support::text::line(&file).into_owned()) }
            }
            (_, Work::Write(write)) => unmarked(write.starter.clone(), t!("workshop-code-starter", file = name)),
            _ => unmarked(exercise.kernel.source.text().to_owned(), name),
        }
    }

    /// Returns the notes about the last finding, with their lines.
    fn notes(&self) -> Vec<(u32, String)> {
        let Some(finding) = self.finding() else { return Vec::new() };
        if let Some(hazard) = &finding.hazard {
            let note = |access: &ptx_emulator::HazardAccess| {
                let [x, y, z] = access.thread;
                let thread = if z > 0 { format!("({x}, {y}, {z})") } else { format!("({x}, {y})") };
                let note = match access.access {
                    AccessKind::Read => t!("workshop-note-reads", thread),
                    AccessKind::Write => t!("workshop-note-writes", thread),
                };
                (access.place.known_line(), note)
            };
            return vec![note(&hazard.first), note(&hazard.second)];
        }
        finding.place.iter().map(|(_, line)| (*line, t!("workshop-note-here"))).collect()
    }

    pub(super) fn uncoloured(&self, context: &Context) -> Vec<HighlightRequest> {
        let Some(exercise) = self.exercise(context).filter(|_| !self.shows_changes()) else { return Vec::new() };
        let shown = self.shown(exercise);
        let language = match exercise.language {
            Language::Cuda => Coloured::Cuda,
            Language::Ptx => Coloured::Ptx,
        };
        vec![HighlightRequest { file: colours(exercise, &shown.text), language, source: Arc::from(shown.text) }]
    }
}

/// Returns the key for the colours of a text. A changed text has another key.
fn colours(exercise: &Exercise, text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{}/{:x}", exercise.id, hasher.finish())
}

/// Lays out the code.
///
/// If `pointer` is true, highlights the line under the cursor.
pub(super) fn of(
    screen: &ExerciseScreen,
    exercise: &Exercise,
    width: u16,
    pointer: bool,
    context: &Context,
) -> Listing {
    let look = &context.look;
    if screen.shows_changes() {
        return compared(screen, exercise, width, look);
    }
    let shown = screen.shown(exercise);
    let file = colours(exercise, &shown.text);
    // Lines that mark regions are hidden, except in the student's own file.
    let own = matches!(screen.draft, Draft::Own { .. });
    let source = Source::read(shown.text.as_str()).0;
    let lines: Vec<(u32, &str)> =
        if own { (1..).zip(shown.text.lines()).collect() } else { source.lines(None).collect() };
    let mut listing = Listing { lines: Vec::new(), numbers: Vec::new(), focus: None, title: shown.title };
    let (mut focus, mut before) = ([None; 3], 0);
    for (number, text) in lines {
        let mine: Vec<(usize, &str)> =
            shown.notes.iter().filter(|(line, _)| *line == number).map(|(_, note)| (0, note.as_str())).collect();
        let marked = shown.marked.contains(&number);
        let about = |_: u32| true;
        let code = AnnotatedSource {
            file: &file,
            lines: &[(number, text)],
            before: std::mem::replace(&mut before, number),
            notes: &mine,
            about: marked.then_some(&about as &dyn Fn(u32) -> bool),
        };
        let under = pointer && shown.cursor.contains(&number);
        let row = listing.lines.len();
        // While the report shows the verdict, a line with a finding is more important than the cursor.
        let verdict = screen.follow.get() == Some(Part::Verdict);
        let [first, second] = if verdict { [!mine.is_empty(), under] } else { [under, !mine.is_empty()] };
        for (found, slot) in [first, second, marked].into_iter().zip(&mut focus) {
            if found {
                slot.get_or_insert(row);
            }
        }
        for (at, line) in rows::source(&code, width, look).lines.into_iter().enumerate() {
            listing.numbers.push((at == 0).then_some(number));
            listing.lines.push(if under { pointed(line, at == 0, width, look) } else { line });
        }
    }
    let todo = |(row, number): (usize, &Option<u32>)| (*number == Some(todo(&shown.text))).then_some(row);
    let todo = own.then(|| listing.numbers.iter().enumerate().find_map(todo)).flatten();
    listing.focus = focus.into_iter().flatten().next().or(todo);
    listing
}

/// Highlights a row under the cursor.
fn pointed(mut line: Line<'static>, first: bool, width: u16, look: &Look) -> Line<'static> {
    if let Some(span) = line.spans.first_mut()
        && first
        && let Some(rest) = span.content.strip_prefix([' ', '⋮', ':'])
    {
        span.content = format!("{}{rest}", look.sign("▸", ">")).into();
    }
    look.selected(line, width)
}

fn compared(screen: &ExerciseScreen, exercise: &Exercise, width: u16, look: &Look) -> Listing {
    let (before, after) = screen.changes(exercise).unwrap_or_default();
    let mut listing =
        Listing { lines: Vec::new(), numbers: Vec::new(), focus: None, title: t!("workshop-code-changes") };
    for line in changes::compared(&before, &after) {
        if line.number == 0 {
            listing.lines.push(Line::from(look.span(Meaning::Muted, look.sign("     ⋮", "     :").to_owned())));
            continue;
        }
        let (sign, meaning) = match line.tag {
            ChangeTag::Delete => ("-", Meaning::Wrong),
            ChangeTag::Insert => ("+", Meaning::Right),
            ChangeTag::Equal => (" ", Meaning::Code),
        };
        let gutter = look.span(Meaning::CodeLineNumber, format!("{:>4} ", line.number));
        let room = width.saturating_sub(7);
        let text = line.text.replace('\t', "    ");
        let wrapped = ui_kit::wrap::wrap_code(&[ui_kit::wrap::Run::new(text, look.style(meaning))], room.into());
        let wrapped = if wrapped.is_empty() { vec![Line::default()] } else { wrapped };
        for (at, mut row) in wrapped.into_iter().enumerate() {
            let before = if at == 0 { gutter.clone() } else { Span::raw("     ") };
            row.spans.splice(0..0, [before, look.span(meaning, format!("{sign} "))]);
            listing.lines.push(row);
        }
    }
    listing.numbers = vec![None; listing.lines.len()];
    listing
}
