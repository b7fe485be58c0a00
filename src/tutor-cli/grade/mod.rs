/*! `grade`: judges a class's submissions by the rules of `exercise check`.

Each submission has a separate worker process with limits on time and memory. A submission that hangs, crashes or prints
too much affects only itself. All submissions get the same inputs and shapes. A row is printed as soon as it is known,
and results in the file of `--keep` are not judged again. If that file or a report cannot be written, judging continues.
*/

mod table;

use super::exercise::judge::{Stop, estimated, judged};
use super::exercise::{found, unknown};
use super::session::{Session, interruption};
use super::support::estimating::EstimateOption;
use super::support::excel::ExcelOption;
use super::support::limits::{Exceeded, Limits};
use super::{Exit, Globals, failure, output};
use class_grading::{
    Class, From, Judge, Judged, Keep, Outcome, Platform, Record, Reports, Submission, extension, parse_weights,
    points_of, submissions,
};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::Table;
use tutor_course::CourseSource;
use tutor_exec::estimate::Estimated;
use tutor_exec::protocol::{ExecError, ExecErrorKind, Shape};
use tutor_exercises::{Exercise, Judgement, Points};
use tutor_kernels::Catalog;
use tutor_progress::fresh_seed;
use tutor_support::t;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The exercise.
    exercise: String,
    /// The submissions: files, or folders that contain files of the exercise's type.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Format of the results.
    #[arg(long, value_enum, default_value_t)]
    format: GradeFormat,
    #[command(flatten)]
    excel: ExcelOption,
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
    /// Name the students by this table: lines of a file or folder, a comma, and a name, or a table of a platform.
    #[arg(long, value_name = "TABLE")]
    names: Option<PathBuf>,
    /// Where the submissions come from [default: a platform if the names are those of its archives, else folders].
    #[arg(long, value_enum, value_name = "PLATFORM")]
    from: Option<Origin>,
    /// Points for each goal, for example `results=4,hazards=2,counts=2`.
    #[arg(long, value_name = "GOAL=N,...", value_parser = parse_weights)]
    weights: Option<Points>,
    /// Write a report for each student to this folder, as Markdown and as HTML.
    #[arg(long, value_name = "FOLDER")]
    reports: Option<PathBuf>,
    /// Report submissions of different students with similar structure.
    #[arg(long)]
    similar: bool,
    /// Judge only part I of N, for example `3/10`. Several calls can judge the parts at the same time, on one machine or
    /// on several.
    #[arg(long, value_name = "I/N", value_parser = part, requires = "seed")]
    part: Option<[usize; 2]>,
}

/// Parses `--part`.
fn part(text: &str) -> Result<[usize; 2], String> {
    let part = text.split_once('/').and_then(|(at, of)| Some([at.parse().ok()?, of.parse().ok()?]));
    part.filter(|[at, of]| (1..=*of).contains(at)).ok_or_else(|| t!("grade-part"))
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Origin {
    /// Folders or files that have the students' names.
    Folders,
    Moodle,
    Canvas,
    Blackboard,
    Gradescope,
}

impl Origin {
    fn from(origin: Option<Self>) -> From {
        match origin {
            None => From::Recognised,
            Some(Self::Folders) => From::Folders,
            Some(Self::Moodle) => From::Platform(Platform::Moodle),
            Some(Self::Canvas) => From::Platform(Platform::Canvas),
            Some(Self::Blackboard) => From::Platform(Platform::Blackboard),
            Some(Self::Gradescope) => From::Platform(Platform::Gradescope),
        }
    }
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
    /// Moodle's grading worksheet.
    Moodle,
    /// Canvas's table of grades.
    Canvas,
    /// Blackboard's table of grades.
    Blackboard,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  matmul-tutor class grade load-a-tile submissions/ --format csv
  matmul-tutor class grade load-a-tile submissions/ --from moodle --format moodle > worksheet.csv
  matmul-tutor class grade load-a-tile submissions/ --jobs 8 --seconds 30 --format junit > results.xml
  matmul-tutor class grade load-a-tile submissions/ --keep graded.jsonl --format csv
  matmul-tutor class grade load-a-tile submissions/ --names names.csv --weights results=6,hazards=2,counts=2 --reports reports
  matmul-tutor class grade load-a-tile submissions/ --seed 7 --part 3/10 --keep part-3.jsonl
  matmul-tutor class grade load-a-tile load-a-tile.cu --format gradescope > /autograder/results/results.json";

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let source = CourseSource::from_option(globals.course.as_deref());
    let (catalog, _) = Catalog::of_course(globals.course.as_deref());
    let (exercises, problems) = tutor_exercises::read(&source, &catalog);
    for problem in &problems {
        output::note(problem);
    }
    let Some(exercise) = found(&exercises, &args.exercise) else { return Ok(unknown(&exercises, &args.exercise)) };
    if let Some(exit) = args.estimate.refused().or_else(|| args.excel.refused(args.format == GradeFormat::Csv)) {
        return Ok(exit);
    }
    if let Some(path) = args.files.iter().find(|path| !path.exists() && !path.is_symlink()) {
        return Ok(failure(Exit::Usage, t!("grade-no-file", file = path.display().to_string()), None));
    }
    let is_archive =
        |path: &&PathBuf| path.extension().is_some_and(|of| of.eq_ignore_ascii_case("zip")) && path.is_file();
    if let Some(path) = args.files.iter().find(is_archive) {
        let message = t!("grade-archive", file = path.display().to_string());
        return Ok(failure(Exit::Usage, message, Some(&t!("grade-archive-help"))));
    }
    let extension = extension(exercise);
    let found = submissions(&args.files, &extension, args.names.as_deref(), Origin::from(args.from));
    let mut class = found.map_err(anyhow::Error::msg)?;
    let of_one = matches!(args.format, GradeFormat::Gradescope | GradeFormat::Autolab);
    // What this command reads and writes itself names no student.
    let own = [args.names.as_deref(), args.keep.as_deref(), args.reports.as_deref(), Some(Path::new("/dev/stdout"))];
    let own: Vec<PathBuf> = own.into_iter().flatten().filter_map(|path| path.canonicalize().ok()).collect();
    let is_own = |one: &Submission| one.path.canonicalize().is_ok_and(|path| own.contains(&path));
    class.all.retain(|one| one.files > 0 || !of_one && !is_own(one));
    let mut handed_in = Vec::new();
    match &*args.files {
        // Students see a reason only in a document.
        [folder] if of_one && class.all.len() != 1 && folder.is_dir() => {
            let below = |one: &Submission| one.path.strip_prefix(folder).unwrap_or(&one.path).display().to_string();
            handed_in = class.all.iter().map(below).collect();
            class.all = vec![Submission::without_file(folder.clone())];
        }
        _ => {}
    }
    if class.all.is_empty() {
        return Ok(failure(Exit::Usage, t!("grade-none", extension), None));
    }
    if of_one && class.all.len() != 1 {
        return Ok(failure(Exit::Usage, t!("grade-one", files = class.all.len()), Some(&t!("grade-one-help"))));
    }
    if args.similar {
        class.compare(exercise);
    }
    class.notes.iter().for_each(output::note);
    let mut submissions = class.all;
    if let Some([at, of]) = args.part {
        submissions = submissions.into_iter().skip(at - 1).step_by(of).collect();
    }
    let limits = class_grading::Limits { on: globals.on, seconds: args.seconds, memory: args.memory };
    let keep = args.keep.as_deref().map(|file| Keep::open(file, &source, exercise, limits)).transpose();
    let keep = keep.map_err(anyhow::Error::msg)?;
    let seed = args.seed.or_else(|| keep.as_ref()?.seed()).unwrap_or_else(fresh_seed);
    let points = points_of(args.weights, exercise);
    let reports = args.reports.clone().map(|folder| Reports::create(folder, exercise, points, seed, &submissions));
    let reports =
        reports.transpose().map_err(|error| anyhow::Error::msg(t!("grade-reports", why = error.to_string())))?;
    let known = |one: &Submission| match one.files {
        0 => Some(Record::missing(&one.path, &extension, &handed_in)),
        // A kernel that passed before estimates were asked for is judged again.
        _ => keep
            .as_ref()?
            .find(&one.path, seed)
            .filter(|known| !args.estimate.is_given() || known.estimated.is_some() || !known.passed()),
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
    let table = Table::begin((args.format, args.excel, args.estimate.is_given()), submissions, points, seed)?;
    let mut results = Results { table, keep, reports, unwritten: false };
    for (at, record) in kept.into_iter().enumerate() {
        record.map_or(Ok(()), |record| results.take_old(at, record))?;
    }
    let interrupted = interruption(true)?;
    let judge = SeparateProcesses { source: &source, exercise, args, globals, seed, interrupted: &interrupted };
    let done = |at: usize, record: Record| results.take_new(at, seed, record);
    let interrupted = Class::new(exercise, &judge, &interrupted).grade(&new, args.jobs, done)?;
    let Results { table, unwritten, .. } = results;
    let unjudged = table.end(exercise)?;
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
        if let (Some(reports), Some(one)) = (&self.reports, self.table.submission(at))
            && let Err(error) = reports.write(at, one, &record)
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

/// Judges each text in a worker of its own.
struct SeparateProcesses<'a> {
    source: &'a CourseSource,
    exercise: &'a Exercise,
    args: &'a Args,
    globals: &'a Globals,
    seed: u64,
    interrupted: &'a Arc<AtomicBool>,
}

impl SeparateProcesses<'_> {
    fn session(&self) -> Result<Session, ExecError> {
        let limits = Limits { time: Duration::from_secs(self.args.seconds), ends: None, bytes: self.args.memory << 20 };
        Session::within(limits, self.interrupted)
    }
}

impl Judge for SeparateProcesses<'_> {
    fn judge(&self, path: &Path, text: &str) -> Option<Judged> {
        let session = match self.session() {
            Ok(session) => session,
            Err(error) => {
                return Some(Judged { outcome: Outcome::Unjudged(error.message.into()), bytes: 0, ptx: String::new() });
            }
        };
        let judged = judged(self.source, self.exercise, (path, text), Some(self.seed), &session, self.globals.on);
        let exceeded = session.exceeded();
        let (outcome, ptx) = match (exceeded, judged) {
            (Some(Exceeded::Time), _) => (Outcome::Time, String::new()),
            (Some(Exceeded::Memory), _) => (Outcome::Memory, String::new()),
            (None, Ok((judgement, ptx))) => (Outcome::Judged(judgement), ptx),
            (None, Err(stop)) => (stopped(stop)?, String::new()),
        };
        Some(Judged { outcome, bytes: session.peak_bytes(), ptx })
    }

    fn estimate(&self, judgement: &Judgement, ptx: &str) -> Option<Estimated> {
        self.args.estimate.request(Shape::default(), false).ok()??;
        estimated(self.exercise, (judgement, ptx), &self.args.estimate, &self.session().ok()?)?.estimated
    }
}

/// Returns the outcome of a judgement that has no verdict. `None` if a signal stopped it.
fn stopped(stop: Stop) -> Option<Outcome> {
    Some(match stop {
        Stop::Interrupted => return None,
        Stop::Refused(message, _) => Outcome::Refused(message),
        Stop::Broke(error) => Outcome::Crash { while_compiling: true, why: error.message.into() },
        Stop::Exec(ExecError { kind, message, .. }) => match kind {
            ExecErrorKind::Interrupted => return None,
            ExecErrorKind::TimedOut => Outcome::Time,
            ExecErrorKind::Worker => Outcome::Crash { while_compiling: false, why: message.into() },
            _ => Outcome::Unjudged(message.into()),
        },
    })
}
