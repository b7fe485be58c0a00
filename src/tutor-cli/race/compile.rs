//! The PTX of a file: the file itself, or what NVRTC makes of it, in the worker.

use super::Args;
use crate::emulate::launch::text_of;
use crate::limits::Exceeded;
use crate::session::{Session, interruption};
use ptx_emulator::Fault;
use std::path::Path;
use tutor_exec::protocol::{CompileRequest, ExecError, ExecErrorKind};
use tutor_kernels::nvrtc::gather;
use tutor_support::t;

/// Why there is no PTX.
pub(super) enum Failed {
    Call(Fault),
    /// NVRTC refused the source, needed too much, or is not here.
    Compiler(ExecError),
}

impl Failed {
    pub(super) fn message(&self) -> String {
        match self {
            Self::Call(fault) => fault.message.clone(),
            Self::Compiler(error) => error.message.to_string(),
        }
    }
}

/// Returns the PTX of a `.ptx` file, or compiles a `.cu` file. For a kernel that `entry` names as in C++, returns its
/// name in the PTX, too.
pub(super) fn ptx(args: &Args, entry: Option<&str>) -> Result<(String, Option<String>), Failed> {
    let text = text_of(&args.file).map_err(Failed::Call)?;
    if args.file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("cu")) {
        return compiled(args, &text, entry).map_err(Failed::Compiler);
    }
    Ok((text, None))
}

/// Returns the C++ expression for an instance of a template, such as `sum<float>`, or for one of several functions of
/// the same name, such as `sum(float*)`. A simple name is none, because the kernel is found in the PTX by it.
fn expression(entry: &str) -> Option<String> {
    let (name, types) = match entry.strip_suffix(')').and_then(|entry| entry.split_once('(')) {
        Some((name, types)) => (name.trim(), Some(types)),
        None => (entry, None),
    };
    let types = types.map(|types| format!("(void (*)({types})) {name}"));
    types.or_else(|| name.contains('<').then(|| name.to_owned()))
}

fn compiled(args: &Args, source: &str, entry: Option<&str>) -> Result<(String, Option<String>), ExecError> {
    let own = args.file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let gathered = gather(source, own, &args.include).map_err(|why| ExecError::new(ExecErrorKind::Compile, why))?;
    let session = Session::within(args.launch.limits(), &interruption(false)?)?;
    let compiled = session.compile_as(CompileRequest {
        file: args.file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        source: gathered.source,
        headers: gathered.headers,
        arch: Some(args.arch.to_string()),
        instance: entry.and_then(expression),
        ..CompileRequest::default()
    });
    compiled.map(|compiled| (compiled.ptx, compiled.instance)).map_err(|error| match session.exceeded() {
        Some(Exceeded::Time) => {
            ExecError::new(ExecErrorKind::TimedOut, t!("race-compiler-time", seconds = args.launch.seconds.to_string()))
        }
        Some(Exceeded::Memory) => ExecError::new(ExecErrorKind::TimedOut, t!("race-compiler-memory")),
        None => ExecError { help: error.help.map(|help| help + " " + t!("race-or-ptx")), ..error },
    })
}
