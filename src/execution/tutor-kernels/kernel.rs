//! A kernel ready to be shown and launched.

use super::elements::{Elements, Needs, TensorMaps};
use super::epilogue::EpilogueParams;
use super::geometry::{Constants, Geometry, GeometryError, GridFormulas, check_block};
use super::origin::MissingPtx;
use super::source::Source;
use super::variants::{Impossible, Launch, MAX_SHARED_BYTES, Template, Variants};
use super::written::HazardName;
use std::fmt;
use std::sync::Arc;
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// A kernel ready to be shown and launched.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// Stable id; `kernel@variant` for a variant.
    pub id: String,
    /// Id of the course level that teaches it.
    pub level: String,
    /// Short name for lists.
    pub title: String,
    /// A short name for places where kernels appear next to each other; the title if the entry has no label.
    pub label: String,
    /// Path of the source, `kernels/….cu`, as the PTX names it.
    pub file: String,
    /// Name of the `.entry` in the PTX.
    pub entry: String,
    /// Macros that the source is compiled with.
    pub constants: Constants,
    /// Threads per dimension of a block.
    pub block: [u32; 3],
    /// The grid formulas as written.
    pub grid: Vec<String>,
    /// Dynamic shared memory per block, in bytes.
    pub shared_bytes: u32,
    /// Type of the elements of A, B and C.
    pub elements: Elements,
    /// Tensor maps that the kernel takes as its first parameters.
    pub tensor_maps: TensorMaps,
    /// Parameters after `beta`, and what the kernel does to the product.
    pub further: EpilogueParams,
    /// Requirements on a shape, including those of the tensor maps.
    pub needs: Needs,
    /// Id of the kernel that takes all other shapes.
    pub otherwise: Option<String>,
    /// The architecture that the PTX is compiled for.
    pub arch: Arch,
    /// True if the result is wrong on purpose, to show a fault.
    pub expected_wrong: bool,
    /// The hazard that it demonstrates.
    pub hazard: Option<HazardName>,
    /// A description in one sentence.
    pub about: String,
    pub source: Arc<Source>,
    /// Path of the PTX file, `assets/ptx/….ptx`.
    pub ptx_file: String,
    /// The compiled PTX; `None` if it has not been built, or not from this source ([`Kernel::unbuilt`]).
    pub ptx: Option<Arc<str>>,
    /// Why the existing PTX is not used.
    pub(super) refused: Option<MissingPtx>,
    /// The same source compiled with other constants.
    pub variants: Option<Arc<Variants>>,
    pub(super) formulas: GridFormulas,
    /// Formulas that give block and shared memory for other constants.
    pub(super) template: Arc<Template>,
}

impl Kernel {
    /// Computes blocks and threads for C[m×n] = A[m×k] · B[k×n]. If the grid depends on the device, the result is for
    /// the emulator.
    pub fn geometry(&self, m: u32, n: u32, k: u32) -> Result<Geometry, GeometryError> {
        self.formulas.geometry(self.block, [m, n, k, 1], super::EMULATED_SMS)
    }

    /// Returns the parsed grid formulas.
    pub fn formulas(&self) -> &GridFormulas {
        &self.formulas
    }

    /// Returns the architecture in NVIDIA's notation, e.g. `sm_75`.
    pub fn min_arch(&self) -> String {
        self.arch.to_string()
    }

    /// Returns a variant as a separate kernel, or `None` if it does not exist or is impossible.
    pub fn variant(&self, name: &str) -> Option<Self> {
        let variants = self.variants.as_ref()?;
        variants.point(name)?.kernel(self)
    }
}

/// The properties that a kernel states for itself when it replaces another one. It takes all others from the kernel
/// that it replaces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contract {
    pub entry: Option<String>,
    /// Macros that the source is compiled with.
    pub constants: Option<Constants>,
    /// Threads per dimension of a block.
    pub block: Option<[u32; 3]>,
    pub grid: Option<Vec<String>>,
    /// Dynamic shared memory per block, in bytes.
    pub shared_bytes: Option<u32>,
    /// Requirements on a shape.
    pub needs: Option<Needs>,
    /// The architecture that it is compiled for.
    pub arch: Option<Arch>,
}

impl Kernel {
    /// Returns a kernel with another source that replaces this one. It is launched like this one, except where `own`
    /// states something else. It has no PTX yet.
    pub fn like(&self, id: &str, source: Arc<Source>, own: Contract) -> Result<Self, Sentence> {
        let Self { block, shared_bytes, tensor_maps, further, .. } = *self;
        let as_here = Launch { block, shared_bytes, tensor_maps, further };
        let (constants, launch) = match own.constants {
            None => (self.constants.clone(), as_here),
            // The source has no macros. `own` may state block and shared memory; otherwise this kernel's apply.
            Some(constants) if constants.is_empty() => (constants, as_here),
            Some(constants) => {
                let launch = self.template.apply(&constants).map_err(|error| Sentence::from(&error))?;
                (constants, launch)
            }
        };
        let Launch { block, shared_bytes, tensor_maps, further } = launch;
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
            further,
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
    /// True if it uses features of only this architecture (`sm_90a`). Newer ones cannot run it either.
    pub specific: bool,
}

impl Arch {
    /// Parses a name such as `sm_75` or `sm_90a`.
    pub fn parse(text: &str) -> Option<Self> {
        let number = text.strip_prefix("sm_")?;
        let (number, specific) = number.strip_suffix('a').map_or((number, false), |number| (number, true));
        let number: u32 = number.parse().ok().filter(|n| (50..1000).contains(n))?;
        Some(Self { capability: [number / 10, number % 10], specific })
    }

    /// True if a GPU with this compute capability can run it.
    pub fn runs_on(self, capability: [u32; 2]) -> bool {
        if self.specific { capability == self.capability } else { capability >= self.capability }
    }

    /// Describes the required compute capability, e.g. `compute capability 9.0 exactly`.
    pub fn demand(self) -> Sentence {
        let [major, minor] = self.capability;
        let capability = format!("{major}.{minor}");
        if self.specific {
            sentence!("kernels-demands-exactly", capability)
        } else {
            sentence!("kernels-demands", capability)
        }
    }

    /// Returns NVRTC's name for it, e.g. `compute_90a`.
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
