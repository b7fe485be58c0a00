//! Installs NVRTC: downloads it to a temporary folder, tests it there, and then renames the folder.

use super::fetch::{self, Fetched};
use super::{FOLDER, Home};
use crate::prelude::*;
use std::fs;
use std::io::{self, BufRead as _, IsTerminal as _};
use tutor_kernels::nvrtc::{Location, Nvrtc, Options, PINNED_RELEASE, is_static, library_in};
use tutor_support::private;

/// The document that `--json` prints.
#[derive(Debug, Serialize)]
pub(super) struct Installed {
    pub(super) installed: bool,
    /// True if the pinned release was installed before.
    pub(super) already: bool,
    pub(super) release: String,
    pub(super) path: String,
}

/// Why the installation failed.
pub(super) enum Failed {
    Interrupted,
    Refused,
    /// A file could not be written, or a program not be started.
    System(io::Error),
    Not {
        exit: Exit,
        /// The failure's name for scripts.
        kind: &'static str,
        message: String,
        help: Option<String>,
    },
}

impl Failed {
    fn not(exit: Exit, kind: &'static str, message: String) -> Self {
        Self::Not { exit, kind, message, help: None }
    }

    fn help(self, text: String) -> Self {
        match self {
            Self::Not { exit, kind, message, .. } => Self::Not { exit, kind, message, help: Some(text) },
            other => other,
        }
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// Installs NVRTC. After a failure, the caller removes the incomplete files.
pub(super) fn install(home: &Home, yes: bool) -> Result<Installed, Failed> {
    if is_static() {
        return Err(Failed::not(Exit::NoDevice, "no_device", t!("kernels-nvrtc-static")));
    }
    if !cfg!(all(target_arch = "x86_64", any(target_os = "linux", windows))) {
        let failed = Failed::not(Exit::NoDevice, "no_device", t!("nvrtc-not-here", release = PINNED_RELEASE));
        return Err(failed.help(t!("nvrtc-not-here-help")));
    }
    let Some(installer) = fetch::installer() else {
        let failed = Failed::not(Exit::NoDevice, "no_device", t!("nvrtc-no-installer"));
        return Err(failed.help(t!("nvrtc-no-installer-help")));
    };
    let folder = home.folder.display().to_string();
    output::note(t!("nvrtc-about", release = PINNED_RELEASE, folder, installer = installer.name()));
    if !yes && !agreed()? {
        return Err(Failed::Refused);
    }
    let packages = home.part.join("packages");
    fs::create_dir_all(home.part.join("tmp"))?;
    match installer.fetch(&home.part, &packages)? {
        Fetched::Done => {}
        Fetched::Interrupted => return Err(Failed::Interrupted),
        Fetched::Offline => {
            let message = t!("nvrtc-offline", installer = installer.name());
            return Err(Failed::not(Exit::Failed, "offline", message));
        }
        Fetched::Failed(why) => {
            let message = t!("nvrtc-not-fetched", installer = installer.name(), why);
            return Err(Failed::not(Exit::Failed, "failed", message));
        }
    }
    tried(&packages).map_err(|why| Failed::not(Exit::Failed, "failed", t!("nvrtc-does-not-work", why)))?;
    // Of the wheel with the tensor cores' headers, the compiler of PTX takes most of the space.
    for unused in ["bin", "lib", "nvvm"] {
        super::gone(fs::remove_dir_all(packages.join("nvidia/cuda_nvcc").join(unused)))?;
    }
    // An existing installation does not work or has another release.
    let old = home.part.join("old");
    super::gone(fs::rename(&home.folder, &old))?;
    fs::rename(&packages, &home.folder)?;
    private::sync(&home.data);
    home.clear()?;
    let (release, path) =
        tried(&home.folder).map_err(|why| Failed::not(Exit::Failed, "failed", t!("nvrtc-does-not-work", why)))?;
    Ok(Installed { installed: true, already: false, release, path })
}

/// Compiles a kernel of the catalogue with the NVRTC in `packages`. Returns the release, which must be the pinned one,
/// and the library's path.
///
/// # Errors
/// A sentence for the user.
pub(super) fn tried(packages: &Path) -> Result<(String, String), String> {
    let library =
        library_in(packages).ok_or_else(|| t!("nvrtc-no-library", folder = packages.display().to_string()))?;
    let nvrtc = Nvrtc::open(&library, Location::Private)?;
    let release = nvrtc.release().map_err(|error| error.to_string())?;
    if release != PINNED_RELEASE {
        return Err(t!("nvrtc-other-release", release, pinned = PINNED_RELEASE));
    }
    if let Some(kernel) = Catalog::built_in().kernels().first() {
        let options = Options { arch: kernel.arch, constants: &kernel.constants, ..Options::PLAIN };
        nvrtc.compile(kernel.source.text(), &kernel.file, &options).map_err(|error| error.to_string())?;
        const HEADERS: &str =
            "#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n#include <mma.h>\n#include <cuda/std/cstdint>\n";
        nvrtc.compile(HEADERS, "headers.cu", &Options::PLAIN).map_err(|error| error.to_string())?;
    }
    Ok((release, library.display().to_string()))
}

/// Asks the user for permission.
fn agreed() -> Result<bool, Failed> {
    if !io::stdin().is_terminal() {
        let failed = Failed::not(Exit::Usage, "usage", t!("nvrtc-nobody-to-ask"));
        return Err(
            failed.help(t!("nvrtc-nobody-to-ask-help", command = format!("matmul-tutor {FOLDER} install --yes")))
        );
    }
    output::note(t!("nvrtc-ask"));
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    let answer = answer.trim().to_lowercase();
    Ok(t!("nvrtc-yes").split_whitespace().any(|yes| yes == answer))
}
