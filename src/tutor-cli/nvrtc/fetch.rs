//! Runs uv or pip, which downloads the wheel and checks its digest.

use crate::prelude::*;
use crate::support::progress::ProgressLine;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read as _};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use tutor_support::figures::grouped;
use tutor_support::text;

/// The pinned wheel with its digests.
const REQUIREMENTS: &str = include_str!("../../../kernels/requirements.txt");
/// Maximum bytes of the tool's error output that are kept.
const MAX_OUTPUT_BYTES: u64 = 256 << 10;
const LOOK_EVERY: Duration = Duration::from_millis(100);

pub(super) enum Fetched {
    Done,
    Interrupted,
    /// The package index cannot be reached.
    Offline,
    /// The tool's last message.
    Failed(String),
}

/// A tool that installs Python packages into a folder.
pub(super) enum Installer {
    Uv,
    /// A Python with pip.
    Pip(&'static str),
    /// A Python without pip that can create an environment with pip.
    Venv(&'static str),
}

/// Returns the best available installer.
pub(super) fn installer() -> Option<Installer> {
    let runs = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if runs("uv", &["--version"]) {
        return Some(Installer::Uv);
    }
    const PYTHONS: [&str; 2] = ["python3", "python"];
    let pip = PYTHONS.into_iter().find(|python| runs(python, &["-m", "pip", "--version"])).map(Installer::Pip);
    let venv =
        || PYTHONS.into_iter().find(|python| runs(python, &["-c", "import venv, ensurepip"])).map(Installer::Venv);
    pip.or_else(venv)
}

impl Installer {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Uv => "uv",
            Self::Pip(_) | Self::Venv(_) => "pip",
        }
    }

    /// Downloads the wheel into `packages`. Temporary files go into `part`.
    pub(super) fn fetch(&self, part: &Path, packages: &Path) -> io::Result<Fetched> {
        let requirements = part.join("requirements.txt");
        fs::write(&requirements, REQUIREMENTS)?;
        let watch = Watch::new(part)?;
        let python = match self {
            Self::Uv => None,
            Self::Pip(python) => Some(OsString::from(python)),
            Self::Venv(python) => {
                let venv = part.join("venv");
                let made = watch.run(Command::new(python).args(["-m", "venv"]).arg(&venv))?;
                if !matches!(made, Fetched::Done) {
                    return Ok(made);
                }
                Some(venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" }).into_os_string())
            }
        };
        let mut command = match &python {
            None => {
                let mut uv = Command::new("uv");
                // The default cache may be on another disk, where the progress display would not see it.
                uv.args(["pip", "install", "--no-progress", "--no-python-downloads", "--cache-dir"])
                    .arg(part.join("tmp"));
                uv.env("UV_HTTP_TIMEOUT", "15");
                uv
            }
            Some(python) => {
                let mut pip = Command::new(python);
                pip.args([
                    "-m",
                    "pip",
                    "install",
                    "--disable-pip-version-check",
                    "--no-input",
                    "--progress-bar",
                    "off",
                ]);
                pip.args(["--retries", "1", "--timeout", "15"]);
                // Installing into a folder needs no virtual environment.
                pip.env("PIP_REQUIRE_VIRTUALENV", "0").env("PIP_USER", "0");
                pip
            }
        };
        command.args(["--no-deps", "--only-binary", ":all:", "--require-hashes", "--target"]).arg(packages);
        watch.run(command.arg("-r").arg(requirements))
    }
}

/// Runs a tool, shows its progress, and stops it after a signal.
struct Watch<'a> {
    part: &'a Path,
    stop: Arc<AtomicBool>,
}

impl<'a> Watch<'a> {
    fn new(part: &'a Path) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&stop))?;
        }
        Ok(Self { part, stop })
    }

    fn run(&self, command: &mut Command) -> io::Result<Fetched> {
        let tmp = self.part.join("tmp");
        command.envs(["TMPDIR", "TEMP", "TMP"].map(|name| (OsStr::new(name), tmp.as_os_str())));
        command.env("PYTHONDONTWRITEBYTECODE", "1").env("LC_ALL", "C");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        // In a separate process group, the tool's children can be ended with it, and only this process gets the
        // terminal's Ctrl-C.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut child = command.spawn()?;
        let (sender, said) = mpsc::channel();
        if let Some(stderr) = child.stderr.take() {
            std::thread::Builder::new().name("nvrtc".to_owned()).spawn(move || {
                let mut text = Vec::new();
                let mut stderr = stderr;
                let _ = stderr.by_ref().take(MAX_OUTPUT_BYTES).read_to_end(&mut text);
                let _ = io::copy(&mut stderr, &mut io::sink());
                let _ = sender.send(String::from_utf8_lossy(&text).into_owned());
            })?;
        }
        let mut line = ProgressLine::at_once();
        let said = loop {
            match said.recv_timeout(LOOK_EVERY) {
                Ok(text) => break text,
                Err(RecvTimeoutError::Disconnected) => break String::new(),
                Err(RecvTimeoutError::Timeout) if self.stop.load(Ordering::Relaxed) => {
                    end(&mut child);
                    return Ok(Fetched::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) => {
                    line.show(&t!("nvrtc-progress", mb = grouped(bytes_in(self.part) / 1_000_000)));
                }
            }
        };
        let status = child.wait()?;
        drop(line);
        Ok(if self.stop.load(Ordering::Relaxed) {
            Fetched::Interrupted
        } else if status.success() {
            Fetched::Done
        } else if is_offline(&said) {
            Fetched::Offline
        } else {
            Fetched::Failed(last_words(&said).unwrap_or_else(|| status.to_string()))
        })
    }
}

/// Ends a tool and its children.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child.id()) {
        // SAFETY: the group belongs to the child, and the child has not been waited for, so its id is still in use.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => bytes_in(&entry.path()),
        _ => entry.metadata().map_or(0, |metadata| metadata.len()),
    };
    entries.map(size).sum()
}

/// True if uv or pip could not reach the package index.
fn is_offline(said: &str) -> bool {
    const SIGNS: [&str; 12] = [
        "failure in name resolution",
        "name or service not known",
        "nodename nor servname",
        "getaddrinfo failed",
        "dns error",
        "failed to establish a new connection",
        "network is unreachable",
        "connection refused",
        "timed out",
        "error sending request",
        "proxyerror",
        "no route to host",
    ];
    let said = said.to_lowercase();
    SIGNS.iter().any(|sign| said.contains(sign))
}

/// Returns the tool's error line, else the last line that it printed.
fn last_words(said: &str) -> Option<String> {
    let is_error = |line: &&str| line.to_lowercase().starts_with("error");
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let found = lines().find(is_error).or_else(|| lines().next_back())?;
    Some(text::line(found).chars().take(300).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_kernels::nvrtc::{PINNED_ASSEMBLER, PINNED_WHEEL};

    #[test]
    fn the_wheels_that_are_fetched_are_the_pinned_ones_with_their_digests() {
        let lines: Vec<&str> = REQUIREMENTS.lines().filter(|line| !line.starts_with('#')).collect();
        let python = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../pyproject.toml")).unwrap();
        let wheels: Vec<&str> = lines.chunks(3).map(|wheel| wheel[0].trim_end_matches('\\').trim()).collect();
        assert_eq!((wheels.len(), wheels[0], wheels[1]), (5, PINNED_WHEEL, PINNED_ASSEMBLER));
        for (wheel, lines) in wheels.iter().zip(lines.chunks(3)) {
            let digests = lines.iter().filter_map(|line| line.trim().strip_prefix("--hash=sha256:"));
            assert_eq!(digests.map(|digest| digest.trim_end_matches('\\').trim().len()).collect::<Vec<_>>(), [64; 2]);
            assert!(python.contains(&format!("\"{wheel};")), "the wheel's extra asks for the same");
        }
    }

    #[test]
    fn what_the_tools_say_without_a_network_is_known() {
        for said in [
            "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<pip._vendor…>: Failed to \
             establish a new connection: [Errno -3] Temporary failure in name resolution')'\nERROR: Could not find a version",
            "error: Failed to fetch: `https://pypi.org/simple/x/`\n  Caused by: dns error",
        ] {
            assert!(is_offline(said), "{said}");
        }
        let said = "Looking\nERROR: No matching distribution found for x\nlast\n";
        assert!(!is_offline(said));
        assert_eq!(last_words(said).as_deref(), Some("ERROR: No matching distribution found for x"));
        assert_eq!(last_words("one\ntwo\n\n").as_deref(), Some("two"));
        assert_eq!(last_words(""), None);
    }
}
