/*! Exports a level's questions to other programs: all variants with their keys, and the reasons as feedback.

A remark names each question that a format cannot express completely. A question with parameters becomes several
questions, each with its own numbers.
*/

use crate::posed::{Posed, posed};
use crate::{gift, moodle, qti};
use tutor_course::Level;

/// Format of exported questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    /// Moodle's text format GIFT.
    Gift,
    /// Moodle XML.
    MoodleXml,
    /// IMS Question and Test Interoperability 2.1: a folder of items with a manifest.
    Qti,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// Names and texts of the files. A format with a single file has an empty name.
    pub files: Vec<(String, String)>,
    pub questions: usize,
    /// What the format cannot express, by question.
    pub remarks: Vec<String>,
}

/// Exports the questions of a level. Returns `None` if the level has no readable quiz.
pub fn export(course: &str, level: &Level, format: ExportFormat) -> Option<Exported> {
    let quiz = level.quiz()?;
    let mut remarks = Vec::new();
    let variants = quiz.slots.iter().flat_map(|slot| slot.variants.iter().map(move |variant| (slot, variant)));
    let questions: Vec<Posed> = variants.flat_map(|(slot, variant)| posed(slot, variant, &mut remarks)).collect();
    let of = (course, level);
    let files = match format {
        ExportFormat::Gift => vec![(String::new(), gift::write(of, &questions, &mut remarks))],
        ExportFormat::MoodleXml => vec![(String::new(), moodle::write(of, &questions, &mut remarks))],
        ExportFormat::Qti => qti::write(of, &questions, &mut remarks),
    };
    Some(Exported { files, questions: questions.len(), remarks })
}

/// Formats a number for programs.
pub(super) fn number(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 { format!("{value:.0}") } else { format!("{value}") }
}
