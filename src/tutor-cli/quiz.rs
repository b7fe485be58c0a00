/*! `quiz`: takes a level's quiz.

With `--answers`, the answers come from a file. Otherwise the command continues the attempt in progress or starts one,
and opens the tutor at it. `--show` prints the drawn questions as a form. The filled-in form is a file for `--answers`.
*/

mod export;
mod form;
mod plain_text;

pub(super) use plain_text::PlainText;

use super::review;
use super::student::{Student, attempt_error, store_error};
use super::tutor::{self, Taken};
use crate::prelude::*;
use crate::support::quoted;
use anyhow::anyhow;
use course_export::ExportFormat;
use serde_json::Value;
use tutor_course::{LessonFile, QuizFile};
use tutor_progress::{
    self as mastery, AttemptError, AttemptKind, Begun, LevelProgress, Outcome, Seen, draw, fresh_seed, pool, progress,
};
use ui_kit::theme::Meaning;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The level: its number or id.
    level: String,
    /// Draw the questions with this seed: the same questions for everybody.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Read the answers from this YAML file, which maps slot ids to answers (`-`: standard input).
    #[arg(long, value_name = "FILE", conflicts_with = "show")]
    answers: Option<PathBuf>,
    /// Practise: feedback after each question, and the attempt does not count.
    #[arg(long)]
    practice: bool,
    /// Print the drawn questions with the ids of the choices; store nothing.
    #[arg(long)]
    show: bool,
    /// Write all questions of the level with their keys, and the reasons as feedback; list what the format cannot
    /// express.
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["show", "answers", "restart", "practice", "json"])]
    export: Option<ExportFormat>,
    /// File for the export [default: standard output]; a folder for qti.
    #[arg(long, value_name = "PATH", requires = "export")]
    out: Option<PathBuf>,
    /// Abandon the attempt in progress without counting it, and begin a new one.
    #[arg(long, conflicts_with_all = ["show", "answers"])]
    restart: bool,
    /// Print one JSON document.
    #[arg(long)]
    pub(super) json: bool,
}

impl Args {
    fn kind(&self) -> AttemptKind {
        if self.practice { AttemptKind::Practice } else { AttemptKind::Gate }
    }

    /// True if the student answers in the tutor.
    pub(super) fn opens_tutor(&self) -> bool {
        !self.show && self.answers.is_none() && self.export.is_none()
    }
}

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    if let Some(format) = args.export {
        return export::run(&args.level, format, args.out.as_deref(), globals);
    }
    let mut student = Student::open(globals)?;
    let level = student.level(&args.level)?;
    let lesson = level.lesson.as_ref().ok().cloned();
    let quiz = level.quiz.clone().ok_or_else(|| anyhow!(t!("cli-quiz-none", level = level.id.as_str())))?;
    let quiz = quiz.map_err(|problem| anyhow!(t!("cli-quiz-broken", problem = problem.to_string())))?;
    if args.show {
        show(args, &quiz, &student.outline.exam, globals)?;
        return Ok(Exit::Done);
    }
    student.store.back_up();
    let Taken { outcome, shown } = match &args.answers {
        Some(file) => {
            let answers = form::read(file, &quiz)?;
            let taken = student
                .store
                .take(&student.outline, &quiz, args.kind(), args.seed, &|question| form::answer(&answers, question));
            Taken { outcome: taken.map_err(|error| attempt_error(&error))?, shown: false }
        }
        None => {
            let begun = begin(args, &mut student, &quiz)?;
            match tutor::take(globals, &mut student, begun, args.json)? {
                Some(taken) => taken,
                None => return Ok(Exit::Interrupted),
            }
        }
    };
    student.print_notices();
    if args.json {
        output::json(&document(&student, &outcome, globals)?)?;
    } else if !shown {
        print(&student, lesson.as_ref(), &outcome, &PlainText::new(globals)?)?;
        let due = review::queue(&student, &pool(&student.course))?.due;
        if outcome.gate && outcome.passed && due > 0 {
            output::line(t!("cli-review-offer", due))?;
        }
    }
    Ok(if outcome.gate && !outcome.passed { Exit::Failed } else { Exit::Done })
}

/// Returns the outcome with the questions, the answers, the student, the course and the times.
fn document(student: &Student, outcome: &Outcome, globals: &Globals) -> anyhow::Result<Value> {
    let mut document = serde_json::to_value(outcome)?;
    if outcome.ungraded {
        // An exam knows no marks.
        ["correct", "required", "passed"].iter().for_each(|mark| drop(document[*mark].take()));
        document["items"].as_array_mut().into_iter().flatten().for_each(|item| drop(item["correct"].take()));
    }
    let course = &student.course;
    document["course"] = course.id.as_str().into();
    document["course_version"] = course.version.as_str().into();
    document["student"] = globals.student.as_deref().unwrap_or_default().into();
    let made = student.store.handed_attempt(&course.id, &outcome.attempt).map_err(|error| store_error(&error))?;
    let Some(made) = made else { return Ok(document) };
    document["seed"] = made.seed.into();
    document["started_at"] = made.started_at.into();
    document["submitted_at"] = made.submitted_at.into();
    let items = document.get_mut("items").and_then(Value::as_array_mut);
    for (item, given) in items.into_iter().flatten().zip(made.items) {
        item["choices"] = serde_json::to_value(given.choices)?;
        item["parameters"] = serde_json::to_value(given.parameters)?;
        item["answer"] = given.answer;
        item["seconds"] = given.seconds.into();
    }
    Ok(document)
}

fn show(args: &Args, quiz: &QuizFile, exam: &str, globals: &Globals) -> anyhow::Result<()> {
    // In an exam, the student's name decides the seed, whatever `--seed` says.
    let seed = match (exam, mastery::student()) {
        ("", _) => args.seed.unwrap_or_else(fresh_seed),
        (_, "") => return Err(attempt_error(&AttemptError::Nobody)),
        (exam, student) => mastery::exam_seed(exam, student),
    };
    let questions = draw(quiz, seed, &Seen::default()).map_err(|error| anyhow!("{error} {}", error.help))?;
    if args.json {
        let level = &quiz.level.value;
        output::json(&serde_json::json!({ "level": level, "seed": seed, "questions": questions }))?;
    } else {
        let mut command = vec!["matmul-tutor".to_owned(), "quiz".to_owned(), args.level.clone()];
        if exam.is_empty() {
            command.push(format!("--seed={seed}"));
        }
        command.extend(args.practice.then(|| "--practice".to_owned()));
        // Without these options, the command would ask other questions or keep the answers elsewhere.
        command.extend(globals.course.iter().map(|course| format!("--course={}", course.display())));
        command.extend(globals.data.iter().map(|data| format!("--data={}", data.display())));
        command.extend(globals.student.iter().map(|student| format!("--student={student}")));
        let command: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        output::line(form::blank(&command.join(" "), &questions).trim_end())?;
    }
    Ok(())
}

/// Begins an attempt, or continues the open one.
fn begin(args: &Args, student: &mut Student, quiz: &QuizFile) -> anyhow::Result<Begun> {
    let begin = |student: &mut Student| {
        let begun = student.store.begin(&student.outline, quiz, args.kind(), args.seed);
        begun.map_err(|error| attempt_error(&error))
    };
    let begun = begin(student)?;
    match &begun {
        Begun::Resumed(attempt) if args.restart => {
            student.store.abandon(attempt).map_err(|error| attempt_error(&error))?;
            begin(student)
        }
        Begun::Resumed(attempt) if args.seed.is_some_and(|seed| seed != attempt.seed) => {
            Err(anyhow!(t!("cli-quiz-other-seed", seed = attempt.seed.to_string())))
        }
        Begun::Stale(why) => Err(anyhow!(t!("cli-quiz-closed", why = why.message, help = why.help))),
        Begun::New(_) | Begun::Resumed(_) => Ok(begun),
    }
}

/// True if only an exercise is missing before the next level opens.
fn exercise_left(student: &Student, level: &str) -> anyhow::Result<bool> {
    let record = student.store.record(&student.outline.course).map_err(|error| store_error(&error))?;
    Ok(progress(&student.outline, &record).level(level).is_some_and(LevelProgress::exercise_left))
}

fn print(student: &Student, lesson: Option<&LessonFile>, outcome: &Outcome, plain: &PlainText) -> anyhow::Result<()> {
    if outcome.ungraded {
        output::line(t!("seal-kept", open = 0))?;
        output::line(t!("seal-hand-in"))?;
        return Ok(());
    }
    let Outcome { correct, questions, required, passed, gate, .. } = outcome;
    let verdict = match (gate, passed) {
        (true, true) => t!("cli-quiz-passed"),
        (true, false) => t!("cli-quiz-not-passed"),
        (false, true) => t!("cli-quiz-practice-enough"),
        (false, false) => t!("cli-quiz-practice-short"),
    };
    let score = t!("cli-quiz-score", correct = *correct, questions = *questions, required = *required, verdict);
    let mut out = plain.sentence(&score, if *passed { Meaning::Right } else { Meaning::Wrong });
    for id in &outcome.unlocked {
        let title = student.course.level(id).map_or(id.as_str(), |level| level.title.as_str());
        out += &plain.sentence(&t!("cli-quiz-open-now", title), Meaning::Accent);
    }
    if *gate && *passed && exercise_left(student, &outcome.level)? {
        out += &plain.sentence(&t!("cli-quiz-exercise-left", level = outcome.level.as_str()), Meaning::Accent);
    }
    for (number, item) in (1..).zip(&outcome.items).filter(|(_, item)| !item.correct) {
        let page = lesson.and_then(|lesson| lesson.pages.iter().find(|page| page.id.value == item.page));
        let page = page.map_or(item.page.as_str(), |page| page.title.as_str());
        let why = item.why.as_deref().unwrap_or_default();
        let missed = t!("cli-quiz-missed", why = why.trim_end());
        out += "\n";
        out += &plain.markdown(&missed, &format!("{number}. "), Meaning::Text);
        if let Some(because) = &item.because {
            out += &plain.markdown(because, "   ", Meaning::Text);
        }
        out += &plain.markdown(&t!("cli-quiz-read-again", page), "   ", Meaning::Accent);
    }
    output::painted(&format!("{}\n", out.trim_end()))?;
    Ok(())
}
