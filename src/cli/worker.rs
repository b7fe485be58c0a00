//! `worker`: the process that runs kernels, spoken to by the tutor.

use super::Exit;

/// Serves requests on stdin until it ends.
pub(super) fn run() -> anyhow::Result<Exit> {
    crate::exec::worker::serve()?;
    Ok(Exit::Done)
}
