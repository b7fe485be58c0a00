//! Compiling a catalogue: every kernel and every possible variant, each for its own architecture.

use super::files::{pack, unpack};
use super::kernel::Kernel;
use super::nvrtc::{Compiled, Nvrtc, NvrtcError, Options};
use super::origin::{Recipe, code, release as made_by};
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

/// Compiles a source until it comes out as what is there, or has not so often that it will not; and whether what is there
/// is that and states what it was made of. What comes out states it.
///
/// # Errors
/// If NVRTC refuses it.
pub fn compile_until(nvrtc: &Nvrtc, recipe: &Recipe, there: Option<&str>) -> Result<(Compiled, bool), NvrtcError> {
    let Recipe { file, source, constants, arch, lines } = *recipe;
    let options = Options { arch, constants, lines };
    let known = there.map(code);
    let mut compiled = nvrtc.compile(source, file, &options)?;
    for _ in 1..TRIES {
        // A file of quite another length was made of another source: registers are numbered anew, not added.
        let alike = known.is_some_and(|known| known.len().abs_diff(compiled.ptx.len()) * 50 < known.len());
        if known == Some(compiled.ptx.as_str()) || !alike {
            break;
        }
        compiled = nvrtc.compile(source, file, &options)?;
    }
    compiled.ptx = recipe.state(&compiled.ptx);
    let fresh = there == Some(compiled.ptx.as_str());
    Ok((compiled, fresh))
}

/// Compiles a kernel with its variants, in parallel; in order: the kernel, then its variants. Unless `all` is asked for, a file
/// that states that `release` made it of what is there now is taken at its word.
///
/// # Errors
/// The first kernel's or variant's, with its id.
pub fn build(
    nvrtc: &Nvrtc,
    release: &str,
    kernel: &Kernel,
    root: &Path,
    all: bool,
) -> Result<Vec<Built>, (String, NvrtcError)> {
    let points = kernel.variants.iter().flat_map(|variants| variants.possible());
    let units: Vec<_> = std::iter::once((kernel.id.clone(), kernel.ptx_file.clone(), kernel.recipe()))
        .chain(points.map(|point| {
            (format!("{}@{}", kernel.id, point.name), packed_file(&kernel.id, &point.name), kernel.recipe_at(point))
        }))
        .collect();
    let compile = |(id, file, recipe): (String, String, Recipe<'_>)| {
        let bytes = std::fs::read(root.join(&file)).ok();
        let there = bytes
            .and_then(|bytes| if file.ends_with(".gz") { unpack(&bytes).ok() } else { String::from_utf8(bytes).ok() });
        if let Some(ptx) = there.as_ref().filter(|ptx| !all && recipe.holds(ptx).is_ok() && made_by(ptx) == release) {
            return Ok(Built { file, id, ptx: ptx.clone(), log: String::new(), fresh: true });
        }
        let compiled = compile_until(nvrtc, &recipe, there.as_deref());
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
