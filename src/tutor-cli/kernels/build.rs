//! `kernels build`: compiles every source to PTX, or compares the results with the stored PTX files.

#[cfg(feature = "cuda")]
use crate::failure;
use crate::prelude::*;
#[cfg(feature = "cuda")]
use tutor_kernels::Catalog;

#[cfg(not(feature = "cuda"))]
pub(super) fn build_all(_: &Path, _: bool) -> anyhow::Result<Exit> {
    output::note(t!("cli-error", text = t!("exec-built-without-nvrtc")));
    Ok(Exit::NoDevice)
}

#[cfg(feature = "cuda")]
pub(super) fn build_all(root: &Path, check: bool) -> anyhow::Result<Exit> {
    use tutor_course::CourseSource;
    use tutor_exercises::{self as workshop, pack, packed};
    use tutor_kernels::build::{build, strays};
    use tutor_kernels::nvrtc::{Nvrtc, NvrtcError, PINNED_RELEASE, PINNED_WHEEL, install_help};
    if !Catalog::is_in(root) {
        let message = t!("cli-build-no-catalog", directory = root.display().to_string());
        return Ok(failure(Exit::Usage, &message, Some(&t!("cli-build-no-catalog-help"))));
    }
    let (catalog, problems) = Catalog::from_directory(root);
    super::report_problems(&problems);
    if !problems.is_empty() {
        return Ok(Exit::Usage);
    }
    let (nvrtc, release) = match Nvrtc::get().and_then(|nvrtc| Ok((nvrtc, nvrtc.release()?))) {
        Ok(found) => found,
        Err(error) => return Ok(failure(Exit::NoDevice, error.to_string(), Some(&install_help().to_string()))),
    };
    if release != PINNED_RELEASE {
        let path = nvrtc.path().display().to_string();
        let message = t!("cli-build-release", release, path, pinned = PINNED_RELEASE);
        let help = t!("cli-build-release-help", wheel = PINNED_WHEEL);
        if check {
            let message = t!("cli-build-not-compared", message);
            return Ok(failure(Exit::NoDevice, &message, Some(&help)));
        }
        let text = t!("cli-build-to-commit", message, help);
        output::remark(text);
    }
    let (mut stale, mut total) = (Vec::new(), 0);
    for kernel in catalog.kernels() {
        let built = match build(nvrtc, &release, kernel, root, check) {
            Ok(built) => built,
            Err((id, error @ NvrtcError::Refused { .. })) => {
                return Ok(failure(Exit::Failed, format!("{id}: {error}"), None));
            }
            Err((_, error)) => {
                return Ok(failure(Exit::NoDevice, error.to_string(), Some(&install_help().to_string())));
            }
        };
        total += built.len();
        for file in built {
            if !file.log.trim().is_empty() {
                output::note(file.log.trim_end());
            }
            if file.fresh {
                continue;
            }
            if !check {
                file.write(root)?;
                output::line(t!("cli-build-built", file = file.file))?;
            }
            stale.push(file.id);
        }
    }
    let source = CourseSource::Directory(root.to_owned());
    let (course, _) = Catalog::of_course(Some(root));
    let (exercises, problems) = workshop::read(&source, &course);
    for problem in &problems {
        output::note(t!("cli-error", text = problem.to_string()));
    }
    if !problems.is_empty() {
        return Ok(Exit::Usage);
    }
    for exercise in exercises.iter().filter(|exercise| !exercise.choices().is_empty()) {
        let built = match pack::build(nvrtc, &release, exercise, &source, check) {
            Ok(built) => built,
            Err((name, error)) => return Ok(failure(Exit::Failed, format!("{name}: {error}"), None)),
        };
        total += 1;
        if !built.fresh {
            if !check {
                pack::write(root, &exercise.id, &built.texts)?;
                output::line(t!("cli-build-built", file = packed(&exercise.id)))?;
            }
            stale.push(exercise.id.clone());
        }
    }
    for stray in strays(catalog.kernels(), root) {
        if !check {
            std::fs::remove_file(root.join(&stray))?;
            output::line(t!("cli-build-removed", file = stray))?;
        }
        stale.push(stray);
    }
    if stale.is_empty() {
        output::line(t!("cli-build-fresh", count = total, release))?;
    } else if check {
        let more = stale.len().saturating_sub(12);
        stale.truncate(12);
        let message = match more {
            0 => t!("cli-build-stale", files = stale.join(", ")),
            more => t!("cli-build-stale-more", files = stale.join(", "), more),
        };
        return Ok(failure(Exit::Failed, &message, Some(&t!("cli-build-stale-help"))));
    }
    Ok(Exit::Done)
}
