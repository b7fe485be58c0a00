//! The student's choices or text so far, and the source that they produce.

use crate::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tutor_exercises::{Answer, Exercise, Fill, Repair, Work};

/// Prefix of the keys of drafts.
const DRAFT: &str = "exercise";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Draft {
    Cure {
        /// The line under the cursor, 1-based.
        line: Option<u32>,
        cure: Option<usize>,
        stage: Stage,
    },
    Fillings {
        /// Index of the current hole.
        hole: usize,
        /// Index of the chosen filling of each hole.
        fillings: Vec<Option<usize>>,
    },
    Own {
        /// Path of the file, once known.
        file: Option<PathBuf>,
        /// Last saved text; `None` if the file does not exist.
        text: Option<String>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The student looks for the faulty line.
    Line,
    Cure,
    /// The screen shows the result.
    Judged,
}

impl Draft {
    /// Returns the initial state, or the state in the draft.
    pub(super) fn new(exercise: &Exercise, drafts: &BTreeMap<String, String>) -> Self {
        let draft = drafts.get(&key(&exercise.id)).map_or("", String::as_str);
        let field = |name: &str| draft.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        match &exercise.work {
            Work::Repair(repair) => Self::Cure {
                line: field("line").and_then(|line| line.parse().ok()),
                cure: field("cure").and_then(|id| repair.cures.iter().position(|cure| cure.id == id)),
                stage: Stage::Line,
            },
            Work::Fill(fill) => {
                let filling = |hole: &tutor_exercises::Hole| {
                    let id = field(&hole.id)?;
                    hole.fillings.iter().position(|(known, ..)| known == id)
                };
                Self::Fillings { hole: 0, fillings: fill.holes.iter().map(filling).collect() }
            }
            Work::Write(_) => Self::Own { file: None, text: None },
        }
    }

    /// Returns the choices as a form with one line per choice, or the text.
    pub(super) fn form(&self, exercise: &Exercise) -> String {
        let mut form = String::new();
        let mut add = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                form += &format!("{name}: {value}\n");
            }
        };
        match (self, &exercise.work) {
            (Self::Cure { line, cure, .. }, Work::Repair(repair)) => {
                add("line", line.map(|line| line.to_string()));
                add("cure", cure.and_then(|at| Some(repair.cures.get(at)?.id.clone())));
            }
            (Self::Fillings { fillings, .. }, Work::Fill(fill)) => {
                for (hole, filling) in fill.holes.iter().zip(fillings) {
                    add(&hole.id, filling.and_then(|at| Some(hole.fillings.get(at)?.0.clone())));
                }
            }
            (Self::Own { text, .. }, _) => form.extend(text.clone()),
            _ => {}
        }
        form
    }

    /// Returns the answer to be judged; `None` while a choice is missing.
    pub(super) fn answer(&self, exercise: &Exercise) -> Option<Answer> {
        match self {
            Self::Own { text, .. } => text.clone().map(Answer::Source),
            Self::Cure { .. } | Self::Fillings { .. } => exercise.answer(&self.form(exercise)).ok(),
        }
    }

    /// Returns the effect that saves the choices as a draft.
    pub(super) fn draft(&self, exercise: &Exercise) -> Option<Effect> {
        let text = match self {
            Self::Own { .. } => return None,
            _ => Some(self.form(exercise)).filter(|form| !form.is_empty()),
        };
        Some(Effect::Store(StoreRequest::Draft { key: key(&exercise.id), text }))
    }

    /// True if nothing is chosen yet.
    pub(super) fn is_empty(&self, exercise: &Exercise) -> bool {
        self.form(exercise).is_empty()
    }
}

fn key(exercise: &str) -> String {
    format!("{DRAFT}:{exercise}")
}

/// Returns the key of the draft that holds the path of the student's folder.
pub(super) fn folder_key(exercise: &str) -> String {
    format!("folder:{exercise}")
}

/// Returns the source that an answer produces.
pub(super) fn source_of(exercise: &Exercise, answer: &Answer) -> Option<String> {
    match (&exercise.work, answer) {
        (_, Answer::Source(text)) => Some(text.clone()),
        (Work::Repair(repair), Answer::Cure { cure, .. }) => cured(repair, cure),
        (_, Answer::Fillings(ids)) => exercise.filled(ids),
        _ => None,
    }
}

fn cured(repair: &Repair, cure: &str) -> Option<String> {
    repair.cures.iter().find(|known| known.id == cure).map(|cure| cure.source.clone())
}

/// Returns the source of the solution.
pub(super) fn solution(exercise: &Exercise) -> String {
    match &exercise.work {
        Work::Repair(repair) => cured(repair, &exercise.solution()).unwrap_or_default(),
        Work::Fill(_) => exercise.kernel.source.text().to_owned(),
        Work::Write(write) => write.solution.clone(),
    }
}

/// Returns the source with the chosen fillings in its holes, and the lines of each hole.
pub(super) fn filled(exercise: &Exercise, fill: &Fill, fillings: &[Option<usize>]) -> (String, Vec<Vec<u32>>) {
    let source = exercise.kernel.source.text();
    let mut places: Vec<(usize, usize)> =
        fill.holes.iter().enumerate().filter_map(|(hole, known)| Some((source.find(&known.find)?, hole))).collect();
    places.sort_unstable();
    let (mut text, mut from, mut lines) = (String::new(), 0, vec![Vec::new(); fill.holes.len()]);
    for (at, number) in places {
        let Some((hole, before)) = fill.holes.get(number).zip(source.get(from..at)) else { continue };
        text.push_str(before);
        let first = text.matches('\n').count() as u32 + 1;
        let chosen = fillings.get(number).copied().flatten().and_then(|filling| hole.fillings.get(filling));
        match chosen {
            Some((_, code, _)) => text.push_str(code),
            None => {
                text.push_str(&format!("/* {} ? */", hole.id));
                text.push_str(if hole.find.ends_with('\n') { "\n" } else { "" });
            }
        }
        lines[number] = (first..=text.trim_end_matches('\n').matches('\n').count() as u32 + 1).collect();
        from = at + hole.find.len();
    }
    text.push_str(source.get(from..).unwrap_or_default());
    (text, lines)
}
