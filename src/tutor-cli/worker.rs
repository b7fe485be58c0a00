//! `worker`: the process that runs kernels for the tutor.

use crate::prelude::*;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory of the NVRTC that `nvrtc install` installed [default: in the data directory].
    #[arg(long, value_name = "DIR")]
    pub(super) nvrtc: Option<PathBuf>,
}

/// Serves requests from standard input until it closes.
pub(super) fn run() -> anyhow::Result<Exit> {
    // SAFETY: `main` starts no thread before this command.
    unsafe { tutor_exec::worker::serve() }?;
    Ok(Exit::Done)
}
