//! `kernels build`: every source compiled to PTX, or compared with what is there.

#[cfg(feature = "cuda")]
use crate::cli::failure;
use crate::cli::{Exit, output};
#[cfg(feature = "cuda")]
use crate::kernels::Catalog;
use std::path::Path;

#[cfg(not(feature = "cuda"))]
pub(super) fn build_all(_: &Path, _: bool) -> anyhow::Result<Exit> {
    output::note(format_args!("error: This build has no support for NVRTC."));
    Ok(Exit::NoDevice)
}

#[cfg(feature = "cuda")]
pub(super) fn build_all(root: &Path, check: bool) -> anyhow::Result<Exit> {
    use crate::kernels::build::{build, strays};
    use crate::kernels::nvrtc::{INSTALL_HELP, Nvrtc, NvrtcError, PINNED_RELEASE, PINNED_WHEEL};
    if !Catalog::is_in(root) {
        let message = format!("There is no kernels/catalog.yaml in {}.", root.display());
        return Ok(failure(
            Exit::Usage,
            &message,
            Some("Run this in the source tree, or give its directory with --course."),
        ));
    }
    let (catalog, problems) = Catalog::from_directory(root);
    super::tell(&problems);
    if !problems.is_empty() {
        return Ok(Exit::Usage);
    }
    let (nvrtc, release) = match Nvrtc::get().and_then(|nvrtc| Ok((nvrtc, nvrtc.release()?))) {
        Ok(found) => found,
        Err(error) => return Ok(failure(Exit::NoDevice, &error.to_string(), Some(INSTALL_HELP))),
    };
    if release != PINNED_RELEASE {
        let message = format!(
            "This NVRTC is {release} ({}); the committed PTX is made by {PINNED_RELEASE}.",
            nvrtc.path().display()
        );
        let help = format!(
            "`pip install {PINNED_WHEEL}` in a virtual environment, and set MATMUL_TUTOR_NVRTC to its libnvrtc.so.12."
        );
        if check {
            return Ok(failure(Exit::NoDevice, &format!("{message} Another release cannot be compared."), Some(&help)));
        }
        output::note(format_args!("note: {message} To commit what is built: {help}"));
    }
    let (mut stale, mut total) = (Vec::new(), 0);
    for kernel in catalog.kernels() {
        let built = match build(nvrtc, kernel, root) {
            Ok(built) => built,
            Err((id, error @ NvrtcError::Refused { .. })) => {
                return Ok(failure(Exit::Failed, &format!("{id}: {error}"), None));
            }
            Err((_, error)) => return Ok(failure(Exit::NoDevice, &error.to_string(), Some(INSTALL_HELP))),
        };
        total += built.len();
        for file in built {
            if !file.log.trim().is_empty() {
                output::note(format_args!("{}", file.log.trim_end()));
            }
            if file.fresh {
                continue;
            }
            if !check {
                file.write(root)?;
                output::line(format_args!("built {}", file.file))?;
            }
            stale.push(file.id);
        }
    }
    for stray in strays(catalog.kernels(), root) {
        if !check {
            std::fs::remove_file(root.join(&stray))?;
            output::line(format_args!("removed {stray}, which belongs to no variant"))?;
        }
        stale.push(stray);
    }
    if stale.is_empty() {
        output::line(format_args!("All {total} PTX files are what NVRTC {release} makes of their sources."))?;
    } else if check {
        let more = stale.len().saturating_sub(12);
        stale.truncate(12);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = format!("Stale: {}{more}.", stale.join(", "));
        return Ok(failure(Exit::Failed, &message, Some("`matmul-tutor kernels build` compiles them again.")));
    }
    Ok(Exit::Done)
}
