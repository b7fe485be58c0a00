//! Compiles a catalogue: every kernel and every possible variant, each for the architecture that its entry names.
//!
//! NVRTC 12.0 (`kernels/requirements.txt`) writes PTX ISA 8.0, which drivers since early 2023 accept.
//! `course build --check` proves that each committed file is what its source compiles to. It needs NVRTC, but no GPU.

use super::files::{pack, unpack};
use super::kernel::Kernel;
use super::nvrtc::{Compiled, Options};
use super::origin::{Recipe, code, release as made_by};
use super::variants::packed_file;
use rayon::prelude::*;
use std::path::Path;

/// A PTX file and the result of compiling its source.
#[derive(Debug)]
pub struct Built {
    /// `assets/ptx/….ptx`, or `.ptx.gz` of a variant.
    pub file: String,
    /// Id of the kernel or variant.
    pub id: String,
    /// The PTX that NVRTC produces from the source, with the line that states its recipe.
    pub ptx: String,
    pub log: String,
    /// True if the file already contains exactly this PTX.
    pub fresh: bool,
}

impl Built {
    /// Writes the file below `root`, a source tree or a course directory.
    pub fn write(&self, root: &Path) -> std::io::Result<()> {
        let path = root.join(&self.file);
        if let Some(directory) = path.parent() {
            std::fs::create_dir_all(directory)?;
        }
        let bytes = if self.file.ends_with(".gz") { pack(&self.ptx)? } else { self.ptx.clone().into_bytes() };
        std::fs::write(path, bytes)
    }
}

/// Maximum number of compilations before a file counts as stale.
///
/// NVRTC 12.0 does not always produce the same PTX for a long unrolled kernel. The numbering of registers depends on
/// memory addresses inside NVRTC. Two or three different texts occur, the rarest in about one of eight runs. So a
/// file is fresh if any of these compilations produces it.
const TRIES: usize = 64;

/// Length in bytes from which the PTX of a changed source is compiled until it has the code of the existing file, which it
/// has if only comments changed. Only longer kernels were seen to have several texts.
const LONG: usize = 32 << 10;

/// Compiles a source, whose file has the name given second.
pub type Compile<'c, E> = dyn Fn(&str, &str, &Options) -> Result<Compiled, E> + Sync + 'c;

/// Compiles a source until the result equals `there`, the text of the existing file. Gives up after `TRIES`
/// compilations, or at once if the lengths differ too much, or if a short file states another recipe. Returns the PTX,
/// with the line that states its recipe, and whether the existing file is fresh.
pub fn compile_until<E>(compile: &Compile<'_, E>, recipe: &Recipe, there: Option<&str>) -> Result<(Compiled, bool), E> {
    let Recipe { file, source, constants, arch, lines } = *recipe;
    let options = Options { arch, constants, lines, ..Options::PLAIN };
    let known = there.map(code);
    let holds = there.is_some_and(|there| there.len() >= LONG || recipe.holds(there).is_ok());
    let mut compiled = compile(source, file, &options)?;
    for _ in 1..TRIES {
        // If the lengths differ by 2 % or more, the file comes from a different source: renumbered registers hardly
        // change the length.
        let alike = known.is_some_and(|known| known.len().abs_diff(compiled.ptx.len()) * 50 < known.len());
        if known == Some(compiled.ptx.as_str()) || !alike || !holds {
            break;
        }
        compiled = compile(source, file, &options)?;
    }
    compiled.ptx = recipe.state(&compiled.ptx);
    let fresh = there == Some(compiled.ptx.as_str());
    Ok((compiled, fresh))
}

/// Whether a PTX text states that `release` made it from the current source.
pub fn is_current(recipe: &Recipe, ptx: &str, release: &str) -> bool {
    recipe.holds(ptx).is_ok() && made_by(ptx) == release
}

/// Compiles a kernel and its variants in parallel. The result lists the kernel first, then its variants. Unless `all`
/// is set, a file is not compiled again if it states that `release` made it from the current source.
///
/// # Errors
/// The first error, with the id of its kernel or variant.
pub fn build<E: Send>(
    compile: &Compile<'_, E>,
    release: &str,
    kernel: &Kernel,
    root: &Path,
    all: bool,
) -> Result<Vec<Built>, (String, E)> {
    let points = kernel.variants.iter().flat_map(|variants| variants.possible());
    let units: Vec<_> = std::iter::once((kernel.id.clone(), kernel.ptx_file.clone(), kernel.recipe()))
        .chain(points.map(|point| {
            (format!("{}@{}", kernel.id, point.name), packed_file(&kernel.id, &point.name), kernel.recipe_at(point))
        }))
        .collect();
    let one = |(id, file, recipe): (String, String, Recipe<'_>)| {
        let bytes = std::fs::read(root.join(&file)).ok();
        let there = bytes
            .and_then(|bytes| if file.ends_with(".gz") { unpack(&bytes).ok() } else { String::from_utf8(bytes).ok() });
        if let Some(ptx) = there.as_ref().filter(|ptx| !all && is_current(&recipe, ptx, release)) {
            return Ok(Built { file, id, ptx: ptx.clone(), log: String::new(), fresh: true });
        }
        let compiled = compile_until(compile, &recipe, there.as_deref());
        let (compiled, fresh) = compiled.map_err(|error| (id.clone(), error))?;
        Ok(Built { file, id, ptx: compiled.ptx, log: compiled.log, fresh })
    };
    units.into_par_iter().map(one).collect()
}

/// Returns the packed PTX files below `root` that belong to no variant, for example after a value was removed from an
/// axis.
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
