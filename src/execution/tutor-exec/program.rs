//! What to run: a kernel of the catalogue, an edited one, or one with all its data.
//!
//! Code that a student hands in either runs or is refused ([`Program::hand_in`]); no other kernel takes its place. The
//! requirements on the shape, and the kernel for the other shapes, describe the catalogue's own code. Only tensor maps
//! restrict all code that is launched.

use serde::{Deserialize, Serialize};
use tutor_kernels::{Catalog, Constants, Elements, EpilogueParams, Kernel, Needs, TensorMaps};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Catalogue id, or `id@variant`. It determines entry, block and grid.
    pub kernel: String,
    /// PTX to run instead of the committed one (a student's edit). It runs at every shape for which its tensor maps can
    /// be made: the requirements of the committed kernel do not apply to it.
    pub ptx: Option<String>,
    /// Entry and geometry instead of the catalogue's, for a kernel that the worker's catalogue does not have. It also
    /// needs `ptx`.
    pub spec: Option<KernelSpec>,
}

impl Program {
    /// Returns a kernel of the built-in catalogue, as committed.
    pub fn new(kernel: impl Into<String>) -> Self {
        Self { kernel: kernel.into(), ptx: None, spec: None }
    }

    /// Replaces the kernel's PTX by a student's. No other kernel runs instead, whatever the shape.
    pub fn hand_in(&mut self, ptx: String) {
        self.ptx = Some(ptx);
        if let Some(spec) = &mut self.spec {
            spec.needs = Needs::default().with_maps(&spec.tensor_maps, spec.elements);
            spec.otherwise = None;
        }
    }

    /// Adds the data that the worker's catalogue lacks, if `catalog` has a different kernel with this id.
    pub fn complete(&mut self, catalog: &Catalog) {
        if let (None, None, Some(kernel)) = (&self.ptx, &self.spec, catalog.find(&self.kernel)) {
            *self = kernel.as_ref().into();
        }
    }
}

/// Refers to a kernel of the built-in catalogue by its id. Any other kernel includes all data that a worker needs.
impl From<&Kernel> for Program {
    fn from(kernel: &Kernel) -> Self {
        if Catalog::built_in().find(&kernel.id).is_some_and(|known| kernel.runs_as(&known)) {
            return Self::new(&kernel.id);
        }
        let ptx = kernel.ptx.as_deref().map(str::to_owned);
        Self { kernel: kernel.id.clone(), ptx, spec: Some(kernel.into()) }
    }
}

impl From<&Kernel> for KernelSpec {
    fn from(kernel: &Kernel) -> Self {
        Self {
            entry: kernel.entry.clone(),
            block: kernel.block,
            grid: kernel.grid.clone(),
            constants: kernel.constants.clone(),
            shared_bytes: kernel.shared_bytes,
            elements: kernel.elements,
            tensor_maps: kernel.tensor_maps,
            further: kernel.further,
            needs: kernel.needs.clone(),
            otherwise: kernel.otherwise.clone(),
            arch: Some(kernel.arch.to_string()),
        }
    }
}

/// Entry and launch parameters of a kernel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelSpec {
    /// Name of the `.entry` in the PTX.
    pub entry: String,
    /// Threads per dimension of a block.
    pub block: [u32; 3],
    /// Grid formulas: one to three formulas of `M`, `N`, `K`, `SMS` and the constants.
    pub grid: Vec<String>,
    /// Constants that the formulas may use.
    #[serde(default)]
    pub constants: Constants,
    /// Dynamic shared memory per block, in bytes.
    #[serde(default)]
    pub shared_bytes: u32,
    /// Type of the elements of A, B and C.
    #[serde(default)]
    pub elements: Elements,
    /// Tensor maps that the kernel takes as its first parameters.
    #[serde(default)]
    pub tensor_maps: TensorMaps,
    /// Parameters after `beta`, and what the kernel does to the product.
    #[serde(default)]
    pub further: EpilogueParams,
    /// Requirements on a shape.
    #[serde(default)]
    pub needs: Needs,
    /// The built-in kernel that takes all other shapes.
    pub otherwise: Option<String>,
    /// Target architecture, e.g. `sm_90a`; any GPU if absent.
    pub arch: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_directorys_own_kernel_travels_whole_and_a_built_in_one_by_its_id() {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["kernels", "assets/ptx"] {
            std::fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        let write = |path: &str, text: &str| std::fs::write(dir.path().join(path), text).unwrap();
        write("kernels/own.cu", "// a kernel");
        let ptx = tutor_kernels::stated_as("kernels/own.cu", "// a kernel", &[], "sm_75", "// its PTX\n").unwrap();
        write("assets/ptx/own.ptx", &ptx);
        write(
            "kernels/catalog.yaml",
            "kernels:\n- { id: own, level: a, title: t, file: own.cu, entry: main, block: [8, 4, 1], \
             grid: [\"N\", \"M\"], min_arch: sm_75, expected_wrong: false, about: own }\n",
        );
        let (catalog, problems) = Catalog::from_directory(dir.path());
        assert!(problems.is_empty(), "{problems:?}");
        let mut own = Program::new("own");
        own.complete(&catalog);
        assert_eq!(own.ptx.as_deref(), Some(ptx.as_str()));
        assert_eq!(own.spec.map(|spec| (spec.entry, spec.block)), Some(("main".to_owned(), [8, 4, 1])));
        let (all, _) = Catalog::of_course(Some(dir.path()));
        assert_eq!(all.kernels().len(), Catalog::built_in().kernels().len() + 1, "beside the built-in ones");
        assert!(all.kernel("own").is_some() && all.kernel("sgemm_tiled").is_some());
        let mut built_in = Program::new("sgemm_tiled");
        built_in.complete(Catalog::built_in());
        assert_eq!(built_in, Program::new("sgemm_tiled"));
    }
}
