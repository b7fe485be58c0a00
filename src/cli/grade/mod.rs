/*! `grade`: what a class handed in, judged as `exercise check` judges.

Each submission has a worker process of its own, with limits of time and memory: one that hangs, faults or floods costs only
itself. All are drawn the same inputs and shapes.
*/

mod formats;

use super::exercise::judge::{Stop, judged};
use super::exercise::{found, handed_in, unknown};
use super::session::{Exceeded, Limits, Session};
use super::support::files_in;
use super::support::progress::ProgressLine;
use super::{Exit, Globals, failure, output};
use crate::course::CourseSource;
use crate::exec::judge::{Goal, Verdict};
use crate::exec::protocol::{ExecError, ExecErrorKind, Target};
use crate::kernels::Catalog;
use crate::mastery::fresh_seed;
use crate::t;
use crate::workshop::{self, Exercise, Judgement, goals};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Arguments of `grade`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The exercise.
    exercise: String,
    /// What was handed in: files, or folders with files of the exercise's kind.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How to print it.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Most seconds that a submission may take.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Most MiB of memory that a submission may take (Linux).
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    memory: u64,
    /// Submissions at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    jobs: u32,
    /// Draw the inputs and one shape by this seed [default: anew].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A line a submission.
    #[default]
    Human,
    /// One document.
    Json,
    /// A table with a header.
    Csv,
    /// A test case a submission, as JUnit writes them.
    Junit,
    /// Gradescope's results.json, of one submission.
    Gradescope,
    /// Autolab's last line, of one submission.
    Autolab,
}

/// The end of the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  matmul-tutor grade load-a-tile submissions/ --format csv
  matmul-tutor grade load-a-tile submissions/ --jobs 8 --seconds 30 --format junit > results.xml
  matmul-tutor grade load-a-tile load-a-tile.cu --format gradescope > /autograder/results/results.json";

impl Args {
    pub(super) fn json(&self) -> bool {
        self.format == Format::Json
    }
}

/// What became of a submission.
struct Graded {
    file: String,
    outcome: Outcome,
    seconds: f64,
    /// The most memory that its worker had, in bytes; 0 where the system does not say.
    bytes: u64,
}

enum Outcome {
    Judged(Judgement),
    /// It is no answer, or cannot be read: a sentence.
    Refused(String),
    /// It took more than it may.
    Exceeded(Exceeded),
    /// Not the submission's fault: it cannot be judged here.
    Unjudged(String),
}

/// The goals that give a point each; a star gives none.
const POINTS: [Goal; 5] = [Goal::Compiles, Goal::Runs, Goal::Results, Goal::Hazards, Goal::Counts];

impl Graded {
    fn passed(&self) -> bool {
        matches!(&self.outcome, Outcome::Judged(judgement) if judgement.passed())
    }

    /// Whether each goal is met, in order, and what is wrong at the first that is not.
    fn goals(&self) -> Vec<(Goal, bool)> {
        let met: Vec<Goal> = match &self.outcome {
            Outcome::Judged(judgement) if judgement.line_right == Some(false) => Vec::new(),
            Outcome::Judged(judgement) => goals(&judgement.verdict)
                .into_iter()
                .filter(|(_, met)| *met == Some(true))
                .map(|(goal, _)| goal)
                .collect(),
            _ => Vec::new(),
        };
        POINTS.into_iter().map(|goal| (goal, met.contains(&goal))).collect()
    }

    fn score(&self) -> usize {
        self.goals().iter().filter(|(_, met)| *met).count()
    }

    /// What it fails by: a goal, `line`, `refused`, `time`, `memory` or `unjudged`; nothing if it passed.
    fn failed(&self) -> Option<&'static str> {
        match &self.outcome {
            Outcome::Judged(judgement) => judgement.failed(),
            Outcome::Refused(_) => Some("refused"),
            Outcome::Exceeded(Exceeded::Time) => Some("time"),
            Outcome::Exceeded(Exceeded::Memory) => Some("memory"),
            Outcome::Unjudged(_) => Some("unjudged"),
        }
    }

    /// What is wrong, in a sentence; nothing if it passed.
    fn message(&self) -> Option<String> {
        match &self.outcome {
            Outcome::Judged(judgement) => match &judgement.verdict {
                Verdict::Failed(finding) => Some(finding.message.clone()),
                Verdict::Passed if judgement.line_right == Some(false) => Some(t!("grade-line")),
                Verdict::Passed => None,
            },
            Outcome::Refused(message) | Outcome::Unjudged(message) => Some(message.clone()),
            Outcome::Exceeded(Exceeded::Time) => Some(t!("grade-time")),
            Outcome::Exceeded(Exceeded::Memory) => Some(t!("grade-memory")),
        }
    }
}

/// Judges all submissions.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let source = CourseSource::from_option(globals.course.as_deref());
    let (catalog, _) = Catalog::of_course(globals.course.as_deref());
    let (exercises, problems) = workshop::read(&source, &catalog);
    for problem in &problems {
        output::note(format_args!("{problem}"));
    }
    let Some(exercise) = found(&exercises, &args.exercise) else { return Ok(unknown(&exercises, &args.exercise)) };
    let mut files = Vec::new();
    for path in &args.files {
        if !path.exists() {
            return Ok(failure(Exit::Usage, &t!("grade-no-file", file = path.display().to_string()), None));
        }
        files.extend(files_in(path, &[&extension(exercise)]));
    }
    if files.is_empty() {
        return Ok(failure(Exit::Usage, &t!("grade-none", extension = extension(exercise)), None));
    }
    if matches!(args.format, Format::Gradescope | Format::Autolab) && files.len() != 1 {
        return Ok(failure(Exit::Usage, &t!("grade-one", files = files.len()), Some(&t!("grade-one-help"))));
    }
    let class = Class { source: &source, exercise, args, on: globals.on, seed: args.seed.unwrap_or_else(fresh_seed) };
    let (graded, interrupted) = class.graded(&files);
    formats::print(exercise, class.seed, &graded, args.format)?;
    let unjudged = graded.iter().any(|graded| matches!(graded.outcome, Outcome::Unjudged(_)));
    Ok(match (interrupted, unjudged) {
        (true, _) => Exit::Interrupted,
        (_, true) => Exit::Failed,
        _ => Exit::Done,
    })
}

/// The extension of what is handed in.
fn extension(exercise: &Exercise) -> String {
    let file = workshop::file(exercise);
    Path::new(&file).extension().unwrap_or_default().to_string_lossy().into_owned()
}

struct Class<'a> {
    source: &'a CourseSource,
    exercise: &'a Exercise,
    args: &'a Args,
    on: Target,
    seed: u64,
}

impl Class<'_> {
    /// All submissions, in order; and whether Ctrl-C left some of them out.
    fn graded(&self, files: &[PathBuf]) -> (Vec<Graded>, bool) {
        let (next, interrupted) = (AtomicUsize::new(0), AtomicBool::new(false));
        let done: Mutex<Vec<(usize, Graded)>> = Mutex::default();
        let (words, line) = (crate::words::current(), Mutex::new(ProgressLine::at_once()));
        std::thread::scope(|scope| {
            for _ in 0..self.args.jobs {
                scope.spawn(|| {
                    crate::words::speaking(words, || {
                        while !interrupted.load(Ordering::Relaxed) {
                            let at = next.fetch_add(1, Ordering::Relaxed);
                            let Some(path) = files.get(at) else { break };
                            let Some(graded) = self.submission(path) else {
                                interrupted.store(true, Ordering::Relaxed);
                                break;
                            };
                            if let Ok(mut done) = done.lock() {
                                done.push((at, graded));
                                if let Ok(mut line) = line.lock() {
                                    line.tell(&t!("grade-progress", done = done.len(), of = files.len()));
                                }
                            }
                        }
                    });
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_default();
        done.sort_by_key(|(at, _)| *at);
        (done.into_iter().map(|(_, graded)| graded).collect(), interrupted.into_inner())
    }

    /// One submission; none if Ctrl-C was pressed.
    fn submission(&self, path: &Path) -> Option<Graded> {
        let began = Instant::now();
        let file = path.display().to_string();
        let graded = |outcome, bytes| Graded { file, outcome, seconds: began.elapsed().as_secs_f64(), bytes };
        let text = match handed_in(path) {
            Ok(text) => text,
            Err(message) => return Some(graded(Outcome::Refused(message), 0)),
        };
        let limits = Limits { time: Duration::from_secs(self.args.seconds), bytes: self.args.memory << 20 };
        let session = match Session::within(limits) {
            Ok(session) => session,
            Err(error) => return Some(graded(Outcome::Unjudged(error.message), 0)),
        };
        let judged = judged(self.source, self.exercise, (path, &text), Some(self.seed), &session, self.on);
        let bytes = session.peak_bytes();
        if let Some(exceeded) = session.exceeded() {
            return Some(graded(Outcome::Exceeded(exceeded), bytes));
        }
        let outcome = match judged {
            Ok(judgement) => Outcome::Judged(judgement),
            Err(Stop::Interrupted) => return None,
            Err(Stop::Refused(message, _)) => Outcome::Refused(message),
            Err(Stop::Exec(error)) if error.kind == ExecErrorKind::Interrupted => return None,
            Err(Stop::Exec(error)) if error.kind == ExecErrorKind::TimedOut => Outcome::Exceeded(Exceeded::Time),
            Err(Stop::Exec(ExecError { message, .. })) => Outcome::Unjudged(message),
        };
        Some(graded(outcome, bytes))
    }
}
