//! The PTX of a file: the file itself, or what NVRTC makes of it.

use crate::emulate::launch::text_of;
use ptx_emulator::Fault;
use std::path::Path;

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

/// Returns the PTX of a `.ptx` file, or compiles a `.cu` file.
pub(super) fn ptx(file: &Path) -> Result<String, Failed> {
    let text = text_of(file).map_err(Failed::Call)?;
    if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("cu")) {
        return compiled(file, &text);
    }
    Ok(text)
}

#[cfg(feature = "cuda")]
fn compiled(file: &Path, source: &str) -> Result<String, Failed> {
    use tutor_base::t;
    use tutor_kernels::nvrtc::{Nvrtc, NvrtcError, Options, help, install_help};
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let compiled = Nvrtc::get().and_then(|nvrtc| nvrtc.compile(source, &name, &Options::PLAIN));
    compiled.map(|compiled| compiled.ptx).map_err(|error| match error {
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
fn compiled(_: &Path, _: &str) -> Result<String, Failed> {
    use tutor_base::t;
    Err(Failed::NoCompiler(t!("exec-built-without-nvrtc"), t!("exec-built-without-help")))
}
