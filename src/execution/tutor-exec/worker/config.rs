//! Configures how the worker is started, and how long it may stay silent.

use super::slurm::Slurm;
use crate::protocol::{ExecError, ExecErrorKind, Request, Shape, Target};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;
use tutor_kernels::nvrtc;
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// The environment variable with the worker's whole command, e.g. `ssh gpu-box matmul-tutor worker`.
pub const COMMAND_VARIABLE: &str = "MATMUL_TUTOR_WORKER";

/// How long an idle Slurm job is kept, unless the user sets another time.
const HOLD: Duration = Duration::from_secs(60);

/// The environment variable that tells a worker not to open the GPU, and why: a sentence as JSON.
const WITHOUT_GPU: &str = "MATMUL_TUTOR_WITHOUT_GPU";

/// Returns why this worker must not open the GPU.
#[cfg(feature = "cuda")]
pub(crate) fn gpu_refused() -> Option<ExecError> {
    let why: Sentence = serde_json::from_str(&std::env::var(WITHOUT_GPU).ok()?).ok()?;
    Some(ExecError::new(ExecErrorKind::NoDevice, why).help(sentence!("exec-driver-help")))
}

static HOLD_FOR: OnceLock<Duration> = OnceLock::new();

/// Sets how long an idle worker is kept. By default, a worker in a Slurm job ends after a minute, and any other worker
/// ends with the tutor.
pub fn hold_for(time: Duration) {
    // The command line calls this once.
    let _ = HOLD_FOR.set(time);
}

/// How the worker is started, and how long it may stay silent.
#[derive(Debug, Clone)]
pub struct WorkerConfig {
    command: Vec<OsString>,
    limit: Option<Duration>,
    hold: Option<Duration>,
    /// Why the worker must not open the GPU, if it must not.
    without_gpu: Option<Sentence>,
}

impl WorkerConfig {
    /// The environment variable that marks a process started as a worker.
    const STARTED: &str = "MATMUL_TUTOR_STARTED_AS_WORKER";

    /// Uses the user's command if there is one, else this program's `worker` subcommand.
    ///
    /// # Errors
    /// If the variable's quotes do not match, if the program cannot find itself, or if this process was itself started
    /// as a worker. Such a worker would start the next one, without end.
    pub fn from_environment() -> Result<Self, ExecError> {
        if std::env::var_os(Self::STARTED).is_some() {
            return Err(fault(sentence!("exec-worker-chain"))
                .help(sentence!("exec-worker-chain-help", variable = COMMAND_VARIABLE)));
        }
        if let Some(command) = std::env::var(COMMAND_VARIABLE).ok().filter(|text| !text.trim().is_empty()) {
            let words = split_words(&command).ok_or_else(|| {
                fault(sentence!("exec-worker-quote", variable = COMMAND_VARIABLE, command))
                    .help(sentence!("exec-worker-quote-help"))
            })?;
            return Ok(Self::command(words));
        }
        Self::here()
    }

    /// Uses this program's `worker` subcommand, whatever the environment contains.
    ///
    /// # Errors
    /// If the program cannot find itself.
    pub fn here() -> Result<Self, ExecError> {
        let program = std::env::current_exe().map_err(|error| fault(sentence!("exec-worker-own-file", why = error)))?;
        let mut words = vec![program.into_os_string(), "worker".into()];
        // The worker looks for NVRTC in the same places as this process.
        words.extend(nvrtc::private().into_iter().flat_map(|dir| ["--nvrtc".into(), dir.into()]));
        Ok(Self::command(words))
    }

    /// Uses the given command: a program and its arguments.
    pub fn command<T: Into<OsString>>(words: impl IntoIterator<Item = T>) -> Self {
        let command = words.into_iter().map(Into::into).collect();
        Self { command, limit: None, hold: HOLD_FOR.get().copied(), without_gpu: None }
    }

    /// Sets a fixed limit on the silence during a request, instead of one that grows with the work. The worker is
    /// killed after it.
    #[must_use]
    pub fn with_limit(mut self, limit: Duration) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Ends a worker that has been idle for `hold`.
    #[must_use]
    pub fn with_hold(mut self, hold: Duration) -> Self {
        self.hold = Some(hold);
        self
    }

    /// Makes the next worker leave the GPU alone, because the driver has taken this one down. Returns false if the
    /// driver was not the cause, or if the worker is not this program and so would not learn it.
    pub(super) fn leave_gpu(&mut self, request: &Request, why: Sentence) -> bool {
        let opens = match request {
            Request::Describe => true,
            Request::Launch(launch) => launch.on != Target::Emulator && !launch.only_estimates(),
            _ => false,
        };
        opens && self.is_this_program() && self.without_gpu.replace(why).is_none()
    }

    /// Returns how long an idle worker is kept; `None` means without limit.
    pub(super) fn hold(&self) -> Option<Duration> {
        self.hold.or_else(|| self.is_queued().then_some(HOLD))
    }

    /// True if the command starts this program on this machine.
    pub fn is_this_program(&self) -> bool {
        std::env::current_exe().is_ok_and(|program| self.command.first() == Some(&program.into_os_string()))
    }

    /// True if each worker waits in a queue for a machine, which should not stay reserved without need.
    pub fn is_queued(&self) -> bool {
        self.slurm(0).is_some()
    }

    /// Returns the Slurm job for the child with this number.
    pub(super) fn slurm(&self, child: u64) -> Option<Slurm> {
        let within_job = std::env::var_os("SLURM_JOB_ID").is_some();
        Slurm::of(&self.command, || format!("matmul-tutor-{}-{child}", std::process::id()), within_job)
    }

    /// True if the command connects to another machine with `ssh`.
    pub(super) fn is_ssh(&self) -> bool {
        self.command.first().is_some_and(|program| Path::new(program).file_stem() == Some("ssh".as_ref()))
    }

    pub(super) fn build(&self) -> Option<Command> {
        let (program, arguments) = self.command.split_first()?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env(Self::STARTED, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // The child gets its own process group. So the processes that a launcher starts end with it, and Ctrl-C in the
        // terminal does not reach it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        if let Some(why) = self.without_gpu.as_ref().and_then(|why| serde_json::to_string(why).ok()) {
            command.env(WITHOUT_GPU, why);
        }
        Some(command)
    }

    /// Returns the command for messages.
    pub(super) fn shown(&self) -> String {
        self.command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    /// Returns how long a request may go without a reply.
    ///
    /// A worker replies between steps. The longest step is one launch of one kernel. The slowest kernel on the slowest
    /// supported GPU does about 20 GFLOP/s. Blocks compute whole tiles, also of a small product.
    pub(super) fn silence(&self, request: &Request) -> Duration {
        const BASE: Duration = Duration::from_secs(30);
        const SLOWEST_FLOPS: f64 = 20e9;
        self.limit.unwrap_or_else(|| match request {
            Request::Launch(launch) => {
                let Shape { m, n, k, batch } = launch.shape;
                let flop = Shape { batch, ..Shape::new(m.max(128), n.max(128), k.max(64)) }.flop();
                BASE + Duration::try_from_secs_f64(flop / SLOWEST_FLOPS).unwrap_or(Duration::MAX / 2)
            }
            _ => 2 * BASE,
        })
    }
}

fn fault(message: Sentence) -> ExecError {
    ExecError::new(ExecErrorKind::Worker, message)
}

/// Splits at white space. Single and double quotes keep words together. Returns `None` if a quote is not closed.
fn split_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_as_a_shell_would() {
        let split = |text| split_words(text).map(|words| words.join("|"));
        assert_eq!(split("ssh gpu-box  matmul-tutor worker").unwrap(), "ssh|gpu-box|matmul-tutor|worker");
        assert_eq!(split("sh -c 'cd \"a b\" && ./t worker' ''").unwrap(), "sh|-c|cd \"a b\" && ./t worker|");
        assert_eq!(split("ssh 'gpu"), None);
    }
}
