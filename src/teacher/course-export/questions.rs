/*! Exports a level's questions to other programs: all variants with their keys, and the reasons as feedback.

A remark names each question that a format cannot express completely. A question with parameters becomes several
questions, each with its own numbers.
*/

use crate::posed::{Key, Posed, posed};
use crate::{gift, moodle, qti};
use tutor_course::{Level, QuizFile, slack};
use tutor_support::t;

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

/// What a format cannot express.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    pub(super) texts: Vec<String>,
    /// Number of questions that are not in the export.
    pub(super) left_out: usize,
}

impl Remarks {
    pub(super) fn about(&mut self, question: &str, text: &str) {
        self.texts.push(format!("{question}: {text}"));
    }

    pub(super) fn leave_out(&mut self, question: &str, text: &str) {
        self.left_out += 1;
        self.about(question, text);
    }
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
    let mut remarks = Remarks::default();
    let questions = questions_of(quiz, &mut remarks);
    let of = (course, level);
    let files = match format {
        ExportFormat::Gift => vec![(String::new(), gift::write(of, &questions, &mut remarks))],
        ExportFormat::MoodleXml => vec![(String::new(), moodle::write(of, &questions, &mut remarks))],
        ExportFormat::Qti => qti::write(of, &questions, &mut remarks),
    };
    Some(Exported { files, questions: questions.len() - remarks.left_out, remarks: remarks.texts })
}

/// Returns the questions that a format can express in some way.
pub(super) fn questions_of(quiz: &QuizFile, remarks: &mut Remarks) -> Vec<Posed> {
    let variants = quiz.slots.iter().flat_map(|slot| slot.variants.iter().map(move |variant| (slot, variant)));
    let all: Vec<Posed> = variants.flat_map(|(slot, variant)| posed(slot, variant, &mut remarks.texts)).collect();
    let finite = |question: &Posed| match question.key {
        Key::Number { value, .. } => value.is_finite(),
        _ => true,
    };
    let (all, infinite): (Vec<Posed>, Vec<Posed>) = all.into_iter().partition(finite);
    infinite.iter().for_each(|question| remarks.about(&question.name, &t!("export-not-finite")));
    all
}

/// Returns the absolute tolerance for a number, as text.
pub(super) fn within(value: f64, tolerance: f64) -> String {
    let exact = value.fract() == 0.0 && tolerance == 0.0;
    number(slack(tolerance, exact) * value.abs())
}

/// Formats a number for programs.
pub(super) fn number(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 { format!("{value:.0}") } else { format!("{value}") }
}
