/*! The kernels: catalogue, sources and their regions, launch geometry, PTX, compilation.

`kernels/catalog.yaml` lists every kernel that the course launches. Each has a `.cu` file, whose named regions the
lessons show, and a PTX file in `assets/ptx/` that NVRTC made from it. The built-in set is part of the binary. A
course directory may add its own kernels. A kernel may have [`Variants`]: the same file compiled with other constants.
Each PTX file states what it was made from ([`Recipe`]). If the source has changed since, the PTX is not run.

```
use tutor_kernels::Catalog;
let catalog = Catalog::built_in();
let kernel = catalog.kernel("sgemm_tiled").ok_or("not there")?;
assert_eq!(kernel.geometry(100, 100, 7)?.grid, [7, 7, 1]);
assert!(kernel.source.region("tile load").is_some());
# Ok::<(), Box<dyn std::error::Error>>(())
```

Reading a kernel needs neither a GPU nor a compiler. Only [`nvrtc`] loads a library, and it needs no GPU.
*/

pub mod base_course;
#[cfg(feature = "cuda")]
pub mod build;
mod catalog;
mod edition;
mod elements;
mod epilogue;
mod files;
mod geometry;
mod kernel;
pub mod machine_code;
pub mod nvrtc;
mod origin;
mod ozaki;
mod read;
mod source;
mod variants;
mod written;

pub use catalog::{Catalog, CatalogProblem, MAX_KERNELS, PADDED};
pub use edition::{CatalogEdition, KernelWords};
pub use elements::{Elements, Multiples, Needs, Swizzle, TensorMap, TensorMaps};
pub use epilogue::{Epilogue, EpilogueParams, Scales};
pub use files::{MAX_KERNEL_BYTES, MAX_KERNEL_FILES, MAX_SOURCE_BYTES};
pub use geometry::{Constants, Geometry, GeometryError, GridFormulas, MAX_EXTENT};
pub use kernel::{Arch, Contract, Kernel};
pub use origin::{MissingPtx, Recipe, stated_as};
pub use ozaki::Ozaki;
pub use source::{Region, Source, SourceProblem};
pub use variants::{Axis, Impossible, Launch, Point, Variants};
pub use written::{
    AxisEntry, CatalogFile, Extent, HazardName, KernelEntry, TensorMapEntries, TensorMapEntry, VariantsEntry,
};

/// Number of SMs of the emulated device: the value of `SMS` in a grid formula.
pub const EMULATED_SMS: u32 = 4;
