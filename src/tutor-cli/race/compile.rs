//! The PTX of a file: the file itself, or what NVRTC makes of it.

use crate::emulate::launch::text_of;
use ptx_emulator::Fault;

/// Why there is no PTX.
pub(super) enum Failed {
    Call(Fault),
    /// NVRTC refused the source: its messages, and help if the source is more than kernels.
    #[cfg(feature = "cuda")]
    Refused(String, Option<String>),
    /// There is no NVRTC: the reason, and how to install it.
    NoCompiler(String, String),
}

impl Failed {
    pub(super) fn message(&self) -> &str {
        match self {
            Self::Call(fault) => &fault.message,
            #[cfg(feature = "cuda")]
            Self::Refused(message, _) => message,
            Self::NoCompiler(message, _) => message,
        }
    }
}

/// Returns the PTX of a `.ptx` file, or compiles a `.cu` file. For a kernel that `entry` names as in C++, returns its
/// name in the PTX, too.
pub(super) fn ptx(args: &super::Args, entry: Option<&str>) -> Result<(String, Option<String>), Failed> {
    let text = text_of(&args.file).map_err(Failed::Call)?;
    if args.file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("cu")) {
        return compiled(args, &text, entry);
    }
    Ok((text, None))
}

/// Returns the C++ expression for an instance of a template, such as `sum<float>`, or for one of several functions of
/// the same name, such as `sum(float*)`. A simple name is none, because the kernel is found in the PTX by it.
#[cfg(feature = "cuda")]
fn expression(entry: &str) -> Option<String> {
    let (name, types) = match entry.strip_suffix(')').and_then(|entry| entry.split_once('(')) {
        Some((name, types)) => (name.trim(), Some(types)),
        None => (entry, None),
    };
    let types = types.map(|types| format!("(void (*)({types})) {name}"));
    types.or_else(|| name.contains('<').then(|| name.to_owned()))
}

#[cfg(feature = "cuda")]
fn compiled(args: &super::Args, source: &str, entry: Option<&str>) -> Result<(String, Option<String>), Failed> {
    use std::path::Path;
    use tutor_kernels::nvrtc::{Nvrtc, NvrtcError, Options, help, install_help};
    use tutor_support::t;
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    let own = args.file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let include: Vec<_> = std::iter::once(own.to_owned()).chain(args.include.iter().cloned()).collect();
    let instance = entry.and_then(expression);
    let options = Options { arch: args.arch, include: &include, instance: instance.as_deref(), ..Options::PLAIN };
    let compiled = Nvrtc::get().and_then(|nvrtc| nvrtc.compile(source, &name, &options));
    compiled.map(|compiled| (compiled.ptx, compiled.instance)).map_err(|error| match error {
        NvrtcError::NotFound | NvrtcError::Unavailable(_) => {
            Failed::NoCompiler(error.to_string(), install_help().to_string())
        }
        NvrtcError::Refused { ref log, .. } => {
            let help = help(log).map(|help| format!("{help} {}", t!("race-or-ptx")));
            Failed::Refused(error.to_string(), help)
        }
        NvrtcError::Failed(_) => Failed::Refused(error.to_string(), None),
    })
}

#[cfg(not(feature = "cuda"))]
fn compiled(args: &super::Args, _: &str, _: Option<&str>) -> Result<(String, Option<String>), Failed> {
    use tutor_support::t;
    let _ = (&args.include, args.arch);
    Err(Failed::NoCompiler(t!("exec-built-without-nvrtc"), t!("exec-built-without-help")))
}
