//! `--reports`: a page for each student, as Markdown and as HTML, that an instructor can send back.

use super::marks;
use super::record::Record;
use super::students::Submission;
use crate::support::escaped;
use crate::support::read_handed_in;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::PathBuf;
use tutor_exercises::{Exercise, Points, goal_name};
use tutor_support::t;
use tutor_support::text;

/// The folder of reports.
pub(super) struct Reports<'a> {
    folder: PathBuf,
    exercise: &'a Exercise,
    points: Points,
    seed: u64,
    /// Number of reports with each file name.
    written: BTreeMap<String, usize>,
}

impl<'a> Reports<'a> {
    /// Creates the folder.
    pub(super) fn create(folder: PathBuf, exercise: &'a Exercise, points: Points, seed: u64) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        Ok(Self { folder, exercise, points, seed, written: BTreeMap::new() })
    }

    /// Writes the report of a submission. Several submissions of a student get several reports.
    pub(super) fn write(&mut self, submission: &Submission, record: &Record) -> io::Result<()> {
        let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let name: String = submission.student.chars().take(80).map(plain).collect();
        let name = if name.trim_matches('.').is_empty() { "_".to_owned() } else { name };
        let number = self.written.entry(name.to_lowercase()).or_default();
        *number += 1;
        let name = if *number > 1 { format!("{name}-{number}") } else { name };
        let page = self.page(submission, record);
        fs::write(self.folder.join(format!("{name}.md")), markdown(&page))?;
        fs::write(self.folder.join(format!("{name}.html")), html(&page))
    }

    fn page(&self, submission: &Submission, record: &Record) -> Page {
        let (score, of) = marks::score(self.points, record);
        let goals = record.goals.iter().map(|(goal, met)| {
            let most = marks::of(self.points, *goal);
            let points = if *met { most } else { 0 };
            // The judge stops at the first goal that is not met.
            let state = match met {
                true => t!("grade-met"),
                false if record.failed.as_deref() == Some(goal.name()) => t!("grade-unmet"),
                false => t!("grade-unjudged"),
            };
            [goal_name(*goal), state, format!("{points}/{most}")]
        });
        let file = submission.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let source = record.line.and_then(|line| {
            let text = read_handed_in(&submission.path, super::MAX_SUBMISSION_BYTES).ok()?;
            let source = text.lines().nth(line.checked_sub(1)? as usize)?;
            Some(format!("{line}: {}", source.trim()))
        });
        let found = [record.message.clone(), source, record.help.clone()].into_iter().flatten().collect();
        let judged = !matches!(record.failed.as_deref(), Some("missing" | "refused" | "untouched"));
        let (exercise, seed) = (self.exercise.id.as_str(), self.seed.to_string());
        let again = t!("grade-report-again", exercise, file = file.as_str(), seed);
        let again = if judged { again } else { String::new() };
        Page {
            title: format!("{}: {}", text::line(&submission.student), self.exercise.title),
            facts: vec![
                format!("{}: {}", t!("grade-report-file"), text::line(&file)),
                format!("{}: {}", t!("grade-report-verdict"), verdict(record)),
                format!("{}: {score}/{of}", t!("grade-report-points")),
            ],
            goals: goals.collect(),
            found,
            again,
        }
    }
}

/// Returns the verdict in a word. What the judge found follows below.
fn verdict(record: &Record) -> String {
    record.failed.clone().unwrap_or_else(|| t!("exercise-passed"))
}

struct Page {
    title: String,
    facts: Vec<String>,
    /// Goal, state and points.
    goals: Vec<[String; 3]>,
    /// What the judge found, its line, and advice.
    found: Vec<String>,
    /// How to repeat the judgement; empty if there was none.
    again: String,
}

/// Returns text of one line in which Markdown finds nothing to format.
fn literal(text: &str) -> String {
    let mut out = String::new();
    for (at, c) in text.char_indices() {
        let before = text[..at].chars().next_back().unwrap_or(' ');
        let after = text[at + c.len_utf8()..].chars().next().unwrap_or(' ');
        let formats = match c {
            // Inside a word, it is not a mark.
            '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
            '#' => before == ' ',
            _ => "\\`*[]<|~&".contains(c),
        };
        out.extend(formats.then_some('\\'));
        out.push(c);
    }
    out
}

fn markdown(page: &Page) -> String {
    let mut out = format!("# {}\n\n", literal(&page.title));
    for fact in &page.facts {
        let _ = writeln!(out, "- {}", literal(fact));
    }
    let head = [t!("grade-report-goal"), String::new(), t!("grade-report-points")];
    let _ = writeln!(out, "\n| {} |\n|---|---|---|", head.join(" | "));
    for row in &page.goals {
        let _ = writeln!(out, "| {} |", row.each_ref().map(|cell| literal(cell)).join(" | "));
    }
    for found in &page.found {
        // Indented lines are shown as they are.
        let lines: Vec<String> = found.lines().map(|line| format!("    {line}")).collect();
        let _ = writeln!(out, "\n{}", lines.join("\n"));
    }
    let _ = writeln!(out, "\n{}", literal(&page.again));
    out
}

fn html(page: &Page) -> String {
    let title = escaped(&page.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>{title}</title>\n<style>body{{font-family:sans-serif;\
         max-width:50em;margin:2em auto}}pre{{white-space:pre-wrap}}td,th{{padding:.2em 1em;text-align:left}}</style></head>\n\
         <body>\n<h1>{title}</h1>\n<ul>\n"
    );
    for fact in &page.facts {
        let _ = writeln!(out, "<li>{}</li>", escaped(fact));
    }
    let (goal, points) = (escaped(&t!("grade-report-goal")), escaped(&t!("grade-report-points")));
    let _ = writeln!(out, "</ul>\n<table>\n<tr><th>{goal}</th><th></th><th>{points}</th></tr>");
    for [goal, state, points] in &page.goals {
        let _ = writeln!(out, "<tr><td>{}</td><td>{}</td><td>{points}</td></tr>", escaped(goal), escaped(state));
    }
    out.push_str("</table>\n");
    for found in &page.found {
        let _ = writeln!(out, "<pre>{}</pre>", escaped(found));
    }
    let _ = writeln!(out, "<p>{}</p>\n</body></html>", escaped(&page.again));
    out
}
