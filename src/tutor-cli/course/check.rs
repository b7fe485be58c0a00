//! `check`: reports all problems of a course at once, and verifies the claims on its pages.

use crate::prelude::*;
use crate::support::progress::ProgressLine;
use course_check::{
    self as author, Allowed, CauseRow, ClaimCounts, ClaimReport, ExerciseCounts, ExerciseReport, KernelCounts,
    KernelReport, Runs,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tutor_course::{Files, Problem, Severity, Watch, is_packed};
use tutor_exec::protocol::{DeviceKind, ExecError, ExecErrorKind, JudgeRequest, LaunchRequest, Verdict};
use tutor_exercises::{self as workshop, Exercise, pack};
use tutor_kernels::nvrtc::Compiled;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The course's directory, or a folder or file in it to report only its problems [default: `--course`, else the
    /// built-in course].
    dir: Option<PathBuf>,
    /// Report only the files of this level.
    #[arg(long, value_name = "LEVEL")]
    level: Option<String>,
    /// Also exit with 1 for warnings.
    #[arg(long, value_name = "WHAT")]
    deny: Option<Deny>,
    /// Format of the problems: human text, one JSON document, GitHub annotations, or SARIF 2.1.0.
    #[arg(long, value_name = "FORMAT", default_value = "human", conflicts_with = "json")]
    format: ProblemFormat,
    /// Also report ids that have disappeared since the course in this directory or at this Git revision.
    #[arg(long, value_name = "REV|DIR")]
    since: Option<String>,
    /// Also check results on the GPU.
    #[arg(long)]
    gpu: bool,
    /// Mutate the solutions of exercises, and report mutants that the judge accepts.
    #[arg(long)]
    mutants: bool,
    /// Check again whenever a file of the course changes, until Ctrl-C.
    #[arg(long, conflicts_with_all = ["json", "format"])]
    watch: bool,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// What counts as a failure in addition to errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Deny {
    Warnings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ProblemFormat {
    Human,
    Json,
    Github,
    Sarif,
}

impl Args {
    /// Returns the course that the arguments name: a directory, or a packed course.
    pub(super) fn course(&self) -> Option<PathBuf> {
        let dir = self.dir.as_deref().filter(|dir| dir.exists())?;
        let course = if is_packed(dir) { dir.to_owned() } else { author::course_around(dir).0 };
        Some(course).filter(|course| course.is_dir() || course == dir && is_packed(dir))
    }

    /// True if the arguments request one JSON document.
    pub(super) fn json(&self) -> bool {
        self.json || self.format == ProblemFormat::Json
    }
}

/// Work that takes longer shows its progress.
const LONG: Duration = Duration::from_secs(1);

/// The document that `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    problems: &'a [Problem],
    /// Problems that the course allows, with its reasons.
    allowed: &'a [Allowed],
    kernels: KernelCounts,
    claims: ClaimCounts,
    /// Causes that name a bound, with what it predicts.
    causes: &'a [CauseRow],
    exercises: ExerciseCounts,
}

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let given = args.dir.as_deref().filter(|dir| !is_packed(dir)).or(globals.course.as_deref());
    if let Some(given) = given.filter(|given| !given.exists()) {
        let message = t!("cli-check-no-directory", directory = given.display().to_string());
        return Ok(failure(Exit::Usage, &message, Some(&t!("cli-check-no-directory-help"))));
    }
    let (root, part) = given.map_or((None, None), |given| {
        let (root, part) = author::course_around(given);
        (Some(root), part)
    });
    if !args.watch {
        return once(args, globals, root.as_deref(), part.as_deref());
    }
    let Some(root) = root else {
        return Ok(failure(Exit::Usage, t!("cli-check-watch-what"), None));
    };
    let interrupted = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&interrupted))?;
    let mut watch = Watch::new(&root);
    loop {
        // Ignores the exit code even for a wrong call, because the author may fix the cause.
        once(args, globals, Some(&root), part.as_deref())?;
        output::note(t!("cli-check-watching", directory = root.display().to_string()));
        while !watch.changed() {
            if interrupted.load(Ordering::Relaxed) {
                return Ok(Exit::Interrupted);
            }
            std::thread::park_timeout(Watch::PERIOD);
        }
    }
}

/// Checks once and prints the problems.
fn once(args: &Args, globals: &Globals, directory: Option<&Path>, part: Option<&Path>) -> anyhow::Result<Exit> {
    let (catalog, problems) = Catalog::of_course(directory);
    let source = CourseSource::from_option(directory);
    let files = Files::read(&source, |_| true);
    let mut problems = author::check(&files, &catalog, &problems);

    let (kernels, claims, interrupted) = runs(&files, &catalog, args.gpu)?;
    if interrupted {
        return Ok(Exit::Interrupted);
    }
    problems.extend(kernels.problems);
    problems.extend(claims.problems);
    if let Some((since, root)) = args.since.as_ref().zip(directory) {
        match author::removed_ids(&files, root, since) {
            Ok(vanished) => problems.extend(vanished),
            Err(error) => return Ok(failure(Exit::Usage, error.to_string(), None)),
        }
    }
    let (mut all, unreadable) = workshop::read(&source, &catalog);
    // The exercises of a base course are the job of its author.
    let own = source.own_exercises();
    all.retain(|exercise| own.contains(&exercise.id));
    problems.extend(unreadable);
    let exercises = exercises(&source, &all, args.mutants)?;
    problems.extend(exercises.problems);
    let (mut allowed, idle) = author::allowed(&files, &mut problems);
    problems.extend(idle);
    if let Some(part) = part {
        problems.retain(|problem| Path::new(&problem.file).starts_with(part));
        allowed.retain(|of| Path::new(&of.problem.file).starts_with(part));
    }
    if let Some(level) = &args.level {
        let Some(own) = author::files_of_level(&files, level) else {
            let message = t!("cli-check-no-level", level = level.escape_debug().to_string());
            return Ok(failure(Exit::Usage, &message, None));
        };
        problems.retain(|problem| own.contains(&problem.file));
        allowed.retain(|of| own.contains(&of.problem.file));
    }
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    let denied = args.deny == Some(Deny::Warnings) && !problems.is_empty();
    let exit = if errors > 0 || denied { Exit::Failed } else { Exit::Done };
    match args.format {
        ProblemFormat::Github => {
            for problem in &problems {
                output::line(author::github(problem, directory))?;
            }
            return Ok(exit);
        }
        ProblemFormat::Sarif => {
            output::json(&author::sarif(&problems, &allowed, directory))?;
            return Ok(exit);
        }
        ProblemFormat::Human | ProblemFormat::Json => {}
    }
    if args.json() {
        output::json(&Report {
            problems: &problems,
            allowed: &allowed,
            kernels: kernels.counts,
            claims: claims.counts,
            causes: &claims.causes,
            exercises: exercises.counts,
        })?;
    } else {
        let colour = globals.colours();
        for problem in &problems {
            output::painted(&format!("{}\n\n", author::render(problem, colour)))?;
        }
        let ClaimCounts { held, failed, skipped, .. } = claims.counts;
        let warnings = problems.len() - errors;
        let found = t!("cli-check-found", errors, warnings);
        let checked = t!("cli-check-claims", held, failed, skipped);
        output::line(format_args!("{found} {checked}"))?;
        if !allowed.is_empty() {
            output::line(t!("cli-check-allowed", count = allowed.len()))?;
        }
        for cause in &claims.causes {
            let [predicted, recorded] = cause.ratios().map(|ratio| format!("{ratio:.2}"));
            let [to, of] = cause.predicted.map(|cycles| format!("{cycles:.3}"));
            let ([from, kernel], bound) = (&cause.kernels, format!("{:?}", cause.bound));
            output::line(t!("cli-check-cause", kernel, from, size = cause.size, bound, to, of, predicted, recorded))?;
        }
        let KernelCounts { run, differ, skipped } = kernels.counts;
        if run + skipped > 0 {
            let sentence = t!("cli-check-kernels", run, differ, skipped);
            output::line(&sentence)?;
        }
        let ExerciseCounts { exercises, judged, differ, mutants, killed, excused } = exercises.counts;
        if exercises > 0 {
            let sentence = t!("cli-check-exercises", exercises, judged, differ);
            output::line(&sentence)?;
        }
        if mutants > 0 {
            let sentence = t!("cli-check-mutants", mutants, killed, excused);
            output::line(&sentence)?;
        }
    }
    for (why, count) in &kernels.skipped {
        output::note(t!("cli-check-kernels-skipped", count = *count, why = why.to_string()));
    }
    for (why, count) in &claims.skipped {
        output::note(t!("cli-check-skipped", count = *count, why = why.to_string()));
    }
    for (why, count) in &exercises.skipped {
        output::note(t!("cli-check-exercises-skipped", count = *count, why = why.to_string()));
    }
    Ok(exit)
}

/// Judges the exercises in a worker.
fn exercises(source: &CourseSource, all: &[Exercise], mutate: bool) -> Result<ExerciseReport, ExecError> {
    struct InWorker {
        session: Session,
        line: ProgressLine,
        judged: u32,
    }
    impl author::Judge for InWorker {
        fn compile(&mut self, exercise: &Exercise, source: String) -> Result<Compiled, ExecError> {
            self.session.compile_as(exercise.compiling(0, exercise.file_name(), source))
        }

        fn judge(&mut self, request: JudgeRequest) -> Result<Verdict, ExecError> {
            self.judged += 1;
            self.line.show(&t!("cli-check-judging", count = self.judged, text = request.program.kernel));
            let found = self.session.judge(request)?;
            found.map(|judged| judged.verdict).ok_or_else(ExecError::interrupted)
        }
    }
    if all.is_empty() {
        return Ok(ExerciseReport::default());
    }
    let mut judge = InWorker { session: Session::start()?, line: ProgressLine::after(LONG), judged: 0 };
    let files = |id: &str| source.read(&format!("{}/{id}/exercise.yaml", workshop::FOLDER)).unwrap_or_default();
    let option = source.directory().map_or_else(String::new, |root| format!(" --course {}", root.display()));
    let build = format!("matmul-tutor{option} course build");
    let sources = author::ExerciseSources { packs: &|id| pack::read(source, id), file: &files, build: &build };
    author::exercises(all, &sources, mutate, &mut judge)
}

/// Runs kernels and claims in a worker. The flag is true if Ctrl-C stopped them.
fn runs(files: &Files, catalog: &Catalog, gpu: bool) -> Result<(KernelReport, ClaimReport, bool), ExecError> {
    let session = Session::start()?;
    if gpu {
        let description = session.describe()?;
        if description.device.kind != DeviceKind::Cuda {
            let why = description.why_not_cuda.unwrap_or_else(|| "There is no GPU.".into());
            return Err(
                ExecError::new(ExecErrorKind::NoDevice, why).help("Without `--gpu`, claims run on the emulator.")
            );
        }
    }
    let (mut interrupted, mut line, mut launches) = (false, ProgressLine::after(LONG), 0);
    let mut launch = |request: &LaunchRequest| {
        if interrupted {
            return Err(ExecError::interrupted());
        }
        launches += 1;
        let kernel = request.programs.first().map_or("", |program| program.kernel.as_str());
        line.show(&t!("cli-check-running", count = launches, kernel));
        let results = session.launch(request.clone(), |_, _| {}).finished()?;
        interrupted = results.is_none();
        results.ok_or_else(ExecError::interrupted)
    };
    let mut runs = Runs::new(&mut launch, gpu);
    let kernels = author::kernels(files, catalog, &mut runs);
    let claims = author::claims(files, catalog, &mut runs);
    Ok((kernels, claims, interrupted))
}
