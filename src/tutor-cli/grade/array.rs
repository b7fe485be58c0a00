/*! Spreads submissions over a cluster with a Slurm job array. Each job judges its share.

The work is in a folder in the current directory, which all nodes can read. Each job writes one file per submission
there, and the collecting process reads them. If the collector dies, for example from `kill -9`, the jobs still end,
because each has a time limit.
*/

use super::record::Record;
use super::{Args, Class};
use crate::session::interruption;
use crate::support::{quoted, wait_for};
use crate::{Exit, Globals, output};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tutor_exec::protocol::{ExecError, ExecErrorKind};
use tutor_exec::worker::{COMMAND_VARIABLE, NoAnswer, answer_of};
use tutor_support::t;

/// Maximum jobs in an array: Slurm's default limit is 1001.
const MAX_JOBS: usize = 1000;
/// Time limit for one Slurm command. After a timeout, `sbatch` may still have submitted the array.
const ANSWERS_WITHIN: Duration = Duration::from_secs(60);
/// Time between two checks for finished submissions and job states.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Number of checks without a running job before a file counts as missing. Shared file systems may show a file late.
const LATE: usize = 10;
/// Minutes that a job gets in addition to the time for its submissions.
const BESIDE: u64 = 5;

/// The work of an array.
#[derive(Serialize, Deserialize)]
struct Work {
    seed: u64,
    files: Vec<PathBuf>,
    jobs: usize,
}

fn fault(message: String, help: Option<String>) -> ExecError {
    let error = ExecError::new(ExecErrorKind::Worker, message);
    match help {
        Some(help) => error.help(help),
        None => error,
    }
}

/// Runs a Slurm command and returns its output.
fn slurm(program: &str, arguments: &[&str]) -> Result<String, ExecError> {
    let mut command = Command::new(program);
    // Each job runs its worker on its own node, because it has a GPU or needs none.
    command.args(arguments).env_remove(COMMAND_VARIABLE);
    answer_of(&mut command, ANSWERS_WITHIN).map_err(|none| match none {
        NoAnswer::NotStarted(error) => {
            fault(t!("grade-no-slurm", program, why = error.to_string()), Some(t!("grade-no-slurm-help")))
        }
        NoAnswer::Silent => {
            let seconds = ANSWERS_WITHIN.as_secs();
            fault(t!("grade-slurm-silent", program, seconds), Some(t!("grade-slurm-silent-help")))
        }
        NoAnswer::Refused(why) => fault(t!("grade-slurm-refused", program, why), None),
    })
}

/// A submitted array. Dropping it cancels the jobs that still run.
struct Array(String);

impl Drop for Array {
    fn drop(&mut self) {
        // This has no effect on an array that has ended.
        let _ = slurm("scancel", &[&self.0]);
    }
}

impl Array {
    /// Returns the job states by array index. `None` if Slurm does not report them.
    fn states(&self) -> Option<BTreeMap<usize, String>> {
        let said = slurm("squeue", &["--noheader", "--array", "--states=all", "--format=%K|%T", "--jobs", &self.0]);
        let said = match said {
            Ok(said) => said,
            // Slurm forgets jobs some minutes after their end.
            Err(error) if error.message.to_string().contains("Invalid job id") => String::new(),
            Err(_) => return None,
        };
        let states = said.lines().filter_map(|line| {
            let (number, state) = line.trim().split_once('|')?;
            Some((number.parse().ok()?, state.to_owned()))
        });
        Some(states.collect())
    }
}

/// True if a job has ended.
fn has_ended(state: &str) -> bool {
    !matches!(
        state,
        "PENDING" | "CONFIGURING" | "RUNNING" | "COMPLETING" | "SUSPENDED" | "REQUEUED" | "STAGE_OUT" | "RESIZING"
    )
}

/// Judges the submissions in an array. Passes each record with its number to `done` as soon as it exists. Returns true
/// if a signal left out some of them, or the error of `done`.
///
/// # Errors
/// If Slurm is missing, if it refuses the options, or if the folder cannot be written.
pub(super) fn spread(
    called: &[(usize, &Path)],
    seed: u64,
    options: &str,
    (args, globals): (&Args, &Globals),
    done: impl FnMut(usize, Record) -> io::Result<()>,
) -> Result<io::Result<bool>, ExecError> {
    if called.is_empty() {
        return Ok(Ok(false));
    }
    let io = |error: io::Error| fault(t!("grade-spool", why = error.to_string()), None);
    let interrupted = interruption(true)?;
    let spool = std::env::current_dir().map_err(io)?.join(format!("matmul-tutor-grade-{}", std::process::id()));
    fs::create_dir(&spool).map_err(io)?;
    let files: Vec<PathBuf> =
        called.iter().map(|(_, file)| std::path::absolute(file)).collect::<Result<_, _>>().map_err(io)?;
    let jobs = files.len().min(MAX_JOBS);
    let work = Work { seed, files, jobs };
    let collected = fs::write(spool.join("work.json"), serde_json::to_vec(&work).unwrap_or_default())
        .map_err(io)
        .and_then(|()| submit(&spool, &work, options, args, globals))
        .map(|array| collect(&spool, (&work, called), &array, &interrupted, done));
    let _ = fs::remove_dir_all(&spool);
    collected
}

fn submit(spool: &Path, work: &Work, options: &str, args: &Args, globals: &Globals) -> Result<Array, ExecError> {
    let program =
        std::env::current_exe().map_err(|error| fault(t!("exec-worker-own-file", why = error.to_string()), None))?;
    let mut words = vec![program.into_os_string()];
    for (option, dir) in [("--course", &globals.course), ("--data", &globals.data)] {
        let dir = dir.as_ref().and_then(|dir| std::path::absolute(dir).ok());
        words.extend(dir.into_iter().flat_map(|dir| [option.into(), dir.into_os_string()]));
    }
    let on = serde_json::to_value(globals.on).ok();
    let on = on.as_ref().and_then(serde_json::Value::as_str).unwrap_or("auto");
    let (seconds, memory) = (args.seconds.to_string(), args.memory.to_string());
    let rest = [
        "--on",
        on,
        "--lang",
        globals.lang.code(),
        "class",
        "grade",
        &args.exercise,
        "--seconds",
        &seconds,
        "--memory",
        &memory,
    ];
    words.extend(rest.map(Into::into));
    words.extend(["--share-of".into(), spool.as_os_str().to_owned()]);
    let line = words.iter().map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ");
    let share = work.files.len().div_ceil(work.jobs) as u64;
    let minutes = (share * args.seconds).div_ceil(60) + BESIDE;
    let (array, time) = (format!("--array=0-{}", work.jobs - 1), format!("--time={minutes}"));
    let log = format!("--output={}", spool.join("%a.log").display());
    let wrap = format!("--wrap=exec {line}");
    let mut arguments = vec!["--parsable", "--job-name=matmul-tutor-grade", &array, &time, &log];
    // The user's options come last, so that they override the others.
    arguments.extend(options.split_whitespace());
    arguments.push(&wrap);
    let said = slurm("sbatch", &arguments)?;
    let id = said.trim().split(';').next().unwrap_or_default().to_owned();
    output::note(t!("grade-slurm", job = id.as_str(), jobs = work.jobs));
    Ok(Array(id))
}

/// Returns the path of a submission's record.
fn record_file(spool: &Path, at: usize) -> PathBuf {
    spool.join(format!("{at}.json"))
}

/// Collects the records and passes them to `done`.
fn collect(
    spool: &Path,
    (work, called): (&Work, &[(usize, &Path)]),
    array: &Array,
    interrupted: &AtomicBool,
    mut done: impl FnMut(usize, Record) -> io::Result<()>,
) -> io::Result<bool> {
    let mut missing: Vec<usize> = (0..called.len()).collect();
    let (mut looks_without, mut known) = (0, BTreeMap::new());
    while !missing.is_empty() && looks_without < LATE {
        let mut still = Vec::new();
        for at in missing {
            let record =
                fs::read(record_file(spool, at)).ok().and_then(|text| serde_json::from_slice::<Record>(&text).ok());
            match (record, called.get(at)) {
                (Some(record), Some((number, name))) => {
                    done(*number, Record { file: name.display().to_string(), ..record })?;
                }
                _ => still.push(at),
            }
        }
        missing = still;
        if interrupted.load(Ordering::Relaxed) {
            return Ok(true);
        }
        if let Some(states) = array.states() {
            let active = states.values().any(|state| !has_ended(state));
            looks_without = if active { 0 } else { looks_without + 1 };
            known.extend(states);
        }
        if !missing.is_empty() {
            wait_for(LOOK_EVERY);
        }
    }
    for at in missing {
        let Some((number, file)) = called.get(at) else { continue };
        let job = at % work.jobs;
        let state = known.get(&job).map_or("?", String::as_str);
        let log = fs::read_to_string(spool.join(format!("{job}.log"))).unwrap_or_default();
        let said = log.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        let why = format!("{} {said}", t!("grade-slurm-lost", job = format!("{}_{job}", array.0), state));
        done(*number, Record::unjudged(file.display().to_string(), why.trim_end().to_owned()))?;
    }
    Ok(false)
}

/// Judges this job's share of an array and writes one file per submission.
pub(super) fn judge_share<'a>(spool: &Path, class: impl FnOnce(u64) -> Class<'a>) -> anyhow::Result<Exit> {
    let work: Work = serde_json::from_slice(&fs::read(spool.join("work.json"))?)?;
    let number = std::env::var("SLURM_ARRAY_TASK_ID")?.parse()?;
    let share: Vec<(usize, &Path)> =
        work.files.iter().map(PathBuf::as_path).enumerate().skip(number).step_by(work.jobs.max(1)).collect();
    let graded = class(work.seed).graded(&share, |at, record| {
        let file = record_file(spool, at);
        let written = file.with_extension("part");
        fs::write(&written, serde_json::to_vec(&record)?)?;
        // The file is complete before it gets its final name.
        fs::rename(&written, &file)
    });
    Ok(if graded?? { Exit::Interrupted } else { Exit::Done })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_reaches_the_program_as_it_is() {
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("--seed=7"), "--seed=7");
    }

    #[test]
    fn a_job_that_may_still_write_is_waited_for() {
        assert!(!["PENDING", "RUNNING", "COMPLETING"].into_iter().any(has_ended));
        assert!(["COMPLETED", "FAILED", "TIMEOUT", "NODE_FAIL", "CANCELLED"].into_iter().all(has_ended));
    }
}
