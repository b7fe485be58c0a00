//! `--reports`: a page for each student, as Markdown and as HTML, that an instructor can send back.

use crate::files::read_handed_in;
use crate::marks;
use crate::record::Record;
use crate::submissions::{MAX_SUBMISSION_BYTES, Submission};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::PathBuf;
use tutor_exercises::{Exercise, Points, goal_name};
use tutor_support::xml::{element, escaped};
use tutor_support::{t, text};

pub struct Reports<'a> {
    folder: PathBuf,
    exercise: &'a Exercise,
    points: Points,
    seed: u64,
    /// The file name of each submission's report, without its extension.
    names: Vec<String>,
}

impl<'a> Reports<'a> {
    pub fn create(
        folder: PathBuf,
        exercise: &'a Exercise,
        points: Points,
        seed: u64,
        submissions: &[Submission],
    ) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        let students: Vec<&str> = submissions.iter().map(|one| one.student.as_str()).collect();
        Ok(Self { folder, exercise, points, seed, names: file_names(&students) })
    }

    /// Writes the report of submission number `at`.
    pub fn write(&self, at: usize, submission: &Submission, record: &Record) -> io::Result<()> {
        let Some(name) = self.names.get(at) else { return Ok(()) };
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
            let text = read_handed_in(&submission.path, MAX_SUBMISSION_BYTES).ok()?;
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

/// Returns a different file name for each submission, given the students' names. A student's first submission has the
/// student's name, so that no other submission gets it. Names that differ only in case count as the same.
fn file_names(students: &[&str]) -> Vec<String> {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name = |student: &str| {
        let name: String = student.chars().take(80).map(plain).collect();
        if name.trim_matches('.').is_empty() { "_".to_owned() } else { name }
    };
    let mut names: Vec<Option<String>> = Vec::new();
    let (mut used, mut seen) = (BTreeSet::new(), BTreeSet::new());
    for student in students {
        let first = Some(name(student)).filter(|name| seen.insert(*student) && used.insert(name.to_lowercase()));
        names.push(first);
    }
    let numbered = |(student, first): (&&str, Option<String>)| {
        let mut others = (2..).map(|number: u32| format!("{}-{number}", name(student)));
        first.or_else(|| others.find(|name| used.insert(name.to_lowercase()))).unwrap_or_default()
    };
    students.iter().zip(names).map(numbered).collect()
}

struct Page {
    title: String,
    facts: Vec<String>,
    goals: Vec<[String; 3]>,
    /// What the judge found, its line, and advice.
    found: Vec<String>,
    /// How to repeat the judgement; empty if there was none.
    again: String,
}

/// Returns text of one line in which Markdown finds nothing to format.
pub fn literal(text: &str) -> String {
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
    const STYLE: &str = "body{font-family:sans-serif;max-width:50em;margin:2em auto}pre{white-space:pre-wrap}\
                         td,th{padding:.2em 1em;text-align:left}";
    let of = |name: &str, text: &str| element(name, &[], &escaped(text));
    let row = |name: &str, cells: [&str; 3]| element("tr", &[], &cells.map(|cell| of(name, cell)).concat()) + "\n";
    let facts: String = page.facts.iter().map(|fact| of("li", fact)).collect();
    let head = row("th", [&t!("grade-report-goal"), "", &t!("grade-report-points")]);
    let goals: String = page.goals.iter().map(|cells| row("td", cells.each_ref().map(String::as_str))).collect();
    let found: Vec<String> = page.found.iter().map(|found| of("pre", found)).collect();
    let parts = [
        of("h1", &page.title),
        element("ul", &[], &facts),
        element("table", &[], &(head + &goals)),
        found.join("\n"),
        of("p", &page.again),
    ];
    let head = element("meta", &[("charset", "utf-8")], "") + &of("title", &page.title) + &element("style", &[], STYLE);
    let page = element("head", &[], &head) + "\n" + &element("body", &[], &parts.join("\n"));
    format!("<!DOCTYPE html>\n{}\n", element("html", &[], &page))
}

#[cfg(test)]
mod tests {
    use super::{file_names, literal};

    #[test]
    fn no_report_has_the_name_of_another_student() {
        let names = |students: &[&str]| file_names(students);
        assert_eq!(names(&["kim", "kim", "kim-2"]), ["kim", "kim-3", "kim-2"]);
        assert_eq!(names(&["kim-2", "kim", "kim"]), ["kim-2", "kim", "kim-3"]);
        assert_eq!(names(&["a/b", "a_b", "A_B", "..", ""]), ["a_b", "a_b-2", "A_B-3", "_", "_-2"]);
    }

    #[test]
    fn a_name_formats_nothing() {
        assert_eq!(literal("![a](http://x)<b>|snake_case _x_"), "!\\[a\\](http://x)\\<b>\\|snake_case \\_x\\_");
    }
}
