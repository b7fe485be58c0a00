//! `worker`: the process that runs kernels, spoken to by the tutor.

use super::Exit;
use std::path::PathBuf;

/// Arguments of `worker`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Where the NVRTC is that `nvrtc install` got [default: in the data directory].
    #[arg(long, value_name = "DIR")]
    pub(super) nvrtc: Option<PathBuf>,
}

/// Serves requests on stdin until it ends.
pub(super) fn run() -> anyhow::Result<Exit> {
    tutor_exec::worker::serve()?;
    Ok(Exit::Done)
}
