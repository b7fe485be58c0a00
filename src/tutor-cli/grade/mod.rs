/*! `grade`: judges a class's submissions by the rules of `exercise check`.

Each submission has a separate worker process with limits on time and memory. A submission that hangs, crashes or prints
too much affects only itself. All submissions get the same inputs and shapes. A row is printed as soon as it is known,
and results in the file of `--keep` are not judged again. If that file or a report cannot be written, judging continues.
*/

mod array;
mod formats;
mod keep;
mod marks;
mod record;
mod report;
mod similar;
mod students;

use super::exercise::judge::{Stop, estimated, judged};
use super::exercise::{found, unknown};
use super::session::{Session, interruption};
use super::support::estimating::EstimateOption;
use super::support::limits::{Exceeded, Limits};
use super::support::read_handed_in;
use super::{Exit, Globals, failure, output};
use formats::Table;
use keep::Keep;
use record::{Graded, Outcome, Record};
use report::Reports;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use students::Submission;
use tutor_course::CourseSource;
use tutor_exec::estimate::Estimated;
use tutor_exec::protocol::{ExecError, ExecErrorKind, Shape, Target};
use tutor_exercises::{self as workshop, Exercise, Points, Work};
use tutor_kernels::Catalog;
use tutor_progress::fresh_seed;
use tutor_support::t;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The exercise.
    exercise: String,
    /// The submissions: files, or folders that contain files of the exercise's type.
    #[arg(required_unless_present = "share_of")]
    files: Vec<PathBuf>,
    /// Format of the results.
    #[arg(long, value_enum, default_value_t)]
    format: GradeFormat,
    /// Maximum seconds of processor time per submission.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Maximum MiB of memory per submission (Linux).
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    memory: u64,
    /// Submissions to judge at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    jobs: u32,
    #[command(flatten)]
    estimate: EstimateOption,
    /// Draw the inputs and one shape with this seed [default: a new seed].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Store each result in this file, and judge only submissions without a stored result, with the stored seed.
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Name the students by this table: lines of a file or folder, a comma, and a name.
    #[arg(long, value_name = "TABLE")]
    names: Option<PathBuf>,
    /// Points for each goal, for example `results=4,hazards=2,counts=2`.
    #[arg(long, value_name = "GOAL=N,...", value_parser = marks::parse)]
    weights: Option<Points>,
    /// Write a report for each student to this folder, as Markdown and as HTML.
    #[arg(long, value_name = "FOLDER")]
    reports: Option<PathBuf>,
    /// Report submissions of different students with similar structure.
    #[arg(long)]
    similar: bool,
    /// Spread the submissions over a cluster with a Slurm job array; OPTIONS are options of `sbatch`.
    #[arg(long, value_name = "OPTIONS", num_args = 0..=1, require_equals = true, default_missing_value = "", conflicts_with_all = ["jobs", "device"])]
    slurm: Option<String>,
    /// Judge this job's share of an array.
    #[arg(long, hide = true, value_name = "DIR", conflicts_with = "slurm")]
    share_of: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum GradeFormat {
    /// One line per submission.
    #[default]
    Human,
    /// One JSON document.
    Json,
    /// A table with a header.
    Csv,
    /// One JUnit test case per submission.
    Junit,
    /// Gradescope's results.json, for one submission.
    Gradescope,
    /// The last line that Autolab reads, for one submission.
    Autolab,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  matmul-tutor class grade load-a-tile submissions/ --format csv
  matmul-tutor class grade load-a-tile submissions/ --jobs 8 --seconds 30 --format junit > results.xml
  matmul-tutor class grade load-a-tile submissions/ --keep graded.jsonl --format csv
  matmul-tutor class grade load-a-tile submissions/ --names names.csv --weights results=6,hazards=2,counts=2 --reports reports
  matmul-tutor class grade load-a-tile submissions/ --slurm='--partition=cpu --time=10' --format csv
  matmul-tutor class grade load-a-tile load-a-tile.cu --format gradescope > /autograder/results/results.json";

/// Maximum size of a submission, in bytes.
const MAX_SUBMISSION_BYTES: u64 = 4 << 20;

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let source = CourseSource::from_option(globals.course.as_deref());
    let (catalog, _) = Catalog::of_course(globals.course.as_deref());
    let (exercises, problems) = workshop::read(&source, &catalog);
    for problem in &problems {
        output::note(problem);
    }
    let Some(exercise) = found(&exercises, &args.exercise) else { return Ok(unknown(&exercises, &args.exercise)) };
    if let Some(exit) = args.estimate.refused() {
        return Ok(exit);
    }
    let class = |seed| Class { source: &source, exercise, args, on: globals.on, seed, solution: OnceLock::new() };
    if let Some(spool) = &args.share_of {
        return array::judge_share(spool, class);
    }
    if let Some(path) = args.files.iter().find(|path| !path.exists() && !path.is_symlink()) {
        return Ok(failure(Exit::Usage, t!("grade-no-file", file = path.display().to_string()), None));
    }
    let submissions = students::submissions(&args.files, &extension(exercise), args.names.as_deref());
    let mut submissions = submissions.map_err(anyhow::Error::msg)?;
    let of_one = matches!(args.format, GradeFormat::Gradescope | GradeFormat::Autolab);
    submissions.retain(|one| one.files > 0 || !of_one && args.reports.as_ref() != Some(&one.path));
    let mut handed_in = Vec::new();
    match &*args.files {
        // Students see a reason only in a document.
        [folder] if of_one && submissions.len() != 1 && folder.is_dir() => {
            let below = |one: &Submission| one.path.strip_prefix(folder).unwrap_or(&one.path).display().to_string();
            handed_in = submissions.iter().map(below).collect();
            submissions = vec![Submission::without_file(folder.clone())];
        }
        _ => {}
    }
    if submissions.is_empty() {
        return Ok(failure(Exit::Usage, t!("grade-none", extension = extension(exercise)), None));
    }
    if of_one && submissions.len() != 1 {
        return Ok(failure(Exit::Usage, t!("grade-one", files = submissions.len()), Some(&t!("grade-one-help"))));
    }
    if args.similar {
        let texts: Vec<_> =
            submissions.iter().map(|one| read_handed_in(&one.path, MAX_SUBMISSION_BYTES).ok()).collect();
        similar::compare(&mut submissions, &texts, starter(exercise));
        if submissions.iter().any(|one| !one.similar.is_empty()) {
            output::note(t!("grade-similar-note"));
        }
    }
    let keep = args.keep.as_deref().map(|file| Keep::open(file, &source, exercise, args, globals.on)).transpose();
    let keep = keep.map_err(anyhow::Error::msg)?;
    let seed = args.seed.or_else(|| keep.as_ref()?.seed()).unwrap_or_else(fresh_seed);
    let points = marks::points(args.weights, exercise);
    let reports = args.reports.clone().map(|folder| Reports::create(folder, exercise, points, seed)).transpose();
    let reports = reports.map_err(|error| anyhow::Error::msg(t!("grade-reports", why = error.to_string())))?;
    let known = |one: &Submission| match one.files {
        0 => Some(Record::missing(&one.path, &extension(exercise), &handed_in)),
        _ => keep.as_ref()?.find(&one.path, seed),
    };
    let kept: Vec<Option<Record>> = submissions.iter().map(known).collect();
    let new: Vec<(usize, PathBuf)> =
        (0..).zip(&submissions).filter(|(at, _)| kept[*at].is_none()).map(|(at, one)| (at, one.path.clone())).collect();
    let new: Vec<(usize, &Path)> = new.iter().map(|(at, path)| (*at, path.as_path())).collect();
    let found = submissions.iter().filter(|one| one.files > 0).count() - new.len();
    if let Some(file) = args.keep.as_ref().filter(|_| found > 0) {
        let (file, kept) = (file.display().to_string(), found);
        output::note(t!("grade-kept", file, kept, of = submissions.len()));
    }
    let table = Table::begin((args.format, args.estimate.is_given()), submissions, points, seed)?;
    let mut results = Results { table, keep, reports, unwritten: false };
    for (at, record) in kept.into_iter().enumerate() {
        record.map_or(Ok(()), |record| results.take_old(at, record))?;
    }
    let done = |at: usize, record: Record| results.take_new(at, seed, record);
    let interrupted = match &args.slurm {
        Some(options) => array::spread(&new, seed, options, (args, globals), done),
        None => class(seed).graded(&new, done),
    };
    let interrupted = interrupted??;
    let Results { table, unwritten, .. } = results;
    let unjudged = table.end(exercise)?.iter().any(Record::is_unjudged);
    Ok(match (interrupted, unjudged || unwritten) {
        (true, _) => Exit::Interrupted,
        (_, true) => Exit::Failed,
        _ => Exit::Done,
    })
}

/// Everything that takes a result.
struct Results<'a> {
    table: Table,
    keep: Option<Keep>,
    reports: Option<Reports<'a>>,
    /// True if a result could not be kept, or a report not be written.
    unwritten: bool,
}

impl Results<'_> {
    /// Takes a result that was kept.
    fn take_old(&mut self, at: usize, record: Record) -> io::Result<()> {
        if let (Some(reports), Some(one)) = (&mut self.reports, self.table.submission(at))
            && let Err(error) = reports.write(one, &record)
        {
            self.lost(&error);
        }
        self.table.add(at, record)
    }

    /// Takes a new result. The others are judged even if it cannot be written.
    fn take_new(&mut self, at: usize, seed: u64, record: Record) -> io::Result<()> {
        if let (Some(keep), Some(one)) = (&mut self.keep, self.table.submission(at))
            && let Err(error) = keep.add(&one.path, seed, &record)
        {
            self.lost(&error);
        }
        self.take_old(at, record)
    }

    fn lost(&mut self, error: &io::Error) {
        if !std::mem::replace(&mut self.unwritten, true) {
            output::note(t!("grade-unwritten", why = error.to_string()));
        }
    }
}

/// Returns the starter code, if the exercise has one.
fn starter(exercise: &Exercise) -> &str {
    match &exercise.work {
        Work::Write(write) => &write.starter,
        _ => "",
    }
}

/// True if a submission has no code that is not in the starter code.
fn untouched(exercise: &Exercise, text: &str) -> bool {
    let bare =
        |text: &str| -> String { similar::without_comments(text).chars().filter(|c| !c.is_whitespace()).collect() };
    matches!(exercise.work, Work::Write(_)) && [String::new(), bare(starter(exercise))].contains(&bare(text))
}

/// Returns the extension of submissions.
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
    /// True if the solution can be judged here within the limits. Unset until a submission fails for a reason that may
    /// not be its fault.
    solution: OnceLock<bool>,
}

impl Class<'_> {
    /// Judges the submissions. Passes each record with its number to `done` as soon as it exists. Returns true if a
    /// signal left out some of them, or the error of `done`.
    fn graded(
        &self,
        files: &[(usize, &Path)],
        done: impl FnMut(usize, Record) -> io::Result<()> + Send,
    ) -> Result<io::Result<bool>, ExecError> {
        let (next, stopped, interrupted) = (AtomicUsize::new(0), AtomicBool::new(false), interruption(true)?);
        let (words, done) = (tutor_support::words::current(), Mutex::new((done, Ok(()))));
        std::thread::scope(|scope| {
            for _ in 0..self.args.jobs {
                scope.spawn(|| {
                    tutor_support::words::speaking(words, || {
                        while !stopped.load(Ordering::Relaxed) && !interrupted.load(Ordering::Relaxed) {
                            let Some((at, path)) = files.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                            let Some(graded) = self.submission(path, &interrupted) else { break };
                            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                            if let Err(error) = (done.0)(*at, graded.into()) {
                                stopped.store(true, Ordering::Relaxed);
                                done.1 = Err(error);
                            }
                        }
                    });
                });
            }
        });
        let (_, outcome) = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(outcome.map(|()| interrupted.load(Ordering::Relaxed)))
    }

    /// Judges one submission. Returns `None` if a signal stopped it.
    fn submission(&self, path: &Path, interrupted: &Arc<AtomicBool>) -> Option<Graded> {
        let began = Instant::now();
        let file = path.display().to_string();
        let graded = |outcome, bytes| {
            let seconds = began.elapsed().as_secs_f64();
            Graded { file, outcome, seconds, bytes, estimated: None }
        };
        let text = match read_handed_in(path, MAX_SUBMISSION_BYTES) {
            Ok(text) => text,
            Err(message) => return Some(graded(Outcome::Refused(message), 0)),
        };
        if untouched(self.exercise, &text) {
            return Some(graded(Outcome::Untouched, 0));
        }
        let (mut outcome, mut bytes, mut ptx) = self.judged(path, &text, interrupted)?;
        if matches!(outcome, Outcome::Crash(..)) {
            // The system may have ended the process, so it gets a second try.
            (outcome, bytes, ptx) = self.judged(path, &text, interrupted)?;
        }
        let blamed = matches!(outcome, Outcome::Crash(..) | Outcome::Exceeded(_));
        if blamed && !self.judges_solution(interrupted)? {
            let why = match outcome {
                Outcome::Crash(_, why) => why,
                _ => t!("grade-not-even"),
            };
            outcome = Outcome::Unjudged(why);
        }
        let graded = graded(outcome, bytes);
        Some(Graded { estimated: self.estimated(&graded.outcome, &ptx, interrupted), ..graded })
    }

    /// Estimates the time of a kernel that passed, if the user asked for it. This happens in another process and after
    /// the judgement, so that it cannot change a result.
    fn estimated(&self, outcome: &Outcome, ptx: &str, interrupted: &Arc<AtomicBool>) -> Option<Estimated> {
        let Outcome::Judged(judgement) = outcome else { return None };
        self.args.estimate.request(Shape::default(), false).ok()??;
        let session = Session::within(self.limits(), interrupted).ok()?;
        estimated(self.exercise, (judgement, ptx), &self.args.estimate, &session)?.estimated
    }

    /// Returns the limits of one process.
    fn limits(&self) -> Limits {
        Limits { time: Duration::from_secs(self.args.seconds), bytes: self.args.memory << 20 }
    }

    /// Judges a text in a process of its own. Returns the outcome, the peak memory, and the PTX of a judged text. Returns
    /// `None` if a signal stopped it.
    fn judged(&self, path: &Path, text: &str, interrupted: &Arc<AtomicBool>) -> Option<(Outcome, u64, String)> {
        let session = match Session::within(self.limits(), interrupted) {
            Ok(session) => session,
            Err(error) => return Some((Outcome::Unjudged(error.message.into()), 0, String::new())),
        };
        let judged = judged(self.source, self.exercise, (path, text), Some(self.seed), &session, self.on);
        let bytes = session.peak_bytes();
        if let Some(exceeded) = session.exceeded() {
            return Some((Outcome::Exceeded(exceeded), bytes, String::new()));
        }
        let outcome = match judged {
            Ok((judgement, ptx)) => return Some((Outcome::Judged(judgement), bytes, ptx)),
            Err(Stop::Interrupted) => return None,
            Err(Stop::Refused(message, _)) => Outcome::Refused(message),
            Err(Stop::Exec(error)) if error.kind == ExecErrorKind::Interrupted => return None,
            Err(Stop::Exec(error)) if error.kind == ExecErrorKind::TimedOut => Outcome::Exceeded(Exceeded::Time),
            Err(Stop::Broke(error)) => Outcome::Crash(true, error.message.into()),
            Err(Stop::Exec(error)) if error.kind == ExecErrorKind::Worker => {
                Outcome::Crash(false, error.message.into())
            }
            Err(Stop::Exec(ExecError { message, .. })) => Outcome::Unjudged(message.into()),
        };
        Some((outcome, bytes, String::new()))
    }

    /// True if the solution can be judged here within the limits. Then a submission that ends the process or takes too
    /// long is at fault. A submission of choices runs no code of the student, so it is always at fault.
    fn judges_solution(&self, interrupted: &Arc<AtomicBool>) -> Option<bool> {
        if let Some(known) = self.solution.get() {
            return Some(*known);
        }
        let judged = match &self.exercise.work {
            Work::Write(write) => {
                let name = workshop::file(self.exercise);
                let (outcome, ..) = self.judged(Path::new(&name), &write.solution, interrupted)?;
                matches!(outcome, Outcome::Judged(judgement) if judgement.passed())
            }
            _ => true,
        };
        Some(*self.solution.get_or_init(|| judged))
    }
}
