//! `nvrtc`: installs NVIDIA's compiler into the data directory, for the tutor only.

#[cfg(feature = "cuda")]
mod fetch;
#[cfg(feature = "cuda")]
mod install;

use crate::prelude::*;
use std::fs::{self, File, TryLockError};
use std::io;
use tutor_progress::data_dir;

/// Name of the folder in the data directory.
pub(super) const FOLDER: &str = "nvrtc";

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Download NVRTC with uv or pip into the data directory, and test it.
    ///
    /// Installs the release that compiled the built-in kernels. The tutor then finds it without any setting.
    Install {
        /// Do not ask for permission.
        #[arg(long)]
        yes: bool,
        /// Print one JSON document.
        #[arg(long)]
        json: bool,
    },
    /// Remove what `install` has installed.
    Remove {
        /// Print one JSON document.
        #[arg(long)]
        json: bool,
    },
}

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let home = match Home::open(globals.data.as_deref()) {
        Ok(home) => home,
        Err(why) => return Ok(failure(Exit::Usage, &why, Some(&t!("doctor-data-do")))),
    };
    let Some(_lock) = home.lock()? else {
        return Ok(failure(Exit::Failed, t!("nvrtc-busy"), None));
    };
    match args.command {
        Command::Install { yes, json } => install(&home, yes, json),
        Command::Remove { json } => remove(&home, json),
    }
}

/// The location of the installation. The folder gets its final name after a successful test, so a folder with that name
/// is always complete.
struct Home {
    data: PathBuf,
    folder: PathBuf,
    /// The folder of an installation in progress, or of one that was interrupted.
    part: PathBuf,
}

impl Home {
    fn open(chosen: Option<&Path>) -> Result<Self, String> {
        let data = data_dir(chosen).map_err(|error| error.to_string())?;
        let data = std::path::absolute(&data).unwrap_or(data);
        Ok(Self { folder: data.join(FOLDER), part: data.join(format!("{FOLDER}.part")), data })
    }

    /// Locks out other processes that install or remove. Returns `None` if another process has the lock.
    fn lock(&self) -> io::Result<Option<File>> {
        tutor_support::private::directory(&self.data)?;
        let file = tutor_support::private::file(&self.data.join(format!("{FOLDER}.lock")))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(None),
            // Some file systems do not support locks.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
        }
    }

    /// True if the folder contains only files that an installer puts there.
    fn is_ours(&self) -> bool {
        match fs::read_dir(&self.folder) {
            Ok(mut entries) => entries.all(|entry| {
                let name = entry.map(|entry| entry.file_name().to_string_lossy().into_owned()).unwrap_or_default();
                ["nvidia", ".", "bin", "__pycache__"].iter().any(|ours| name.starts_with(ours))
            }),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
    }

    /// Removes an incomplete installation.
    fn clear(&self) -> io::Result<()> {
        gone(fs::remove_dir_all(&self.part))
    }

    /// Renames the folder, then deletes its files.
    fn remove(&self) -> io::Result<()> {
        self.clear()?;
        gone(fs::rename(&self.folder, &self.part))?;
        self.clear()
    }
}

/// Treats a missing file as success.
fn gone(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

#[derive(Debug, Serialize)]
struct Removed {
    removed: bool,
    path: String,
}

fn remove(home: &Home, json: bool) -> anyhow::Result<Exit> {
    let (removed, path) = (home.folder.exists(), home.folder.display().to_string());
    if !home.is_ours() {
        return Ok(failure(Exit::Usage, t!("nvrtc-not-ours", folder = path), Some(&t!("nvrtc-not-ours-help"))));
    }
    home.remove()?;
    if json {
        output::json(&Removed { removed, path })?;
    } else if removed {
        output::line(t!("nvrtc-removed", path))?;
    } else {
        output::line(t!("nvrtc-not-there", path))?;
    }
    Ok(Exit::Done)
}

#[cfg(not(feature = "cuda"))]
fn install(_: &Home, _: bool, _: bool) -> anyhow::Result<Exit> {
    Ok(failure(Exit::NoDevice, t!("exec-built-without-nvrtc"), Some(&t!("exec-built-without-help"))))
}

#[cfg(feature = "cuda")]
fn install(home: &Home, yes: bool, json: bool) -> anyhow::Result<Exit> {
    use install::{Failed, Installed, tried};
    home.clear()?;
    let report = |installed: &Installed| -> anyhow::Result<Exit> {
        if json {
            output::json(installed)?;
        } else {
            let (release, path) = (installed.release.as_str(), installed.path.as_str());
            let text = if installed.already {
                t!("nvrtc-already", release, path)
            } else {
                t!("nvrtc-installed", release, path)
            };
            output::line(&text)?;
        }
        if std::env::var_os(tutor_kernels::nvrtc::PATH_VARIABLE).is_some() {
            output::remark(t!("nvrtc-overruled", variable = tutor_kernels::nvrtc::PATH_VARIABLE));
        }
        Ok(Exit::Done)
    };
    if let Ok((release, path)) = tried(&home.folder) {
        return report(&Installed { installed: true, already: true, release, path });
    }
    if !home.is_ours() {
        let message = t!("nvrtc-not-ours", folder = home.folder.display().to_string());
        return Ok(failure(Exit::Usage, &message, Some(&t!("nvrtc-not-ours-help"))));
    }
    let failed = match install::install(home, yes) {
        Ok(installed) => return report(&installed),
        Err(failed) => failed,
    };
    home.clear()?;
    Ok(match failed {
        Failed::Interrupted => Exit::Interrupted,
        Failed::Refused => {
            output::note(t!("nvrtc-declined"));
            Exit::Failed
        }
        Failed::System(error) => {
            let message = t!("nvrtc-unwritten", folder = home.folder.display().to_string(), why = error);
            failure(Exit::Failed, message, Some(&t!("doctor-data-do")))
        }
        Failed::Not { exit, kind, message, help } => output::failure(exit, kind, &message, help.as_deref()),
    })
}
