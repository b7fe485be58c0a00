/*! States what a PTX file was made from. Its last line says so, and the tutor can check it without a compiler.

```text
// Made of 1c22e5bcf6dbe6f1 as 9a81c5d2a2a1a0b3.
```

The first number is the digest of the [`Recipe`]: source, constants, architecture, options, and the release of the
compiler, which the PTX names in its header. The second is the digest of the PTX above the line. `course build`
writes this line. If the source or the PTX changes, the digests no longer agree, and the PTX is not run
([`MissingPtx`]).

The line comes last, so that all other lines keep their numbers. Counts and hazards refer to these numbers.
*/

use super::epilogue::EpilogueParams;
use super::geometry::Constants;
use super::kernel::{Arch, Kernel};
use super::machine_code::digest;
use super::variants::Point;
use std::fmt;
use tutor_support::sentence;
use tutor_support::words::Sentence;

const BEGIN: &str = "// Made of ";
const BETWEEN: &str = " as ";
const END: &str = ".";

/// Everything that a PTX depends on, except the release of the compiler.
#[derive(Debug, Clone, Copy)]
pub struct Recipe<'a> {
    /// The name of the source as given to the compiler, which writes it into the PTX.
    pub file: &'a str,
    pub source: &'a str,
    pub constants: &'a Constants,
    pub arch: Arch,
    /// True if the PTX has line numbers.
    pub lines: bool,
}

/// Why there is no PTX to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingPtx {
    /// The file does not exist.
    Missing,
    /// It does not state its recipe.
    Unstated,
    /// It was made from another source, with other constants, for another architecture, or by another compiler.
    OfAnother,
    /// It has been changed since it was built.
    Changed,
}

impl MissingPtx {
    /// Returns the code of the problem in `course_check::RULES`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Missing => "ptx-missing",
            Self::Unstated | Self::OfAnother | Self::Changed => "ptx-stale",
        }
    }
}

impl From<MissingPtx> for Sentence {
    /// Returns what is wrong with the PTX, as the end of a sentence that begins with its name.
    fn from(unbuilt: MissingPtx) -> Self {
        match unbuilt {
            MissingPtx::Missing => sentence!("kernels-unbuilt-missing"),
            MissingPtx::Unstated => sentence!("kernels-unbuilt-unstated"),
            MissingPtx::OfAnother => sentence!("kernels-unbuilt-another"),
            MissingPtx::Changed => sentence!("kernels-unbuilt-changed"),
        }
    }
}

impl fmt::Display for MissingPtx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Sentence::from(*self).fmt(f)
    }
}

impl Recipe<'_> {
    /// Computes the digest; `release` is the compiler release that the PTX names.
    pub fn digest(&self, release: &str) -> String {
        let lines = if self.lines { "lines" } else { "" };
        let parts = [self.file, self.source, &self.arch.to_string(), release, lines].map(str::to_owned);
        of(parts.into_iter().chain(self.constants.iter().map(|(name, value)| format!("{name}={value}"))))
    }

    /// Returns the PTX with the line that states this recipe. The line replaces an existing one.
    pub fn state(&self, ptx: &str) -> String {
        let code = code(ptx);
        let feed = if code.is_empty() || code.ends_with('\n') { "" } else { "\n" };
        let (made_of, made) = (self.digest(release(code)), of([code.to_owned()]));
        format!("{code}{feed}{BEGIN}{made_of}{BETWEEN}{made}{END}\n")
    }

    /// Checks that the PTX states this recipe and has not been changed since.
    ///
    /// # Errors
    /// The difference, if there is one.
    pub fn holds(&self, ptx: &str) -> Result<(), MissingPtx> {
        let code = code(ptx);
        let (made_of, made) = stated(ptx).ok_or(MissingPtx::Unstated)?;
        if made_of != self.digest(release(code)) {
            return Err(MissingPtx::OfAnother);
        }
        if made == of([code.to_owned()]) { Ok(()) } else { Err(MissingPtx::Changed) }
    }
}

/// Returns a PTX with the line that states its recipe, or `None` if `arch` is not a valid architecture.
pub fn stated_as(file: &str, source: &str, constants: &[(&str, i32)], arch: &str, ptx: &str) -> Option<String> {
    let constants = constants.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let arch = Arch::parse(arch)?;
    Some(Recipe { file, source, constants: &constants, arch, lines: true }.state(ptx))
}

/// Returns the PTX without the line that states its recipe.
pub(super) fn code(ptx: &str) -> &str {
    match ptx.rfind(BEGIN) {
        Some(at) if stated(ptx).is_some() => &ptx[..at],
        _ => ptx,
    }
}

/// Parses the last line: the digest of the recipe and the digest of the PTX.
fn stated(ptx: &str) -> Option<(&str, &str)> {
    let last = ptx.trim_end().lines().next_back()?;
    last.strip_prefix(BEGIN)?.strip_suffix(END)?.split_once(BETWEEN)
}

/// Returns the compiler release from the header: `Cuda compilation tools, release 12.0, V12.0.140`.
pub(super) fn release(code: &str) -> &str {
    let head = code.lines().take_while(|line| line.starts_with("//"));
    head.filter_map(|line| line.rsplit_once(", V")).map(|(_, release)| release.trim_end()).next().unwrap_or_default()
}

/// Computes the digest of some texts. Carriage returns are ignored, because line ends depend on the system.
fn of(texts: impl IntoIterator<Item = String>) -> String {
    let all: Vec<String> = texts.into_iter().collect();
    digest(&all.join("\0").replace('\r', ""))
}

impl Kernel {
    /// Returns everything that its PTX depends on. Only kernels shown in lessons have line numbers, for their counts;
    /// the many variants do not.
    pub fn recipe(&self) -> Recipe<'_> {
        let (file, source) = (self.file.as_str(), self.source.text());
        Recipe { file, source, constants: &self.constants, arch: self.arch, lines: !self.id.contains('@') }
    }

    /// Returns everything that the PTX of a variant depends on.
    pub fn recipe_at<'a>(&'a self, point: &'a Point) -> Recipe<'a> {
        Recipe { constants: &point.constants, lines: false, ..self.recipe() }
    }

    /// Returns why there is no PTX to run, or `None` if there is one.
    pub fn unbuilt(&self) -> Option<MissingPtx> {
        self.ptx.is_none().then(|| self.refused.unwrap_or(MissingPtx::Missing))
    }

    /// Identifies what a launch runs: PTX, entry, block, grid, shared memory, tensor maps and further parameters. A recording of a kernel
    /// with another identity does not apply. A changed source that compiles to the same PTX has the same identity.
    /// Returns `None` without a PTX.
    pub fn identity(&self) -> Option<String> {
        let ptx = self.ptx.as_deref()?;
        let made = stated(ptx).map_or_else(|| of([code(ptx).to_owned()]), |(_, made)| made.to_owned());
        let numbers = self.block.iter().chain([&self.shared_bytes]).map(ToString::to_string);
        let maps = self.tensor_maps.each();
        let maps = maps.map(|(matrix, map)| format!("{matrix}{}", serde_json::to_string(&map).unwrap_or_default()));
        let parts = [made, self.entry.clone()];
        // A kernel without further parameters keeps the identity that it had before there were any.
        let further = (self.further != EpilogueParams::default()).then(|| serde_json::to_string(&self.further));
        let further = further.map(Result::unwrap_or_default);
        Some(of(parts.into_iter().chain(self.grid.iter().cloned()).chain(numbers).chain(maps).chain(further)))
    }

    pub fn identity_at(&self, variant: &str) -> Option<String> {
        self.variant(variant)?.identity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Catalog;

    const PTX: &str = "//\n// Cuda compilation tools, release 12.0, V12.0.140\n//\n\n.version 8.0\n";

    fn constants(tile: i32) -> Constants {
        Constants::from([("TILE".to_owned(), tile)])
    }

    fn recipe<'a>(source: &'a str, constants: &'a Constants) -> Recipe<'a> {
        let arch = Arch::parse("sm_75").unwrap();
        Recipe { file: "kernels/a.cu", source, constants, arch, lines: true }
    }

    #[test]
    fn a_ptx_holds_for_what_it_was_made_of_and_for_nothing_else() {
        let sixteen = constants(16);
        let recipe = recipe("void a() {}\n", &sixteen);
        let stated = recipe.state(PTX);
        assert!(stated.starts_with(PTX) && stated.lines().count() == PTX.lines().count() + 1, "{stated}");
        assert_eq!(recipe.holds(&stated), Ok(()));
        assert_eq!(recipe.state(&stated), stated, "stated once");
        assert_eq!(code(&stated), PTX);
        let eight = constants(8);
        let arch = Arch::parse("sm_80").unwrap();
        for other in [
            Recipe { source: "void b() {}\n", ..recipe },
            Recipe { constants: &eight, ..recipe },
            Recipe { arch, ..recipe },
            Recipe { lines: false, ..recipe },
            Recipe { file: "kernels/b.cu", ..recipe },
        ] {
            assert_eq!(other.holds(&stated), Err(MissingPtx::OfAnother), "{other:?}");
        }
        assert_eq!(recipe.holds(PTX), Err(MissingPtx::Unstated));
        assert_eq!(recipe.holds(&stated.replace(".version 8.0", ".version 8.1")), Err(MissingPtx::Changed));
        assert_eq!(
            recipe.holds(&stated.replace("V12.0.140", "V12.9.86")),
            Err(MissingPtx::OfAnother),
            "another compiler"
        );
    }

    #[test]
    fn line_ends_of_another_system_change_nothing() {
        let sixteen = constants(16);
        let stated = recipe("a\nb\n", &sixteen).state(PTX);
        assert_eq!(recipe("a\r\nb\r\n", &sixteen).holds(&stated.replace('\n', "\r\n")), Ok(()));
    }

    #[test]
    fn each_built_in_ptx_was_made_of_the_source_that_is_shown() {
        for kernel in Catalog::built_in().kernels() {
            let ptx = kernel.ptx.as_deref().unwrap_or_default();
            assert_eq!(kernel.recipe().holds(ptx), Ok(()), "{}: course build", kernel.id);
            for point in kernel.variants.iter().flat_map(|variants| variants.possible()) {
                let variant = point.kernel(kernel).unwrap();
                assert_eq!(variant.unbuilt(), None, "{}", variant.id);
                assert_eq!(variant.recipe().holds(variant.ptx.as_deref().unwrap()), Ok(()), "{}", variant.id);
            }
        }
    }

    #[test]
    fn what_is_launched_otherwise_is_another_kernel() {
        let kernel = Catalog::built_in().kernel("sgemm_tiled").unwrap();
        let identity = kernel.identity();
        let mut other = kernel.clone();
        other.title.push('!');
        assert_eq!(other.identity(), identity, "a title runs nowhere");
        other.block = [16, 8, 1];
        assert_ne!(other.identity(), identity);
        let mut other = kernel.clone();
        other.ptx = other.ptx.map(|ptx| kernel.recipe().state(&ptx.replace("fma.rn", "fma.rz")).into());
        assert_ne!(other.identity(), identity);
        other.ptx = None;
        assert_eq!(other.identity(), None);
    }
}
