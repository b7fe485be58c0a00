/*! `exercise`: the workshop on the command line.

For written work, the student edits a file of code. For choices, the student edits a small YAML form. `check` judges
either one, stores it, and reports the first unmet goal.
*/

pub(super) mod judge;
mod print;

use super::student::{Student, store_error};
use super::support::estimating::EstimateOption;
use super::support::read_text;
use crate::prelude::*;
use std::collections::BTreeMap;
use tutor_exec::judge::Goal;
use tutor_exercises::{self as workshop, Exercise, ExerciseKind, FolderError, Found, Language, Work};
use tutor_progress::Worked;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the exercises by level: new, tried, passed, starred.
    List {
        /// Only the exercises of this level: its number or id.
        level: Option<String>,
        /// Print one JSON document.
        #[arg(long)]
        json: bool,
    },
    /// Create a folder with starter code, and explain what to do.
    Start {
        /// The exercise.
        id: String,
        /// The folder [default: the exercise's id, in the current directory].
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
    /// Judge a solution.
    ///
    /// Exits with 1 if a goal is not met.
    Check(CheckArgs),
    /// Judge a solution each time that it is saved, until Ctrl-C.
    Watch {
        /// The exercise.
        id: String,
        /// The solution [default: the file in the exercise's folder].
        file: Option<PathBuf>,
        #[command(flatten)]
        estimate: EstimateOption,
    },
    /// Open the next hint about the last failure.
    Hint {
        /// The exercise.
        id: String,
    },
    /// Print the solution: after passing, or after the last hint.
    Solution {
        /// The exercise.
        id: String,
    },
    /// Restore the starter code; keep your file under another name.
    Reset {
        /// The exercise.
        id: String,
        /// The folder [default: the exercise's id, in the current directory].
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

#[derive(Debug, clap::Args)]
struct CheckArgs {
    /// The exercise.
    id: String,
    /// The solution [default: the file in the exercise's folder]; `-`: standard input.
    file: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
    /// Draw the inputs and one shape with this seed [default: a new seed each time].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    estimate: EstimateOption,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  matmul-tutor exercise list
  matmul-tutor exercise start fma-loop
  matmul-tutor exercise check fma-loop
  matmul-tutor exercise check monday-tuesday answer.yaml --json";

/// A student's workshop.
struct Workshop {
    student: Student,
    source: CourseSource,
    exercises: Vec<Exercise>,
    worked: BTreeMap<String, Worked>,
}

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let mut workshop = Workshop::open(globals)?;
    let exit = match &args.command {
        Command::List { level, json } => workshop.list(level.as_deref(), *json)?,
        Command::Start { id, dir } => workshop.with(id, |_, exercise| start(exercise, dir.as_deref()))?,
        Command::Reset { id, dir } => workshop.with(id, |_, exercise| reset(exercise, dir.as_deref()))?,
        Command::Check(check) => {
            workshop.with(&check.id, |workshop, exercise| judge::check(workshop, exercise, check, globals))?
        }
        Command::Watch { id, file, estimate } => {
            let file = file.as_deref();
            workshop.with(id, |workshop, exercise| judge::watch(workshop, exercise, (file, estimate), globals))?
        }
        Command::Hint { id } => workshop.with(id, Workshop::hint)?,
        Command::Solution { id } => workshop.with(id, |workshop, exercise| workshop.solution(exercise))?,
    };
    workshop.student.print_notices();
    Ok(exit)
}

#[derive(Serialize)]
struct Listing<'a> {
    exercises: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    level: &'a str,
    kind: ExerciseKind,
    title: &'a str,
    objectives: &'a [String],
    tries: u32,
    passed: bool,
    starred: bool,
    hints: usize,
    /// Requirements in addition to this program.
    needs: Vec<&'static str>,
    goals: Vec<&'static str>,
    /// The report, in the series *Bugs that shipped*.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<&'a Found>,
}

impl Workshop {
    fn open(globals: &Globals) -> anyhow::Result<Self> {
        let student = Student::open(globals)?;
        let source = CourseSource::from_option(globals.course.as_deref());
        let (catalog, _) = Catalog::of_course_in(globals.course.as_deref(), globals.lang.code());
        let (exercises, problems) = workshop::read_in(&source, &catalog, globals.lang.code());
        for problem in &problems {
            output::note(problem);
        }
        let worked = student.store.worked(&student.outline.course).map_err(|error| store_error(&error))?;
        Ok(Self { student, source, exercises, worked })
    }

    fn course(&self) -> String {
        self.student.outline.course.clone()
    }

    /// Calls `act` with the exercise `id`, or reports that it does not exist.
    fn with(
        &mut self,
        id: &str,
        act: impl FnOnce(&mut Self, &Exercise) -> anyhow::Result<Exit>,
    ) -> anyhow::Result<Exit> {
        match found(&self.exercises, id).cloned() {
            Some(exercise) => act(self, &exercise),
            None => Ok(unknown(&self.exercises, id)),
        }
    }

    fn list(&self, level: Option<&str>, json: bool) -> anyhow::Result<Exit> {
        let level = level.map(|name| self.student.level(name).map(|level| level.id.clone())).transpose()?;
        let wanted = |exercise: &&Exercise| level.as_ref().is_none_or(|level| exercise.level == *level);
        let mut exercises: Vec<&Exercise> = self.exercises.iter().filter(wanted).collect();
        let place =
            |exercise: &Exercise| self.student.course.levels.iter().position(|level| level.id == exercise.level);
        exercises.sort_by_key(|exercise| {
            (exercise.found.is_some(), place(exercise).unwrap_or(usize::MAX), exercise.kind() as u8)
        });
        if json {
            output::json(&Listing { exercises: exercises.iter().map(|exercise| self.row(exercise)).collect() })?;
        } else {
            print::list(self, &exercises)?;
        }
        Ok(Exit::Done)
    }

    fn row<'a>(&self, exercise: &'a Exercise) -> Row<'a> {
        let worked = self.worked.get(&exercise.id).cloned().unwrap_or_default();
        let compiler = matches!(exercise.work, Work::Write(_)) && exercise.language == Language::Cuda;
        let mut goals: Vec<Goal> = Goal::ALL.into_iter().filter(|goal| *goal != Goal::Faster).collect();
        goals.extend(exercise.star.as_ref().map(|_| Goal::Faster));
        Row {
            id: &exercise.id,
            level: &exercise.level,
            kind: exercise.kind(),
            title: &exercise.title,
            objectives: &exercise.objectives,
            tries: worked.tries,
            passed: worked.passed,
            starred: worked.starred,
            hints: worked.hints.len(),
            needs: if compiler { vec!["nvrtc"] } else { Vec::new() },
            goals: goals.into_iter().map(Goal::name).collect(),
            found: exercise.found.as_ref(),
        }
    }

    fn hint(&mut self, exercise: &Exercise) -> anyhow::Result<Exit> {
        let course = self.course();
        let worked = self.worked.get(&exercise.id).cloned().unwrap_or_default();
        if worked.passed {
            output::line(t!("exercise-hint-passed", id = exercise.id.as_str()))?;
            return Ok(Exit::Done);
        }
        let opened = worked.hints;
        let finding = judge::last_finding(self, exercise)?;
        let Some((at, hint)) = exercise.next_hint(&opened, finding.as_ref()) else {
            output::line(t!("exercise-no-hint"))?;
            return Ok(Exit::Done);
        };
        self.student.store.hinted(&course, &exercise.id, at).map_err(|error| store_error(&error))?;
        let (number, of) = (opened.len() + 1, exercise.hints.len());
        let other = usize::from(hint.is_for_another(finding.as_ref()));
        output::line(t!("exercise-hint", number, of, text = hint.text.trim_end(), other))?;
        Ok(Exit::Done)
    }

    fn solution(&self, exercise: &Exercise) -> anyhow::Result<Exit> {
        let worked = self.worked.get(&exercise.id).cloned().unwrap_or_default();
        if !worked.passed && worked.hints.len() < exercise.hints.len() {
            let left = exercise.hints.len() - worked.hints.len();
            let message = t!("exercise-solution-closed", left);
            return Ok(failure(
                Exit::Failed,
                &message,
                Some(&t!("exercise-solution-closed-help", id = exercise.id.as_str())),
            ));
        }
        print::solution(exercise)?;
        Ok(Exit::Done)
    }
}

/// Creates the folder of an exercise.
fn start(exercise: &Exercise, dir: Option<&Path>) -> anyhow::Result<Exit> {
    let dir = dir.unwrap_or_else(|| Path::new(&exercise.id));
    let path = match workshop::start(exercise, dir) {
        Ok(path) => path.display().to_string(),
        Err(error @ FolderError::There(_)) => {
            let help = t!("exercise-there-help", id = exercise.id.as_str());
            return Ok(failure(Exit::Usage, error.to_string(), Some(&help)));
        }
        Err(error) => return Err(error.into()),
    };
    output::line(format_args!("{}\n", t!("exercise-started", file = path.as_str())))?;
    output::line(format_args!("{}\n", exercise.assignment()))?;
    let check = format!("matmul-tutor exercise check {} {}", exercise.id, path);
    output::line(t!("exercise-then", check))?;
    Ok(Exit::Done)
}

/// Restores the starter code and renames the existing file.
fn reset(exercise: &Exercise, dir: Option<&Path>) -> anyhow::Result<Exit> {
    let own = workshop::own(exercise);
    let dir = dir.unwrap_or_else(|| own.parent().unwrap_or(Path::new("")));
    match workshop::reset(exercise, dir) {
        Ok((file, kept)) => {
            let (file, kept) = (file.display().to_string(), kept.display().to_string());
            output::line(t!("exercise-reset", file, kept))?;
            Ok(Exit::Done)
        }
        Err(error @ FolderError::NotBegun(_)) => {
            let help = t!("exercise-not-begun-help", id = exercise.id.as_str());
            Ok(failure(Exit::Usage, error.to_string(), Some(&help)))
        }
        Err(error) => Err(error.into()),
    }
}

pub(super) fn found<'a>(exercises: &'a [Exercise], id: &str) -> Option<&'a Exercise> {
    exercises.iter().find(|exercise| exercise.id == id)
}

/// Reports that the exercise does not exist, and suggests the nearest name.
pub(super) fn unknown(exercises: &[Exercise], id: &str) -> Exit {
    let help = match tutor_support::text::nearest(id, exercises.iter().map(|exercise| exercise.id.as_str())) {
        Some(nearest) => t!("exercise-nearest", nearest),
        None => t!("exercise-none-help"),
    };
    failure(Exit::Usage, t!("exercise-none", id), Some(&help))
}

/// Returns the text of a submitted file.
fn handed_in(path: &Path) -> Result<String, String> {
    if path == Path::new("-") {
        return std::io::read_to_string(std::io::stdin().lock()).map_err(|error| error.to_string());
    }
    Ok(read_text(path)?)
}
