//! `build`: compiles every source of a course to PTX, or compares the results with the stored PTX files.

use crate::prelude::*;
#[cfg(feature = "cuda")]
use {
    crate::limits::Limits,
    crate::session::interruption,
    std::sync::{Mutex, PoisonError},
    std::time::Duration,
    tutor_exec::protocol::{CompileRequest, ExecError},
    tutor_kernels::nvrtc::{Compiled, Options},
    tutor_support::words::Sentence,
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write nothing; exit with 1 if a PTX file differs from what its source compiles to.
    #[arg(long)]
    check: bool,
}

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    build_all(globals.course.as_deref().unwrap_or(Path::new(".")), args.check)
}

/// Workers that compile. A course's sources may be anybody's, so none is compiled in this process.
#[cfg(feature = "cuda")]
#[derive(Default)]
struct Compilers {
    idle: Mutex<Vec<Session>>,
}

#[cfg(feature = "cuda")]
impl Compilers {
    /// Maximum processor time and memory of a compilation. The longest kernels of the course take some seconds.
    const LIMITS: Limits = Limits { time: Duration::from_secs(120), ends: None, bytes: 4 << 30 };

    /// Compiles a source in an idle worker, or in a new one.
    fn compile(&self, source: &str, file: &str, options: &Options) -> Result<Compiled, ExecError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let session = match idle {
            Some(session) => session,
            None => Session::within(Self::LIMITS, &interruption(false)?)?,
        };
        session.restart_clock();
        let compiled = session.compile_as(CompileRequest {
            file: file.to_owned(),
            source: source.to_owned(),
            arch: Some(options.arch.to_string()),
            constants: options.constants.clone(),
            without_lines: !options.lines,
            // The wrong choices of an exercise may be texts that no assembler accepts.
            unassembled: true,
            ..CompileRequest::default()
        })?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(session);
        Ok(compiled)
    }
}

/// Reports a source that was not compiled.
#[cfg(feature = "cuda")]
fn not_built(id: &str, error: ExecError) -> Exit {
    failure_of(&ExecError { message: Sentence::from(format!("{id}: ")) + error.message, ..error })
}

#[cfg(not(feature = "cuda"))]
fn build_all(_: &Path, _: bool) -> anyhow::Result<Exit> {
    output::note(t!("cli-error", text = t!("exec-built-without-nvrtc")));
    Ok(Exit::NoDevice)
}

#[cfg(feature = "cuda")]
fn build_all(root: &Path, check: bool) -> anyhow::Result<Exit> {
    use crate::kernels;
    use tutor_exercises::{self as workshop, pack, packed};
    use tutor_kernels::build::{build, strays};
    use tutor_kernels::nvrtc::{Nvrtc, PINNED_RELEASE, PINNED_WHEEL, install_help};
    if !Catalog::is_in(root) {
        let message = t!("cli-build-no-catalog", directory = root.display().to_string());
        return Ok(failure(Exit::Usage, &message, Some(&t!("cli-build-no-catalog-help"))));
    }
    let (catalog, problems) = Catalog::from_directory(root);
    kernels::report_problems(&problems);
    if !problems.is_empty() {
        return Ok(Exit::Usage);
    }
    let found = Nvrtc::get().and_then(|nvrtc| Ok((nvrtc, nvrtc.release()?)));
    let (nvrtc, release) = match found {
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
    let compilers = Compilers::default();
    let compile = |source: &str, file: &str, options: &Options| compilers.compile(source, file, options);
    let (mut stale, mut total) = (Vec::new(), 0);
    for kernel in catalog.kernels() {
        let built = match build(&compile, &release, kernel, root, check) {
            Ok(built) => built,
            Err((id, error)) => return Ok(not_built(&id, error)),
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
        let built = match pack::build(&compile, &release, exercise, &source, check) {
            Ok(built) => built,
            Err((name, error)) => return Ok(not_built(&name, error)),
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
