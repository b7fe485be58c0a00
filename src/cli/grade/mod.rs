/*! `grade`: what a class handed in, judged as `exercise check` judges.

Each submission has a worker process of its own, with limits of time and memory: one that hangs, faults or floods costs only
itself. All are drawn the same inputs and shapes.
*/

mod array;
mod formats;
mod record;

use super::exercise::judge::{Stop, judged};
use super::exercise::{found, handed_in, unknown};
use super::session::{Exceeded, Limits, Session};
use super::support::files_in;
use super::support::progress::ProgressLine;
use super::{Exit, Globals, failure, failure_of, output};
use crate::course::CourseSource;
use crate::exec::protocol::{ExecError, ExecErrorKind, Target};
use crate::kernels::Catalog;
use crate::mastery::fresh_seed;
use crate::t;
use crate::workshop::{self, Exercise};
use record::{Graded, Outcome, Record};
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
    #[arg(required_unless_present = "share_of")]
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
    /// Spread the submissions over a cluster, as an array of Slurm's jobs with these options of `sbatch`.
    #[arg(long, value_name = "OPTIONS", num_args = 0..=1, require_equals = true, default_missing_value = "", conflicts_with = "jobs")]
    slurm: Option<String>,
    /// Judge this job's share of an array.
    #[arg(long, hide = true, value_name = "DIR", conflicts_with = "slurm")]
    share_of: Option<PathBuf>,
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
  matmul-tutor grade load-a-tile submissions/ --slurm='--partition=cpu --time=10' --format csv
  matmul-tutor grade load-a-tile load-a-tile.cu --format gradescope > /autograder/results/results.json";

impl Args {
    pub(super) fn json(&self) -> bool {
        self.format == Format::Json
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
    let class = |seed| Class { source: &source, exercise, args, on: globals.on, seed };
    if let Some(spool) = &args.share_of {
        return array::judge_share(spool, class);
    }
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
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let (records, interrupted) = match &args.slurm {
        Some(options) => match array::spread(&files, seed, options, args, globals) {
            Ok(graded) => graded,
            Err(error) => return Ok(failure_of(&error)),
        },
        None => class(seed).graded(&files),
    };
    formats::print(exercise, seed, &records, args.format)?;
    let unjudged = records.iter().any(Record::is_unjudged);
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
    fn graded(&self, files: &[PathBuf]) -> (Vec<Record>, bool) {
        let (next, interrupted) = (AtomicUsize::new(0), AtomicBool::new(false));
        let done: Mutex<Vec<(usize, Record)>> = Mutex::default();
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
                                done.push((at, graded.into()));
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
