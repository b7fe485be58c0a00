//! Compiling a catalogue: every kernel and every possible variant, each for its own architecture.

use super::files::{pack, unpack};
use super::kernel::Kernel;
use super::nvrtc::{Compiled, Nvrtc, NvrtcError, Options};
use super::variants::packed_file;
use rayon::prelude::*;
use std::path::Path;

/// A PTX file, and what its source compiles to.
#[derive(Debug)]
pub struct Built {
    /// `assets/ptx/….ptx`, or `.ptx.gz` of a variant.
    pub file: String,
    /// The id of the kernel or variant.
    pub id: String,
    /// What NVRTC makes of the source.
    pub ptx: String,
    /// Warnings.
    pub log: String,
    /// Whether the file holds exactly that.
    pub fresh: bool,
}

impl Built {
    /// Writes the file under a source tree or course directory.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, root: &Path) -> std::io::Result<()> {
        let path = root.join(&self.file);
        if let Some(directory) = path.parent() {
            std::fs::create_dir_all(directory)?;
        }
        let bytes = if self.file.ends_with(".gz") { pack(&self.ptx)? } else { self.ptx.clone().into_bytes() };
        std::fs::write(path, bytes)
    }
}

/// How often a source is compiled before its file is called stale.
///
/// NVRTC 12.0 does not always make the same of a long unrolled kernel: the order in which it numbers registers
/// depends on where its memory lies. Two or three texts come out, the rarest about once in eight times, so that a
/// file is fresh if any of so many compilations gives it.
const TRIES: usize = 64;

/// Compiles a source until it comes out as what is there, or has not so often that it will not; and whether it did.
///
/// # Errors
/// If NVRTC refuses it.
pub fn compile_until(
    nvrtc: &Nvrtc,
    source: &str,
    file: &str,
    options: &Options,
    there: Option<&str>,
) -> Result<(Compiled, bool), NvrtcError> {
    let mut compiled = nvrtc.compile(source, file, options)?;
    for _ in 1..TRIES {
        // A file of quite another length was made of another source: registers are numbered anew, not added.
        let alike = there.is_some_and(|there| there.len().abs_diff(compiled.ptx.len()) * 50 < there.len());
        if there == Some(compiled.ptx.as_str()) || !alike {
            break;
        }
        compiled = nvrtc.compile(source, file, options)?;
    }
    let fresh = there == Some(compiled.ptx.as_str());
    Ok((compiled, fresh))
}

/// Compiles a kernel with its variants, in parallel; in order: the kernel, then its variants.
///
/// # Errors
/// The first kernel's or variant's, with its id.
pub fn build(nvrtc: &Nvrtc, kernel: &Kernel, root: &Path) -> Result<Vec<Built>, (String, NvrtcError)> {
    let points = kernel.variants.iter().flat_map(|variants| variants.possible());
    let units: Vec<_> = std::iter::once((kernel.id.clone(), kernel.ptx_file.clone(), &kernel.constants))
        .chain(points.map(|point| {
            (format!("{}@{}", kernel.id, point.name), packed_file(&kernel.id, &point.name), &point.constants)
        }))
        .collect();
    let compile = |(id, file, constants): (String, String, _)| {
        let packed = file.ends_with(".gz");
        // Line numbers are for the counts of the kernels that lessons show; variants are many.
        let options = Options { arch: kernel.arch, constants, lines: !packed };
        let there = if packed {
            std::fs::read(root.join(&file)).ok().and_then(|bytes| unpack(&bytes).ok())
        } else {
            kernel.ptx.as_deref().map(str::to_owned)
        };
        let compiled = compile_until(nvrtc, kernel.source.text(), &kernel.file, &options, there.as_deref());
        let (compiled, fresh) = compiled.map_err(|error| (id.clone(), error))?;
        Ok(Built { file, id, ptx: compiled.ptx, log: compiled.log, fresh })
    };
    units.into_par_iter().map(compile).collect()
}

/// Packed PTX files under a root that belong to no variant, e.g. of one that was taken out of its kernel's axes.
pub fn strays(kernels: &[Kernel], root: &Path) -> Vec<String> {
    let mut strays = Vec::new();
    for kernel in kernels {
        let folder = format!("assets/ptx/{}", kernel.id);
        let entries = std::fs::read_dir(root.join(&folder)).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let known = |name: &str| {
            let point = name.strip_suffix(".ptx.gz").and_then(|name| kernel.variants.as_ref()?.point(name));
            point.is_some_and(|point| point.launch.is_ok())
        };
        strays.extend(
            names.filter(|name| name.ends_with(".ptx.gz") && !known(name)).map(|name| format!("{folder}/{name}")),
        );
    }
    strays.sort();
    strays
}
