/*! Supports the batch system Slurm, if the worker's command is `srun`.

Each child is a separate job with a name by which `squeue` finds it, because the output of `srun` is not reliable for
programs. While the job waits, the caller waits too, without a limit, and sees the status from `squeue`. `srun` itself
cancels the job: it receives a signal when the thread that started it ends or dies, and gets time to cancel. So a killed
tutor leaves no job behind. If `srun` does not cancel the job, `scancel` does.

If the tutor itself runs in a job, `srun` makes a step of that job. Then the run starts at once, and there is no job to
cancel. */

use super::process::{has_ended, poll};
use crate::protocol::Queued;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// Maximum time for a status query. If Slurm's controller does not answer, its commands wait for minutes.
const ANSWERS_WITHIN: Duration = Duration::from_secs(3);
/// Maximum time for `srun` to cancel its job.
const GIVES_BACK_WITHIN: Duration = Duration::from_secs(4);
/// Maximum time for a job to get from running to its final state.
const ENDS_WITHIN: Duration = Duration::from_secs(4);

/// A job that `srun` creates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slurm {
    /// Directory of Slurm's commands; empty if the search path contains them.
    dir: PathBuf,
    name: String,
}

impl Slurm {
    /// Returns the job that a command creates, or `None` if the command is not `srun` or already runs in a job.
    pub(super) fn of(command: &[OsString], name: impl FnOnce() -> String, within_job: bool) -> Option<Self> {
        let (program, arguments) = command.split_first()?;
        let program = Path::new(program);
        if within_job || program.file_name() != Some(OsStr::new("srun")) {
            return None;
        }
        let dir = program.parent().unwrap_or(Path::new("")).to_owned();
        Some(Self { dir, name: name_in(arguments).unwrap_or_else(name) })
    }

    /// Makes `srun` create the job under its name, and cancel it when this thread ends.
    pub(super) fn prepare(&self, command: &mut Command) {
        command.env("SLURM_JOB_NAME", &self.name);
        #[cfg(target_os = "linux")]
        // SAFETY: The closure makes one system call, which is allowed between fork and exec.
        unsafe {
            std::os::unix::process::CommandExt::pre_exec(command, || {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
                Ok(())
            });
        }
    }

    /// Returns the job's current status, or `None` if Slurm does not know the job or does not answer.
    pub(super) fn look(&self) -> Option<Queued> {
        let name = format!("--name={}", self.name);
        let said = self.ask("squeue", &["--me", "--states=all", "--noheader", "--format=%i|%T|%r", &name])?;
        newest(&said)
    }

    /// Returns the job's status after the job has ended, or the last one after a limit.
    pub(super) fn look_at_end(&self) -> Option<Queued> {
        let mut seen = None;
        poll(ENDS_WITHIN, || {
            seen = self.look();
            seen.as_ref().is_none_or(|job| !matches!(job.state.as_str(), "RUNNING" | "COMPLETING")).then_some(())
        });
        seen
    }

    /// Lets `srun` cancel its job and end. If it does not, calls `scancel`.
    pub(super) fn give_back(&self, srun: &mut Child) {
        #[cfg(unix)]
        if let Ok(process) = libc::pid_t::try_from(srun.id())
            && process > 1
        {
            // SAFETY: This signals a child that has not been reaped yet.
            unsafe { libc::kill(process, libc::SIGTERM) };
        }
        if poll(GIVES_BACK_WITHIN, || has_ended(srun).then_some(())).is_none() {
            self.ask("scancel", &["--me", &format!("--name={}", self.name)]);
        }
    }

    /// Returns the standard output of a Slurm command, or `None` if the command fails or takes too long.
    fn ask(&self, program: &str, arguments: &[&str]) -> Option<String> {
        answer_of(Command::new(self.dir.join(program)).args(arguments), ANSWERS_WITHIN).ok()
    }
}

/// Why a Slurm command gives no answer.
#[derive(Debug)]
pub enum NoAnswer {
    NotStarted(io::Error),
    /// It took too long and was killed.
    Silent,
    /// It failed, with this text on standard error.
    Refused(String),
}

/// Runs a Slurm command, and returns its standard output, within a time limit.
pub fn answer_of(command: &mut Command, within: Duration) -> Result<String, NoAnswer> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(NoAnswer::NotStarted)?;
    // The streams are read while it runs, because a long queue does not fit into a pipe.
    let (out, err) = (child.stdout.take().map(read_aside), child.stderr.take().map(read_aside));
    let Some(status) = poll(within, || child.try_wait().ok().flatten()) else {
        let _ = child.kill();
        let _ = child.wait();
        return Err(NoAnswer::Silent);
    };
    let said = |reader: Option<Receiver<String>>| {
        reader.and_then(|reader| reader.recv_timeout(within).ok()).unwrap_or_default()
    };
    if status.success() { Ok(said(out)) } else { Err(NoAnswer::Refused(said(err).trim().to_owned())) }
}

/// Reads a whole stream on a separate thread. A process that the killed command started may keep it open.
fn read_aside(mut stream: impl Read + Send + 'static) -> Receiver<String> {
    let (done, read) = mpsc::channel();
    let reader = std::thread::Builder::new().name("slurm".into());
    let _ = reader.spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let _ = done.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    read
}

/// Returns the job name from the options of `srun`.
fn name_in(arguments: &[OsString]) -> Option<String> {
    let mut words = arguments.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        if word == "-J" || word == "--job-name" {
            return words.next().map(Into::into);
        }
        let joined = word.strip_prefix("--job-name=").or_else(|| word.strip_prefix("-J"));
        if let Some(name) = joined {
            return Some(name.to_owned());
        }
    }
    None
}

/// Returns the newest job in the lines of `squeue`, each `id|STATE|reason`.
fn newest(said: &str) -> Option<Queued> {
    let jobs = said.lines().filter_map(|line| {
        let mut fields = line.trim().splitn(3, '|');
        let (job, state, reason) = (fields.next()?, fields.next()?, fields.next()?);
        let number: u64 = job.split(['_', '+']).next()?.parse().ok()?;
        let reason = reason.trim_matches(['(', ')']);
        let reason = if reason == "None" { "" } else { reason };
        Some((number, Queued { job: job.to_owned(), state: state.to_owned(), reason: reason.to_owned() }))
    });
    jobs.max_by_key(|(number, _)| *number).map(|(_, job)| job)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slurm(command: &str) -> Option<Slurm> {
        let words: Vec<OsString> = command.split(' ').map(Into::into).collect();
        Slurm::of(&words, || "own".into(), false)
    }

    #[test]
    fn srun_is_known_wherever_it_lies_and_nothing_else_is() {
        let at = |command| slurm(command).map(|slurm| (slurm.dir.display().to_string(), slurm.name));
        assert_eq!(at("srun --gres=gpu:1 matmul-tutor worker"), Some((String::new(), "own".into())));
        assert_eq!(at("/opt/slurm/bin/srun matmul-tutor worker"), Some(("/opt/slurm/bin".into(), "own".into())));
        assert_eq!(at("ssh login srun matmul-tutor worker"), None);
        assert_eq!(at("matmul-tutor worker"), None);
        assert_eq!(Slurm::of(&["srun".into()], || "own".into(), true), None);
    }

    #[test]
    fn a_name_that_srun_is_given_is_the_jobs_name() {
        let name = |command| slurm(command).unwrap().name;
        assert_eq!(name("srun -Jmine matmul-tutor worker"), "mine");
        assert_eq!(name("srun --gres=gpu:1 --job-name=mine matmul-tutor worker"), "mine");
        assert_eq!(name("srun -p gpu -J mine matmul-tutor worker"), "mine");
    }

    #[cfg(unix)]
    #[test]
    fn an_answer_has_a_limit_of_time_and_none_of_length() {
        let shell = |script: &str, within| answer_of(Command::new("sh").args(["-c", script]), within);
        let long = Duration::from_secs(60);
        assert_eq!(shell("seq 100000", long).unwrap().lines().count(), 100_000);
        assert!(matches!(shell("echo no >&2; exit 1", long), Err(NoAnswer::Refused(why)) if why == "no"));
        // A process that it left running keeps the stream open.
        assert!(matches!(shell("sleep 600 & wait", Duration::from_millis(50)), Err(NoAnswer::Silent)));
        assert!(matches!(answer_of(&mut Command::new("/no/such"), long), Err(NoAnswer::NotStarted(_))));
    }

    #[test]
    fn the_youngest_job_of_a_name_is_meant() {
        let queued = |job: &str, state: &str, reason: &str| Queued {
            job: job.into(),
            state: state.into(),
            reason: reason.into(),
        };
        let said = "12|CANCELLED|None\n123|PENDING|Priority\n";
        assert_eq!(newest(said), Some(queued("123", "PENDING", "Priority")));
        assert_eq!(newest("7|RUNNING|None\n"), Some(queued("7", "RUNNING", "")));
        assert_eq!(newest("squeue: something else\n"), None);
    }
}
