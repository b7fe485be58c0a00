//! `completions` and `man`: generated from the definition of the command line.

use super::translated;
use crate::prelude::*;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell that will run the completion script.
    shell: clap_complete::Shell,
}

pub(super) fn completions(args: &Args) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut translated(), "matmul-tutor", &mut script);
    output::painted(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

pub(super) fn man() -> anyhow::Result<Exit> {
    let mut page = Vec::new();
    clap_mangen::Man::new(translated()).render(&mut page)?;
    output::painted(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Done)
}
