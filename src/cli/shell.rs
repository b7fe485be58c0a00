//! `completions` and `man`: what a shell and a manual reader need, made from the one definition of the command line.

use super::{Exit, definition, output};

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell to complete in.
    shell: clap_complete::Shell,
}

/// Prints a completion script.
pub(super) fn completions(args: &Args) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut definition(), "matmul-tutor", &mut script);
    output::painted(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

/// Prints the manual page.
pub(super) fn man() -> anyhow::Result<Exit> {
    let mut page = Vec::new();
    clap_mangen::Man::new(definition()).render(&mut page)?;
    output::painted(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Done)
}
