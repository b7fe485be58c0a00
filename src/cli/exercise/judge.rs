//! Judging what was handed in.

use super::{CheckArgs, Workshop, folder, handed_in, print};
use crate::cli::session::{Ended, Session};
use crate::cli::student::stored;
use crate::cli::support::saves::Saves;
use crate::cli::{Exit, Globals, failure, failure_of};
use crate::exec::judge::{Finding, Verdict};
use crate::exec::protocol::{
    DeviceKind, ExecError, ExecErrorKind, LaunchRequest, Program, Reply, Shape, Subject, Target,
};
use crate::mastery::{Try, fresh_seed};
use crate::t;
use crate::workshop::{Answer, Exercise, Language, Malformed, Work, pack};
use std::path::Path;

/// A judgement, as it is printed.
pub(super) struct Judgement {
    pub(super) answer: Answer,
    pub(super) verdict: Verdict,
    /// Of a repair: whether the line is one at fault.
    pub(super) line_right: Option<bool>,
    /// Whether it is fast enough; none if that was not measured.
    pub(super) star: Option<bool>,
    /// What the star rests on: a sentence.
    pub(super) faster: Option<String>,
}

impl Judgement {
    pub(super) fn passed(&self) -> bool {
        self.verdict == Verdict::Passed && self.line_right != Some(false)
    }

    /// The first goal that is not met.
    pub(super) fn failed(&self) -> Option<&'static str> {
        match &self.verdict {
            Verdict::Failed(finding) => Some(finding.goal.name()),
            Verdict::Passed if self.line_right == Some(false) => Some("line"),
            Verdict::Passed => None,
        }
    }
}

/// Why there is no judgement.
enum Stop {
    Exit(Exit),
    Exec(ExecError),
    Interrupted,
}

impl From<ExecError> for Stop {
    fn from(error: ExecError) -> Self {
        Self::Exec(error)
    }
}

/// Judges a file, keeps it, prints what was found.
pub(super) fn check(
    workshop: &mut Workshop,
    exercise: &Exercise,
    args: &CheckArgs,
    globals: &Globals,
) -> anyhow::Result<Exit> {
    let path = args.file.clone().unwrap_or_else(|| folder::own(exercise));
    let text = match handed_in(&path) {
        Ok(text) => text,
        Err(message) => {
            let help = t!("exercise-not-begun-help", id = exercise.id.as_str());
            return Ok(failure(Exit::Usage, &message, args.file.is_none().then_some(help.as_str())));
        }
    };
    let session = match Session::start() {
        Ok(session) => session,
        Err(error) => return Ok(failure_of(&error)),
    };
    match judged(workshop, exercise, &path, &text, args.seed, &session, globals.on) {
        Ok(judgement) => {
            keep(workshop, exercise, &text, &judgement)?;
            print::judgement(exercise, &judgement, args.json, globals)?;
            Ok(if judgement.passed() { Exit::Done } else { Exit::Failed })
        }
        Err(Stop::Exit(exit)) => Ok(exit),
        Err(Stop::Exec(error)) => Ok(failure_of(&error)),
        Err(Stop::Interrupted) => Ok(Exit::Interrupted),
    }
}

fn keep(workshop: &mut Workshop, exercise: &Exercise, text: &str, judgement: &Judgement) -> anyhow::Result<()> {
    let tried = Try {
        answer: text.to_owned(),
        failed: judgement.failed().map(str::to_owned),
        starred: judgement.passed() && judgement.star == Some(true),
    };
    let course = workshop.course();
    workshop.student.store.tried(&course, &exercise.id, &tried).map_err(|error| stored(&error))
}

fn judged(
    workshop: &Workshop,
    exercise: &Exercise,
    path: &Path,
    text: &str,
    seed: Option<u64>,
    session: &Session,
    on: Target,
) -> Result<Judgement, Stop> {
    let answer = exercise.answer(text).map_err(|malformed| Stop::Exit(refused(&malformed)))?;
    let line_right = match (&exercise.work, &answer) {
        (Work::Repair(repair), Answer::Cure { line, .. }) => Some(repair.lines.contains(line)),
        _ => None,
    };
    let judgement = |verdict| Judgement { answer: answer.clone(), verdict, line_right, star: None, faster: None };
    let ptx = match (&answer, exercise.choice(&answer)) {
        (_, Some(choice)) => packed(workshop, exercise, &choice)?,
        (Answer::Source(_), _) if exercise.language == Language::Ptx => text.to_owned(),
        _ => {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let name = name.filter(|name| name != "-").unwrap_or_else(|| exercise.file_name());
            match session.compile(&name, text.to_owned(), Some(&exercise.kernel)) {
                Ok((ptx, _)) => ptx,
                Err(error) if error.kind == ExecErrorKind::Compile => {
                    return Ok(judgement(Verdict::Failed(Box::new(Finding::not_compiled(&error)))));
                }
                Err(error) => return Err(error.into()),
            }
        }
    };
    let solution = packed(workshop, exercise, &exercise.solution())?;
    let request = exercise.judging(1, &ptx, &solution, seed.unwrap_or_else(fresh_seed));
    let Some(verdict) = session.judge(request)? else { return Err(Stop::Interrupted) };
    let mut judgement = judgement(verdict);
    if judgement.passed() && on != Target::Emulator {
        (judgement.star, judgement.faster) = star(exercise, &ptx, session)?;
    }
    Ok(judgement)
}

fn packed(workshop: &Workshop, exercise: &Exercise, choice: &str) -> Result<String, Stop> {
    let texts = pack::read(&workshop.source, &exercise.id);
    let text =
        texts.and_then(|mut texts| texts.remove(choice).ok_or_else(|| t!("exercise-no-choice", choice = choice)));
    text.map_err(|why| {
        let message = t!("exercise-not-built", id = exercise.id.as_str(), why = why);
        Stop::Exit(failure(Exit::Usage, &message, Some(&t!("exercise-not-built-help"))))
    })
}

fn refused(malformed: &Malformed) -> Exit {
    let (message, help) = match malformed {
        Malformed::Missing(field) => (t!("exercise-form-missing", field = field), None),
        Malformed::Unknown(field, value, known) if known.is_empty() => {
            (t!("exercise-form-no-number", field = field, value = value), None)
        }
        Malformed::Unknown(field, value, known) => {
            let known = t!("exercise-form-known", known = known.join(", "));
            (t!("exercise-form-unknown", field = field, value = value), Some(known))
        }
        Malformed::NoForm(why) => (t!("exercise-form-none", why = why), None),
    };
    failure(Exit::Usage, &message, help.as_deref())
}

/// Whether a GPU runs it faster than the kernel that it is held against; nothing without a GPU.
fn star(exercise: &Exercise, ptx: &str, session: &Session) -> Result<(Option<bool>, Option<String>), Stop> {
    const SIZE: u32 = 2048;
    let Some((rung, by)) = &exercise.star else { return Ok((None, None)) };
    if session.describe()?.device.kind != DeviceKind::Cuda {
        return Ok((None, Some(t!("exercise-star-no-gpu", rung = rung))));
    }
    let request = LaunchRequest {
        id: 2,
        programs: vec![exercise.program(ptx), Program::new(rung)],
        shape: Shape::square(SIZE),
        alpha: 1.0,
        beta: 0.0,
        on: Target::Cuda,
        seed: fresh_seed(),
        time: true,
        seconds: 1.0,
        cublas: false,
        verify: true,
        counts: false,
        hazards: false,
    };
    let (mut times, mut right) = ([None; 2], true);
    let ended = session.launch(request, |reply| match reply {
        Reply::Timed { subject: Subject::Program(at @ (0 | 1)), timing, .. } => times[at] = Some(timing.median_ms),
        Reply::Verified { program: 0, verification, .. } => right &= verification.verified,
        _ => {}
    })?;
    if ended == Ended::Interrupted {
        return Err(Stop::Interrupted);
    }
    let [Some(own), Some(theirs)] = times else { return Ok((None, None)) };
    let share = theirs / own;
    let ratio = format!("{share:.2}");
    let sentence = t!("exercise-star-measured", ratio = ratio, rung = rung, n = SIZE);
    Ok((Some(right && share >= *by), Some(sentence)))
}

/// What was found with the latest solution; nothing if there is none, or it cannot be judged here.
pub(super) fn last_finding(workshop: &Workshop, exercise: &Exercise) -> anyhow::Result<Option<Finding>> {
    let tries = workshop.student.store.tries(&workshop.course(), &exercise.id, 1).map_err(|error| stored(&error))?;
    let Some(last) = tries.into_iter().next().filter(|last| last.failed.is_some()) else { return Ok(None) };
    let Ok(session) = Session::start() else { return Ok(None) };
    let name = folder::file(exercise);
    Ok(match judged(workshop, exercise, Path::new(&name), &last.answer, None, &session, Target::Emulator) {
        Ok(Judgement { verdict: Verdict::Failed(finding), .. }) => Some(*finding),
        _ => None,
    })
}

/// Judges a file each time that it changes.
pub(super) fn watch(
    workshop: &mut Workshop,
    exercise: &Exercise,
    file: Option<&Path>,
    globals: &Globals,
) -> anyhow::Result<Exit> {
    let path = file.map_or_else(|| folder::own(exercise), Path::to_owned);
    let session = match Session::start() {
        Ok(session) => session,
        Err(error) => return Ok(failure_of(&error)),
    };
    let mut saves = Saves::of(&path);
    while saves.next(&session) {
        let Ok(text) = handed_in(&path) else { continue };
        match judged(workshop, exercise, &path, &text, None, &session, globals.on) {
            Ok(judgement) => {
                keep(workshop, exercise, &text, &judgement)?;
                print::judgement(exercise, &judgement, false, globals)?;
            }
            Err(Stop::Interrupted) => break,
            Err(Stop::Exec(error)) if error.kind == ExecErrorKind::NoDevice => return Ok(failure_of(&error)),
            Err(Stop::Exec(error)) => drop(failure_of(&error)),
            Err(Stop::Exit(_)) => {}
        }
    }
    Ok(Exit::Interrupted)
}
