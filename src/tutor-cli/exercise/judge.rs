//! Judges solutions.

use super::{CheckArgs, Workshop, handed_in, print};
use crate::prelude::*;
use crate::student::store_error;
use crate::support::estimating::{Estimate, EstimateOption, estimates};
use std::time::Duration;
use tutor_exec::judge::{Finding, Judged, Verdict};
use tutor_exec::protocol::{DeviceKind, ExecError, ExecErrorKind, Shape, Target};
use tutor_exec::results::LaunchState;
use tutor_exercises::{Answer, Exercise, Judgement, Language, Malformed, RACE, Watched, file, own, pack, reads_clock};
use tutor_progress::fresh_seed;
use tutor_support::sentence;
use tutor_support::text::is_forbidden;

/// Why there is no judgement.
pub(crate) enum Stop {
    /// The file is not an answer, or the exercise cannot be judged here: a message and optional advice.
    Refused(String, Option<String>),
    Exec(ExecError),
    /// The worker ended while it compiled this text, and works otherwise.
    Broke(ExecError),
    Interrupted,
}

impl Stop {
    fn report(self) -> Exit {
        match self {
            Self::Refused(message, help) => failure(Exit::Usage, &message, help.as_deref()),
            Self::Exec(error) | Self::Broke(error) => failure_of(&error),
            Self::Interrupted => Exit::Interrupted,
        }
    }
}

impl From<ExecError> for Stop {
    fn from(error: ExecError) -> Self {
        Self::Exec(error)
    }
}

/// Judges a file, stores it, and prints the findings.
pub(super) fn check(
    workshop: &mut Workshop,
    exercise: &Exercise,
    args: &CheckArgs,
    globals: &Globals,
) -> anyhow::Result<Exit> {
    let path = args.file.clone().unwrap_or_else(|| own(exercise));
    let text = match handed_in(&path) {
        Ok(text) => text,
        Err(message) => {
            let help = if path.exists() {
                t!("exercise-there-help", id = exercise.id.as_str())
            } else {
                t!("exercise-not-begun-help", id = exercise.id.as_str())
            };
            return Ok(failure(Exit::Usage, &message, args.file.is_none().then_some(help.as_str())));
        }
    };
    let session = Session::start()?;
    if let Some(exit) = args.estimate.refused() {
        return Ok(exit);
    }
    match judged(&workshop.source, exercise, (&path, &text), args.seed, &session, globals.on) {
        Ok((judgement, ptx)) => {
            keep(workshop, exercise, &text, &judgement)?;
            let estimate = estimated(exercise, (&judgement, &ptx), &args.estimate, &session);
            print::judgement(exercise, &judgement, estimate.as_ref(), args.json, globals)?;
            Ok(if judgement.passed() { Exit::Done } else { Exit::Failed })
        }
        Err(stop) => Ok(stop.report()),
    }
}

fn keep(workshop: &mut Workshop, exercise: &Exercise, text: &str, judgement: &Judgement) -> anyhow::Result<()> {
    let course = workshop.course();
    workshop.student.store.tried(&course, &exercise.id, &judgement.tried(text)).map_err(|error| store_error(&error))
}

/// Judges `text` from the file `path`. Also returns the judged PTX.
pub(crate) fn judged(
    source: &CourseSource,
    exercise: &Exercise,
    (path, text): (&Path, &str),
    seed: Option<u64>,
    session: &Session,
    on: Target,
) -> Result<(Judgement, String), Stop> {
    let answer = exercise.answer(text).map_err(|malformed| refused(&malformed))?;
    if let (Target::Cuda, Some(why)) = (on, session.describe()?.why_not_cuda) {
        return Err(ExecError::new(ExecErrorKind::NoDevice, why).into());
    }
    let judgement = |judged: Judged| Judgement::new(exercise, answer.clone(), judged);
    let compiled = match (&answer, exercise.choice(&answer)) {
        (_, Some(choice)) => packed(source, exercise, &choice)?.into(),
        (Answer::Source(_), _) if exercise.language == Language::Ptx => text.to_owned().into(),
        _ => {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let name = name.filter(|name| name != "-").unwrap_or_else(|| exercise.file_name());
            match session.compile_as(exercise.compiling(0, name, text.to_owned())) {
                Ok(compiled) => compiled,
                Err(error) if error.kind == ExecErrorKind::Compile => {
                    let mut finding = Finding::not_compiled(&error);
                    if let Some((line, c)) = odd_character(text) {
                        let code = format!("U+{:04X}", u32::from(c));
                        finding.help = Some(sentence!("exercise-odd-character", line, code));
                    }
                    let verdict = Verdict::Failed(Box::new(finding));
                    return Ok((judgement(verdict.into()), String::new()));
                }
                Err(error) if error.kind == ExecErrorKind::Worker && session.describe().is_ok() => {
                    return Err(Stop::Broke(error));
                }
                Err(error) => return Err(error.into()),
            }
        }
    };
    let solution = packed(source, exercise, &exercise.solution())?;
    let request = exercise.judging(1, &compiled, &solution, seed.unwrap_or_else(fresh_seed));
    let ptx = compiled.ptx;
    let Some(judged) = session.judge(request)? else { return Err(Stop::Interrupted) };
    let mut judgement = judgement(judged);
    if reads_clock(&ptx) {
        judgement.limits = sentence!("exercise-clock", limits = judgement.limits);
    }
    if judgement.passed() && on != Target::Emulator {
        race(exercise, &ptx, session, &mut judgement)?;
    }
    Ok((judgement, ptx))
}

/// Returns the first character outside line comments that editors and web pages write and compilers do not read: blanks
/// and line ends that are not ASCII, characters that show nothing, and curly quotation marks.
fn odd_character(text: &str) -> Option<(usize, char)> {
    let odd =
        |c: &char| !c.is_ascii() && (c.is_whitespace() || is_forbidden(*c) || matches!(c, '\u{2018}'..='\u{201f}'));
    let mut lines = (1..).zip(text.lines());
    lines.find_map(|(line, text)| Some((line, text.split("//").next()?.chars().find(odd)?)))
}

/// Estimates the time of a kernel that passed. A failure only leaves out the estimate. If the user asked for an estimate,
/// returns the reason why there is none.
pub(crate) fn estimated(
    exercise: &Exercise,
    (judgement, ptx): (&Judgement, &str),
    option: &EstimateOption,
    session: &Session,
) -> Option<Estimate> {
    if !option.is_given() && !judgement.passed() {
        return None;
    }
    let request = option.request(Shape::square(RACE), true).ok()??;
    if !judgement.passed() {
        return Some(Estimate::new(&request.gpu.device, Err(sentence!("estimate-unmet"))));
    }
    let found = estimates(session, 3, vec![exercise.program(ptx)], request).ok()??.pop();
    found.filter(|found| option.is_given() || found.estimated.is_some())
}

fn packed(source: &CourseSource, exercise: &Exercise, choice: &str) -> Result<String, Stop> {
    let texts = pack::read(source, &exercise.id);
    let text = texts.and_then(|mut texts| texts.remove(choice).ok_or_else(|| sentence!("exercise-no-choice", choice)));
    text.map_err(|why| {
        let message = t!("exercise-not-built", id = exercise.id.as_str(), why);
        Stop::Refused(message, Some(t!("exercise-not-built-help")))
    })
}

fn refused(malformed: &Malformed) -> Stop {
    let (message, help) = match malformed {
        Malformed::Missing(field) => (t!("exercise-form-missing", field), None),
        Malformed::Unknown(field, value, known) if known.is_empty() => {
            (t!("exercise-form-no-number", field, value), None)
        }
        Malformed::Unknown(field, value, known) => {
            let known = t!("exercise-form-known", known = known.join(", "));
            (t!("exercise-form-unknown", field, value), Some(known))
        }
        Malformed::NoForm(why) => (t!("exercise-form-none", why), None),
    };
    Stop::Refused(message, help)
}

/// Times the kernel on a GPU against the kernel of the exercise's star. Notes in the judgement if there is no GPU.
fn race(exercise: &Exercise, ptx: &str, session: &Session, judgement: &mut Judgement) -> Result<(), Stop> {
    let Some(request) = exercise.race(2, ptx, fresh_seed()) else { return Ok(()) };
    if session.describe()?.device.kind != DeviceKind::Cuda {
        judgement.faster = exercise.star.as_ref().map(|(rung, _)| sentence!("exercise-star-no-gpu", rung));
        return Ok(());
    }
    let race = session.launch(request, |_, _| {});
    if race.state == (LaunchState::Over { cancelled: true }) {
        return Err(Stop::Interrupted);
    }
    judgement.raced(exercise, ptx, &race);
    Ok(())
}

/// Judges the latest solution again and returns the finding. Returns `None` if there is none or it cannot be judged
/// here.
pub(super) fn last_finding(workshop: &Workshop, exercise: &Exercise) -> anyhow::Result<Option<Finding>> {
    let tries =
        workshop.student.store.tries(&workshop.course(), &exercise.id, 1).map_err(|error| store_error(&error))?;
    let Some(last) = tries.into_iter().next().filter(|last| last.failed.is_some()) else { return Ok(None) };
    let Ok(session) = Session::start() else { return Ok(None) };
    let name = file(exercise);
    Ok(match judged(&workshop.source, exercise, (Path::new(&name), &last.answer), None, &session, Target::Emulator) {
        Ok((Judgement { verdict: Verdict::Failed(finding), .. }, _)) => Some(*finding),
        _ => None,
    })
}

/// Judges a file whenever it changes.
pub(super) fn watch(
    workshop: &mut Workshop,
    exercise: &Exercise,
    (file, option): (Option<&Path>, &EstimateOption),
    globals: &Globals,
) -> anyhow::Result<Exit> {
    const LOOK_EVERY: Duration = Duration::from_millis(200);
    if let Some(exit) = option.refused() {
        return Ok(exit);
    }
    let path = file.map_or_else(|| own(exercise), Path::to_owned);
    let session = Session::start()?;
    let mut watched = Watched::new(path.clone());
    while !session.is_interrupted() && !output::reader_is_gone() {
        if let Some(Ok(text)) = watched.changed() {
            match judged(&workshop.source, exercise, (&path, &text), None, &session, globals.on) {
                Ok((judgement, ptx)) => {
                    keep(workshop, exercise, &text, &judgement)?;
                    print::judgement(exercise, &judgement, None, false, globals)?;
                    let found = estimated(exercise, (&judgement, &ptx), option, &session);
                    found.map_or(Ok(()), |found| print::estimate(&found))?;
                }
                Err(Stop::Interrupted) => break,
                Err(Stop::Exec(error)) if error.kind == ExecErrorKind::NoDevice => return Ok(failure_of(&error)),
                Err(stop) => drop(stop.report()),
            }
        }
        session.idle(LOOK_EVERY);
    }
    Ok(Exit::Interrupted)
}
