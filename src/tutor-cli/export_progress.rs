//! `export-progress`: writes the file that a student hands in.

use super::student::{Student, store_error};
use crate::prelude::*;
use tutor_progress::HandedIn;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file, which must not exist yet; `-`: standard output.
    file: PathBuf,
    /// Write the work as readable Markdown: predictions, explanations, attempts, exercises, runs.
    #[arg(long)]
    log: bool,
}

/// Environment variable with the student's name, for when `--student` is missing.
const STUDENT_VARIABLE: &str = "MATMUL_TUTOR_STUDENT";

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let student = Student::open(globals)?;
    let name = globals.student.clone().unwrap_or_default();
    let mut work = student
        .store
        .handed_in(&student.outline, &student.course.version, name.trim())
        .map_err(|error| store_error(&error))?;
    work.exam.clone_from(&student.outline.exam);
    let open = student.store.record(&student.course.id).map_err(|error| store_error(&error))?.under_way;
    if !work.exam.is_empty() && !open.is_empty() {
        output::note(t!("seal-open", levels = open.into_iter().collect::<Vec<_>>().join(", ")));
    }
    let shown = args.file.display().to_string();
    if name.trim().is_empty() {
        output::note(t!("results-nobody", file = shown.as_str(), variable = STUDENT_VARIABLE));
    }
    let text =
        if args.log { work_log(&student, &work)? } else { serde_json::to_string_pretty(&work.document()?)? + "\n" };
    if args.file.as_os_str() == "-" {
        if args.log {
            output::line(text.trim_end())?;
        } else {
            output::json(&work.document()?)?;
        }
        return Ok(Exit::Done);
    }
    if args.file.exists() {
        return Ok(failure(Exit::Usage, t!("results-there", file = shown), Some(&t!("results-there-help"))));
    }
    if let Err(error) = tutor_support::write(&args.file, text) {
        return Ok(failure(Exit::Usage, t!("results-unwritten", file = shown, why = error), None));
    }
    output::line(t!("results-written", file = shown, attempts = work.attempts.len()))?;
    Ok(Exit::Done)
}

/// Returns a student's work as Markdown, level by level.
fn work_log(student: &Student, work: &HandedIn) -> anyhow::Result<String> {
    let course = &student.course;
    let mut out = format!(
        "# {}\n\n{}\n",
        course.title,
        t!("log-by", student = work.student.as_str(), at = work.exported_at.as_str())
    );
    let predictions = student.store.predictions(&course.id).map_err(|error| store_error(&error))?;
    let explanations = student.store.explanations(&course.id).map_err(|error| store_error(&error))?;
    for level in &course.levels {
        out += &format!("\n## {}\n\n", level.title);
        out += &format!(
            "{}\n",
            t!(
                "log-pages",
                read = work.pages.get(&level.id).copied().unwrap_or_default(),
                of = level.regular_pages().count()
            )
        );
        for page in level.pages() {
            let key = (level.id.clone(), page.id.value.clone());
            if let (Some(made), Some(predict)) = (predictions.get(&key), &page.predict) {
                let chosen =
                    made.first.choice.and_then(|at| predict.choices.get(at)).map_or("", |choice| choice.text.trim());
                let sign = if made.first.correct == Some(true) { "✔" } else { "✘" };
                out += &format!("- {}: {}\n  {sign} {chosen}\n", page.title, indented(&predict.ask));
            }
            if let (Some(said), Some(why)) = (explanations.get(&key), &page.why) {
                out += &format!("- {}: {}\n  > {}\n", page.title, indented(&why.ask), indented(&said.text));
            }
        }
        for attempt in work.attempts.iter().filter(|attempt| attempt.level == level.id) {
            let (kind, at, seed) = (attempt.kind.shown(), attempt.submitted_at.as_str(), attempt.seed.to_string());
            let (correct, questions) = (attempt.correct, attempt.questions);
            let sentence = match attempt.is_ungraded() {
                true => t!("log-attempt-kept", kind, at, seed),
                false => t!("log-attempt", kind, at, correct, questions, seed),
            };
            out += &format!("- {sentence}\n");
        }
    }
    let exercises = work.exercises.iter().map(|(id, done)| {
        let state = if done.passed { "✔" } else { "✘" };
        format!("- {state} {id}: {}\n", t!("log-exercise", tries = done.tries, hints = done.hints))
    });
    out += &format!("\n## {}\n\n{}", t!("log-exercises"), exercises.collect::<String>());
    let runs = student.store.runs().map_err(|error| store_error(&error))?;
    out += &format!("\n## {}\n\n", t!("log-runs"));
    for (run, times) in runs {
        let [m, n, k] = run.shape;
        let best = run.median_ms.map(|ms| t!("log-best", ms = format!("{ms:.4}"))).unwrap_or_default();
        let times = t!("log-times", times);
        out += &format!("- {} {m}×{n}×{k}, {}: {times} {best}\n", run.kernel, run.device);
    }
    Ok(out)
}

/// Indents the lines of a text for use in a list.
fn indented(text: &str) -> String {
    text.trim().replace('\n', "\n  ")
}
