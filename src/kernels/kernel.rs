//! A kernel ready to be shown and launched.

use super::elements::{Elements, Needs, TensorMaps};
use super::geometry::{Constants, Geometry, GeometryError, GridFormulas, check_block};
use super::origin::MissingPtx;
use super::source::Source;
use super::variants::{Impossible, Launch, MAX_SHARED_BYTES, Template, Variants};
use super::written::HazardName;
use std::fmt;
use std::sync::Arc;
use tutor_base::sentence;
use tutor_base::words::Sentence;

/// A kernel ready to be shown and launched.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// Stable id; of a variant, `kernel@variant`.
    pub id: String,
    /// Id of the course level that teaches it.
    pub level: String,
    /// Short name for lists.
    pub title: String,
    /// A name for where kernels stand side by side: the title, if it has no shorter one.
    pub label: String,
    /// `kernels/….cu`, as named in its PTX.
    pub file: String,
    /// Name of the `.entry` in the PTX.
    pub entry: String,
    /// Macros that it is compiled with.
    pub constants: Constants,
    /// Threads of a block.
    pub block: [u32; 3],
    /// The formulas of the grid, as written.
    pub grid: Vec<String>,
    /// Dynamic shared memory of a block.
    pub shared_bytes: u32,
    /// Type of the elements of A, B and C.
    pub elements: Elements,
    /// Tensor maps that it takes first.
    pub tensor_maps: TensorMaps,
    /// What a shape must be, that of the tensor maps included.
    pub needs: Needs,
    /// The kernel that takes the other shapes.
    pub otherwise: Option<String>,
    /// What it is compiled for.
    pub arch: Arch,
    /// Whether its result is wrong, to show a fault.
    pub expected_wrong: bool,
    /// The fault it shows.
    pub hazard: Option<HazardName>,
    /// One sentence.
    pub about: String,
    /// The CUDA C++.
    pub source: Arc<Source>,
    /// `assets/ptx/….ptx`.
    pub ptx_file: String,
    /// The compiled PTX; absent if it has not been built, or not of this source ([`Kernel::unbuilt`]).
    pub ptx: Option<Arc<str>>,
    /// Why the PTX that is there is not taken.
    pub(super) refused: Option<MissingPtx>,
    /// The same file with other constants.
    pub variants: Option<Arc<Variants>>,
    pub(super) formulas: GridFormulas,
    /// What block and shared memory are with other constants.
    pub(super) template: Arc<Template>,
}

impl Kernel {
    /// Blocks and threads for C[m×n] = A[m×k] · B[k×n], on the emulator where the grid depends on the device.
    ///
    /// # Errors
    /// If the shape cannot be launched.
    pub fn geometry(&self, m: u32, n: u32, k: u32) -> Result<Geometry, GeometryError> {
        self.formulas.geometry(self.block, [m, n, k], super::EMULATED_SMS)
    }

    /// The formulas of the grid, read.
    pub fn formulas(&self) -> &GridFormulas {
        &self.formulas
    }

    /// The architecture as NVIDIA writes it, e.g. `sm_75`.
    pub fn min_arch(&self) -> String {
        self.arch.to_string()
    }

    /// A variant as a kernel of its own; none if there is no such variant or it is impossible.
    pub fn variant(&self, name: &str) -> Option<Self> {
        let variants = self.variants.as_ref()?;
        variants.point(name)?.kernel(self)
    }
}

/// What a kernel that stands in for another one has of its own; the rest is the other's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contract {
    /// Name of the `.entry`.
    pub entry: Option<String>,
    /// Macros.
    pub constants: Option<Constants>,
    /// Threads of a block.
    pub block: Option<[u32; 3]>,
    /// Formulas of the grid.
    pub grid: Option<Vec<String>>,
    /// Dynamic shared memory of a block.
    pub shared_bytes: Option<u32>,
    /// What a shape must be.
    pub needs: Option<Needs>,
    /// What it is compiled for.
    pub arch: Option<Arch>,
}

impl Kernel {
    /// A kernel of another source that takes this one's place: launched like it, but for what it has of its own. It has no
    /// PTX yet.
    ///
    /// # Errors
    /// If its block or its grid cannot be launched.
    pub fn like(&self, id: &str, source: Arc<Source>, own: Contract) -> Result<Self, Sentence> {
        let as_here = Launch { block: self.block, shared_bytes: self.shared_bytes, tensor_maps: self.tensor_maps };
        let (constants, launch) = match own.constants {
            None => (self.constants.clone(), as_here),
            // A source without macros: block and shared memory are stated, or the other kernel's as they are.
            Some(constants) if constants.is_empty() => (constants, as_here),
            Some(constants) => {
                let launch = self.template.apply(&constants).map_err(|error| Sentence::from(&error))?;
                (constants, launch)
            }
        };
        let Launch { block, shared_bytes, tensor_maps } = launch;
        let block = own.block.unwrap_or(block);
        check_block(block).map_err(|error| Sentence::from(&error))?;
        let grid = own.grid.unwrap_or_else(|| self.grid.clone());
        let formulas = GridFormulas::parse(grid.iter().map(String::as_str), &constants);
        let formulas = formulas.map_err(|(_, error)| Sentence::from(&error))?;
        let shared_bytes = own.shared_bytes.unwrap_or(shared_bytes);
        if i64::from(shared_bytes) > MAX_SHARED_BYTES {
            return Err((&Impossible::Shared(shared_bytes.into())).into());
        }
        Ok(Self {
            id: id.to_owned(),
            entry: own.entry.unwrap_or_else(|| self.entry.clone()),
            constants,
            block,
            grid,
            shared_bytes,
            tensor_maps,
            needs: own.needs.map_or_else(|| self.needs.clone(), |needs| needs.with_maps(&tensor_maps, self.elements)),
            otherwise: None,
            arch: own.arch.unwrap_or(self.arch),
            source,
            ptx: None,
            refused: None,
            variants: None,
            formulas,
            ..self.clone()
        })
    }
}

/// An architecture that PTX is compiled for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Arch {
    /// Compute capability, e.g. `[9, 0]`.
    pub capability: [u32; 2],
    /// Whether it uses what only this architecture has (`sm_90a`): then no newer one runs it either.
    pub specific: bool,
}

impl Arch {
    /// Reads `sm_75`, `sm_90a`.
    pub fn parse(text: &str) -> Option<Self> {
        let number = text.strip_prefix("sm_")?;
        let (number, specific) = number.strip_suffix('a').map_or((number, false), |number| (number, true));
        let number: u32 = number.parse().ok().filter(|n| (50..1000).contains(n))?;
        Some(Self { capability: [number / 10, number % 10], specific })
    }

    /// Whether a GPU of this compute capability runs it.
    pub fn runs_on(self, capability: [u32; 2]) -> bool {
        if self.specific { capability == self.capability } else { capability >= self.capability }
    }

    /// What a GPU must have, e.g. `compute capability 9.0 exactly`.
    pub fn demand(self) -> Sentence {
        let [major, minor] = self.capability;
        let capability = format!("{major}.{minor}");
        if self.specific {
            sentence!("kernels-demands-exactly", capability = capability)
        } else {
            sentence!("kernels-demands", capability = capability)
        }
    }

    /// NVRTC's name for it, e.g. `compute_90a`.
    pub fn virtual_name(self) -> String {
        self.to_string().replace("sm_", "compute_")
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor] = self.capability;
        write!(f, "sm_{major}{minor}{}", if self.specific { "a" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specific_architecture_runs_nowhere_else() {
        let hopper = Arch::parse("sm_90a").unwrap();
        assert_eq!((hopper.to_string(), hopper.virtual_name()), ("sm_90a".to_owned(), "compute_90a".to_owned()));
        assert!(hopper.runs_on([9, 0]) && !hopper.runs_on([10, 0]) && !hopper.runs_on([8, 9]));
        let ampere = Arch::parse("sm_80").unwrap();
        assert!(ampere.runs_on([8, 0]) && ampere.runs_on([12, 0]) && !ampere.runs_on([7, 5]));
        assert_eq!(Arch::parse("sm_120").unwrap().capability, [12, 0]);
        for text in ["turing", "sm_", "sm_7", "sm_a", "compute_80", "sm_-80"] {
            assert_eq!(Arch::parse(text), None, "{text}");
        }
    }
}
