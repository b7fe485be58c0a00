//! Prints results as tables and documents.

use super::ResultsFormat;
use crate::output;
use crate::support::excel::ExcelOption;
use class_grading::{GradebookRow, gradebook, gradebook_csv, literal};
use serde::Serialize;
use std::collections::BTreeMap;
use tutor_course::Course;
use tutor_progress::{Flag, HandedIn, ItemAnalysis, TypedAnswer, analyse};
use tutor_support::figures::percentage;
use tutor_support::t;

/// Prints the results. `remarks` has one list for each student. `exam` is true for an exam's.
pub(super) fn print(
    course: &Course,
    class: &[HandedIn],
    remarks: &[Vec<String>],
    (format, excel): (ResultsFormat, ExcelOption),
    exam: bool,
) -> anyhow::Result<()> {
    match format {
        ResultsFormat::Markdown => markdown(course, class, remarks, exam)?,
        ResultsFormat::Json => output::json(&ResultsDocument {
            course: &course.id,
            students: class.len(),
            gradebook: gradebook(course, class, remarks),
            questions: analyse(class),
        })?,
        ResultsFormat::Csv => {
            excel.begin()?;
            output::line(gradebook_csv(course, &gradebook(course, class, remarks)))?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct ResultsDocument<'a> {
    course: &'a str,
    students: usize,
    gradebook: Vec<GradebookRow<'a>>,
    questions: Vec<ItemAnalysis>,
}

fn markdown(course: &Course, class: &[HandedIn], remarks: &[Vec<String>], exam: bool) -> anyhow::Result<()> {
    let rows = gradebook(course, class, remarks);
    output::line(format_args!("# {}\n", t!("results-title", course = course.title, students = class.len())))?;
    let heads: Vec<String> = (1..=course.levels.len()).map(|level| t!("results-level", level)).collect();
    output::line(format_args!(
        "| {} | {} | {} | {} | {} |",
        t!("results-student"),
        heads.join(" | "),
        t!("results-exercises"),
        t!("results-pages"),
        t!("results-remarks")
    ))?;
    output::line(format_args!("|---|{}", "---|".repeat(heads.len() + 3)))?;
    for row in &rows {
        let cells: Vec<String> = row
            .levels
            .iter()
            .map(|level| match (level.best, level.first_pass) {
                (None, _) => "·".to_owned(),
                (Some([right, of]), pass) => {
                    let passed = if pass.is_some() { "**" } else { "" };
                    let attempts = if exam { String::new() } else { format!(" ({})", level.attempts) };
                    format!("{passed}{right}/{of}{passed}{attempts}")
                }
            })
            .collect();
        let [passed, _, begun] = row.exercises;
        // A remark is Markdown of this program, and a name may be anything.
        let (student, remarks) =
            (literal(&one_line(row.student)), one_line(&row.remarks.join(" ")).replace('|', "\\|"));
        let (cells, pages) = (cells.join(" | "), row.pages);
        output::line(format_args!("| {student} | {cells} | {passed}/{begun} | {pages} | {remarks} |"))?;
    }
    let [legend, questions] = match exam {
        true => [t!("seal-legend"), t!("seal-questions")],
        false => [t!("results-legend"), t!("results-questions")],
    };
    output::line(format_args!("\n{legend}\n\n## {questions}\n"))?;
    output::line(format_args!("| {} |", t!("results-heads")))?;
    output::line("|---|---:|---:|---|---:|---:|---:|---|")?;
    let questions = analyse(class);
    for question in &questions {
        let ItemAnalysis {
            level,
            slot,
            variant,
            n,
            facility,
            interval: [low, high],
            item_rest,
            discrimination,
            median_seconds,
            ..
        } = question;
        let share = |share: &f64| percentage(*share, 0);
        let signed = |number: &Option<f64>| number.map(|number| format!("{number:+.2}")).unwrap_or_default();
        let (rest, index) = (signed(item_rest), signed(discrimination));
        let seconds = median_seconds.map(|seconds| format!("{seconds:.0} s")).unwrap_or_default();
        let flags: Vec<String> = question.flags.iter().map(|flag| describe_flag(*flag)).collect();
        output::line(format_args!(
            "| {level}/{slot}/{variant} | {n} | {} | {}–{} | {rest} | {index} | {seconds} | {} |",
            share(facility),
            share(low),
            share(high),
            flags.join(", ")
        ))?;
    }
    distractors(&questions)?;
    let typed: Vec<&ItemAnalysis> = questions.iter().filter(|question| !question.typed.is_empty()).collect();
    if !typed.is_empty() {
        output::line(format_args!("\n## {}\n", t!("results-typed")))?;
    }
    for question in typed {
        output::line(format_args!("- {}/{}/{}:", question.level, question.slot, question.variant))?;
        for TypedAnswer { text, times, correct } in question.typed.iter().take(8) {
            let key = if *correct { format!(" {}", t!("results-key")) } else { String::new() };
            output::line(format_args!("  - {times} × {}{key}", literal(&one_line(text))))?;
        }
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Prints how many students took each choice, and the messages for incorrect answers.
fn distractors(questions: &[ItemAnalysis]) -> anyhow::Result<()> {
    output::line(format_args!("\n## {}\n", t!("results-choices")))?;
    for question in questions.iter().filter(|question| !question.choices.is_empty()) {
        output::line(format_args!("- {}/{}/{}:", question.level, question.slot, question.variant))?;
        for choice in &question.choices {
            let share = |share: f64| format!("{:.0}", share * 100.0);
            let (id, taken) = (choice.id.as_str(), choice.taken);
            let mut sentence = match choice.upper.zip(choice.lower).map(|(upper, lower)| (share(upper), share(lower))) {
                Some((upper, lower)) => t!("results-choice", id, taken, upper, lower),
                None => t!("results-choice-few", id, taken),
            };
            if choice.key {
                sentence = format!("{sentence} {}", t!("results-key"));
            }
            if choice.idle {
                sentence = format!("{sentence} {}", t!("results-idle"));
            }
            output::line(format_args!("  - {sentence}"))?;
        }
    }
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for (why, found) in questions.iter().flat_map(|question| &question.misconceptions) {
        *times.entry(why).or_default() += found;
    }
    let mut all: Vec<(usize, &str)> = times.into_iter().map(|(why, times)| (times, why)).collect();
    all.sort_by_key(|(times, _)| std::cmp::Reverse(*times));
    if !all.is_empty() {
        output::line(format_args!("\n## {}\n", t!("results-misconceptions")))?;
    }
    for (times, why) in all.iter().take(10) {
        output::line(format_args!("- {times} × {}", one_line(why)))?;
    }
    Ok(())
}

fn describe_flag(flag: Flag) -> String {
    match flag {
        Flag::TooHard => t!("results-too-hard"),
        Flag::SameWrongAnswer => t!("results-same-wrong"),
        Flag::PoorDiscrimination => t!("results-poor"),
        Flag::TooEasy => t!("results-too-easy"),
        Flag::NegativeDiscrimination => t!("results-negative"),
        Flag::DistractorBeatsKey => t!("results-beaten"),
    }
}
